"""Reads syslog lines behind their time: host, program, process and message.

Sources:
    RFC 3164, section 4.1; RFC 5424, sections 6.2 to 6.4.
"""

from __future__ import annotations

import re
from typing import Final

from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.server_formats import read_haproxy
from groundwire.domain.levels import Level

_BODY: Final = re.compile(
    r"(?P<program>(?: ?-- )?[^\s:\[\]]{1,100}(?: \d[\w.]{0,20})?)(?:\[(?P<pid>\d{1,10})\])?: ?(?P<message>.*)", re.DOTALL
)
_BODY_5424: Final = re.compile(
    r" (?P<host>\S{1,255}) (?P<program>\S{1,48}) (?P<pid>\S{1,128}) (?P<id>\S{1,32}) "
    r"(?:-|(?:\[[^\]]*\])+) ?(?:\ufeff)?(?P<message>.*)",
    re.DOTALL,
)
_LEVELS: Final = (
    Level.FATAL,
    Level.CRITICAL,
    Level.CRITICAL,
    Level.ERROR,
    Level.WARN,
    Level.NOTICE,
    Level.INFO,
    Level.DEBUG,
)


def syslog_level(number: int) -> Level | None:
    """Return the level of a syslog severity from 0 (emergency) to 7 (debug)."""
    return _LEVELS[number] if 0 <= number < len(_LEVELS) else None


def read_syslog(match: re.Match[str]) -> Reading:
    """Return the parts of a line of RFC 3164; ``match`` covers priority, time and host."""
    rest = match.string[match.end() :]
    body = _BODY.match(rest)
    return _reading(match, rest if body is None else body["message"], host=match["host"], body=body)


def read_syslog_5424(match: re.Match[str]) -> Reading:
    """Return the parts of a line of RFC 5424; ``match`` covers priority, version and time."""
    rest = match.string[match.end() :]
    body = _BODY_5424.match(rest)
    host = None if body is None else body["host"]
    return _reading(match, rest.strip() if body is None else body["message"], host=host, body=body)


def _reading(match: re.Match[str], message: str, *, host: str | None, body: re.Match[str] | None) -> Reading:
    reading = read_head(message)
    reading.message = message
    if match["priority"]:
        reading.level = syslog_level(int(match["priority"]) % 8) if reading.level is None else reading.level
    if body is not None and body["program"] != "-":
        program = body["program"].removeprefix(" ").removeprefix("-- ")
        reading.fields["program"] = program
        # sshd(pam_unix) is sshd, with the module that spoke; "syslogd 1.4.1" is syslogd.
        reading.service, reading.is_fallback_service = program.partition("(")[0].partition(" ")[0] or None, True
        if program == "haproxy":
            reading.fields |= read_haproxy(message)
        if body["pid"] not in {None, "-"}:
            reading.fields["pid"] = body["pid"]
    if host not in {None, "-"}:
        reading.instance = host
        reading.fields["host"] = host
    return reading
