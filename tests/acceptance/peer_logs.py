"""Rows of what another tool was measured to get wrong, about logs: each as it must be here."""

from __future__ import annotations

from pathlib import Path

from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.invocation import RecordedCall
from groundwire.ports import LogBackend
from groundwire.tools.query_logs import QueryLogs
from tests.acceptance import test_log_server_outcomes as servers
from tests.acceptance.gateway import open_session
from tests.acceptance.situations import Answer, Situation, documented, everywhere, url_of
from tests.elastic_situations import FAILED_SHARDS, changed

OPTIONS = HttpOptions(read_timeout_s=0.3, pause=lambda seconds: None)
PREVIOUS = "2026-11-20T10:00:05Z ERROR connection refused\n"
ASKED = {"query": "refused"}


def _ask(folder: Path, *backends: LogBackend) -> RecordedCall:
    with open_session(folder / "t.db", tools=[QueryLogs(backends)]) as session:
        return session.recorder.ask("query_logs", ASKED)


def _files(folder: Path, name: str, text: str | bytes) -> FileLogs:
    place = folder / name
    place.mkdir()
    (place / "orders.log").write_bytes(text.encode() if isinstance(text, str) else text)
    return FileLogs(name, place)


def _situation(of: list[Situation], name: str) -> Situation:
    (found,) = [situation for situation in of if situation.name == name]
    return found


def failed_shards_and_a_search_that_timed_out_are_told_although_nothing_was_found(tmp_path: Path) -> None:
    nothing = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}, "aggregations": {}}
    call = _ask(tmp_path, changed(timed_out=True, _shards=FAILED_SHARDS, **nothing))
    row = call.invocation
    assert (row.status, row.returned_count, row.partial) == ("no_evidence", 0, True)
    timed_out, shards = row.partial_reasons
    assert "timed out on the server" in timed_out
    assert shards.startswith("es: 4 of 5 shards failed: circuit_breaking_exception: no room (index logs-1)")
    assert call.output["summary"]["total_is_exact"] is False


def a_source_that_fails_stays_visible_beside_one_that_answers(tmp_path: Path) -> None:
    gone = everywhere("current", Answer(body=b"no healthy upstream", status=503, content_type="text/plain"))
    with url_of(gone) as url:
        call = _ask(tmp_path, LokiLogs("current", url, OPTIONS), _files(tmp_path, "previous", PREVIOUS))
    row = call.invocation
    assert (row.status, row.success, row.returned_count, row.partial) == ("evidence", True, 1, True)
    (reason,) = row.partial_reasons
    assert reason == "one source failed: current: HTTP 503 Service Unavailable: no healthy upstream"
    assert [(source["name"], source["status"]) for source in call.output["sources"]] == [
        ("current", "failed"),
        ("previous", "evidence"),
    ]
    # What one of them has is the least that there is.
    assert call.output["summary"]["total_is_exact"] is False


def a_source_that_fails_beside_one_that_has_nothing_proves_no_absence(tmp_path: Path) -> None:
    gone = everywhere("current", Answer(body=b"no healthy upstream", status=503, content_type="text/plain"))
    with url_of(gone) as url:
        call = _ask(
            tmp_path, LokiLogs("current", url, OPTIONS), _files(tmp_path, "previous", PREVIOUS.replace("refused", "made"))
        )
    assert (call.invocation.status, call.invocation.partial) == ("no_evidence", True)
    assert call.output["summary"]["total_is_exact"] is False


def a_search_that_finds_nothing_is_an_answer_with_its_scope_and_no_error(tmp_path: Path) -> None:
    call = _ask(tmp_path, _files(tmp_path, "logs", PREVIOUS.replace("refused", "made")))
    row = call.invocation
    assert (row.status, row.success, row.error_type, row.partial) == ("no_evidence", True, None, False)
    assert call.output["logs"] == []
    assert row.scope is not None
    assert row.scope["filter"] == {"query": "refused", "limit": 50}
    assert row.scope["window"] == {"start": "2026-11-20T10:00:00Z", "end": "2026-11-20T11:00:00Z"}
    # The same with every server; each of these cells is a test of its own.
    for server, column in (("Loki", "entries"), ("VictoriaLogs", "entries"), ("Elasticsearch and OpenSearch", "the row says")):
        assert documented(server, "empty", column) == "`no_evidence`, 0 of 0"


def the_same_search_after_a_timeout_is_asked_again(tmp_path: Path) -> None:
    well = _situation(servers.LOKI, "twice, and out of order")
    answers = {path: Answer(body=answer.body, stall_s=0.8) for path, answer in well.answers.items()}
    situation = Situation(name="slow, then well", answers=answers)
    with (
        url_of(situation) as url,
        open_session(tmp_path / "t.db", tools=[QueryLogs([LokiLogs("logs", url, OPTIONS)])]) as session,
    ):
        first = session.recorder.ask("query_logs", ASKED)
        answers |= well.answers
        second = session.recorder.ask("query_logs", ASKED)
    assert (first.invocation.status, first.invocation.error_type) == ("failed", "timeout")
    assert (second.invocation.status, second.invocation.returned_count) == ("evidence", 2)


def one_invalid_byte_costs_nothing_else_of_a_file_or_an_answer(tmp_path: Path) -> None:
    call = _ask(tmp_path, _files(tmp_path, "logs", PREVIOUS.encode().replace(b"connection", b"caf\xff") + PREVIOUS.encode()))
    assert [entry["message"] for entry in call.output["logs"]] == ["connection refused", r"caf\xff refused"]
    for name, row, of in (
        ("Loki", servers.loki_row, servers.LOKI),
        ("VictoriaLogs", servers.victorialogs_row, servers.VICTORIALOGS),
    ):
        said = row(_situation(of, "one byte that is no text"), tmp_path / f"{name}.db")
        assert said.startswith("`evidence`, 1 of 1"), said


def nothing_from_a_loki_that_knows_of_chunks_is_unknown_and_not_empty(tmp_path: Path) -> None:
    said = servers.loki_row(_situation(servers.LOKI, "empty, although chunks are known"), tmp_path / "t.db")
    assert said.startswith("`no_evidence`, 0 of 0; in part: logs: the server knows of 3 chunks for this time and read no line")


def what_loki_refuses_in_plain_text_is_said_in_its_words(tmp_path: Path) -> None:
    said = servers.loki_row(_situation(servers.LOKI, "HTTP 400"), tmp_path / "t.db")
    assert said.startswith("`failed`, `rejected`: logs: HTTP 400 Bad Request: the query time range exceeds the limit")


def no_bytes_from_victorialogs_are_an_empty_answer(tmp_path: Path) -> None:
    empty = _situation(servers.VICTORIALOGS, "empty")
    assert empty.answers["/select/logsql/query"].body == b""
    assert servers.victorialogs_row(empty, tmp_path / "t.db") == "`no_evidence`, 0 of 0"
