"""The tool's alerts: which are returned, in which order, merged, counted; and what its parameters refuse."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendMalformedError,
    BackendUnavailableError,
    InvalidParamsError,
    NotConfiguredError,
    ToolError,
)
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Alert, AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import CallContext
from groundwire.tools.query_metrics import QueryMetrics

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
WINDOW = TimeWindow(start=NOW - timedelta(hours=1), end=NOW)


class FixedAlerts:
    """A source with these alerts, or this fault, and no series."""

    def __init__(
        self,
        *alerts: Alert,
        name: str = "prom",
        as_of: datetime = NOW,
        live: bool = True,
        reasons: tuple[str, ...] = (),
        error: ToolError | None = None,
        inactive: tuple[Alert, ...] = (),
    ) -> None:
        self.name = name
        self._page = AlertPage(
            alerts=alerts, as_of=as_of, live=live, inactive=inactive, partial_reasons=reasons, notes=("a note",)
        )
        self._error = error

    def describe(self) -> SourceDescription:
        return SourceDescription(name=self.name, kind=SourceKind.ALERTS, backend="fixed", live=self._page.live)

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        if self._error is not None:
            raise self._error
        return self._page

    def query(self, request: SeriesRequest) -> SeriesPage:
        raise NotConfiguredError(f"{self.name} has no series")


def alert(
    name: str = "PoolFull",
    *,
    state: str = "firing",
    service: str | None = "shop",
    severity: str | None = "critical",
    minutes_ago: float | None = 15,
    ended_minutes_ago: float | None = None,
    value: float | None = 50,
    value_text: str | None = None,
    **labels: str,
) -> Alert:
    named = {"alertname": name} | ({} if service is None or "job" in labels else {"service": service}) | labels
    return Alert(
        alert_name=name,
        state=state,
        service=service,
        severity=severity,
        value=value,
        value_text=value_text,
        active_at=None if minutes_ago is None else NOW - timedelta(minutes=minutes_ago),
        ends_at=None if ended_minutes_ago is None else NOW - timedelta(minutes=ended_minutes_ago),
        labels=named,
        annotations={"summary": "the pool is full"},
    )


def run(*sources: FixedAlerts, **params: Any) -> Mapping[str, Any]:
    context = CallContext(window=WINDOW, deadline=Deadline.after(10), earlier_calls=lambda: ())
    return QueryMetrics(sources).run(params, context)


def names(output: Mapping[str, Any]) -> list[str]:
    return [item["alert_name"] for item in output["alerts"]]


def test_an_alert_comes_with_the_fields_of_the_contract() -> None:
    output = run(FixedAlerts(alert()))
    assert output["alerts"] == [
        {
            "alert_name": "PoolFull",
            "state": "firing",
            "service": "shop",
            "severity": "critical",
            "value": 50,
            "active_at": "2026-11-12T10:00:00Z",
            "ends_at": None,
            "as_of": "2026-11-12T10:15:00Z",
            "duration_ms": 900_000,
            "labels": {"alertname": "PoolFull", "service": "shop"},
            "annotations": {"summary": "the pool is full"},
            "source": "prom",
        }
    ]
    assert output["series"] == []
    assert (output["evidence_status"], output["returned_count"], output["total_count"]) == ("evidence", 1, 1)
    assert output["partial"] is False
    assert output["scope"]["window"] == {"start": "2026-11-12T09:15:00Z", "end": "2026-11-12T10:15:00Z"}
    assert output["sources"] == [
        {
            "name": "prom",
            "kind": "alerts",
            "status": "evidence",
            "live": True,
            "returned_count": 1,
            "total_count": 1,
            "error": None,
            "partial_reasons": [],
            "notes": ["a note"],
            "as_of": "2026-11-12T10:15:00Z",
            "fetched_count": 1,
        }
    ]


def test_a_value_that_is_not_finite_is_null_with_its_words() -> None:
    item = run(FixedAlerts(alert(value=None, value_text="NaN")))["alerts"][0]
    assert (item["value"], item["value_text"]) == (None, "NaN")


def test_the_duration_ends_where_the_alert_ended_or_where_knowledge_of_it_ends() -> None:
    ended = run(FixedAlerts(alert(state="resolved", minutes_ago=15, ended_minutes_ago=5)))["alerts"][0]
    assert (ended["ends_at"], ended["duration_ms"]) == ("2026-11-12T10:10:00Z", 600_000)
    saved = run(FixedAlerts(alert(minutes_ago=15), as_of=NOW - timedelta(minutes=15), live=False))["alerts"][0]
    assert saved["duration_ms"] is None
    assert run(FixedAlerts(alert(minutes_ago=None)))["alerts"][0]["duration_ms"] is None


def test_nothing_firing_is_an_answer_without_evidence() -> None:
    output = run(FixedAlerts())
    assert (output["evidence_status"], output["alerts"], output["fetched_count"]) == ("no_evidence", [], 0)
    assert output["error"] is None


@pytest.mark.parametrize("service", ["shop", "SHOP", "node-exporter"])
def test_the_service_is_any_of_the_labels_that_name_one_in_whatever_case(service: str) -> None:
    assert names(run(FixedAlerts(alert(job="node-exporter"), alert("Other", service="cart")), service=service)) == ["PoolFull"]


def test_the_service_is_neither_a_part_of_a_name_nor_an_instance() -> None:
    output = run(FixedAlerts(alert(service="shop-admin", pod="shop-7f9dd8b6c4-x7gr9", instance="shop")), service="shop")
    assert (output["evidence_status"], output["fetched_count"], output["total_count"]) == ("no_evidence", 1, 0)
    assert output["scope"]["labels"] == {"service": "shop"}


def test_alerts_are_chosen_by_name_and_state() -> None:
    source = FixedAlerts(alert(), alert("Slow", state="pending"), alert("Muted", state="suppressed"))
    assert names(run(source, alert_name="slow")) == ["Slow"]
    assert names(run(source, state="Suppressed")) == ["Muted"]


def test_a_heartbeat_is_left_out_unless_asked_for_by_name() -> None:
    source = FixedAlerts(alert("Watchdog", service=None), alert("InfoInhibitor", service=None))
    output = run(source)
    assert (output["alerts"], output["evidence_status"], output["fetched_count"]) == ([], "no_evidence", 2)
    assert names(run(source, alert_name="Watchdog")) == ["Watchdog"]


def test_firing_comes_before_pending_and_critical_before_warning_and_late_before_early() -> None:
    source = FixedAlerts(
        alert("Pending", state="pending"),
        alert("Warning", severity="warning"),
        alert("Early", minutes_ago=50),
        alert("Late", minutes_ago=5),
        alert("Resolved", state="resolved"),
    )
    assert names(run(source)) == ["Late", "Early", "Warning", "Pending", "Resolved"]


def test_beyond_the_limit_the_total_tells_how_many_there_are() -> None:
    output = run(FixedAlerts(*(alert(f"A{n}") for n in range(5))), limit=2)
    assert (output["returned_count"], output["total_count"], len(output["alerts"])) == (2, 5, 2)
    assert output["sources"][0]["total_count"] == 5


def test_the_same_alert_from_several_replicas_is_one() -> None:
    one = FixedAlerts(alert(state="pending", minutes_ago=10, prometheus_replica="a"), name="prom-a")
    two = FixedAlerts(alert(minutes_ago=9, prometheus_replica="b"), name="prom-b")
    output = run(one, two)
    assert (output["returned_count"], output["total_count"], output["fetched_count"]) == (1, 1, 1)
    item = output["alerts"][0]
    assert (item["state"], item["source"]) == ("firing", "prom-b")
    assert item["replicas"] == [{"prometheus_replica": "a"}, {"prometheus_replica": "b"}]
    assert [source["status"] for source in output["sources"]] == ["evidence", "evidence"]


def test_alerts_that_differ_in_more_than_replicas_stay_apart() -> None:
    assert len(run(FixedAlerts(alert(pod="a"), alert(pod="b")))["alerts"]) == 2


def test_a_silenced_alert_stays_beside_the_firing_one() -> None:
    output = run(FixedAlerts(alert()), FixedAlerts(alert(state="suppressed"), name="am"))
    assert [(item["state"], item["source"]) for item in output["alerts"]] == [("firing", "prom"), ("suppressed", "am")]


def test_an_alert_that_was_saved_at_another_moment_is_not_the_live_one() -> None:
    saved = FixedAlerts(alert(minutes_ago=3000), name="file", as_of=NOW - timedelta(days=2), live=False)
    assert [item["as_of"] for item in run(FixedAlerts(alert()), saved)["alerts"]] == [
        "2026-11-12T10:15:00Z",
        "2026-11-10T10:15:00Z",
    ]


def test_an_alert_outside_the_sessions_window_is_returned_and_one_outside_a_named_window_is_not() -> None:
    source = FixedAlerts(alert(), alert("Old", state="resolved", minutes_ago=300, ended_minutes_ago=240))
    assert names(run(source)) == ["PoolFull", "Old"]
    output = run(source, since="-30m")
    assert names(output) == ["PoolFull"]
    assert output["fetched_count"] == 2
    assert output["partial"] is False
    assert names(run(source, since="-5h", until="-3h")) == ["Old"]


def test_an_alert_without_a_start_is_in_no_named_window_and_that_is_said() -> None:
    output = run(FixedAlerts(alert(minutes_ago=None)), since="-30m")
    assert (output["evidence_status"], output["partial"]) == ("no_evidence", True)
    assert output["partial_reasons"] == ["without a start time, and so in no window: PoolFull"]


def test_one_failed_source_makes_the_answer_partial_and_all_failed_is_failed() -> None:
    down = FixedAlerts(name="down", error=BackendUnavailableError("down", "connection refused"))
    output = run(FixedAlerts(alert()), down)
    assert (output["evidence_status"], output["partial"]) == ("evidence", True)
    assert output["partial_reasons"] == ["one source failed: down: connection refused"]
    output = run(down)
    assert output["evidence_status"] == "failed"
    assert output["error"] == {"type": "unavailable", "message": "down: connection refused"}
    assert (output["total_count"], output["fetched_count"]) == (None, None)


@pytest.mark.parametrize(
    ("service", "listed", "proves"),
    [
        ("shpo", ("shop", "cart"), False),
        ("Cart", ("shop", "cart"), True),
        ("cart-5f7c9-x2x", ("shop", "cart"), True),
        ("cartography", ("shop", "cart"), False),
        ("search", ("shop", "cart"), True),
        ("bank", ("shop", "cart"), True),
        ("shpo", (), True),
    ],
)
def test_that_no_alert_names_a_service_proves_nothing_where_nobody_knows_it(
    service: str, listed: tuple[str, ...], proves: bool
) -> None:
    source = FixedAlerts(
        alert(service="bank", state="pending"), inactive=(alert("SearchDown", state="inactive", service="search"),)
    )
    context = CallContext(window=WINDOW, deadline=Deadline.after(10), earlier_calls=lambda: ())
    output = QueryMetrics([source], known_services=lambda: listed).run({"service": service, "state": "firing"}, context)
    assert (output["evidence_status"], output["returned_count"]) == ("no_evidence", 0)
    reason = f"no source lists a service {service!r}, so that no alert names it proves nothing"
    assert output["partial_reasons"] == ([] if proves else [reason])


@pytest.mark.parametrize(
    ("other", "speaks"),
    [
        (alert("CheckoutErrorsHigh", service=None), True),
        (alert("PodCrashLooping", service=None, pod="checkout-5f7c9-x2x"), True),
        (alert("PodCrashLooping", service="kube-state-metrics", job="kube-state-metrics", pod="checkout-5f7c9-x2x"), True),
        (alert("NodeDown", service=None, instance="node-1"), False),
        (alert("TargetDown", service="node", job="node", instance="node-1"), False),
        (alert("CheckoutErrorsHigh", service="billing"), False),
        (alert("CheckoutErrorsHigh", service=None, state="suppressed"), False),
    ],
)
def test_that_no_alert_names_a_service_proves_nothing_where_one_without_a_service_speaks_of_it(
    other: Alert, speaks: bool
) -> None:
    output = run(FixedAlerts(other), service="checkout-service")
    reason = f"alerts that name no service speak of 'checkout-service', and may be of it: {other.alert_name}"
    assert (output["evidence_status"], output["partial_reasons"]) == ("no_evidence", [reason] if speaks else [])


def test_a_rule_is_inactive_whose_alert_is_over_and_not_one_whose_alert_came_after_the_rules_were_read() -> None:
    rules = (alert("PoolFull", state="inactive"), alert("DiskFull", state="inactive"))
    source = FixedAlerts(alert("PoolFull", state="resolved"), alert("DiskFull"), inactive=rules)
    assert names(run(source, state="inactive")) == ["PoolFull"]


def test_an_alert_of_a_service_that_nobody_lists_is_found_whole() -> None:
    context = CallContext(window=WINDOW, deadline=Deadline.after(10), earlier_calls=lambda: ())
    output = QueryMetrics([FixedAlerts(alert(service="bank"))], known_services=lambda: ("shop",)).run(
        {"service": "bank"}, context
    )
    assert (output["returned_count"], output["partial"]) == (1, False)


def test_a_malformed_answer_is_kept() -> None:
    broken = FixedAlerts(error=BackendMalformedError("prom", "answered what is not JSON", answer="<html>"))
    assert run(broken)["raw_answer"] == "<html>"


def test_what_a_source_could_not_read_is_named_with_it() -> None:
    output = run(FixedAlerts(reasons=("alert 3 cannot be read: it has no label alertname",)))
    assert output["partial_reasons"] == ["prom: alert 3 cannot be read: it has no label alertname"]


def test_without_any_source_the_call_is_not_configured() -> None:
    with pytest.raises(NotConfiguredError, match="no source of alerts or metrics is configured"):
        run()


def test_a_source_that_has_no_alerts_is_left_out_and_none_that_has_is_not_configured() -> None:
    series_only = FixedAlerts(name="tsdb", error=NotConfiguredError("tsdb has no alerts"))
    output = run(series_only, FixedAlerts(alert()))
    assert [source["name"] for source in output["sources"]] == ["prom"]
    assert output["partial"] is False
    with pytest.raises(NotConfiguredError, match="no source can answer: tsdb has no alerts"):
        run(series_only)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"query": "up"}, "query_metrics has no parameter query; it takes service, alert_name, state, promql"),
        ({"state": "red"}, "state takes one of firing, pending, suppressed, resolved, inactive, not 'red'"),
        ({"limit": 0}, "limit takes a whole number from 1 to 1000, not 0"),
        ({"limit": 1001}, "limit takes a whole number from 1 to 1000, not 1001"),
        ({"limit": "5"}, "limit takes a whole number from 1 to 1000, not '5'"),
        ({"service": ["shop"]}, r"service takes text, not \['shop'\]"),
        ({"service": " "}, "service is empty"),
        ({"since": "soon"}, "since: 'soon' is not a time"),
        ({"since": "-5m", "until": "-10m"}, "is not before until"),
        ({"step": "30s"}, "step is of use only with promql"),
        ({"promql": "up", "step": "30"}, "step: '30' is not a duration"),
        (
            {"promql": "up", "step": "1s", "since": "-7d"},
            "gives 604,800 points in this window, more than 11,000; take at least 55s",
        ),
    ],
)
def test_parameters_that_do_not_fit_are_refused_before_anything_is_asked(params: dict[str, Any], message: str) -> None:
    never = FixedAlerts(error=BackendUnavailableError("prom", "was asked"))
    with pytest.raises(InvalidParamsError, match=message):
        run(never, **params)


def test_a_parameter_that_is_null_counts_as_not_given() -> None:
    assert names(run(FixedAlerts(alert()), service=None, promql=None, limit=None)) == ["PoolFull"]
