"""What there is to ask, for the question's subjects and window: read beside the tools, and no evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import ToolError
from groundwire.domain.metrics import AlertPage
from groundwire.domain.sources import SourceKind, SourceListing
from groundwire.ports import KnowledgeBase, LogBackend, MetricBackend

_ALERTS_WITHIN_S = 5.0


class ConfiguredSources:
    """A `SourceCatalog` over the configured backends; each is described once."""

    def __init__(
        self, *, logs: Sequence[LogBackend], metrics: Sequence[MetricBackend], knowledge: Sequence[KnowledgeBase]
    ) -> None:
        self._logs = tuple(logs)
        self._metrics = tuple(metrics)
        self._knowledge = tuple(knowledge)
        self._listing: SourceListing | None = None

    def listing(self) -> SourceListing:
        """Return every source as it stood when first asked."""
        if self._listing is None:
            described = [log.describe() for log in self._logs]
            described += [metric.describe() for metric in self._metrics]
            described += [base.describe() for base in self._knowledge]
            self._listing = SourceListing(sources=tuple(described))
        return self._listing

    def alert_pages(self) -> tuple[AlertPage, ...]:
        """Return the alerts of each source that has some; one that fails here fails again, on record, when it is asked."""
        pages = []
        for backend in self._metrics:
            try:
                pages.append(backend.alerts(Deadline.after(_ALERTS_WITHIN_S)))
            except ToolError:
                continue
        return tuple(pages)

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
