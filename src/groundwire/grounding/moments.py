"""Times that a text states: dates, times of day and epoch numbers in the forms that people and programs write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from groundwire.grounding.zones import ZONE, offsets_of

_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH: Final = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY: Final = r"(?i:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_DATE: Final = (
    r"(?:(?P<y1>\d{4})(?P<sep>[-/])(?P<m1>\d{2})(?P=sep)(?P<d1>\d{2})"
    rf"|(?P<d2>\d{{1,2}})/(?P<m2>{_MONTH})/(?P<y2>\d{{4}})"
    rf"|(?P<m3>{_MONTH})\.? {{1,2}}(?P<d3>\d{{1,2}})(?i:st|nd|rd|th)?(?![\d:])(?:,? (?P<y3>\d{{4}})(?![\d:]))?"
    rf"|(?P<d4>\d{{1,2}})(?i:st|nd|rd|th)?(?: of)? (?P<m4>{_MONTH})\b\.?(?:,? (?P<y4>\d{{4}})(?![\d:]))?"
    r"|(?P<d5>\d{1,2})\.(?P<m5>\d{1,2})\.(?P<y5>\d{4}))"
)
_HALF: Final = r"(?:\s?(?P<half>[AaPp]\.?[Mm]\b\.?))"
_CLOCK: Final = (
    rf"(?:(?P<h>\d{{1,2}}):(?P<min>\d{{2}})(?::(?P<s>\d{{2}})(?:[.,](?P<f>\d{{1,9}}))?)?{_HALF}?"
    rf"|(?P<hh>\d{{1,2}})\s?(?P<half2>[AaPp]\.?[Mm]\b\.?)"
    r"|(?P<hhmm>(?:[01]\d|2[0-3])[0-5]\d)(?=Z\b| ?UTC\b))"
    rf"(?:\s?(?:\((?P<zone2>{ZONE})\)|(?P<zone>{ZONE})(?![\w/]))| ?(?:h|hrs|o['’]clock)\b)?"
)
_EPOCH: Final = (
    r"(?P<told>(?i:epoch|unix)(?i:[ -]?(?:time|seconds?|timestamp|ms|millis|s))?[ :=]{1,3}|(?i:timestamp)[ :=]{1,3})?"
    r"(?<![\w.:/-])(?P<epoch>1\d{9}(?:\d{3}){0,3})(?:\.(?P<rest>\d{1,9}))?(?: ?(?:ms|us|µs|ns|s)\b)?(?![\w/-]|[.:]\d)"
)
_FORMS: Final = (
    rf"(?<![\w.:/])(?<![A-Za-z_]-){_WEEKDAY}(?:{_DATE}(?:(?:[T:]|,? (?:at )?)(?=\d))?)?{_CLOCK}(?!\w|[:.]\d)"
    rf"|(?<![\w.:/-]){_WEEKDAY}{_DATE.replace('?P<', '?P<only_').replace('(?P=sep)', '(?P=only_sep)')}(?![\w:/-]|\.\d)"
    rf"|{_EPOCH}"
    r"|(?<=\bat )(?P<word>midnight|noon)\b(?: (?:UTC|GMT))?|(?<=\bsince )(?P<word2>midnight|noon)\b(?: (?:UTC|GMT))?"
)
_MOMENT: Final = re.compile(_FORMS)
# Most texts have no time that begins with a letter, and are read much faster for it.
_BEGINS_WITH_DIGIT: Final = re.compile(rf"(?=\d)(?:{_FORMS})")
_HAS_WORDS: Final = re.compile(
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|midnight|noon|epoch|unix|timestamp", re.IGNORECASE
)
_LOOKS_LIKE_ONE: Final = re.compile(
    r"\d:\d\d|\d[-/.]\d\d?[-/.]\d|\d/[A-Z]|1\d{9}|\d ?[AaPp]\.?[Mm]|\d{4} ?(?:Z|UTC)|[A-Za-z] \d|\d [A-Z]|noon|night"
)
_DAY: Final = timedelta(days=1)
_MOST: Final = 40
_ROUNDING: Final = timedelta(milliseconds=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A time as written, and where it stands.

    ``year``, ``month`` and ``day`` are None where no date is written; ``clock`` is the time of day, None for a date alone. It
    lasts as long as its last written digit says: a minute, a second, a day.
    """

    shown: str
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    clock: timedelta | None = None
    lasts: timedelta = _DAY
    offsets: tuple[timedelta, ...] = (timedelta(),)
    epoch: datetime | None = None
    is_told: bool = True

    def near(self, instant: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the span that is meant, one for each offset that the zone may have: of what the date leaves open the one
        next to ``instant``.
        """
        if self.epoch is not None:
            yield self.epoch, self.epoch + self.lasts
            return
        for offset in self.offsets:
            try:
                local = instant.astimezone(UTC) + offset
                start = min(self._on_days(local), key=lambda found: abs(found + self.lasts / 2 - local))
                yield start - offset, start - offset + self.lasts
            except (OverflowError, ValueError):
                continue

    def fits(self, instant: datetime) -> bool:
        """Return whether this is how ``instant`` is written, to the precision at hand; a second may have been rounded."""
        slack = _ROUNDING if self.lasts == timedelta(seconds=1) else timedelta()
        return any(start - slack <= instant < end for start, end in self.near(instant))

    def is_by(self, instant: datetime) -> bool:
        """Return whether ``instant`` had come when this time was over."""
        return any(instant < end for _, end in self.near(instant))

    def is_before(self, instant: datetime) -> bool:
        """Return whether this time begins before ``instant``."""
        return any(start < instant for start, _ in self.near(instant))

    def is_after(self, instant: datetime) -> bool:
        """Return whether this time begins after ``instant``."""
        return any(start > instant for start, _ in self.near(instant))

    def distance(self, instant: datetime) -> timedelta:
        """Return how far ``instant`` is from this time."""
        return min((max(start - instant, instant - end, timedelta()) for start, end in self.near(instant)), default=timedelta.max)

    def _on_days(self, local: datetime) -> list[datetime]:
        clock = self.clock or timedelta()
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        if self.day is None or self.month is None:
            return [midnight + days * _DAY + clock for days in (-1, 0, 1)]
        if self.year is not None:
            return [midnight.replace(year=self.year, month=self.month, day=self.day) + clock]
        return [midnight.replace(year=local.year + more, month=self.month, day=self.day) + clock for more in (-1, 0, 1)]


@lru_cache(maxsize=64)
def moments_in(text: str) -> tuple[Moment, ...]:
    """Return the times that a text states, in their order and at most forty; what only looks like one is passed over."""
    if _LOOKS_LIKE_ONE.search(text) is None:
        return ()
    pattern = _MOMENT if _HAS_WORDS.search(text) else _BEGINS_WITH_DIGIT
    found: list[Moment] = []
    position = 0
    while len(found) < _MOST and (match := pattern.search(text, position)) is not None:
        moment = _of_epoch(match) if match["epoch"] else _of_match(match)
        position = max(match.end() if moment is None else moment.end, position + 1)
        if moment is not None:
            found.append(moment)
    return tuple(found)


def _of_epoch(match: re.Match[str]) -> Moment | None:
    """Epoch seconds, milliseconds, microseconds or nanoseconds, told apart by their number of digits."""
    digits = match["epoch"]
    seconds = int(digits) / 10 ** (len(digits) - 10)
    instant = datetime.fromtimestamp(int(seconds), UTC) if len(digits) == 10 else datetime.fromtimestamp(seconds, UTC)
    lasts = timedelta(seconds=1) if len(digits) == 10 else timedelta(milliseconds=1)
    if len(digits) > 10:
        instant -= timedelta(microseconds=500)
    start = match.start() if match["told"] else match.start("epoch")
    return Moment(
        shown=match[0].strip(), start=start, end=match.end(), lasts=lasts, epoch=instant, is_told=match["told"] is not None
    )


def _of_match(match: re.Match[str]) -> Moment | None:
    word = match["word"] or match["word2"]
    if word:
        at = timedelta(hours=12 if word == "noon" else 0)
        return Moment(shown=match[0], start=match.start(), end=match.end(), clock=at, lasts=timedelta(minutes=1))
    year, month, day = _date_of(match)
    read = _clock_of(match)
    if read is None or (month is not None and not (1 <= month <= 12 and 1 <= (day or 0) <= 31)):
        return None
    clock, lasts = read
    zone, end = match["zone"] or match["zone2"], match.end()
    if zone and _is_a_range(match, clock):
        zone, end = None, match.start("zone")
    return Moment(
        shown=match.string[match.start() : end].strip(" ,"),
        start=match.start(),
        end=end,
        year=year,
        month=month,
        day=day,
        clock=clock,
        lasts=lasts,
        offsets=offsets_of(zone),
    )


def _is_a_range(match: re.Match[str], clock: timedelta | None) -> bool:
    """Return whether what looks like an offset is the end of a span: "10:02-10:30"."""
    zone = match["zone"]
    if not zone or zone[0] != "-" or ":" not in zone or match["s"] or clock is None:
        return False
    hours, minutes = zone[1:].split(":")
    return timedelta(hours=int(hours), minutes=int(minutes)) > clock


def _date_of(match: re.Match[str]) -> tuple[int | None, int | None, int | None]:
    for prefix in ("", "only_"):
        for form in "12345":
            day, month = match[f"{prefix}d{form}"], match[f"{prefix}m{form}"]
            if day:
                year = match[f"{prefix}y{form}"]
                number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
                return int(year) if year else None, number, int(day)
    return None, None, None


def _clock_of(match: re.Match[str]) -> tuple[timedelta | None, timedelta] | None:
    """Return the time of day and how long it lasts; None where the digits are no time."""
    if match["hhmm"]:
        hour, minute, second, fraction = int(match["hhmm"][:2]), int(match["hhmm"][2:]), 0, ""
    elif match["h"] or match["hh"]:
        hour, minute = int(match["h"] or match["hh"]), int(match["min"] or 0)
        second, fraction = int(match["s"] or 0), match["f"] or ""
    else:
        return None, _DAY
    half = (match["half"] or match["half2"] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    if hour > 23 or minute > 59 or second > 60:
        return None
    clock = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=int(fraction[:6].ljust(6, "0")))
    if fraction:
        return clock, timedelta(microseconds=10 ** (6 - min(len(fraction), 6)))
    return clock, timedelta(seconds=1) if match["s"] else timedelta(minutes=1)
