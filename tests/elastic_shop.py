"""The shop of the demo in Elasticsearch, in the layouts that shippers write."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any

from groundwire.adapters.logs.demo import DemoLogs
from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogQuery, LogRecord, LogRequest
from tests.elastic_server import ElasticServer

_ALL = TimeWindow(start=datetime(2026, 11, 1, tzinfo=UTC), end=datetime(2026, 12, 1, tzinfo=UTC))


def _ecs(record: LogRecord) -> dict[str, Any]:
    return {"log": {"level": _level(record, str.lower)}, "service": {"name": record.service}, "message": record.message}


def _otel(record: LogRecord) -> dict[str, Any]:
    named = {"service.name": record.service, "k8s.pod.name": f"{record.service}-7d9f8c6b54-x2v4q"}
    return {"severity_text": _level(record, str.upper), "resource": {"attributes": named}, "body": {"text": record.message}}


def _fluent_bit(record: LogRecord) -> dict[str, Any]:
    pod = {"container_name": record.service, "pod_name": f"{record.service}-0", "namespace_name": "shop"}
    return {"log": record.message + "\n", "stream": "stdout", "kubernetes": pod, "level": _level(record, str.title)}


def _logstash(record: LogRecord) -> dict[str, Any]:
    return {"@version": "1", "host": "node-1", "service": record.service, "level": _level(record, str), "message": record.message}


_KEYWORDS = {"log.level": "keyword", "service.name": "keyword", "message": "match_only_text"}
ELASTIC_LAYOUTS: dict[str, tuple[Callable[[LogRecord], dict[str, Any]], dict[str, str]]] = {
    "ECS": (_ecs, _KEYWORDS),
    "OTel": (_otel, {"severity_text": "keyword", "resource.attributes.service.name": "keyword"}),
    "Fluent Bit": (_fluent_bit, {}),
    "Logstash": (_logstash, {}),
}


def shop_in_elasticsearch(layout: str, *, now: datetime) -> ElasticsearchLogs:
    """Return a backend over a server that holds the demo's records in one layout."""
    write, types = ELASTIC_LAYOUTS[layout]
    documents = [{**record.fields, "@timestamp": _written(record), **write(record)} for record in _records()]
    server = ElasticServer(documents, types=types)
    return ElasticsearchLogs("shop", "http://es.test:9200", HttpOptions(transport=server), index="logs-*", now=lambda: now)


@cache
def _records() -> tuple[LogRecord, ...]:
    request = LogRequest(query=LogQuery(), service=None, min_level=None, window=_ALL, limit=100_000, deadline=Deadline.after(60))
    return DemoLogs().search(request).records


def _written(record: LogRecord) -> str:
    assert record.timestamp is not None
    return record.timestamp.isoformat()


def _level(record: LogRecord, spell: Callable[[str], str]) -> str | None:
    return None if record.level is None else spell(record.level.name)
