"""Times of day and dates as people write them, and whether an instant is one of them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

CLOCK: Final = (
    r"(?:(?P<date>\d{4}-\d{2}-\d{2})(?:[T ](?=\d))?)?(?:(?P<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)"
    r"(?:\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})(?!\w))?)?(?<=[\dZC])(?![\w:])"
)
"""A time, with the groups ``date``, ``clock`` and ``zone``, each of which may be missing. Without a zone it is UTC."""


def fits_clock(match: re.Match[str], moment: datetime, *, since: datetime | None = None) -> bool:
    """Return whether the time of a match, to its written precision, is ``moment``, or lies in (``since``, ``moment``]."""
    local = moment.astimezone(UTC) + offset_of(match["zone"])
    if match["date"] and local.strftime("%Y-%m-%d") != match["date"]:
        return False
    if not match["clock"]:
        return True
    clock = padded(match["clock"])
    if local.strftime("%H:%M:%S.%f").startswith(clock):
        return True
    if since is not None:
        start = since.astimezone(UTC) + offset_of(match["zone"])
        if start.strftime("%H:%M:%S.%f")[: len(clock)] <= clock <= local.strftime("%H:%M:%S.%f")[: len(clock)]:
            return start.date() == local.date() and start < local
    # A second that was rounded, not cut.
    return clock.count(":") == 2 and "." not in clock and (local + timedelta(milliseconds=500)).strftime("%H:%M:%S") == clock


def padded(clock: str) -> str:
    """Return a time of day with two digits for the hour."""
    return clock if len(clock.partition(":")[0]) == 2 else f"0{clock}"


def offset_of(zone: str | None) -> timedelta:
    """Return how far a zone is ahead of UTC."""
    if zone is None or zone in ("Z", "UTC"):
        return timedelta()
    sign = -1 if zone[0] == "-" else 1
    digits = zone[1:].replace(":", "")
    return sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]))
