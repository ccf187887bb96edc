"""An alert in a sentence: since when it has been active, or when it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.investigators.claims import utc


def alert_words(alert: Mapping[str, Any]) -> str:
    """Return what an alert of now has been, what one of a window that has passed was, and when one fired that fires no more."""
    service = f" for {alert['service']}" if alert.get("service") else ""
    severity = f" (severity {alert['severity']})" if alert.get("severity") else ""
    value = alert.get("value")
    shown = f", value {value:g}" if isinstance(value, int | float) else ""
    if alert["state"] == "resolved":
        return f"{alert['alert_name']}{severity} fired{service}{_when(alert)}, and is resolved."
    state = f"{'was' if alert.get('seen') else 'has been'} {alert['state']}"
    return f"{alert['alert_name']}{severity} {state}{service}{_when(alert)}{shown}."


def _when(alert: Mapping[str, Any]) -> str:
    seen = alert.get("seen")
    if not seen:
        since = utc(alert.get("active_at"))
        return f" since {since}" if since else ""
    first, last = utc(seen["first_at"]), utc(seen["last_at"])
    spells = f", in {seen['spells']} spells" if seen["spells"] > 1 else ""
    return f" at {first}" if first == last else f" between {first} and {last}{spells}"
