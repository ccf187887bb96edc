"""Logs in Elasticsearch or OpenSearch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from groundwire.adapters.logs.elastic_answers import SearchAnswer, buckets_of, moment_of
from groundwire.adapters.logs.elastic_index import ElasticIndex
from groundwire.adapters.logs.elastic_layout import FieldNames, Layout
from groundwire.adapters.logs.elastic_query import first_of, has, in_window
from groundwire.adapters.logs.elastic_records import RecordReader
from groundwire.adapters.logs.elastic_search import ElasticSearch
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, ToolError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_SERVICES_OF: Final = timedelta(hours=24)
_MOST_SERVICES: Final = 500
_CLOCKS_DIFFER_BY: Final = timedelta(minutes=5)
_NO_PATTERNS: Final = "allow_expensive_queries"


class ElasticsearchLogs:
    """A ``LogBackend`` over ``_search`` of Elasticsearch 7.2 to 9 and OpenSearch 1 to 3.

    ``index`` is an index, alias, data stream or pattern. What ``fields`` leaves open is found among the usual names. The server
    decides on time, service, instance and level; words are looked for in what it returns, as in a file.

    Raises:
        UsageError: The URL, a header or the certificates cannot be used.
    """

    def __init__(
        self,
        name: str,
        url: str,
        options: HttpOptions | None = None,
        *,
        index: str = "*",
        fields: FieldNames | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self._names = fields or FieldNames()
        self._index = ElasticIndex(name, url, options or HttpOptions(), index, self._names)
        self._now = now
        self._layout: Layout | None = None

    def describe(self) -> SourceDescription:
        """Return the services of the last 24 hours, or of the day before the newest record where that is older."""
        deadline = Deadline.after(_DESCRIBE_S)
        try:
            self._layout = layout = self._index.layout(deadline)
            answer, problems = self._describe(layout, deadline)
        except ToolError as exc:
            return self._description(problems=(exc.message,))
        by_service: dict[str, datetime] = {}
        for index in range(len(layout.service)):
            for name, newest in _newest_by_value(answer, index):
                by_service[name] = max(newest, by_service.get(name, newest))
        return self._description(
            services=tuple(sorted(by_service)),
            newest_record=moment_of(answer.counted, "last"),
            newest_by_service=by_service,
            problems=(*problems, *answer.reasons),
        )

    def check(self, deadline: Deadline) -> SourceCheck:
        return self._index.check(deadline, self._now)

    def search(self, request: LogRequest) -> LogPage:
        """Return the newest records that match, and counts over all of them.

        Raises:
            BackendError: The server did not answer, or not what a search answers.
            NotConfiguredError: There is no such index, or no field in it is the time of a record.
        """
        if self._layout is None:
            self._layout = self._index.layout(request.deadline)
        try:
            page = self._search(self._layout, request)
        except BackendError as exc:
            if _NO_PATTERNS not in exc.backend_message:
                raise
        else:
            if not any(_NO_PATTERNS in reason for reason in page.partial_reasons):
                return page
        return self._search(self._layout.without_patterns(), request)

    def _search(self, layout: Layout, request: LogRequest) -> LogPage:
        return ElasticSearch(self._index, layout, RecordReader(layout, self._names), request).run()

    def _describe(self, layout: Layout, deadline: Deadline) -> tuple[SearchAnswer, tuple[str, ...]]:
        now = self._now()
        answer = self._services(layout, now, deadline)
        if answer.total:
            return answer, _ahead(moment_of(answer.counted, "last"), now)
        newest, _ = self._index.ask({"size": 0, "aggs": {"last": {"max": {"field": layout.time}}}}, deadline)
        last = moment_of(newest.counted, "last")
        if last is None:
            return answer, ("it holds no records that have a time",)
        hours = int((now - last) / timedelta(hours=1))
        problem = (f"its newest record is {hours} hours old",) if hours >= 1 else ()
        return self._services(layout, last, deadline), problem or _ahead(last, now)

    def _services(self, layout: Layout, until: datetime, deadline: Deadline) -> SearchAnswer:
        window = TimeWindow(start=until - _SERVICES_OF, end=until + _SERVICES_OF)
        last = {"last": {"max": {"field": layout.time}}}
        counted: dict[str, Any] = dict(last)
        for index, column in enumerate(layout.service):
            if column.countable:
                values = {"terms": {"field": column.asked, "size": _MOST_SERVICES}, "aggs": last}
                counted[f"service{index}"] = {"filter": first_of(layout.service, index, has(column)), "aggs": {"values": values}}
        document = {"size": 0, "query": in_window(layout.time, window), "track_total_hits": True, "aggs": counted}
        return self._index.ask(document, deadline)[0]

    def _description(self, **known: Any) -> SourceDescription:
        return SourceDescription(name=self.name, kind=SourceKind.LOGS, backend="elasticsearch", live=True, **known)


def _ahead(newest: datetime | None, now: datetime) -> tuple[str, ...]:
    if newest is None or newest - now < _CLOCKS_DIFFER_BY:
        return ()
    minutes = int((newest - now) / timedelta(minutes=1))
    return (
        f"its newest record is {minutes} minutes ahead of the clock here, so that a window up to now may lack the newest records",
    )


def _newest_by_value(answer: SearchAnswer, index: int) -> list[tuple[str, datetime]]:
    node = answer.counted.get(f"service{index}")
    if buckets_of(answer.counted, f"service{index}", "values") is None or node is None:
        return []
    buckets = [(bucket.get("key"), moment_of(bucket, "last")) for bucket in node["values"]["buckets"]]
    return [(key, newest) for key, newest in buckets if isinstance(key, str) and newest is not None]
