"""One request to VictoriaLogs: a small scope is read whole; of a large one what can match is, and the server counts the rest."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Final

from groundwire.adapters.logs.backwards import BackwardReader, EntryPage
from groundwire.adapters.logs.entry import Entry, Span, instant_of
from groundwire.adapters.logs.entry_joining import EntryJoiner
from groundwire.adapters.logs.entry_labels import are_told_apart, level_labels, take_level
from groundwire.adapters.logs.entry_reading import unwrapped
from groundwire.adapters.logs.entry_search import EntrySearch, Missing, ServerCounts, unread_levels
from groundwire.adapters.logs.needed_texts import needed_texts
from groundwire.adapters.logs.victorialogs_answers import Hits
from groundwire.adapters.logs.victorialogs_api import PAGE, VictoriaLogsApi
from groundwire.adapters.logs.victorialogs_query import level_filter, service_filters, text_filters, time_filter
from groundwire.domain.errors import BackendError
from groundwire.domain.levels import Level
from groundwire.domain.logs import UNKNOWN_LEVEL, LogCounts, LogPage, LogRequest, bucket_width

MOST_READ: Final = 20_000
_SAMPLE: Final = 100
_NO_STREAM: Final = "{}"


class VictoriaLogsSearch:
    """The search for one request."""

    def __init__(self, api: VictoriaLogsApi, request: LogRequest, *, whole_up_to: int) -> None:
        self._api = api
        self._request = request
        self._whole_up_to = whole_up_to
        self._deadline = request.deadline
        self._span = Span.of(request.window)
        self._search = EntrySearch(request)
        self._fields: Sequence[str] = ()
        self._problems: list[str] = []
        self._uncounted: list[str] = []
        self._is_filtered = False
        self._notes: list[str] = []

    def run(self) -> LogPage:
        """Return the answer.

        Raises:
            BackendError: Nothing could be read.
        """
        self._fields = self._api.fields(time_filter(self._span), self._deadline)
        self._notes += [self._api.clock_doubt] if self._api.clock_doubt else []
        service, is_exact = self._service()
        levels = level_filter(self._request.min_level, self._fields)
        scope = self._count_scope(service)
        if scope is not None and scope.total <= self._whole_up_to:
            joiner = EntryJoiner(self._search.take_record)
            self._read(service, lambda entry: joiner.add(entry, _stream_of(entry), entry.at_ns, unwrapped(entry.text)))
            self._notes += joiner.finish()
            return self._page(ServerCounts())
        if scope is not None and is_exact and not self._request.query.terms:
            counted = self._counted(scope, service, service + levels)
            if counted is not None:
                self._read(service + levels, most=self._request.limit, is_enough=True)
                return self._page(counted)
        texts = text_filters(needed_texts(self._request.query), self._fields)
        self._read(service + levels + texts)
        if scope is not None and is_exact:
            return self._page(ServerCounts(in_scope=self._with_ends(scope, service)))
        self._is_filtered = bool(levels or texts)
        return self._page(ServerCounts(in_scope=self._sampled(service) if self._is_filtered else None))

    def _service(self) -> tuple[str, bool]:
        """Return the filter for the asked service, and whether what it finds is of that service for certain."""
        if self._request.service is None:
            return "", True
        named, nameless = service_filters(self._request.service, self._fields)
        if not named or not nameless:
            return nameless, False
        try:
            is_named = self._count(nameless).total == 0
        except BackendError:
            is_named = False
        return (named, are_told_apart(self._fields)) if is_named else (f" ({named} or {nameless})", False)

    def _count_scope(self, service: str) -> LogCounts | None:
        try:
            return self._count(service)
        except BackendError as exc:
            self._uncounted.append(f"the server did not count what is there: {exc.backend_message}")
            return None

    def _count(self, filters: str) -> LogCounts:
        hits = self._hits(filters)
        by_level: dict[Level | None, int] = {}
        for fields, count in hits.groups:
            level = take_level(dict(fields))
            by_level[level] = by_level.get(level, 0) + count
        worst_first = sorted(by_level, key=lambda level: -1 if level is None else level, reverse=True)
        named = {UNKNOWN_LEVEL if level is None else level.name: by_level[level] for level in worst_first if by_level[level]}
        return LogCounts(total=sum(by_level.values()), by_level=named)

    def _hits(self, filters: str) -> Hits:
        level = next(iter(level_labels(self._fields)), None)
        return self._api.hits(time_filter(self._span) + filters, bucket_width(self._request.window), level, self._deadline)

    def _counted(self, scope: LogCounts, service: str, filters: str) -> ServerCounts | None:
        """Return the server's counts for a request without terms; None where it counts otherwise than we do, or did not."""
        try:
            counted = self._count(filters)
            unknown = counted.by_level.get(UNKNOWN_LEVEL, 0)
            if self._request.min_level is not None and unknown:
                return None
            return ServerCounts(
                in_scope=self._with_ends(scope, service),
                matched=self._with_ends(counted, filters),
                histogram=self._hits(filters).buckets,
                notes=unread_levels(unknown),
            )
        except BackendError:
            return None

    def _sampled(self, service: str) -> LogCounts | None:
        """Return how many of the newest entries are of the service, which is then not silent; None: no more than were read."""
        sample = EntrySearch(self._request)
        for entry in self._api.entries(time_filter(self._span) + service, _SAMPLE, self._deadline).entries:
            sample.take(entry)
        sampled, read = sample.seen(is_exact=False), self._search.seen(is_exact=False)
        return sampled if sampled.total > read.total else None

    def _with_ends(self, counts: LogCounts, filters: str) -> LogCounts:
        """Return counts with the first and last time, where the server says them."""
        query = time_filter(self._span) + filters
        try:
            oldest = self._api.entries(f"{query} | sort by (_time) limit 1", 1, self._deadline).entries
            newest = self._api.entries(query, 1, self._deadline).entries
        except BackendError:
            return counts
        first, last = (instant_of(entries[0].at_ns) if entries else None for entries in (oldest, newest))
        return replace(counts, first_at=first, last_at=last)

    def _read(
        self, filters: str, take: Callable[[Entry], None] | None = None, *, most: int = MOST_READ, is_enough: bool = False
    ) -> None:
        def ask(span: Span, limit: int) -> EntryPage:
            return self._api.entries(time_filter(span) + filters, limit, self._deadline)

        reader = BackwardReader(ask, take or self._search.take, page_size=min(PAGE, most), deadline=self._deadline)
        reader.read(self._span, most=most, is_enough=is_enough)
        self._problems += [*reader.unread, *reader.doubts]
        self._notes += reader.notes

    def _page(self, counts: ServerCounts) -> LogPage:
        of_scope = self._uncounted if self._is_filtered else ()
        missing = Missing(of_matches=self._problems, of_scope=of_scope, is_filtered=self._is_filtered)
        return self._search.page(missing, notes=(*self._notes, *counts.notes), server=counts)


def _stream_of(entry: Entry) -> Hashable | None:
    """Return the stream of an entry; without fields that name streams, all entries are of the same one."""
    return None if entry.place == _NO_STREAM else entry.place
