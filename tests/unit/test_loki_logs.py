"""What Loki alone does: streams, labels of an entry, its limits, and its own way to count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from groundwire.adapters.logs.entry import Span
from groundwire.adapters.logs.entry_labels import Names, names_in
from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.loki_answers import read_entries
from groundwire.adapters.logs.loki_query import cover, level_filter, quoted
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendMalformedError, BackendRejectedError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from tests.log_servers.documented import LOKI_STATISTICS
from tests.log_servers.kept import Kept, ns
from tests.log_servers.loki import MadeLoki

START = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=START, end=START + timedelta(hours=1))
ORDERS = {"service_name": "orders", "env": "prod"}


def kept(minutes: float, text: str, stream: dict[str, str] = ORDERS, **own: str) -> Kept:
    return Kept(ns(START + timedelta(minutes=minutes)), stream, text, own)


def ask(
    server: httpx.BaseTransport,
    query: str = "",
    *,
    service: str | None = None,
    level: Level | None = None,
    whole_up_to: int = 20_000,
) -> LogPage:
    backend = LokiLogs("loki", "http://loki.test", HttpOptions(transport=server), whole_up_to=whole_up_to)
    return backend.search(
        LogRequest(
            query=parse_log_query(query), service=service, min_level=level, window=WINDOW, limit=5, deadline=Deadline.after(30)
        )
    )


def answering(streams: Sequence[dict[str, Any]], **more: Any) -> httpx.MockTransport:
    """A Loki with one stream, which answers any log query with the given streams."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("series"):
            return httpx.Response(200, json={"status": "success", "data": [ORDERS]})
        if request.url.path.endswith("/query"):
            data: dict[str, Any] = {"resultType": "vector", "result": [{"metric": {}, "value": [1.0, "1"]}]}
        else:
            data = {"resultType": "streams", "result": list(streams)}
        return httpx.Response(200, json={"status": "success", "data": data, **more})

    return httpx.MockTransport(answer)


def test_a_large_scope_is_asked_for_by_labels_levels_and_words_and_never_by_a_users_expression() -> None:
    server = MadeLoki([kept(1, "GET (a|b) refused", detected_level="error"), kept(2, "x", {"service_name": "cart"})])
    ask(server, '"(a|b)" refused -quiet', service="ORDERS", level=Level.ERROR, whole_up_to=0)
    assert all(query.count("{") == 1 for query in server.queries)
    assert [query for query in server.queries if "|~" in query] == [
        '{service_name="orders"} | detected_level!~"(?i)(trace|trce|verbose|finest|debug|dbug|dbg|fine|info|information'
        '|informational|inf|log|notice|warn|warning|wrn)" |~ "(?i)refus"'
    ]


@pytest.mark.parametrize("name", sorted(LOKI_STATISTICS))
def test_each_statistic_of_chunks_or_lines_counts_under_its_documented_name(name: str) -> None:
    of_chunks = "Chunks" in name
    statistics = {name: 3} if of_chunks else {name: 3, "totalChunksMatched": 3}
    answer = read_entries({"resultType": "streams", "result": [], "stats": {"store": statistics}})
    assert bool(answer.doubts) is of_chunks


def test_labels_that_a_sample_does_not_show_may_hold_the_words_and_that_is_said() -> None:
    many = [kept(50 + n / 50, "GET /cart 200", trace_id=f"t{n}") for n in range(150)]
    server = MadeLoki([kept(46, "GET /cart 500", order="o-4711"), *many], categorized=True)
    page = ask(server, "4711", service="orders", whole_up_to=100)
    assert (page.matched.total, page.matched.is_exact) == (0, False)
    assert page.partial_reasons == (
        "Loki looked for the words in the text and in the labels trace_id, which a sample of the entries has of its own: "
        "an entry that has them in another one is not among these",
    )
    assert ask(server, "4711", service="orders").matched.total == 1
    plain = ask(MadeLoki([kept(1, "GET /cart 200"), kept(2, "x")]), "cart", service="orders", whole_up_to=0)
    assert (plain.matched.total, plain.matched.is_exact, plain.partial_reasons) == (1, True, ())
    assert plain.notes == ("Loki looked for the words, in the text: no entry of a sample has labels of its own",)


