"""Logs in Grafana Loki, or in a server that speaks its HTTP API."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from groundwire.adapters.logs.entry import Span, epoch_ns, instant_of
from groundwire.adapters.logs.loki_api import LokiApi
from groundwire.adapters.logs.loki_query import cover
from groundwire.adapters.logs.loki_search import LokiSearch
from groundwire.adapters.logs.loki_streams import TOO_MANY, choose_streams, services_of
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_SERVICES_OF: Final = timedelta(hours=1)
_DEFAULTS: Final = HttpOptions()


class LokiLogs:
    """A ``LogBackend`` over Loki. ``url`` is its base URL; ``tenant`` goes into the header ``X-Scope-OrgID``.

    A scope of up to ``whole_up_to`` entries is read whole and searched here. Of a larger one, Loki is asked for a part that loses
    nothing of what the query means. What was not read, and what Loki's statistics say was not, is among the partial reasons.

    Raises:
        UsageError: The URL, a header or the certificates cannot be used.

    Source:
        Grafana Loki HTTP API 2.9 and 3.x: ``/loki/api/v1/series``, ``/query_range``, ``/query``.
    """

    def __init__(
        self,
        name: str,
        url: str,
        options: HttpOptions = _DEFAULTS,
        *,
        tenant: str | None = None,
        whole_up_to: int = 20_000,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self._now = now
        self._whole_up_to = whole_up_to
        if tenant is not None:
            options = options.with_headers({"X-Scope-OrgID": tenant})
        self._api = LokiApi(name, url, options, now)

    def describe(self) -> SourceDescription:
        """Return the services of the last hour, by their labels."""
        end, deadline = self._now(), Deadline.after(_DESCRIBE_S)
        span = Span(epoch_ns(end - _SERVICES_OF), epoch_ns(end) + 1)
        services: tuple[str, ...] = ()
        newest: list[datetime] = []
        problems: tuple[str, ...] = ()
        try:
            listed = self._api.streams(span, deadline)
            problems = (TOO_MANY,) if listed is None else ()
            services = services_of(listed or ())
            for selector in cover(listed or (), ()).selectors:
                page = self._api.entries(selector, span, 1, deadline)
                newest += [at for entry in page.entries if (at := instant_of(entry.at_ns)) is not None]
        except BackendError as exc:
            problems = (exc.message,)
        return SourceDescription(
            name=self.name,
            kind=SourceKind.LOGS,
            backend="loki",
            live=True,
            services=services,
            newest_record=max(newest, default=None),
            problems=problems,
        )

    def search(self, request: LogRequest) -> LogPage:
        """Return the newest entries that match, and counts over all of them as far as they are known.

        Raises:
            BackendError: Nothing could be read.
        """
        choice = choose_streams(self._api, request.service, Span.of(request.window), request.deadline)
        return LokiSearch(self._api, request, choice, whole_up_to=self._whole_up_to).run()
