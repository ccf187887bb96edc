"""Turns the times that one file writes into instants: fills in the zone, the year or the day where the line leaves it out."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.domain.times import as_utc, shifted

_ONE_DAY: Final = timedelta(days=1)
_OLDEST_LEAP_DAY: Final = 8
_SECOND_MS_US_NS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (float("inf"), 1e9))


class FileClock:
    """Reads the times of one file, and remembers what had to be assumed.

    A time without an offset is in ``zone``. One without a year is in ``year``; else in the latest year that does not put it
    after ``latest``. One without a day is on ``day``; without that it is no time.
    """

    def __init__(self, *, zone: tzinfo, latest: datetime, year: int | None = None, day: date | None = None) -> None:
        self._zone = zone
        self._latest = latest
        self._year = year
        self.day = day
        self.assumed_zone = False
        self.assumed_year: int | None = None
        self.assumed_day = False
        self.met_dayless = False

    def take_over(self, other: FileClock) -> None:
        """Remember also what another clock of the same file had to assume."""
        self.assumed_zone |= other.assumed_zone
        self.assumed_day |= other.assumed_day
        self.met_dayless |= other.met_dayless
        self.assumed_year = other.assumed_year if self.assumed_year is None else self.assumed_year

    def iso(self, text: str) -> datetime | None:
        """Return the instant of ISO 8601 text, with ``T`` or a space, dot or comma, with or without an offset."""
        try:
            return self.aware(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            return None

    def named(self, text: str, zone: str) -> datetime | None:
        """Return the instant of ISO 8601 text in a zone such as ``Europe/Berlin``; an unknown name is left to :meth:`iso`."""
        try:
            moment = datetime.fromisoformat(text).replace(tzinfo=_zone(zone))
        except (ValueError, OverflowError, ZoneInfoNotFoundError):
            return self.iso(text)
        return as_utc(moment)

    def aware(self, moment: datetime) -> datetime:
        """Return ``moment`` in UTC; OverflowError at the ends of the calendar."""
        if moment.tzinfo is UTC:
            return moment
        if moment.tzinfo is None:
            self.assumed_zone = True
            moment = moment.replace(tzinfo=self._zone)
        return as_utc(moment)

    def full(self, year: int, month: int, day: int, time_of_day: str) -> datetime | None:
        try:
            return self.aware(datetime.combine(date(year, month, day), time.fromisoformat(time_of_day)))
        except (ValueError, OverflowError):
            return None

    def yearless(self, month: int, day: int, time_of_day: str) -> datetime | None:
        if self._year is not None:
            return self.full(self._year, month, day, time_of_day)
        newest = self._latest.year
        # The day after the last is allowed for clocks that differ; 29 February goes back to a leap year.
        for year in range(newest + 1, newest - _OLDEST_LEAP_DAY, -1):
            moment = self.full(year, month, day, time_of_day)
            if moment is not None and moment <= shifted(self._latest, _ONE_DAY):
                self.assumed_year = year
                return moment
        return None

    def dayless(self, time_of_day: str) -> datetime | None:
        self.met_dayless = True
        if self.day is None:
            return None
        try:
            moment = self.aware(datetime.combine(self.day, time.fromisoformat(time_of_day)))
        except (ValueError, OverflowError):
            return None
        self.assumed_day = True
        return moment

    def epoch(self, value: Any) -> datetime | None:
        """Return the instant of a number of seconds, milliseconds, microseconds or nanoseconds, told by its size."""
        try:
            number = float(value)
            if not number > 1e8:
                return None
            divisor = next(divisor for limit, divisor in _SECOND_MS_US_NS if number < limit)
            return datetime.fromtimestamp(number / divisor, UTC)
        except (ValueError, OverflowError, OSError, TypeError, StopIteration):
            return None


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    if "/" not in name:
        raise ZoneInfoNotFoundError(name)  # an abbreviation that means several offsets
    return ZoneInfo(name)


class ClockSkew:
    """Compares the clock inside the lines with that of the runtime which collected them."""

    _MOST = 200

    def __init__(self) -> None:
        self._quarters: dict[int, int] = {}
        self._seen = 0

    @property
    def is_settled(self) -> bool:
        return self._seen >= self._MOST

    def add(self, inner: datetime, outer: datetime) -> None:
        if self.is_settled:
            return
        self._seen += 1
        quarters = round((inner - outer).total_seconds() / 900)
        # A time without a day may seem to lie on the day before or after.
        quarters = (quarters + 48) % 96 - 48
        self._quarters[quarters] = self._quarters.get(quarters, 0) + 1

    @property
    def hours(self) -> float | None:
        """Return the hours that the inner clock is ahead, where they are the same all the way and not none."""
        if self._seen < 3 or len(self._quarters) != 1:
            return None
        quarters = next(iter(self._quarters))
        return quarters / 4 or None
