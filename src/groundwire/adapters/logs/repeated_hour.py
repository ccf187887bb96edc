"""The hour that comes twice when clocks are set back: a time in it that names no zone means either of two instants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final

from groundwire.domain.incident import TimeWindow
from groundwire.domain.times import shifted

_STEP: Final = timedelta(days=1)
_MINUTE: Final = timedelta(minutes=1)
_MOST_STEPS: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedHour:
    """``start`` and ``end`` are the instants between which each local time comes twice; ``local`` the first of these."""

    start: datetime
    end: datetime
    local: datetime

    def is_cut_by(self, window: TimeWindow) -> bool:
        """Return whether a window holds one of two instants that look the same, and not the other."""
        return self.start < window.start < self.end or self.start < window.end < self.end


def repeated_hour(zone: tzinfo, start: datetime, end: datetime) -> RepeatedHour | None:
    """Return the first hour, or what is set back, that comes twice in a zone between two instants."""
    for step in range(_MOST_STEPS):
        day = shifted(start, (step - 1) * _STEP)
        if day > end:
            break
        found = _set_back(zone, day)
        if found is not None and found.start <= end and start < found.end:
            return found
    return None


def _set_back(zone: tzinfo, day: datetime) -> RepeatedHour | None:
    before, behind = day, shifted(day, _STEP)
    by = _offset(zone, before) - _offset(zone, behind)
    if by <= timedelta():
        return None
    while behind - before > _MINUTE:
        middle = before + (behind - before) / 2
        if _offset(zone, middle) == _offset(zone, day):
            before = middle
        else:
            behind = middle
    at = behind.replace(second=0, microsecond=0)
    return RepeatedHour(start=at - by, end=at + by, local=at.astimezone(zone))


def _offset(zone: tzinfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()
