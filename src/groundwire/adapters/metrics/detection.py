"""A URL that serves alerts, when it is not said which of the two APIs it speaks."""

from __future__ import annotations

import threading
from typing import Final

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendRejectedError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import Checkable, MetricBackend

_DESCRIBE_S: Final = 3.0
_PLAIN: Final = HttpOptions()


def detect_alert_source(name: str, url: str, options: HttpOptions = _PLAIN) -> MetricBackend:
    """Return the alert source at ``url``: an Alertmanager or a Prometheus. Nothing is asked before the first call.

    A path with ``/api/v2`` is Alertmanager's and one with ``/api/v1`` Prometheus's; otherwise the server is asked.

    Raises:
        UsageError: The URL or a header cannot be used.
    """
    if "/api/v2" in url:
        return AlertmanagerAlerts(name, url, options)
    if "/api/v1" in url:
        return PrometheusMetrics(name, url, options, kind=SourceKind.ALERTS)
    return DetectedAlerts(name, url, options)


class DetectedAlerts:
    """A ``MetricBackend`` that finds out at its first call what it speaks to, and remembers it once the server has answered."""

    def __init__(self, name: str, url: str, options: HttpOptions) -> None:
        self.name = name
        self._url = url
        self._options = options
        self._api = ServerApi(name, url, options)
        self._lock = threading.Lock()
        self._found: MetricBackend | None = None

    def describe(self) -> SourceDescription:
        try:
            return self._backend(Deadline.after(_DESCRIBE_S)).describe()
        except BackendError as exc:
            return SourceDescription(
                name=self.name, kind=SourceKind.ALERTS, backend="alertmanager or prometheus", live=True, problems=(exc.message,)
            )

    def check(self, deadline: Deadline) -> SourceCheck:
        found = self._backend(deadline)
        return found.check(deadline) if isinstance(found, Checkable) else SourceCheck()

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        return self._backend(deadline).alerts(deadline, window)

    def query(self, request: SeriesRequest) -> SeriesPage:
        return self._backend(request.deadline).query(request)

    def _backend(self, deadline: Deadline) -> MetricBackend:
        with self._lock:
            if self._found is None:
                if self._is_alertmanager(deadline):
                    self._found = AlertmanagerAlerts(self.name, self._url, self._options)
                else:
                    self._found = PrometheusMetrics(self.name, self._url, self._options, kind=SourceKind.ALERTS)
            return self._found

    def _is_alertmanager(self, deadline: Deadline) -> bool:
        """Return whether the status of an Alertmanager stands where it would; a server that does not answer is an error."""
        try:
            status = self._api.get("/api/v2/status", {}, deadline).value
        except (BackendRejectedError, BackendMalformedError):
            return False
        return isinstance(status, dict) and "versionInfo" in status
