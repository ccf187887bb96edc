"""Prometheus, VictoriaMetrics and Alertmanager as they are: what they answer where a recording could only repeat a belief."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.detection import detect_alert_source
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.metrics.prometheus_history import past_alerts
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Alert, SeriesPage, SeriesRequest
from groundwire.domain.times import format_instant
from groundwire.ports import CallContext, MetricBackend
from groundwire.tools.query_metrics import QueryMetrics
from tests.integration.monitoring import MANY, Monitoring
from tests.integration.processes import is_within

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
    """Ask for series of when they were put in, for alerts of now."""
    now = datetime.now(UTC)
    start, end = (monitoring.start, monitoring.start + timedelta(seconds=30)) if "promql" in params else (monitoring.start, now)
    window = TimeWindow(start=start, end=end)
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


def _in_the_past(source: MetricBackend, monitoring: Monitoring, minutes: tuple[int, int], **params: Any) -> dict[str, Any]:
    first, last = (monitoring.start + timedelta(minutes=after) for after in minutes)
    context = CallContext(window=TimeWindow(start=first, end=last), deadline=Deadline.after(20), earlier_calls=lambda: ())
    return QueryMetrics([source]).run(params, context)


def test_what_was_active_in_a_window_that_has_passed_is_told_and_what_is_active_now_is_not(
    server: PrometheusMetrics, monitoring: Monitoring
) -> None:
    output = _in_the_past(server, monitoring, (0, 30))
    found = output["alerts"]
    assert [(alert["alert_name"], alert["state"], alert["service"], alert["value"]) for alert in found] == [
        ("PoolFull", "firing", "checkout", None)
    ]
    # It was active from the fifth minute on, fired from the tenth, and was last seen 15 s before the twentieth.
    at = [monitoring.start + timedelta(seconds=after) for after in (300, 600, 1185)]
    assert [found[0]["active_at"], found[0]["seen"]["first_at"], found[0]["ends_at"]] == [format_instant(each) for each in at]
    assert (output["partial"], output["sources"][0]["covers"]) == (False, output["scope"]["window"])


def test_that_nothing_fired_is_known_of_a_time_in_which_rules_were_evaluated_and_of_no_other(
    server: PrometheusMetrics, monitoring: Monitoring
) -> None:
    quiet, unknown = _in_the_past(server, monitoring, (22, 30)), _in_the_past(server, monitoring, (40, 50))
    assert (quiet["evidence_status"], quiet["partial"]) == ("no_evidence", False)
    assert quiet["sources"][0]["covers"] == quiet["scope"]["window"]
    assert unknown["partial"] is True
    assert "ALERTS have nothing in the window" in unknown["partial_reasons"][0]
    assert "covers" not in unknown["sources"][0]


def test_running_rules_write_what_is_read_of_them_later(server: PrometheusMetrics) -> None:
    now = datetime.now(UTC)
    window = TimeWindow(start=now - timedelta(minutes=10), end=now + timedelta(seconds=5))

    def ask(promql: str) -> SeriesPage:
        return server.query(SeriesRequest(promql=promql, window=window, step=None, limit=100, deadline=Deadline.after(10)))

    def written() -> dict[str, Alert]:
        page = past_alerts(ask, window)
        return {} if page is None else {alert.alert_name: alert for alert in page.alerts}

    assert is_within(30, lambda: {"CheckoutErrorsHigh", "QueueGrows"} <= set(written()))
    now_active = {alert.alert_name: alert for alert in server.alerts(Deadline.after(10)).alerts}
    for name, state in (("CheckoutErrorsHigh", "firing"), ("QueueGrows", "pending")):
        then, found = written()[name], now_active[name]
        assert (then.state, then.service, then.severity) == (state, found.service, found.severity)
        assert found.active_at is not None
        # vmalert writes since when only of rules that have to hold for some time.
        if name == "QueueGrows" or then.active_at is not None:
            assert then.active_at is not None
            assert abs(then.active_at - found.active_at) < timedelta(seconds=2)


def test_victoria_metrics_without_vmalert_is_not_taken_for_health(monitoring: Monitoring) -> None:
    output = _ask(PrometheusMetrics("vm", monitoring.victoria_metrics), monitoring)
    # What somebody wrote of an alert in the hour is known, and is over.
    assert [(found["alert_name"], found["state"]) for found in output["alerts"]] == [("PoolFull", "resolved")]
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
