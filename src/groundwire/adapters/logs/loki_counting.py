"""Counts by Loki itself, over streams that are known to be of the asked service alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from groundwire.adapters.logs.entry import Span, epoch_ns, instant_of
from groundwire.adapters.logs.entry_labels import LEVEL_LABELS, level_labels, take_level
from groundwire.adapters.logs.entry_search import ServerCounts, unread_levels
from groundwire.adapters.logs.loki_api import LokiApi
from groundwire.adapters.logs.loki_query import can_be_counted
from groundwire.domain.errors import BackendError
from groundwire.domain.levels import Level
from groundwire.domain.logs import UNKNOWN_LEVEL, LogCounts, LogRequest, bucket_start, bucket_width

_MICROSECOND: Final = timedelta(microseconds=1)


class LokiCounting:
    """Counts for one request. Levels are those that labels name: Loki is not asked to read texts as we do."""

    def __init__(self, api: LokiApi, request: LogRequest, selectors: Sequence[str]) -> None:
        self._api = api
        self._request = request
        self._selectors = selectors
        self._span = Span.of(request.window)
        self.level_labels: tuple[str, ...] = ()
        """The labels that name a level somewhere in the scope, once it was counted."""

    def scope(self) -> LogCounts | None:
        """Return how much there is in all; None where the window is no whole number of milliseconds.

        Raises:
            BackendError: Loki did not count.
        """
        return self._counts("", self._span) if can_be_counted(self._span) else None

    def of_scope(self, scope: LogCounts | None) -> ServerCounts:
        """Return the counts of a scope with its first and last time."""
        try:
            return ServerCounts(in_scope=None if scope is None else self._with_ends(scope, ""))
        except BackendError:
            return ServerCounts(in_scope=scope)

    def matched(self, scope: LogCounts, filters: str) -> ServerCounts | None:
        """Return the counts for a request without terms; None where Loki counts otherwise than we do, or did not."""
        try:
            counted = self._counts(filters, self._span)
            unknown = counted.by_level.get(UNKNOWN_LEVEL, 0)
            if self._request.min_level is not None and unknown:
                return None
            return ServerCounts(
                in_scope=self._with_ends(scope, ""),
                matched=self._with_ends(counted, filters),
                histogram=self._histogram(filters),
                notes=unread_levels(unknown),
            )
        except BackendError:
            return None

    def _counts(self, filters: str, span: Span) -> LogCounts:
        by_level: dict[Level | None, int] = {}
        for selector in self._selectors:
            for labels, count in self._api.counts(selector + filters, span, LEVEL_LABELS, self._request.deadline):
                self.level_labels = level_labels({*self.level_labels, *(name for name, value in labels.items() if value)})
                level = take_level(dict(labels))
                by_level[level] = by_level.get(level, 0) + count
        worst_first = sorted(by_level, key=lambda level: -1 if level is None else level, reverse=True)
        named = {UNKNOWN_LEVEL if level is None else level.name: by_level[level] for level in worst_first if by_level[level]}
        return LogCounts(total=sum(by_level.values()), by_level=named)

    def _with_ends(self, counts: LogCounts, filters: str) -> LogCounts:
        oldest, newest = self._ends(filters, oldest_first=True), self._ends(filters, oldest_first=False)
        return replace(
            counts,
            first_at=instant_of(min(oldest)) if oldest else None,
            last_at=instant_of(max(newest)) if newest else None,
        )

    def _ends(self, filters: str, *, oldest_first: bool) -> list[int]:
        found: list[int] = []
        for selector in self._selectors:
            query = selector + filters
            page = self._api.entries(query, self._span, 1, self._request.deadline, oldest_first=oldest_first)
            found += [entry.at_ns for entry in page.entries]
        return found

    def _histogram(self, filters: str) -> dict[datetime, int]:
        window, width = self._request.window, bucket_width(self._request.window)
        first, last = bucket_start(window.start, width), bucket_start(window.end - _MICROSECOND, width)
        inner = Span(epoch_ns(first if first == window.start else first + width), epoch_ns(last))
        counts: dict[datetime, int] = {}
        if inner.start < inner.end:
            for selector in self._selectors:
                found = self._api.buckets(selector + filters, inner, width // _MICROSECOND * 1000, self._request.deadline)
                for second, count in found.items():
                    start = datetime.fromtimestamp(second, UTC)
                    counts[start] = counts.get(start, 0) + count
        # Buckets that the window cuts are counted for themselves.
        for start in {first, last} if first != window.start else {last}:
            edge = Span(max(self._span.start, epoch_ns(start)), min(self._span.end, epoch_ns(start + width)))
            if total := self._counts(filters, edge).total:
                counts[start] = total
        return counts
