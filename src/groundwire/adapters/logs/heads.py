"""Reads what stands between the time and the message of a plain line: level, thread, logger, process.

Sources:
    The default layouts of Spring Boot 2 and 3 (with Sleuth, too), Logback, Log4j 1 and 2, JBoss and Quarkus, Tomcat, Python's
    logging, loguru, gunicorn, Celery, Airflow, oslo.log, ZooKeeper, Hadoop, Elasticsearch, NLog, Monolog, winston, zap, and
    tracing and env_logger of Rust.
"""

from __future__ import annotations

import re
from typing import Any, Final

from groundwire.adapters.logs.reading import Reading
from groundwire.domain.levels import Level, parse_level

LEVEL_PATTERN: Final = (
    r"(?P<level>TRACE|DEBUG|DBG|INFO|INF|NOTICE|WARN(?:ING)?|WRN|ERR(?:OR)?|CRIT(?:ICAL)?|SEVERE|FATAL|ALERT|EMERG(?:ENCY)?|PANIC"
    r"|FINE(?:ST)?|VERBOSE)"
)
BRACKETS: Final = r"(?:\[[^\]]*\] ?){1,3}"
_DOTTED: Final = r"(?P<logger>[\w$-]+(?:[./][\w$\[\]-]+)+(?:[#@]\d+)?)"
_NESTED: Final = r"\[(?P<thread>[^\]\[]*(?:\[[^\]\[]*\][^\]\[]*)*)\]"


def _shapes(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.DOTALL) for pattern in patterns)


