"""Counts what a search finds, and keeps the newest of it: the memory needed does not grow with the files."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

from groundwire.adapters.logs.reading import Reading
from groundwire.domain.levels import Level
from groundwire.domain.logs import UNKNOWN_LEVEL, LogCounts, LogRecord, bucket_start


class _Counter:
    def __init__(self) -> None:
        self.total = 0
        self.is_whole = True
        self.by_level: dict[Level | None, int] = {}
        self.first: datetime | None = None
        self.last: datetime | None = None

    def add(self, time: datetime, level: Level | None) -> None:
        self.total += 1
        self.by_level[level] = self.by_level.get(level, 0) + 1
        if self.first is None or time < self.first:
            self.first = time
        if self.last is None or time > self.last:
            self.last = time

    def add_many(self, times: Sequence[datetime], levels: Sequence[Level | None]) -> None:
        self.total += len(times)
        for level, number in Counter(levels).items():
            self.by_level[level] = self.by_level.get(level, 0) + number
        first, last = min(times), max(times)
        self.first = first if self.first is None else min(self.first, first)
        self.last = last if self.last is None else max(self.last, last)

    def add_counted(self, by_level: Mapping[Level, int], first: datetime, last: datetime) -> None:
        for level, number in by_level.items():
            self.total += number
            self.by_level[level] = self.by_level.get(level, 0) + number
        self.first = first if self.first is None else min(self.first, first)
        self.last = last if self.last is None else max(self.last, last)

    def counts(self, *, is_exact: bool) -> LogCounts:
        worst_first = sorted(self.by_level, key=lambda level: -1 if level is None else level, reverse=True)
        return LogCounts(
            total=self.total,
            is_exact=is_exact and self.is_whole,
            by_level={UNKNOWN_LEVEL if level is None else level.name: self.by_level[level] for level in worst_first},
            first_at=self.first,
            last_at=self.last,
        )


class Tally:
    """The counts of one search, and at most ``limit`` records.

    ``counts_scope``, ``counts_matches`` and ``keeps_records`` say what is done for now, where
    records are read for one thing only.
    """

    def __init__(self, limit: int, width: timedelta) -> None:
        self._limit = limit
        self._width = width
        self._bucket = datetime.min.replace(tzinfo=UTC)
        self._sequence = count()
        self._newest: list[tuple[datetime, str, int, int, Reading]] = []
        self.in_scope = _Counter()
        self.matched = _Counter()
        self.histogram: dict[datetime, int] = {}
        self.undated_count = 0
        self.counts_scope = True
        self.counts_matches = True
        self.keeps_records = True

    def add_in_scope(self, time: datetime, level: Level | None) -> None:
        if self.counts_scope:
            self.in_scope.add(time, level)

    def add_many_in_scope(self, times: Sequence[datetime], levels: Sequence[Level | None]) -> None:
        """Add some records at once; at least one."""
        if self.counts_scope:
            self.in_scope.add_many(times, levels)

    @property
    def has_any(self) -> bool:
        """Whether any record of what is asked was read."""
        return self.in_scope.total + self.matched.total + self.undated_count > 0

    def add_match(self, time: datetime, level: Level | None) -> None:
        self.matched.add(time, level)
        self._add_to_histogram(time)

    def add_matches(self, times: Sequence[datetime], levels: Sequence[Level | None]) -> None:
        """Add some matches at once; at least one."""
        self.matched.add_many(times, levels)
        start = bucket_start(min(times), self._width)
        if max(times) < start + self._width:
            self.histogram[start] = self.histogram.get(start, 0) + len(times)
            return
        for time in times:
            self._add_to_histogram(time)

    def add_counted(
        self, by_level: Mapping[Level, int], by_start: Mapping[datetime, int], first: datetime, last: datetime
    ) -> None:
        """Add matches of which only these counts are known: ``by_start`` by times in the buckets that they are in."""
        self.matched.add_counted(by_level, first, last)
        for start, number in by_start.items():
            bucket = bucket_start(start, self._width)
            self.histogram[bucket] = self.histogram.get(bucket, 0) + number

    def _add_to_histogram(self, time: datetime) -> None:
        if not self._bucket <= time < self._bucket + self._width:
            self._bucket = bucket_start(time, self._width)
        self.histogram[self._bucket] = self.histogram.get(self._bucket, 0) + 1

    def wants(self, time: datetime) -> bool:
        """Return whether a record of that time is still among the newest."""
        return self.keeps_records and (len(self._newest) < self._limit or time >= self._newest[0][0])

    def keep(self, reading: Reading, time: datetime, file_name: str, line_number: int) -> None:
        # Of records of the same time, the later line counts as the newer, whatever order the files are read in.
        entry = (time, file_name, line_number, next(self._sequence), reading)
        if len(self._newest) < self._limit:
            heapq.heappush(self._newest, entry)
        else:
            heapq.heappushpop(self._newest, entry)

    def take_newest(self, other: Tally) -> None:
        """Keep the newest of what another tally kept, too."""
        for entry in other._newest:
            self.keep(entry[4], entry[0], entry[1], entry[2])

    def newest_first(self) -> tuple[LogRecord, ...]:
        """Return the records kept, each with its file and line as its source."""
        entries = sorted(self._newest, key=lambda entry: entry[:4], reverse=True)
        return tuple(
            LogRecord(
                timestamp=time,
                level=reading.level,
                service=reading.service,
                instance=reading.instance,
                message=reading.message,
                source=f"{file_name}:{line_number}",
                fields=reading.fields,
            )
            for time, file_name, line_number, _, reading in entries
        )
