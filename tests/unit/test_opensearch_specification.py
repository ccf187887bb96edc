"""Every request to Elasticsearch and OpenSearch, and every property that is read of an answer, is one of the published API.

The stand-in holds each request that reaches it, and each answer that it gives, against the same table: so do all other suites
that run over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from groundwire.adapters.logs import elastic_search
from groundwire.adapters.servers import api, words
from groundwire.adapters.servers.json_body import JsonBody, read_json
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import ToolError
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogRequest
from tests import opensearch_api as spec
from tests.elastic_server import ElasticServer
from tests.elastic_situations import FAILED_SHARDS, FAILURES, HOUR, NO_INDEX, at, backend_over

Read = set[tuple[str, str]]


class Watched(dict[str, Any]):
    """An object of an answer that notes which of its properties are asked for."""

    def __init__(self, value: dict[str, Any], schema: str, read: Read) -> None:
        super().__init__(value)
        self._schema = schema
        self._read = read

    def get(self, name: str, default: Any = None) -> Any:
        self._read.add((self._schema, name))
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self._read.add((self._schema, name))
        return super().__getitem__(name)


def _watched(value: Any, wanted: spec.Type, read: Read) -> Any:
    match wanted, value:
        case spec.Listed(of), list():
            return [_watched(one, of, read) for one in value]
        case spec.ByName(of), dict():
            return {name: _watched(one, of, read) for name, one in value.items()}
        case tuple(), _:
            return _watched(value, next((one for one in wanted if isinstance(one, str)), None), read)
        case str(), dict():
            properties = spec.SCHEMAS[wanted]
            below = {name: _watched(one, properties.get(name, spec.ANYTHING), read) for name, one in value.items()}
            if isinstance(below.get("aggregations"), dict):
                below["aggregations"] = {name: _watched_aggregate(one, read) for name, one in below["aggregations"].items()}
            return Watched(below, wanted, read)
        case _:
            return value


def _watched_aggregate(aggregate: dict[str, Any], read: Read) -> Any:
    """Tell the kind of an aggregate by its shape; what is below it goes by the names that were asked for."""
    if "buckets" in aggregate:
        buckets = [_watched_aggregate(bucket, read) for bucket in aggregate["buckets"]]
        return Watched({**aggregate, "buckets": buckets}, "StringTermsAggregate", read)
    if "value" in aggregate:
        return Watched(aggregate, "MaxAggregate", read)
    below = {name: _watched_aggregate(one, read) if isinstance(one, dict) else one for name, one in aggregate.items()}
    return Watched(below, "StringTermsBucket" if "key" in aggregate else "FilterAggregate", read)


def _schema_of(value: dict[str, Any]) -> str:
    kinds = {"fields": "field_caps@200", "hits": "SearchResult", "version": "info@200", "error": "ErrorResponseBase"}
    return next(schema for name, schema in kinds.items() if name in value)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    read: Read = set()

    def watch(body: bytes) -> JsonBody:
        found = read_json(body)
        return replace(found, value=_watched(found.value, _schema_of(found.value), read))

    monkeypatch.setattr(api, "read_json", watch)
    monkeypatch.setattr(words, "read_json", watch)
    return read


def _search(transport: httpx.BaseTransport, query: str = "", *, level: Level | None = None, service: str | None = None) -> None:
    backend = backend_over(transport)
    backend.describe()
    backend.check(Deadline.after(5))
    backend.search(
        LogRequest(
            query=parse_log_query(query), service=service, min_level=level, window=HOUR, limit=5, deadline=Deadline.after(30)
        )
    )


SITUATIONS: list[dict[str, Any]] = [
    {},
    {"timed_out": True, "terminated_early": True},
    {"_shards": FAILED_SHARDS},
    {"_clusters": {"total": 3, "successful": 2, "skipped": 1}},
]


def test_each_property_that_is_read_of_an_answer_is_published(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [at(n / 2, log={"level": "error"}, severity="ERROR") for n in range(1_100)]
    for situation in SITUATIONS:
        server = ElasticServer(documents, change=lambda _, answer, more=situation: {**answer, **more})  # type: ignore[misc]
        _search(server, level=Level.ERROR, service="till")
        _search(server, "jammed -zebra")
    for _, answer, _, _ in (case for case in FAILURES if case[0] in {"400", "401", "403", "429", "503"}):
        with pytest.raises(ToolError):
            _search(httpx.MockTransport(lambda _, answer=answer: answer()), "x")
    unpublished = {one for one in read if one[1] not in spec.SCHEMAS[one[0]] and not _is_name_of_ours(*one)}
    assert unpublished == spec.OUTSIDE
    assert read >= {
        ("SearchResult", "timed_out"),
        ("ShardFailure", "reason"),
        ("ErrorCause", "caused_by"),
        ("ClusterStatistics", "skipped"),
        ("TotalHits", "relation"),
        ("Hit", "_source"),
        ("FieldCapability", "aggregatable"),
        ("StringTermsBucket", "doc_count"),
        ("OpenSearchVersionInfo", "number"),
    }


def _is_name_of_ours(schema: str, name: str) -> bool:
    """Return whether it is an aggregation's name, which those who ask choose."""
    return schema in {"FilterAggregate", "StringTermsBucket"} and name in {"values", "last"}


