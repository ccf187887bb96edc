"""Alerts and series of a live Prometheus, or of a server that speaks its HTTP API (VictoriaMetrics, Thanos, Mimir)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alert_shapes import prometheus_alerts
from groundwire.adapters.metrics.checks import check_prometheus
from groundwire.adapters.metrics.prometheus_answers import ErrorAnswer, cut_envelope, open_envelope, query_series
from groundwire.adapters.metrics.prometheus_history import (
    NO_HISTORY,
    UNREAD_HISTORY,
    UNREAD_RESOLVED,
    fired_within,
    past_alerts,
    with_lasting,
)
from groundwire.adapters.metrics.prometheus_metadata import kinds_of, metrics_of, services_of
from groundwire.adapters.metrics.prometheus_rules import AlertingRules, alerting_rules
from groundwire.adapters.servers.api import ANSWER_LIMIT, HttpOptions, ServerApi
from groundwire.adapters.servers.clock import clock_doubt
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendRejectedError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import STILL_NOW, AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_RULES_S: Final = 3.0
_RESOLVED_S: Final = 5.0
_MOST_PAST: Final = 5_000
_NO_RULES: Final = "it has no alert rules, so that its list of alerts is empty does not mean that nothing is wrong"
_NO_RULES_SAID: Final = (
    "its list of alerts is empty, and it does not say that it evaluates alert rules (VictoriaMetrics without vmalert does not)"
)
_LIMIT_MB: Final = ANSWER_LIMIT // 1024 // 1024
_PLAIN: Final = HttpOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What a 2xx with ``status: success`` holds. ``cut``: only its beginning was read. ``clock`` doubts the server's clock."""

    data: Any
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    start: str
    cut: bool
    clock: str | None


