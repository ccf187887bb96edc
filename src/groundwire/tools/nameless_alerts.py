"""Alerts that name no service and may be of the one that is asked about: that no other is found does not make it well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.metrics import HEARTBEAT_ALERTS, SERVICE_LABELS, Alert

_NOTHING_ALIKE: Final = re.compile(r"[\W_]+")
_KIND: Final = re.compile(r"[-_.](?:service|svc|srv|server|api|app|web|backend|frontend|deployment)\Z")
# A job may be that of the exporter: kube-state-metrics has the pods of all services.
_OF_WHO_MEASURES: Final = "job"
_SHORTEST: Final = 4
_MOST: Final = 3
_ACTIVE: Final = ("firing", "pending")


def nameless_alerts(service: str | None, alerts: Sequence[Alert]) -> tuple[str, ...]:
    """Return why silence about a service proves nothing: active alerts that name no service speak of it."""
    if service is None:
        return ()
    core = _run_together(_KIND.sub("", service.casefold()))
    if len(core) < _SHORTEST:
        return ()
    found = [alert.alert_name for alert in alerts if _is_nameless(alert) and core in _run_together(_text(alert))]
    if not found:
        return ()
    names = ", ".join(dict.fromkeys(found[:_MOST]))
    return (f"alerts that name no service speak of {service!r}, and may be of it: {names}",)


def _is_nameless(alert: Alert) -> bool:
    return (
        alert.state in _ACTIVE
        and alert.service in (None, alert.labels.get(_OF_WHO_MEASURES))
        and alert.alert_name not in HEARTBEAT_ALERTS
        and not any(alert.labels.get(label) for label in SERVICE_LABELS if label != _OF_WHO_MEASURES)
    )


def _text(alert: Alert) -> str:
    return " ".join((alert.alert_name, *alert.labels.values(), *alert.annotations.values()))


def _run_together(text: str) -> str:
    return _NOTHING_ALIKE.sub("", text.casefold())
