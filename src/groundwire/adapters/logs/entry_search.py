"""Holds the entries that a log server sent against a request: the same query means the same as in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from groundwire.adapters.logs.entry import Entry, Span, instant_of
from groundwire.adapters.logs.entry_reading import EntryReader
from groundwire.adapters.logs.matching import QueryMatcher, is_of_service
from groundwire.adapters.logs.records import RawRecord
from groundwire.adapters.logs.tally import Tally
from groundwire.domain.logs import LogCounts, LogPage, LogRequest, bucket_width

LONGEST_MESSAGE: Final = 64 * 1024
_ERROR_LABEL: Final = "__error__"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerCounts:
    """What the server counted; None, and an empty histogram, where what was read here is to be counted instead."""

    in_scope: LogCounts | None = None
    matched: LogCounts | None = None
    histogram: Mapping[datetime, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Sentences on what was not read: of what could match, and of the rest of the scope. ``is_filtered``: what cannot match
    was not sent, so that the scope is not known from what was.
    """

    of_matches: Sequence[str] = ()
    of_scope: Sequence[str] = ()
    is_filtered: bool = False


class EntrySearch:
    """Takes entries in any order and counts those that the request asks for. All terms are looked for in the whole text."""

    def __init__(self, request: LogRequest) -> None:
        self._request = request
        self._span = Span.of(request.window)
        self._matcher = QueryMatcher(request.query)
        self._reader = EntryReader()
        self._tally = Tally(request.limit, bucket_width(request.window))
        self._fetched = 0
        self._cut = 0
        self._broken: dict[str, int] = {}

    def take_record(self, first: Entry, record: RawRecord | None, count: int) -> None:
        """Take a record of ``count`` entries, of which ``first`` is the first and may be all."""
        self.take(first if record is None else first._replace(text=record.text), count)

    def take(self, entry: Entry, count: int = 1) -> None:
        """Count an entry, or the record that ``count`` of them are, where it is of the asked service and window."""
        self._fetched += count
        at = instant_of(entry.at_ns)
        if at is None or not self._span.start <= entry.at_ns < self._span.end:
            return
        reading = self._reader.read(entry, at)
        service, min_level = self._request.service, self._request.min_level
        if service is not None and not is_of_service(reading, service):
            return
        self._tally.in_scope.add(at, reading.level)
        if min_level is not None and (reading.level is None or reading.level < min_level):
            return
        if not self._matcher.matches(reading):
            return
        if _ERROR_LABEL in entry.labels:
            self._broken[entry.labels[_ERROR_LABEL]] = self._broken.get(entry.labels[_ERROR_LABEL], 0) + 1
        self._tally.add_match(at, reading.level)
        if not self._tally.wants(at):
            return
        if len(reading.message) > LONGEST_MESSAGE:
            reading.message = reading.message[:LONGEST_MESSAGE]
            self._cut += 1
        self._tally.keep(reading, at, entry.place, entry.at_ns)

    def seen(self, *, is_exact: bool) -> LogCounts:
        """Return what of the asked service and window was taken, whatever it says."""
        return self._tally.in_scope.counts(is_exact=is_exact)

    def page(self, missing: Missing, *, notes: Sequence[str], server: ServerCounts) -> LogPage:
        """Return the answer; what was read is a lower bound where something is missing, unless the server counted."""
        is_whole = not missing.of_matches
        return LogPage(
            records=self._tally.newest_first(),
            matched=server.matched or self._tally.matched.counts(is_exact=is_whole),
            in_scope=server.in_scope or self.seen(is_exact=is_whole and not missing.is_filtered),
            histogram=dict(sorted((self._tally.histogram if server.matched is None else server.histogram).items())),
            fetched_count=self._fetched,
            partial_reasons=tuple(dict.fromkeys((*missing.of_matches, *missing.of_scope))),
            notes=tuple(dict.fromkeys((*notes, *self._notes()))),
        )

    def _notes(self) -> list[str]:
        notes = []
        if self._cut:
            notes.append(f"{_entries(self._cut)} longer than 64 KB: the rest was searched, but is not shown")
        notes += [f"the server could not parse {_entries(count)} ({error})" for error, count in sorted(self._broken.items())]
        if self._reader.inside_count:
            inside = _entries(self._reader.inside_count)
            notes.append(f"lines of stack traces were shipped apart from their records, as {inside}")
        hours = self._reader.skew.hours
        if hours is not None:
            direction = "ahead of" if hours > 0 else "behind"
            notes.append(
                f"the clock inside the entries runs {abs(hours):g} h {direction} the server's time for them, which is used"
            )
        return notes


def unread_levels(count: int) -> tuple[str, ...]:
    """Return the note on entries that the server counted without knowing their level."""
    if not count:
        return ()
    return (f"no label names the level of {count} of the entries; what their text says of it was not counted",)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"
