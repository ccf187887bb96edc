"""Elasticsearch and OpenSearch: a query means what it means over a file, whatever of it the server decides."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.logs import elastic_search
from groundwire.adapters.logs.elastic_layout import FieldNames
from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.ports import LogBackend
from tests.elastic_server import ElasticServer

START = datetime(2026, 11, 12, 9, 0, tzinfo=UTC)
HOUR = TimeWindow(start=START, end=START + timedelta(hours=1))

DOCUMENTS: list[dict[str, Any]] = [
    {
        "level": "ERROR",
        "service": "pay.ment[1]",
        "message": 'pool "main" exhausted: 30/30 in use',
        "status": 503,
        "tags": ["a", "b"],
    },
    {"level": "error", "service": "pay.ment[1]", "message": "connectTimeoutMs=250 exceeded, gave up", "status": 504},
    {"level": "Warning", "service": "payXment1", "message": "queries are slow; connectionPool at 28 of 30", "status": 50},
    {"level": "info", "service": "Ångström", "message": "größe geprüft \\ path C:\\temp\\*.log", "ratio": 0.5},
    {"level": "info", "service": "cart", "message": "order 503 placed", "http": {"url": "/api/v1/orders?id=503", "status": 200}},
    {"level": None, "service": "cart", "message": "no level here", "empty": "", "deep": {"er": {"still": "HikariPool-1"}}},
    {"level": "debug", "service": "cart", "message": "x" * 300 + " needle at the end", "note": "y" * 300 + " deepneedle"},
    {"level": "info", "message": "nobody says so", "user": "a*b?c", "ok": True, "kubernetes": {"pod_name": "cart-5d8f-x2v4q"}},
    {"level": "50", "service": "cart", "message": "pino error"},
]
for _n, _document in enumerate(DOCUMENTS):
    _document["@timestamp"] = (START + timedelta(minutes=_n, microseconds=_n)).isoformat()

QUERIES = [
    "",
    "pool",
    "timeout",
    "connection-pool",
    "exhaustion",
    "query",
    '"in use"',
    '"30/30"',
    "status:503",
    "status:50",
    "503",
    "http.status:200",
    "url:orders",
    "-status:503 -level:info",
    "level:error",
    "-level:error",
    "level:warn",
    "service:pay.ment[1]",
    "-service:cart",
    "instance:cart-5d8f-x2v4q",
    "logger:x",
    "still:hikaripool",
    "hikari",
    "needle",
    "deepneedle",
    "user:a*b?c",
    '"a*b?c"',
    '"C:\\\\temp"',
    "größe",
    "message:pool",
    "placed -order",
    "true",
    "0.5",
    'tags:"a"',
    '") OR (*:*"',
    "zebra",
    "status:²",
    "status:503x",
    r"re:\bpool|placed\b",
    're:"^(o|order)+ "',
]


def _server(**more: Any) -> ElasticServer:
    return ElasticServer(DOCUMENTS, **more)


def _elastic(server: ElasticServer, **more: Any) -> ElasticsearchLogs:
    return ElasticsearchLogs("es", "http://es.test:9200", HttpOptions(transport=server), index="logs-*", **more)


def _search(backend: LogBackend, query: str = "", **more: Any) -> LogPage:
    asked: dict[str, Any] = {"service": None, "min_level": None, "window": HOUR, "limit": 50, **more}
    return backend.search(LogRequest(query=parse_log_query(query), deadline=Deadline.after(30), **asked))


def _found(page: LogPage) -> list[str]:
    return [record.message for record in page.records]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> FileLogs:
    folder: Path = tmp_path_factory.mktemp("logs")
    (folder / "app.log").write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return FileLogs("files", folder / "app.log")


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_and_counts_what_it_does_in_a_file(query: str, files: FileLogs) -> None:
    page, wanted = _search(_elastic(_server()), query), _search(files, query)
    assert _found(page) == _found(wanted)
    assert page.matched.total == wanted.matched.total
    assert page.matched.by_level == wanted.matched.by_level
    assert page.histogram == wanted.histogram
    assert page.matched.is_exact and page.partial_reasons == ()


@pytest.mark.parametrize(
    "service", ["pay.ment[1]", "PAY.MENT[1]", "payXment1", "ÅNGSTRÖM", "cart", "cart-5d8f-x2v4q", "car", "c.*"]
)
def test_a_service_is_asked_by_its_whole_name_and_no_pattern(service: str, files: FileLogs) -> None:
    page, wanted = _search(_elastic(_server()), service=service), _search(files, service=service)
    assert _found(page) == _found(wanted)
    assert page.in_scope.total == wanted.in_scope.total


@pytest.mark.parametrize("level", [Level.DEBUG, Level.WARN, Level.ERROR, Level.FATAL])
def test_a_level_counts_every_spelling_of_it(level: Level, files: FileLogs) -> None:
    page, wanted = _search(_elastic(_server()), min_level=level), _search(files, min_level=level)
    assert _found(page) == _found(wanted)
    assert page.matched.by_level == wanted.matched.by_level
    assert page.notes == ("a level leaves out what names none: 1 of the records in scope",)


def test_the_server_alone_decides_on_service_and_level() -> None:
    server = _server()
    page = _search(_elastic(server), "-level:info service:cart", limit=2)
    assert page.fetched_count is None
    assert page.matched.total == 3
    assert [asked["size"] for asked in server.asked] == [0, 0, 2]


def test_what_was_read_before_our_own_filter_is_said() -> None:
    page = _search(_elastic(_server()), "zebra")
    assert (page.fetched_count, page.matched.total, page.in_scope.total) == (9, 0, 9)


def test_words_never_reach_the_server_as_syntax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 2)
    server = _server()
    _search(_elastic(server), 'timeout* "a) OR (b" user:a*b?c {"match_all":{}}')
    sent = json.dumps(server.asked)
    assert "*timeout*" in sent
    assert all(kind not in sent for kind in ("query_string", "match_all", ") OR (", "a*b?c", "script"))


def test_where_too_much_would_have_to_be_read_the_answer_is_partial_and_says_what_was_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 4)
    page = _search(_elastic(_server()), "pool")
    assert _found(page) == [DOCUMENTS[5]["message"], DOCUMENTS[2]["message"], DOCUMENTS[0]["message"]]
    assert page.in_scope.total == 9  # the server counts it
    assert not page.matched.is_exact
    assert page.partial_reasons[0].startswith("9 records are too many to read, so that the server was asked for the words: in ")


@pytest.mark.parametrize("query", [query for query in QUERIES if query])
def test_what_is_found_among_too_much_is_a_part_of_what_there_is(
    query: str, files: FileLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 3)
    page, wanted = _search(_elastic(_server()), query), _search(files, query)
    assert set(_found(page)) <= set(_found(wanted))
    assert page.matched.total <= wanted.matched.total
    assert page.matched.total == wanted.matched.total or (page.partial_reasons and not page.matched.is_exact)


def test_only_the_newest_are_read_of_what_no_word_narrows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 3)
    page = _search(_elastic(_server()), "-zebra")
    assert page.partial_reasons == ("only the newest 3 of 9 records that the server found were read",)
    assert (page.matched.total, page.matched.is_exact) == (3, False)


def test_a_server_that_forbids_patterns_is_asked_without_them(files: FileLogs) -> None:
    page = _search(_elastic(_server(is_cheap=True)), "pool", service="pay.ment[1]")
    assert _found(page) == _found(_search(files, "pool", service="pay.ment[1]"))
    assert page.partial_reasons == ()


def test_a_server_of_which_some_shards_forbid_patterns_is_asked_without_them() -> None:
    def some(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if "regexp" in json.dumps(request):
            reason = {"type": "exception", "reason": "[regexp] queries cannot be executed when 'search.allow_expensive_queries'"}
            answer["_shards"] = {"total": 2, "successful": 1, "failed": 1, "failures": [{"shard": 0, "reason": reason}]}
        return answer

    page = _search(_elastic(_server(change=some)), service="pay.ment[1]")
    assert (page.matched.total, page.partial_reasons) == (2, ())


def test_indices_without_the_time_do_not_fail_the_others() -> None:
    server = ElasticServer([_at(message="a", level="info"), {"name": "kettle"}])
    assert _found(_search(_elastic(server))) == ["a"]


def test_a_service_that_stands_in_no_indexed_field_is_found_by_reading(files: FileLogs) -> None:
    page = _search(_elastic(_server(types={"service": "unindexed"})), service="cart")
    assert _found(page) == _found(_search(files, service="cart"))


def test_a_window_of_microseconds_is_held_to(files: FileLogs) -> None:
    moment = START + timedelta(minutes=4, microseconds=4)
    window = TimeWindow(start=moment, end=moment + timedelta(microseconds=1))
    assert _found(_search(_elastic(_server()), window=window)) == ["order 503 placed"]
    just_before = TimeWindow(start=moment - timedelta(microseconds=3), end=moment)
    page = _search(_elastic(_server()), window=just_before)
    assert (page.matched.total, page.fetched_count) == (0, 1)


def test_fields_may_be_named() -> None:
    documents = [{"when": START.isoformat(), "sev": "E", "grade": "fatal", "app_id": "till", "text": "down", "level": "info"}]
    names = FieldNames(time="when", level="grade", service="app_id", message="text")
    page = _search(_elastic(ElasticServer(documents), fields=names), service="Till", min_level=Level.ERROR)
    (record,) = page.records
    assert (record.timestamp, record.level, record.service, record.message) == (START, Level.FATAL, "till", "down")
    assert record.fields == {"sev": "E", "level": "info"}


def test_levels_of_raw_lines_are_read_from_their_text() -> None:
    lines = [
        "2026-11-12 09:00:01 ERROR [main] c.s.Till - drawer jammed",
        "2026-11-12 09:00:02 INFO [main] c.s.Till - drawer shut",
    ]
    documents = [{"@timestamp": START.isoformat(), "log": line, "kubernetes": {"container_name": "till"}} for line in lines]
    page = _search(_elastic(ElasticServer(documents)), service="till", min_level=Level.ERROR)
    assert _found(page) == [lines[0]]
    assert page.in_scope.by_level == {"ERROR": 1, "INFO": 1}


def test_numbers_are_levels_by_their_own_scale() -> None:
    documents = [
        {"@timestamp": START.isoformat(), "severity_number": n, "body": {"text": f"otel {n}"}} for n in (1, 9, 13, 17, 24)
    ]
    page = _search(_elastic(ElasticServer(documents)), min_level=Level.WARN)
    assert page.matched.by_level == {"FATAL": 1, "ERROR": 1, "WARN": 1}


def test_epoch_milliseconds_and_other_dates_are_times() -> None:
    started = int(START.timestamp() * 1000)
    documents: list[dict[str, Any]] = [
        {"@timestamp": started + 5, "message": "epoch"},
        {"@timestamp": "2026-11-12T10:00:00.010+01:00", "message": "offset"},
    ]
    page = _search(_elastic(ElasticServer(documents, types={"@timestamp": "date"})))
    assert [(record.message, record.timestamp) for record in page.records] == [
        ("offset", START + timedelta(milliseconds=10)),
        ("epoch", START + timedelta(milliseconds=5)),
    ]


def test_a_second_field_decides_where_the_first_is_missing() -> None:
    documents: list[dict[str, Any]] = [
        {"@timestamp": START.isoformat(), "log": {"level": "error"}, "message": "a", "service": {"name": "till"}},
        {"@timestamp": START.isoformat(), "severity": "ERROR", "message": "b", "app": "till"},
        {"@timestamp": START.isoformat(), "log": {"level": "info"}, "severity": "ERROR", "message": "c", "app": "till"},
        {"@timestamp": START.isoformat(), "log": {"level": "??"}, "severity": "ERROR", "message": "d", "app": "till"},
    ]
    page = _search(_elastic(ElasticServer(documents)), service="till", min_level=Level.ERROR)
    assert sorted(_found(page)) == ["a", "b", "d"]
    assert page.matched.by_level == {"ERROR": 3}


def test_pages_lose_and_repeat_nothing_where_many_records_are_of_one_instant() -> None:
    documents: list[dict[str, Any]] = [{"@timestamp": START.isoformat(), "message": f"same {n}"} for n in range(2_500)]
    documents += [{"@timestamp": (START + timedelta(seconds=n % 7)).isoformat(), "message": f"other {n}"} for n in range(1_500)]
    page = _search(_elastic(ElasticServer(documents)), "-zebra", limit=5)
    assert (page.matched.total, page.fetched_count, page.matched.is_exact) == (4_000, 4_000, True)


def test_documents_of_two_indices_that_share_an_id_are_two() -> None:
    documents = [_at(n // 400, message=f"{name} {n}") for name in "ab" for n in range(1_200)]
    keys = [(f"logs-{name}", str(n)) for name in "ab" for n in range(1_200)]
    page = _search(_elastic(ElasticServer(documents, keys=keys)), "-zebra", limit=2_400)
    assert sorted(_found(page)) == sorted(str(document["message"]) for document in documents)
    assert len({record.source for record in page.records}) == page.fetched_count == 2_400


def test_a_name_inside_a_flattened_object_is_found_by_reading() -> None:
    labels = {"app": "till"}
    documents = [{"@timestamp": START.isoformat(), "message": "x", "kubernetes": {"labels": labels, "container_name": "main"}}]
    server = ElasticServer(documents, types={"kubernetes.labels.app": "unindexed"})
    server.more_caps = {"kubernetes.labels": {"flattened": {"type": "flattened", "searchable": True, "aggregatable": True}}}
    assert _search(_elastic(server), service="till").matched.total == 1
    assert _search(_elastic(server), service="main").matched.total == 0


def _at(seconds: float = 0, **document: Any) -> dict[str, Any]:
    return {"@timestamp": (START + timedelta(seconds=seconds)).isoformat(), **document}


def test_of_two_fields_the_first_names_the_service_also_to_the_server() -> None:
    documents = [_at(message="x", service={"name": "till"}, container_name="main"), _at(message="y", container_name="main")]
    page = _search(_elastic(ElasticServer([{**one, "level": "info"} for one in documents])), service="main")
    assert (_found(page), page.matched.total, page.fetched_count) == (["y"], 1, None)


def test_letters_without_one_partner_in_the_other_case_are_compared_here() -> None:
    server = ElasticServer([_at(service="STRASSE", level="info", message="x")])
    assert _search(_elastic(server), service="straße").matched.total == 1


@pytest.mark.parametrize(
    ("query", "found"), [("exhaustion", 1), ("query", 1), ("timeout", 1), ("connection-pool", 1), ("status:503", 1)]
)
def test_words_find_their_forms_also_where_the_server_looks(query: str, found: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 3)
    assert _search(_elastic(_server()), query).matched.total == found


def test_a_pattern_is_no_phrase_to_the_server_and_looked_for_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 3)
    page = _search(_elastic(_server()), r"re:pino\s+err")
    assert page.matched.total == 1
    assert page.partial_reasons == ("only the newest 3 of 9 records that the server found were read",)


@pytest.mark.parametrize(
    "levels",
    [[f"error {n}" for n in range(250)] + ["error"], [["error", "info"], "error"]],
    ids=["more values than are told", "several values"],
)
def test_levels_that_the_server_does_not_tell_apart_are_read(levels: list[Any]) -> None:
    server = ElasticServer([_at(n, level=level, message="x") for n, level in enumerate(levels)])
    page = _search(_elastic(server), min_level=Level.ERROR)
    assert (page.matched.total, page.fetched_count) == (1, len(levels))


def test_records_of_several_levels_are_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    server = ElasticServer([_at(level=level, message="x") for level in (["error", "info"], "error", None)])
    assert _search(_elastic(server)).matched.by_level == {"ERROR": 1, "UNKNOWN": 2}
    monkeypatch.setattr(elastic_search, "MOST_READ", 2)
    page = _search(_elastic(server))
    assert page.matched.by_level == {"UNKNOWN": 3}
    assert page.notes == ("the server cannot count the levels of so many records: those it cannot count are UNKNOWN",)


def test_what_a_server_returns_beyond_what_was_asked_is_not_believed() -> None:
    def careless(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if "sort" in request:
            answer["hits"]["hits"] += [{"_index": "i", "_id": "z", "_source": _at(service="till", message="x"), "sort": [1]}]
        return answer

    page = _search(_elastic(_server(change=careless)), service="cart", limit=50)
    assert page.in_scope.is_exact
    assert "x" not in _found(page)
    assert (page.matched.total, page.in_scope.total) == (4, 4)
    assert page.fetched_count == 5


def test_nor_is_its_count_of_the_scope_where_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if "sort" in request:
            answer["hits"]["hits"] = [{"_index": "i", "_id": "z", "_source": _at(service="till", message="x"), "sort": [1]}]
        return answer

    monkeypatch.setattr(elastic_search, "MOST_READ", 2)
    page = _search(_elastic(_server(change=careless)), service="cart")
    assert (page.records, page.in_scope.total) == ((), 0)


def test_of_a_total_that_is_a_lower_bound_not_all_may_have_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def capped(request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if "aggs" in request:
            answer["hits"]["total"] = {"value": 3, "relation": "gte"}
        return answer

    monkeypatch.setattr(elastic_search, "MOST_READ", 3)
    page = _search(_elastic(_server(change=capped)), "-zebra")
    assert page.partial_reasons == ("only the newest 3 of at least 3 records that the server found were read",)


def test_a_keyword_is_looked_into_whatever_its_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 1)
    server = ElasticServer([_at(n, user=f"Ab{n}0X", message="x") for n in range(3)], types={"user": "keyword"})
    assert _search(_elastic(server), "aB10").matched.total == 1


def test_a_record_outside_a_window_of_microseconds_is_not_counted() -> None:
    window = TimeWindow(start=START + timedelta(minutes=1, microseconds=2), end=HOUR.end)
    assert _search(_elastic(_server()), window=window, limit=1).matched.total == 7


def test_a_service_of_other_indices_is_found_where_its_own_does_not_index_it() -> None:
    documents = [_at(app="till", message="a", level="info"), _at(service="cart", message="b", level="info")]
    page = _search(_elastic(ElasticServer(documents, types={"service": "unindexed"})), service="cart")
    assert _found(page) == ["b"]


def test_an_instance_that_is_not_indexed_is_read() -> None:
    server = ElasticServer([_at(host="n1", level="info", message="a")], types={"host": "unindexed"})
    assert _search(_elastic(server), "instance:N1").matched.total == 1
    assert _search(_elastic(server), "-instance:n1").matched.total == 0


def test_a_scope_that_was_not_read_whole_is_no_exact_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 4)
    monkeypatch.setattr(elastic_search, "PAGE_SIZE", 1)
    window = TimeWindow(start=START, end=HOUR.end - timedelta(microseconds=1))
    page = _search(_elastic(_server()), window=window, min_level=Level.ERROR)
    assert (page.matched.total, page.matched.is_exact) == (3, True)
    assert not page.in_scope.is_exact


def test_nanoseconds_are_times_too() -> None:
    server = ElasticServer(
        [_at(0.000001 * n, message=f"{n}", level="info") for n in range(3)], types={"@timestamp": "date_nanos"}
    )
    page = _search(_elastic(server))
    assert _found(page) == ["2", "1", "0"]
    assert page.records[0].timestamp == START + timedelta(microseconds=2)


def test_a_word_is_looked_for_in_all_fields_of_an_index_with_few(files: FileLogs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 3)
    assert _found(_search(_elastic(_server()), "503")) == _found(_search(files, "503"))
    assert _found(_search(_elastic(_server()), "hikari")) == _found(_search(files, "hikari"))


def test_a_number_that_a_field_cannot_hold_is_not_asked_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic_search, "MOST_READ", 1)
    server = ElasticServer([_at(n, message="x", status=n, level="info") for n in range(3)], types={"status": "short"})
    assert _search(_elastic(server), "status:99999").matched.total == 0
    assert "99999}" not in json.dumps(server.asked)
    _search(_elastic(server), "status:2")
    assert '{"term": {"status": 2}}' in json.dumps(server.asked)
