"""The table of line formats that a server has for itself: databases, proxies, interpreters, the kernel's audit.

Each is tried before the general ones, which would read its time but not its fields.

Sources:
    PostgreSQL ``log_line_prefix`` (default, Debian, RDS), MySQL 5.5 to 8 and MariaDB error and slow query logs, nginx
    ``ngx_log_error``, HAProxy "HTTP log format" and "TCP log format", Ruby's Logger, PHP's ``error_log``, Linux audit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.plain_format import (
    MONTH,
    Match,
    PlainFormat,
    epoch_time,
    month_time,
    numbered_time,
    php_time,
    zoned_time,
)
from groundwire.adapters.logs.reading import Reading, Start
from groundwire.domain.levels import Level, parse_level

_SECOND: Final = r"\d\d:\d\d:\d\d(?:\.\d{1,9})?"
_ZONE: Final = r"(?: (?P<zone>[A-Z][A-Za-z_/+-]{1,40}\d{0,2}))?"
_NGINX_TAIL: Final = re.compile(r", (client|server|request|upstream|host|referrer): (?:\"([^\"]*)\"|([^,\s]+))")
_HAPROXY: Final = re.compile(
    r"(?P<client>\S{1,64}):\d{1,5} \[[^\]]{1,40}\] (?P<frontend>\S{1,100}) (?P<backend>[^/\s]{1,100})/(?P<server>\S{1,100}) "
    r"(?P<timers>[\d+/-]{3,80}) (?:(?P<status>-?\d{1,3}) )?\+?(?P<bytes>\d{1,20}) (?:- - )?(?P<termination>[\w-]{2,4}) "
)
_MYSQL_LEVELS: Final = {
    "Note": Level.INFO,
    "System": Level.INFO,
    "Warning": Level.WARN,
    "ERROR": Level.ERROR,
    "Error": Level.ERROR,
}
_PHP_LEVELS: Final = {"Fatal error": Level.FATAL, "Parse error": Level.ERROR, "Warning": Level.WARN, "Deprecated": Level.WARN}
# What PostgreSQL says about the statement before it is no error of its own.
_ADDED: Final = frozenset({"STATEMENT", "DETAIL", "HINT", "CONTEXT", "QUERY", "LOCATION"})
_ABOUT: Final = _ADDED | {"LOG"}


def read_haproxy(message: str) -> dict[str, Any]:
    """Return the fields of a request that HAProxy logged; none of any other message."""
    match = _HAPROXY.match(message)
    return {} if match is None else {name: value for name, value in match.groupdict().items() if value is not None}


def only_adds(start: Start) -> bool:
    """Return whether a line with a time of its own goes on with the record before it: ``DETAIL:`` and its like in PostgreSQL."""
    return start.format.name == "postgres" and start.payload["level"] in _ADDED


def addition(start: Start, before: Start) -> str | None:
    """Return what a line adds to the record that starts with another, without what it repeats; None where it adds nothing.

    PostgreSQL writes them in a row, so a line of another process is about something else.
    """
    if not only_adds(start) or before.format.name != "postgres":
        return None
    said, about = start.payload, before.payload
    is_same = all(said[name] == about[name] for name in ("pid", "client", "user", "database"))
    return said.string[said.start("level") :] if is_same else None


def _fields(match: Match, *names: str) -> dict[str, Any]:
    return {name: match[name] for name in names if match[name]}


def _behind(match: Match) -> str:
    return match.string[match.end() :]


def _postgres(match: Match) -> Reading:
    level = Level.INFO if match["level"] in _ABOUT else parse_level(match["level"])
    if match["level"].startswith("DEBUG"):
        level = Level.DEBUG
    fields = _fields(match, "pid", "user", "database", "client")
    kind = {"kind": match["level"]} if match["level"] in _ABOUT else {}
    return Reading(level=level, message=_behind(match), fields=fields | kind)


def _mysql(match: Match) -> Reading:
    return Reading(
        level=_MYSQL_LEVELS.get(match["level"]), message=_behind(match), fields=_fields(match, "thread", "code", "module")
    )


def _old_mysql(match: Match) -> Reading:
    return Reading(level=_MYSQL_LEVELS.get(match["level"]), message=_behind(match))


def _mysql_slow(match: Match) -> Reading:
    return Reading(message=match.string)


def _nginx(match: Match) -> Reading:
    message = _behind(match)
    fields = _fields(match, "pid", "tid", "connection")
    fields |= {name: quoted or bare for name, quoted, bare in _NGINX_TAIL.findall(message[-4096:])}
    return Reading(level=parse_level(match["level"]), message=message, fields=fields)


def _haproxy(match: Match) -> Reading:
    return Reading(message=match.string, fields=read_haproxy(match.string))


def _ruby(match: Match) -> Reading:
    program = match["program"].strip() or None
    fields = _fields(match, "pid") | ({"program": program} if program else {})
    return Reading(
        level=parse_level(match["level"]), message=_behind(match), service=program, is_fallback_service=True, fields=fields
    )


def _php(match: Match) -> Reading:
    return Reading(level=_PHP_LEVELS.get(match["level"], Level.NOTICE), message=_behind(match))


def _audit(match: Match) -> Reading:
    return Reading(message=match.string, fields=_fields(match, "type", "serial"))


def _row(
    name: str, pattern: str, time: Callable[[Match, FileClock], datetime | None], rest: Callable[[Match], Reading]
) -> PlainFormat:
    return PlainFormat(name=name, pattern=re.compile(pattern), time=time, rest=rest)


SERVER_FORMATS: Final = (
    _row(
        "postgres",
        rf"(?P<time>\d{{4}}-\d\d-\d\d {_SECOND}){_ZONE}"
        r"(?: \[(?P<pid>\d{1,10})\](?:[: -]*\[?[\d-]{1,12}\]?)? (?:(?P<user>[\w.\[\]-]{1,63})@(?P<database>[\w.\[\]-]{1,63}) )?"
        r"|:(?P<client>[\w.:\[\]-]{0,64}(?:\(\d{1,5}\))?):(?:[\w.\[\]-]{0,63}@[\w.\[\]-]{0,63})?:\[\d{1,10}\]:)"
        r"(?P<level>DEBUG\d?|INFO|NOTICE|WARNING|ERROR|LOG|FATAL|PANIC|STATEMENT|DETAIL|HINT|CONTEXT|QUERY|LOCATION): {1,2}",
        zoned_time,
        _postgres,
    ),
    _row(
        "mysql",
        r"(?P<time>\d{4}-\d\d-\d\d[T ](?:\d\d| \d):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?)(?P<zone>)?"
        r" (?P<thread>\d{1,20}) \[(?P<level>Note|System|Warning|E(?:rror|RROR))\] "
        r"(?:\[(?P<code>MY-\d{1,8})\] \[(?P<module>\w{1,40})\] )?",
        zoned_time,
        _mysql,
    ),
    _row(
        "old_mysql",
        r"(?P<year>\d\d)(?P<month>\d\d)(?P<day>\d\d) (?P<time>[ \d]\d:\d\d:\d\d) \[(?P<level>Note|Warning|ERROR)\] ",
        numbered_time,
        _old_mysql,
    ),
    _row(
        "mysql_slow",
        rf"# Time: (?P<time>\d{{4}}-\d\d-\d\dT{_SECOND}(?:Z|[+-]\d\d:\d\d))(?P<zone>)?",
        zoned_time,
        _mysql_slow,
    ),
    _row(
        "nginx_error",
        r"(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d) \[(?P<level>[a-z]{4,6})\] "
        r"(?P<pid>\d{1,10})#(?P<tid>\d{1,10}): (?:\*(?P<connection>\d{1,20}) )?",
        numbered_time,
        _nginx,
    ),
    _row(
        "haproxy",
        rf"\S{{1,64}}:\d{{1,5}} \[(?P<day>\d\d)/{MONTH}/(?P<year>\d{{4}}):(?P<time>\d\d:\d\d:\d\d\.\d{{3}})\] \S",
        month_time,
        _haproxy,
    ),
    _row(
        "ruby",
        rf"[DIWEFA], \[(?P<time>\d{{4}}-\d\d-\d\dT{_SECOND})(?P<zone>)? ?#(?P<pid>\d{{1,10}})\] +"
        r"(?P<level>DEBUG|INFO|WARN|ERROR|FATAL|ANY) -- (?P<program>[^:]{0,100}): ?",
        zoned_time,
        _ruby,
    ),
    _row(
        "php",
        rf"\[(?P<day>\d\d)-{MONTH}-(?P<year>\d{{4}}) (?P<time>\d\d:\d\d:\d\d){_ZONE}\] "
        r"PHP (?P<level>[A-Z][a-z]{3,11}(?: error)?): {1,2}",
        php_time,
        _php,
    ),
    _row(
        "audit",
        r"(?:node=\S{1,255} )?type=(?P<type>[A-Z_]{1,40}) msg=audit\((?P<time>\d{10}\.\d{3}):(?P<serial>\d{1,20})\):",
        epoch_time,
        _audit,
    ),
)