@pytest.mark.parametrize("most", [3, 10_000], ids=["the server looks for words", "all is read"])
@pytest.mark.parametrize("query", ["", "jammed", "status:503 -zebra", "level:error", "service:till", "instance:n1", "user:bob"])
def test_each_kind_of_request_is_published(query: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", most)
    documents = [at(n, host="n1", status=500 + n % 5, user="bob") for n in range(20)]
    documents += [{**at(n, service="cart"), "@timestamp": (HOUR.start + timedelta(seconds=n)).isoformat()} for n in range(20)]
    types = {"user": "keyword", "@timestamp": "date_nanos"}
    for server in (ElasticServer(documents), ElasticServer(documents, types=types)):
        _search(server, query, level=Level.WARN, service="till")
        assert server.asked
    _search(ElasticServer([at(7200)]), query)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda body: {**body, "from": 10}, "SearchRequestBody has no"),
        (lambda body: {**body, "timeout": "4500"}, "timeout"),
        (lambda body: {**body, "query": {"match_phrase": {"message": "x"}}}, "QueryContainer has no"),
        (lambda body: {**body, "query": {"bool": {"filters": []}}}, "BoolQuery has no"),
        (lambda body: {**body, "query": {"exists": {"field": "a"}, "match_none": {}}}, "not one of them"),
        (lambda body: {**body, "aggs": {"x": {"terms": {"field": "a", "order": "b"}}}}, "TermsAggregation has no"),
        (lambda body: {**body, "sort": [{"@timestamp": {"order": "newest"}}]}, "order"),
        (lambda body: {**body, "search_after": [1, 2]}, "search_after goes by sort"),
    ],
)
def test_what_is_not_published_is_refused(change: Callable[[dict[str, Any]], dict[str, Any]], words: str) -> None:
    server = ElasticServer([at()])
    _search(server)
    body = change(server.asked[-1])
    with pytest.raises(AssertionError, match=words):
        spec.check_request(httpx.Request("POST", "http://es.test/logs/_search", json=body))
    with pytest.raises(AssertionError, match="search::query has no"):
        spec.check_request(httpx.Request("POST", "http://es.test/logs/_search?preference=a", json=server.asked[-1]))


def test_the_situations_of_the_other_suites_are_answers_of_the_published_shape() -> None:
    for case in FAILURES:
        if case[0] in {"400", "401", "403", "403 of OpenSearch", "429", "503"}:
            spec.check(case[1]().json(), "ErrorResponseBase")
    spec.check(NO_INDEX, "ErrorResponseBase")
    spec.check(FAILED_SHARDS, "ShardStatistics")
