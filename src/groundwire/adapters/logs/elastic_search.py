"""One search: the server decides what it can decide as we do; what it cannot is read and decided here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from groundwire.adapters.logs.elastic_counts import Counted, count_document, read_counts
from groundwire.adapters.logs.elastic_decisions import at_least, decided, owned_by
from groundwire.adapters.logs.elastic_index import PAGE_SIZE, ElasticIndex
from groundwire.adapters.logs.elastic_layout import Layout
from groundwire.adapters.logs.elastic_query import (
    Clause,
    every,
    in_window,
    is_whole_milliseconds,
    lacks_all,
    mentions,
    none_of,
    searched,
)
from groundwire.adapters.logs.elastic_records import RecordReader
from groundwire.adapters.logs.matching import QueryMatcher, is_of_service
from groundwire.adapters.logs.remarks import some_names
from groundwire.adapters.logs.tally import Tally
from groundwire.domain.errors import BackendError, BackendTimeoutError
from groundwire.domain.logs import UNKNOWN_LEVEL, LogCounts, LogPage, LogRecord, LogRequest, bucket_width

MOST_READ: Final = 10_000
"""Records that are read at most where the server cannot decide; of what is beyond, the newest are."""


@dataclass(slots=True, kw_only=True)
class _Said:
    """What the answer has to say about itself, each thing once."""

    reasons: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def add(self, reasons: Iterable[str] = (), notes: Iterable[str] = ()) -> None:
        self.reasons.update(dict.fromkeys(reasons))
        self.notes.update(dict.fromkeys(notes))


class ElasticSearch:
    """Answers one request from one index."""

    def __init__(self, index: ElasticIndex, layout: Layout, reader: RecordReader, request: LogRequest) -> None:
        self._index = index
        self._layout = layout
        self._reader = reader
        self._request = request
        self._matcher = QueryMatcher(request.query)
        self._said = _Said()

    def run(self) -> LogPage:
        window, service = self._request.window, self._request.service
        scope = [in_window(self._layout.time, window)]
        is_exact = is_whole_milliseconds(window)
        if service is not None:
            owner, is_owner_exact = owned_by(self._layout, service)
            scope, is_exact = [*scope, *owner], is_exact and is_owner_exact
        counted = self._count(scope)
        if service is not None and counted.counts.total == 0 and len(scope) > 1:
            # Nobody goes by that name in a field that is indexed: who does in one that is not, is found by reading.
            scope, is_exact = [scope[0], lacks_all(self._layout.service)], False
            counted = self._count(scope)
            if counted.counts.total > MOST_READ:
                self._said.add([f"{counted.counts.total} records have no service in an indexed field, too many to look through"])
        has_levels = bool(self._layout.level) and counted.has_all_levels
        if counted.counts.total <= MOST_READ and not (is_exact and has_levels):
            return self._read(scope, counted.counts, in_scope=None)
        clauses = decided(self._layout, self._request, counted) if is_exact else None
        if clauses is not None:
            page = self._decided_page(scope, clauses, counted)
            if page is not None:
                return page
            is_exact = False  # what the server takes to be in scope is not
        return self._read_matches(scope, counted, in_scope=counted.counts if is_exact else None)

    def _decided_page(self, scope: list[Clause], clauses: list[Clause], counted: Counted) -> LogPage | None:
        """Return the page that the server decided alone; None when a record shows that it decided otherwise than we do."""
        matched = self._count([*scope, *clauses]) if clauses else counted
        records: list[LogRecord] = []
        unreadable = 0
        limit = self._request.limit
        for page in self._index.newest([*scope, *clauses], self._layout, limit, self._request.deadline):
            self._said.add(page.reasons, page.notes)
            for record in map(self._reader.read, page.hits):
                if record is None:
                    unreadable += 1
                elif self._is_in_scope(record) and self._is_match(record):
                    records.append(record)
                else:
                    return None
            if len(records) >= limit:
                break
        self._say_unreadable(unreadable)
        records.sort(key=self._newness, reverse=True)
        unnamed = counted.counts.by_level.get(UNKNOWN_LEVEL, 0)
        if not (counted.has_all_levels and self._layout.level):
            self._said.add(notes=["the server cannot count the levels of so many records: those it cannot count are UNKNOWN"])
        if self._request.min_level is not None and unnamed:
            self._said.add(notes=[f"a level leaves out what names none: {unnamed} of the records in scope"])
        return self._page(records, matched=matched.counts, in_scope=counted.counts, histogram=matched.histogram)

    def _read_matches(self, scope: list[Clause], counted: Counted, *, in_scope: LogCounts | None) -> LogPage:
        """Return a page that is decided here, over as little as the server can be asked for."""
        filters, found = scope, counted
        least = self._request.min_level
        by_level = None if least is None else at_least(self._layout, counted, least)
        if by_level is not None and found.counts.total > PAGE_SIZE:
            filters = [*scope, by_level]
            found = self._count(filters)
        words = mentions(self._request.query.terms, self._layout)
        if words and found.counts.total > MOST_READ:
            total = found.counts.total
            filters = [*filters, *words]
            found = self._count(filters)
            looked = some_names([column.name for column in searched(self._layout)])
            self._said.add(
                [
                    f"{total} records are too many to read, so that the server was asked for the words: in {looked}, by its own "
                    "index, which may lack what other fields and parts of numbers hold; the counts are the least that there are"
                ]
            )
        return self._read(filters, found.counts, in_scope=in_scope, is_narrowed=filters is not scope)

    def _read(
        self, filters: Sequence[Clause], found: LogCounts, *, in_scope: LogCounts | None, is_narrowed: bool = False
    ) -> LogPage:
        """Read the newest of what the server found, and decide here; ``in_scope`` where the server could count it.

        ``is_narrowed``: not all that is in scope is among it.
        """
        request = self._request
        tally = Tally(request.limit, bucket_width(request.window))
        matches: list[LogRecord] = []
        fetched = 0
        unreadable = 0
        try:
            for page in self._index.newest(filters, self._layout, min(MOST_READ, found.total + 1), request.deadline):
                self._said.add(page.reasons, page.notes)
                for record in map(self._reader.read, page.hits):
                    fetched += 1
                    unreadable += record is None
                    if record is not None and record.timestamp is not None and self._is_in_scope(record):
                        tally.in_scope.add(record.timestamp, record.level)
                        if self._is_match(record):
                            tally.add_match(record.timestamp, record.level)
                            matches.append(record)
                if fetched >= MOST_READ:
                    break
        except BackendTimeoutError:
            if not fetched:
                raise
            self._said.add([f"time ran out after the newest {fetched} of {found.total} records that the server found"])
        if fetched >= MOST_READ and (found.total > fetched or not found.is_exact):
            least = "" if found.is_exact else "at least "
            self._said.add([f"only the newest {fetched} of {least}{found.total} records that the server found were read"])
        self._say_unreadable(unreadable)
        matches.sort(key=self._newness, reverse=True)
        is_whole = not self._said.reasons
        return self._page(
            matches[: request.limit],
            matched=tally.matched.counts(is_exact=is_whole),
            in_scope=tally.in_scope.counts(is_exact=is_whole and not is_narrowed) if in_scope is None else in_scope,
            histogram=dict(sorted(tally.histogram.items())),
            fetched_count=fetched,
        )

    def _page(
        self,
        records: Sequence[LogRecord],
        *,
        matched: LogCounts,
        in_scope: LogCounts,
        histogram: Mapping[datetime, int],
        fetched_count: int | None = None,
    ) -> LogPage:
        undated = self._undated() if in_scope.total == 0 else 0
        if self._reader.clock_note is not None:
            self._said.add(notes=[self._reader.clock_note])
        return LogPage(
            records=tuple(records[: self._request.limit]),
            matched=matched,
            in_scope=in_scope,
            histogram=histogram,
            undated_count=undated,
            fetched_count=fetched_count,
            partial_reasons=tuple(self._said.reasons),
            notes=tuple(self._said.notes),
        )

    def _say_unreadable(self, count: int) -> None:
        if count:
            self._said.add([f"documents not read, since not kept (_source) or longer than an answer may be: {count}"])

    def _undated(self) -> int:
        """Return how many records of the service have no time, and say so: no window holds them."""
        service = self._request.service
        owner = [] if service is None else owned_by(self._layout, service)[0]
        filters = [none_of([{"exists": {"field": self._layout.time}}]), *owner]
        try:
            answer, _ = self._index.ask(
                {"size": 1, "query": every(filters), "track_total_hits": True, "_source": False}, self._request.deadline
            )
        except BackendError as exc:
            self._said.add([f"whether there are records without a time could not be asked: {exc.backend_message}"])
            return 0
        if answer.total:
            where = f" (one is in {answer.hits[0].index})" if answer.hits else ""
            have = "1 record has" if answer.total == 1 else f"{answer.total} records have"
            self._said.add([f"{have} no {self._layout.time}, and so is in no window{where}"])
        return answer.total

    def _count(self, filters: Sequence[Clause]) -> Counted:
        document = count_document(filters, self._layout, bucket_width(self._request.window))
        answer, notes = self._index.ask(document, self._request.deadline)
        counted = read_counts(answer, self._layout)
        self._said.add(counted.reasons, notes)
        return counted

    def _newness(self, record: LogRecord) -> datetime:
        return record.timestamp or self._request.window.start

    def _is_in_scope(self, record: LogRecord) -> bool:
        window, service = self._request.window, self._request.service
        if record.timestamp is None or not window.start <= record.timestamp < window.end:
            return False
        return service is None or is_of_service(record, service)

    def _is_match(self, record: LogRecord) -> bool:
        least = self._request.min_level
        if least is not None and (record.level is None or record.level < least):
            return False
        return self._matcher.matches(record)
