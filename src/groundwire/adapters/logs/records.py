"""Puts lines together to whole records: a stack trace belongs to the line before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from groundwire.adapters.logs.clock import ClockSkew, FileClock
from groundwire.adapters.logs.frames import Frame, Framed
from groundwire.adapters.logs.heads import GOROUTINE, PANIC, read_head
from groundwire.adapters.logs.line_reader import LineReader, looks_inside
from groundwire.adapters.logs.reading import Reading, Start
from groundwire.adapters.logs.server_formats import addition
from groundwire.adapters.logs.structured import find_time, flatten, parse_object, read_fields
from groundwire.domain.levels import Level, parse_level

MOST_LINES: Final = 200
MOST_CHARACTERS: Final = 64 * 1024
# By the runtime's clock: what an application writes later than this is no longer the trace of the record before.
_LONGEST_PAUSE: Final = timedelta(seconds=2)
# Names in front of lines are somebody else's words: not each of them may hold a record open.
_MOST_STREAMS: Final = 256
# java.util.logging writes time and method on one line, level and message on the next.
_LEVEL_BELOW: Final = re.compile(r"(SEVERE|WARNING|INFO|CONFIG|FINE(?:R|ST)?): ")
_CALL: Final = re.compile(r"[\w./*()\[\]{}-]{1,300}\(")
_TRACEBACK: Final = "Traceback (most recent call last)"


@dataclass(slots=True)
class RawRecord:
    """A record's lines, put together but not yet read. ``is_cut``: it was longer than is kept."""

    line_number: int
    time: datetime | None
    start: Start | None
    first: str
    stream: str | None = None
    origin: str | None = None
    last_outer: datetime | None = None
    more: list[str] = field(default_factory=list)
    size: int = 0
    is_cut: bool = False
    time_key: str | None = None
    last_number: int = 0
    """The line that was added last."""

    def add(self, line: str) -> None:
        if len(self.more) >= MOST_LINES - 1 or self.size + len(line) > MOST_CHARACTERS:
            self.is_cut |= bool(line)  # empty lines keep the numbers of lines where records were rewritten
            return
        self.more.append(line)
        self.size += len(line) + 1

    def goes_on_with(self, start: Start) -> bool:
        """Take a line that has a time and is about this record all the same; return whether it is."""
        added = None if self.start is None else addition(start, self.start)
        if added is not None:
            self.add(added)
        return added is not None

    def dated(self, clock: FileClock) -> RawRecord:
        """Return the record with the time that its lines name only together, as JSON over several lines does."""
        if self.time is None and self._is_json:
            self.time_key, self.time = find_time(flatten(parse_object(self.text) or {}), clock)
        return self

    @property
    def _is_json(self) -> bool:
        return self.start is None and bool(self.more) and self.first.rstrip() == "{"

    @property
    def _has_panic(self) -> bool:
        """Whether the program died of a Go panic behind its last log line: the panic names no level."""
        at = next((at for at, line in enumerate(self.more) if line.startswith(PANIC)), None)
        return at is not None and any(line.startswith(GOROUTINE) for line in self.more[at:])

    def take_object(self, clock: FileClock) -> RawRecord | None:
        """Return the JSON object over several lines that ends this record, and has a time, as a record of its own.

        Its lines are taken off this one.
        """
        at = next((at for at in range(len(self.more) - 1, -1, -1) if self.more[at].rstrip() == "{"), None)
        fields = None if at is None or self.is_cut else parse_object("\n".join(self.more[at:]))
        key, time = (None, None) if fields is None else find_time(flatten(fields), clock)
        if at is None or time is None:
            return None
        first, *rest = self.more[at:]
        del self.more[at:]
        size = sum(len(line) + 1 for line in (first, *rest))
        self.size -= size
        number = self.last_number - len(rest)
        return RawRecord(number, time, None, first, more=rest, size=size, time_key=key, last_number=self.last_number)

    @property
    def text(self) -> str:
        """All that was kept of it, as it stands in the file."""
        return self.first if not self.more else "\n".join((self.first, *self.more))

    def read(self) -> Reading:
        """Return its parts, the lines behind the first as part of the message."""
        if self._is_json:
            return self._read_json()
        reading = read_head(self.first) if self.start is None else self.start.format.read(self.start.payload)
        message = reading.message
        if self.more:
            message = "\n".join((message, *self.more) if message else self.more).rstrip()
        if len(message) > MOST_CHARACTERS:
            message = message[:MOST_CHARACTERS]
            self.is_cut = True
        reading.message = message
        if reading.level is None and self.more:
            named = _LEVEL_BELOW.match(self.more[0])
            reading.level = None if named is None else parse_level(named[1])
        if self._has_panic and (reading.level is None or reading.level < Level.FATAL):
            reading.level = Level.FATAL
        if self.stream is not None:
            reading.fields["stream"] = self.stream
        if self.last_outer is not None and self.start is not None and isinstance(self.start.payload, re.Match):
            app_time = self.start.payload.groupdict().get("time")
            reading.fields |= {"app_time": app_time} if app_time else {}
        return reading

    def _read_json(self) -> Reading:
        fields = parse_object(self.text)
        reading = Reading(message=self.text) if fields is None else read_fields(flatten(fields), self.time_key, self.text)
        if self.stream is not None:
            reading.fields["stream"] = self.stream
        return reading


