"""One file on its way through a search: its clock, its order in time, and what has to be said about it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from typing import BinaryIO, Final

from groundwire.adapters.logs.line_numbers import LinesBefore
from groundwire.adapters.logs.profile import FileProfile, file_clock
from groundwire.adapters.logs.record_scan import RecordScan
from groundwire.adapters.logs.repeated_hour import repeated_hour
from groundwire.adapters.logs.search import Search
from groundwire.adapters.logs.seeking import FileOrder, find_order, time_of_line
from groundwire.adapters.logs.suppression import suppression_lines
from groundwire.domain.times import shifted

_LINE: Final = 1024


class SearchedFile:
    """What all ways to read one file in one search share. ``orders`` are kept from search to search."""

    def __init__(self, profile: FileProfile, search: Search, orders: dict[FileProfile, FileOrder]) -> None:
        self.profile = profile
        self.search = search
        self.name = profile.file.name
        self.clock = file_clock(profile.file, search.zone, search.year)
        self.lines_before = LinesBefore(profile.file.path)
        self.records = RecordScan(profile, search, self.lines_before.count)
        self.is_ordered = False
        """Whether the file keeps to the order of time; known once its span is."""
        self.orders = orders
        self._says_suppressed = False

    def span(self, handle: BinaryIO) -> tuple[int, int]:
        """Return the bytes from and to which the window's records stand, and say so where that is not the whole file."""
        size = self.profile.file.size
        order = self._order(handle)
        self.is_ordered = order is not None
        start, end = (0, size) if order is None else order.span(handle, self.search.request.window)
        if end - start < size:
            self.search.notes.add("only the part of {files} about the window was read, as the times are in order", self.name)
        return start, end

    def _order(self, handle: BinaryIO) -> FileOrder | None:
        if not self.profile.can_seek:
            return None
        known = self.orders.get(self.profile)
        if known is None:
            known = self.orders[self.profile] = find_order(handle, self.profile, self.clock)
        self.clock.take_over(known.clock)
        return known if known.is_kept else None

    def why_unread(self, exc: OSError) -> str:
        """Return the sentence that the file, or the rest of it, could not be read."""
        how_far = " whole" if self.records.dated else ""
        return f"{self.name} cannot be read{how_far}: {exc.strerror or exc}"

    def note_change(self, handle: BinaryIO) -> None:
        """Say what happened to the open file while it was read, unless it only grew."""
        change = self.profile.file.change_of(os.fstat(handle.fileno()))
        if change is not None:
            self.search.problems.add(f"{{files}} was {change}: not all of it was read, search again", self.name)

    def notice_suppression(self, text: str) -> None:
        """Say so when a text of the file says, in the window, that not everything was written."""
        if self._says_suppressed:
            return
        for line in suppression_lines(text):
            time = time_of_line(line, self.profile, self.clock)
            if time is not None and self.search.request.window.start <= time < self.search.request.window.end:
                self._says_suppressed = True
                self.search.notes.add(
                    "{files} says in the window that messages were suppressed, dropped or put together: it holds not all",
                    self.name,
                )
                return

    def finish_partly(self, handle: BinaryIO, suppressions: Iterable[int]) -> None:
        """Say what has to be said of a file of which only the records with asked words were read.

        ``suppressions`` are the bytes at which a logger may say that it did not write everything.
        """
        for offset in suppressions:
            handle.seek(max(0, offset - _LINE))
            self.notice_suppression(handle.read(2 * _LINE).decode("utf-8", "backslashreplace"))
        self.note_change(handle)
        self.remark(is_whole=False)
        self.note_scope()

    def note_scope(self) -> None:
        """Say that not all of the file was counted for the scope."""
        self.search.notes.add(
            "only records with the words were looked for in {files}; not all others were counted (in_scope)", self.name
        )

    def remark(self, *, is_whole: bool) -> None:
        """Say what was assumed of the file. ``is_whole``: all of it was read."""
        problems, notes, frame = self.search.problems, self.search.notes, self.profile.frame
        if self.profile.has_other_bytes and self.search.matcher.asks_beyond_ascii:
            problems.add(
                "{files} holds bytes that are no UTF-8, in which words of other letters than ASCII are not found", self.name
            )
        if self.profile.is_latin1:
            notes.add("{files} was read as Latin-1, as its sample is no UTF-8", self.name)
        if is_whole and self.records.dated == 0 and self.records.undated > 0:
            undated = self.records.undated
            records = "its 1 record is" if undated == 1 else f"its {undated} records are"
            lacks = "times of day without a date" if self.clock.met_dayless else "no timestamps"
            problems.add(f"{{files}} has {lacks}, so {records} in no window", self.name)
        elif self.records.undated_fit:
            problems.add("records of {files} without a time fit as well, and are in no window", self.name)
        if frame is not None and frame.has_time:
            return
        if self.clock.assumed_zone:
            notes.add(f"times without a zone were read as {self.search.zone} in {{files}}", self.name)
            self._remark_repeated_hour()
        if self.clock.assumed_year is not None:
            basis = "from the file's name" if self.clock.day else "a guess from when the file was last changed"
            notes.add(f"times without a year were read as {self.clock.assumed_year} in {{files}}: {basis}", self.name)
        if self.clock.assumed_day:
            notes.add("times without a date were read as of the day in the file's name in {files}", self.name)

    def _remark_repeated_hour(self) -> None:
        zone, window, oldest, newest = self.search.zone, self.search.request.window, self.profile.oldest, self.profile.newest
        if oldest is None or newest is None:
            return
        hour = repeated_hour(zone, max(oldest, window.start), min(newest, shifted(window.end, -datetime.resolution)))
        if hour is None:
            return
        remarks = self.search.problems if hour.is_cut_by(window) else self.search.notes
        remarks.add(
            f"the time from {hour.local:%H:%M} on {hour.local:%Y-%m-%d} came twice in {zone}: "
            "that in {files} was read as the first",
            self.name,
        )


def newest_first(files: Iterable[SearchedFile]) -> list[SearchedFile]:
    """Return files by the time of their last record; those that have none last."""
    return sorted(files, key=lambda file: 0.0 if file.profile.newest is None else -file.profile.newest.timestamp())
