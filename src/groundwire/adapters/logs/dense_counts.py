"""Counts a common word in big files of JSON lines by what ripgrep prints: lines that prove of themselves that they match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import itemgetter
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.line_shapes import LineShape, line_shape
from groundwire.adapters.logs.looking import Hit
from groundwire.adapters.logs.matching import is_of_service
from groundwire.adapters.logs.record_scan import read_alone
from groundwire.adapters.logs.ripgrep import RipgrepLook
from groundwire.adapters.logs.searched_file import SearchedFile
from groundwire.adapters.logs.shapes import LONGEST_LINE
from groundwire.domain.deadline import Deadline
from groundwire.domain.levels import Level
from groundwire.domain.logs import bucket_width

_SAMPLE: Final = 16 * 1024
_MOST_LINES: Final = 12
_MOST_KEYS: Final = 20_000
# How much of a time tells its bucket, from which width of buckets on, and what makes that a time again.
_STARTS: Final = (
    (timedelta(hours=1), len("2026-11-12T09"), b":00:00"),
    (timedelta(minutes=1), len("2026-11-12T09:00"), b":00"),
    (timedelta(), len("2026-11-12T09:00:00"), b""),
)


class NotCountableError(Exception):
    """A file holds what cannot be counted so."""


@dataclass(slots=True)
class DenseCounts:
    """What was counted of one file: by level, by the minute or second they are of, the first and last time, and all lines."""

    by_level: Counter[Level] = field(default_factory=Counter)
    by_start: Mapping[datetime, int] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None
    lines: int = 0
    odd: Sequence[Hit] = ()
    """Where the lines start that hold a word and could not be counted."""


class _FileCount:
    def __init__(self, file: SearchedFile, shape: LineShape) -> None:
        self.counts = DenseCounts()
        self.file = file
        request = file.search.request
        self._window, self._least, self._service = request.window, request.min_level, request.service
        self._levels: dict[object, Level | None] = {}
        self._columns = shape.columns
        self._time_at = shape.time_column
        self._key_of = itemgetter(*(at for at in range(self._columns.groups) if at != self._time_at or self._columns.groups == 1))
        # Buckets start at whole hours of UTC, which other zones need not do.
        width = bucket_width(request.window) if shape.time_form.endswith(("Z", ":00")) else timedelta(minutes=1)
        least = next(least for least in _STARTS if min(width, bucket_width(request.window)) >= least[0])
        self._start, self._behind = least[1:]
        self._by_start: Counter[bytes] = Counter()
        self._zone = b""

    def finished(self) -> DenseCounts:
        """Return what was counted."""
        behind = self._behind + self._zone
        self.counts.by_start = {self._instant(text + behind): number for text, number in self._by_start.items()}
        return self.counts

    def add(self, piece: bytes) -> None:
        """Add some lines, each behind the file's path and a NUL."""
        rows = self._columns.findall(piece)
        if len(rows) != piece.count(b"\n") or not self._columns.groups > 1 or _has_long_line(piece):
            raise NotCountableError
        self.counts.lines += len(rows)
        at = self._time_at
        times = list(map(itemgetter(at), rows))
        self._zone = b"Z" if times[0].endswith(b"Z") else times[0][-len(b"+00:00") :]
        keys = list(map(self._key_of, rows))
        by_key = Counter(keys)
        self._learn(piece, times, keys, by_key.keys() - self._levels.keys())
        first, last = self._instant(min(times)), self._instant(max(times))
        if last < self._window.start or first >= self._window.end:
            return
        if not (self._window.start <= first and last < self._window.end):
            within = [self._window.start <= self._instant(time) < self._window.end for time in times]
            times = [time for time, is_within in zip(times, within, strict=True) if is_within]
            keys = [key for key, is_within in zip(keys, within, strict=True) if is_within]
            by_key = Counter(keys)
        asked = {key: level for key in by_key if (level := self._levels[key]) is not None}
        if len(asked) < len(by_key):
            times = [time for time, key in zip(times, keys, strict=True) if key in asked]
        if not times:
            return
        for key, level in asked.items():
            self.counts.by_level[level] += by_key[key]
        start = self._start
        self._by_start.update([time[:start] for time in times])
        is_all = len(times) == len(rows)
        self._stretch(first if is_all else self._instant(min(times)))
        self._stretch(last if is_all else self._instant(max(times)))

    def _learn(self, piece: bytes, times: Sequence[bytes], keys: Sequence[object], unknown: set[object]) -> None:
        if not unknown:
            return
        if len(self._levels) > _MOST_KEYS:
            raise NotCountableError
        lines = piece.split(b"\n")
        for number, key in enumerate(keys):
            if key not in unknown:
                continue
            unknown.discard(key)
            record, reading = read_alone(self.file.profile, self.file.clock, lines[number].partition(b"\0")[2].decode(), 0)
            is_known = record.start is not None and record.start.format.name == "json" and reading.level is not None
            if not is_known or record.time != self._instant(times[number]):
                raise NotCountableError
            is_asked = self._service is None or is_of_service(reading, self._service)
            is_severe = self._least is None or (reading.level is not None and reading.level >= self._least)
            self._levels[key] = reading.level if is_asked and is_severe else None
            if not unknown:
                return

    def _instant(self, text: bytes) -> datetime:
        moment = self.file.clock.iso(text.decode())
        if moment is None:
            raise NotCountableError
        return moment

    def _stretch(self, moment: datetime) -> None:
        counts = self.counts
        counts.first = moment if counts.first is None else min(counts.first, moment)
        counts.last = moment if counts.last is None else max(counts.last, moment)