def test_a_count_is_over_the_window_to_the_nanosecond() -> None:
    server = MadeLoki([kept(0, "first"), kept(59.999, "last"), kept(60, "after")])
    assert ask(server).matched.total == 2
    count = next(request for request in server.asked if request.url.path.endswith("/query"))
    assert count.url.params["time"] == str(ns(WINDOW.end) - 1)
    assert '(count_over_time({service_name=~".+"} [3600000ms]))' in count.url.params["query"]


def test_labels_of_an_entry_are_read_wherever_they_stand() -> None:
    at = str(ns(START))
    page = ask(
        answering(
            [
                {"stream": {**ORDERS, "trace_id": "t1", "detected_level": "warn"}, "values": [[at, "slow"]]},
                {
                    "stream": ORDERS,
                    "values": [
                        [at, "late", {"structuredMetadata": {"trace_id": "t2", "pod": "p-0"}, "parsed": {"status": "503"}}]
                    ],
                },
            ]
        ),
        whole_up_to=5,
    )
    late, slow = sorted(page.records, key=lambda record: record.message)
    assert (slow.level, slow.service, dict(slow.fields)) == (Level.WARN, "orders", {**ORDERS, "trace_id": "t1"})
    assert (late.instance, late.fields["trace_id"], late.fields["status"]) == ("p-0", "t2", "503")


def test_an_applications_own_level_counts_more_than_a_guess_and_a_label_more_than_the_text() -> None:
    server = MadeLoki(
        [
            kept(3, "INFO all is well, 0 errors", {**ORDERS, "level": "warning"}, detected_level="error"),
            kept(2, "INFO no errors", detected_level="error"),
            kept(1, "INFO no errors", detected_level="unknown"),
        ]
    )
    assert [record.level for record in ask(server).records] == [Level.WARN, Level.ERROR, Level.INFO]


def test_an_entry_that_was_sent_twice_counts_once() -> None:
    value = [str(ns(START)), "once"]
    page = ask(answering([{"stream": ORDERS, "values": [value, value]}, {"stream": ORDERS, "values": [value]}]))
    assert page.matched.total == 1
    assert page.notes == ("copies of entries that were sent more than once do not count",)


def test_an_entry_that_the_server_could_not_parse_is_said_to_be_one() -> None:
    stream = {**ORDERS, "__error__": "JSONParserErr", "__error_details__": "Value looks like object, but can't find closing"}
    page = ask(answering([{"stream": stream, "values": [[str(ns(START)), "{broken"]]}]))
    assert page.notes == ("the server could not parse 1 entry (JSONParserErr)",)
    assert page.records[0].fields["__error__"] == "JSONParserErr"


def test_warnings_make_the_answer_partial() -> None:
    page = ask(answering([{"stream": ORDERS, "values": [[str(ns(START)), "a"]]}], warnings=["store gateway 2 timed out"]))
    assert page.partial_reasons == ("warning: store gateway 2 timed out",)
    assert page.matched.is_exact is False


def test_entries_that_cannot_be_read_are_counted_and_the_rest_is_kept() -> None:
    values = [["soon", "a"], ["1" * 40, "b"], [str(ns(START)), "c"]]
    page = ask(answering([{"stream": ORDERS, "values": values}]))
    assert ([record.message for record in page.records], page.partial_reasons) == (["c"], ("2 of the entries could not be read",))
    with pytest.raises(BackendMalformedError, match="none of its 2 entries is a time and a line"):
        ask(answering([{"stream": ORDERS, "values": values[:2]}]))


def test_a_server_that_allows_fewer_entries_is_asked_for_those() -> None:
    server = MadeLoki([kept(index / 10, f"{index}") for index in range(250)], most_entries=100)
    page = ask(server)
    assert (page.matched.total, page.matched.is_exact, page.partial_reasons) == (250, True, ())
    assert [request.url.params["limit"] for request in server.asked if "limit" in request.url.params][:2] == ["5000", "100"]


