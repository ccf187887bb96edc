"""The configured sources and the three tools over them: where concrete adapters and tools are named."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from groundwire.domain.errors import UsageError
from groundwire.domain.metrics import Alert
from groundwire.domain.names import ToolName
from groundwire.ports import KnowledgeBase, LogBackend, MetricBackend, Tool
from groundwire.services.catalog import ConfiguredSources
from groundwire.settings import DEMO, Settings


class Sources:
    """The configured sources and the three tools over them."""

    def __init__(self, settings: Settings) -> None:
        _check_places(settings)
        logs = _log_backends(settings)
        metrics = _metric_backends(settings)
        knowledge = _knowledge_bases(settings)
        self.catalog = ConfiguredSources(logs=logs, metrics=metrics, knowledge=knowledge)
        self.tools = _tools(logs, metrics, knowledge)


def _tools(
    logs: Sequence[LogBackend], metrics: Sequence[MetricBackend], knowledge: Sequence[KnowledgeBase]
) -> Mapping[str, Tool]:
    from groundwire.tools.lookup_knowledge import LookupKnowledge
    from groundwire.tools.query_logs import QueryLogs
    from groundwire.tools.query_metrics import QueryMetrics

    return {
        ToolName.QUERY_LOGS.value: QueryLogs(logs),
        ToolName.QUERY_METRICS.value: QueryMetrics(metrics),
        ToolName.LOOKUP_KNOWLEDGE.value: LookupKnowledge(knowledge),
    }


def _log_backends(settings: Settings) -> list[LogBackend]:
    from groundwire.adapters.logs.demo import DemoLogs
    from groundwire.adapters.logs.files import FileLogs

    zone = ZoneInfo(settings.timezone)
    names = _names(settings.logs)
    return [
        DemoLogs() if place == DEMO else FileLogs(name, Path(place), zone=zone, year=settings.year)
        for place, name in zip(settings.logs, names, strict=True)
    ]


def _metric_backends(settings: Settings) -> list[MetricBackend]:
    alerts = [_alert_source(name, place) for place, name in zip(settings.alerts, _names(settings.alerts), strict=True)]
    return alerts + [_prometheus(name, url) for url, name in zip(settings.metrics, _names(settings.metrics), strict=True)]


def _alert_source(name: str, place: str) -> MetricBackend:
    if place == DEMO:
        from groundwire.adapters.metrics.demo import DemoAlerts

        return DemoAlerts()
    if "://" not in place:
        from groundwire.adapters.metrics.snapshot import SavedAlerts

        return SavedAlerts(name, Path(place))
    # Imported only here: an HTTP client costs more to load than a diagnosis of files.
    from groundwire.adapters.metrics.detection import detect_alert_source

    return detect_alert_source(name, place)


def _prometheus(name: str, url: str) -> MetricBackend:
    if "://" not in url:
        raise UsageError(
            f"--metrics takes the URL of a Prometheus, not {url!r}", hint="Saved alert answers are named with --alerts."
        )
    from groundwire.adapters.metrics.prometheus import PrometheusMetrics

    return PrometheusMetrics(name, url)


def _knowledge_bases(settings: Settings) -> list[KnowledgeBase]:
    from groundwire.adapters.knowledge.demo import DemoKnowledge
    from groundwire.adapters.knowledge.markdown import MarkdownKnowledge

    return [
        DemoKnowledge() if place == DEMO else MarkdownKnowledge(name, Path(place))
        for place, name in zip(settings.runbooks, _names(settings.runbooks), strict=True)
    ]


def _check_places(settings: Settings) -> None:
    """Refuse sources of which none is there: they were mistyped. Beside others that are, a row says what is missing."""
    named = [("--logs", place) for place in settings.logs]
    named += [("--alerts", place) for place in settings.alerts]
    named += [("--runbooks", place) for place in settings.runbooks]
    missing = [(flag, place) for flag, place in named if place != DEMO and "://" not in place and not Path(place).exists()]
    if missing and len(missing) == len(named) and not settings.metrics:
        flag, place = missing[0]
        raise UsageError(f"cannot read {flag} {place!r}: no such file or folder", hint=_nearby(Path(place)))


def _nearby(path: Path) -> str | None:
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return None
    close = difflib.get_close_matches(path.name, names, n=1)
    return f"Did you mean {str(path.parent / close[0])!r}?" if close else None


def _names(places: Sequence[str]) -> list[str]:
    """Return a short name for each source, told apart where two would be called alike."""
    short = [_short_name(place) for place in places]
    return [name if short.count(name) == 1 else f"{name} ({short[: index + 1].count(name)})" for index, name in enumerate(short)]


def _short_name(place: str) -> str:
    if "://" in place:
        parts = urlsplit(place)
        host = parts.hostname or "server"
        try:
            port = f":{parts.port}" if parts.port else ""
        except ValueError:
            port = ""
        return f"{host}{port}"
    return "/".join(Path(place).absolute().parts[-2:]).lstrip("/") or place


def read_pasted_alerts(text: str) -> tuple[Alert, ...]:
    """Return the alerts of a pasted body, or none when the text is a question."""
    from groundwire.adapters.metrics import pasted

    return pasted.read_pasted_alerts(text)
