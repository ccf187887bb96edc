"""What a Prometheus wrote of its alerts, read as the alerts of a window that has passed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Alert, AlertPage
from groundwire.ports import CallContext
from groundwire.tools.query_metrics import QueryMetrics

START = datetime(2026, 11, 12, 9, 0, tzinfo=UTC)
WINDOW = TimeWindow(start=START, end=START + timedelta(hours=1))
LATER = WINDOW.end + timedelta(hours=8)
S = int(START.timestamp())
REFUSED = httpx.Response(422, json={"status": "error", "errorType": "execution", "error": "too many samples"})


def written(name: str, *seconds: int, state: str = "firing", **labels: str) -> dict[str, Any]:
    metric = {"__name__": "ALERTS", "alertname": name, "alertstate": state, "service": "shop", **labels}
    return {"metric": metric, "values": [[S + second, "1"] for second in seconds]}


def since(name: str, epoch_s: object, **labels: str) -> dict[str, Any]:
    """Return the answer for one alert to the question since when it was active."""
    return {"metric": {"alertname": name, "service": "shop", **labels}, "value": [S + 3599.999, str(epoch_s)]}


def _source(
    samples: list[Any] | httpx.Response,
    starts: list[Any] | httpx.Response | None = None,
    now: httpx.Response | None = None,
    *,
    asked_at: datetime = LATER,
) -> PrometheusMetrics:
    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v1/alerts":
            return now or httpx.Response(200, json={"status": "success", "data": {"alerts": []}})
        if request.url.path != "/api/v1/query":
            return httpx.Response(404)
        promql = request.url.params["query"]
        said = starts if "FOR_STATE" in promql else samples
        if isinstance(said, httpx.Response):
            return said
        kind = "vector" if "FOR_STATE" in promql else "matrix"
        return httpx.Response(200, json={"status": "success", "data": {"resultType": kind, "result": said or []}})

    options = HttpOptions(transport=httpx.MockTransport(respond), pause=lambda seconds: None)
    return PrometheusMetrics("prom", "http://prom.test", options, now=lambda: asked_at)


def _page(samples: list[Any] | httpx.Response, starts: list[Any] | httpx.Response | None = None) -> AlertPage:
    return _source(samples, starts).alerts(Deadline.after(10), WINDOW)


def _only(samples: list[Any], starts: list[Any] | None = None) -> Alert:
    (alert,) = _page(samples, starts).alerts
    return alert


def at(minute: float) -> datetime:
    return START + timedelta(minutes=minute)


ALL_THE_TIME = written("Watchdog", *range(0, 3600, 60))


def test_one_that_was_pending_and_then_fired_is_firing_since_it_became_active() -> None:
    pending, firing = written("PoolFull", *range(600, 900, 60), state="pending"), written("PoolFull", *range(900, 1500, 60))
    alert = _only([pending, firing], [since("PoolFull", S + 590)])
    assert (alert.state, alert.service, alert.value, dict(alert.annotations)) == ("firing", "shop", None, {})
    assert alert.active_at == START + timedelta(seconds=590)
    assert alert.seen is not None
    assert (alert.seen.first_at, alert.seen.last_at, alert.seen.spells) == (at(15), at(24), 1)
    assert alert.ends_at == at(24)


def test_one_that_was_only_pending_is_pending() -> None:
    assert _only([written("PoolFull", 600, 660, 720, state="pending")]).state == "pending"


def test_one_that_was_so_up_to_the_end_of_the_window_has_not_ended() -> None:
    assert _only([written("PoolFull", *range(1800, 3600, 60))]).ends_at is None


@pytest.mark.parametrize(
    "starts", [[], [since("Other", S)], [since("PoolFull", "NaN")], [since("PoolFull", S + 900)], [since("PoolFull", 0)]]
)
def test_since_when_it_was_active_is_unknown_where_nothing_that_can_be_believed_says_so(starts: list[Any]) -> None:
    alert = _only([written("PoolFull", 600, 660, 720)], starts)
    assert alert.active_at is None
    assert alert.seen is not None
    assert alert.seen.first_at == at(10)


def test_one_that_came_and_went_says_how_often_and_has_no_length() -> None:
    samples = [written("PoolFull", *range(0, 300, 60), *range(1200, 1500, 60), *range(3000, 3300, 60))]
    found = QueryMetrics([_source(samples, [since("PoolFull", S - 100)])]).run({}, _context())["alerts"][0]
    assert found["seen"] == {"first_at": "2026-11-12T09:00:00Z", "last_at": "2026-11-12T09:54:00Z", "spells": 3}
    assert (found["active_at"], found["ends_at"], found["duration_ms"]) == ("2026-11-12T08:58:20Z", "2026-11-12T09:54:00Z", None)


def test_an_evaluation_that_failed_to_come_once_is_no_spell() -> None:
    alert = _only([written("PoolFull", 0, 60, 180, 240)])
    assert alert.seen is not None
    assert alert.seen.spells == 1


def test_of_two_that_differ_in_a_label_each_is_one() -> None:
    page = _page([written("PoolFull", 0, 60, pod="a"), written("PoolFull", 60, 120, pod="b")])
    assert {alert.labels["pod"] for alert in page.alerts} == {"a", "b"}


def test_samples_are_asked_for_as_they_were_written_up_to_the_last_moment_of_the_window() -> None:
    asked: dict[str, str] = {}

    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v1/alerts":
            return httpx.Response(200, json={"status": "success", "data": {"alerts": []}})
        asked[request.url.params["query"]] = request.url.params["time"]
        return httpx.Response(200, json={"status": "success", "data": {"resultType": "matrix", "result": [ALL_THE_TIME]}})

    options = HttpOptions(transport=httpx.MockTransport(respond))
    PrometheusMetrics("prom", "http://prom.test", options, now=lambda: LATER).alerts(Deadline.after(10), WINDOW)
    assert asked == {
        "ALERTS[3599999ms]": f"{S + 3599.999:.3f}",
        "min_over_time(ALERTS_FOR_STATE[3599999ms])": f"{S + 3599.999:.3f}",
    }


@pytest.mark.parametrize(
    ("samples", "unknown"),
    [
        ([ALL_THE_TIME], None),
        ([written("A", *range(0, 1800, 60)), written("B", *range(1800, 3600, 60))], None),
        ([written("A", *range(0, 1800, 60))], "between 2026-11-12T09:29:00Z and 2026-11-12T10:00:00Z"),
        ([written("A", *range(1800, 3600, 60))], "between 2026-11-12T09:00:00Z and 2026-11-12T09:30:00Z"),
        ([written("A", *range(0, 600, 60), *range(1200, 3600, 60))], "between 2026-11-12T09:09:00Z and 2026-11-12T09:20:00Z"),
    ],
)
def test_that_nothing_else_was_active_is_known_of_times_with_samples_alone(samples: list[Any], unknown: str | None) -> None:
    said = _page(samples).unknown
    assert said is None if unknown is None else unknown in (said or "")


def test_a_window_that_ends_now_is_asked_of_the_list_of_now() -> None:
    recent = TimeWindow(start=LATER - timedelta(hours=1), end=LATER - timedelta(minutes=4))
    page = _source([ALL_THE_TIME]).alerts(Deadline.after(10), recent)
    assert (page.alerts, page.window, page.as_of) == ((), None, LATER)


def test_where_since_when_is_refused_the_alerts_stand_and_a_note_says_so() -> None:
    page = _page([ALL_THE_TIME], REFUSED)
    assert [alert.alert_name for alert in page.alerts] == ["Watchdog"]
    assert any("ALERTS_FOR_STATE were not read" in note and "too many samples" in note for note in page.notes)


def test_series_that_are_refused_are_no_empty_ones() -> None:
    said = _page(REFUSED).unknown
    assert said is not None
    assert "were not read" in said
    assert "too many samples" in said


def _context() -> CallContext:
    return CallContext(window=WINDOW, deadline=Deadline.after(10), earlier_calls=lambda: ())


def _ask(samples: list[Any], **params: Any) -> Mapping[str, Any]:
    return QueryMetrics([_source(samples)]).run(params, _context())


def test_what_was_found_is_whole_and_what_was_not_is_in_part_where_the_window_is_not_known_all_through() -> None:
    half = [written("PoolFull", *range(0, 1800, 60))]
    found, nothing = _ask(half), _ask(half, service="cart")
    assert (found["evidence_status"], found["partial"]) == ("evidence", False)
    assert (nothing["evidence_status"], nothing["partial"], nothing["fetched_count"]) == ("no_evidence", True, 1)
    assert _ask([ALL_THE_TIME], service="cart")["partial"] is False


def test_which_rules_were_inactive_then_is_not_known() -> None:
    assert _ask([ALL_THE_TIME], state="inactive")["partial_reasons"] == [
        "prom: which rules were inactive in a window that has passed is not known"
    ]


def test_an_alert_without_a_start_is_in_the_window_that_is_named_where_it_was_seen_there() -> None:
    found = _ask([written("PoolFull", 600, 660, 720)], since="2026-11-12T09:05:00Z", until="2026-11-12T09:20:00Z")
    assert [alert["alert_name"] for alert in found["alerts"]] == ["PoolFull"]
    assert found["partial"] is False


def _now(active_at: str, state: str = "firing") -> httpx.Response:
    alert = {
        "labels": {"alertname": "PoolFull", "service": "shop"},
        "annotations": {"summary": "the pool is full"},
        "state": state,
        "activeAt": active_at,
        "value": "5e+01",
    }
    return httpx.Response(200, json={"status": "success", "data": {"alerts": [alert]}})


def _with_now(samples: list[Any], now: httpx.Response) -> list[Alert]:
    return list(_source(samples, now=now).alerts(Deadline.after(10), WINDOW).alerts)


def test_one_that_has_lasted_since_the_window_is_as_it_is_now() -> None:
    (alert,) = _with_now([written("PoolFull", *range(1800, 3600, 60))], _now("2026-11-12T09:28:00Z"))
    assert (alert.state, alert.value, alert.seen) == ("firing", 50, None)
    assert (alert.active_at, alert.ends_at) == (at(28), None)
    assert alert.annotations == {"summary": "the pool is full"}


@pytest.mark.parametrize(
    ("samples", "now"),
    [
        # Another time than now, a time that ended, another state, and one that came and went.
        (written("PoolFull", *range(1800, 3600, 60)), _now("2026-11-12T11:00:00Z")),
        (written("PoolFull", *range(600, 1200, 60)), _now("2026-11-12T09:50:00Z")),
        (written("PoolFull", *range(1800, 3600, 60), state="pending"), _now("2026-11-12T09:28:00Z")),
        (written("PoolFull", *range(0, 600, 60), *range(1800, 3600, 60)), _now("2026-11-12T09:28:00Z")),
    ],
)
def test_one_that_was_otherwise_in_the_window_stays_as_it_was_there(samples: dict[str, Any], now: httpx.Response) -> None:
    (alert,) = _with_now([samples], now)
    assert alert.seen is not None
    assert alert.value is None


def test_what_is_active_now_and_began_later_is_left_out() -> None:
    assert [alert.alert_name for alert in _with_now([ALL_THE_TIME], _now("2026-11-12T11:00:00Z"))] == ["Watchdog"]


def test_where_the_alerts_of_now_are_not_read_those_of_the_window_stand() -> None:
    page = _source([ALL_THE_TIME], now=httpx.Response(500, text="loading")).alerts(Deadline.after(10), WINDOW)
    assert [alert.alert_name for alert in page.alerts] == ["Watchdog"]
    assert any("alerts of now were not read" in note for note in page.notes)


def test_of_one_that_lasts_and_one_that_ended_each_has_the_length_of_its_own_time() -> None:
    samples = [written("PoolFull", *range(1800, 3600, 60)), written("QueueGrows", *range(600, 1200, 60))]
    source = _source(samples, [since("QueueGrows", S + 540)], now=_now("2026-11-12T09:28:00Z"))
    found = {alert["alert_name"]: alert for alert in QueryMetrics([source]).run({}, _context())["alerts"]}
    assert (found["PoolFull"]["as_of"], found["QueueGrows"]["as_of"]) == ("2026-11-12T18:00:00Z", "2026-11-12T10:00:00Z")
    # From 09:28 to 18:00, and from 09:09 to 09:19.
    assert (found["PoolFull"]["duration_ms"], found["QueueGrows"]["duration_ms"]) == (30_720_000, 600_000)


def _in_a_window_until_now(samples: list[Any] | httpx.Response, now: httpx.Response | None = None) -> AlertPage:
    return _source(samples, now=now, asked_at=WINDOW.end).alerts(Deadline.after(10), WINDOW)


def test_what_fired_in_a_window_until_now_and_fires_no_more_is_resolved() -> None:
    page = _in_a_window_until_now([written("PoolFull", *range(600, 900, 60)), written("Slow", 600, 660, state="pending")])
    (alert,) = page.alerts
    assert (alert.alert_name, alert.state, alert.ends_at) == ("PoolFull", "resolved", at(14))
    assert alert.seen is not None
    assert (alert.seen.first_at, alert.seen.last_at) == (at(10), at(14))
    # That nothing else fired is known of now alone: silence of the series is no word on the window.
    assert (page.window, page.unknown) == (None, None)


@pytest.mark.parametrize("labels", [{}, {"prometheus": "monitoring/a"}])
def test_what_still_fires_is_told_once(labels: dict[str, str]) -> None:
    page = _in_a_window_until_now([written("PoolFull", *range(1800, 3600, 60), **labels)], _now("2026-11-12T09:28:00Z"))
    assert [(alert.state, alert.seen) for alert in page.alerts] == [("firing", None)]


def test_what_is_written_of_an_alert_until_now_is_not_resolved_where_nobody_evaluates_its_rule() -> None:
    (alert,) = _in_a_window_until_now([written("PoolFull", *range(1800, 3600, 60))]).alerts
    assert (alert.state, alert.ends_at) == ("firing", None)
    assert alert.seen is not None
    assert alert.seen.last_at == at(59)


def test_what_fired_and_is_pending_again_is_told_as_both() -> None:
    body = _now("2026-11-12T09:58:00Z").json()
    body["data"]["alerts"][0]["state"] = "pending"
    page = _in_a_window_until_now([written("PoolFull", *range(600, 900, 60))], httpx.Response(200, json=body))
    assert [alert.state for alert in page.alerts] == ["pending", "resolved"]


@pytest.mark.parametrize(("answer", "notes"), [(REFUSED, 0), (httpx.Response(404), 0), (httpx.Response(503), 1)])
def test_where_the_series_are_not_read_the_alerts_of_now_stand(answer: httpx.Response, notes: int) -> None:
    page = _in_a_window_until_now(answer, _now("2026-11-12T09:28:00Z"))
    assert [alert.state for alert in page.alerts] == ["firing"]
    assert len([note for note in page.notes if "fires no more is not known" in note]) == notes
