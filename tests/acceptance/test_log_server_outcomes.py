"""What the row says of log servers in every situation: the tables of docs/backends.md, cell by cell."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.ports import LogBackend
from groundwire.tools.query_logs import QueryLogs
from tests.acceptance.gateway import open_session
from tests.acceptance.incident import WINDOW
from tests.acceptance.situations import (
    REFUSED,
    UNREACHABLE,
    Answer,
    Situation,
    documented,
    everywhere,
    no_such_host,
    rows_of,
    said_by_the_row,
    url_of,
)

START_NS: Final = int(WINDOW.start.timestamp()) * 1_000_000_000
START: Final = f"{WINDOW.start:%Y-%m-%dT%H:%M}"
STREAM: Final = {"service_name": "orders"}
FIELDS: Final = ("_msg", "_time", "service_name")

_OPTIONS: Final = HttpOptions(read_timeout_s=0.3, pause=lambda seconds: None)
_HTML: Final = b"<html><head><title>Sign in</title></head><body>...</body></html>"
_LONG: Final = "refused " + "x" * 5_000_000

Said = tuple[int, str]
"""A second of the window, and what was logged then."""

SHARED: Final = [
    UNREACHABLE,
    REFUSED,
    everywhere("HTTP 401", Answer(body=b"no org id\n", status=401, content_type="text/plain")),
    everywhere("HTTP 404", Answer(body=b"404 page not found\n", status=404, content_type="text/plain")),
    everywhere("HTTP 500", Answer(body=b"rpc error: no space left", status=500, content_type="text/plain")),
    everywhere("HTTP 503, twice", Answer(body=b"no healthy upstream", status=503, content_type="text/plain")),
    everywhere("HTML instead of JSON", Answer(body=_HTML, content_type="text/html")),
    everywhere("JSON of another shape", Answer(body=b'{"x": 1}')),
]


def _json(value: Any, **more: Any) -> Answer:
    return Answer(body=json.dumps(value).encode(), **more)


# --- Loki ----------------------------------------------------------------------------------------------------------


def _loki(name: str, said: Sequence[Said], *, stats: Any = None, envelope: Any = None, **more: Any) -> Situation:
    def success(data: Any) -> Answer:
        return _json({"status": "success", "data": data, **(envelope or {})}, **more)

    values = [[str(START_NS + second * 1_000_000_000), text] for second, text in said]
    streams = [{"stream": STREAM, "values": values}] if values else []
    counted = [{"metric": {}, "value": [1.0, str(len(values))]}] if values else []
    return Situation(
        name=name,
        answers={
            "/loki/api/v1/series": success([STREAM]),
            "/loki/api/v1/query": success({"resultType": "vector", "result": counted, "stats": stats}),
            "/loki/api/v1/query_range": success({"resultType": "streams", "result": streams, "stats": stats}),
        },
    )


def _with(situation: Situation, path: str, answer: Answer) -> Situation:
    return replace(situation, answers={**situation.answers, path: answer})


_REFUSED: Final = (5, "connection refused")
_LOST: Final = {"querier": {"store": {"totalChunksRef": 3, "totalChunksDownloaded": 3}}, "summary": {"totalLinesProcessed": 0}}
_TOO_LONG: Final = b"the query time range exceeds the limit (query length: 1h0m0s, limit: 30m)"
_SERIES: Final = b"maximum number of series (500) reached for a single query"
LOKI: Final = [
    *SHARED,
    everywhere("HTTP 400", Answer(body=_TOO_LONG, status=400, content_type="text/plain")),
    _with(
        _loki("an error in a 200", []),
        "/loki/api/v1/series",
        _json({"status": "error", "errorType": "timeout", "error": "context deadline exceeded"}),
    ),
    _with(
        _loki("a metric answer where entries belong", []),
        "/loki/api/v1/query_range",
        _json({"status": "success", "data": {"resultType": "matrix", "result": []}}),
    ),
    _loki("times out in the middle of the body", [_REFUSED], stall_s=1.0),
    _loki("empty", []),
    _loki("empty, although chunks are known", [], stats=_LOST),
    _loki("only what our own filter removes", [(5, "all is well")]),
    _loki("partial: warnings", [_REFUSED], envelope={"warnings": ["ingester 2 did not answer"]}),
    _with(
        _loki("partial: it will not count", [_REFUSED]),
        "/loki/api/v1/query",
        Answer(body=_SERIES, status=400, content_type="text/plain"),
    ),
    _with(_loki("cut: one entry of 17 MB", [_REFUSED]), "/loki/api/v1/query_range", Answer(body=b" " * 17_000_000)),
    _with(_loki("too many streams to list", [_REFUSED]), "/loki/api/v1/series", Answer(body=b" " * 17_000_000)),
    _loki("3,000 of them", [(second, "refused") for second in range(3000)]),
    _loki("twice, and out of order", [_REFUSED, (7, "refused again"), _REFUSED]),
    _loki("one byte that is no text", [(5, "refused by caf\ufffd")]),
    _loki("an entry of 5 MB", [(5, _LONG)]),
    _loki("a clock an hour behind", [_REFUSED], ahead_s=-3600),
    _loki("a clock an hour ahead inside", [(n, f"{START.replace('T10', 'T11')}:0{n}Z ERROR refused") for n in range(1, 5)]),
    _with(
        _loki("one entry that cannot be read", []),
        "/loki/api/v1/query_range",
        _json(
            {
                "status": "success",
                "data": {
                    "resultType": "streams",
                    "result": [{"stream": STREAM, "values": [[str(START_NS), "refused"], [5, "x"]]}],
                },
            }
        ),
    ),
]

# --- VictoriaLogs --------------------------------------------------------------------------------------------------


def _victorialogs(name: str, said: Sequence[Said], *, body: bytes | None = None, **more: Any) -> Situation:
    lines = [
        {
            "_time": f"{START}:00Z"
            if not second
            else f"{WINDOW.start.replace(minute=second // 60, second=second % 60):%Y-%m-%dT%H:%M:%SZ}"
        }
        | {"_msg": text, **STREAM}
        for second, text in said
    ]
    values = [{"value": field, "hits": len(said)} for field in FIELDS] if said else []
    hits = [{"fields": {}, "timestamps": [f"{START}:00Z"], "values": [len(said)], "total": len(said)}] if said else []
    return Situation(
        name=name,
        answers={
            "/select/logsql/field_names": _json({"values": values}, **more),
            "/select/logsql/field_values": _json({"values": [{"value": "orders", "hits": len(said)}]}, **more),
            "/select/logsql/hits": _json({"hits": hits}, **more),
            "/select/logsql/query": Answer(
                body="".join(json.dumps(line) + "\n" for line in lines).encode() if body is None else body, **more
            ),
        },
    )


_LINE: Final = json.dumps({"_time": f"{START}:05Z", "_msg": "connection refused", **STREAM}).encode() + b"\n"
_MEMORY: Final = {"status": "error", "errorType": "422", "error": "cannot calculate [stats]: not enough memory"}
VICTORIALOGS: Final = [
    *SHARED,
    everywhere(
        "HTTP 400", Answer(body=b"cannot parse query [x:(]: missing filter after '('", status=400, content_type="text/plain")
    ),
    everywhere("HTTP 422, as JSON", _json(_MEMORY, status=422)),
    _victorialogs("times out in the middle of the body", [_REFUSED], stall_s=1.0),
    _victorialogs("empty", []),
    _victorialogs("only what our own filter removes", [(5, "all is well")]),
    _victorialogs("partial: it broke off", [_REFUSED], body=_LINE + b"cannot read block: input/output error\n"),
    _with(_victorialogs("partial: it will not count", [_REFUSED]), "/select/logsql/hits", _json(_MEMORY, status=422)),
    _victorialogs("cut: one entry of 17 MB", [_REFUSED], body=b" " * 17_000_000),
    _victorialogs("3,000 of them", [(second, "refused") for second in range(3000)]),
    _victorialogs("twice, and out of order", [_REFUSED, (7, "refused again"), _REFUSED]),
    _victorialogs("one byte that is no text", [_REFUSED], body=_LINE.replace(b"connection", b"caf\xe9")),
    _victorialogs("an entry of 5 MB", [(5, _LONG)]),
    _victorialogs("a clock an hour behind", [_REFUSED], ahead_s=-3600),
    _victorialogs(
        "a clock an hour ahead inside", [(n, f"{START.replace('T10', 'T11')}:0{n}Z ERROR refused") for n in range(1, 5)]
    ),
]


def _row(situation: Situation, make: Callable[[str], LogBackend], db: Path) -> str:
    with url_of(situation) as url, open_session(db, tools=[QueryLogs([make(url)])]) as session:
        call = session.recorder.ask("query_logs", {"query": "refused"})
        assert len(call.refs) == call.invocation.returned_count
        return said_by_the_row(call, url)


def loki_row(situation: Situation, db: Path) -> str:
    """Return what the row says when a Loki in a situation is asked for a word."""
    if situation.name == "one byte that is no text":
        broken = situation.answers["/loki/api/v1/query_range"].body.replace(b"\\ufffd", b"\xe9")
        situation = _with(situation, "/loki/api/v1/query_range", Answer(body=broken))
    return _row(situation, lambda url: LokiLogs("logs", url, _OPTIONS), db)


def victorialogs_row(situation: Situation, db: Path) -> str:
    """Return what the row says when a VictoriaLogs in a situation is asked for a word."""
    return _row(situation, lambda url: VictoriaLogs("logs", url, _OPTIONS), db)


@pytest.fixture(autouse=True)
def _names_and_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", no_such_host(socket.getaddrinfo))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("situation", LOKI, ids=lambda situation: situation.name)
def test_a_row_says_of_loki_what_the_table_says(situation: Situation, tmp_path: Path) -> None:
    assert loki_row(situation, tmp_path / "t.db") == documented("Loki", situation.name, "entries")


@pytest.mark.parametrize("situation", VICTORIALOGS, ids=lambda situation: situation.name)
def test_a_row_says_of_victorialogs_what_the_table_says(situation: Situation, tmp_path: Path) -> None:
    assert victorialogs_row(situation, tmp_path / "t.db") == documented("VictoriaLogs", situation.name, "entries")


def test_the_tables_say_nothing_that_is_not_tested() -> None:
    for section, situations in (("Loki", LOKI), ("VictoriaLogs", VICTORIALOGS)):
        assert set(rows_of(section)) == {situation.name for situation in situations}
