"""Adapters of log servers over what real servers answered: Loki 3 and VictoriaLogs 1.26."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendRejectedError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.ports import LogBackend

DAY = TimeWindow(start=datetime(2026, 11, 30, tzinfo=UTC), end=datetime(2026, 12, 1, tzinfo=UTC))
POOL = "HikariPool-1 - Connection is not available, request timed out after 30000ms (total=10, active=10, idle=0, waiting={})"


def ask(backend: LogBackend, query: str = "", *, service: str | None = "order-service") -> LogPage:
    return backend.search(
        LogRequest(
            query=parse_log_query(query), service=service, min_level=None, window=DAY, limit=50, deadline=Deadline.after(10)
        )
    )


def answering(answers: Path, *, status: int = 200, **by_end: str) -> HttpOptions:
    """Return a way to a server that answers each path by the file given for how the path ends."""

    def answer(request: httpx.Request) -> httpx.Response:
        name = by_end.get(request.url.path.rpartition("/")[2]) or by_end.get("anything")
        assert name is not None, request.url
        return httpx.Response(status, content=(answers / name).read_bytes())

    return HttpOptions(transport=httpx.MockTransport(answer))


@pytest.fixture
def answers(corpus: Path) -> Path:
    return corpus / "server-answers"


def loki(answers: Path, entries: str) -> LogBackend:
    return LokiLogs(
        "loki",
        "http://loki.test",
        answering(answers, series="loki_series.json", query="loki_query_vector.json", query_range=entries),
    )


def test_a_real_loki_is_read_with_its_labels_levels_and_whole_traces(answers: Path) -> None:
    page = ask(loki(answers, "loki_query_range_streams.json"), "connection-pool exhaustion -healthy")
    assert page.matched.total == 0  # the message says neither
    page = ask(loki(answers, "loki_query_range_streams.json"), "HikariPool timed waiting=18")
    record = page.records[0]
    assert (record.level, record.service, record.fields["env"]) == (Level.ERROR, "order-service", "prod")
    assert record.message.splitlines()[0] == POOL.format(18)
    assert record.message.splitlines()[1].startswith("\tat com.zaxxer.hikari")
    assert record.timestamp == datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=1796036488)
    assert (page.matched.total, page.in_scope.total, page.partial_reasons) == (1, 3, ())


def test_structured_metadata_of_a_real_loki_is_searched(answers: Path) -> None:
    page = ask(loki(answers, "loki_query_range_structmeta.json"), "trace_id:t288 dur_ms:18")
    assert [record.message for record in page.records] == ["GET /orders/288 200"]
    assert page.records[0].level is Level.INFO


def test_a_real_loki_with_nothing_and_one_that_lost_its_chunks_are_told_apart(answers: Path) -> None:
    assert ask(loki(answers, "loki_query_empty.json")).partial_reasons == ()
    lost = ask(loki(answers, "loki_silent_missing_chunks.json"))
    assert lost.matched.total == 0
    assert lost.matched.is_exact is False
    assert lost.partial_reasons[0].startswith("the server knows of 1 chunk for this time and read no line of it")


def test_streams_of_a_real_loki_are_described(answers: Path) -> None:
    description = loki(answers, "loki_query_range_streams.json").describe()
    assert (description.services, description.problems) == (("order-service",), ())


@pytest.mark.parametrize(
    "name", ["badstart", "emptymatcher", "maxseries", "noquery", "parse", "regex", "startafterend", "toolong"]
)
def test_a_refusal_of_a_real_loki_is_one_in_its_words(answers: Path, name: str) -> None:
    words = (answers / f"loki_err_{name}.json").read_text().strip()
    options = answering(answers, status=400, anything=f"loki_err_{name}.json")
    with pytest.raises(BackendRejectedError) as raised:
        ask(LokiLogs("loki", "http://loki.test", options))
    assert raised.value.message == f"loki: HTTP 400 Bad Request: {words}"


def test_a_metric_answer_of_a_real_loki_is_no_answer_of_entries(answers: Path) -> None:
    with pytest.raises(BackendMalformedError, match="its data is matrix, not streams"):
        ask(loki(answers, "loki_query_range_matrix.json"))


def test_the_limit_that_a_real_loki_names_is_kept_to(answers: Path) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        limit = request.url.params.get("limit")
        asked.append(limit or "")
        if limit is not None and int(limit) > 100:
            return httpx.Response(400, content=(answers / "loki_err_limit.json").read_bytes())
        name = {"series": "loki_series.json", "query": "loki_query_vector.json"}.get(request.url.path.rpartition("/")[2])
        return httpx.Response(200, content=(answers / (name or "loki_query_range_streams.json")).read_bytes())

    page = ask(LokiLogs("loki", "http://loki.test", HttpOptions(transport=httpx.MockTransport(answer))))
    assert (page.matched.total, asked[-1]) == (3, "100")


def victorialogs(answers: Path, entries: str = "vl_query.json") -> LogBackend:
    options = answering(
        answers, field_names="vl_field_names.json", field_values="vl_field_values.json", hits="vl_hits.json", query=entries
    )
    return VictoriaLogs("vl", "http://vl.test", options)


def test_a_real_victorialogs_is_read_with_its_fields(answers: Path) -> None:
    page = ask(victorialogs(answers), "HikariPool waiting=18")
    assert [record.message.splitlines()[0] for record in page.records] == [POOL.format(18)]
    assert (page.records[0].level, page.records[0].service) == (Level.ERROR, "order-service")
    assert page.records[0].timestamp == datetime(2026, 11, 30, 10, 48, 59, tzinfo=UTC)
    assert page.partial_reasons == ()


def test_hits_of_a_real_victorialogs_are_the_counts_of_what_is_not_read(answers: Path) -> None:
    options = answering(answers, field_names="vl_field_names.json", hits="vl_hits.json", query="vl_query.json")
    page = ask(VictoriaLogs("vl", "http://vl.test", options, whole_up_to=0), service=None)
    assert (page.matched.total, dict(page.matched.by_level)) == (220, {"ERROR": 20, "INFO": 200})
    # 10:48 has 19 errors and 60 of info.
    assert page.histogram[datetime(2026, 11, 30, 10, 48, tzinfo=UTC)] == 79


def test_an_empty_body_of_a_real_victorialogs_is_nothing(answers: Path) -> None:
    page = ask(victorialogs(answers, "vl_empty.json"))
    assert (page.matched.total, page.partial_reasons) == (0, ())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("badquery", "cannot parse query [_time:5m level:(]: missing filter after '('; context: [_time:5m level:(]"),
        ("noquery", "cannot parse query []: missing query; context: []"),
        ("stats_nopipe", "422: missing `| stats ...` pipe in the query [_time:5m]"),
    ],
)
def test_a_refusal_of_a_real_victorialogs_is_one_whether_text_or_json(answers: Path, name: str, words: str) -> None:
    options = answering(answers, status=400, anything=f"vl_err_{name}.json")
    with pytest.raises(BackendRejectedError) as raised:
        ask(VictoriaLogs("vl", "http://vl.test", options))
    assert raised.value.message == f"vl: HTTP 400 Bad Request: {words}"


@pytest.mark.parametrize(
    "name", sorted(["vl_hits.json", "vl_query.json", "vl_stats_query.json", "prom_alerts.json", "am_alerts.json"])
)
def test_the_answer_of_another_endpoint_or_server_is_no_answer(answers: Path, name: str) -> None:
    for make in (LokiLogs, VictoriaLogs):
        with pytest.raises(BackendError):
            ask(make("logs", "http://logs.test", answering(answers, anything=name)))
    assert json.loads((answers / "vl_hits.json").read_text())["hits"]
