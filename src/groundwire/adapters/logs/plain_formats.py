"""The table of plain line formats: how a line that starts with a time, or a level, is written.

Every pattern is anchored and takes time linear in the line.

Sources:
    RFC 3164 and 5424 (syslog), Apache HTTP Server "Log Files", Kubernetes klog, Redis ``serverLogRaw``, Tomcat JULI,
    Hadoop, Spark and HDFS Log4j layouts, oslo.log.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from groundwire.adapters.logs.access_formats import ACCESS_FORMATS
from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.host_formats import HOST_FORMATS
from groundwire.adapters.logs.plain_format import (
    DAY_TIME,
    MONTH,
    Match,
    PlainFormat,
    access_time,
    dayless_time,
    epoch_time,
    half_day_time,
    hdfs_time,
    iso_time,
    klog_time,
    month_time,
    no_time,
    numbered_time,
    syslog_time,
)
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.server_formats import SERVER_FORMATS
from groundwire.adapters.logs.store_formats import STORE_FORMATS
from groundwire.adapters.logs.syslog import read_syslog, read_syslog_5424
from groundwire.domain.levels import Level, parse_level

ISO_TIME: Final = rf"\d{{4}}-\d\d-\d\d[T ]{DAY_TIME}(?:Z|[+-]\d\d(?::?\d\d)?(?![\w:]))?"
ISO_ZONE: Final = r"(?:(?P<utc> ?(?:UTC|GMT)\b)|(?P<offset> [+-]\d\d:?\d\d\b))"
_ISO: Final = rf"(?P<time>{ISO_TIME}){ISO_ZONE}?"
_OFFSET: Final = r"(?P<offset> ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)(?![\w:]))?+"
_UPPER_LEVEL: Final = r"(?P<lead>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|SEVERE|FATAL)"
_APACHE_BODY: Final = re.compile(
    r" ?\[(?:(?P<module>[\w.-]{0,40}):)?(?P<level>[a-z]{3,8}\d?)\]"
    r"(?: \[pid (?P<pid>\d{1,10})(?::tid (?P<tid>\d{1,20}))?\])? ?(?P<message>.*)",
    re.DOTALL,
)
_ONE_LETTER: Final = {"I": Level.INFO, "W": Level.WARN, "E": Level.ERROR, "F": Level.FATAL, "D": Level.DEBUG}
_REDIS_LEVELS: Final = {".": Level.DEBUG, "-": Level.DEBUG, "*": Level.NOTICE, "#": Level.WARN}


def _rest(match: Match) -> Reading:
    return read_head(match.string[match.end() :])


def _rest_with_lead(match: Match) -> Reading:
    reading = read_head(match.string[match.end() :])
    reading.level = parse_level(match["lead"])
    return reading


def _with_one_letter(match: Match) -> Reading:
    return Reading(
        level=_ONE_LETTER[match["letter"]],
        message=match.string[match.end() :],
        fields={"pid": match["pid"], "logger": match["logger"]},
    )


def _redis(match: Match) -> Reading:
    return Reading(level=_REDIS_LEVELS[match["sign"]], message=match.string[match.end() :], fields={"pid": match["pid"]})


def _apache(match: Match) -> Reading:
    rest = match.string[match.end() :]
    body = _APACHE_BODY.match(rest)
    if body is None:
        return read_head(rest)
    fields = {name: body[name] for name in ("module", "pid", "tid") if body[name]}
    return Reading(level=parse_level(body["level"].rstrip("0123456789")), message=body["message"], fields=dict(fields))


def _access(match: Match) -> Reading:
    fields = {
        name: match[name] for name in ("site", "client", "user", "method", "path", "status") if match[name] not in {None, "-"}
    }
    return Reading(message=match["message"], fields=dict(fields))


def _format(
    name: str,
    pattern: str,
    time: Callable[[Match, FileClock], datetime | None],
    rest: Callable[[Match], Reading] = _rest,
    *,
    is_strong: bool = True,
) -> PlainFormat:
    return PlainFormat(name=name, pattern=re.compile(pattern), time=time, rest=rest, is_strong=is_strong)


RARE_FORMATS: Final = (*ACCESS_FORMATS, *HOST_FORMATS, *STORE_FORMATS)
"""Those of a few programs each: a sample that does not start with one of them is not looked through for it."""

PLAIN_FORMATS: Final = (
    *RARE_FORMATS,
    *SERVER_FORMATS,
    _format("iso", r"[\[(<\"]?" + _ISO + r"[\])>\"]?", iso_time),
    _format("level_iso", rf" ?\[?{_UPPER_LEVEL}[\s:|\]-]{{1,8}}[\[(]?" + _ISO + r"[\])]?", iso_time, rest=_rest_with_lead),
    _format(
        "slashed",
        rf"\[?(?P<year>\d{{4}}|\d\d)/(?P<month>\d\d)/(?P<day>\d\d)[ -](?P<time>{DAY_TIME}){_OFFSET}\]?(?=[\s|,:]|\Z)",
        numbered_time,
    ),
    _format("hdfs", r"(?P<year>\d\d)(?P<month>\d\d)(?P<day>\d\d) (?P<time>\d{6}) (?=\d{1,10} [A-Z])", hdfs_time),
    _format(
        "syslog",
        rf"(?:<(?P<priority>\d{{1,3}})>)?{MONTH} (?P<day>[ \d]\d|\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{{1,9}})?) "
        r"(?P<host>\S{1,255}) ",
        syslog_time,
        rest=read_syslog,
    ),
    _format("syslog_5424", r"<(?P<priority>\d{1,3})>1 " + _ISO, iso_time, rest=read_syslog_5424),
    _format(
        "apache_error",
        rf"\[[A-Z][a-z]{{2}} {MONTH} (?P<day>[ \d]\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{{1,9}})?) (?P<year>\d{{4}})\]",
        month_time,
        rest=_apache,
    ),
    _format(
        "access",
        rf"(?:(?P<site>[\w.:-]{{1,255}}) )?(?P<client>[\w.:-]{{1,255}}) \S{{1,100}} (?P<user>\S{{1,200}}) "
        rf"\[(?P<day>\d\d)/{MONTH}/(?P<year>\d{{4}}):(?P<time>\d\d:\d\d:\d\d) (?P<offset>[+-]\d{{4}})\] "
        r"(?P<message>\"(?:(?P<method>[A-Z]{1,20}) (?P<path>[^\s\"]*+))?+[^\"]*+\" (?P<status>\d{3}).*)",
        access_time,
        rest=_access,
    ),
    _format(
        "klog",
        r"(?P<letter>[IWEFD])(?P<year>\d{4})?(?P<month>\d\d)(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d\.\d{1,9}) +(?P<pid>\d{1,10}) "
        r"(?P<logger>[^\s\]]{1,200}:\d{1,6})\] ?",
        klog_time,
        rest=_with_one_letter,
    ),
    _format(
        "day_month_year",
        rf"\[?(?P<day>\d\d)[-/ ]{MONTH}[-/ ](?P<year>\d{{4}})[ :T](?P<time>\d\d:\d\d:\d\d(?:[.,]\d{{1,9}})?)"
        rf"{_OFFSET}\]?",
        month_time,
    ),
    _format(
        "redis",
        rf"(?P<pid>\d{{1,10}}):[A-Z] (?P<day>\d\d) {MONTH} (?P<year>\d{{4}}) (?P<time>\d\d:\d\d:\d\d\.\d{{3}}) "
        r"(?P<sign>[.*#-]) ",
        month_time,
        rest=_redis,
    ),
    _format(
        "half_day",
        r"(?:(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}),?) "
        r"(?P<time>\d{1,2}:\d\d:\d\d(?:\.\d{1,9})?) (?P<half>[AP]M)\b" + _OFFSET,
        half_day_time,
    ),
    _format(
        "juli",
        rf"{MONTH} (?P<day>\d{{1,2}}), (?P<year>\d{{4}}),? (?P<time>\d{{1,2}}:\d\d:\d\d(?:\.\d{{1,9}})?) (?P<half>[AP]M)\b"
        + _OFFSET,
        half_day_time,
    ),
    _format(
        "dotted",
        r"(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d{4}),? " rf"(?P<time>{DAY_TIME}){_OFFSET}(?=[\s|,:])",
        numbered_time,
    ),
    _format(
        "weekday",
        rf"[A-Z][a-z]{{2}} {MONTH} (?P<day>[ \d]\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{{1,9}})?)"
        rf"(?: (?P<offset>[+-]\d\d:?\d\d|[A-Z]{{3,4}}))? (?P<year>\d{{4}})(?=[\s:])",
        month_time,
    ),
    _format("epoch", r"(?P<time>1\d{9}(?:\.\d{1,9}|\d{3})?)(?=\s)", epoch_time, is_strong=False),
    _format("time_of_day", r"\[?(?P<time>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(?:\]|(?=[\s|]))", dayless_time, is_strong=False),
    _format("level", rf"\[?{_UPPER_LEVEL}(?:\]|:|(?=\s))", no_time, rest=_rest_with_lead, is_strong=False),
)
"""Tried in this order where a file's sample does not say which is the likeliest."""
