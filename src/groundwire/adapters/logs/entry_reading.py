"""Reads an entry of a log server: what its labels say, and what the formats of log files find in its text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from groundwire.adapters.logs.clock import ClockSkew, FileClock
from groundwire.adapters.logs.entry import Entry
from groundwire.adapters.logs.entry_labels import names_in, take_level
from groundwire.adapters.logs.frames import FRAMES, Frame
from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.line_reader import ALL_FORMATS, looks_inside
from groundwire.adapters.logs.reading import LineFormat, Reading, Start
from groundwire.adapters.logs.structured import JsonFormat

_FRAMES: Final[tuple[Frame, ...]] = tuple(frame for frame in FRAMES if frame.name in {"cri", "docker"})
_JSON: Final = JsonFormat()
_NOTABLE: Final = timedelta(seconds=2)
_LONGEST_PLAIN: Final = 256 * 1024


class EntryReader:
    """Reads the entries of one search. The server's time is the record's; the text's own is kept as the field ``app_time``.

    ``inside_count`` counts entries that look like the inside of a record which the shipper sent line by line.
    """

    def __init__(self) -> None:
        self._clock = FileClock(zone=UTC, latest=datetime.max.replace(tzinfo=UTC))
        self._likely: LineFormat | None = None
        self.skew = ClockSkew()
        self.inside_count = 0

    def read(self, entry: Entry, at: datetime) -> Reading:
        """Return the parts of an entry. What labels say counts more than what the text says; neither is lost."""
        labels: dict[str, Any] = dict(entry.labels)
        level = take_level(labels)
        names = names_in(entry.labels)
        said = self._read_text(unwrapped(entry.text), at)
        for name, value in said.fields.items():
            if labels.get(name) != _shown(value):
                labels[f"line.{name}" if name in labels else name] = value
        own = None if said.is_fallback_service else said.service
        service = names.service or own or names.weak or said.service
        if said.service is not None and said.service != service:
            labels.setdefault("line.service", said.service)
        if said.instance is not None and names.instance is not None and said.instance != names.instance:
            labels.setdefault("line.instance", said.instance)
        return Reading(
            level=said.level if level is None else level,
            message=said.message,
            service=service,
            instance=names.instance or said.instance,
            fields=labels,
        )

    def _read_text(self, text: str, at: datetime) -> Reading:
        if not text.strip():
            return Reading(message=text)
        first, _, rest = text.partition("\n")
        start = _JSON.start(text, self._clock) if text.startswith("{") else None
        if start is not None:
            rest = ""
        else:
            start = self._start(first[:_LONGEST_PLAIN], at)
        if start is None:
            self.inside_count += looks_inside(first)
            return Reading(message=text) if looks_inside(first) else _with_rest(read_head(first), rest)
        reading = _with_rest(start.format.read(start.payload), rest)
        if len(first) > _LONGEST_PLAIN and start.format is not _JSON:
            reading.message += first[_LONGEST_PLAIN:]
        if start.time is not None:
            self.skew.add(start.time, at)
            if abs(start.time - at) >= _NOTABLE:
                reading.fields["app_time"] = start.time.isoformat()
        return reading

    def _start(self, line: str, at: datetime) -> Start | None:
        self._clock.day = at.date()
        if looks_inside(line):
            return None
        if self._likely is not None and (start := self._likely.start(line, self._clock)) is not None:
            return start
        for line_format in ALL_FORMATS:
            start = line_format.start(line, self._clock)
            if start is not None:
                self._likely = line_format if line_format.is_strong else None
                return start
        return None


def unwrapped(text: str) -> str:
    """Return what a container wrote, without what its runtime put around it."""
    for frame in _FRAMES:
        framed = frame.unwrap(text)
        if framed is not None:
            return framed.inner
    return text


def _with_rest(reading: Reading, rest: str) -> Reading:
    if rest:
        reading.message = f"{reading.message}\n{rest}".rstrip()
    return reading


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
