"""Reads one entry of the systemd journal, as ``journalctl -o json`` prints it.

Source:
    systemd 252, journalctl(1) under "json" (a value that is no UTF-8 is a list of bytes, a field that is there twice a list of
    values, one that is too long null), systemd.journal-fields(7).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import orjson

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.line_reader import LineReader, looks_inside
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.structured import JsonFormat, LogfmtFormat
from groundwire.adapters.logs.syslog import syslog_level
from groundwire.domain.levels import Level

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ("UNIT", "USER_UNIT", "OBJECT_SYSTEMD_UNIT", "COREDUMP_UNIT", "_SYSTEMD_UNIT", "_SYSTEMD_USER_UNIT")
"""The first that names a service is whose entry it is: what systemd says about a unit is that unit's."""

NAMING_FIELDS: Final = (*_UNITS, "CONTAINER_NAME", "SYSLOG_IDENTIFIER", "_COMM", "_HOSTNAME")
"""The fields that a service or an instance can be named by."""

_SAID_ELSEWHERE: Final = frozenset(
    "MESSAGE PRIORITY SYSLOG_RAW SYSLOG_TIMESTAMP _SOURCE_REALTIME_TIMESTAMP _SOURCE_MONOTONIC_TIMESTAMP "
    "_SOURCE_BOOTTIME_TIMESTAMP _STREAM_ID _MACHINE_ID _CAP_EFFECTIVE _SELINUX_CONTEXT _RUNTIME_SCOPE "
    "_SYSTEMD_INVOCATION_ID _SYSTEMD_SLICE _SYSTEMD_CGROUP _AUDIT_SESSION _AUDIT_LOGINUID".split()
)
_STREAM: Final = ("_BOOT_ID", "_HOSTNAME", "_STREAM_ID", "CONTAINER_ID", "_SYSTEMD_UNIT", "_PID")
_TEMPLATE: Final = re.compile(r"(?P<name>[^@]+)@(?P<instance>.+)")
_SEQUENCE: Final = re.compile(r"(?:^|;)i=([0-9a-f]{1,16})(?:;|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One entry. ``names`` are all that it goes by, in lower case; ``sequence`` is its number in its journal file.

    ``text`` is what was written, and ``stream`` whose standard output that was a line of; None: it was no such line.
    """

    at: datetime
    boot: str | None
    names: frozenset[str]
    reading: Reading
    sequence: int
    text: str
    stream: Hashable | None

    @property
    def place(self) -> str:
        return self.reading.service or "journal"


class EntryReader:
    """Reads the entries of one search. What a program wrote to its standard output is read as a line of a log file is."""

    def __init__(self) -> None:
        self._clock = FileClock(zone=UTC, latest=datetime.max.replace(tzinfo=UTC))
        self._lines = LineReader((JsonFormat(), LogfmtFormat()), is_headless=True)

    def read(self, line: bytes) -> JournalEntry | None:
        """Return the entry that a line holds, or None when it is none."""
        try:
            said = orjson.loads(line)
            at = _EPOCH + timedelta(microseconds=int(said["__REALTIME_TIMESTAMP"]))
        except (ValueError, TypeError, LookupError, OverflowError):
            return None
        fields = {name: _text(value) for name, value in said.items()}
        owner = _owner(fields)
        reading = self._message(fields, at)
        reading.service = owner.service
        reading.instance = owner.instance or fields.get("_HOSTNAME")
        reading.fields |= {_shown_name(name): value for name, value in fields.items() if not _is_left_out(name)}
        sequence = _SEQUENCE.search(fields.get("__CURSOR", ""))
        return JournalEntry(
            at=at,
            boot=fields.get("_BOOT_ID"),
            names=frozenset(name.casefold() for name in owner.names),
            reading=reading,
            sequence=0 if sequence is None else int(sequence[1], 16),
            text=fields.get("MESSAGE", ""),
            stream=tuple(map(fields.get, _STREAM)) if _is_output(fields) else None,
        )

    def _message(self, fields: Mapping[str, str], at: datetime) -> Reading:
        text = fields.get("MESSAGE", "")
        reading = Reading(message=text)
        # Programs say a priority to the journal itself and to syslog; of standard output it is the stream's, the same for all.
        if _is_output(fields):
            reading = self._line(text, at)
        if reading.level is None:
            reading.level = _level(fields.get("PRIORITY"))
        return reading

    def _line(self, text: str, at: datetime) -> Reading:
        first, newline, rest = text.partition("\n")
        if looks_inside(first):
            return Reading(message=text)
        self._clock.day = at.date()
        start = self._lines.start(first, self._clock)
        if start is None:
            return Reading(message=text, level=read_head(first).level)
        reading = start.format.read(start.payload)
        reading.message += newline + rest
        if start.time is not None and abs(start.time - at) > timedelta(seconds=2):
            reading.fields["app_time"] = start.time.isoformat()
        return reading


def _is_output(fields: Mapping[str, str]) -> bool:
    return fields.get("_TRANSPORT") == "stdout" or "CONTAINER_ID" in fields


def name_of(value: str) -> str:
    """Return what people call a unit: ``nginx`` for ``nginx.service``, ``getty`` for ``getty@tty1.service``."""
    unit = value.removesuffix(".service")
    template = _TEMPLATE.fullmatch(unit) if unit != value else None
    return unit if template is None else template["name"]


def names_of(value: str) -> tuple[str, ...]:
    """Return every name that somebody may ask for who means the value of one of the naming fields."""
    return tuple({value, value.removesuffix(".service"), name_of(value)})


class _Owner(NamedTuple):
    """Whose an entry is: its service, the instance where the service has several, and every name that it goes by."""

    service: str | None
    instance: str | None
    names: tuple[str, ...]


def _owner(fields: Mapping[str, str]) -> _Owner:
    beside = tuple(fields[key] for key in ("SYSLOG_IDENTIFIER", "_COMM", "_HOSTNAME") if fields.get(key))
    if fields.get("CONTAINER_NAME"):
        # Its unit is that of the container runtime, whose own entries name no container.
        return _Owner(fields["CONTAINER_NAME"], None, (fields["CONTAINER_NAME"], *beside))
    for key in _UNITS:
        unit = fields.get(key, "")
        # user@1000.service holds all that a user runs, and session-3.scope says nothing of a service.
        if unit.endswith(".service") and not unit.startswith("user@"):
            name = name_of(unit)
            whole = unit.removesuffix(".service")
            return _Owner(name, whole if whole != name else None, (*names_of(unit), *beside))
    return _Owner(fields.get("SYSLOG_IDENTIFIER") or fields.get("_COMM"), None, beside)


def _level(priority: str | None) -> Level | None:
    return syslog_level(int(priority)) if priority is not None and priority.isascii() and priority.isdigit() else None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "[longer than journalctl gives out]"
    if isinstance(value, list):
        if value and all(isinstance(byte, int) and 0 <= byte < 256 for byte in value):
            return bytes(value).decode("utf-8", "backslashreplace")
        return "\n".join(map(_text, value))
    return str(value)


def _is_left_out(name: str) -> bool:
    return name.startswith("__") or name in _SAID_ELSEWHERE


def _shown_name(name: str) -> str:
    return name.lstrip("_").lower()
