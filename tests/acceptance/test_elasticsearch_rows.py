"""What a row says in each situation of Elasticsearch and OpenSearch, held against the table of the documentation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.adapters.logs.elasticsearch import ElasticsearchLogs
from groundwire.domain.deadline import Deadline
from groundwire.ports import CallContext
from groundwire.tools.query_logs import QueryLogs
from tests.elastic_server import ElasticServer
from tests.elastic_situations import (
    FAILED_SHARDS,
    FAILURES,
    HOUR,
    START,
    BrokenByteServer,
    answering,
    at,
    backend_over,
    capped,
    changed,
    disordered,
    without_source,
)

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "backends.md"
SECTION: Final = "## Elasticsearch and OpenSearch"
NOTHING: Final[dict[str, Any]] = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}, "aggregations": {}}


def _server(*documents: dict[str, Any], **more: Any) -> ElasticsearchLogs:
    return backend_over(ElasticServer(documents or [at(), at(1)], **more))


def _clocks_apart() -> ElasticsearchLogs:
    taken_in = [(START + timedelta(hours=1, seconds=n)).isoformat() for n in range(3)]
    return _server(*(at(n, event={"ingested": moment}) for n, moment in enumerate(taken_in)))


SITUATIONS: Final[dict[str, Callable[[], ElasticsearchLogs]]] = {
    **{name: lambda answer=answer: answering(answer) for name, answer, _, _ in FAILURES},  # type: ignore[misc]
    "no such index": lambda: backend_over(ElasticServer([at()]), index="nginx-*"),
    "no date field": lambda: _server({"service": "till", "message": "x"}),
    "empty": lambda: _server(at(7200)),
    "only records without a time": lambda: _server(at(7200, service="cart"), {"service": "till", "message": "x"}),
    "timed out on the server": lambda: changed(timed_out=True),
    "timed out on the server, nothing found": lambda: changed(timed_out=True, **NOTHING),
    "4 of 5 shards failed": lambda: changed(_shards=FAILED_SHARDS),
    "4 of 5 shards failed, nothing found": lambda: changed(_shards=FAILED_SHARDS, **NOTHING),
    "all shards failed": lambda: changed(_shards={"total": 2, "successful": 0, "failed": 2}),
    "a remote cluster was skipped": lambda: changed(_clusters={"total": 2, "successful": 1, "skipped": 1}),
    "`relation` is `gte`": lambda: _server(change=capped),
    "3,000 of them": lambda: _server(*(at(n * 6 // 5) for n in range(3000))),
    "twice, and out of order": lambda: _server(change=disordered),
    "one byte that is no text": lambda: backend_over(BrokenByteServer([at()])),
    "5 entries of 5 MB": lambda: _server(*(at(n, message="x" * 5_000_000) for n in range(5))),
    "an entry of 17 MB": lambda: _server(at(message="x" * 17_000_000)),
    "a clock an hour off": _clocks_apart,
    "`_source` is not kept": lambda: _server(change=without_source),
}


def _cell(backend: ElasticsearchLogs) -> str:
    context = CallContext(window=HOUR, deadline=Deadline.after(30), earlier_calls=list)
    answer = QueryLogs([backend]).run({"service": "till"}, context)
    if answer["error"] is not None:
        return f"`failed`, `{answer['error']['type']}`: {answer['error']['message']}".replace("http://es.test:9200", "URL")
    least = "" if answer["summary"]["total_is_exact"] else "at least "
    cell = f"`{answer['evidence_status']}`, {answer['returned_count']} of {least}{answer['total_count']:,}"
    cell += "".join(f"; in part: {reason}" for reason in answer["partial_reasons"])
    return cell + "".join(f"; note: {note}" for note in answer["sources"][0]["notes"])


def _documented() -> dict[str, str]:
    section = DOCUMENT.read_text(encoding="utf-8").split(f"\n{SECTION}\n", 1)[1].split("\n## ", 1)[0]
    table = section.split("| situation | the row says |\n|---|---|\n", 1)[1].split("\n\n", 1)[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    return {situation: cell for situation, cell in rows}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_row_says_what_the_documentation_says(situation: str) -> None:
    assert _documented()[situation] == _cell(SITUATIONS[situation]())


def test_the_documentation_has_these_situations_and_no_others() -> None:
    assert list(_documented()) == list(SITUATIONS)
