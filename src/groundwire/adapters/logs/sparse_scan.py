"""Reads of a file only the records that hold what was found in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final

from groundwire.adapters.logs.lines import LineBlock, lines_of
from groundwire.adapters.logs.looking import Hit
from groundwire.adapters.logs.records import RawRecord, RecordAssembler
from groundwire.adapters.logs.searched_file import SearchedFile

# Bytes on either side of a hit that are looked at for the start of its record, and of the next.
_REACHES: Final = (4 * 1024, 64 * 1024, 1 << 20)


@dataclass(frozen=True, slots=True)
class _Around:
    """Whole lines about a hit. ``start`` is the byte of the first, ``at`` the index of the hit's."""

    start: int
    raw: bytes
    lines: LineBlock
    at: int
    is_from_start: bool
    is_up_to_end: bool


@dataclass(frozen=True, slots=True)
class _Region:
    """The lines of all records of one stream about a hit, with those of other streams between them.

    ``start`` is the byte of the first line, ``before_hit`` how many lines stand before that of the hit.
    """

    stream: str
    start: int
    lines: Sequence[tuple[str, bool]]
    before_hit: int


class SparseScan:
    """Reads the records about some hits, the newest first."""

    def __init__(self, file: SearchedFile) -> None:
        self._file = file
        self._size = file.profile.file.size
        self._reader, self._frame, self._clock = file.profile.reader, file.profile.frame, file.clock

    def run(self, handle: BinaryIO, hits: Sequence[Hit], *, is_counted: Callable[[str], bool] | None = None) -> bool:
        """Add the records about the hits to the tally; False, and nothing is added, where one's start cannot be found.

        ``is_counted`` tells of a record's first line that it has been added already.
        """
        found: list[tuple[_Region, Hit]] = []
        earliest: dict[str, int] = {}
        for hit in reversed(hits):
            if self._frame is None and hit.offset >= earliest.get("", self._size):
                continue
            region = self._region(handle.fileno(), hit)
            if region is None:
                return False
            if region.start < earliest.get(region.stream, self._size):
                earliest[region.stream] = region.start
                found.append((region, hit))
        deadline = self._file.search.request.deadline
        for region, hit in found:
            if deadline.expired:
                self._file.search.problems.add(
                    f"{{files}} was not searched whole in the {deadline.after_s:g} s that were allowed", self._file.name
                )
                break
            if hit.line is None:
                self._file.lines_before.part = region.start
            else:
                self._file.lines_before.know(region.start, hit.line - 1 - region.before_hit)
            for record in self._records(region):
                if is_counted is None or not is_counted(record.first):
                    self._file.records.take(record)
        return True

    def _records(self, region: _Region) -> Iterator[RawRecord]:
        assembler = RecordAssembler(self._reader, self._frame, self._clock)
        for number, (line, is_cut) in enumerate(region.lines, start=1):
            framed = None if self._frame is None else self._frame.unwrap(line)
            if framed is None or framed.stream == region.stream:
                record = assembler.feed(line, number, is_cut=is_cut)
                if record is not None:
                    yield record
        yield from assembler.finish()

    def _region(self, descriptor: int, hit: Hit) -> _Region | None:
        for reach in _REACHES:
            around = self._around(descriptor, hit.offset, reach)
            region = None if around is None else self._cut_out(around)
            if region is not None:
                return region
        return None

    def _around(self, descriptor: int, offset: int, reach: int) -> _Around | None:
        start, end = max(0, offset - reach), min(self._size, offset + reach)
        raw = os.pread(descriptor, end - start, start)
        if start > 0:
            whole = raw.find(b"\n", 0, offset - start) + 1
            raw, start = raw[whole:], start + whole
            if whole == 0:
                return None
        if end < self._size:
            raw = raw[: raw.rfind(b"\n") + 1]
        if start + len(raw) <= offset:
            return None
        at = raw.count(b"\n", 0, offset - start)
        text = raw.removesuffix(b"\n").decode("utf-8", "backslashreplace")
        return _Around(
            start, raw, lines_of(text.removeprefix("\ufeff") if start == 0 else text), at, start == 0, end == self._size
        )

    def _cut_out(self, around: _Around) -> _Region | None:
        lines, at = around.lines.lines, around.at
        stream = self._stream(lines[at])
        if stream is None:
            return None
        first = next((number for number in range(at, -1, -1) if self._begins(lines[number], stream)), None)
        if first is None and not around.is_from_start:
            return None
        behind = next((number for number in range(at + 1, len(lines)) if self._begins(lines[number], stream)), None)
        if behind is None and not around.is_up_to_end:
            return None
        chosen = range(first or 0, len(lines) if behind is None else behind)
        region = [(lines[number], number in around.lines.cut) for number in chosen]
        return _Region(stream, around.start + _start_of_line(around.raw, chosen.start), region, at - chosen.start)

    def _stream(self, line: str) -> str | None:
        framed = None if self._frame is None else self._frame.unwrap(line)
        return "" if self._frame is None else None if framed is None else framed.stream

    def _begins(self, line: str, stream: str) -> bool:
        """Return whether a line begins a record of the stream, whatever stands before it."""
        if self._frame is None:
            return self._reader.start(line, self._clock) is not None
        framed = self._frame.unwrap(line)
        if framed is None or framed.stream != stream:
            return False
        self._clock.day = None if framed.time is None else framed.time.date()
        return self._reader.start(framed.inner, self._clock) is not None


def _start_of_line(raw: bytes, number: int) -> int:
    at = 0
    for _ in range(number):
        at = raw.index(b"\n", at) + 1
    return at
