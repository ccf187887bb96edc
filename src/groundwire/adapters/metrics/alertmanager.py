"""Alerts of a live Alertmanager, the silenced and inhibited ones included."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import alertmanager_alerts
from groundwire.adapters.metrics.checks import check_alertmanager
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, NotConfiguredError
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_EVERY_STATE: Final = {"active": "true", "silenced": "true", "inhibited": "true", "unprocessed": "true"}
_PLAIN: Final = HttpOptions()


class AlertmanagerAlerts:
    """A ``MetricBackend`` over the HTTP API v2. It knows alerts that fire; pending ones and series only Prometheus knows.

    A silenced or inhibited alert is ``suppressed``. One that is still ``unprocessed`` is ``firing``: Prometheus sent it.

    Raises:
        UsageError: The URL or a header cannot be used.

    Source:
        Alertmanager 0.25, ``GET /api/v2/alerts``; an error is a bare JSON string.
    """

    def __init__(
        self,
        name: str,
        url: str,
        options: HttpOptions = _PLAIN,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self._now = now
        self._api = ServerApi(name, url, options)

    def describe(self) -> SourceDescription:
        try:
            alerts = self.alerts(Deadline.after(_DESCRIBE_S)).alerts
            problems: tuple[str, ...] = ()
        except BackendError as exc:
            alerts, problems = (), (exc.message,)
        services = tuple(sorted({alert.service for alert in alerts if alert.service}))
        return SourceDescription(
            name=self.name, kind=SourceKind.ALERTS, backend="alertmanager", live=True, services=services, problems=problems
        )

    def check(self, deadline: Deadline) -> SourceCheck:
        return check_alertmanager(self._api, deadline, self._now)

    def alerts(self, deadline: Deadline) -> AlertPage:
        body = self._api.get("/api/v2/alerts", _EVERY_STATE, deadline)
        try:
            parsed = alertmanager_alerts(body.value)
        except ShapeError as exc:
            raise self._api.malformed(f"answered no alerts: {exc}", body.start) from exc
        return AlertPage(alerts=parsed.alerts, as_of=self._now(), live=True, partial_reasons=parsed.reasons, notes=body.notes)

    def query(self, request: SeriesRequest) -> SeriesPage:
        raise NotConfiguredError(
            f"{self.name} is an Alertmanager, which has alerts and no series: PromQL needs a Prometheus",
            hint="Give the URL of a Prometheus with --metrics.",
        )
