"""One of each server that is asked over HTTP, for what must hold of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import httpx

from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogQuery, LogRequest, LogTerm, TermKind
from groundwire.domain.metrics import SeriesRequest
from groundwire.ports import LogBackend
from tests.elastic_server import ElasticServer
from tests.log_servers.kept import Kept, ns
from tests.log_servers.loki import MadeLoki
from tests.log_servers.victorialogs import MadeVictoriaLogs

START: Final = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW: Final = TimeWindow(start=START, end=START + timedelta(hours=1))
_LABELS: Final = {"app": "orders", "level": "error"}
_TEXT: Final = "pool exhausted"


@dataclass(frozen=True, kw_only=True)
class Server:
    """``ask`` returns what a backend over ``make(url, options)`` says to a question, which holds ``text`` where it can."""

    make: Callable[[str, HttpOptions], Any]
    ask: Callable[[Any, str, Deadline], tuple[int, tuple[str, ...]]]
    holding: Callable[[], httpx.BaseTransport]
    paths: frozenset[str]


@dataclass
class Between(httpx.BaseTransport):
    """Stands before a server: keeps each request, and answers the first ones with what ``first`` makes."""

    server: httpx.BaseTransport
    prefix: str = ""
    first: list[Callable[[], httpx.Response]] = field(default_factory=list)
    asked: list[httpx.Request] = field(default_factory=list)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.asked.append(request)
        if self.first:
            return self.first.pop(0)()
        path = request.url.raw_path.decode()
        assert path.startswith(self.prefix), path
        url = request.url.copy_with(raw_path=path.removeprefix(self.prefix).encode())
        return self.server.handle_request(httpx.Request(request.method, url, content=request.content))

    @property
    def paths(self) -> set[str]:
        return {request.url.path.removeprefix(self.prefix) for request in self.asked}


def _ask_logs(backend: LogBackend, text: str, deadline: Deadline) -> tuple[int, tuple[str, ...]]:
    terms = (LogTerm(kind=TermKind.PHRASE, text=text),) if text else ()
    query = LogQuery(terms=terms)
    request = LogRequest(query=query, service=text or None, min_level=None, window=WINDOW, limit=5, deadline=deadline)
    page = backend.search(request)
    return len(page.records), (*page.partial_reasons, *backend.describe().problems)


def _ask_prometheus(backend: PrometheusMetrics, text: str, deadline: Deadline) -> tuple[int, tuple[str, ...]]:
    step = timedelta(seconds=15)
    series = backend.query(SeriesRequest(promql=text or "up", window=WINDOW, step=step, limit=10, deadline=deadline))
    alerts = backend.alerts(deadline)
    return len(series.series), (*series.partial_reasons, *alerts.partial_reasons, *backend.describe().problems)


def _ask_alertmanager(backend: AlertmanagerAlerts, text: str, deadline: Deadline) -> tuple[int, tuple[str, ...]]:
    page = backend.alerts(deadline)
    return len(page.alerts), (*page.partial_reasons, *backend.describe().problems)


def _prometheus(request: httpx.Request) -> httpx.Response:
    alert = {"labels": {"alertname": "Down"}, "annotations": {}, "state": "firing", "activeAt": START.isoformat(), "value": "1"}
    rule = {"type": "alerting", "name": "Down", "query": "up == 0", "health": "ok", "state": "firing", "alerts": []}
    series = {"metric": {"__name__": "up"}, "values": [[START.timestamp(), "1"]]}
    data: dict[str, Any] = {
        "/api/v1/alerts": {"alerts": [alert]},
        "/api/v1/rules": {"groups": [{"name": "g", "file": "f", "interval": 30, "rules": [rule]}]},
        "/api/v1/query_range": {"resultType": "matrix", "result": [series]},
        "/api/v1/metadata": {"up": [{"type": "gauge", "help": "", "unit": ""}]},
    }
    return httpx.Response(200, json={"status": "success", "data": data.get(request.url.path, [])})


def _alertmanager(request: httpx.Request) -> httpx.Response:
    alert = {
        "labels": {"alertname": "Down"},
        "annotations": {},
        "status": {"state": "active", "silencedBy": [], "inhibitedBy": []},
        "startsAt": START.isoformat(),
        "endsAt": WINDOW.end.isoformat(),
        "fingerprint": "1a",
        "receivers": [{"name": "r"}],
        "generatorURL": "http://elsewhere.test/graph",
    }
    return httpx.Response(200, json=[alert] if request.url.path == "/api/v2/alerts" else [])


def _kept() -> list[Kept]:
    return [Kept(ns(START + timedelta(minutes=1)), _LABELS, _TEXT)]


def _documents() -> list[dict[str, Any]]:
    return [{"@timestamp": (START + timedelta(minutes=1)).isoformat(), "service": "orders", "level": "error", "message": _TEXT}]


SERVERS: Final[dict[str, Server]] = {
    "prometheus": Server(
        make=lambda url, options: PrometheusMetrics("src", url, options),
        ask=_ask_prometheus,
        holding=lambda: httpx.MockTransport(_prometheus),
        paths=frozenset(f"/api/v1/{name}" for name in "alerts rules query query_range metadata".split())
        | {f"/api/v1/label/{name}/values" for name in "service service_name app application job __name__".split()},
    ),
    "alertmanager": Server(
        make=lambda url, options: AlertmanagerAlerts("src", url, options),
        ask=_ask_alertmanager,
        holding=lambda: httpx.MockTransport(_alertmanager),
        paths=frozenset({"/api/v2/alerts", "/api/v2/alerts/groups", "/api/v2/silences"}),
    ),
    "loki": Server(
        make=lambda url, options: LokiLogs("src", url, options, now=lambda: WINDOW.end),
        ask=_ask_logs,
        holding=lambda: MadeLoki(_kept()),
        paths=frozenset(f"/loki/api/v1/{name}" for name in ("series", "query", "query_range")),
    ),
    "victorialogs": Server(
        make=lambda url, options: VictoriaLogs("src", url, options, now=lambda: WINDOW.end),
        ask=_ask_logs,
        holding=lambda: MadeVictoriaLogs(_kept()),
        paths=frozenset(f"/select/logsql/{name}" for name in ("query", "hits", "field_names", "field_values")),
    ),
    "elasticsearch": Server(
        make=lambda url, options: ElasticsearchLogs("src", url, options, index="logs-*", now=lambda: WINDOW.end),
        ask=_ask_logs,
        holding=lambda: ElasticServer(_documents()),
        paths=frozenset({"/logs-*/_field_caps", "/logs-*/_search"}),
    ),
}
