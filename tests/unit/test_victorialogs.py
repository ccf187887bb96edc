"""What VictoriaLogs alone does: JSON lines, an empty body for nothing, fields instead of labels."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from groundwire.adapters.logs.entry import Span
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.logs.victorialogs_answers import VictoriaShapeError, read_hits, read_lines
from groundwire.adapters.logs.victorialogs_query import text_filters, time_filter
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import UsageError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from tests.log_servers.kept import Kept, ns
from tests.log_servers.victorialogs import MadeVictoriaLogs

START = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=START, end=START + timedelta(hours=1))


def kept(minutes: float, text: str, stream: dict[str, str], **own: str) -> Kept:
    return Kept(ns(START + timedelta(minutes=minutes)), stream, text, own)


def ask(
    server: httpx.BaseTransport,
    query: str = "",
    *,
    service: str | None = None,
    level: Level | None = None,
    whole_up_to: int = 20_000,
) -> LogPage:
    backend = VictoriaLogs("vl", "http://vl.test", HttpOptions(transport=server), whole_up_to=whole_up_to)
    return backend.search(
        LogRequest(
            query=parse_log_query(query), service=service, min_level=level, window=WINDOW, limit=5, deadline=Deadline.after(30)
        )
    )


def test_a_large_scope_is_asked_for_by_fields_and_words_and_never_by_a_users_expression() -> None:
    server = MadeVictoriaLogs([kept(1, "GET (a|b) refused", {"app": "orders"}), kept(2, "x", {"app": "cart"})])
    ask(server, '"(a|b)" refused -quiet', service="Orders", whole_up_to=0)
    window = "_time:[2026-11-12T10:00:00.000000000Z, 2026-11-12T11:00:00.000000000Z)"
    query = f'{window} ("app":~"(?i)^Orders$") ("_msg":~"(?i)refus" or "app":~"(?i)refus")'
    assert server.queries[-3] == query


def test_a_line_of_a_server_that_failed_on_its_way_makes_the_answer_partial() -> None:
    lines = read_lines(b'{"_time":"2026-11-12T10:00:00.5Z","_msg":"a"}\ncannot read block: input/output error\n')
    assert [(entry.at_ns, entry.text) for entry in lines.entries] == [(1794477600500000000, "a")]
    assert lines.doubts == ("1 line of the answer could not be read, beginning 'cannot read block: input/output error'",)


def test_nothing_is_an_empty_body_and_a_line_that_is_no_entry_is_no_answer() -> None:
    assert read_lines(b"").entries == read_lines(b"\n").entries == ()
    for body in (b"<html></html>", b'{"status":"success"}', b'{"_time":"yesterday"}', b"[]"):
        with pytest.raises(VictoriaShapeError):
            read_lines(body)


def test_an_entry_without_a_message_is_its_fields() -> None:
    entry = read_lines(b'{"_time":"2026-11-12T12:00:00+02:00","_stream":"{app=\\"a\\"}","_stream_id":"1","n":5}').entries[0]
    assert (entry.at_ns, entry.text, entry.place, dict(entry.labels)) == (1794477600000000000, "", '{app="a"}', {"n": "5"})


def test_hits_are_summed_over_their_groups() -> None:
    hits = read_hits(
        {
            "hits": [
                {"fields": {"level": "error"}, "timestamps": ["2026-11-12T10:00:00Z"], "values": [2], "total": 2},
                {"fields": {}, "timestamps": ["2026-11-12T10:00:00Z", "2026-11-12T10:01:00Z"], "values": [3, 0], "total": 3},
            ]
        }
    )
    assert hits.groups == (({"level": "error"}, 2), ({}, 3))
    assert hits.buckets == {START: 5}


def test_a_server_that_will_not_count_leaves_the_scope_unknown_and_the_matches_known() -> None:
    server = MadeVictoriaLogs([kept(1, "ERROR one", {"app": "a"}), kept(2, "INFO two", {"app": "a"})], counts=False)
    page = ask(server, "one")
    assert (page.matched.total, page.matched.is_exact, page.in_scope.is_exact) == (1, True, False)
    said = "the server did not count what is there: HTTP 422 Unprocessable Entity: 422: too much memory needed"
    assert page.partial_reasons == (said,)


def test_so_many_fields_that_no_query_holds_them_are_searched_here() -> None:
    assert text_filters(["refused"], [f"field_{index}" for index in range(2_000)]) == ""
    fields = {f"field_{index}": "x" for index in range(900)}
    server = MadeVictoriaLogs([kept(1, "refused", {"app": "a"}, **fields), kept(2, "fine", {"app": "a"})])
    assert ask(server, "refused", whole_up_to=0).matched.total == 1


def test_a_time_keeps_its_nanoseconds() -> None:
    assert time_filter(Span(1794477600000000001, 1794481200000000000)) == (
        "_time:[2026-11-12T10:00:00.000000001Z, 2026-11-12T11:00:00.000000000Z)"
    )


def test_services_are_the_values_of_the_fields_that_name_them() -> None:
    server = MadeVictoriaLogs([kept(1, "a", {"app": "cart"}), kept(2, "b", {"app": "orders"}), kept(3, "c", {"job": "x"})])
    description = VictoriaLogs("vl", "http://vl.test", HttpOptions(transport=server), now=lambda: WINDOW.end).describe()
    assert (description.services, description.live, description.problems) == (("cart", "orders"), True, ())
    assert description.newest_record == START + timedelta(minutes=3)


def test_a_service_whose_entries_hold_none_of_the_words_is_not_silent_where_it_was_not_counted() -> None:
    # An entry without a field that names a service may be anybody's: the server's count would be too high.
    server = MadeVictoriaLogs(
        [kept(1, "fine", {"app": "orders"}), kept(2, "orders", {"env": "prod"}), kept(3, "x", {"app": "cart"})]
    )
    page = ask(server, "refused", service="orders", whole_up_to=0)
    assert (page.matched.total, page.in_scope.total, page.in_scope.is_exact) == (0, 1, False)


def test_a_service_name_that_may_have_been_made_of_the_job_is_not_counted_by_the_server() -> None:
    labels = {"service_name": "varlogs", "app": "orders", "job": "varlogs"}
    page = ask(MadeVictoriaLogs([kept(1, "a", labels), kept(2, "b", labels)]), service="varlogs", whole_up_to=0)
    assert (page.matched.total, page.in_scope.total) == (0, 0)
    assert [record.message for record in ask(MadeVictoriaLogs([kept(1, "a", labels)]), service="orders").records] == ["a"]


@pytest.mark.parametrize(("tenant", "headers"), [("12", ("12", "0")), ("12:34", ("12", "34"))])
def test_a_tenant_is_an_account_and_a_project(tenant: str, headers: tuple[str, str]) -> None:
    server = MadeVictoriaLogs([])
    VictoriaLogs("vl", "http://vl.test", HttpOptions(transport=server), tenant=tenant).describe()
    assert (server.asked[0].headers["AccountID"], server.asked[0].headers["ProjectID"]) == headers
    for wrong in ("shop", "1:2:3", "-1", ""):
        with pytest.raises(UsageError, match="is none of VictoriaLogs"):
            VictoriaLogs("vl", "http://vl.test", tenant=wrong)
