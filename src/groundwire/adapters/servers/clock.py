"""How far a server's clock is from ours, by the ``Date`` of its answer."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from groundwire.domain.times import format_duration

_TOLERATED: Final = timedelta(minutes=1)


def clock_difference(date: str, now: datetime) -> timedelta | None:
    """Return by how much the server's clock is ahead of ours; None without a date that can be read. It is whole seconds."""
    try:
        said = parsedate_to_datetime(date)
    except (TypeError, ValueError):
        return None
    return None if said.utcoffset() is None else said - now.replace(microsecond=0)


def clock_doubt(date: str, now: datetime) -> str | None:
    """Return that the server's clock differs from ours by more than a minute, in words."""
    difference = clock_difference(date, now)
    if difference is None or abs(difference) <= _TOLERATED:
        return None
    way = "ahead of" if difference > timedelta() else "behind"
    length = format_duration(round(abs(difference).total_seconds()) * 1000)
    return f"its clock is {length} {way} the one here, so its times may be wrong by that"
