"""The shapes in which alerts come, each read in one place, for live servers and for saved answers alike.

Source:
    Prometheus HTTP API v1, "Alerts"; Alertmanager API v2, ``GET /alerts``; Alertmanager configuration, ``webhook_config``,
    version 4; the body that Grafana and others post for one alert, with ``commonLabels``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from groundwire.adapters.metrics.alert_fields import ShapeError, instant_in, number_in, service_of, severity_of, texts_in
from groundwire.adapters.metrics.alertmanager_groups import Beside, group_of, names_by_fingerprint, suppressors
from groundwire.adapters.servers.json_body import kind_of
from groundwire.domain.metrics import Alert, AlertGroup

_MOST_REASONS: Final = 5

_ALERTMANAGER_STATES: Final[Mapping[str, str]] = {
    "active": "firing",
    "suppressed": "suppressed",
    # Received, and not yet held against silences and inhibitions. Prometheus sends an alert only once it fires, so it is
    # no pending one.
    "unprocessed": "firing",
}
_PROMETHEUS_STATES: Final[Mapping[str, str]] = {"firing": "firing", "pending": "pending", "inactive": "inactive"}
_WEBHOOK_STATES: Final[Mapping[str, str]] = {"firing": "firing", "resolved": "resolved"}
_NOTIFIED_STATES: Final[Mapping[str, str]] = {
    **_PROMETHEUS_STATES,
    **_ALERTMANAGER_STATES,
    **_WEBHOOK_STATES,
    "alerting": "firing",
    "ok": "resolved",
    "normal": "inactive",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedAlerts:
    """The alerts of one answer. ``newest`` is the latest time that it holds: it was not given before that.

    ``reasons`` say what could not be read, alert by alert, the rest counted.
    """

    alerts: tuple[Alert, ...]
    newest: datetime | None = None
    reasons: tuple[str, ...] = ()


def prometheus_alerts(answer: Any) -> ParsedAlerts:
    """Return the alerts of a Prometheus ``/api/v1/alerts`` answer; pending ones stand in the same list as firing ones.

    Raises:
        ShapeError: It holds no list of alerts, or none of its alerts can be read.
    """
    return _each(_list_at(answer, "data", "alerts"), _prometheus_alert)


def alertmanager_alerts(answer: Any, beside: Beside | None = None) -> ParsedAlerts:
    """Return the alerts of an Alertmanager ``/api/v2/alerts`` answer, a bare list; a silenced or inhibited one is ``suppressed``.

    ``beside`` is what the server told of their groups and silences; of a saved answer that is not known.

    Raises:
        ShapeError: It is no list, or none of its alerts can be read.
    """
    known = beside or Beside(names=names_by_fingerprint(answer))
    return _each(_list_at(answer), lambda item, problems: _alertmanager_alert(item, known, problems))


def webhook_alerts(body: Any) -> ParsedAlerts:
    """Return the alerts of a body that Alertmanager posts to a webhook.

    Raises:
        ShapeError: It holds no list of alerts, or none of its alerts can be read.
    """
    items = _list_at(body, "alerts")
    common = (_mapping_at(body, "commonLabels"), _mapping_at(body, "commonAnnotations"))
    group = () if "groupLabels" not in body else (group_of(body.get("receiver"), body, "groupLabels"),)
    parsed = _each(items, lambda item, problems: _webhook_alert(item, common, group, problems))
    truncated = body.get("truncatedAlerts")
    if not isinstance(truncated, int) or truncated <= 0:
        return parsed
    reason = f"{truncated} more alerts were left out of the notification by its sender"
    return ParsedAlerts(alerts=parsed.alerts, newest=parsed.newest, reasons=(*parsed.reasons, reason))


def notified_alert(body: Any) -> ParsedAlerts:
    """Return the one alert of a notification: ``state`` or ``status``, and ``labels`` or ``commonLabels``.

    Raises:
        ShapeError: It cannot be read.
    """
    return _each([body], _notified_alert)


_Read = Callable[[Mapping[str, Any], list[str]], tuple[Alert, datetime | None]]


def _each(items: Iterable[Any], read: _Read) -> ParsedAlerts:
    """Read every item. One that cannot be read is passed over with a reason; small faults of one that can are reasons too."""
    alerts: list[Alert] = []
    reasons: list[str] = []
    heard: list[datetime] = []
    for index, item in enumerate(items):
        problems: list[str] = []
        try:
            if not isinstance(item, dict):
                raise ShapeError(f"it is {kind_of(item)}, not an object")
            alert, updated_at = read(item, problems)
        except ShapeError as exc:
            reasons.append(f"alert {index} cannot be read: {exc}")
            continue
        alerts.append(alert)
        heard += [] if updated_at is None else [updated_at]
        reasons += [f"alert {index} ({alert.alert_name}): {problem}" for problem in problems]
    if reasons and not alerts:
        raise ShapeError(reasons[0])
    times = [moment for alert in alerts for moment in (alert.active_at, alert.ends_at) if moment is not None]
    return ParsedAlerts(alerts=tuple(alerts), newest=max([*times, *heard], default=None), reasons=_bounded(reasons))


def _bounded(reasons: list[str]) -> tuple[str, ...]:
    if len(reasons) <= _MOST_REASONS:
        return tuple(reasons)
    return (*reasons[:_MOST_REASONS], f"{len(reasons) - _MOST_REASONS} more alerts could not be read whole")


def _prometheus_alert(item: Mapping[str, Any], problems: list[str]) -> tuple[Alert, None]:
    labels = texts_in(item, "labels")
    value, value_text = number_in(item, "value", problems)
    alert = _alert(
        labels=labels,
        annotations=texts_in(item, "annotations"),
        state=_state(item.get("state"), _PROMETHEUS_STATES),
        active_at=instant_in(item, "activeAt", problems),
        value=value,
        value_text=value_text,
    )
    return alert, None


def _alertmanager_alert(item: Mapping[str, Any], beside: Beside, problems: list[str]) -> tuple[Alert, datetime | None]:
    status = item.get("status")
    if not isinstance(status, dict):
        raise ShapeError(f"its status is {kind_of(status)}, not an object with a state")
    state = _state(status.get("state"), _ALERTMANAGER_STATES)
    updated_at = instant_in(item, "updatedAt", problems)
    # Of an alert that lasts, endsAt lies ahead: it is when the alert counts as resolved unless it is heard of again.
    ends_at = instant_in(item, "endsAt", problems)
    has_ended = ends_at is not None and updated_at is not None and ends_at <= updated_at
    alert = _alert(
        labels=texts_in(item, "labels"),
        annotations=texts_in(item, "annotations"),
        state="resolved" if has_ended else state,
        active_at=instant_in(item, "startsAt", problems),
        ends_at=ends_at if has_ended else None,
        suppressed_by=suppressors(item, beside),
        groups=beside.groups.get(str(item.get("fingerprint")), ()),
    )
    return alert, updated_at


def _webhook_alert(
    item: Mapping[str, Any],
    common: tuple[Mapping[str, str], Mapping[str, str]],
    groups: tuple[AlertGroup, ...],
    problems: list[str],
) -> tuple[Alert, None]:
    state = _state(item.get("status"), _WEBHOOK_STATES)
    alert = _alert(
        labels={**common[0], **texts_in(item, "labels")},
        annotations={**common[1], **texts_in(item, "annotations")},
        state=state,
        active_at=instant_in(item, "startsAt", problems),
        ends_at=instant_in(item, "endsAt", problems) if state == "resolved" else None,
        groups=groups,
    )
    return alert, None


def _notified_alert(item: Mapping[str, Any], problems: list[str]) -> tuple[Alert, None]:
    status = item.get("state") or item.get("status")
    if isinstance(status, dict):
        status = status.get("state")
    state = _state(status, _NOTIFIED_STATES)
    labels = {**_mapping_at(item, "commonLabels"), **_mapping_at(item, "labels")}
    annotations = {**_mapping_at(item, "commonAnnotations"), **_mapping_at(item, "annotations")}
    if isinstance(item.get("title"), str):
        annotations.setdefault("title", item["title"])
    value, value_text = number_in(item, "value", problems)
    alert = _alert(
        labels=labels,
        annotations=annotations,
        state=state,
        active_at=instant_in(item, "activeAt", problems) or instant_in(item, "startsAt", problems),
        ends_at=instant_in(item, "endsAt", problems) if state == "resolved" else None,
        value=value,
        value_text=value_text,
    )
    return alert, None


def _alert(
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    state: str,
    active_at: datetime | None,
    ends_at: datetime | None = None,
    value: float | None = None,
    value_text: str | None = None,
    suppressed_by: tuple[str, ...] = (),
    groups: tuple[AlertGroup, ...] = (),
) -> Alert:
    name = labels.get("alertname")
    if not name:
        raise ShapeError("it has no label alertname")
    return Alert(
        alert_name=name,
        state=state,
        service=service_of(labels),
        severity=severity_of(labels),
        value=value,
        value_text=value_text,
        active_at=active_at,
        ends_at=ends_at,
        labels=labels,
        annotations=annotations,
        suppressed_by=suppressed_by,
        groups=groups,
    )


def _state(said: Any, known: Mapping[str, str]) -> str:
    state = known.get(said.strip().lower()) if isinstance(said, str) else None
    if state is None:
        raise ShapeError(f"its state is {str(said)[:40]!r}, not one of {', '.join(known)}")
    return state


def _list_at(answer: Any, *keys: str) -> list[Any]:
    for key in keys:
        if not isinstance(answer, dict):
            break
        answer = answer.get(key)
    if not isinstance(answer, list):
        where = f"at {'.'.join(keys)} " if keys else ""
        raise ShapeError(f"{where}there is {kind_of(answer)}, not a list of alerts")
    return answer


def _mapping_at(item: Mapping[str, Any], key: str) -> dict[str, str]:
    return texts_in(item, key) if item.get(key) is not None else {}