class PrometheusMetrics:
    """A ``MetricBackend`` over the HTTP API v1. ``url`` is the server's base URL, with its path prefix if it has one;
    ``kind`` is how it describes itself, whichever of the two it is asked for.

    The list of alerts is held against the server's rules: one that evaluates none, or whose rules fail, is silent for
    another reason than health, and says so as a partial reason. VictoriaMetrics without vmalert is such a server. That list knows
    only now: of a window that has passed, the series that the server wrote of its alerts tell what was active.

    Raises:
        UsageError: The URL or a header cannot be used.

    Source:
        Prometheus 2.42 and 3.x, VictoriaMetrics 1.79: ``/api/v1/alerts``, ``/rules``, ``/query``, ``/query_range``,
        ``/metadata``, ``/label/.../values``.
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

        def ask(path: str, params: Mapping[str, str]) -> Any:
            return self._get(path, params, deadline).data

        label: str | None = None
        services: tuple[str, ...] = ()
        problems: tuple[str, ...] = ()
        try:
            label, services = services_of(ask, self._now())
        except BackendError as exc:
            problems = (exc.message,)
        metrics = () if problems else metrics_of(ask, self._now())
        return SourceDescription(
            name=self.name,
            kind=self._kind,
            backend="prometheus",
            live=True,
            services=services,
            service_label=label,
            metrics=metrics,
            metric_kinds=kinds_of(ask) if metrics else {},
            problems=problems,
        )

    def check(self, deadline: Deadline) -> SourceCheck:
        return check_prometheus(self._api, deadline, self._now)

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        if window is None:
            return self._alerts_of_now(deadline)
        if self._now() - window.end <= STILL_NOW:
            return self._with_resolved(self._alerts_of_now(deadline), window, deadline)
        try:
            past = past_alerts(lambda promql: self._asked_at_the_end(promql, window, deadline), window)
        except BackendError as exc:
            # A vmalert that is asked itself has a list of alerts and no series.
            return replace(self._listed(deadline), unknown=UNREAD_HISTORY.format(exc.message))
        if past is None:
            return replace(self._listed(deadline), unknown=NO_HISTORY)
        try:
            return with_lasting(past, self._listed(deadline))
        except BackendError as exc:
            return replace(past, notes=(*past.notes, f"its alerts of now were not read: {exc.message}"))

    def _with_resolved(self, page: AlertPage, window: TimeWindow, deadline: Deadline) -> AlertPage:
        """Return the alerts of now and those that came and went in the window: its list forgets them within minutes."""
        brief = Deadline.after(min(_RESOLVED_S, deadline.remaining_s))
        try:
            past = past_alerts(lambda promql: self._asked_at_the_end(promql, window, brief), window)
        except (BackendRejectedError, BackendMalformedError):
            return page  # a vmalert has a list of alerts and no series
        except BackendError as exc:
            return replace(page, notes=(*page.notes, UNREAD_RESOLVED.format(exc.message)))
        return page if past is None else replace(page, alerts=(*page.alerts, *fired_within(past, page)))

    def _asked_at_the_end(self, promql: str, window: TimeWindow, deadline: Deadline) -> SeriesPage:
        return self.query(SeriesRequest(promql=promql, window=window, step=None, limit=_MOST_PAST, deadline=deadline))

    def _alerts_of_now(self, deadline: Deadline) -> AlertPage:
        page = self._listed(deadline)
        rules = self._rules(deadline)
        doubts: tuple[str, ...] = () if rules is None else rules.failing
        if not page.alerts:
            doubts = self._doubts_about_silence(rules, deadline)
        inactive = () if rules is None else rules.inactive
        return replace(page, inactive=inactive, partial_reasons=(*page.partial_reasons, *doubts))

    def _listed(self, deadline: Deadline) -> AlertPage:
        """Return the list of active alerts as it is, whatever its silence may mean."""
        answer = self._get("/api/v1/alerts", {}, deadline)
        try:
            parsed = prometheus_alerts({"data": answer.data})
        except ShapeError as exc:
            raise self._api.malformed(f"answered no alerts: {exc}", answer.start) from exc
        return AlertPage(
            alerts=parsed.alerts,
            as_of=self._now(),
            live=True,
            partial_reasons=(*answer.reasons, *parsed.reasons),
            notes=(*answer.notes, *([answer.clock] if answer.clock else [])),
        )

    def query(self, request: SeriesRequest) -> SeriesPage:
        path, params = self._asked(request)
        answer = self._get(path, params, request.deadline, may_be_cut=True)
        try:
            found = query_series(answer.data, request.promql, request.limit, is_instant=request.step is None)
        except ShapeError as exc:
            raise self._api.malformed(f"answered no series: {exc}", answer.start) from exc
        # A clock that is off means another window than the one that is asked for.
        reasons = [*answer.reasons, *found.reasons, *([answer.clock] if answer.clock else [])]
        if answer.cut:
            reasons.append(
                f"its answer is longer than {_LIMIT_MB} MB, of which {found.total:,} series were read: "
                "ask for fewer, or with a longer step"
            )
        return SeriesPage(
            series=found.series,
            total=None if answer.cut else found.total,
            partial_reasons=tuple(reasons),
            notes=answer.notes,
        )

    def _asked(self, request: SeriesRequest) -> tuple[str, Mapping[str, str]]:
        # The server counts both ends in, and keeps milliseconds: the last one before the end is the last inside the window.
        end = max(request.window.end - timedelta(milliseconds=1), request.window.start)
        limit_s = min(self._read_timeout_s, request.deadline.remaining_s)
        params = {"query": request.promql, "timeout": f"{max(1, int(limit_s * 1000))}ms"}
        if request.step is None:
            return "/api/v1/query", {**params, "time": f"{end.timestamp():.3f}"}
        return "/api/v1/query_range", {
            **params,
            "start": f"{request.window.start.timestamp():.3f}",
            "end": f"{end.timestamp():.3f}",
            "step": f"{request.step.total_seconds():.3f}",
            # Else VictoriaMetrics moves both ends to multiples of the step, out of the window that was asked for.
            "nocache": "1",
        }

    def _get(self, path: str, params: Mapping[str, str], deadline: Deadline, *, may_be_cut: bool = False) -> _Answer:
        body = self._api.fetch("GET", path, deadline, params=params)
        is_cut = body.cut and may_be_cut
        notes: tuple[str, ...] = ()
        start = body.content[:2_000].decode("utf-8", errors="replace")
        try:
            if is_cut:
                value = cut_envelope(body.content)
            else:
                decoded = self._api.json_of(body)
                value, start, notes = decoded.value, decoded.start, decoded.notes
            answer = open_envelope(value)
        except ShapeError as exc:
            what = f"with more than {_LIMIT_MB} MB, which is not read" if is_cut else "something else than Prometheus does"
            raise self._api.malformed(f"answered {what}: {exc}", start) from exc
        if isinstance(answer, ErrorAnswer):
            raise self._api.rejected(answer.words)
        return _Answer(
            data=answer.data,
            reasons=answer.reasons,
            notes=notes,
            start=start,
            cut=is_cut,
            clock=clock_doubt(body.date, self._now()),
        )

    def _rules(self, deadline: Deadline) -> AlertingRules | None:
        """Return the rules, or None from a server that does not tell them in a short time."""
        try:
            return alerting_rules(
                self._get("/api/v1/rules", {"type": "alert"}, Deadline.after(min(_RULES_S, deadline.remaining_s))).data
            )
        except BackendError:
            return None

    def _doubts_about_silence(self, rules: AlertingRules | None, deadline: Deadline) -> tuple[str, ...]:
        """Return why an empty list of alerts may mean something else than that nothing fires."""
        if rules is None:
            return () if self._is_prometheus(deadline) else (_NO_RULES_SAID,)
        return rules.failing if rules.count else (_NO_RULES,)

    def _is_prometheus(self, deadline: Deadline) -> bool:
        try:
            info = self._get("/api/v1/status/buildinfo", {}, deadline).data
        except BackendError:
            return False
        # VictoriaMetrics answers {} or a version alone, for the sake of dashboards.
        return isinstance(info, dict) and bool(info.get("goVersion"))
