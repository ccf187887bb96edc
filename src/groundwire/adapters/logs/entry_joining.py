"""Puts entries together that were sent line by line: a stack trace belongs to the record before it, as in a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Final, Generic, NamedTuple, TypeVar

from groundwire.adapters.logs.heads import read_head
from groundwire.adapters.logs.line_reader import looks_inside
from groundwire.adapters.logs.records import MOST_LINES, RawRecord, goes_on
from groundwire.domain.levels import Level

_LONGEST_PAUSE_NS: Final = 2_000_000_000
_MOST_PENDING: Final = 2 * MOST_LINES
_EXCEPTION: Final = re.compile(r"(?:[\w$]+\.)*[\w$]*(?:Exception|Error|Throwable)(?:: .*)?\Z")

Item = TypeVar("Item")


class _Line(NamedTuple, Generic[Item]):
    item: Item
    at_ns: int
    text: str


class EntryJoiner(Generic[Item]):
    """Takes the entries of a reading that goes from the newest back, none missing between two of a stream.

    Each record is given to ``take``: its first entry, its lines (None where that entry is all of it), and how many entries it is.
    Of each stream no more is held than a record and what may belong to it.
    """

    def __init__(self, take: Callable[[Item, RawRecord | None, int], None]) -> None:
        self._take = take
        self._pending: dict[Hashable, list[_Line[Item]]] = {}
        self._joined = 0
        self._cut = 0

    def add(self, item: Item, stream: Hashable | None, at_ns: int, text: str) -> None:
        """Take an entry; ``stream`` is whose line it is, None where nobody knows."""
        if stream is None:
            self._take(item, None, 1)
            return
        line, pending = _Line(item, at_ns, text), self._pending.setdefault(stream, [])
        if pending and (len(pending) >= _MOST_PENDING or _is_boundary(line, pending[-1])):
            self._join(pending[::-1])
            pending.clear()
        pending.append(line)

    def finish(self) -> tuple[str, ...]:
        """Give out what is left, and return what is to be said of the records."""
        for pending in self._pending.values():
            self._join(pending[::-1])
        self._pending.clear()
        if not self._joined:
            return ()
        many = f"{self._joined} entries go on with the record before them"
        joined = "1 entry goes on with the record before it" if self._joined == 1 else many
        said = f"{joined}: lines that were shipped one by one count as one record"
        return (said, *(("records that are too long were cut",) if self._cut else ()))

    def _join(self, lines: list[_Line[Item]]) -> None:
        head, *rest = lines
        record, count = _begun(head), 1
        for line, following in zip(rest, [*(line.text for line in rest[1:]), ""], strict=False):
            if _continues(line.text, record, following):
                record.add(line.text)
                count += 1
            else:
                self._give(head, record, count)
                head, record, count = line, _begun(line), 1
        self._give(head, record, count)

    def _give(self, head: _Line[Item], record: RawRecord, count: int) -> None:
        self._joined += count - 1
        self._cut += record.is_cut
        self._take(head.item, record if count > 1 else None, count)


def _begun(line: _Line[Item]) -> RawRecord:
    return RawRecord(0, None, None, line.text, size=len(line.text))


def _is_boundary(older: _Line[Item], newer: _Line[Item]) -> bool:
    """Return whether a record begins with ``newer``, whatever comes before ``older``."""
    if newer.at_ns - older.at_ns > _LONGEST_PAUSE_NS:
        return True
    return not (looks_inside(newer.text) or looks_inside(older.text) or _EXCEPTION.match(newer.text))


def _continues(line: str, record: RawRecord, following: str) -> bool:
    # An object that is printed over several lines is indented; what else follows a lone bracket may be anything.
    if looks_inside(line) or (record.first.rstrip() != "{" and goes_on(line, record)):
        return True
    if record.more or _EXCEPTION.match(line) is None or not following or not looks_inside(following):
        return False
    # An exception's name between a record and a trace is of that record, where it says that something is wrong.
    level = read_head(record.first).level
    return level is not None and level >= Level.WARN
