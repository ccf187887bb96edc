"""The configured sources and the three tools over them: where concrete adapters and tools are named."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from groundwire.bootstrap.configured import Configured, MissingVariableError, configured, server_of
from groundwire.bootstrap.log_servers import log_server
from groundwire.bootstrap.own_formats import own_formats
from groundwire.bootstrap.unusable import UnusableSource
from groundwire.domain.errors import UsageError
from groundwire.domain.metrics import Alert
from groundwire.domain.names import ToolName
from groundwire.domain.source_scope import SourceScope
from groundwire.domain.sources import SourceKind
from groundwire.ports import KnowledgeBase, LogBackend, MetricBackend, Tool
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.source_checks import Source
from groundwire.settings import LogTable, PlaceKind, Settings, log_place_of, place_of


class Sources:
    """The configured sources and the three tools over them."""

    def __init__(self, settings: Settings) -> None:
        named_logs = configured("logs", settings.logs, log_place_of)
        named_alerts = configured("alerts", settings.alerts, place_of)
        named_metrics = configured("metrics", settings.metrics, place_of)
        named_knowledge = configured("knowledge", settings.runbooks, place_of)
        _check_places(
            (("--logs", named_logs), ("--alerts", named_alerts), ("--metrics", named_metrics), ("--runbooks", named_knowledge))
        )
        logs = [_log_source(source, settings) for source in named_logs]
        metrics: list[MetricBackend] = [_alert_source(source, settings) for source in named_alerts]
        metrics += [_metric_source(source, settings) for source in named_metrics]
        knowledge = [_knowledge_source(source) for source in named_knowledge]
        scopes = {
            SourceKind.LOGS: _scopes(logs, named_logs),
            SourceKind.METRICS: _scopes(metrics, (*named_alerts, *named_metrics)),
            SourceKind.KNOWLEDGE: _scopes(knowledge, named_knowledge),
        }
        self.catalog = ConfiguredSources(
            logs=logs,
            metrics=metrics,
            knowledge=knowledge,
            covered=_covered_services((*named_logs, *named_alerts, *named_metrics, *named_knowledge)),
            log_servers={source.name for source in named_logs if source.place.kind not in (PlaceKind.DEMO, PlaceKind.FILES)},
        )
        self.all: list[tuple[SourceKind, Source]] = [(SourceKind.LOGS, backend) for backend in logs]
        self.all += [(SourceKind.ALERTS, backend) for backend in metrics[: len(named_alerts)]]
        self.all += [(SourceKind.METRICS, backend) for backend in metrics[len(named_alerts) :]]
        self.all += [(SourceKind.KNOWLEDGE, backend) for backend in knowledge]
        self.tools = _tools(logs, metrics, knowledge, scopes, known_services=lambda: self.catalog.listing().services)


def _tools(
    logs: Sequence[LogBackend],
    metrics: Sequence[MetricBackend],
    knowledge: Sequence[KnowledgeBase],
    scopes: Mapping[SourceKind, Mapping[str, SourceScope]],
    *,
    known_services: Callable[[], Sequence[str]],
) -> Mapping[str, Tool]:
    from groundwire.tools.lookup_knowledge import LookupKnowledge
    from groundwire.tools.query_logs import QueryLogs
    from groundwire.tools.query_metrics import QueryMetrics

    return {
        ToolName.QUERY_LOGS.value: QueryLogs(logs, scopes[SourceKind.LOGS]),
        ToolName.QUERY_METRICS.value: QueryMetrics(metrics, scopes[SourceKind.METRICS], known_services),
        ToolName.LOOKUP_KNOWLEDGE.value: LookupKnowledge(knowledge, scopes[SourceKind.KNOWLEDGE]),
    }


class _Named(Protocol):
    name: str


def _scopes(backends: Sequence[_Named], sources: Sequence[Configured]) -> dict[str, SourceScope]:
    """Return what each backend covers, by the name it goes by."""
    scopes: dict[str, SourceScope | None] = {}
    for backend, source in zip(backends, sources, strict=True):
        if scopes.setdefault(backend.name, source.scope) != source.scope:
            raise UsageError(
                f"two sources that cover different things are both called {backend.name!r}",
                hint="Give each a name of its own in groundwire.toml.",
            )
    return {name: scope for name, scope in scopes.items() if scope is not None}


def _covered_services(sources: Iterable[Configured]) -> set[str]:
    """Return the services that the settings name; a pattern is no name."""
    return {name for source in sources if source.scope is not None for name in source.scope.services if "*" not in name}


def _log_source(source: Configured, settings: Settings) -> LogBackend:
    match source.place.kind:
        case PlaceKind.DEMO:
            from groundwire.adapters.logs.demo import DemoLogs

            return DemoLogs()
        case PlaceKind.FILES:
            return _log_files(source, settings)
        case PlaceKind.JOURNALD:
            from groundwire.adapters.logs.journald import JournaldLogs

            return JournaldLogs(source.name, Path(source.place.target) if source.place.target else None)
        case _:
            return log_server(source, settings)


def _log_files(source: Configured, settings: Settings) -> LogBackend:
    from groundwire.adapters.logs.files import FileLogs

    table = source.table if isinstance(source.table, LogTable) else None
    zone = settings.timezone if table is None or table.zone is None else table.zone
    year = settings.year if table is None or table.year is None else table.year
    formats = own_formats(settings.log_formats)
    return FileLogs(source.name, Path(source.place.target), zone=ZoneInfo(zone), year=year, formats=formats)


def _alert_source(source: Configured, settings: Settings) -> MetricBackend:
    if source.place.kind is PlaceKind.DEMO:
        from groundwire.adapters.metrics.demo import DemoAlerts

        return DemoAlerts()
    if source.place.kind is PlaceKind.FILES:
        from groundwire.adapters.metrics.snapshot import SavedAlerts

        return SavedAlerts(source.name, Path(source.place.target))
    # Imported only here: an HTTP client costs more to load than a diagnosis of files.
    from groundwire.adapters.metrics.detection import detect_alert_source

    try:
        return detect_alert_source(source.name, *server_of(source, settings))
    except MissingVariableError as exc:
        return UnusableSource(source.name, SourceKind.ALERTS, str(exc))


def _metric_source(source: Configured, settings: Settings) -> MetricBackend:
    if not source.place.is_server:
        given = source.place.target or source.name
        raise UsageError(
            f"--metrics takes the URL of a Prometheus, not {given!r}",
            hint="Write it like http://prometheus:9090. Saved alert answers are named with --alerts.",
        )
    from groundwire.adapters.metrics.prometheus import PrometheusMetrics

    try:
        return PrometheusMetrics(source.name, *server_of(source, settings))
    except MissingVariableError as exc:
        return UnusableSource(source.name, SourceKind.METRICS, str(exc))


def _knowledge_source(source: Configured) -> KnowledgeBase:
    from groundwire.adapters.knowledge.demo import DemoKnowledge
    from groundwire.adapters.knowledge.markdown import MarkdownKnowledge

    if source.place.kind is PlaceKind.DEMO:
        return DemoKnowledge()
    return MarkdownKnowledge(source.name, Path(source.place.target))


def _check_places(settings: Iterable[tuple[str, Sequence[Configured]]]) -> None:
    """Refuse sources of which none is there: they were mistyped. Beside others that are, a row says what is missing."""
    named = [(flag, source.place) for flag, sources in settings for source in sources]
    missing = [
        (flag, place)
        for flag, place in named
        if flag != "--metrics" and not place.is_server and place.target and not Path(place.target).exists()
    ]
    if missing and len(missing) == len(named):
        flag, place = missing[0]
        raise UsageError(f"cannot read {flag} {place.target!r}: no such file or folder", hint=_nearby(Path(place.target)))


def _nearby(path: Path) -> str | None:
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return None
    close = difflib.get_close_matches(path.name, names, n=1)
    return f"Did you mean {str(path.parent / close[0])!r}?" if close else None


def read_pasted_alerts(text: str) -> tuple[Alert, ...]:
    """Return the alerts of a pasted body, or none when the text is a question."""
    from groundwire.adapters.metrics import pasted

    return pasted.read_pasted_alerts(text)
