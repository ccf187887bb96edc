"""What there is to ask, for the question's subjects and window: read beside the tools, and no evidence."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Final, Protocol

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import ToolError
from groundwire.domain.metrics import AlertPage
from groundwire.domain.sources import SourceDescription, SourceKind, SourceListing
from groundwire.ports import KnowledgeBase, LogBackend, MetricBackend
from groundwire.services.side_by_side import within

_WITHIN_S: Final = 3.0
_GRACE_S: Final = 0.25
"""For a source that keeps the same deadline and then says why: its own words are better than ours."""


class _Described(Protocol):
    name: str

    def describe(self) -> SourceDescription: ...


class ConfiguredSources:
    """A `SourceCatalog` over the configured backends; each is described once.

    Those that may be servers (every source of metrics, and the ``log_servers`` by name) are asked side by side and have
    ``within_s`` seconds in all; one that needs longer is listed as not answering. Files take the time that they take.
    ``covered`` are services that the configuration names, listed beside those that the sources name.
    """

    def __init__(
        self,
        *,
        logs: Sequence[LogBackend],
        metrics: Sequence[MetricBackend],
        knowledge: Sequence[KnowledgeBase],
        covered: Collection[str] = (),
        log_servers: Collection[str] = (),
        within_s: float = _WITHIN_S,
    ) -> None:
        self._covered = tuple(sorted(set(covered)))
        self._log_servers = frozenset(log_servers)
        self._within_s = within_s
        self._silent: set[int] = set()
        self._logs = tuple(logs)
        self._metrics = tuple(metrics)
        self._knowledge = tuple(knowledge)
        self._listing: SourceListing | None = None

    def listing(self) -> SourceListing:
        """Return every source as it stood when first asked, with secrets masked in all that names and describes it."""
        if self._listing is None:
            servers = [log for log in self._logs if log.name in self._log_servers]
            of_servers = self._described([(SourceKind.LOGS, server) for server in servers] + self._metric_servers())
            described = [
                of_servers[servers.index(log)] if log.name in self._log_servers else log.describe() for log in self._logs
            ]
            described += of_servers[len(servers) :]
            described += [base.describe() for base in self._knowledge]
            self._listing = SourceListing(sources=tuple(described), covered=self._covered).masked()
        return self._listing

    def alert_pages(self) -> tuple[AlertPage, ...]:
        """Return the alerts of each source that has some; one that fails here fails again, on record, when it is asked.

        One that did not answer its listing is not waited for a second time.
        """
        self.listing()
        asked = [partial(self._alerts_of, backend) for backend in self._metrics if id(backend) not in self._silent]
        return tuple(page for page in within(self._within_s + _GRACE_S, asked) if page is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all sources, without asking any."""
        names = (
            *(source.name for source in self._logs),
            *(source.name for source in self._metrics),
            *(source.name for source in self._knowledge),
        )
        return tuple(dict.fromkeys(names))

    def _metric_servers(self) -> list[tuple[SourceKind, _Described]]:
        return [(SourceKind.METRICS, backend) for backend in self._metrics]

    def _described(self, servers: Sequence[tuple[SourceKind, _Described]]) -> list[SourceDescription]:
        started = time.monotonic()
        took_s: dict[int, float] = {}

        def describe(place: int) -> SourceDescription:
            description = servers[place][1].describe()
            took_s[place] = time.monotonic() - started
            return description

        found = within(self._within_s + _GRACE_S, [partial(describe, place) for place in range(len(servers))])
        described = [
            description or _unanswered(backend.name, kind, self._within_s)
            for (kind, backend), description in zip(servers, found, strict=True)
        ]
        self._silent = {
            id(backend)
            for place, (_, backend) in enumerate(servers)
            if described[place].problems and took_s.get(place, self._within_s) >= 0.9 * self._within_s
        }
        return described

    def _alerts_of(self, backend: MetricBackend) -> AlertPage | None:
        try:
            return backend.alerts(Deadline.after(self._within_s))
        except ToolError:
            return None

    def newest_saved_record(self, services: Sequence[str] = ()) -> datetime | None:
        """Return the newest record where everything that was recorded is saved: of the log files, else of the alerts.

        Of these services, where any of them has one. None where any source is live: then the present is asked about.
        """
        logs, alerts = self.listing().of(SourceKind.LOGS), self.listing().of(SourceKind.ALERTS)
        if any(source.live for source in (*logs, *alerts, *self.listing().of(SourceKind.METRICS))):
            return None
        of_services = [at for source in logs for name, at in source.newest_by_service.items() if name in services]
        if of_services:
            return max(of_services)
        newest = [source.newest_record for source in logs or alerts if source.newest_record is not None]
        return max(newest, default=None)


def _unanswered(name: str, kind: SourceKind, within_s: float) -> SourceDescription:
    problem = f"no answer within {within_s:g} s"
    return SourceDescription(name=name, kind=kind, backend="unknown", live=True, problems=(problem,))
