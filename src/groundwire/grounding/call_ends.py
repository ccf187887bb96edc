"""The first and the last record of a whole call, and the window it asked about; of the records of a level where one is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from groundwire.domain.levels import Level, parse_level
from groundwire.domain.names import ToolName
from groundwire.domain.times import stored_instant
from groundwire.grounding.cited import Cited, CitedKind

_LEVEL: Final = re.compile(r"\b(error|warning|warn|critical|fatal)s?\b", re.IGNORECASE)


def ends_of(call: Cited, text: str) -> tuple[datetime | None, datetime | None]:
    """Return when the first and the last record came that ``text`` speaks of; None where the call cannot tell."""
    summary = call.item["summary"]
    level = _level_in(text)
    if level is None or _has_only(call, level):
        return stored_instant(summary.get("first_at")), stored_instant(summary.get("last_at"))
    output, row = call.call.output or {}, call.call.row
    logs: list[Mapping[str, Any]] = [log for log in output.get("logs") or () if isinstance(log, Mapping)]
    if row.partial or row.total_count is None or row.total_count > len(logs):
        return None, None
    times = [stored_instant(log.get("timestamp")) for log in logs if _is_at_least(log.get("level"), level)]
    known = [moment for moment in times if moment is not None]
    return (min(known), max(known)) if known else (None, None)


def window_of(call: Cited) -> tuple[datetime | None, datetime | None]:
    """Return the window that a call asked about."""
    window = call.item["scope"].get("window") or {}
    return stored_instant(window.get("start")), stored_instant(window.get("end"))


def is_of_logs(item: Cited) -> bool:
    """Return whether an item is a whole log search."""
    return item.kind is CitedKind.CALL and item.call.row.tool_name == ToolName.QUERY_LOGS


def alerts_named(call: Cited, text: str) -> list[Mapping[str, Any]]:
    """Return the alerts of a call that ``text`` names; its only one where it names none."""
    alerts = [alert for alert in (call.call.output or {}).get("alerts") or () if isinstance(alert, Mapping)]
    return [alert for alert in alerts if str(alert.get("alert_name")) in text] or (alerts if len(alerts) == 1 else [])


def _level_in(text: str) -> Level | None:
    match = _LEVEL.search(text)
    return parse_level(match[1]) if match else None


def _has_only(call: Cited, level: Level) -> bool:
    """A record whose level could not be read may be of any."""
    asked = parse_level(str((call.item["scope"].get("filter") or {}).get("level") or ""))
    if asked is not None and asked >= level:
        return True
    counts = call.item["summary"].get("by_level") or {}
    return all(not count or parse_level(name) is None or _is_at_least(name, level) for name, count in counts.items())


def _is_at_least(name: object, level: Level) -> bool:
    parsed = parse_level(str(name))
    return parsed is not None and parsed >= level
