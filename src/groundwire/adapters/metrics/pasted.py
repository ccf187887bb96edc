"""Alerts in whichever shape a person or a webhook hands them over."""

from __future__ import annotations

from typing import Any

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import (
    ParsedAlerts,
    alertmanager_alerts,
    notified_alert,
    prometheus_alerts,
    webhook_alerts,
)
from groundwire.adapters.servers.json_body import NotJsonError, kind_of, read_json
from groundwire.adapters.servers.words import error_message
from groundwire.domain.metrics import Alert


def recognised_alerts(value: Any) -> ParsedAlerts:
    """Return the alerts of a decoded body in whichever of the accepted shapes they are.

    Raises:
        ShapeError: It is in none of them.
    """
    match value:
        case list():
            return alertmanager_alerts(value)
        case {"status": "error"}:
            raise ShapeError(f"it is the saved answer of a server that refused ({error_message(value)})")
        case {"data": {"alerts": _}}:
            return prometheus_alerts(value)
        case {"alerts": _}:
            return webhook_alerts(value)
        case {"commonLabels": _} | {"labels": _}:
            return notified_alert(value)
        case _:
            raise ShapeError(f"it is {kind_of(value)}")


def read_pasted_alerts(text: str) -> tuple[Alert, ...]:
    """Return the alerts of a pasted body, or none when the text is something else, such as a question."""
    try:
        return recognised_alerts(read_json(text.encode(errors="replace")).value).alerts
    except (NotJsonError, ShapeError):
        return ()
