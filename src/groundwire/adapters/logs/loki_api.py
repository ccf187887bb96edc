"""The three questions that Loki is asked: which streams are there, which entries, and how many."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from groundwire.adapters.logs.backwards import EntryPage
from groundwire.adapters.logs.entry import Span
from groundwire.adapters.logs.loki_answers import LokiShapeError, read_buckets, read_counts, read_entries, read_series
from groundwire.adapters.logs.loki_query import Labels, can_be_counted, count_query
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.adapters.servers.clock import clock_doubt
from groundwire.adapters.servers.json_body import JsonBody, kind_of
from groundwire.adapters.servers.words import error_message, text_list
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError

_PAGE: Final = 5000
_SMALLER: Final = re.compile(r"max entries limit.*\(\d+ > (\d+)\)")

Read = TypeVar("Read")


class LokiApi:
    """One Loki. An answer of another shape, and an error in whatever shape, is a ``BackendError``."""

    def __init__(self, backend: str, url: str, options: HttpOptions, now: Callable[[], datetime]) -> None:
        self._now = now
        self._api = ServerApi(backend, url, options, endpoints=("/loki/api",))
        self.page_size = _PAGE
        self.clock_doubt: str | None = None
        """What is to be said of the server's clock, once it answered."""

    def streams(self, span: Span, deadline: Deadline) -> Sequence[Labels] | None:
        """Return the labels of every stream of a span of time; None where there are more than can be listed."""
        body = self._api.fetch("GET", "/loki/api/v1/series", deadline, params=_bounds(span))
        self.clock_doubt = clock_doubt(body.date, self._now())
        if body.cut:
            return None
        answer = self._api.json_of(body)
        return self._read(read_series, self._data(answer), answer)

    def entries(self, query: str, span: Span, limit: int, deadline: Deadline, *, oldest_first: bool = False) -> EntryPage:
        """Return the newest, or the oldest, entries of a log query. A server that allows fewer at a time is asked for those."""
        asked = min(limit, self.page_size)
        params = {
            **_bounds(span),
            "query": query,
            "limit": str(asked),
            "direction": "forward" if oldest_first else "backward",
        }
        try:
            body = self._api.fetch("GET", "/loki/api/v1/query_range", deadline, params=params)
        except BackendRejectedError as exc:
            allowed = _SMALLER.search(exc.message)
            if allowed is None or not 0 < int(allowed[1]) < asked:
                raise
            self.page_size = int(allowed[1])
            return self.entries(query, span, limit, deadline, oldest_first=oldest_first)
        if body.cut:
            return EntryPage(entries=(), is_full=True, is_cut=True)
        answer = self._api.json_of(body)
        streams = self._read(read_entries, self._data(answer), answer)
        return EntryPage(
            entries=streams.entries,
            is_full=bool(streams.entries) and streams.sent_count >= asked,
            doubts=(*streams.doubts, *(f"warning: {text}" for text in text_list(answer.value.get("warnings")))),
            notes=(*streams.notes, *answer.notes),
        )

    def counts(self, query: str, span: Span, by: Sequence[str], deadline: Deadline) -> list[tuple[Mapping[str, str], int]]:
        """Return how many entries of a log query there are, by labels. The span must be one that can be counted."""
        if not can_be_counted(span):
            raise ValueError("Loki counts over whole milliseconds")
        # The range before the last nanosecond of the span, which counts itself in: to the nanosecond the span.
        params = {"query": count_query(query, span.end - span.start, by), "time": str(span.end - 1)}
        answer = self._api.json_of(self._api.fetch("GET", "/loki/api/v1/query", deadline, params=params))
        return self._read(read_counts, self._data(answer), answer)

    def buckets(self, query: str, span: Span, width_ns: int, deadline: Deadline) -> dict[int, int]:
        """Return counts by the epoch second that a bucket starts at; ``span`` starts and ends where buckets do."""
        params = {
            # Evaluated where a bucket ends, over what lies before that: shifted, as a range counts its last moment in.
            "query": count_query(query, width_ns, (), offset=" offset 1ns"),
            "start": str(span.start + width_ns),
            "end": str(span.end),
            "step": f"{width_ns // 1_000_000_000}s",
        }
        answer = self._api.json_of(self._api.fetch("GET", "/loki/api/v1/query_range", deadline, params=params))
        ends = self._read(read_buckets, self._data(answer), answer)
        return {end - width_ns // 1_000_000_000: count for end, count in ends.items() if count}

    def _data(self, answer: JsonBody) -> Any:
        value = answer.value
        if isinstance(value, dict) and value.get("status") == "error":
            raise self._api.rejected(error_message(value))
        if not isinstance(value, dict) or value.get("status") != "success":
            raise self._api.malformed(
                f"answered something else than Loki does: it is {kind_of(value)}, not an object with status and data",
                answer.start,
            )
        return value.get("data")

    def _read(self, read: Callable[[Any], Read], data: Any, answer: JsonBody) -> Read:
        try:
            return read(data)
        except LokiShapeError as exc:
            raise self._api.malformed(f"answered something else than Loki does: {exc}", answer.start) from exc


def _bounds(span: Span) -> dict[str, str]:
    return {"start": str(span.start), "end": str(span.end)}
