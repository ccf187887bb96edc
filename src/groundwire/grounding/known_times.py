"""The times that a cited item has, by the role in which a claim may give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from groundwire.domain.times import stored_instant
from groundwire.grounding.call_ends import alerts_named, ends_of, is_of_logs, window_of
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.time_roles import Reading, Role
from groundwire.grounding.time_words import SUPERLATIVE, WINDOW


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The times of one cited item by role; ``single`` where it has no other."""

    where: str
    start: tuple[datetime, ...] = ()
    end: tuple[datetime, ...] = ()
    single: datetime | None = None

    def of(self, role: Role) -> tuple[datetime, ...]:
        """Return the times in a role: of one end, whichever the item has."""
        return self.start if role is Role.START else self.end


def known_times(item: Cited, reading: Reading, claim: ClaimText) -> list[Known]:
    """Return the times of one item: of an alert when it was active and when it was seen, of a call its first and last record.

    Of a span, or where the claim speaks of the window, the ends of what a call asked about are meant as well.
    """
    if item.kind is CitedKind.ALERT:
        return _alert_times(item.ref_id, item.item)
    if item.kind is CitedKind.LOG:
        return _line_times(item, reading, claim)
    if item.kind is CitedKind.SERIES and len(item.times) > 1:
        return [Known(where=item.ref_id, start=item.times[:1], end=item.times[-1:])]
    if not is_of_logs(item):
        alerts = alerts_named(item, claim.whole) if item.kind is CitedKind.CALL else []
        windows = [] if alerts or item.kind is not CitedKind.CALL else [_window_times(item)]
        named = [times for alert in alerts for times in _alert_times(f"{item.ref_id} {alert.get('alert_name')}", alert)]
        return named + windows
    first, last = ends_of(item, claim.whole)
    records = Known(where=item.ref_id, start=_some(first), end=_some(last))
    return [records, _window_times(item)] if reading.until is not None or WINDOW.search(claim.whole) else [records]


def _window_times(call: Cited) -> Known:
    start, end = window_of(call)
    return Known(where=f"{call.ref_id} window", start=_some(start), end=_some(end))


def _line_times(item: Cited, reading: Reading, claim: ClaimText) -> list[Known]:
    """The time of a line; of "the last error" only where its search found none later."""
    said = SUPERLATIVE.search(claim.rest) if reading.role in (Role.START, Role.END) else None
    times = item.times[:1]
    if said is not None and times:
        summary = (item.call.output or {}).get("summary") or {}
        if stored_instant(summary.get("first_at" if said["first"] else "last_at")) != times[0]:
            return []
    single = times[0] if len(times) == 1 else None
    return [Known(where=item.ref_id, start=times, end=times, single=single)]


def _alert_times(where: str, alert: Mapping[str, Any]) -> list[Known]:
    """When an alert was active; and, of a window that has passed, when it was seen in its state there."""
    start, seen = stored_instant(alert.get("active_at")), alert.get("seen") or {}
    first, last = stored_instant(seen.get("first_at")), stored_instant(seen.get("last_at"))
    active = Known(where=where, start=_some(start), end=_some(stored_instant(alert.get("ends_at"))), single=start)
    return [active] if first is None else [active, Known(where=f"{where} seen", start=_some(first), end=_some(last))]


def _some(moment: datetime | None) -> tuple[datetime, ...]:
    return () if moment is None else (moment,)
