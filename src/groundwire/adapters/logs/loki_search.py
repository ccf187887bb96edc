"""One request to Loki: a small scope is read whole; of a large one what can match is, and Loki counts where it counts alike."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final

from groundwire.adapters.logs.backwards import BackwardReader, EntryPage
from groundwire.adapters.logs.entry import Entry, Span
from groundwire.adapters.logs.entry_joining import EntryJoiner
from groundwire.adapters.logs.entry_labels import DETECTED_LEVEL, INSTANCE_LABELS, level_labels
from groundwire.adapters.logs.entry_reading import unwrapped
from groundwire.adapters.logs.entry_search import EntrySearch, Missing, ServerCounts
from groundwire.adapters.logs.loki_api import LokiApi
from groundwire.adapters.logs.loki_counting import LokiCounting
from groundwire.adapters.logs.loki_query import level_filter, line_filters, metadata_filter
from groundwire.adapters.logs.loki_streams import Choice
from groundwire.adapters.logs.needed_texts import needed_texts
from groundwire.domain.errors import BackendError
from groundwire.domain.logs import LogCounts, LogPage, LogRequest

MOST_READ: Final = 20_000
_LEAST_READ: Final = 1_000
_SAMPLES: Final = 4
_SAMPLE: Final = 100


class LokiSearch:
    """The search for one request in the chosen streams."""

    def __init__(self, api: LokiApi, request: LogRequest, choice: Choice, *, whole_up_to: int) -> None:
        self._api = api
        self._request = request
        self._choice = choice
        self._whole_up_to = whole_up_to
        self._span = Span.of(request.window)
        self._search = EntrySearch(request)
        self._counting = LokiCounting(api, request, choice.selectors)
        self._stream_labels = {name for labels in choice.labels for name in labels}
        self._own_labels: set[str] = set()
        self._seen: set[object] = set()
        self._joiner: EntryJoiner[Entry] | None = None
        self._problems: list[str] = list(choice.problems)
        self._uncounted: list[str] = []
        self._is_filtered = False
        self._notes: list[str] = [api.clock_doubt] if api.clock_doubt else []

    def run(self) -> LogPage:
        """Return the answer.

        Raises:
            BackendError: Nothing could be read.
        """
        scope = self._count_scope()
        if scope is not None and scope.total <= self._whole_up_to:
            self._joiner = EntryJoiner(self._search.take_record)
            self._read("")
            self._notes += self._joiner.finish()
            return self._page(ServerCounts())
        if scope is not None and self._choice.is_exact and not self._request.query.terms:
            counted = self._counting.matched(scope, self._level_filter())
            if counted is not None:
                self._read(self._level_filter(), most=self._request.limit, is_enough=True)
                return self._page(counted)
        self._sample()
        self._read_narrowed()
        return self._page(self._counting.of_scope(scope) if self._choice.is_exact else ServerCounts())

    def _count_scope(self) -> LogCounts | None:
        try:
            return self._counting.scope()
        except BackendError as exc:
            self._uncounted.append(f"the server did not count what is there: {exc.backend_message}")
            return None

    def _sample(self) -> None:
        """Take some entries whatever they say: they show which labels entries have, and that the service is not silent."""
        quarter = -(-(self._span.end - self._span.start) // _SAMPLES)
        for selector in self._choice.selectors:
            for start in range(self._span.start, self._span.end, quarter):
                part = Span(start, min(start + quarter, self._span.end))
                for entry in self._api.entries(selector, part, _SAMPLE, self._request.deadline).entries:
                    self._own_labels |= set(entry.labels) - self._stream_labels
                    self._take(entry)

    def _read_narrowed(self) -> None:
        texts = [text for text in needed_texts(self._request.query) if not self._is_in_stream_labels(text)]
        levels = self._level_filter()
        self._is_filtered = bool(levels or texts)
        self._read(levels + line_filters(texts))
        names = sorted(name for name in self._own_labels if name not in level_labels((name,)) and not name.startswith("__"))
        in_labels = metadata_filter(names, texts)
        if in_labels:
            self._read(levels + in_labels)
            self._problems.append(
                f"Loki looked for the words in the text and in the labels {', '.join(names)}, which a sample of the entries has "
                "of its own: an entry that has them in another one is not among these"
            )
        elif texts:
            self._notes.append("Loki looked for the words, in the text: no entry of a sample has labels of its own")

    def _is_in_stream_labels(self, text: str) -> bool:
        pattern = re.compile(text, re.IGNORECASE)
        return any(pattern.search(value) for labels in self._choice.labels for value in labels.values())

    def _level_filter(self) -> str:
        sampled = level_labels({*self._stream_labels, *self._own_labels, DETECTED_LEVEL})
        return level_filter(self._request.min_level, self._counting.level_labels or sampled)

    def _read(self, filters: str, *, most: int = MOST_READ, is_enough: bool = False) -> None:
        """Take what passes the filters, newest first: at most so much of it, or so much of each of the selectors."""
        share = most if is_enough else max(_LEAST_READ, most // max(1, len(self._choice.selectors)))
        page_size = min(self._api.page_size, share)
        for index, selector in enumerate(self._choice.selectors):
            query = selector + filters

            def ask(span: Span, limit: int, query: str = query) -> EntryPage:
                return self._api.entries(query, span, limit, self._request.deadline)

            reader = BackwardReader(ask, self._take, page_size=page_size, deadline=self._request.deadline)
            try:
                reader.read(self._span, most=share, is_enough=is_enough)
            except BackendError as exc:
                if index == 0 and not self._seen:
                    raise
                self._problems.append(f"the streams {selector} were not read: {exc.backend_message}")
            self._problems += [*reader.unread, *reader.doubts]
            self._notes += reader.notes

    def _take(self, entry: Entry) -> None:
        if entry.identity not in self._seen:
            self._seen.add(entry.identity)
            if self._joiner is None:
                self._search.take(entry)
            else:
                self._joiner.add(entry, self._stream_of(entry), entry.at_ns, unwrapped(entry.text))

    def _stream_of(self, entry: Entry) -> Hashable | None:
        """Return what tells the writer of an entry from others; its labels are those of its stream and its own in one."""
        if not self._stream_labels:
            return None
        return tuple(entry.labels.get(name) for name in (*self._stream_labels, *INSTANCE_LABELS))

    def _page(self, counts: ServerCounts) -> LogPage:
        is_filtered = self._is_filtered and counts.in_scope is None
        missing = Missing(of_matches=self._problems, of_scope=self._uncounted if is_filtered else (), is_filtered=is_filtered)
        return self._search.page(missing, notes=(*self._notes, *counts.notes), server=counts)
