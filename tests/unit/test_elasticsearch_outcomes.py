"""Elasticsearch and OpenSearch: what becomes of each situation of the server, in bodies of the shapes that it sends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendError,
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
    NotConfiguredError,
)
from groundwire.domain.incident import TimeWindow
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.ports import CallContext
from groundwire.tools.query_logs import QueryLogs
from tests.elastic_server import ElasticServer

START = datetime(2026, 11, 12, 9, 0, tzinfo=UTC)
HOUR = TimeWindow(start=START, end=START + timedelta(hours=1))

Answer = dict[str, Any]


def _at(seconds: float = 0, **document: Any) -> Answer:
    known = {"level": "error", "service": "till", "message": "drawer jammed"}
    return {"@timestamp": (START + timedelta(seconds=seconds)).isoformat(), **known, **document}


def _backend(transport: httpx.BaseTransport, *, index: str = "logs-*", **more: Any) -> ElasticsearchLogs:
    options = HttpOptions(transport=transport, headers={"authorization": "ApiKey c2VjcmV0"}, pause=lambda _: None)
    return ElasticsearchLogs("es", "http://es.test:9200", options, index=index, **more)


def _search(backend: ElasticsearchLogs, query: str = "", *, service: str | None = None, deadline_s: float = 30) -> LogPage:
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


def _error(kind: str, reason: str, **more: Any) -> Answer:
    cause = {"type": kind, "reason": reason}
    return {"root_cause": [cause], **cause, **more}


class _Searched(httpx.BaseTransport):
    """Says which fields it has as the server behind it does, and answers every search with one thing."""

    def __init__(self, answer: Callable[[], httpx.Response]) -> None:
        self._fields = ElasticServer([_at()])
        self._answer = answer
        self.count = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("_field_caps"):
            return self._fields.handle_request(request)
        self.count += 1
        return self._answer()


def _answers(answer: Callable[[], httpx.Response]) -> ElasticsearchLogs:
    return _backend(_Searched(answer))


def _raise(error: Exception) -> Callable[[], httpx.Response]:
    def answer() -> httpx.Response:
        raise error

    return answer


class _Breaking(httpx.SyncByteStream):
    def __init__(self, error: Exception) -> None:
        self._error = error

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"took":3,"hits":{"hits":['
        raise self._error


_NO_INDEX = {
    "error": _error("index_not_found_exception", "no such index [logs-*]", **{"resource.id": "logs-*", "index": "logs-*"}),
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
        _raise(httpx.ConnectError("Name or service not known")),
        BackendUnavailableError,
        "cannot reach http://es.test:9200",
    ),
    ("refused", _raise(httpx.ConnectError("[Errno 111] Connection refused")), BackendUnavailableError, "Connection refused"),
    ("timed out", _raise(httpx.ReadTimeout("")), BackendTimeoutError, "no answer within 20 s"),
    (
        "timed out mid-body",
        lambda: httpx.Response(200, stream=_Breaking(httpx.ReadTimeout(""))),
        BackendTimeoutError,
        "no answer within",
    ),
    (
        "broken mid-body",
        lambda: httpx.Response(200, stream=_Breaking(httpx.RemoteProtocolError("peer closed connection"))),
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
            401, json={"error": _error("security_exception", "missing authentication credentials"), "status": 401}
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
        lambda: httpx.Response(403, json={"error": _error("security_exception", _NO_RIGHT), "status": 403}),
        BackendRejectedError,
        "is unauthorized for user",
    ),
    (
        "403 of OpenSearch",
        lambda: httpx.Response(403, json={"error": _error("security_exception", _NO_RIGHT_OPENSEARCH), "status": 403}),
        BackendRejectedError,
        "HTTP 403 Forbidden: security_exception: no permissions for",
    ),
    (
        "429",
        lambda: httpx.Response(429, json={"error": _error("circuit_breaking_exception", _TOO_LARGE), "status": 429}),
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


@pytest.mark.parametrize(("answer", "error", "words"), [case[1:] for case in FAILURES], ids=[case[0] for case in FAILURES])
def test_a_failure_is_told_in_the_servers_words(
    answer: Callable[[], httpx.Response], error: type[BackendError], words: str
) -> None:
    with pytest.raises(error, match=words) as raised:
        _search(_answers(answer))
    assert type(raised.value) is error
    assert "c2VjcmV0" not in raised.value.message


@pytest.mark.parametrize(("status", "asked"), [(429, 2), (503, 2), (400, 1)])
def test_only_a_server_that_is_busy_is_asked_again(status: int, asked: int) -> None:
    server = _Searched(lambda: httpx.Response(status, json={"error": _error("x", "y"), "status": status}))
    with pytest.raises(BackendError):
        _search(_backend(server))
    assert server.count == asked


def test_an_index_that_is_not_there_is_no_empty_answer() -> None:
    with pytest.raises(NotConfiguredError, match=r"HTTP 404 Not Found: index_not_found_exception: no such index \[nginx-\*\]"):
        _search(_backend(ElasticServer([_at()]), index="nginx-*"))
    gone = _answers(lambda: httpx.Response(404, json=_NO_INDEX))
    with pytest.raises(NotConfiguredError, match="index_not_found_exception") as raised:
        _search(gone)
    assert raised.value.hint is not None and "data stream" in raised.value.hint
    assert gone.describe().problems == ("es: HTTP 404 Not Found: index_not_found_exception: no such index [logs-*]",)


def test_a_pattern_that_fits_no_index_is_no_empty_answer_either() -> None:
    nothing = {"took": 0, "timed_out": False, "_shards": {"total": 0, "successful": 0, "skipped": 0, "failed": 0}}
    found = {"total": {"value": 0, "relation": "eq"}, "max_score": 0.0, "hits": []}
    with pytest.raises(NotConfiguredError, match=r"no index there goes by 'logs-\*'"):
        _search(_answers(lambda: httpx.Response(200, json={**nothing, "hits": found})))
    empty = httpx.MockTransport(lambda _: httpx.Response(200, json={"indices": [], "fields": {}}))
    with pytest.raises(NotConfiguredError, match=r"no index there goes by 'logs-\*'"):
        _search(_backend(empty))


def test_an_index_without_a_time_cannot_be_searched_and_says_what_it_has() -> None:
    server = ElasticServer([{"name": "kettle", "created": START.isoformat()}])
    with pytest.raises(NotConfiguredError, match=r"no date field among @timestamp, .*; it has created: name the one"):
        _search(_backend(server))
    numbers = ElasticServer([{"@timestamp": 1}])
    with pytest.raises(NotConfiguredError, match="cannot be searched by time"):
        _search(_backend(numbers))


def test_nothing_found_is_an_empty_answer_that_is_whole() -> None:
    page = _search(_backend(ElasticServer([_at(seconds=7200)])), service="till")
    assert (page.records, page.matched.total, page.matched.is_exact, page.partial_reasons) == ((), 0, True, ())


def _changed(**change: Any) -> ElasticsearchLogs:
    return _backend(ElasticServer([_at(0), _at(1)], change=lambda _, answer: {**answer, **change}))


_SHARDS = {
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


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"timed_out": True}, "the search timed out on the server, which answered with what it had found by then"),
        ({"terminated_early": True}, "the server ended the search early, at a limit of its own"),
        (
            {"_shards": _SHARDS},
            "4 of 5 shards failed: circuit_breaking_exception: no room (index logs-1); node_left_exception (index logs-2)",
        ),
        ({"_shards": {"total": 3, "successful": 2, "failed": 0}}, "1 of 3 shards failed, without a reason"),
        ({"_clusters": {"total": 3, "successful": 2, "skipped": 1}}, "1 of 3 clusters did not answer, or only in part"),
    ],
    ids=["timed out", "terminated early", "failed shards", "silent shard", "skipped cluster"],
)
@pytest.mark.parametrize("is_empty", [False, True])
def test_a_part_of_the_answer_is_told_for_what_it_is(change: Answer, reason: str, is_empty: bool) -> None:
    nothing = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}, "aggregations": {}} if is_empty else {}
    page = _search(_changed(**change, **nothing))
    assert page.partial_reasons == (reason,)
    assert len(page.records) == (0 if is_empty else 2)
    assert not page.matched.is_exact


def test_a_partial_answer_with_nothing_in_it_is_no_absence_in_the_tool_either() -> None:
    nothing = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}, "aggregations": {}}
    tool = QueryLogs([_changed(timed_out=True, _shards=_SHARDS, **nothing)])
    answer = tool.run({"service": "till"}, CallContext(window=HOUR, deadline=Deadline.after(30), earlier_calls=list))
    assert answer["evidence_status"] == "no_evidence"
    assert answer["partial"] is True
    assert "4 of 5 shards failed" in " ".join(answer["partial_reasons"])


def test_the_tool_says_how_many_there_were_before_our_own_filter() -> None:
    tool = QueryLogs([_backend(ElasticServer([_at(), _at(1)]))])
    answer = tool.run({"query": "zebra"}, CallContext(window=HOUR, deadline=Deadline.after(30), earlier_calls=list))
    assert (answer["evidence_status"], answer["fetched_count"], answer["sources"][0]["fetched_count"]) == ("no_evidence", 2, 2)


def test_when_all_shards_fail_the_search_failed() -> None:
    shards = {
        "total": 1,
        "successful": 0,
        "failed": 1,
        "failures": [{"reason": {"type": "query_shard_exception", "reason": "no"}}],
    }
    with pytest.raises(BackendUnavailableError, match="1 of 1 shards failed: query_shard_exception: no"):
        _search(_changed(_shards=shards))


def test_a_total_that_is_a_lower_bound_is_one() -> None:
    def capped(request: Answer, answer: Answer) -> Answer:
        if "aggs" in request:
            answer["hits"]["total"] = {"value": 2, "relation": "gte"}
        return answer

    page = _search(_backend(ElasticServer([_at(0), _at(1)], change=capped)))
    assert (page.matched.total, page.matched.is_exact, page.partial_reasons) == (2, False, ())


def test_an_answer_that_is_too_long_is_asked_for_in_pieces() -> None:
    documents = [_at(n, message=f"{n} " + "x" * 5_000_000) for n in range(5)]
    page = _search(_backend(ElasticServer(documents)))
    assert [record.message[:2] for record in page.records] == ["4 ", "3 ", "2 ", "1 ", "0 "]
    assert page.partial_reasons == ()


def test_a_record_that_is_longer_than_any_answer_may_be_fails_with_a_reason() -> None:
    with pytest.raises(BackendMalformedError, match="more than 16 MB"):
        _search(_backend(ElasticServer([_at(message="x" * 17_000_000)])))


def test_the_same_document_twice_is_one_and_records_come_in_order() -> None:
    def disordered(request: Answer, answer: Answer) -> Answer:
        answer["hits"]["hits"] = sorted(answer["hits"]["hits"], key=lambda hit: hit["_id"])
        answer["hits"]["hits"] += answer["hits"]["hits"][:1]
        return answer

    page = _search(_backend(ElasticServer([_at(0, message="old"), _at(1, message="new")], change=disordered)))
    assert [record.message for record in page.records] == ["new", "old"]


def test_records_that_say_the_same_are_all_kept() -> None:
    assert _search(_backend(ElasticServer([_at(), _at()]))).matched.total == 2


def test_a_byte_that_is_no_text_does_not_cost_the_rest() -> None:
    class Broken(ElasticServer):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = super().handle_request(request)
            return httpx.Response(200, content=answer.content.replace(b"jammed", b"jam\xffed"))

    page = _search(_backend(Broken([_at()])))
    assert page.records[0].message == "drawer jam�ed"
    assert page.notes == ("bytes that are no text are shown as U+FFFD",)


def test_clocks_an_hour_apart_are_noticed() -> None:
    taken_in = [(START + timedelta(hours=1, seconds=n + 0.4)).isoformat() for n in range(4)]
    documents = [_at(n, event={"ingested": moment}) for n, moment in enumerate(taken_in)]
    page = _search(_backend(ElasticServer(documents)))
    assert page.notes == (
        "the clock of the records (@timestamp) runs 1 h behind that of who took them in; the records' own is used",
    )
    ahead = _backend(ElasticServer([_at()]), now=lambda: START - timedelta(hours=1)).describe()
    assert ahead.problems == (
        "its newest record is 60 minutes ahead of the clock here, so that a window up to now may lack the newest records",
    )


def test_records_without_a_time_are_counted_where_none_with_one_is_found() -> None:
    server = ElasticServer([_at(7200), {"service": "till", "message": "undated"}, {"service": "cart", "message": "undated"}])
    page = _search(_backend(server), service="till")
    assert page.undated_count == 1
    assert page.partial_reasons == ("1 records have no @timestamp, so they are in no window (one is in logs-shop)",)


def test_documents_that_the_server_does_not_keep_are_not_taken_for_none() -> None:
    def bare(request: Answer, answer: Answer) -> Answer:
        for hit in answer["hits"]["hits"]:
            del hit["_source"]
        return answer

    page = _search(_backend(ElasticServer([_at(), _at(1)], change=bare)))
    assert page.records == ()
    assert page.partial_reasons == ("2 records hold no document that could be read (_source is not kept)",)


def test_time_that_runs_out_while_reading_leaves_what_was_read() -> None:
    def late(request: Answer, answer: Answer) -> Answer:
        if "search_after" in request:
            raise httpx.ReadTimeout("")
        return answer

    page = _search(_backend(ElasticServer([_at(n / 2) for n in range(2_500)], change=late)), "jammed")
    assert (page.matched.total, page.matched.is_exact) == (1_000, False)
    assert page.partial_reasons == ("time ran out after the newest 1000 of 2500 records that the server found",)


def test_it_is_told_how_long_it_may_take() -> None:
    server = ElasticServer([_at()])
    _search(_backend(server), deadline_s=5)
    assert all(4_000 < int(asked["timeout"].removesuffix("ms")) <= 4_500 for asked in server.asked)


def test_a_source_whose_newest_record_is_old_says_so_and_names_its_services() -> None:
    description = _backend(ElasticServer([_at(), _at(service="cart")]), now=lambda: START + timedelta(days=3)).describe()
    assert description.services == ("cart", "till")
    assert description.newest_record == START
    assert description.problems == ("its newest record is 72 hours old",)
    assert (
        _backend(ElasticServer([_at(level=None)], change=lambda _, answer: {**answer, "aggregations": {}})).describe().services
        == ()
    )


def test_a_data_stream_is_searched_by_its_name_and_path_prefixes_are_kept() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        return httpx.Response(404, json=_NO_INDEX)

    backend = ElasticsearchLogs(
        "es",
        "http://es.test/search",
        HttpOptions(transport=httpx.MockTransport(answer)),
        index="logs-app-prod,<logs-{now/d}>,eu:x",
    )
    with pytest.raises(NotConfiguredError):
        _search(backend)
    assert asked[0].startswith("/search/logs-app-prod,%3Clogs-%7Bnow%2Fd%7D%3E,eu:x/_field_caps?")
    assert "allow_no_indices=false" in asked[0]


def test_requests_are_json_of_the_documented_members_only() -> None:
    server = ElasticServer([_at()])
    _search(_backend(server), "jammed")
    assert {key for asked in server.asked for key in asked} == {"size", "query", "track_total_hits", "aggs", "timeout", "sort"}
    assert json.loads(json.dumps(server.asked)) == server.asked
