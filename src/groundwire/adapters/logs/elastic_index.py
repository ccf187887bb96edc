"""Asks one index pattern of a server: for its fields, for counts, and for its documents from the newest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NoReturn
from urllib.parse import quote

from groundwire.adapters.logs.elastic_answers import AnswerShapeError, SearchAnswer, read_search
from groundwire.adapters.logs.elastic_check import check_elastic
from groundwire.adapters.logs.elastic_layout import FieldNames, Layout, NoLayoutError, read_layout
from groundwire.adapters.logs.elastic_query import Clause, every, is_none_of
from groundwire.adapters.logs.elastic_records import Hit
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.adapters.servers.json_body import JsonBody, kind_of
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError, BackendUnavailableError, NotConfiguredError
from groundwire.domain.source_check import SourceCheck

PAGE_SIZE: Final = 1_000
_NO_INDEX: Final = "index_not_found_exception"
_SHARE_OF_TIME: Final = 0.9
# Without these, a pattern that fits no index is answered with no hits, as if there were nothing to be found.
_PARAMS: Final = {"ignore_unavailable": "false", "allow_no_indices": "false"}


class _TooLongError(Exception):
    """The documents that were asked for are longer than what is read of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitPage:
    """Documents, newest first; ``reasons`` say which of them may be missing, ``notes`` what was mended in them."""

    hits: tuple[Hit, ...]
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()


class ElasticIndex:
    """An index, alias, data stream or pattern such as ``logs-*`` of one server, or several with commas between them."""

    def __init__(self, name: str, url: str, options: HttpOptions, index: str, names: FieldNames) -> None:
        self._name = name
        self._api = ServerApi(name, url, options, endpoints=())
        self._read_timeout_s = options.read_timeout_s
        self._index = index
        self._names = names
        self._path = "/" + quote(index, safe="*,-_.+@:")

    def layout(self, deadline: Deadline) -> Layout:
        """Return where the documents keep what.

        Raises:
            BackendError: The server did not say.
            NotConfiguredError: There is no such index, or it has no time that can be asked for.
        """
        try:
            body = self._api.get(f"{self._path}/_field_caps", {"fields": "*", **_PARAMS}, deadline)
        except BackendRejectedError as exc:
            self._refused(exc)
        fields = body.value.get("fields") if isinstance(body.value, dict) else None
        if not isinstance(fields, dict):
            what = f"answered {kind_of(body.value)} to _field_caps, not an object with fields"
            raise self._api.malformed(what, body.start)
        if not fields and not body.value.get("indices", True):
            raise self._no_index()
        try:
            return read_layout(fields, self._names)
        except NoLayoutError as exc:
            raise NotConfiguredError(
                f"{self._name}: the index {self._index!r} cannot be searched by time: {exc}",
                hint="Name the fields of the documents, or another index, where the source is configured.",
            ) from exc

    def check(self, deadline: Deadline, now: Callable[[], datetime]) -> SourceCheck:
        return check_elastic(self._api, lambda: self.layout(deadline), deadline, now)

    def ask(self, document: dict[str, Any], deadline: Deadline) -> tuple[SearchAnswer, tuple[str, ...]]:
        """Return what a search found, and notes about how it could be read.

        Raises:
            BackendError: It was refused, or no shard answered.
            NotConfiguredError: There is no such index.
        """
        allowed_ms = int(min(self._read_timeout_s, deadline.remaining_s) * 1000 * _SHARE_OF_TIME)
        timed = {**document, "timeout": f"{max(1, allowed_ms)}ms"}
        try:
            answered = self._api.fetch("POST", f"{self._path}/_search", deadline, params=_PARAMS, document=timed)
        except BackendRejectedError as exc:
            self._refused(exc)
        if answered.cut and document["size"] and document.get("_source") is not False:
            raise _TooLongError
        body = self._api.json_of(answered)
        answer = self._read(body)
        if answer.failure is not None:
            raise BackendUnavailableError(self._name, answer.failure)
        if answer.shards == 0 and not answer.reasons:
            raise self._no_index()
        return answer, body.notes

    def newest(self, filters: Sequence[Clause], layout: Layout, wanted: int, deadline: Deadline) -> Iterator[HitPage]:
        """Yield the documents for which all ``filters`` hold, page by page, until all are had; ``wanted`` is the first size.

        Records of one instant have no order that lasts from one page to the next (servers refuse to sort by ``_id``): each page
        begins at the instant that the last one ended at, without what was had of it. A document that is longer than any answer
        may be comes without content.
        """
        size, end = max(1, min(wanted, PAGE_SIZE)), None
        had: set[tuple[str, str]] = set()
        too_long: list[tuple[str, str]] = []
        while True:
            without = [*had, *too_long]
            query = every([*filters, is_none_of(without)] if without else filters)
            document = {"size": size, "query": query, "sort": [_by_time(layout)], "track_total_hits": False}
            if end is not None:
                document["search_after"] = [end + 1]
            try:
                answer, notes = self.ask(document, deadline)
            except _TooLongError:
                if size > 1:
                    size = max(1, size // 4)
                    continue
                answer, notes = self.ask({**document, "_source": False}, deadline)
                too_long += [hit.key for hit in answer.hits]
                yield HitPage(hits=answer.hits, reasons=answer.reasons, notes=notes)
                size = PAGE_SIZE
                continue
            hits = tuple({hit.key: hit for hit in answer.hits if hit.key not in had}.values())
            yield HitPage(hits=hits, reasons=answer.reasons, notes=notes)
            if len(answer.hits) < size:
                return
            last = answer.hits[-1].sort
            if last is None or not hits:
                yield HitPage(hits=(), reasons=("the server does not say where its page ends, so that no more was read",))
                return
            had = {hit.key for hit in hits if hit.sort == last} | (had if last == end else set())
            end, size = last, min(PAGE_SIZE, size * 4)

    def _read(self, body: JsonBody) -> SearchAnswer:
        try:
            return read_search(body.value)
        except AnswerShapeError as exc:
            raise self._api.malformed(f"answered something else than a search does: it {exc}", body.start) from exc

    def _refused(self, exc: BackendRejectedError) -> NoReturn:
        if _NO_INDEX not in exc.backend_message:
            raise exc
        raise NotConfiguredError(exc.message, hint=_hint(self._index)) from exc

    def _no_index(self) -> NotConfiguredError:
        return NotConfiguredError(f"{self._name}: no index there goes by {self._index!r}", hint=_hint(self._index))


def _hint(index: str) -> str:
    return f"Name an index, alias or data stream that is there instead of {index!r}, where the source is configured."


def _by_time(layout: Layout) -> Clause:
    # An index without the field fails a sort, unless it is told what to take it for. Where some indices keep nanoseconds and
    # others milliseconds, both are compared in milliseconds.
    alike = {"numeric_type": "date"} if layout.is_time_mixed else {}
    return {layout.time: {"order": "desc", "unmapped_type": "date", **alike}}
