"""Prometheus, VictoriaMetrics and Alertmanager as they are: what they answer where a recording could only repeat a belief."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.detection import detect_alert_source
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError
from groundwire.domain.incident import TimeWindow
from groundwire.ports import CallContext, MetricBackend
from groundwire.tools.query_metrics import QueryMetrics
from tests.integration.monitoring import MANY, Monitoring

pytestmark = pytest.mark.usefixtures("_no_proxy")


@pytest.fixture
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(params=["Prometheus", "VictoriaMetrics"])
def server(request: pytest.FixtureRequest, monitoring: Monitoring) -> PrometheusMetrics:
    """Return a server with rules and series."""
    urls = {"Prometheus": monitoring.prometheus, "VictoriaMetrics": monitoring.victoria_metrics_with_rules}
    return PrometheusMetrics("server", urls[request.param])


def _ask(source: MetricBackend, monitoring: Monitoring, **params: Any) -> dict[str, Any]:
    window = TimeWindow(start=monitoring.start, end=monitoring.start + timedelta(seconds=30))
    context = CallContext(window=window, deadline=Deadline.after(20), earlier_calls=lambda: ())
    return QueryMetrics([source]).run(params, context)


def test_firing_pending_and_inactive_are_told_apart(server: PrometheusMetrics, monitoring: Monitoring) -> None:
    found = {item["alert_name"]: item for item in _ask(server, monitoring)["alerts"]}
    assert (found["CheckoutErrorsHigh"]["state"], found["CheckoutErrorsHigh"]["value"]) == ("firing", 50)
    assert (found["QueueGrows"]["state"], found["QueueGrows"]["value"]) == ("pending", 7)
    assert "DiskFull" not in found
    inactive = _ask(server, monitoring, alert_name="DiskFull")["alerts"]
    assert [(item["state"], item["service"], item["value"]) for item in inactive] == [("inactive", "disk", None)]


def test_a_value_that_is_no_number_is_null_with_its_own_words(monitoring: Monitoring) -> None:
    alerts = _ask(PrometheusMetrics("prom", monitoring.prometheus), monitoring, alert_name="RatioUnknown")["alerts"]
    assert (alerts[0]["value"], alerts[0]["value_text"]) == (None, "NaN")


def test_not_a_number_and_infinity_are_null_in_a_series(server: PrometheusMetrics, monitoring: Monitoring) -> None:
    output = _ask(server, monitoring, promql="pool_active / 0", step="15s")
    assert output["series"][0]["points"][0][1] is None
    assert output["series"][0]["value_text"]["0"] in ("+Inf", "Inf")


def test_of_three_thousand_series_a_hundred_are_returned_and_all_are_counted(
    server: PrometheusMetrics, monitoring: Monitoring
) -> None:
    output = _ask(server, monitoring, promql="disk_used")
    assert (output["evidence_status"], output["returned_count"], output["total_count"]) == ("evidence", 100, MANY)
    assert output["partial"] is False


def test_nothing_found_is_an_answer(server: PrometheusMetrics, monitoring: Monitoring) -> None:
    for step in ("15s", "instant"):
        output = _ask(server, monitoring, promql="no_such_metric", step=step)
        assert (output["evidence_status"], output["total_count"], output["partial"]) == ("no_evidence", 0, False)


def test_an_instant_query_gives_one_value_at_the_end_of_the_window(server: PrometheusMetrics, monitoring: Monitoring) -> None:
    output = _ask(server, monitoring, promql='sum(pool_active{pool="a"})', step="instant")
    assert [point[1] for point in output["series"][0]["points"]] == [50]
    assert output["series"][0]["points"][0][0] == pytest.approx(monitoring.start.timestamp() + 30, abs=0.002)


def test_a_query_that_does_not_parse_is_refused_in_the_servers_words(server: PrometheusMetrics, monitoring: Monitoring) -> None:
    output = _ask(server, monitoring, promql="sum(pool_active")
    assert output["evidence_status"] == "failed"
    assert output["error"]["type"] == "rejected"
    assert "parse" in output["error"]["message"]


def test_prometheus_tells_the_kinds_of_its_metrics(monitoring: Monitoring) -> None:
    described = PrometheusMetrics("prom", monitoring.prometheus).describe()
    assert described.metric_kinds["node_load1"] == "gauge"
    assert {"node_load1", "up"} <= set(described.metrics)
    assert "checkout" in described.services


def test_the_points_of_a_window_lie_in_it_also_where_it_is_no_multiple_of_the_step(
    server: PrometheusMetrics, monitoring: Monitoring
) -> None:
    window = TimeWindow(start=monitoring.start + timedelta(seconds=7), end=monitoring.start + timedelta(hours=1, seconds=7))
    context = CallContext(window=window, deadline=Deadline.after(20), earlier_calls=lambda: ())
    output = QueryMetrics([server]).run({"promql": "vector(1)", "step": "60s"}, context)
    at = [point[0] for point in output["series"][0]["points"]]
    assert at[0] == window.start.timestamp()
    assert at[-1] < window.end.timestamp()
    assert len(at) == 60


def test_victoria_metrics_without_vmalert_is_not_taken_for_health(monitoring: Monitoring) -> None:
    output = _ask(PrometheusMetrics("vm", monitoring.victoria_metrics), monitoring)
    assert (output["evidence_status"], output["partial"]) == ("no_evidence", True)
    assert output["partial_reasons"] == [
        "vm: it has no alert rules, so that its list of alerts is empty does not mean that nothing is wrong"
    ]


def test_alertmanager_tells_silenced_and_inhibited_apart_and_whom_it_notifies(monitoring: Monitoring) -> None:
    found = {item["alert_name"]: item for item in _ask(AlertmanagerAlerts("am", monitoring.alertmanager), monitoring)["alerts"]}
    assert found["CheckoutErrorsHigh"]["state"] == "firing"
    assert found["CheckoutErrorsHigh"]["groups"] == [{"receiver": "team-shop", "labels": {"service": "checkout"}}]
    assert (found["Nightly"]["state"], found["ShopSlow"]["state"]) == ("suppressed", "suppressed")
    assert found["ShopSlow"]["suppressed_by"] == ["inhibited by the alert NodeDown"]
    assert found["Nightly"]["suppressed_by"][0].startswith("silence ")
    assert "(move of the rack, by kim, until " in found["Nightly"]["suppressed_by"][0]
    assert "QueueGrows" not in found


def test_an_alertmanager_asked_for_series_and_a_prometheus_asked_as_one_say_what_they_are(monitoring: Monitoring) -> None:
    assert detect_alert_source("am", monitoring.alertmanager).describe().backend == "alertmanager"
    assert detect_alert_source("prom", monitoring.prometheus).describe().backend == "prometheus"
    with pytest.raises(BackendRejectedError, match="HTTP 404"):
        PrometheusMetrics("am", f"{monitoring.alertmanager}/no/such/prefix").alerts(Deadline.after(5))
    with pytest.raises(BackendRejectedError, match="HTTP 404"):
        AlertmanagerAlerts("prom", monitoring.prometheus).alerts(Deadline.after(5))


def test_a_node_exporter_is_no_prometheus_and_says_so(monitoring: Monitoring) -> None:
    problems = PrometheusMetrics("node", monitoring.node_exporter).describe().problems
    assert len(problems) == 1
    assert "404" in problems[0] or "not JSON" in problems[0]
