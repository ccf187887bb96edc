"""Reads one file record by record and counts what a request asks for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, Final

from groundwire.adapters.logs.line_numbers import LinesBefore
from groundwire.adapters.logs.lines import lines_of, whole_lines
from groundwire.adapters.logs.matching import is_of_service
from groundwire.adapters.logs.packing import CorruptFileError
from groundwire.adapters.logs.profile import FileProfile, file_clock, name_record
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.records import RawRecord, RecordAssembler
from groundwire.adapters.logs.run_scan import RunScan
from groundwire.adapters.logs.runs import ShapeBook, is_even, last_record
from groundwire.adapters.logs.search import Search
from groundwire.adapters.logs.seeking import DISORDER, FileOrder, Part, find_order, parts_backwards, time_of_line
from groundwire.adapters.logs.suppression import suppression_lines
from groundwire.domain.times import shifted

_SMALL_PART: Final = 128 * 1024
_LARGEST_LOOK: Final = 4 << 20
_PLAIN_NAME: Final = re.compile(r"[a-z0-9._-]+\Z")


class FileScan:
    """One file's part in a search. ``is_complete`` is false once something of the file could not be read."""

    def __init__(self, profile: FileProfile, search: Search, orders: dict[FileProfile, FileOrder] | None = None) -> None:
        self._orders = {} if orders is None else orders
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
        self._undated_fit = False
        self._says_suppressed = False
        self._lines_before = LinesBefore(profile.file.path)
        self._number = 0
        self._assembler = RecordAssembler(profile.reader, profile.frame, self._clock)
        likeliest = profile.reader.likeliest if search.reads_runs and profile.frame is None else None
        self._book = None if likeliest is None or profile.reader.is_headless else ShapeBook(likeliest)
        self._runs = RunScan(profile, search, self._clock, self._lines_before.count)

    def run(self) -> None:
        """Add the file's records to the tally, and what has to be said about it to the problems and notes.

        Raises:
            OSError: It cannot be read (any further).
        """
        with self._profile.file.path.open("rb") as handle:
            size = self._profile.file.size
            start, end = 0, size
            order = self._order(handle)
            if order is not None:
                start, end = order.span(handle, self._search.request.window)
            if end - start < size:
                self._search.notes.add(
                    "only the part of {files} about the window was read, as the times are in order", self._name
                )
            newest = None if order is None else self._profile.newest
            if start < end and newest is not None and self._has_enough(newest):
                self._note_newest_only()
                return
            is_whole = self._read_parts(handle, start, end, is_ordered=order is not None) and end - start == size
            change = self._profile.file.change_of(os.fstat(handle.fileno()))
        if change is not None:
            self._search.problems.add(f"{{files}} was {change}: not all of it was read, search again", self._name)
        self._remark(is_whole=is_whole)

    def _order(self, handle: BinaryIO) -> FileOrder | None:
        if not self._profile.can_seek:
            return None
        known = self._orders.get(self._profile)
        if known is None:
            known = self._orders[self._profile] = find_order(handle, self._profile, self._clock)
        self._clock.take_over(known.clock)
        return known if known.is_kept else None

    def _read_parts(self, handle: BinaryIO, start: int, end: int, *, is_ordered: bool) -> bool:
        """Read the newest part first, so that what is kept of the older ones is little; return whether all was read."""
        is_whole = True
        wanted = end - start
        done = 0
        for part in self._parts(handle, start, end):
            if part.lacks_words:
                is_whole = self._tally.in_scope.is_whole = False
            elif not self._read(handle, part, done, wanted):
                return False
            done += part.end - part.start
            if is_ordered and part.earlier is not None and self._has_enough(part.earlier):
                self._note_newest_only()
                return False
            if self._search.request.deadline.expired and done < wanted:
                self._note_timeout(done, wanted)
                return False
        return is_whole

    def _parts(self, handle: BinaryIO, start: int, end: int) -> Iterator[Part]:
        if self._book is None or not self._profile.can_seek:
            yield Part(start, end, None)
            return
        for part in parts_backwards(handle, self._profile, self._clock, start, end):
            looked_at = self._looked_at(handle, part)
            if self._search.request.in_full or looked_at.lacks_words:
                yield looked_at
                continue
            for small in parts_backwards(handle, self._profile, self._clock, part.start, part.end, step=_SMALL_PART):
                earlier = part.earlier if small.earlier is None else small.earlier
                yield self._looked_at(handle, small._replace(earlier=earlier))

    def _looked_at(self, handle: BinaryIO, part: Part) -> Part:
        if not (self._search.looks_ahead and self._profile.is_verbatim) or part.end - part.start > _LARGEST_LOOK:
            return part
        handle.seek(part.start)
        raw = handle.read(part.end - part.start)
        return part._replace(lacks_words=self._search.matcher.is_lacking(raw, self._profile.file.identity.names))

    def _note_newest_only(self) -> None:
        self._search.problems.add("of {files} only the newest records were read, as many as were asked for", self._name)

    def _has_enough(self, newest_left: datetime) -> bool:
        return not self._search.request.in_full and not self._tally.wants(shifted(newest_left, DISORDER))

    def _read(self, handle: BinaryIO, part: Part, done: int, wanted: int) -> bool:
        self._lines_before.part = part.start
        self._number = 0
        deadline = self._search.request.deadline
        is_whole = True
        try:
            for text in whole_lines(self._profile.chunks(handle, part.start, part.end)):
                if text is not None:
                    self._read_text(text)
                if deadline.expired and (self._profile.packing is not None or handle.tell() < part.end):
                    self._note_timeout(done + handle.tell() - part.start, wanted)
                    is_whole = False
                    break
        except CorruptFileError as exc:
            packing = self._profile.packing
            what = "damaged" if packing is None else f"damaged {packing.name}"
            self._search.problems.add(f"{{files}} is {what} ({exc}): only what stands before the damage was read", self._name)
            is_whole = False
        for record in self._assembler.finish():
            self._take(record)
        hours = self._assembler.skew.hours
        if hours is not None:
            direction = "ahead of" if hours > 0 else "behind"
            self._search.notes.add(
                f"the clock inside the lines of {{files}} runs {abs(hours):g} h {direction} that of the container runtime, "
                "whose times are used",
                self._name,
            )
        return is_whole

    def _read_text(self, text: str) -> None:
        self._notice_suppression(text)
        book = self._book
        if book is None or not book.pays or not is_even(text):
            block = lines_of(text)
            for index, line in enumerate(block.lines):
                self._feed(line, is_cut=index in block.cut)
            return
        text += "\n"
        at = 0
        while at < len(text):
            end = book.end_of_run(text, at)
            # The last record is fed: what stands behind the run may belong to it.
            last = last_record(text, at, end) if end > at else at
            if last > at and self._take_run(book, text[at:last]):
                at = last
                continue
            end = max(end, text.index("\n", at) + 1)
            lines = text[at : end - 1].split("\n")
            if len(lines) == 1 and last == at and book.learn(lines[0]):
                continue
            book.count(alone=len(lines))
            for line in lines:
                self._feed(line)
            at = end

    def _notice_suppression(self, text: str) -> None:
        if self._says_suppressed:
            return
        for line in suppression_lines(text):
            time = time_of_line(line, self._profile, self._clock)
            if time is not None and self._window.start <= time < self._window.end:
                self._says_suppressed = True
                self._search.notes.add(
                    "{files} says in the window that messages were suppressed, dropped or put together: it holds not all",
                    self._name,
                )
                return

    def _take_run(self, book: ShapeBook, text: str) -> bool:
        run = book.run(text, self._number + 1, self._clock)
        if run is None:
            return False
        for record in self._assembler.finish():
            self._take(record)
        if not self._runs.take(run):
            return False
        self._number += text.count("\n")
        self._dated += len(run.times)
        book.count(in_runs=len(run.times))
        return True

    def _feed(self, line: str, *, is_cut: bool = False) -> None:
        self._number += 1
        record = self._assembler.feed(line, self._number, is_cut=is_cut)
        if record is not None:
            self._take(record)

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
            asks_for_more = self._min_level is not None or self._matcher.asks_for_text  # than for all there is, banners too
            self._undated_fit |= asks_for_more and self._is_severe(reading) and self._matches(record, reading)
            return
        self._tally.in_scope.add(time, reading.level)
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
            self._tally.keep(reading, time, self._name, record.line_number + self._lines_before.count())

    def _remark(self, *, is_whole: bool) -> None:
        problems, notes, frame = self._search.problems, self._search.notes, self._profile.frame
        if self._profile.is_latin1:
            notes.add("{files} was read as Latin-1, as its sample is no UTF-8", self._name)
        if is_whole and self._dated == 0 and self._undated > 0:
            records = "its 1 record is" if self._undated == 1 else f"its {self._undated} records are"
            lacks = "times of day without a date" if self._clock.met_dayless else "no timestamps"
            problems.add(f"{{files}} has {lacks}, so {records} in no window", self._name)
        elif self._undated_fit:
            problems.add("records of {files} without a time fit as well, and are in no window", self._name)
        if frame is not None and frame.has_time:
            return
        if self._clock.assumed_zone:
            notes.add(f"times without a zone were read as {self._search.zone} in {{files}}", self._name)
        if self._clock.assumed_year is not None:
            basis = "from the file's name" if self._clock.day else "a guess from when the file was last changed"
            notes.add(f"times without a year were read as {self._clock.assumed_year} in {{files}}: {basis}", self._name)
        if self._clock.assumed_day:
            notes.add("times without a date were read as of the day in the file's name in {files}", self._name)