def _has_long_line(piece: bytes) -> bool:
    step = LONGEST_LINE // 2
    return any(piece.find(b"\n", at, at + step) < 0 for at in range(0, len(piece) - step, step))


def count_densely(
    look: RipgrepLook, files: Sequence[SearchedFile], forms: Sequence[str], deadline: Deadline
) -> dict[SearchedFile, tuple[LineShape, DenseCounts]]:
    """Return the counts of the files of which that can be had, and which lines of them have to be read.

    ``forms`` are texts in lower case; a record matches when one of them stands in its message, and maybe also otherwise.

    Raises:
        OSError: A file cannot be read, or ``rg`` failed.
        TimeoutError: The deadline passed.
    """
    alike: dict[LineShape, list[SearchedFile]] = {}
    for file in files:
        sample = _sample(file)
        shape = None if sample[0].startswith("\ufeff") else line_shape(sample)
        if shape is not None:
            alike.setdefault(shape, []).append(file)
    counted: dict[SearchedFile, tuple[LineShape, DenseCounts]] = {}
    for shape, some in alike.items():
        for file, counts in _count(look, some, shape, forms, deadline).items():
            counted[file] = (shape, counts)
    return counted


def _count(
    look: RipgrepLook, files: Sequence[SearchedFile], shape: LineShape, forms: Sequence[str], deadline: Deadline
) -> dict[SearchedFile, DenseCounts]:
    pattern, needles = shape.with_word(forms), files[0].search.matcher.needles
    counters = {file.profile.file.path: _FileCount(file, shape) for file in files}
    failed: set[Path] = set()
    counting = look.start_counting(list(counters), needles)
    try:
        for path, piece in look.lines_like(pattern, list(counters), needles, deadline):
            try:
                if path not in failed:
                    counters[path].add(piece)
            except NotCountableError:
                failed.add(path)
    finally:
        lines = counting(deadline)
    kept = {path: counter for path, counter in counters.items() if path not in failed and path in lines}
    odd = [path for path, counter in kept.items() if counter.counts.lines != lines[path]]
    if odd:
        for path, hits in look.lines_unlike(pattern, odd, needles, deadline).items():
            kept[path].counts.odd = hits
    sound = (path for path, counter in kept.items() if counter.counts.lines + len(counter.counts.odd) == lines[path])
    return {kept[path].file: kept[path].finished() for path in sound}


def _sample(file: SearchedFile) -> Sequence[str]:
    with file.profile.file.path.open("rb") as handle:
        return handle.read(_SAMPLE).decode("utf-8", "backslashreplace").split("\n")[:_MOST_LINES]
