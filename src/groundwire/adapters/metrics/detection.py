"""A URL that serves alerts, when it is not said which of the two APIs it speaks."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import httpx

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendRejectedError
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import MetricBackend

_DESCRIBE_S: Final = 3.0
_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


def detect_alert_source(
    name: str,
    url: str,
    *,
    headers: Mapping[str, str] = _NO_HEADERS,
    connect_timeout_s: float = 3,
    read_timeout_s: float = 20,
    transport: httpx.BaseTransport | None = None,
) -> MetricBackend:
    """Return the alert source at ``url``: an Alertmanager or a Prometheus. Nothing is asked before the first call.

    A path with ``/api/v2`` is Alertmanager's and one with ``/api/v1`` Prometheus's; otherwise the server is asked.

    Raises:
        UsageError: The URL or a header cannot be used.
    """
    options = HttpOptions(
        headers=headers, connect_timeout_s=connect_timeout_s, read_timeout_s=read_timeout_s, transport=transport
    )
    if "/api/v2" in url:
        return _alertmanager(name, url, options)
    if "/api/v1" in url:
        return _prometheus(name, url, options)
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

    def alerts(self, deadline: Deadline) -> AlertPage:
        return self._backend(deadline).alerts(deadline)

    def query(self, request: SeriesRequest) -> SeriesPage:
        return self._backend(request.deadline).query(request)

    def _backend(self, deadline: Deadline) -> MetricBackend:
        with self._lock:
            if self._found is None:
                make = _alertmanager if self._is_alertmanager(deadline) else _prometheus
                self._found = make(self.name, self._url, self._options)
            return self._found

    def _is_alertmanager(self, deadline: Deadline) -> bool:
        """Return whether the status of an Alertmanager stands where it would; a server that does not answer is an error."""
        try:
            status = self._api.get("/api/v2/status", {}, deadline).value
        except (BackendRejectedError, BackendMalformedError):
            return False
        return isinstance(status, dict) and "versionInfo" in status


def _alertmanager(name: str, url: str, options: HttpOptions) -> MetricBackend:
    return AlertmanagerAlerts(
        name,
        url,
        headers=options.headers,
        connect_timeout_s=options.connect_timeout_s,
        read_timeout_s=options.read_timeout_s,
        transport=options.transport,
    )


def _prometheus(name: str, url: str, options: HttpOptions) -> MetricBackend:
    return PrometheusMetrics(
        name,
        url,
        kind=SourceKind.ALERTS,
        headers=options.headers,
        connect_timeout_s=options.connect_timeout_s,
        read_timeout_s=options.read_timeout_s,
        transport=options.transport,
    )
