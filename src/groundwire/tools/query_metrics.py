"""The question about alerts and series: what fires, and how a measurement went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from groundwire.domain.errors import NotConfiguredError
from groundwire.domain.metrics import Alert, AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.names import ToolName
from groundwire.domain.sources import SourceKind
from groundwire.domain.times import format_instant
from groundwire.ports import CallContext, MetricBackend
from groundwire.tools.alert_selection import FoundAlert, merge_replicas, most_urgent_first
from groundwire.tools.asked_metrics import MOST_LIMIT, AskedMetrics, read_asked
from groundwire.tools.envelope import SourceOutcome, envelope
from groundwire.tools.fan_out import SourceAnswer, ask_all
from groundwire.tools.nameless_alerts import nameless_alerts
from groundwire.tools.selection import NO_SCOPES, Asked, Scopes, Selection, labels_of_promql
from groundwire.tools.series_points import series_item
from groundwire.tools.unknown_service import unknown_service

_NO_PAST_RULES: Final = "which rules were inactive in a window that has passed is not known"


@dataclass(slots=True, kw_only=True)
class _Source:
    """One backend asked for one of the two kinds. Not frozen only because the fan-out takes a name that could be set."""

    name: str
    kind: SourceKind
    ask: Callable[[], AlertPage | SeriesPage]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """The items of one kind, each source's outcome, and how many there were: after our filter, and before it.

    None where a source does not say how many it has.
    """

    items: list[dict[str, Any]] = field(default_factory=list)
    outcomes: list[SourceOutcome] = field(default_factory=list)
    total: int | None = 0
    fetched: int | None = 0
    reasons: tuple[str, ...] = ()

    @property
    def has_failed(self) -> bool:
        return bool(self.outcomes) and all(outcome.error is not None for outcome in self.outcomes)


class QueryMetrics:
    """The tool ``query_metrics``: alerts of every source that has them, and series where ``promql`` asks for them.

    A call with ``promql`` and none of ``service``, ``alert_name`` and ``state`` returns series alone. Alerts outside the
    session's window are returned; a window that the caller names leaves them out. ``limit`` holds for each of the two lists.
    Rules under which nothing is active are returned only where ``state`` asks for inactive ones, or ``alert_name`` for theirs.
    ``known_services`` are those that the sources list: of a service that is none of them, silence is no proof.
    """

    name: str = ToolName.QUERY_METRICS

    def __init__(
        self,
        backends: Sequence[MetricBackend],
        scopes: Scopes = NO_SCOPES,
        known_services: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._backends = tuple(backends)
        self._scopes = scopes
        self._known_services = known_services

    def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        asked = read_asked(self.name, params, context)
        if not self._backends:
            raise NotConfiguredError(
                "no source of alerts or metrics is configured", hint="Give one with --alerts FILE|URL or --metrics URL."
            )
        selection = Selection.of(self._backends, self._scopes, Asked.of(asked.filter.service, labels_of_promql(asked.promql)))
        answers = self._ask(selection.asked, asked, context) if selection.asked else {}
        alerts = _alert_result(answers.get(SourceKind.ALERTS, ()), asked) if asked.wants_alerts else _Result()
        unproved = () if alerts.items else self._unproved(asked, answers.get(SourceKind.ALERTS, ()))
        series = _series_result(answers.get(SourceKind.METRICS, ()), asked.limit)
        outcomes = [*alerts.outcomes, *series.outcomes]
        returned = len(alerts.items) + len(series.items)
        if series.has_failed and not returned:
            # What was asked for by PromQL failed; that there are no alerts does not make it an answer.
            outcomes = series.outcomes
        outcomes += selection.left_out(SourceKind.ALERTS if asked.promql is None else SourceKind.METRICS)
        has_answer = any(outcome.error is None and outcome.not_asked is None for outcome in outcomes)
        return envelope(
            scope=asked.scope(),
            outcomes=outcomes,
            returned_count=returned,
            total_count=_sum(alerts.total, series.total) if has_answer else None,
            fetched_count=_sum(alerts.fetched, series.fetched) if has_answer else None,
            partial_reasons=(*alerts.reasons, *unproved, *_cut(alerts, "alerts"), *_cut(series, "series")),
            items={"alerts": alerts.items, "series": series.items},
        )

    def _unproved(self, asked: AskedMetrics, answers: Sequence[SourceAnswer[Any]]) -> tuple[str, ...]:
        """Return why it is no proof that no alert of a service was found."""
        pages = [answer.page for answer in answers if isinstance(answer.page, AlertPage)]
        service, alerts = asked.filter.service, [alert for page in pages for alert in page.alerts]
        return (*unknown_service(service, pages, self._known_services), *nameless_alerts(service, alerts))

    def _ask(
        self, backends: Sequence[MetricBackend], asked: AskedMetrics, context: CallContext
    ) -> dict[SourceKind, list[SourceAnswer[AlertPage | SeriesPage]]]:
        """Ask for both kinds at the same time; a source that has none of a kind is left out of it."""
        sources = [source for backend in backends for source in _sources(backend, asked, context)]
        answered: dict[SourceKind, list[SourceAnswer[AlertPage | SeriesPage]]] = {}
        cannot: dict[SourceKind, list[NotConfiguredError]] = {}
        for source, answer in zip(sources, ask_all(sources, lambda source: source.ask(), context.deadline), strict=True):
            if isinstance(answer.error, NotConfiguredError):
                cannot.setdefault(source.kind, []).append(answer.error)
            else:
                answered.setdefault(source.kind, []).append(answer)
        for kind in [SourceKind.ALERTS] if asked.promql is None else [SourceKind.METRICS]:
            if kind not in answered:
                raise NotConfiguredError(
                    f"no source can answer: {'; '.join(error.message for error in cannot[kind])}", hint=cannot[kind][0].hint
                )
        return answered


def _sources(backend: MetricBackend, asked: AskedMetrics, context: CallContext) -> list[_Source]:
    sources = []
    if asked.wants_alerts:
        sources.append(
            _Source(name=backend.name, kind=SourceKind.ALERTS, ask=lambda: backend.alerts(context.deadline, asked.window))
        )
    if asked.promql is not None:
        request = SeriesRequest(
            promql=asked.promql, window=asked.window, step=asked.step, limit=asked.limit, deadline=context.deadline
        )
        sources.append(_Source(name=backend.name, kind=SourceKind.METRICS, ask=lambda: backend.query(request)))
    return sources


def _alert_result(answers: Sequence[SourceAnswer[Any]], asked: AskedMetrics) -> _Result:
    fetched = merge_replicas(
        FoundAlert(alert=alert, sources=(answer.name,), as_of=_as_of(answer.page, alert), live=answer.page.live)
        for answer in answers
        if isinstance(answer.page, AlertPage)
        for alert in (*answer.page.alerts, *(_inactive(answer.page) if asked.filter.wants_inactive else ()))
    )
    meant = [found for found in fetched if asked.filter.matches(found.alert)]
    matched = most_urgent_first([found for found in meant if asked.filter.is_in_window(found.alert)])
    shown = matched[: asked.limit]
    is_found = any(found.is_in(asked.window) for found in matched)
    returned = Counter(source for found in shown for source in found.sources)
    total = Counter(source for found in matched for source in found.sources)
    return _Result(
        items=[found.to_json() for found in shown],
        outcomes=[_alert_outcome(answer, returned[answer.name], total[answer.name], is_found) for answer in answers],
        total=len(matched),
        fetched=len(fetched),
        reasons=(*_gaps(answers, meant, asked), *(() if is_found else _unknown_of_the_window(answers, asked))),
    )


def _as_of(page: AlertPage, alert: Alert) -> datetime:
    """Return the moment that an alert is of: the end of the window where it is as it was there."""
    return page.as_of if page.window is None or alert.seen is None else page.window.end


def _inactive(page: AlertPage) -> Iterator[Alert]:
    """Yield the rules under which nothing is active; one whose alerts came after the rules were read is none of them."""
    active = {alert.alert_name for alert in page.alerts if alert.state != "resolved"}
    return (alert for alert in page.inactive if alert.alert_name not in active)


def _gaps(answers: Sequence[SourceAnswer[Any]], meant: Sequence[FoundAlert], asked: AskedMetrics) -> tuple[str, ...]:
    """Return why alerts that are meant may not be among those returned, other than that a source said so."""
    if not answers:
        return ("no configured source has alerts",)
    undated = [found.alert.alert_name for found in meant if found.alert.active_at is None and found.alert.seen is None]
    if undated and asked.filter.window is not None:
        return (f"without a start time, and so in no window: {', '.join(undated[:5])}{' ...' if len(undated) > 5 else ''}",)
    return ()


def _unknown_of_the_window(answers: Sequence[SourceAnswer[Any]], asked: AskedMetrics) -> tuple[str, ...]:
    """Return why nothing in the window does not mean that nothing was active in it."""
    pages = [(answer.name, answer.page) for answer in answers if isinstance(answer.page, AlertPage)]
    silent = [f"{name}: {page.unknown}" for name, page in pages if page.unknown is not None]
    if asked.filter.state == "inactive":
        silent += [f"{name}: {_NO_PAST_RULES}" for name, page in pages if page.window is not None]
    return tuple(silent)


def _alert_outcome(answer: SourceAnswer[Any], returned: int, total: int, is_found: bool) -> SourceOutcome:
    """Return how a source answered. What it does not know of the window is only a note where something was found there."""
    page = answer.page
    if not isinstance(page, AlertPage):
        return SourceOutcome(name=answer.name, kind=SourceKind.ALERTS, live=False, error=answer.error)
    return SourceOutcome(
        name=answer.name,
        kind=SourceKind.ALERTS,
        live=page.live,
        returned_count=returned,
        total_count=total,
        partial_reasons=page.partial_reasons,
        notes=(*page.notes, *([page.unknown] if is_found and page.unknown else [])),
        more={"as_of": format_instant(page.as_of), "fetched_count": len(page.alerts), **_covered(page)},
    )


def _cut(result: _Result, what: str) -> tuple[str, ...]:
    """Return that there are more than any call returns: then nothing is known of the others, whatever limit is asked for."""
    if result.total is None or len(result.items) < MOST_LIMIT or result.total <= MOST_LIMIT:
        return ()
    return (f"of {result.total:,} {what} the first {MOST_LIMIT:,} are returned, the most that one call returns",)


def _covered(page: AlertPage) -> dict[str, Any]:
    """Return the window in which no other alerts were active, where that is known."""
    return {} if page.window is None or page.unknown is not None else {"covers": page.window.to_json()}


def _series_result(answers: Sequence[SourceAnswer[Any]], limit: int) -> _Result:
    items: list[dict[str, Any]] = []
    outcomes: list[SourceOutcome] = []
    total: int | None = 0
    for answer in answers:
        page = answer.page
        if not isinstance(page, SeriesPage):
            outcomes.append(SourceOutcome(name=answer.name, kind=SourceKind.METRICS, live=False, error=answer.error))
            continue
        shown = [series_item(series, answer.name) for series in page.series[: limit - len(items)]]
        items += shown
        total = _sum(total, page.total)
        outcomes.append(
            SourceOutcome(
                name=answer.name,
                kind=SourceKind.METRICS,
                live=True,
                returned_count=len(shown),
                total_count=page.total,
                partial_reasons=page.partial_reasons,
                notes=page.notes,
            )
        )
    return _Result(items=items, outcomes=outcomes, total=total, fetched=total)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
