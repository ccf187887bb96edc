"""Alerts of a live Alertmanager, the silenced and inhibited ones included and told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import ParsedAlerts, alertmanager_alerts
from groundwire.adapters.metrics.alertmanager_groups import (
    Beside,
    groups_by_fingerprint,
    has_silenced,
    names_by_fingerprint,
    silences_by_id,
)
from groundwire.adapters.metrics.checks import check_alertmanager
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.adapters.servers.clock import clock_doubt
from groundwire.adapters.servers.json_body import JsonBody
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, NotConfiguredError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import STILL_NOW, Alert, AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_BESIDE_S: Final = 3.0
_EVERY_STATE: Final = {"active": "true", "silenced": "true", "inhibited": "true", "unprocessed": "true"}
_IN_GROUPS: Final = {"active": "true", "silenced": "true", "inhibited": "true"}
_ONLY_NOW: Final = "an Alertmanager knows what is active now, not what was active in a window that has passed"
_NONE_AT_ALL: Final = "it has no alert at all, not even one that always fires: nothing shows that alerts reach it"
_PLAIN: Final = HttpOptions()


class AlertmanagerAlerts:
    """A ``MetricBackend`` over the HTTP API v2. It knows alerts that fire; pending ones and series only Prometheus knows.

    A silenced or inhibited alert is ``suppressed``, and says by which silence or alert. One that is still ``unprocessed`` is
    ``firing``: Prometheus sent it. Each alert names the groups in which it is notified.

    Raises:
        UsageError: The URL or a header cannot be used.

    Source:
        Alertmanager 0.25, ``GET /api/v2/alerts``, ``/alerts/groups``, ``/silences``; an error is a bare JSON string.
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
        alerts: tuple[Alert, ...] = ()
        problems: tuple[str, ...] = ()
        try:
            body, _ = self._listed(Deadline.after(_DESCRIBE_S))
            alerts = self._parsed(body, Beside()).alerts
        except BackendError as exc:
            problems = (exc.message,)
        services = tuple(sorted({alert.service for alert in alerts if alert.service}))
        return SourceDescription(
            name=self.name, kind=SourceKind.ALERTS, backend="alertmanager", live=True, services=services, problems=problems
        )

    def check(self, deadline: Deadline) -> SourceCheck:
        return check_alertmanager(self._api, deadline, self._now)

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        body, doubt = self._listed(deadline)
        notes = [*body.notes, *([doubt] if doubt else [])]
        soon = Deadline.after(min(_BESIDE_S, deadline.remaining_s))
        silences = self._beside("/api/v2/silences", {}, soon, notes) if has_silenced(body.value) else None
        groups = self._beside("/api/v2/alerts/groups", _IN_GROUPS, soon, notes) if body.value else None
        beside = Beside(
            groups=groups_by_fingerprint(groups), silences=silences_by_id(silences), names=names_by_fingerprint(body.value)
        )
        parsed, now = self._parsed(body, beside), self._now()
        has_passed = window is not None and now - window.end > STILL_NOW
        if body.value == [] and not has_passed:
            notes.append(_NONE_AT_ALL)
        return AlertPage(
            alerts=parsed.alerts,
            as_of=now,
            live=True,
            unknown=_ONLY_NOW if has_passed else None,
            partial_reasons=parsed.reasons,
            notes=tuple(notes),
        )

    def query(self, request: SeriesRequest) -> SeriesPage:
        raise NotConfiguredError(
            f"{self.name} is an Alertmanager, which has alerts and no series: PromQL needs a Prometheus",
            hint="Give the URL of a Prometheus with --metrics.",
        )

    def _listed(self, deadline: Deadline) -> tuple[JsonBody, str | None]:
        """Return every alert as it was answered, and what is doubtful about the server's clock."""
        body = self._api.fetch("GET", "/api/v2/alerts", deadline, params=_EVERY_STATE)
        return self._api.json_of(body), clock_doubt(body.date, self._now())

    def _parsed(self, body: JsonBody, beside: Beside) -> ParsedAlerts:
        try:
            return alertmanager_alerts(body.value, beside)
        except ShapeError as exc:
            raise self._api.malformed(f"answered no alerts: {exc}", body.start) from exc

    def _beside(self, path: str, params: Mapping[str, str], deadline: Deadline, notes: list[str]) -> Any:
        """Return what explains the alerts; without it they are as true, so a note says what is missing."""
        try:
            return self._api.get(path, params, deadline).value
        except BackendError as exc:
            notes.append(f"{path} was not read: {exc.message}")
            return None
