"""Reads a span of time from a log server page by page, from its end to its start, and says what was not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.logs.entry import Entry, Span, instant_of
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError
from groundwire.domain.times import format_instant

_SMALLER: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """The newest entries of a span, in any order. ``is_full``: the server stopped at the limit, so that older ones may be there.

    ``is_cut``: the answer was longer than is read, so that any of them may be missing. ``doubts`` say why an answer that is
    not full may lack entries all the same.
    """

    entries: tuple[Entry, ...]
    is_full: bool
    is_cut: bool = False
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


AskPage = Callable[[Span, int], EntryPage]
"""Asks for the newest entries of a span, at most so many."""


class BackwardReader:
    """One reading. ``unread`` and ``doubts`` are sentences about what is missing; none of them: every entry was taken."""

    def __init__(self, ask: AskPage, take: Callable[[Entry], None], *, page_size: int, deadline: Deadline) -> None:
        self._ask = ask
        self._take = take
        self._limit = self._page_size = page_size
        self._deadline = deadline
        self.read_count = 0
        self.unread: list[str] = []
        self.doubts: list[str] = []
        self.notes: list[str] = []

    @property
    def is_whole(self) -> bool:
        return not (self.unread or self.doubts)

    def read(self, span: Span, *, most: int, is_enough: bool = False) -> None:
        """Take the entries of the span, newest first, until all or ``most`` of them were taken or time is up.

        ``is_enough``: no more than ``most`` are wanted, so that nothing is missing where there are more.

        Raises:
            BackendError: The first page failed; a later one that fails is what was not read.
        """
        left, seen = span, Counter[object]()
        while (page := self._next(left, seen, most)) is not None:
            self.notes += page.notes
            fresh = self._take_new(page.entries, left, seen)
            if not page.is_full:
                self.doubts += page.doubts
                return
            oldest = min(entry.at_ns for entry in page.entries)
            if fresh == 0:
                self.doubts.append(f"more entries have the time {_at(oldest)} than a page of {self._page_size} holds")
                left, seen = Span(left.start, oldest), Counter()
                continue
            seen = Counter(entry.identity for entry in page.entries if entry.at_ns == oldest)
            left = Span(left.start, oldest + 1)
            self._limit = min(self._page_size, self._limit * _SMALLER)
            if self._must_stop(oldest, most, is_enough=is_enough):
                return

    def _next(self, span: Span, seen: Counter[object], most: int) -> EntryPage | None:
        """Return the newest page of a span that is short enough to be read, or None and why there is none.

        It has room for those that were ``seen`` at the end of the span, where the page before ended.
        """
        while True:
            wanted = min(self._limit, most - self.read_count)
            try:
                page = self._ask(span, min(self._page_size, wanted + seen.total()))
            except BackendError as exc:
                if self.read_count == 0:
                    raise
                self.unread.append(f"{_before(span.end - 1)} was not read: {exc.backend_message}")
                return None
            if not page.is_cut:
                return page
            if self._limit > 1:
                self._limit = max(1, self._limit // _SMALLER)
            else:
                self.unread.append(f"{_before(span.end - 1)} was not read: the next entry is larger than an answer may be")
                return None

    def _must_stop(self, oldest: int, most: int, *, is_enough: bool) -> bool:
        if self.read_count >= most:
            if not is_enough:
                self.unread.append(f"{_before(oldest)} was not read: {self.read_count} entries are the most that are read")
            return True
        if self._deadline.expired:
            self.unread.append(f"{_before(oldest)} was not read in the {self._deadline.after_s:g} s that were allowed")
        return self._deadline.expired

    def _take_new(self, entries: tuple[Entry, ...], span: Span, seen: Counter[object]) -> int:
        fresh = 0
        for entry in sorted(entries, key=lambda entry: entry.at_ns, reverse=True):
            # The page before ended in the middle of this moment.
            if entry.at_ns == span.end - 1 and seen[entry.identity] > 0:
                seen[entry.identity] -= 1
                continue
            self._take(entry)
            fresh += 1
        self.read_count += fresh
        return fresh


def _before(at_ns: int) -> str:
    return f"what is older than {_at(at_ns)}"


def _at(at_ns: int) -> str:
    moment = instant_of(at_ns)
    return f"{at_ns} ns" if moment is None else format_instant(moment)
