"""Puts entries together that a shipper sent line by line: a stack trace belongs to the record before it, as in a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from groundwire.adapters.logs.entry import Entry
from groundwire.adapters.logs.entry_reading import unwrapped
from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.line_reader import looks_inside
from groundwire.adapters.logs.records import RawRecord, goes_on
from groundwire.domain.levels import Level

_LONGEST_PAUSE_NS: Final = 2_000_000_000
_MOST_HELD: Final = 32 * 1024 * 1024
_EXCEPTION: Final = re.compile(r"(?:[\w$]+\.)*[\w$]*(?:Exception|Error|Throwable)(?:: .*)?\Z")

TakeRecord = Callable[[Entry, int], None]
"""Takes a record, and how many entries it was made of."""


class EntryJoiner:
    """Holds the entries of one reading, in which no entry between two of a stream is missing, and gives out records.

    ``stream_of`` says which entries are lines of one writer; None: of none that is known. Where the entries are more than can
    be held, what is beyond is given out as it comes.
    """

    def __init__(self, take: TakeRecord, stream_of: Callable[[Entry], Hashable | None]) -> None:
        self._take = take
        self._stream_of = stream_of
        self._held: dict[Hashable, list[Entry]] = {}
        self._size = 0
        self._joined = 0
        self._cut = 0

    def add(self, entry: Entry) -> None:
        """Take an entry; those of one stream come newest first."""
        stream = self._stream_of(entry) if self._size < _MOST_HELD else None
        if stream is None:
            self._take(entry, 1)
        else:
            self._held.setdefault(stream, []).append(entry)
            self._size += len(entry.text)

    def finish(self) -> tuple[str, ...]:
        """Give out the records, and return what is to be said of them."""
        for entries in self._held.values():
            self._join(entries[::-1])
        if not self._joined:
            return ()
        many = f"{self._joined} entries go on with the record before them"
        joined = "1 entry goes on with the record before it" if self._joined == 1 else many
        said = f"{joined}: lines that were shipped one by one count as one record"
        return (said, *(("records that are too long were cut",) if self._cut else ()))

    def _join(self, entries: Sequence[Entry]) -> None:
        head: Entry | None = None
        record, last_ns, count = RawRecord(0, None, None, ""), 0, 0
        lines = [unwrapped(entry.text) for entry in entries]
        for entry, line, following in zip(entries, lines, [*lines[1:], ""], strict=True):
            if head is not None and entry.at_ns - last_ns <= _LONGEST_PAUSE_NS and _continues(line, record, following):
                record.add(line)
                count += 1
            else:
                self._give(head, record, count)
                head, record, count = entry, RawRecord(0, None, None, line, size=len(line)), 1
            last_ns = entry.at_ns
        self._give(head, record, count)

    def _give(self, head: Entry | None, record: RawRecord, count: int) -> None:
        if head is None:
            return
        self._joined += count - 1
        self._cut += record.is_cut
        self._take(head if count == 1 else head._replace(text=record.text), count)


def _continues(line: str, record: RawRecord, following: str) -> bool:
    # An object that is printed over several lines is indented; what else follows a lone bracket may be anything.
    if looks_inside(line) or (record.first.rstrip() != "{" and goes_on(line, record)):
        return True
    if record.more or _EXCEPTION.match(line) is None or not following or not looks_inside(following):
        return False
    # An exception's name between a record and a trace is of that record, where it says that something is wrong.
    level = read_head(record.first).level
    return level is not None and level >= Level.WARN
