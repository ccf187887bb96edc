"""One plain line format: an anchored pattern, how its time is read, and how the rest is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.reading import Reading, Start
from groundwire.domain.levels import Level, parse_level

DAY_TIME: Final = r"\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
MONTHS: Final = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), start=1)}
MONTH: Final = rf"(?P<month>{'|'.join(MONTHS)})"
# Only those that mean one offset all over the world: CST, IST and BST do not.
ZONES: Final = {
    "UTC": "Z",
    "GMT": "Z",
    "WET": "Z",
    "WEST": "+01:00",
    "CET": "+01:00",
    "CEST": "+02:00",
    "EET": "+02:00",
    "EEST": "+03:00",
    "MSK": "+03:00",
    "JST": "+09:00",
    "EST": "-05:00",
    "EDT": "-04:00",
    "CDT": "-05:00",
    "MST": "-07:00",
    "MDT": "-06:00",
    "PST": "-08:00",
    "PDT": "-07:00",
}

ACCESS_TIME: Final = rf"\[(?P<day>\d\d)/{MONTH}/(?P<year>\d{{4}}):(?P<time>\d\d:\d\d:\d\d) (?P<offset>[+-]\d{{4}})\]"
_PARTS: Final = frozenset("time year month day offset zone half level message".split())

Match = re.Match[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainFormat:
    """A line format given by an anchored pattern, how its time is read, and how the rest is."""

    name: str
    pattern: re.Pattern[str]
    time: Callable[[Match, FileClock], datetime | None]
    rest: Callable[[Match], Reading]
    names_services: bool = False
    is_strong: bool = True

    def start(self, line: str, clock: FileClock) -> Start | None:
        match = self.pattern.match(line)
        return None if match is None else Start(self.time(match, clock), self, match)

    def read(self, payload: Match) -> Reading:
        return self.rest(payload)


def sampled_format(
    name: str,
    pattern: str,
    time: Callable[[Match, FileClock], datetime | None],
    *,
    levels: Mapping[str, Level] | None = None,
    keeps_line: bool = False,
) -> PlainFormat:
    """Return a format that is believed only where a file's sample has it: the lines of other files are not held against it.

    ``levels`` are spellings of its own. Any other group than those of time, level and message is a field; ``program`` is the
    service, too, and ``host`` the instance. The message is the group, else what stands behind the pattern, or the whole line.
    """

    def read(match: Match) -> Reading:
        groups = match.groupdict()
        level, program = groups.get("level"), groups.get("program")
        message = groups.get("message")
        return Reading(
            level=None if level is None else (levels or {}).get(level) or parse_level(level),
            message=match.string if keeps_line else match.string[match.end() :] if message is None else message,
            service=program,
            is_fallback_service=program is not None,
            instance=groups.get("host"),
            fields={key: value for key, value in groups.items() if key not in _PARTS and value not in {None, "", "-"}},
        )

    return PlainFormat(name=name, pattern=re.compile(pattern), time=time, rest=read, is_strong=False)


def iso_time(match: Match, clock: FileClock) -> datetime | None:
    """Read ISO 8601, with ``UTC``, ``GMT`` or an offset behind it."""
    text = match["time"]
    if match["utc"]:
        text += "Z"
    elif match["offset"]:
        text += match["offset"].strip()
    return clock.iso(text)


def _offset(match: Match) -> str:
    text = (match["offset"] or "").strip() if "offset" in match.re.groupindex else ""
    return ZONES.get(text, text if text[:1] in {"+", "-", "Z"} else "")


def month_time(match: Match, clock: FileClock) -> datetime | None:
    """Read day, month by name, year, with an offset behind them, or none."""
    return clock.full(int(match["year"]), MONTHS[match["month"]], int(match["day"]), match["time"] + _offset(match))


def numbered_time(match: Match, clock: FileClock) -> datetime | None:
    """Read year, month, day; a year of two digits is of this century."""
    year = int(match["year"])
    time_of_day = match["time"].replace(" ", "0") + _offset(match)
    return clock.full(year if year > 99 else 2000 + year, int(match["month"]), int(match["day"]), time_of_day)


def bare_iso_time(match: Match, clock: FileClock) -> datetime | None:
    """Read ISO 8601 with what offset it has in itself; an hour of one digit may stand behind two spaces."""
    return clock.iso(match["time"].replace("  ", " 0"))


def yearless_time(match: Match, clock: FileClock) -> datetime | None:
    """Read month and day in digits, no year."""
    return clock.yearless(int(match["month"]), int(match["day"]), match["time"])


def hdfs_time(match: Match, clock: FileClock) -> datetime | None:
    """Read ``HHMMSS``."""
    hour_minute_second = match["time"]
    time_of_day = f"{hour_minute_second[:2]}:{hour_minute_second[2:4]}:{hour_minute_second[4:]}"
    return clock.full(2000 + int(match["year"]), int(match["month"]), int(match["day"]), time_of_day)


def syslog_time(match: Match, clock: FileClock) -> datetime | None:
    """Read month by name and day, no year."""
    return clock.yearless(MONTHS[match["month"]], int(match["day"]), match["time"])


def klog_time(match: Match, clock: FileClock) -> datetime | None:
    """Read month and day in digits, mostly no year."""
    month, day = int(match["month"]), int(match["day"])
    if match["year"]:
        return clock.full(int(match["year"]), month, day, match["time"])
    return clock.yearless(month, day, match["time"])


def epoch_time(match: Match, clock: FileClock) -> datetime | None:
    """Read seconds or less since 1970."""
    return clock.epoch(match["time"])


def zoned_time(match: Match, clock: FileClock) -> datetime | None:
    """Read ISO 8601 with a zone by name behind it, or none."""
    return _in_zone(match["time"].replace("  ", " 0").replace(", ", " "), match["zone"], clock)


def _in_zone(text: str, zone: str | None, clock: FileClock) -> datetime | None:
    if zone is None:
        return clock.iso(text)
    return clock.iso(text + ZONES[zone]) if zone in ZONES else clock.named(text, zone)


def half_day_time(match: Match, clock: FileClock) -> datetime | None:
    """Read hours up to 12 with AM or PM."""
    hour, _, rest = match["time"].partition(":")
    hours = int(hour) % 12 + (12 if match["half"] == "PM" else 0)
    month = MONTHS[match["month"]] if match["month"] in MONTHS else int(match["month"])
    return clock.full(int(match["year"]), month, int(match["day"]), f"{hours:02}:{rest}{_offset(match)}")


def php_time(match: Match, clock: FileClock) -> datetime | None:
    """Read day, month by name, year, and a zone by name."""
    return _in_zone(f"{match['year']}-{MONTHS[match['month']]:02}-{match['day']} {match['time']}", match["zone"], clock)


def access_time(match: Match, clock: FileClock) -> datetime | None:
    """Read day, month by name, year, offset."""
    year, month, day = int(match["year"]), MONTHS[match["month"]], int(match["day"])
    return clock.iso(f"{year:04}-{month:02}-{day:02}T{match['time']}{match['offset']}")


def dayless_time(match: Match, clock: FileClock) -> datetime | None:
    """Read a time of day alone."""
    return clock.dayless(match["time"])


def no_time(match: Match, clock: FileClock) -> datetime | None:
    """Read no time."""
    return None
