"""The usable entries of a tool's JSON object: where each stands, when it was, and what it says in one bounded line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import EvidenceLevel, ToolName, Trust
from groundwire.domain.times import format_duration, format_instant, stored_instant

TEXT_LIMIT: Final = 500
"""Characters of an entry's text; what is longer ends in an ellipsis."""

_Item = Mapping[str, Any]
_OBJECT: Final = (dict, Mapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """One list of a tool's output: its key, how its refs are called, and how an entry of it is read.

    An entry is usable when it has something under ``essence``. ``level`` is that of an entry for a session's window.
    """

    key: str
    ref_name: str
    trust: Trust
    essence: str
    text: Callable[[_Item], str]
    level: Callable[[_Item, TimeWindow], EvidenceLevel]


def bounded(text: str, limit: int = TEXT_LIMIT) -> str:
    """Return ``text`` with white space folded, cut to ``limit`` characters with an ellipsis where it was longer."""
    if len(text) <= limit and "\n" not in text and "  " not in text and "\t" not in text and "\r" not in text:
        return text.strip()  # as most texts are; looking costs a fifth of folding
    if len(text) > limit * 4:
        text = text[: limit * 4]
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


def _joined(parts: list[Any]) -> str:
    return " ".join(str(part) for part in parts if part)


def _log_text(item: _Item) -> str:
    service, instance = item.get("service"), item.get("instance")
    head = _joined([item.get("timestamp"), item.get("level"), service, None if instance == service else instance])
    message = item.get("message")
    return bounded(f"{head}: {message}" if head else str(message))


def _log_level(item: _Item, window: TimeWindow) -> EvidenceLevel:
    moment = stored_instant(item.get("timestamp"))
    return EvidenceLevel.DIRECT if moment is not None and window.contains(moment) else EvidenceLevel.INDIRECT


def _alert_text(item: _Item) -> str:
    value = item.get("value")
    shown = item.get("value_text") if value is None else value
    duration, seen = item.get("duration_ms"), _seen(item)
    return bounded(
        _joined(
            [
                item.get("alert_name"),
                item.get("state"),
                f"({item['suppressed_by'][0]})" if _texts(item.get("suppressed_by")) else None,
                f"service={item['service']}" if item.get("service") else None,
                f"severity={item['severity']}" if item.get("severity") else None,
                f"value={shown}" if shown is not None else None,
                f"active since {item['active_at']}" if item.get("active_at") else None,
                f"for {format_duration(duration)}" if isinstance(duration, int | float) else None,
                f"seen from {seen['first_at']} to {seen['last_at']}" if seen else None,
                f"in {seen['spells']} spells" if seen.get("spells", 1) != 1 else None,
            ]
        )
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _seen(item: _Item) -> _Item:
    """Return when an alert was seen in a window that has passed; empty of one that is active now."""
    seen = item.get("seen")
    return seen if isinstance(seen, Mapping) else {}


def _alert_level(item: _Item, window: TimeWindow) -> EvidenceLevel:
    start = stored_instant(_seen(item).get("first_at") or item.get("active_at"))
    if start is None:
        return EvidenceLevel.INDIRECT
    # An alert that had not ended when it was fetched is known to have lasted until then, and no longer.
    inside = window.overlaps(start, stored_instant(item.get("ends_at")) or stored_instant(item.get("as_of")))
    return EvidenceLevel.DIRECT if inside else EvidenceLevel.INDIRECT


def _numbers(item: _Item) -> list[tuple[float, float]]:
    points = item.get("points")
    if not isinstance(points, list):
        return []
    return [(p[0], p[1]) for p in points if isinstance(p, list) and len(p) == 2 and isinstance(p[1], int | float)]


def _at(epoch_s: float) -> str:
    return format_instant(datetime.fromtimestamp(epoch_s, UTC))


def _series_text(item: _Item) -> str:
    labels = item.get("labels")
    shown = ",".join(f"{key}={value}" for key, value in labels.items()) if isinstance(labels, Mapping) else ""
    name = f"{item.get('metric') or ''}{{{shown}}}"
    numbers = _numbers(item)
    if not numbers:
        return bounded(f"{name} has no numeric sample")
    highest = max(numbers, key=lambda point: point[1])
    lowest = min(numbers, key=lambda point: point[1])
    (first_at, first), (last_at, last) = numbers[0], numbers[-1]
    # The figures come first: labels may be long, and a cut must not take the figures away.
    return bounded(
        f"first {first:g} at {_at(first_at)}, last {last:g} at {_at(last_at)}, "
        f"minimum {lowest[1]:g}, maximum {highest[1]:g} at {_at(highest[0])}: {name}"
    )


def _series_level(item: _Item, window: TimeWindow) -> EvidenceLevel:
    start, end = window.start.timestamp(), window.end.timestamp()
    points = item.get("points") or ()
    inside = any(isinstance(p, list) and p and isinstance(p[0], int | float) and start <= p[0] < end for p in points)
    return EvidenceLevel.DIRECT if inside else EvidenceLevel.INDIRECT


def _block_text(item: _Item) -> str:
    section = f" / {item['section']}" if item.get("section") else ""
    return bounded(f"{item.get('title') or ''}{section} ({item.get('source') or 'no source'}): {item.get('content') or ''}")


COLLECTIONS: Final[Mapping[str, tuple[Collection, ...]]] = {
    ToolName.QUERY_LOGS: (
        Collection(
            key="logs",
            ref_name="logs",
            trust=Trust.EMITTED,
            essence="message",
            text=_log_text,
            level=_log_level,
        ),
    ),
    ToolName.QUERY_METRICS: (
        Collection(
            key="alerts",
            ref_name="alerts",
            trust=Trust.MEASURED,
            essence="alert_name",
            text=_alert_text,
            level=_alert_level,
        ),
        Collection(
            key="series",
            ref_name="series",
            trust=Trust.MEASURED,
            essence="points",
            text=_series_text,
            level=_series_level,
        ),
    ),
    ToolName.LOOKUP_KNOWLEDGE: (
        Collection(
            key="evidence_blocks",
            ref_name="blocks",
            trust=Trust.WRITTEN,
            essence="content",
            text=_block_text,
            level=lambda item, window: EvidenceLevel.INDIRECT,
        ),
    ),
}


def usable_entries(collection: Collection, items: list[Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the usable entries of a list with their indexes; those that say nothing are passed over."""
    essence = collection.essence
    return [(index, item) for index, item in enumerate(items) if isinstance(item, _OBJECT) and item.get(essence)]