def test_a_server_that_will_not_count_leaves_the_scope_unknown_and_the_matches_known() -> None:
    server = MadeLoki([kept(1, "ERROR one"), kept(2, "INFO two")], counts=False)
    page = ask(server, "one")
    assert (page.matched.total, page.matched.is_exact, page.in_scope.is_exact) == (1, True, False)
    said = "the server did not count what is there: HTTP 400 Bad Request: maximum number of series (1) reached for a single query"
    assert page.partial_reasons == (said,)
    assert ask(server).partial_reasons == ()  # all of it was read


def test_more_streams_than_can_be_listed_are_asked_for_by_the_labels_that_are_common() -> None:
    made = MadeLoki([kept(1, "a"), kept(2, "b", {"app": "Orders"}), kept(3, "c", {"app": "cart"})])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("series"):
            return httpx.Response(200, content=b'{"status":"success","data":[' + b" " * 17_000_000)
        return made.handle_request(request)

    page = ask(httpx.MockTransport(answer), service="orders")
    assert [record.message for record in page.records] == ["b", "a"]
    assert page.partial_reasons == (
        "it has more streams than can be listed, so only those were asked whose label service_name, service, app, container, "
        "pod or job is the service",
    )
    everything = ask(httpx.MockTransport(answer))
    assert [record.message for record in everything.records] == ["a"]
    assert "only those with the label service_name were asked" in everything.partial_reasons[0]


@pytest.mark.parametrize(
    ("service", "said"),
    [
        (None, "the query time range exceeds the limit (query length: 1h0m0s, limit: 30m)"),
        ("orders", "the query time range exceeds the limit (query length: 1h0m0s, limit: 30m)"),
    ],
)
def test_a_window_that_the_server_refuses_is_a_refusal(service: str | None, said: str) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(400, text=said))
    with pytest.raises(BackendRejectedError) as raised:
        ask(transport, service=service)
    assert raised.value.message == f"loki: HTTP 400 Bad Request: {said}"


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ({"service_name": "orders", "job": "shop/orders"}, Names("orders", "shop/orders", None)),
        ({"service_name": "unknown_service", "app": "orders"}, Names("orders", None, None)),
        ({"service_name": "varlogs", "job": "varlogs"}, Names(None, "varlogs", None)),
        ({"k8s.pod.name": "orders-0", "k8s.container.name": "orders"}, Names("orders", None, "orders-0")),
        ({"container": "orders", "pod": "orders-0", "namespace": "shop"}, Names("orders", None, "orders-0")),
        ({"service": "", "env": "prod"}, Names(None, None, None)),
    ],
)
def test_a_service_is_named_by_its_own_label_before_the_shippers(labels: dict[str, str], names: Names) -> None:
    assert names_in(labels) == names


def test_selectors_select_every_wanted_stream_once_and_no_other_where_labels_tell_them_apart() -> None:
    wanted = [{"app": "a.b", "pod": "1"}, {"app": "a.b", "pod": "2"}, {"job": "x"}]
    others = [{"app": "c", "pod": "3"}, {"job": "y"}]
    selection = cover(wanted, others)
    assert selection.selectors == ('{app="a.b"}', '{job="x", app!="a.b"}')
    assert selection.is_exact
    assert cover([{"env": "prod"}], [{"env": "prod", "app": "c"}]).is_exact is False
    assert cover([{"app": "a"}, {"app": "b+"}], [{"app": "c"}]).selectors == ('{app=~"a|b\\\\+"}',)


def test_a_level_that_only_the_server_guessed_never_hides_the_applications_own() -> None:
    written = level_filter(Level.FATAL, ("level", "detected_level"))
    assert written.startswith(' | level!~"(?i)(trace|')
    assert ' and (level=~"(?i)(trace|' in written
    assert written.count(" or (detected_level!~") == 1
    assert level_filter(None, ("level",)) == level_filter(Level.TRACE, ("level",)) == ""


def test_a_string_is_written_so_that_nothing_in_it_ends_it() -> None:
    assert quoted('a"} or {b="\\\n') == '"a\\"} or {b=\\"\\\\\\n"'
    assert json.loads(quoted("\ud800")) == "?"


def test_a_window_is_whole_nanoseconds() -> None:
    assert Span.of(WINDOW) == Span(1794477600000000000, 1794481200000000000)
