"""What becomes of each answer that a log server should not give, and of those that only look like nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendError,
    BackendMalformedError,
    BackendRejectedError,
    BackendUnavailableError,
)
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.ports import CallContext, LogBackend
from groundwire.tools.query_logs import QueryLogs
from tests.log_servers.kept import Kept, ns
from tests.log_servers.loki import MadeLoki
from tests.log_servers.victorialogs import MadeVictoriaLogs

START = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=START, end=START + timedelta(hours=1))
STREAM = {"service_name": "orders"}

Answer = Callable[[httpx.Request], httpx.Response]
Make = Callable[[httpx.BaseTransport], LogBackend]
MAKERS: dict[str, Make] = {
    "loki": lambda transport: LokiLogs("logs", "http://logs.test", HttpOptions(transport=transport, pause=lambda _: None)),
    "victorialogs": lambda transport: VictoriaLogs(
        "logs", "http://logs.test", HttpOptions(transport=transport, pause=lambda _: None)
    ),
}


@pytest.fixture(params=list(MAKERS))
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


def at(minutes: float, text: str, **own: str) -> Kept:
    return Kept(ns(START + timedelta(minutes=minutes)), STREAM, text, own)


def ask(backend: LogBackend, query: str = "", *, service: str | None = None, min_level: Level | None = None) -> LogPage:
    return backend.search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=min_level,
            window=WINDOW,
            limit=10,
            deadline=Deadline.after(30),
        )
    )


def made(make: Make, kept: Sequence[Kept]) -> httpx.BaseTransport:
    return MadeLoki(kept) if make is MAKERS["loki"] else MadeVictoriaLogs(kept)


class Changed(httpx.BaseTransport):
    """A server of which the answers to some requests are replaced."""

    def __init__(self, server: httpx.BaseTransport, change: Callable[[httpx.Request, httpx.Response], httpx.Response]) -> None:
        self._server = server
        self._change = change

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._change(request, self._server.handle_request(request))


def asks_for_entries(request: httpx.Request) -> bool:
    return "limit" in request.url.params


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (httpx.Response(400, text="parse error : unexpected $end"), BackendRejectedError, "HTTP 400 Bad Request: parse error"),
        (httpx.Response(401, text="no org id\n"), BackendRejectedError, "HTTP 401 Unauthorized: no org id"),
        (httpx.Response(404, text="404 page not found\n"), BackendRejectedError, "HTTP 404 Not Found: 404 page not found"),
        (
            httpx.Response(422, json={"status": "error", "errorType": "422", "error": "missing `| stats ...` pipe"}),
            BackendRejectedError,
            "422: missing `| stats ...` pipe",
        ),
        (httpx.Response(500, text="rpc error: too many open files"), BackendUnavailableError, "too many open files"),
        (httpx.Response(503, text="<title>503 No backend</title>"), BackendUnavailableError, "503 No backend"),
        (httpx.Response(200, text="<!doctype html><title>Sign in</title>"), BackendMalformedError, "answered what is not JSON"),
        (httpx.Response(200, json=["Grafana"]), BackendMalformedError, "answered something else than"),
        (httpx.Response(200, json={"status": "success"}), BackendMalformedError, "answered something else than"),
        (httpx.Response(302, headers={"location": "http://login.test/"}), BackendRejectedError, "redirects to http://login.test"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_fails_in_the_servers_words(
    make: Make, answer: httpx.Response, error: type[BackendError], words: str
) -> None:
    if make is MAKERS["loki"] and answer.text == '{"status":"success"}':
        answer = httpx.Response(200, json={"status": "success", "data": {"resultType": "matrix", "result": []}})
    with pytest.raises(error) as raised:
        ask(make(httpx.MockTransport(lambda _: answer)))
    assert words in raised.value.message
    assert raised.value.message in make(httpx.MockTransport(lambda _: answer)).describe().problems


def test_entries_in_another_shape_are_malformed_and_not_nothing(make: Make) -> None:
    def change(request: httpx.Request, response: httpx.Response) -> httpx.Response:
        return httpx.Response(200, json={"status": "success", "data": {"result": []}}) if asks_for_entries(request) else response

    with pytest.raises(BackendMalformedError, match="answered something else than"):
        ask(make(Changed(made(make, [at(1, "a")]), change)))


def test_nothing_there_is_nothing_found_and_not_partial(make: Make) -> None:
    page = ask(make(made(make, [])))
    assert (page.matched.total, page.matched.is_exact, page.in_scope.total, page.partial_reasons) == (0, True, 0, ())


def test_what_our_own_filter_removed_is_counted(make: Make) -> None:
    page = ask(make(made(make, [at(1, "all is well"), at(2, "still well")])), "refused")
    assert (page.matched.total, page.in_scope.total, page.fetched_count) == (0, 2, 2)


def test_a_later_page_that_fails_leaves_what_came_before_and_says_from_when_on(make: Make) -> None:
    kept = [at(index / 100, f"entry {index}") for index in range(5_500)]

    def change(request: httpx.Request, response: httpx.Response) -> httpx.Response:
        params = request.url.params
        is_first = not asks_for_entries(request) or "T11:00:00" in params["query"] or params.get("end") == str(ns(WINDOW.end))
        return response if is_first else httpx.Response(500, text="ingester gone")

    page = ask(make(Changed(made(make, kept), change)), "entry")
    assert (page.matched.total, page.matched.is_exact) == (5_000, False)
    assert [record.message for record in page.records[:1]] == ["entry 5499"]
    # The 5,000 newest of 5,500 entries, one every 0.6 s: the oldest of them is number 500.
    reason = "what is older than 2026-11-12T10:05:00Z was not read: HTTP 500 Internal Server Error: ingester gone"
    assert page.partial_reasons == (reason,)


def test_entries_out_of_order_come_newest_first(make: Make) -> None:
    def change(request: httpx.Request, response: httpx.Response) -> httpx.Response:
        if not asks_for_entries(request):
            return response
        if make is MAKERS["loki"]:
            answer = json.loads(response.content)
            for stream in answer["data"]["result"]:
                stream["values"] = stream["values"][1:] + stream["values"][:1]
            return httpx.Response(200, json=answer)
        return httpx.Response(200, text="\n".join(response.text.splitlines()[::-1]))

    page = ask(make(Changed(made(make, [at(index, f"entry {index}") for index in range(4)]), change)))
    assert [record.message for record in page.records] == ["entry 3", "entry 2", "entry 1", "entry 0"]


def test_one_invalid_byte_is_shown_and_loses_nothing(make: Make) -> None:
    def change(request: httpx.Request, response: httpx.Response) -> httpx.Response:
        return httpx.Response(200, content=response.content.replace(b"@", b"\xfe"))

    page = ask(make(Changed(made(make, [at(1, "caf@ closed"), at(2, "open")]), change)))
    assert [record.message for record in page.records] == ["open", "caf\ufffd closed"]
    assert page.notes == ("bytes that are no text are shown as U+FFFD",)


def test_an_entry_of_5_mb_is_searched_to_its_end_and_shown_in_part(make: Make) -> None:
    page = ask(make(made(make, [at(1, "ERROR " + "x" * 5_000_000 + " needle"), at(2, "small needle")])), "needle")
    assert (page.matched.total, page.matched.is_exact) == (2, True)
    assert len(page.records[1].message) == 64 * 1024
    assert page.notes == ("1 entry longer than 64 KB: the rest was searched, but is not shown",)


def test_a_page_that_is_longer_than_an_answer_may_be_is_asked_for_in_smaller_pieces(make: Make) -> None:
    kept = [at(index, f"{index} " + "x" * 3_000_000) for index in range(8)]
    page = ask(make(made(make, kept)))
    assert (page.matched.total, page.matched.is_exact, page.partial_reasons) == (8, True, ())


def test_an_entry_that_no_answer_can_hold_is_said(make: Make) -> None:
    page = ask(make(made(make, [at(1, "old"), at(2, "x" * 17_000_000), at(3, "new")])))
    assert [record.message for record in page.records] == ["new"]
    assert page.matched.is_exact is False
    reason = "what is older than 2026-11-12T10:03:00Z was not read: the next entry is larger than an answer may be"
    assert page.partial_reasons == (reason,)


def test_more_entries_of_one_moment_than_a_page_holds_are_said(make: Make) -> None:
    kept = [at(2, f"entry {index}") for index in range(6_000)] + [at(1, "older")]
    page = ask(make(made(make, kept)))
    assert page.matched.total == 5_001
    assert page.partial_reasons == ("more entries have the time 2026-11-12T10:02:00Z than a page of 5000 holds",)


def test_more_entries_than_are_read_are_counted_by_the_server(make: Make) -> None:
    kept = [at(index / 500, f"entry {index}", level="info" if index % 4 else "error") for index in range(24_000)]
    page = ask(make(made(make, kept)), min_level=Level.ERROR)
    assert (page.matched.total, page.matched.is_exact, dict(page.matched.by_level)) == (6_000, True, {"ERROR": 6_000})
    assert dict(page.in_scope.by_level) == {"ERROR": 6_000, "INFO": 18_000}
    assert (page.matched.first_at, page.matched.last_at) == (START, START + timedelta(minutes=23_996 / 500))
    assert (len(page.records), page.partial_reasons) == (10, ())
    assert sum(page.histogram.values()) == 6_000


def test_words_in_more_entries_than_are_read_are_a_lower_bound(make: Make) -> None:
    kept = [at(index / 500, f"entry {index}", level="info") for index in range(24_000)]
    # One every 0.12 s: of 24,000 the 20,000 newest leave out those up to number 3,999.
    page = ask(make(made(make, kept)), "entry")
    assert (page.matched.total, page.matched.is_exact) == (20_000, False)
    assert page.in_scope.total == 24_000
    assert page.partial_reasons == (
        "what is older than 2026-11-12T10:08:00Z was not read: 20000 entries are the most that are read",
    )


def test_a_constant_difference_of_whole_hours_between_the_clocks_is_noticed(make: Make) -> None:
    kept = [at(index, f"2026-11-12T18:0{index}:00Z INFO started") for index in range(4)]
    page = ask(make(made(make, kept)))
    assert page.notes == ("the clock inside the entries runs 8 h ahead of the server's time for them, which is used",)
    assert page.records[0].timestamp == START + timedelta(minutes=3)
    assert page.records[0].fields["app_time"] == "2026-11-12T18:03:00+00:00"


def test_the_url_and_the_headers_go_where_they_are_said_to() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(401, text="bad token s3cret-token")

    options = HttpOptions(transport=httpx.MockTransport(answer), headers={"Authorization": "Bearer s3cret-token"})
    loki = LokiLogs("logs", "http://logs.test/gateway/loki/api/v1/push", options, tenant="shop")
    victoria = VictoriaLogs("logs", "http://logs.test/gateway/select/vmui/", options)
    for backend in (loki, victoria):
        with pytest.raises(BackendRejectedError) as raised:
            ask(backend)
        assert raised.value.message == "logs: HTTP 401 Unauthorized: bad token ***"
    assert [request.url.path for request in asked] == ["/gateway/loki/api/v1/series", "/gateway/select/logsql/field_names"]
    assert asked[0].headers["X-Scope-OrgID"] == "shop"
    assert "X-Scope-OrgID" not in asked[1].headers


def test_a_partial_answer_of_no_entries_proves_nothing_in_the_tools_answer() -> None:
    server = Changed(MadeLoki([at(1, "a")]), _without_entries)
    context = CallContext(window=WINDOW, deadline=Deadline.after(5), earlier_calls=lambda: ())
    output = QueryLogs([MAKERS["loki"](server)]).run({"service": "orders"}, context)
    assert (output["evidence_status"], output["partial"]) == ("no_evidence", True)
    said = "logs: the server knows of 2 chunks for this time and read no line of them: they may be lost, so nothing is proved"
    assert output["partial_reasons"] == [said]


def _without_entries(request: httpx.Request, response: httpx.Response) -> httpx.Response:
    if "series" in request.url.path:
        return response
    stats = {
        "summary": {"totalLinesProcessed": 0},
        "querier": {"store": {"totalChunksRef": 2, "totalChunksDownloaded": 2, "chunk": {"decompressedLines": 0}}},
    }
    kind = "vector" if request.url.path.endswith("/query") else "streams"
    return httpx.Response(200, json={"status": "success", "data": {"resultType": kind, "result": [], "stats": stats}})
