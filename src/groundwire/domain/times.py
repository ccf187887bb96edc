"""Instants and durations: read, resolved, printed. Every instant is aware UTC; every window is half-open."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

_DURATION = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?\Z")
_DURATION_UNITS = (timedelta(weeks=1), timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1))
_LONGEST = timedelta(days=3650)


def parse_duration(text: str) -> timedelta:
    """Return the positive duration that ``text`` says, such as ``30m``, ``1h30m`` or ``2d``; at most ten years.

    Raises:
        ValueError: The text is no such duration.
    """
    match = _DURATION.match(text.strip().lower())
    if match is None or not any(match.groups()):
        raise ValueError(f"{text!r} is not a duration; write it like 30m, 1h30m or 2d")
    if any(len(group) > 9 for group in match.groups() if group):
        raise ValueError(f"{text!r} is longer than ten years")
    total = sum((int(group) * unit for group, unit in zip(match.groups(), _DURATION_UNITS, strict=True) if group), timedelta())
    if not timedelta() < total <= _LONGEST:
        raise ValueError(f"{text!r} must be longer than nothing and at most ten years")
    return total


def parse_instant(text: str, *, relative_to: datetime) -> datetime:
    """Return the instant that ``text`` says, in UTC: ISO 8601, epoch seconds, ``now``, or relative such as ``-30m``.

    A time without a zone is read as UTC. A relative time, and ``now``, count from ``relative_to``.

    Raises:
        ValueError: The text is no such time.
    """
    stripped = text.strip()
    if stripped.lower() == "now":
        return relative_to
    try:
        if stripped.startswith("-"):
            return relative_to - parse_duration(stripped[1:])
        if re.fullmatch(r"\d{9,10}(\.\d{1,9})?", stripped):
            return datetime.fromtimestamp(float(stripped), UTC)
        parsed = datetime.fromisoformat(stripped)
        return as_utc(parsed)
    except (ValueError, OverflowError) as exc:
        raise ValueError(
            f"{text!r} is not a time; write ISO 8601 (2026-11-30T10:00:00Z), epoch seconds, now, or a relative time (-30m)"
        ) from exc


def as_utc(moment: datetime) -> datetime:
    """Return ``moment`` in UTC; one without a zone is taken to be UTC already."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def shifted(moment: datetime, by: timedelta) -> datetime:
    """Return ``moment`` moved by ``by``, and no further than the calendar goes: a record may be dated at either end of it."""
    try:
        return moment + by
    except OverflowError:
        if by < timedelta():
            return datetime.min.replace(tzinfo=moment.tzinfo)
        return datetime.max.replace(tzinfo=moment.tzinfo)


def stored_instant(value: Any) -> datetime | None:
    """Return the instant in UTC that a value of a recorded output is, or None where it is no aware instant."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo is UTC else moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def format_instant(moment: datetime) -> str:
    """Return ISO 8601 in UTC with a ``Z``, and with as many fraction digits (0, 3 or 6) as there are."""
    utc = moment.astimezone(UTC)
    if utc.microsecond == 0:
        timespec = "seconds"
    else:
        timespec = "milliseconds" if utc.microsecond % 1000 == 0 else "microseconds"
    return utc.isoformat(timespec=timespec).replace("+00:00", "Z")


def format_duration(duration_ms: float) -> str:
    """Return a duration for a person: ``350 ms``, ``12 s``, ``7 min``, ``2 h 5 min``, ``3 d 4 h``."""
    if duration_ms < 1000:
        return f"{duration_ms:.0f} ms"
    seconds = round(duration_ms / 1000)
    if seconds < 120:
        return f"{seconds} s"
    minutes = seconds // 60
    if minutes < 120:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h" if hours else f"{days} d"
