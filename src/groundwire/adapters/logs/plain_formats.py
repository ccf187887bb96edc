"""The table of plain line formats: how a line that starts with a time, or a level, is written.

Every pattern is anchored and takes time linear in the line.

Sources:
    RFC 3164 and 5424 (syslog), Apache HTTP Server "Log Files", Kubernetes klog, Redis ``serverLogRaw``, Tomcat JULI,
    Hadoop, Spark and HDFS Log4j layouts, oslo.log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.reading import Reading, Start
from groundwire.adapters.logs.syslog import read_syslog, read_syslog_5424
from groundwire.domain.levels import Level, parse_level

_DAY_TIME: Final = r"\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
_ISO: Final = (
    rf"(?P<time>\d{{4}}-\d\d-\d\d[T ]{_DAY_TIME}(?:Z|[+-]\d\d(?::?\d\d)?(?![\w:]))?)"
    r"(?:(?P<utc> ?(?:UTC|GMT)\b)|(?P<offset> [+-]\d{4}\b))?"
)
_MONTHS: Final = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), start=1)}
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})"
_UPPER_LEVEL: Final = r"(?P<lead>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|SEVERE|FATAL)"
_APACHE_BODY: Final = re.compile(
    r" ?\[(?:(?P<module>[\w.-]{0,40}):)?(?P<level>[a-z]{3,8}\d?)\]"
    r"(?: \[pid (?P<pid>\d{1,10})(?::tid (?P<tid>\d{1,20}))?\])? ?(?P<message>.*)",
    re.DOTALL,
)
_ONE_LETTER: Final = {"I": Level.INFO, "W": Level.WARN, "E": Level.ERROR, "F": Level.FATAL, "D": Level.DEBUG}
_REDIS_LEVELS: Final = {".": Level.DEBUG, "-": Level.DEBUG, "*": Level.NOTICE, "#": Level.WARN}

_Match = re.Match[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainFormat:
    """A line format given by an anchored pattern, how its time is read, and how the rest is."""

    name: str
    pattern: re.Pattern[str]
    time: Callable[[_Match, FileClock], datetime | None]
    rest: Callable[[_Match], Reading]
    names_services: bool = False
    is_strong: bool = True

    def start(self, line: str, clock: FileClock) -> Start | None:
        match = self.pattern.match(line)
        return None if match is None else Start(self.time(match, clock), self, match)

    def read(self, payload: _Match) -> Reading:
        return self.rest(payload)


def _iso_time(match: _Match, clock: FileClock) -> datetime | None:
    text = match["time"]
    if match["utc"]:
        text += "Z"
    elif match["offset"]:
        text += match["offset"].strip()
    return clock.iso(text)


def _month_time(match: _Match, clock: FileClock) -> datetime | None:
    return clock.full(int(match["year"]), _MONTHS[match["month"]], int(match["day"]), match["time"])


def _numbered_time(match: _Match, clock: FileClock) -> datetime | None:
    year = int(match["year"])
    return clock.full(year if year > 99 else 2000 + year, int(match["month"]), int(match["day"]), match["time"])


def _hdfs_time(match: _Match, clock: FileClock) -> datetime | None:
    hour_minute_second = match["time"]
    time_of_day = f"{hour_minute_second[:2]}:{hour_minute_second[2:4]}:{hour_minute_second[4:]}"
    return clock.full(2000 + int(match["year"]), int(match["month"]), int(match["day"]), time_of_day)


def _syslog_time(match: _Match, clock: FileClock) -> datetime | None:
    return clock.yearless(_MONTHS[match["month"]], int(match["day"]), match["time"])


def _klog_time(match: _Match, clock: FileClock) -> datetime | None:
    return clock.yearless(int(match["month"]), int(match["day"]), match["time"])


def _access_time(match: _Match, clock: FileClock) -> datetime | None:
    year, month, day = int(match["year"]), _MONTHS[match["month"]], int(match["day"])
    return clock.iso(f"{year:04}-{month:02}-{day:02}T{match['time']}{match['offset']}")


def _dayless_time(match: _Match, clock: FileClock) -> datetime | None:
    return clock.dayless(match["time"])


def _no_time(match: _Match, clock: FileClock) -> datetime | None:
    return None


def _rest(match: _Match) -> Reading:
    return read_head(match.string[match.end() :])


def _rest_with_lead(match: _Match) -> Reading:
    reading = read_head(match.string[match.end() :])
    reading.level = parse_level(match["lead"])
    return reading


def _with_one_letter(match: _Match) -> Reading:
    return Reading(
        level=_ONE_LETTER[match["letter"]],
        message=match.string[match.end() :],
        fields={"pid": match["pid"], "logger": match["logger"]},
    )


def _redis(match: _Match) -> Reading:
    return Reading(level=_REDIS_LEVELS[match["sign"]], message=match.string[match.end() :], fields={"pid": match["pid"]})


def _apache(match: _Match) -> Reading:
    rest = match.string[match.end() :]
    body = _APACHE_BODY.match(rest)
    if body is None:
        return read_head(rest)
    fields = {name: body[name] for name in ("module", "pid", "tid") if body[name]}
    return Reading(level=parse_level(body["level"].rstrip("0123456789")), message=body["message"], fields=dict(fields))


def _access(match: _Match) -> Reading:
    fields = {name: match[name] for name in ("client", "user", "method", "path", "status") if match[name] not in {None, "-"}}
    return Reading(message=match["message"], fields=dict(fields))


def _format(
    name: str,
    pattern: str,
    time: Callable[[_Match, FileClock], datetime | None],
    rest: Callable[[_Match], Reading] = _rest,
    *,
    is_strong: bool = True,
) -> PlainFormat:
    return PlainFormat(name=name, pattern=re.compile(pattern), time=time, rest=rest, is_strong=is_strong)


PLAIN_FORMATS: Final = (
    _format("iso", r"[\[(<\"]?" + _ISO + r"[\])>\"]?", _iso_time),
    _format("level_iso", rf" ?\[?{_UPPER_LEVEL}[\s:|\]-]{{1,8}}[\[(]?" + _ISO + r"[\])]?", _iso_time, rest=_rest_with_lead),
    _format(
        "slashed",
        rf"\[?(?P<year>\d{{4}}|\d\d)/(?P<month>\d\d)/(?P<day>\d\d)[ -](?P<time>{_DAY_TIME})\]?(?=[\s|,:]|\Z)",
        _numbered_time,
    ),
    _format("hdfs", r"(?P<year>\d\d)(?P<month>\d\d)(?P<day>\d\d) (?P<time>\d{6}) (?=\d{1,10} [A-Z])", _hdfs_time),
    _format(
        "syslog",
        rf"(?:<(?P<priority>\d{{1,3}})>)?{_MONTH} (?P<day>[ \d]\d|\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{{1,9}})?) "
        r"(?P<host>\S{1,255}) ",
        _syslog_time,
        rest=read_syslog,
    ),
    _format("syslog_5424", r"<(?P<priority>\d{1,3})>1 " + _ISO, _iso_time, rest=read_syslog_5424),
    _format(
        "apache_error",
        rf"\[[A-Z][a-z]{{2}} {_MONTH} (?P<day>[ \d]\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{{1,9}})?) (?P<year>\d{{4}})\]",
        _month_time,
        rest=_apache,
    ),
    _format(
        "access",
        rf"(?P<client>[\w.:-]{{1,255}}) \S{{1,100}} (?P<user>\S{{1,200}}) "
        rf"\[(?P<day>\d\d)/{_MONTH}/(?P<year>\d{{4}}):(?P<time>\d\d:\d\d:\d\d) (?P<offset>[+-]\d{{4}})\] "
        r"(?P<message>\"(?:(?P<method>[A-Z]{1,20}) (?P<path>[^\s\"]*))?[^\"]*\" (?P<status>\d{3}).*)",
        _access_time,
        rest=_access,
    ),
    _format(
        "klog",
        r"(?P<letter>[IWEFD])(?P<month>\d\d)(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d\.\d{1,9}) +(?P<pid>\d{1,10}) "
        r"(?P<logger>[^\s\]]{1,200}:\d{1,6})\] ?",
        _klog_time,
        rest=_with_one_letter,
    ),
    _format(
        "day_month_year",
        rf"\[?(?P<day>\d\d)[-/ ]{_MONTH}[-/ ](?P<year>\d{{4}})[ :T](?P<time>\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?)\]?",
        _month_time,
    ),
    _format(
        "redis",
        rf"(?P<pid>\d{{1,10}}):[A-Z] (?P<day>\d\d) {_MONTH} (?P<year>\d{{4}}) (?P<time>\d\d:\d\d:\d\d\.\d{{3}}) "
        r"(?P<sign>[.*#-]) ",
        _month_time,
        rest=_redis,
    ),
    _format("time_of_day", r"\[?(?P<time>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(?:\]|(?=[\s|]))", _dayless_time, is_strong=False),
    _format("level", rf"\[?{_UPPER_LEVEL}(?:\]|:|(?=\s))", _no_time, rest=_rest_with_lead, is_strong=False),
)
"""Tried in this order where a file's sample does not say which is the likeliest."""
