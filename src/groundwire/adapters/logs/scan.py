"""Reads one file record by record and counts what a request asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import BinaryIO, Final

from groundwire.adapters.logs.lines import lines_of, whole_lines
from groundwire.adapters.logs.packing import CorruptFileError
from groundwire.adapters.logs.records import RecordAssembler
from groundwire.adapters.logs.run_scan import RunScan
from groundwire.adapters.logs.runs import ShapeBook, is_even, last_record
from groundwire.adapters.logs.searched_file import SearchedFile
from groundwire.adapters.logs.seeking import DISORDER, Part, parts_backwards
from groundwire.domain.times import shifted

_SMALL_PART: Final = 128 * 1024
_LARGEST_LOOK: Final = 4 << 20
# A pattern may take a tenth of a millisecond for each character.
_PIECE: Final = 16 * 1024


class FileScan:
    """Reads one file, or the part of it about the window."""

    def __init__(self, file: SearchedFile) -> None:
        self._file = file
        self._profile, self._search, self._name = file.profile, file.search, file.name
        self._clock, self._tally = file.clock, file.search.tally
        self._number = 0
        self._assembler = RecordAssembler(file.profile.reader, file.profile.frame, file.clock)
        likeliest = file.profile.reader.likeliest if file.search.reads_runs and file.profile.frame is None else None
        self._book = None if likeliest is None or file.profile.reader.is_headless else ShapeBook(likeliest)
        self._runs = RunScan(file.profile, file.search, file.clock, file.lines_before.count)

    def run(self) -> None:
        """Add the file's records to the tally, and what has to be said about it to the problems and notes.

        Raises:
            OSError: It cannot be read (any further).
        """
        with self._profile.file.path.open("rb") as handle:
            start, end = self._file.span(handle)
            newest = self._profile.newest if self._file.is_ordered else None
            if start < end and newest is not None and self._has_enough(newest):
                self._note_newest_only()
                return
            is_whole = self._read_parts(handle, start, end) and end - start == self._profile.file.size
            self._file.note_change(handle)
        self._file.remark(is_whole=is_whole)

    def run_tail(self) -> None:
        """Do the same with the last records about the window alone, at most some hundred kilobytes of them.

        Raises:
            OSError: It cannot be read.
        """
        with self._profile.file.path.open("rb") as handle:
            start, end = self._file.span(handle)
            for part in islice(parts_backwards(handle, self._profile, self._clock, start, end, step=_SMALL_PART), 1):
                self._read(handle, part, 0, end - start)

    def _read_parts(self, handle: BinaryIO, start: int, end: int) -> bool:
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
            if self._file.is_ordered and part.earlier is not None and self._has_enough(part.earlier):
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
        self._file.lines_before.part = part.start
        self._number = 0
        deadline = self._search.request.deadline
        is_whole = True
        texts = whole_lines(self._profile.chunks(handle, part.start, part.end))
        if self._search.matcher.has_pattern:
            texts = _in_pieces(texts)
        read, is_packed = 0, self._profile.packing is not None
        try:
            for text in texts:
                if deadline.expired and read:
                    self._note_timeout(done + read, wanted)
                    is_whole = False
                    break
                if text is not None:
                    self._read_text(text)
                read = handle.tell() if is_packed else read + len(text or "\n") + 1
        except CorruptFileError as exc:
            packing = self._profile.packing
            what = "damaged" if packing is None else f"damaged {packing.name}"
            self._search.problems.add(f"{{files}} is {what} ({exc}): only what stands before the damage was read", self._name)
            is_whole = False
        for record in self._assembler.finish():
            self._file.records.take(record)
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
        self._file.notice_suppression(text)
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

    def _take_run(self, book: ShapeBook, text: str) -> bool:
        run = book.run(text, self._number + 1, self._clock)
        if run is None:
            return False
        for record in self._assembler.finish():
            self._file.records.take(record)
        if not self._runs.take(run):
            return False
        self._number += text.count("\n")
        self._file.records.dated += len(run.times)
        book.count(in_runs=len(run.times))
        return True

    def _feed(self, line: str, *, is_cut: bool = False) -> None:
        self._number += 1
        record = self._assembler.feed(line, self._number, is_cut=is_cut)
        if record is not None:
            self._file.records.take(record)

    def _note_timeout(self, done: int, wanted: int) -> None:
        percent = min(99, 100 * done // max(wanted, 1))
        after_s = self._search.request.deadline.after_s
        self._search.problems.add(f"only {percent}% of {{files}} was read in the {after_s:g} s that were allowed", self._name)


def _in_pieces(texts: Iterable[str | None]) -> Iterator[str | None]:
    """Yield texts of whole lines as shorter ones of whole lines."""
    for text in texts:
        at = 0
        while text is not None and (end := text.find("\n", at + _PIECE)) >= 0:
            yield text[at:end]
            at = end + 1
        yield None if text is None else text[at:]
