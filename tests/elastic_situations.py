"""Situations that Elasticsearch and OpenSearch can be in, in bodies of the shapes that they send."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendError,
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
)
from groundwire.domain.incident import TimeWindow
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from tests.elastic_server import ElasticServer

START = datetime(2026, 11, 12, 9, 0, tzinfo=UTC)
HOUR = TimeWindow(start=START, end=START + timedelta(hours=1))

Answer = dict[str, Any]


def at(seconds: float = 0, **document: Any) -> Answer:
    known = {"level": "error", "service": "till", "message": "drawer jammed"}
    return {"@timestamp": (START + timedelta(seconds=seconds)).isoformat(), **known, **document}


def backend_over(transport: httpx.BaseTransport, *, index: str = "logs-*", **more: Any) -> ElasticsearchLogs:
    options = HttpOptions(transport=transport, headers={"authorization": "ApiKey c2VjcmV0"}, pause=lambda _: None)
    return ElasticsearchLogs("es", "http://es.test:9200", options, index=index, **more)


def search(backend: ElasticsearchLogs, query: str = "", *, service: str | None = None, deadline_s: float = 30) -> LogPage:
    return backend.search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=None,
            window=HOUR,
            limit=50,
            deadline=Deadline.after(deadline_s),
        )
    )


def error_of(kind: str, reason: str, **more: Any) -> Answer:
    cause = {"type": kind, "reason": reason}
    return {"root_cause": [cause], **cause, **more}


class AnsweredServer(httpx.BaseTransport):
    """Says which fields it has as the server behind it does, and answers every search with one thing."""

    def __init__(self, answer: Callable[[], httpx.Response]) -> None:
        self._fields = ElasticServer([at()])
        self._answer = answer
        self.count = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("_field_caps"):
            return self._fields.handle_request(request)
        self.count += 1
        return self._answer()


def answering(answer: Callable[[], httpx.Response]) -> ElasticsearchLogs:
    return backend_over(AnsweredServer(answer))


def raising(error: Exception) -> Callable[[], httpx.Response]:
    def answer() -> httpx.Response:
        raise error

    return answer


class BreakingBody(httpx.SyncByteStream):
    def __init__(self, error: Exception) -> None:
        self._error = error

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"took":3,"hits":{"hits":['
        raise self._error


NO_INDEX = {
    "error": error_of("index_not_found_exception", "no such index [logs-*]", **{"resource.id": "logs-*", "index": "logs-*"}),
    "status": 404,
}
_ALL_FAILED = {
    "error": {
        "root_cause": [{"type": "no_shard_available_action_exception", "reason": None}],
        "type": "search_phase_execution_exception",
        "reason": "all shards failed",
        "phase": "query",
        "grouped": True,
        "failed_shards": [
            {"shard": 0, "index": "logs-1", "node": None, "reason": {"type": "no_shard_available_action_exception"}}
        ],
    },
    "status": 503,
}
_TOO_LARGE = "[parent] Data too large, data for [<http_request>] would be [1039994134/991.8mb], more than [972.7mb]"
_FIELDDATA = "Text fields are not optimised for operations that require per-document field data"
_BAD_QUERY = {
    "error": {
        "root_cause": [{"type": "illegal_argument_exception", "reason": _FIELDDATA}],
        "type": "search_phase_execution_exception",
        "reason": "all shards failed",
        "phase": "query",
        "grouped": True,
        "failed_shards": [
            {"shard": 0, "index": "logs-1", "reason": {"type": "illegal_argument_exception", "reason": _FIELDDATA}}
        ],
        "caused_by": {"type": "illegal_argument_exception", "reason": _FIELDDATA},
    },
    "status": 400,
}
_NO_RIGHT = "action [indices:data/read/search] is unauthorized for user [ro] with effective roles [none] on indices [logs-1]"
_NO_RIGHT_OPENSEARCH = "no permissions for [indices:data/read/search] and User [name=ro, backend_roles=[], requestedTenant=null]"

FAILURES: list[tuple[str, Callable[[], httpx.Response], type[BackendError], str]] = [
    (
        "unreachable",
        raising(httpx.ConnectError("Name or service not known")),
        BackendUnavailableError,
        "cannot reach http://es.test:9200",
    ),
    ("refused", raising(httpx.ConnectError("[Errno 111] Connection refused")), BackendUnavailableError, "Connection refused"),
    ("timed out", raising(httpx.ReadTimeout("")), BackendTimeoutError, "no answer within 20 s"),
    (
        "timed out mid-body",
        lambda: httpx.Response(200, stream=BreakingBody(httpx.ReadTimeout(""))),
        BackendTimeoutError,
        "no answer within",
    ),
    (
        "broken mid-body",
        lambda: httpx.Response(200, stream=BreakingBody(httpx.RemoteProtocolError("peer closed connection"))),
        BackendUnavailableError,
        "peer closed connection",
    ),
    (
        "400",
        lambda: httpx.Response(400, json=_BAD_QUERY),
        BackendRejectedError,
        f"all shards failed .illegal_argument_exception: {_FIELDDATA}",
    ),
    (
        "401",
        lambda: httpx.Response(
            401, json={"error": error_of("security_exception", "missing authentication credentials"), "status": 401}
        ),
        BackendRejectedError,
        "HTTP 401 Unauthorized: security_exception: missing authentication credentials",
    ),
    (
        "401 of OpenSearch",
        lambda: httpx.Response(401, text="Unauthorized"),
        BackendRejectedError,
        "HTTP 401 Unauthorized: Unauthorized",
    ),
    (
        "403",
        lambda: httpx.Response(403, json={"error": error_of("security_exception", _NO_RIGHT), "status": 403}),
        BackendRejectedError,
        "is unauthorized for user",
    ),
    (
        "403 of OpenSearch",
        lambda: httpx.Response(403, json={"error": error_of("security_exception", _NO_RIGHT_OPENSEARCH), "status": 403}),
        BackendRejectedError,
        "HTTP 403 Forbidden: security_exception: no permissions for",
    ),
    (
        "429",
        lambda: httpx.Response(429, json={"error": error_of("circuit_breaking_exception", _TOO_LARGE), "status": 429}),
        BackendRejectedError,
        "HTTP 429 Too Many Requests: circuit_breaking_exception: .parent. Data too large",
    ),
    (
        "503",
        lambda: httpx.Response(503, json=_ALL_FAILED),
        BackendUnavailableError,
        "HTTP 503 .*: search_phase_execution_exception: all shards failed .no_shard_available_action_exception",
    ),
    (
        "HTML",
        lambda: httpx.Response(200, html="<html><title>Sign in</title></html>"),
        BackendMalformedError,
        "answered what is not JSON, beginning '<html>",
    ),
    (
        "cut JSON",
        lambda: httpx.Response(200, content=b'{"took":3,"hits":{"hits":[{"_in'),
        BackendMalformedError,
        "what is not JSON",
    ),
    ("a list", lambda: httpx.Response(200, json=[]), BackendMalformedError, "it is a list, not an object with hits"),
    ("another object", lambda: httpx.Response(200, json={"status": "success"}), BackendMalformedError, "an object with status"),
    ("no shards said", lambda: httpx.Response(200, json={"hits": {"hits": []}}), BackendMalformedError, "which shards"),
]

FAILED_SHARDS = {
    "total": 5,
    "successful": 1,
    "skipped": 0,
    "failed": 4,
    "failures": [
        {
            "shard": n,
            "index": "logs-1",
            "node": "n1",
            "reason": {"type": "circuit_breaking_exception", "reason": "no room"},
        }
        for n in range(3)
    ]
    + [{"shard": 3, "index": "logs-2", "node": None, "reason": {"type": "node_left_exception", "reason": None}}],
}


def changed(**change: Any) -> ElasticsearchLogs:
    return backend_over(ElasticServer([at(0), at(1)], change=lambda _, answer: {**answer, **change}))


def disordered(request: Answer, answer: Answer) -> Answer:
    """Return an answer whose documents are in no order, and one of them twice."""
    answer["hits"]["hits"] = sorted(answer["hits"]["hits"], key=lambda hit: hit["_id"])
    answer["hits"]["hits"] += answer["hits"]["hits"][:1]
    return answer


def without_source(request: Answer, answer: Answer) -> Answer:
    """Return an answer of a server that does not keep the documents."""
    for hit in answer["hits"]["hits"]:
        del hit["_source"]
    return answer


def capped(request: Answer, answer: Answer) -> Answer:
    """Return an answer whose total is what there is at least."""
    if "aggs" in request:
        answer["hits"]["total"] = {"value": 2, "relation": "gte"}
    return answer


class BrokenByteServer(ElasticServer):
    """Sends a byte that is no text in a message."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        return httpx.Response(answer.status_code, content=answer.content.replace(b"jammed", b"jam\xffed"))
