"""How alerts of each shape are read, item by item."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import (
    alertmanager_alerts,
    notified_alert,
    prometheus_alerts,
    webhook_alerts,
)


def _prometheus(**fields: Any) -> dict[str, Any]:
    alert = {
        "labels": {"alertname": "PoolFull", "service": "shop"},
        "annotations": {},
        "state": "firing",
        "activeAt": "2026-11-12T09:52:00Z",
        "value": "1e+00",
    }
    return {"data": {"alerts": [alert | fields]}}


def _alertmanager(**fields: Any) -> list[dict[str, Any]]:
    alert = {
        "labels": {"alertname": "PoolFull"},
        "annotations": {},
        "status": {"state": "active", "silencedBy": [], "inhibitedBy": []},
        "startsAt": "2026-11-12T09:52:00Z",
        "updatedAt": "2026-11-12T10:00:00Z",
        "endsAt": "2026-11-12T10:04:00Z",
    }
    return [alert | fields]


@pytest.mark.parametrize(
    ("given", "value", "value_text"),
    [
        ("1e+00", 1.0, None),
        ("2.3e-01", 0.23, None),
        ("0e+00", 0.0, None),
        ("NaN", None, "NaN"),
        ("+Inf", None, "+Inf"),
        ("high", None, "high"),
        (7, 7.0, None),
        (None, None, None),
        ("", None, None),
    ],
)
def test_a_value_that_is_no_finite_number_keeps_its_own_words(given: Any, value: float | None, value_text: str | None) -> None:
    alert = prometheus_alerts(_prometheus(value=given)).alerts[0]
    assert (alert.value, alert.value_text) == (value, value_text)


def test_nanoseconds_and_offsets_of_times_are_read() -> None:
    parsed = prometheus_alerts(_prometheus(activeAt="2026-11-12T10:52:00.568674523+01:00"))
    assert parsed.alerts[0].active_at == datetime(2026, 11, 12, 9, 52, 0, 568674, tzinfo=UTC)
    assert parsed.newest == parsed.alerts[0].active_at


def test_a_pending_alert_is_not_a_firing_one() -> None:
    assert prometheus_alerts(_prometheus(state="pending")).alerts[0].state == "pending"


@pytest.mark.parametrize(
    ("labels", "service"),
    [
        ({"service": "shop", "job": "node"}, "shop"),
        ({"app": "shop", "job": "node"}, "shop"),
        ({"job": "node", "service": ""}, "node"),
        ({"instance": "shop-7f9dd8b6c4-x7gr9", "pod": "shop-7f9dd8b6c4-x7gr9"}, None),
    ],
)
def test_the_service_is_the_first_label_that_names_one(labels: dict[str, str], service: str | None) -> None:
    assert prometheus_alerts(_prometheus(labels={"alertname": "PoolFull", **labels})).alerts[0].service == service


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"labels": None}, "alert 1 cannot be read: its labels are null, not an object"),
        ({"labels": {"service": "shop"}}, "alert 1 cannot be read: it has no label alertname"),
        ({"labels": {"alertname": ["a"]}}, "alert 1 cannot be read: its labels hold a list under 'alertname', not a text"),
        ({"state": "on fire"}, "alert 1 cannot be read: its state is 'on fire', not one of firing, pending, inactive"),
        ({"state": 3}, "alert 1 cannot be read: its state is '3', not one of firing, pending, inactive"),
        ({"annotations": []}, "alert 1 cannot be read: its annotations are a list, not an object"),
    ],
)
def test_an_alert_of_the_wrong_shape_is_passed_over_with_a_reason(fields: dict[str, Any], reason: str) -> None:
    answer = _prometheus()
    answer["data"]["alerts"].append(answer["data"]["alerts"][0] | fields)
    parsed = prometheus_alerts(answer)
    assert len(parsed.alerts) == 1
    assert parsed.reasons == (reason,)


@pytest.mark.parametrize("time", ["yesterday", "-30m", 12, "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", [], {}])
def test_a_time_that_cannot_be_read_is_a_reason_and_does_not_cost_the_alert(time: Any) -> None:
    parsed = prometheus_alerts(_prometheus(activeAt=time))
    assert parsed.alerts[0].active_at is None
    assert parsed.newest is None
    assert parsed.reasons == (f"alert 0 (PoolFull): activeAt {str(time)[:40]!r} is no time",)


def test_many_unreadable_alerts_are_counted_and_not_listed() -> None:
    answer = _prometheus()
    answer["data"]["alerts"] += [7] * 1000
    reasons = prometheus_alerts(answer).reasons
    assert len(reasons) == 6
    assert reasons[-1] == "995 more alerts could not be read whole"


def test_a_list_in_which_nothing_can_be_read_is_of_another_shape() -> None:
    with pytest.raises(ShapeError, match="alert 0 cannot be read: it is a number"):
        alertmanager_alerts([1, 2, 3])


@pytest.mark.parametrize(("said", "state"), [("active", "firing"), ("suppressed", "suppressed"), ("unprocessed", "firing")])
def test_a_silenced_alert_is_suppressed_and_an_unprocessed_one_fires(said: str, state: str) -> None:
    alert = alertmanager_alerts(_alertmanager(status={"state": said})).alerts[0]
    assert (alert.state, alert.ends_at, alert.value) == (state, None, None)


def test_an_alertmanager_alert_that_ended_before_it_was_last_heard_of_is_resolved() -> None:
    alert = alertmanager_alerts(_alertmanager(endsAt="2026-11-12T09:59:00Z")).alerts[0]
    assert (alert.state, alert.ends_at) == ("resolved", datetime(2026, 11, 12, 9, 59, tzinfo=UTC))


def test_the_newest_time_of_an_alertmanagers_answer_is_when_it_was_updated() -> None:
    assert alertmanager_alerts(_alertmanager()).newest == datetime(2026, 11, 12, 10, 0, tzinfo=UTC)


def _webhook(**fields: Any) -> dict[str, Any]:
    alert = {"labels": {"alertname": "PoolFull"}, "status": "firing", "startsAt": "2026-11-12T09:52:00Z"}
    return {"alerts": [alert | {"endsAt": "0001-01-01T00:00:00Z"}], "commonLabels": {"service": "shop"}} | fields


def test_a_webhooks_common_labels_hold_for_each_of_its_alerts() -> None:
    alert = webhook_alerts(_webhook()).alerts[0]
    assert (alert.service, alert.state, alert.ends_at) == ("shop", "firing", None)


def test_alerts_that_the_sender_left_out_make_a_webhook_partial() -> None:
    assert webhook_alerts(_webhook(truncatedAlerts=3)).reasons == (
        "3 more alerts were left out of the notification by its sender",
    )


@pytest.mark.parametrize(
    ("said", "state"),
    [("alerting", "firing"), ("ok", "resolved"), ("normal", "inactive"), ("Firing", "firing"), ({"state": "active"}, "firing")],
)
def test_the_states_of_single_notifications_are_understood(said: Any, state: str) -> None:
    parsed = notified_alert({"state": said, "title": "Pool is full", "commonLabels": {"alertname": "PoolFull"}})
    assert parsed.alerts[0].state == state
    assert parsed.alerts[0].annotations == {"title": "Pool is full"}


def test_a_notification_without_data_is_not_taken_for_health() -> None:
    with pytest.raises(ShapeError, match="its state is 'no_data'"):
        notified_alert({"state": "no_data", "commonLabels": {"alertname": "PoolFull"}})
