"""Why an Alertmanager keeps an alert quiet, and whom it tells."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx

from groundwire.adapters.metrics.alert_shapes import webhook_alerts
from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.evidence.refs import evidence_refs
from groundwire.ports import CallContext
from groundwire.tools.query_metrics import QueryMetrics

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
SILENCE = {"id": "5f2a", "comment": "move of the rack", "createdBy": "kim", "endsAt": "2026-11-12T12:00:00Z"}


def _alert(name: str, state: str, **status: Any) -> dict[str, Any]:
    return {
        "labels": {"alertname": name, "service": "shop"},
        "annotations": {},
        "fingerprint": f"fp-{name}",
        "startsAt": "2026-11-12T10:00:00Z",
        "endsAt": "2026-11-12T10:20:00Z",
        "updatedAt": "2026-11-12T10:15:00Z",
        "status": {"state": state, "silencedBy": [], "inhibitedBy": [], **status},
    }


ALERTS = [
    _alert("NodeDown", "active"),
    _alert("DiskSlow", "suppressed", silencedBy=["5f2a"]),
    _alert("ShopDown", "suppressed", inhibitedBy=["fp-NodeDown"]),
    _alert("Nightly", "suppressed", mutedBy=["nights"]),
]
GROUPS = [{"labels": {"service": "shop"}, "receiver": {"name": "team-shop"}, "alerts": ALERTS[:1]}]


def _alertmanager(**answers: Any) -> AlertmanagerAlerts:
    def answer(request: httpx.Request) -> httpx.Response:
        said = answers.get(request.url.path.rsplit("/", 1)[-1])
        return httpx.Response(500, json="internal error") if said is None else httpx.Response(200, json=said)

    return AlertmanagerAlerts("am", "http://am.test", HttpOptions(transport=httpx.MockTransport(answer)), now=lambda: NOW)


def _by_name(source: AlertmanagerAlerts) -> dict[str, Any]:
    return {alert.alert_name: alert for alert in source.alerts(Deadline.after(10)).alerts}


def test_silenced_inhibited_and_muted_are_told_apart_in_words() -> None:
    found = _by_name(_alertmanager(alerts=ALERTS, groups=GROUPS, silences=[SILENCE]))
    assert {name: alert.state for name, alert in found.items()} == {
        "NodeDown": "firing",
        "DiskSlow": "suppressed",
        "ShopDown": "suppressed",
        "Nightly": "suppressed",
    }
    assert found["NodeDown"].suppressed_by == ()
    assert found["DiskSlow"].suppressed_by == ("silence 5f2a (move of the rack, by kim, until 2026-11-12T12:00:00Z)",)
    assert found["ShopDown"].suppressed_by == ("inhibited by the alert NodeDown",)
    assert found["Nightly"].suppressed_by == ("muted in the time interval nights",)


def test_an_alert_names_the_groups_in_which_it_is_notified() -> None:
    found = _by_name(_alertmanager(alerts=ALERTS, groups=GROUPS, silences=[SILENCE]))
    assert [(group.receiver, group.labels) for group in found["NodeDown"].groups] == [("team-shop", {"service": "shop"})]
    assert found["ShopDown"].groups == ()


def test_without_silences_and_groups_the_alerts_are_as_true_and_a_note_says_what_is_missing() -> None:
    page = _alertmanager(alerts=ALERTS).alerts(Deadline.after(10))
    assert len(page.alerts) == 4
    assert page.alerts[1].suppressed_by == ("silence 5f2a",)
    assert page.partial_reasons == ()
    assert page.notes == (
        "/api/v2/silences was not read: am: HTTP 500 Internal Server Error: internal error",
        "/api/v2/alerts/groups was not read: am: HTTP 500 Internal Server Error: internal error",
    )


def test_the_tool_and_the_ref_say_why_an_alert_is_quiet() -> None:
    context = CallContext(
        window=TimeWindow(start=datetime(2026, 11, 12, 9, 15, tzinfo=UTC), end=NOW),
        deadline=Deadline.after(10),
        earlier_calls=lambda: (),
    )
    source = _alertmanager(alerts=ALERTS, groups=GROUPS, silences=[SILENCE])
    output = QueryMetrics([source]).run({"state": "suppressed", "alert_name": "ShopDown"}, context)
    assert output["alerts"][0]["suppressed_by"] == ["inhibited by the alert NodeDown"]
    firing = QueryMetrics([source]).run({"state": "firing"}, context)
    assert firing["alerts"][0]["groups"] == [{"receiver": "team-shop", "labels": {"service": "shop"}}]
    assert "suppressed_by" not in firing["alerts"][0]
    refs = evidence_refs("query_metrics", 1, output, context.window)
    assert refs[0].text.startswith("ShopDown suppressed (inhibited by the alert NodeDown) service=shop")


def test_a_webhook_names_its_receiver_and_group() -> None:
    body = {
        "receiver": "team-shop",
        "groupLabels": {"alertname": "NodeDown"},
        "alerts": [{"status": "firing", "labels": {"alertname": "NodeDown"}, "annotations": {}}],
    }
    (alert,) = webhook_alerts(body).alerts
    assert [(group.receiver, group.labels) for group in alert.groups] == [("team-shop", {"alertname": "NodeDown"})]
