"""Reads runs of lines whose shapes are known: a pattern takes thousands of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.shapes import IS_INSIDE, LONGEST_LINE, Shape, group_names, shape_of, without_groups

_MOST_SHAPES: Final = 8
_MOST_CONTINUED: Final = 100
# Of these many lines, most must have been read in runs; looking for shapes is given up otherwise.
_TRIAL: Final = 2000


@dataclass(frozen=True, slots=True)
class Run:
    """Some records in a row: ``text`` holds whole records and nothing else. ``times``, ``keys`` and ``messages`` are in step."""

    text: str
    line_number: int
    times: list[datetime]
    keys: Sequence[object]
    book: ShapeBook

    def messages(self) -> list[str]:
        """Return of each record the text that is its message for certain, or part of it; empty where that is not known."""
        return self.book.messages(self.text)

    def records(self) -> Iterator[re.Match[str]]:
        """Yield a match for each record: all its lines, the last line end included."""
        return self.book.whole.finditer(self.text)


class ShapeBook:
    """The shapes that one file has shown, and the patterns made of them."""

    def __init__(self, format_name: str) -> None:
        self.format_name = format_name
        self._shapes: list[Shape] = []
        self._in_runs = self._alone = 0
        self.whole = self._many = re.compile(r"(?!)")
        self._columns = self._with_messages = self.whole
        self._names: list[str] = []
        self._message_groups = 0

    @property
    def pays(self) -> bool:
        """Whether so many lines are in runs that it pays to look for them."""
        return self._alone < _TRIAL or self._in_runs > self._alone

    @property
    def has_escapes(self) -> bool:
        return any(shape.is_json for shape in self._shapes)

    def learn(self, line: str) -> bool:
        """Take the shape of a line into the book and return whether it is a new one."""
        shape = shape_of(line, self.format_name) if len(self._shapes) < _MOST_SHAPES else None
        if shape is None or shape in self._shapes or (self._shapes and shape.is_epoch != self._shapes[0].is_epoch):
            return False
        self._shapes.append(shape)
        any_of = "|".join(f"(?:{shape.pattern})" for shape in self._shapes)
        self._many = re.compile(f"(?:{without_groups(any_of)})++")
        self.whole = re.compile(without_groups(any_of))
        self._set_columns(any_of)
        return True

    def _set_columns(self, any_of: str) -> None:
        self._message_groups = any_of.count("(?P<message>")
        self._with_messages = re.compile(without_groups(any_of, but="message"))
        wanted = r"time|key\d*"
        if len(self._shapes) == 1 and self._shapes[0].is_json:
            # In a run, which is of this shape, nothing behind the last column needs to be looked at again.
            wanted = r"time|key\d+" if "(?P<key1>" in any_of else wanted
            any_of = self._shapes[0].up_to_last(wanted) + r"[^\n]*+\n"
        self._names = [name for name in group_names(any_of) if re.fullmatch(wanted, name)]
        self._columns = re.compile(without_groups(any_of, but=wanted))

    def end_of_run(self, text: str, at: int) -> int:
        """Return where the run of records that starts at ``at`` ends; ``at`` itself when there is none."""
        match = self._many.match(text, at)
        return at if match is None else match.end()

    def count(self, *, in_runs: int = 0, alone: int = 0) -> None:
        self._in_runs += in_runs
        self._alone += alone

    def run(self, text: str, line_number: int, clock: FileClock) -> Run | None:
        """Return the records of a text that is one run; None when a time in it is none."""
        columns = list(zip(*self._columns.findall(text), strict=True))
        named = list(zip(self._names, columns, strict=True))
        stamps = [column for name, column in named if name == "time"]
        texts = stamps[0] if len(stamps) == 1 else ["".join(parts) for parts in zip(*stamps, strict=True)]
        times = self._epochs(texts, clock) if self._shapes[0].is_epoch else _instants(texts, clock)
        if times is None:
            return None
        keys = [column for name, column in named if name != "time"]
        return Run(text, line_number, times, keys[0] if len(keys) == 1 else list(zip(*keys, strict=True)), self)

    def messages(self, text: str) -> list[str]:
        found: list[str] | list[tuple[str, ...]] = self._with_messages.findall(text)
        if self._message_groups == 0:
            return [""] * len(found)
        return ["".join(parts) for parts in found] if self._message_groups > 1 else list(map(str, found))

    @staticmethod
    def _epochs(texts: Sequence[str], clock: FileClock) -> list[datetime] | None:
        times = [moment for text in texts if (moment := clock.epoch(text)) is not None]
        return times if len(times) == len(texts) else None


def _instants(texts: Sequence[str], clock: FileClock) -> list[datetime] | None:
    try:
        times = list(map(datetime.fromisoformat, texts))
        return times if set(map(attrgetter("tzinfo"), times)) == {UTC} else list(map(clock.aware, times))
    except (ValueError, OverflowError):
        return None


def last_record(text: str, at: int, end: int) -> int:
    """Return where the last record of a run from ``at`` to ``end`` starts: it may go on behind the run."""
    start = end
    for _ in range(_MOST_CONTINUED + 1):
        start = text.rfind("\n", at, start - 1) + 1
        if start == 0:
            return at
        if IS_INSIDE.match(text, start) is None:
            break
    return max(start, at)


def is_even(text: str) -> bool:
    """Return whether a text has line ends so near to one another, and so plain, that runs may be looked for in it."""
    if "\r" in text or "\0" in text:
        return False
    step = LONGEST_LINE // 2
    return all(text.find("\n", at, at + step) >= 0 for at in range(0, len(text) - step, step))
