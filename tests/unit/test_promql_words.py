"""PromQL in a few words."""

from __future__ import annotations

import pytest

from groundwire.evidence.promql_words import promql_words

TWO = '{__name__=~"cpu_usage_percent|memory_usage_percent",service="checkout"}'
FUNCTION = (
    'label_replace(sum by (service, pod) (rate(container_cpu_usage_seconds_total{pod=~"checkout-.*"}[5m])), '
    '"__name__", "cpu_usage_cores", "", "")'
)


@pytest.mark.parametrize(
    ("promql", "words"),
    [
        ("up == 0", "up == 0"),
        (TWO, "cpu_usage_percent, memory_usage_percent in 1 selector"),
        (f"{TWO} or {TWO.replace('service', 'pod')}", "cpu_usage_percent, memory_usage_percent in 2 selectors"),
        ('{__name__=~"cpu|memory|latency|restarts_total",namespace="shop-prod"}', "cpu, memory and 2 more in 1 selector"),
        (FUNCTION, "container_cpu_usage_seconds_total in 1 selector"),
        # A pattern is no name, and braces in a text are no selector.
        ('{__name__=~"http_.*_total",namespace="a-shop-in-production"}', '{__name__=~"http_.*_total",namespace="a-shop-in…'),
        ('requests_total{path="/a/very/long/path/{id}/of/a/thing"}', "requests_total in 1 selector"),
        ("sum(a_metric_with_a_long_name) / sum(another_metric_with_one)", "sum(a_metric_with_a_long_name) / sum(another_me…"),
    ],
)
def test_a_long_query_is_told_by_its_metrics_and_a_short_one_as_it_is(promql: str, words: str) -> None:
    assert promql_words(promql) == words