@dataclass(slots=True)
class _SplitLine:
    """A line that its runtime split, as far as it came."""

    first: Framed
    number: int
    parts: list[str] = field(default_factory=list)
    size: int = 0
    is_cut: bool = False

    def add(self, part: str, *, is_cut: bool) -> None:
        kept = part[: MOST_CHARACTERS - self.size]
        self.parts.append(kept)
        self.size += len(kept)
        self.is_cut |= is_cut or len(kept) < len(part)

    @property
    def whole(self) -> Framed:
        return self.first._replace(inner="".join(self.parts), is_partial=False)


class RecordAssembler:
    """Takes the lines of one file in turn and gives out each record once the next of its stream begins."""

    def __init__(self, reader: LineReader, frame: Frame | None, clock: FileClock) -> None:
        self._reader = reader
        self._frame = frame
        self._clock = clock
        self._open: dict[str, RawRecord] = {}
        self._parts: dict[str, _SplitLine] = {}
        self.skew = ClockSkew()

    def feed(self, line: str, number: int, *, is_cut: bool = False) -> RawRecord | None:
        """Take a line and return the record that it ends, if it ends one."""
        framed = None if self._frame is None else self._frame.unwrap(line)
        if framed is not None:
            return self._feed_framed(framed, number, is_cut=is_cut)
        start = self._reader.start(line, self._clock)
        current = self._open.get("")
        if start is not None and current is not None and current.goes_on_with(start):
            current.is_cut |= is_cut
            return None
        if start is None and (current is not None or not line.strip()) and not self._begins_headless(line, current):
            if current is not None:
                current.add(line)
                current.is_cut |= is_cut
                current.last_number = number
                return self._object_behind(current) if line.rstrip() == "}" else None
            return None
        self._open[""] = RawRecord(number, start.time if start else None, start, line, size=len(line), is_cut=is_cut)
        return None if current is None else current.dated(self._clock)

    def _object_behind(self, current: RawRecord) -> RawRecord | None:
        following = current.take_object(self._clock)
        if following is None:
            return None
        self._open[""] = following
        return current.dated(self._clock)

    def finish(self) -> Iterator[RawRecord]:
        """Yield the records that are still open, at the end of the file."""
        for split in self._parts.values():
            ended = self._feed_whole(split.whole, split.number, is_cut=split.is_cut)
            if ended is not None:
                yield ended
        self._parts.clear()
        yield from (record.dated(self._clock) for record in self._open.values())
        self._open.clear()

    def _begins_headless(self, line: str, current: RawRecord | None) -> bool:
        if current is None:
            return True
        return self._reader.is_headless and not looks_inside(line) and not goes_on(line, current)

    def _feed_framed(self, framed: Framed, number: int, *, is_cut: bool) -> RawRecord | None:
        pending = self._parts.pop(framed.stream, None)
        if pending is None and not framed.is_partial:
            return self._feed_whole(framed, number, is_cut=is_cut)
        if pending is None:
            pending = _SplitLine(framed, number)
        pending.add(framed.inner, is_cut=is_cut)
        if framed.is_partial and (framed.stream in self._parts or len(self._parts) < _MOST_STREAMS):
            self._parts[framed.stream] = pending
            return None
        return self._feed_whole(pending.whole, pending.number, is_cut=pending.is_cut)

    def _feed_whole(self, framed: Framed, number: int, *, is_cut: bool) -> RawRecord | None:
        if framed.time is not None:
            # A time of day without a date is the runtime's day, give or take the skew between the clocks.
            self._clock.day = None if self.skew.is_settled else framed.time.date()
        start = self._reader.start(framed.inner, self._clock)
        stream = framed.stream if framed.stream in self._open or len(self._open) < _MOST_STREAMS else ""
        current = self._open.get(stream)
        if start is None and current is None and not framed.inner.strip():
            return None
        if start is not None and current is not None and current.goes_on_with(start):
            current.is_cut |= is_cut
            return None
        if start is None and current is not None and not self._begins_framed(framed, current):
            current.add(framed.inner)
            current.is_cut |= is_cut
            current.last_outer = framed.time
            return None
        inner_time = None if start is None else start.time
        if inner_time is not None and framed.time is not None:
            self.skew.add(inner_time, framed.time)
        self._open[stream] = RawRecord(
            number,
            framed.time or inner_time,
            start,
            framed.inner,
            stream=framed.stream if framed.origin is None and framed.stream else None,
            origin=framed.origin,
            last_outer=framed.time,
            size=len(framed.inner),
            is_cut=is_cut,
        )
        return None if current is None else current.dated(self._clock)

    def _begins_framed(self, framed: Framed, current: RawRecord) -> bool:
        if looks_inside(framed.inner) or goes_on(framed.inner, current):
            return False
        paused = framed.time is not None and current.last_outer is not None and framed.time - current.last_outer > _LONGEST_PAUSE
        return self._reader.is_headless or paused


def goes_on(line: str, current: RawRecord) -> bool:
    """Return whether a line that could start a record is of a trace that is not finished."""
    if current.first.rstrip() == "{":
        return current.more[-1:] != ["}"]
    if not current.more:
        return False
    if current.more[-1].startswith(" "):
        # The last line of a Python traceback: the exception itself, not indented.
        return current.first.startswith(_TRACEBACK) or any(line.startswith(_TRACEBACK) for line in current.more)
    # A call in a dump of goroutines, on the line behind a goroutine's name or behind the place of the call before.
    return line.endswith(")") and current.more[-1].startswith(("goroutine ", "\t")) and _CALL.match(line) is not None
