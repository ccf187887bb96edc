"""Which metrics of a service are asked for, and which of its series stand out."""

from __future__ import annotations

import pytest

from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.investigators.measurements import increase_of, owner_of, peak_of, queries, telling_metrics


def _source(*metrics: str, label: str | None = "service") -> SourceDescription:
    return SourceDescription(
        name="prom",
        kind=SourceKind.METRICS,
        backend="prometheus",
        live=True,
        services=('shop"s',),
        service_label=label,
        metrics=metrics,
    )


def _series(metric: str, *values: float | None) -> dict[str, object]:
    return {"metric": metric, "labels": {}, "points": [[60 * place, value] for place, value in enumerate(values)]}


KUBERNETES = (
    "container_memory_cache",
    "container_memory_working_set_bytes",
    "container_cpu_usage_seconds_total",
    "go_memstats_alloc_bytes",
    "http_request_duration_seconds_bucket",
    "http_request_errors_total",
    "kube_pod_container_status_restarts_total",
    "node_cpu_usage_percent",
    "pod_cpu_usage_millicores",
    "pod_cpu_usage_percent",
    "pod_client_latency_p99_seconds",
    "pod_server_latency_p50_seconds",
    "pod_server_latency_p95_seconds",
    "up",
)


def test_what_a_service_uses_how_slow_it_is_and_how_often_it_fails_is_asked_for() -> None:
    assert telling_metrics(_source(*KUBERNETES)) == (
        "pod_cpu_usage_percent",
        "container_memory_working_set_bytes",
        "pod_server_latency_p95_seconds",
        "kube_pod_container_status_restarts_total",
        "http_request_errors_total",
    )


def test_without_a_suspect_only_what_is_used_up_is_asked_for() -> None:
    assert telling_metrics(_source(*KUBERNETES), saturation_only=True) == (
        "pod_cpu_usage_percent",
        "container_memory_working_set_bytes",
        "kube_pod_container_status_restarts_total",
    )
    assert telling_metrics(_source("up", "node_cpu_usage_percent", "queue_depth")) == ()


def test_a_service_is_asked_for_by_its_label_and_its_pods() -> None:
    names = '__name__=~"cpu_percent|memory_percent"'
    assert queries(_source("cpu_percent", "memory_percent"), 'shop"s') == (
        f'{{{names},service="shop\\"s"}} or {{{names},pod=~"shop\\"s-.*"}}',
    )
    assert queries(_source("cpu_percent"), "cart.v2") == ('{__name__=~"cpu_percent",pod=~"cart\\\\.v2-.*"}',)
    assert queries(_source("cpu_percent", "memory_percent"), None) == (f"{{{names}}}",)


def test_what_only_a_function_tells_is_given_a_name() -> None:
    source = _source("container_cpu_usage_seconds_total", "http_request_duration_seconds_bucket", label=None)
    cpu, latency = queries(source, "cart")
    assert cpu == (
        'label_replace(sum by (pod) (rate(container_cpu_usage_seconds_total{pod=~"cart-.*"}[5m])), '
        '"__name__", "cpu_usage_cores", "", "")'
    )
    assert latency == (
        "label_replace(histogram_quantile(0.95, sum by (le, pod) "
        '(rate(http_request_duration_seconds_bucket{pod=~"cart-.*"}[5m]))), '
        '"__name__", "http_request_duration_p95_seconds", "", "")'
    )
    assert queries(source, None) == (
        'label_replace(sum by (pod) (rate(container_cpu_usage_seconds_total{}[5m])), "__name__", "cpu_usage_cores", "", "")',
    )


@pytest.mark.parametrize(
    ("labels", "owner"),
    [
        ({"service": "kubelet", "pod": "cart-api-7d9f8b6c5d-x2x4z"}, "cart-api"),
        ({"service": "kubelet", "pod": "queue-7d9f8b6c5d-x2x4z"}, "queue"),
        ({"service": "cart"}, "cart"),
        ({"instance": "10.0.0.1:80"}, None),
    ],
)
def test_a_series_is_of_the_service_whose_pod_it_measures(labels: dict[str, str], owner: str | None) -> None:
    assert owner_of({"labels": labels}, ("cart", "cart-api")) == owner


@pytest.mark.parametrize(
    ("metric", "values", "stands_out"),
    [
        ("cpu_percent", (1, 2, 1, 1, 99, 98, 1, 2, 1), True),
        # Far above what is usual, and still next to nothing of what there is.
        ("cpu_percent", (1, 2, 1, 1, 9, 9, 1, 2, 1), False),
        ("cpu_usage_cores", (0.01, 0.01, 0.01, 0.1, 0.01, 0.01), False),
        ("cpu_usage_cores", (0.01, 0.01, 0.01, 0.9, 0.01, 0.01), True),
        ("cpu_ratio", (0.1, 0.1, 0.1, 0.9, 0.1, 0.2), True),
        ("latency_p95_seconds", (0.1, 0.1, 0.1, 0.09, 2.3, 0.1), True),
        ("latency_p95_seconds", (0.1, 0.1, 0.1, 0.09, 0.2, 0.1), False),
        # It always swings like this.
        ("latency_p95_seconds", (0.1, 54, 28, 266, 0.02, 58, 27, 0.1, 120), False),
        ("latency_p95_seconds", (0.1, None, 0.1, None, 2.3, 0.1, 0.1), True),
    ],
)
def test_a_peak_stands_out_where_it_is_far_above_what_is_usual_and_much(
    metric: str, values: tuple[float | None, ...], stands_out: bool
) -> None:
    peak = peak_of(_series(metric, *values))
    assert peak is not None
    assert peak.value == max(value for value in values if value is not None)
    assert peak.stands_out is stands_out


def test_too_few_samples_and_a_flat_line_have_no_peak() -> None:
    assert peak_of(_series("cpu_percent", 1, 99)) is None
    assert peak_of(_series("cpu_percent", *[5] * 20)) is None


def test_a_counter_goes_on_counting_after_a_restart() -> None:
    assert increase_of(_series("errors_total", 5, 7, None, 7, 2, 3)) == 5
