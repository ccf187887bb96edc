"""Tells that a subject fell silent: it wrote regularly, and then no more although others did."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogCounts
from groundwire.domain.sources import SourceDescription
from groundwire.domain.times import format_duration, format_instant

_FEWEST: Final = 20
_SHORTEST: Final = timedelta(minutes=5)
_GAPS: Final = 20


def silence_notes(service: str, in_scope: LogCounts, window: TimeWindow, description: SourceDescription) -> tuple[str, ...]:
    """Return a note when the service's records end long before the window, or the source's newest record, does."""
    until = window.end
    if not description.live and description.newest_record is not None:
        until = min(until, description.newest_record)
    if in_scope.total == 0:
        return _silent_before(service, window, description)
    first, last = in_scope.first_at, in_scope.last_at
    if first is None or last is None or in_scope.total < _FEWEST or last - first < _SHORTEST:
        return ()
    gap, quiet = (last - first) / (in_scope.total - 1), until - last
    if quiet < max(_SHORTEST, gap * _GAPS):
        return ()
    return (
        f"{service!r} wrote a record every {_shown(gap)} on average up to {format_instant(last)}, and none in the "
        f"{_shown(quiet)} after that: it stopped, or its logs did; errors that are not there prove nothing for that time",
    )


def _silent_before(service: str, window: TimeWindow, description: SourceDescription) -> tuple[str, ...]:
    newest = {name.casefold(): moment for name, moment in description.newest_by_service.items()}.get(service.casefold())
    if newest is None or newest >= window.start:
        return ()
    return (f"the newest record of {service!r} seen here is of {format_instant(newest)}, before the window",)


def _shown(duration: timedelta) -> str:
    return format_duration(duration / timedelta(milliseconds=1))
