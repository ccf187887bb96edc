"""Counts records one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.matching import is_of_service
from groundwire.adapters.logs.profile import FileProfile, name_record
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.records import RawRecord, RecordAssembler
from groundwire.adapters.logs.search import Search

_PLAIN_NAME: Final = re.compile(r"[a-z0-9._-]+\Z")


class RecordScan:
    """One file's records in a search. ``dated`` and ``undated`` are how many it was given that have a time, and have none."""

    def __init__(self, profile: FileProfile, search: Search, lines_before: Callable[[], int]) -> None:
        self._profile, self._search = profile, search
        self._name = profile.file.name
        self._lines_before = lines_before
        self._tally, self._matcher = search.tally, search.matcher
        self._window, self._service, self._min_level = search.request.window, search.request.service, search.request.min_level
        self._is_named = self._service is not None and (
            profile.file.identity.goes_by(self._service) or not _PLAIN_NAME.match(self._service.lower())
        )
        self.dated = 0
        self.undated = 0
        self.undated_fit = False
        """Whether one of those without a time is what is asked for."""

    def take(self, record: RawRecord) -> None:
        """Add a record to the tally where it belongs there."""
        if record.start is None and not record.first.strip():
            return
        time = record.time
        if time is not None:
            self.dated += 1
            if not self._window.start <= time < self._window.end:
                return
        reading = self._read_asked(record)
        if reading is None:
            return
        if time is None:
            self.undated += 1
            self._tally.undated_count += self._tally.counts_scope
            asks_for_more = self._min_level is not None or self._matcher.asks_for_text  # than for all there is, banners too
            self.undated_fit |= asks_for_more and self._is_severe(reading) and self._matches(record, reading)
            return
        self._tally.add_in_scope(time, reading.level)
        if not self._tally.counts_matches:
            return
        if not self._is_severe(reading):
            return
        if self._matches(record, reading):
            self._count(record, reading, time)
        elif record.is_cut and self._matcher.asks_for_text:
            self._search.problems.add("too long records of {files} were searched only as far as they are kept", self._name)

    def _read_asked(self, record: RawRecord) -> Reading | None:
        """Return what the record says, or None when it is of another service than the asked one."""
        if self._service is not None and not self._may_be_of(self._service, record):
            return None
        reading = record.read()
        name_record(reading, self._profile.file.identity, record.origin)
        return reading if self._service is None or is_of_service(reading, self._service) else None

    def _may_be_of(self, service: str, record: RawRecord) -> bool:
        # A plain name that stands neither in the path nor in the line cannot be read from either: spare the reading.
        return self._is_named or record.origin is not None or service.lower() in record.first.lower() or "\\u" in record.first

    def _is_severe(self, reading: Reading) -> bool:
        return self._min_level is None or (reading.level is not None and reading.level >= self._min_level)

    def _matches(self, record: RawRecord, reading: Reading) -> bool:
        if self._matcher.asks_for_text and (record.start is None or isinstance(record.start.payload, re.Match)):
            # All that is read from a plain line stands in it to the letter.
            raw = "\n".join((record.text, reading.service or "", reading.instance or "", record.stream or "")).lower()
            if not self._matcher.may_match(raw):
                return False
        return self._matcher.matches(reading)

    def _count(self, record: RawRecord, reading: Reading, time: datetime) -> None:
        if record.is_cut:
            self._search.notes.add("records of {files} are too long and were cut", self._name)
        self._tally.add_match(time, reading.level)
        if self._tally.wants(time):
            self._tally.keep(reading, time, self._name, record.line_number + self._lines_before())


def read_alone(profile: FileProfile, clock: FileClock, text: str, number: int) -> tuple[RawRecord, Reading]:
    """Return the record that some lines with their line ends are, and what it says."""
    assembler = RecordAssembler(profile.reader, None, clock)
    for line in text.removesuffix("\n").split("\n"):
        assembler.feed(line, number)
    record = next(assembler.finish())
    reading = record.read()
    name_record(reading, profile.file.identity, record.origin)
    return record, reading
