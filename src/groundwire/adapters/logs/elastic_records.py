"""Reads a document of Elasticsearch or OpenSearch as a log record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from groundwire.adapters.logs.clock import ClockSkew, FileClock
from groundwire.adapters.logs.elastic_layout import (
    INSTANCE_FIELDS,
    LEVEL_FIELDS,
    MESSAGE_FIELDS,
    SERVICE_FIELDS,
    FieldNames,
    Layout,
)
from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.structured import flatten
from groundwire.adapters.logs.structured_levels import read_level
from groundwire.domain.levels import Level
from groundwire.domain.logs import LogRecord

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_NANOSECONDS_FROM: Final = 10**16
# OpenTelemetry, "Severity Fields": four numbers to each level.
_OTEL: Final = (Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR, Level.FATAL)
# When a shipper or the server took the record in, by its own clock.
_TAKEN_IN: Final = ("event.ingested", "event.created", "observedTimestamp", "observed_timestamp")
_OTEL_FIELDS: Final = ("severity_number", "severityNumber", "severity.number")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One document as the server returned it; ``source`` None: the server keeps none. ``sort`` is its place in time."""

    index: str
    id: str
    source: Mapping[str, Any] | None
    sort: int | None

    @property
    def key(self) -> tuple[str, str]:
        """What tells the document from every other one."""
        return self.index, self.id


class RecordReader:
    """Reads the documents of one layout. Levels are read from the text only where no field of the layout holds one."""

    def __init__(self, layout: Layout, names: FieldNames) -> None:
        self._layout = layout
        self._level = _keys(names.level, LEVEL_FIELDS)
        self._service = _keys(names.service, SERVICE_FIELDS)
        self._instance = _keys(names.instance, INSTANCE_FIELDS)
        self._message = _keys(names.message, MESSAGE_FIELDS)
        self._clock = FileClock(zone=UTC, latest=datetime.now(UTC))
        self._skew = ClockSkew()

    @property
    def clock_note(self) -> str | None:
        """What is to be said where the records' own clock and that of who took them in differ by the same hours all the way."""
        hours = self._skew.hours
        if hours is None:
            return None
        clock, way = self._layout.time, "ahead of" if hours > 0 else "behind"
        return (
            f"the clock of the records ({clock}) runs {abs(hours):g} h {way} that of who took them in; the records' own is used"
        )

    def read(self, hit: Hit) -> LogRecord | None:
        """Return the record that a document is, or None when it holds nothing that can be read."""
        if hit.source is None:
            return None
        rest = flatten(hit.source)
        time = self._time(hit, rest.pop(self._layout.time, None))
        taken_in = next((self._written(rest[key]) for key in _TAKEN_IN if key in rest), None)
        if time is not None and taken_in is not None:
            self._skew.add(time, taken_in)
        level = self._take_level(rest)
        message = _take(rest, self._message)
        service, instance = _take(rest, self._service), _take(rest, self._instance)
        if message is None:
            message = json.dumps(hit.source, ensure_ascii=False, default=str)
        if level is None and not self._layout.level:
            level = read_head(message).level
        return LogRecord(
            timestamp=time,
            level=level,
            service=service,
            instance=instance,
            message=message.rstrip("\n"),
            source=f"{hit.index}:{hit.id}",
            fields=rest,
        )

    def _time(self, hit: Hit, written: Any) -> datetime | None:
        """Return the time that the document was found by, with the microseconds that are written in it."""
        exact = self._written(written)
        if hit.sort is None:
            return exact
        found = _instant(hit.sort)
        if exact is not None and found is not None and timedelta() <= exact - found < _MILLISECOND:
            return exact
        return found

    def _written(self, value: Any) -> datetime | None:
        if isinstance(value, str):
            return self._clock.iso(value) or (self._clock.epoch(value) if value[:1].isdigit() else None)
        return None if isinstance(value, bool) else self._clock.epoch(value)

    def _take_level(self, rest: dict[str, Any]) -> Level | None:
        for key in self._level:
            level = level_of(key, rest[key]) if key in rest else None
            if level is not None:
                del rest[key]
                return level
        return None


def level_of(field: str, value: Any) -> Level | None:
    """Return the level that a field's value is: a word, or a number by pino, syslog or OpenTelemetry."""
    if field in _OTEL_FIELDS:
        return _OTEL[(value - 1) // 4] if isinstance(value, int) and 1 <= value <= 24 else None
    return read_level({"level": value})


def _keys(configured: str | None, usual: Iterable[str]) -> tuple[str, ...]:
    return tuple(usual) if configured is None else (configured,)


def _take(rest: dict[str, Any], keys: Iterable[str]) -> str | None:
    for key in keys:
        value = rest.get(key)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, str) and value.strip():
            del rest[key]
            return value
    return None


def _instant(sort: int) -> datetime | None:
    # A date sorts by its milliseconds, a date with nanoseconds by those.
    microseconds = sort // 1000 if abs(sort) >= _NANOSECONDS_FROM else sort * 1000
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None
