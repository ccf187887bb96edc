"""Elasticsearch and OpenSearch: what becomes of each situation of the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import httpx
import pytest

from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendUnavailableError, NotConfiguredError
from groundwire.ports import CallContext
from groundwire.tools.query_logs import QueryLogs
from tests.elastic_server import ElasticServer
from tests.elastic_situations import (
    FAILED_SHARDS,
    FAILURES,
    HOUR,
    NO_INDEX,
    START,
    Answer,
    AnsweredServer,
    BrokenByteServer,
    answering,
    at,
    backend_over,
    capped,
    changed,
    disordered,
    error_of,
    search,
    without_source,
)


@pytest.mark.parametrize(("answer", "error", "words"), [case[1:] for case in FAILURES], ids=[case[0] for case in FAILURES])
def test_a_failure_is_told_in_the_servers_words(
    answer: Callable[[], httpx.Response], error: type[BackendError], words: str
) -> None:
    with pytest.raises(error, match=words) as raised:
        search(answering(answer))
    assert type(raised.value) is error
    assert "c2VjcmV0" not in raised.value.message


@pytest.mark.parametrize(("status", "asked"), [(429, 2), (503, 2), (400, 1)])
def test_only_a_server_that_is_busy_is_asked_again(status: int, asked: int) -> None:
    server = AnsweredServer(lambda: httpx.Response(status, json={"error": error_of("x", "y"), "status": status}))
    with pytest.raises(BackendError):
        search(backend_over(server))
    assert server.count == asked


def test_an_index_that_is_not_there_is_no_empty_answer() -> None:
    with pytest.raises(NotConfiguredError, match=r"HTTP 404 Not Found: index_not_found_exception: no such index \[nginx-\*\]"):
        search(backend_over(ElasticServer([at()]), index="nginx-*"))
    gone = answering(lambda: httpx.Response(404, json=NO_INDEX))
    with pytest.raises(NotConfiguredError, match="index_not_found_exception") as raised:
        search(gone)
    assert raised.value.hint is not None and "data stream" in raised.value.hint
    assert gone.describe().problems == ("es: HTTP 404 Not Found: index_not_found_exception: no such index [logs-*]",)


def test_a_pattern_that_fits_no_index_is_no_empty_answer_either() -> None:
    nothing = {"took": 0, "timed_out": False, "_shards": {"total": 0, "successful": 0, "skipped": 0, "failed": 0}}
    found = {"total": {"value": 0, "relation": "eq"}, "max_score": 0.0, "hits": []}
    with pytest.raises(NotConfiguredError, match=r"no index there goes by 'logs-\*'"):
        search(answering(lambda: httpx.Response(200, json={**nothing, "hits": found})))
    empty = httpx.MockTransport(lambda _: httpx.Response(200, json={"indices": [], "fields": {}}))
    with pytest.raises(NotConfiguredError, match=r"no index there goes by 'logs-\*'"):
        search(backend_over(empty))


def test_an_index_without_a_time_cannot_be_searched_and_says_what_it_has() -> None:
    server = ElasticServer([{"name": "kettle", "created": START.isoformat()}])
    with pytest.raises(NotConfiguredError, match=r"no date field among @timestamp, .*; it has created: name the one"):
        search(backend_over(server))
    numbers = ElasticServer([{"@timestamp": 1}])
    with pytest.raises(NotConfiguredError, match="cannot be searched by time"):
        search(backend_over(numbers))


def test_nothing_found_is_an_empty_answer_that_is_whole() -> None:
    page = search(backend_over(ElasticServer([at(seconds=7200)])), service="till")
    assert (page.records, page.matched.total, page.matched.is_exact, page.partial_reasons) == ((), 0, True, ())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"timed_out": True}, "the search timed out on the server, which answered with what it had found by then"),
        ({"terminated_early": True}, "the server ended the search early, at a limit of its own"),
        (
            {"_shards": FAILED_SHARDS},
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
    page = search(changed(**change, **nothing))
    assert page.partial_reasons == (reason,)
    assert len(page.records) == (0 if is_empty else 2)
    assert not page.matched.is_exact


def test_a_partial_answer_with_nothing_in_it_is_no_absence_in_the_tool_either() -> None:
    nothing = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}, "aggregations": {}}
    tool = QueryLogs([changed(timed_out=True, _shards=FAILED_SHARDS, **nothing)])
    answer = tool.run({"service": "till"}, CallContext(window=HOUR, deadline=Deadline.after(30), earlier_calls=list))
    assert answer["evidence_status"] == "no_evidence"
    assert answer["partial"] is True
    assert "4 of 5 shards failed" in " ".join(answer["partial_reasons"])


def test_the_tool_says_how_many_there_were_before_our_own_filter() -> None:
    tool = QueryLogs([backend_over(ElasticServer([at(), at(1)]))])
    answer = tool.run({"query": "zebra"}, CallContext(window=HOUR, deadline=Deadline.after(30), earlier_calls=list))
    assert (answer["evidence_status"], answer["fetched_count"], answer["sources"][0]["fetched_count"]) == ("no_evidence", 2, 2)


def test_when_all_shards_fail_the_search_failed() -> None:
    shards = {
        "total": 1,
        "successful": 0,
        "failed": 1,
        "failures": [{"shard": 0, "reason": {"type": "query_shard_exception", "reason": "no"}}],
    }
    with pytest.raises(BackendUnavailableError, match="1 of 1 shards failed: query_shard_exception: no"):
        search(changed(_shards=shards))


def test_a_total_that_is_a_lower_bound_is_one() -> None:
    page = search(backend_over(ElasticServer([at(0), at(1)], change=capped)))
    assert (page.matched.total, page.matched.is_exact, page.partial_reasons) == (2, False, ())


def test_an_answer_that_is_too_long_is_asked_for_in_pieces() -> None:
    documents = [at(n, message=f"{n} " + "x" * 5_000_000) for n in range(5)]
    page = search(backend_over(ElasticServer(documents)))
    assert [record.message[:2] for record in page.records] == ["4 ", "3 ", "2 ", "1 ", "0 "]
    assert page.partial_reasons == ()


def test_a_record_that_is_longer_than_any_answer_may_be_does_not_cost_the_others() -> None:
    documents = [at(0, message="old"), at(1, message="x" * 17_000_000), at(2, message="new")]
    page = search(backend_over(ElasticServer(documents)))
    assert [record.message for record in page.records] == ["new", "old"]
    assert page.partial_reasons == ("documents not read, since not kept (_source) or longer than an answer may be: 1",)


def test_the_same_document_twice_is_one_and_records_come_in_order() -> None:
    page = search(backend_over(ElasticServer([at(0, message="old"), at(1, message="new")], change=disordered)))
    assert [record.message for record in page.records] == ["new", "old"]


def test_records_that_say_the_same_are_all_kept() -> None:
    assert search(backend_over(ElasticServer([at(), at()]))).matched.total == 2


def test_a_byte_that_is_no_text_does_not_cost_the_rest() -> None:
    page = search(backend_over(BrokenByteServer([at()])))
    assert page.records[0].message == "drawer jam�ed"
    assert page.notes == ("bytes that are no text are shown as U+FFFD",)


def test_clocks_an_hour_apart_are_noticed() -> None:
    taken_in = [(START + timedelta(hours=1, seconds=n + 0.4)).isoformat() for n in range(4)]
    documents = [at(n, event={"ingested": moment}) for n, moment in enumerate(taken_in)]
    page = search(backend_over(ElasticServer(documents)))
    assert page.notes == (
        "the clock of the records (@timestamp) runs 1 h behind that of who took them in; the records' own is used",
    )
    ahead = backend_over(ElasticServer([at()]), now=lambda: START - timedelta(hours=1)).describe()
    assert ahead.problems == (
        "its newest record is 60 minutes ahead of the clock here, so that a window up to now may lack the newest records",
    )


def test_records_without_a_time_are_counted_where_none_with_one_is_found() -> None:
    server = ElasticServer([at(7200), {"service": "till", "message": "undated"}, {"service": "cart", "message": "undated"}])
    page = search(backend_over(server), service="till")
    assert page.undated_count == 1
    assert page.partial_reasons == ("1 record has no @timestamp, and so is in no window (one is in logs-shop)",)


def test_documents_that_the_server_does_not_keep_are_not_taken_for_none() -> None:
    page = search(backend_over(ElasticServer([at(), at(1)], change=without_source)))
    assert page.records == ()
    assert page.partial_reasons == ("documents not read, since not kept (_source) or longer than an answer may be: 2",)


def test_time_that_runs_out_while_reading_leaves_what_was_read() -> None:
    def late(request: Answer, answer: Answer) -> Answer:
        if "search_after" in request:
            raise httpx.ReadTimeout("")
        return answer

    page = search(backend_over(ElasticServer([at(n / 2) for n in range(2_500)], change=late)), "jammed")
    assert (page.matched.total, page.matched.is_exact) == (1_000, False)
    assert page.partial_reasons == ("time ran out after the newest 1000 of 2500 records that the server found",)


def test_it_is_told_how_long_it_may_take() -> None:
    server = ElasticServer([at()])
    search(backend_over(server), deadline_s=5)
    assert all(4_000 < int(asked["timeout"].removesuffix("ms")) <= 4_500 for asked in server.asked)


def test_a_source_whose_newest_record_is_old_says_so_and_names_its_services() -> None:
    description = backend_over(ElasticServer([at(), at(service="cart")]), now=lambda: START + timedelta(days=3)).describe()
    assert description.services == ("cart", "till")
    assert description.newest_record == START
    assert description.problems == ("its newest record is 72 hours old",)
    assert (
        backend_over(ElasticServer([at(level=None)], change=lambda _, answer: {**answer, "aggregations": {}})).describe().services
        == ()
    )


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ({"number": "8.15.0", "build_flavor": "default"}, "Elasticsearch 8.15.0"),
        ({"distribution": "opensearch", "number": "2.19.1"}, "OpenSearch 2.19.1"),
    ],
)
def test_it_says_its_version_and_what_its_index_lacks(said: dict[str, str], version: str) -> None:
    check = backend_over(ElasticServer([at()], version=said)).check(Deadline.after(5))
    assert (check.version, check.missing) == (version, ())
    assert check.latency_ms is not None
    bare = backend_over(ElasticServer([{"@timestamp": START.isoformat(), "message": "x"}], version=said)).check(Deadline.after(5))
    assert bare.missing == (
        "its index has no field that names a level: name it under fields",
        "its index has no field that names a service: name it under fields",
    )
    gone = backend_over(ElasticServer([at()], version=said), index="nginx").check(Deadline.after(5))
    assert "no such index [nginx]" in gone.missing[0]


def test_who_may_not_ask_the_cluster_is_told_of_the_index_all_the_same() -> None:
    server = ElasticServer([at()])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/":
            return httpx.Response(403, json={"error": error_of("security_exception", "no"), "status": 403})
        return server.handle_request(request)

    check = backend_over(httpx.MockTransport(answer)).check(Deadline.after(5))
    assert (check.version, check.missing) == (None, ("it does not say its version (HTTP 403 Forbidden: security_exception: no)",))


def test_a_data_stream_is_searched_by_its_name_and_path_prefixes_are_kept() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        return httpx.Response(404, json=NO_INDEX)

    backend = ElasticsearchLogs(
        "es",
        "http://es.test/search",
        HttpOptions(transport=httpx.MockTransport(answer)),
        index="logs-app-prod,<logs-{now/d}>,eu:x",
    )
    with pytest.raises(NotConfiguredError):
        search(backend)
    assert asked[0].startswith("/search/logs-app-prod,%3Clogs-%7Bnow%2Fd%7D%3E,eu:x/_field_caps?")
    assert "allow_no_indices=false" in asked[0]


def test_requests_are_json_of_the_documented_members_only() -> None:
    server = ElasticServer([at()])
    search(backend_over(server), "jammed")
    assert {key for asked in server.asked for key in asked} == {"size", "query", "track_total_hits", "aggs", "timeout", "sort"}
    assert json.loads(json.dumps(server.asked)) == server.asked