_LEVEL_FIRST: Final = re.compile(r"(?:(?P<pid>\d{1,10}) )?" + LEVEL_PATTERN + r"(?!\w)")
# What may follow the level, by the first character behind the spaces.
_BEHIND_LEVEL: Final = {
    "digit": _shapes(
        # Spring Boot: LEVEL PID --- [application] [thread] [trace] logger : message
        r" +(?P<pid>\d{1,10}) --- (?P<brackets>" + BRACKETS + r") *(?P<logger>\S+) *: (?P<message>.*)",
    ),
    "bracket": _shapes(
        # Spring Boot 2 with Sleuth: LEVEL [application,trace,span] PID --- [thread] logger : message
        r" +\[(?P<application>[^\],]*),(?P<trace>[^\]]*)\] (?P<pid>\d{1,10}) --- "
        r"\[(?P<thread>[^\]]*)\] +(?P<logger>\S+) *: (?P<message>.*)",
        # JBoss and Quarkus: LEVEL [logger] (thread) message
        r" +\[(?P<logger>[\w.$-]+)\] \((?P<thread>[^)]{0,200})\) (?P<message>.*)",
        # ZooKeeper: - LEVEL  [thread:Class@line] - message
        r"\s+\[(?P<thread>[^\s@]*(?: [^\s@]*){0,8}):(?P<logger>[\w$]+@\d+)\] - (?P<message>.*)",
        r"\s+" + _NESTED + r" - (?P<message>.*)",
        # Hadoop and Log4j: LEVEL [thread] logger: message
        r"\s+" + _NESTED + r"\s+(?P<logger>[\w.$/-]+)\s*(?::| --?) (?P<message>.*)",
        # Tomcat: LEVEL [thread] package.Class.method message
        r"\s+" + _NESTED + r"\s+(?P<logger>[a-z]\w*(?:\.[\w$<>]+){2,}) (?P<message>.*)",
    ),
    "other": _shapes(
        # zap on a console: LEVEL, the logger if it has a name, file.go:line, message, by tabs
        r"\t(?:(?P<logger>[\w.-]+)\t)?(?P<caller>[\w./@-]+\.go:\d+)\t(?P<message>.*)",
        # loguru: LEVEL | module:function:line - message
        r" *\| (?P<logger>[\w.<>]+:[\w.<>]+:\d+) - (?P<message>.*)",
        # Celery: LEVEL/Process] message
        r"/(?P<thread>[\w-]+)\] (?P<message>.*)",
        # Rust: LEVEL crate::module] message; LEVEL spans: crate::module: message
        r" (?P<logger>[a-z_]\w*(?:::\w+)*)\] (?P<message>.*)",
        r" (?:(?P<thread>ThreadId\(\d+\)) )?(?:(?P<spans>[\w-]+\{[^}]{0,500}\}(?:[:\w-]*\{[^}]{0,500}\}){0,9}): )?"
        r"(?P<logger>[a-z_]\w*(?:::\w+)+): (?P<message>.*)",
        # LEVEL thread logger message, by tabs
        r"\t(?P<thread>[^\t]+)\t(?P<logger>[\w.$-]+)\t(?P<message>.*)",
        # LEVEL some.logger#line message
        r"\s+(?P<logger>[\w.$\[\]-]+[#@]\d+):? (?P<message>.*)",
        # Spark and HDFS: PID LEVEL some.logger: message; OpenStack: PID LEVEL some.logger [request] message
        r"\s+"
        + _DOTTED
        + r"(?:\s*(?::| -)| \[(?P<request>(?:req-|-)[^\]]{0,300})\]| \[(?P<thread>[^\]]{0,300})\]) (?P<message>.*)",
        # Akka as a Spark executor prints it: LEVEL Remoting: message
        r" (?P<logger>Remoting): (?P<message>.*)",
    ),
}
_MESSAGE_BEHIND_LEVEL: Final = re.compile(r"\s*(?::|\]|\||\s-|(?![\w./=-]))\s*")
_LEVEL_LATER: Final = _shapes(
    # Logback: [thread] LEVEL logger - message, also with tabs
    r"\[(?P<thread>[^\]]*)\]\s+" + LEVEL_PATTERN + r"\s+(?P<logger>\S+)\s+(?:--? |: )(?P<message>.*)",
    # gunicorn: [pid] [LEVEL] message
    r"\[(?P<pid>\d{1,10})\] \[" + LEVEL_PATTERN + r"\] (?P<message>.*)",
    # Elasticsearch: [LEVEL][logger] [node] message
    r"\[" + LEVEL_PATTERN + r" *\] ?\[(?P<logger>[\w.$-]+) *\] \[(?P<node>[^\]]*)\] ?(?P<message>.*)",
    # [level] message, in whatever case
    r"\[\s*(?i:" + LEVEL_PATTERN + r")\s*\]:?\s*(?P<message>.*)",
    # Python: logger - LEVEL - message
    r"(?P<logger>[\w.-]+) - " + LEVEL_PATTERN + r" - (?P<message>.*)",
    # Airflow: {file.py:line} LEVEL - message
    r"\{(?P<logger>[^}\s]{1,200})\} " + LEVEL_PATTERN + r" - (?P<message>.*)",
    # NLog: |LEVEL|logger|message; Python with colons: :LEVEL:logger:message
    r"\|" + LEVEL_PATTERN + r"\|(?P<logger>[^|\s]{1,200})\|(?P<message>.*)",
    r":" + LEVEL_PATTERN + r":(?P<logger>[\w.-]{1,200}):(?P<message>.*)",
    # Monolog: channel.LEVEL: message
    r"(?P<logger>[\w-]{1,100})\." + LEVEL_PATTERN + r": (?P<message>.*)",
    # winston: level: message; Istio: level, scope, message, by tabs
    r"(?P<level>trace|verbose|debug|info|notice|warn(?:ing)?|error|crit(?:ical)?|alert|emerg): (?P<message>.*)",
    r"(?i:" + LEVEL_PATTERN + r")\t(?:(?P<logger>[^\t]{1,80})\t)?(?P<message>.*)",
    # AWS Lambda: request, LEVEL, message, by tabs
    r"(?P<request>[0-9a-f-]{36})\t" + LEVEL_PATTERN + r"\t(?P<message>.*)",
)
_BRACKETED: Final = re.compile(r"[\[(<]\s*(?:[\w.-]{1,60}:)?([A-Za-z]{3,13})\s*[\])>]")
_KEYED: Final = re.compile(r"\b(?:level|lvl|severity)=\"?([A-Za-z]{3,13})")
_BARE: Final = re.compile(rf"(?<![\w./=-]){LEVEL_PATTERN}(?![\w./=-])")
_POSTGRES: Final = re.compile(r"(?:\S+ ){0,6}?(LOG|STATEMENT|DETAIL|HINT): {1,2}")
_SYSLOG_NAME: Final = re.compile(
    r"(?P<host>[\w.:-]{1,255}) (?P<program>[\w./-]{1,100})(?:\[(?P<pid>\d{1,10})\]|(?<=kernel)): ?(?P<message>.*)", re.DOTALL
)
_TRACE: Final = re.compile(r"\s*(?:[0-9a-f]{16,32}-[0-9a-f]{16})?\s*\Z")
_SEPARATOR: Final = re.compile(r"\s*(?:[\]|,:-]{1,2}\s+)?\s*")
GOROUTINE: Final = "goroutine "
PANIC: Final = ("panic: ", "fatal error: ")
_LOOK_FOR_LEVEL: Final = 120


