"""Reads one file record by record and counts what a request asks for."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import BinaryIO, Final

from groundwire.adapters.logs.lines import plain_chunks, split_lines
from groundwire.adapters.logs.matching import QueryMatcher, is_of_service
from groundwire.adapters.logs.packing import CorruptFileError
from groundwire.adapters.logs.profile import FileProfile, file_clock, name_record
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.records import RawRecord, RecordAssembler
from groundwire.adapters.logs.remarks import Remarks
from groundwire.adapters.logs.seeking import WORTH_SEEKING, find_span
from groundwire.adapters.logs.tally import Tally
from groundwire.domain.logs import LogRequest

_PLAIN_NAME: Final = re.compile(r"[a-z0-9._-]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One request on its way through the files: what is asked, and what was found so far."""

    request: LogRequest
    matcher: QueryMatcher
    tally: Tally
    zone: tzinfo
    year: int | None
    problems: Remarks = field(default_factory=Remarks)
    notes: Remarks = field(default_factory=Remarks)


class FileScan:
    """One file's part in a search. ``is_complete`` is false once something of the file could not be read."""

    def __init__(self, profile: FileProfile, search: Search) -> None:
        self._profile = profile
        self._search = search
        self._name = profile.file.name
        self._clock = file_clock(profile.file, search.zone, search.year)
        self._tally, self._matcher = search.tally, search.matcher
        self._window, self._service, self._min_level = search.request.window, search.request.service, search.request.min_level
        self._is_named = self._service is not None and (
            profile.file.identity.goes_by(self._service) or not _PLAIN_NAME.match(self._service.lower())
        )
        self._dated = 0
        self._undated = 0
        self._offset = 0
        self._lines_before: int | None = 0

    def run(self) -> None:
        """Add the file's records to the tally, and what has to be said about it to the problems and notes.

        Raises:
            OSError: It cannot be read (any further).
        """
        with self._profile.file.path.open("rb") as handle:
            size = self._profile.file.size
            span = None
            if self._profile.can_seek and size >= WORTH_SEEKING:
                span = find_span(handle, self._profile, self._clock, self._search.request.window)
            start, end = span or (0, size)
            if end - start < size:
                self._search.notes.add(
                    "only the part of {files} about the window was read, as the times are in order", self._name
                )
                self._offset = start
                self._lines_before = None if start else 0
            is_whole = self._read(handle, start, end) and end - start == size
            change = self._profile.file.change_of(os.fstat(handle.fileno()))
        if change is not None:
            self._search.problems.add(f"{{files}} was {change}: not all of it was read, search again", self._name)
        self._remark(is_whole=is_whole)

    def _read(self, handle: BinaryIO, start: int, end: int) -> bool:
        assembler = RecordAssembler(self._profile.reader, self._profile.frame, self._clock)
        deadline = self._search.request.deadline
        number = 0
        is_whole = True
        try:
            for block in split_lines(self._profile.chunks(handle, start, end)):
                for index, line in enumerate(block.lines):
                    number += 1
                    record = assembler.feed(line, number, is_cut=index in block.cut)
                    if record is not None:
                        self._take(record)
                if deadline.expired and (self._profile.packing is not None or handle.tell() < end):
                    self._note_timeout(handle.tell() - start, end - start)
                    is_whole = False
                    break
        except CorruptFileError as exc:
            packing = self._profile.packing
            what = "damaged" if packing is None else f"damaged {packing.name}"
            self._search.problems.add(f"{{files}} is {what} ({exc}): only what stands before the damage was read", self._name)
            is_whole = False
        for record in assembler.finish():
            self._take(record)
        hours = assembler.skew.hours
        if hours is not None:
            direction = "ahead of" if hours > 0 else "behind"
            self._search.notes.add(
                f"the clock inside the lines of {{files}} runs {abs(hours):g} h {direction} that of the container runtime, "
                "whose times are used",
                self._name,
            )
        return is_whole

    def _note_timeout(self, done: int, wanted: int) -> None:
        percent = min(99, 100 * done // max(wanted, 1))
        after_s = self._search.request.deadline.after_s
        self._search.problems.add(f"only {percent}% of {{files}} was read in the {after_s:g} s that were allowed", self._name)

    def _take(self, record: RawRecord) -> None:
        if record.start is None and not record.first.strip():
            return
        time = record.time
        if time is not None:
            self._dated += 1
            if not self._window.start <= time < self._window.end:
                return
        reading = self._read_asked(record)
        if reading is None:
            return
        if time is None:
            self._undated += 1
            self._tally.undated_count += 1
            return
        self._tally.in_scope.add(time, reading.level)
        if self._min_level is not None and (reading.level is None or reading.level < self._min_level):
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
            self._tally.keep(reading, time, self._name, record.line_number + self._count_lines_before())

    def _count_lines_before(self) -> int:
        if self._lines_before is None:
            with self._profile.file.path.open("rb") as handle:
                self._lines_before = sum(chunk.count(b"\n") for chunk in plain_chunks(handle, 0, self._offset))
        return self._lines_before

    def _remark(self, *, is_whole: bool) -> None:
        problems, notes, frame = self._search.problems, self._search.notes, self._profile.frame
        if self._profile.is_latin1:
            notes.add("{files} was read as Latin-1, as its sample is no UTF-8", self._name)
        if is_whole and self._dated == 0 and self._undated > 0:
            records = "its 1 record is" if self._undated == 1 else f"its {self._undated} records are"
            lacks = "times of day without a date" if self._clock.met_dayless else "no timestamps"
            problems.add(f"{{files}} has {lacks}, so {records} in no window", self._name)
        if frame is not None and frame.has_time:
            return
        if self._clock.assumed_zone:
            notes.add(f"times without a zone were read as {self._search.zone} in {{files}}", self._name)
        if self._clock.assumed_year is not None:
            basis = "from the file's name" if self._clock.day else "a guess from when the file was last changed"
            notes.add(f"times without a year were read as {self._clock.assumed_year} in {{files}}: {basis}", self._name)
        if self._clock.assumed_day:
            notes.add("times without a date were read as of the day in the file's name in {files}", self._name)
