"""Alerts and series of a live Prometheus, or of a server that speaks its HTTP API (VictoriaMetrics, Thanos, Mimir)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import prometheus_alerts
from groundwire.adapters.metrics.checks import check_prometheus
from groundwire.adapters.metrics.prometheus_answers import DataAnswer, ErrorAnswer, alerting_rules, open_envelope, range_series
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.adapters.servers.json_body import JsonBody
from groundwire.adapters.servers.words import one_line
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import MOST_METRICS, SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_DESCRIBED: Final = timedelta(hours=1)
_NO_RULES: Final = "it has no alert rules, so that its list of alerts is empty does not mean that nothing is wrong"
_NO_RULES_SAID: Final = (
    "its list of alerts is empty, and it does not say that it evaluates alert rules (VictoriaMetrics without vmalert does not)"
)
_PLAIN: Final = HttpOptions()


class PrometheusMetrics:
    """A ``MetricBackend`` over the HTTP API v1. ``url`` is the server's base URL, with its path prefix if it has one;
    ``kind`` is how it describes itself, whichever of the two it is asked for.

    An empty list of alerts is held against the server's rules: one that evaluates none, or whose rules fail, is silent for
    another reason than health, and says so as a partial reason. VictoriaMetrics without vmalert is such a server.

    Raises:
        UsageError: The URL or a header cannot be used.

    Source:
        Prometheus 2.42 and 3.x, VictoriaMetrics 1.79: ``/api/v1/alerts``, ``/rules``, ``/query_range``, ``/label/.../values``.
    """

    def __init__(
        self,
        name: str,
        url: str,
        options: HttpOptions = _PLAIN,
        *,
        kind: SourceKind = SourceKind.METRICS,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self._kind = kind
        self._now = now
        self._read_timeout_s = options.read_timeout_s
        self._api = ServerApi(name, url, options)

    def describe(self) -> SourceDescription:
        deadline = Deadline.after(_DESCRIBE_S)
        services: tuple[str, ...] = ()
        metrics: tuple[str, ...] = ()
        problems: tuple[str, ...] = ()
        try:
            services = self._services(deadline)
        except BackendError as exc:
            problems = (exc.message,)
        else:
            # A gateway that answers queries and lists no names is in order.
            with suppress(BackendError):
                metrics = self._label_values("__name__", deadline, limit=MOST_METRICS)
        return SourceDescription(
            name=self.name,
            kind=self._kind,
            backend="prometheus",
            live=True,
            services=services,
            metrics=metrics,
            problems=problems,
        )

    def check(self, deadline: Deadline) -> SourceCheck:
        return check_prometheus(self._api, deadline, self._now)

    def alerts(self, deadline: Deadline) -> AlertPage:
        body, answer = self._get("/api/v1/alerts", {}, deadline)
        try:
            parsed = prometheus_alerts({"data": answer.data})
        except ShapeError as exc:
            raise self._api.malformed(f"answered no alerts: {exc}", body.start) from exc
        reasons = (*answer.reasons, *parsed.reasons)
        if not parsed.alerts:
            reasons = (*reasons, *self._doubts_about_silence(deadline))
        return AlertPage(alerts=parsed.alerts, as_of=self._now(), live=True, partial_reasons=reasons, notes=body.notes)

    def query(self, request: SeriesRequest) -> SeriesPage:
        # The server counts both ends in, and keeps milliseconds: the last one before the end is the last inside the window.
        end = request.window.end - timedelta(milliseconds=1)
        limit_s = min(self._read_timeout_s, request.deadline.remaining_s)
        params = {
            "query": request.promql,
            "start": f"{request.window.start.timestamp():.3f}",
            "end": f"{max(end, request.window.start).timestamp():.3f}",
            "step": f"{request.step.total_seconds():.3f}",
            "timeout": f"{max(1, int(limit_s * 1000))}ms",
        }
        body, answer = self._get("/api/v1/query_range", params, request.deadline)
        try:
            ranges = range_series(answer.data, request.promql)
        except ShapeError as exc:
            raise self._api.malformed(f"answered no series: {exc}", body.start) from exc
        return SeriesPage(
            series=ranges.series[: request.limit],
            total=len(ranges.series),
            partial_reasons=(*answer.reasons, *ranges.reasons),
            notes=body.notes,
        )

    def _get(self, path: str, params: Mapping[str, str], deadline: Deadline) -> tuple[JsonBody, DataAnswer]:
        body = self._api.get(path, params, deadline)
        try:
            answer = open_envelope(body.value)
        except ShapeError as exc:
            raise self._api.malformed(f"answered something else than Prometheus does: {exc}", body.start) from exc
        if isinstance(answer, ErrorAnswer):
            raise self._api.rejected(answer.words)
        return body, answer

    def _services(self, deadline: Deadline) -> tuple[str, ...]:
        """Return the values of the label ``service``, else of ``job``."""
        return self._label_values("service", deadline) or self._label_values("job", deadline)

    def _label_values(self, label: str, deadline: Deadline, *, limit: int | None = None) -> tuple[str, ...]:
        """Return the values that a label had in the last hour, sorted; the first ``limit``, also where a server heeds none."""
        now = self._now()
        params = {"start": f"{(now - _DESCRIBED).timestamp():.0f}", "end": f"{now.timestamp():.0f}"}
        if limit is not None:
            params["limit"] = str(limit)
        _, answer = self._get(f"/api/v1/label/{label}/values", params, deadline)
        values = answer.data if isinstance(answer.data, list) else []
        return tuple(sorted(str(value) for value in values)[:limit])

    def _doubts_about_silence(self, deadline: Deadline) -> tuple[str, ...]:
        """Return why an empty list of alerts may mean something else than that nothing fires."""
        try:
            _, answer = self._get("/api/v1/rules", {"type": "alert"}, deadline)
            rules = alerting_rules(answer.data)
        except BackendError:
            rules = None
        if rules is None:
            return () if self._is_prometheus(deadline) else (_NO_RULES_SAID,)
        count, failing = rules
        if count == 0:
            return (_NO_RULES,)
        return tuple(one_line(f"the alerting rule {rule}, so it cannot fire") for rule in failing[:3])

    def _is_prometheus(self, deadline: Deadline) -> bool:
        try:
            _, answer = self._get("/api/v1/status/buildinfo", {}, deadline)
        except BackendError:
            return False
        # VictoriaMetrics answers {} or a version alone, for the sake of dashboards.
        return isinstance(answer.data, dict) and bool(answer.data.get("goVersion"))