def read_head(rest: str) -> Reading:
    """Return the parts of ``rest``, what stands behind the time of a plain line. What is not recognised stays in the message."""
    separator = _SEPARATOR.match(rest)
    rest = rest[separator.end() :] if separator else rest
    reading = _read_shapes(rest)
    if reading is not None:
        return reading
    named = _SYSLOG_NAME.match(rest)
    if named is None:
        return Reading(level=_level_near_start(rest), message=rest)
    message = named["message"]
    reading = _read_shapes(message) or Reading(level=_level_near_start(message), message=message)
    reading.service, reading.is_fallback_service, reading.instance = named["program"], True, named["host"]
    reading.fields |= {"program": named["program"], "host": named["host"]} | ({"pid": named["pid"]} if named["pid"] else {})
    return reading


def _read_shapes(rest: str) -> Reading | None:
    first = _LEVEL_FIRST.match(rest)
    if first is not None:
        behind = _read_behind_level(first, rest)
        if behind is not None:
            return behind
    for shape in _LEVEL_LATER:
        match = shape.match(rest)
        if match is not None:
            return _from_groups(match, parse_level(match["level"]), {})
    return None


def _read_behind_level(first: re.Match[str], rest: str) -> Reading | None:
    level, at = parse_level(first["level"]), first.end()
    fields = {"pid": first["pid"]} if first["pid"] else {}
    opening = rest[at : at + 40].lstrip()[:1]
    kind = "digit" if opening.isdigit() else "bracket" if opening == "[" else "other"
    for shape in _BEHIND_LEVEL[kind]:
        match = shape.match(rest, at)
        # "ERROR java.sql.SQLException: no connection" names what happened, not who logs.
        if match is not None and not (match.groupdict().get("logger") or "").endswith(("Exception", "Error")):
            return _from_groups(match, level, fields)
    behind = _MESSAGE_BEHIND_LEVEL.match(rest, at)
    return None if behind is None else Reading(level=level, message=rest[behind.end() :], fields=fields)


def _from_groups(match: re.Match[str], level: Level | None, fields: dict[str, Any]) -> Reading:
    groups = match.groupdict()
    service = None
    if "brackets" in groups:
        service = _read_brackets(groups["brackets"], fields)
    service = service or groups.get("application") or None
    for name, value in groups.items():
        if name in {"level", "message", "brackets"}:
            continue
        if value:
            fields[name] = value.strip()
    return Reading(level=level, message=groups["message"], service=service, fields=fields)


def _read_brackets(brackets: str, fields: dict[str, Any]) -> str | None:
    parts = [part.partition("[")[2] for part in brackets.split("]")[:-1]]
    if len(parts) > 1 and _TRACE.match(parts[-1]):
        trace = parts.pop().strip()
        if trace:
            fields["trace"] = trace
    fields["thread"] = parts[-1].strip()
    application = parts[0].strip() if len(parts) > 1 else ""
    if application:
        fields["application"] = application
    return application or None


def _level_near_start(rest: str) -> Level | None:
    start = rest[:_LOOK_FOR_LEVEL]
    for bracketed in _BRACKETED.finditer(start):
        level = parse_level(bracketed[1])
        if level is not None:
            return level
    keyed = _KEYED.search(start)
    if keyed is not None:
        return parse_level(keyed[1])
    bare = _BARE.search(start)
    if bare is not None:
        return parse_level(bare["level"])
    if start.startswith(PANIC):
        return Level.FATAL
    return Level.INFO if _POSTGRES.match(start) else None
