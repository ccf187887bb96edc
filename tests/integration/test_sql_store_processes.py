"""Several processes in one database, and what one of them leaves when it is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from groundwire.domain.names import InvocationStatus
from groundwire.store.sql_store import open_store
from tests.integration.postgres import PostgresServer
from tests.trace_rows import a_completion, a_session, a_start

SPAWN = multiprocessing.get_context("spawn")


def record_calls(place: str, session_id: str, calls: int) -> None:
    """Record calls in a session that another process opened."""
    session = a_session(id=session_id)
    with open_store(place) as store:
        for _ in range(calls):
            start = a_start(session)
            store.begin_invocation(start)
            store.complete_invocation(a_completion(start))


def open_a_session(place: str, ready: Any, session_id: str) -> None:
    """Open a fresh database at the same moment as others do."""
    ready.wait(30)
    with open_store(place) as store:
        store.open_session(a_session(id=session_id))


def record_until_killed(place: str, session_id: str, sink: Any) -> None:
    """Record calls, and say which of them had returned."""
    session = a_session(id=session_id)
    with open_store(place) as store:
        while True:
            start = a_start(session)
            store.begin_invocation(start)
            store.complete_invocation(a_completion(start))
            sink.send(start.id)


def test_four_processes_share_a_session_without_losing_a_row(tmp_path: Path) -> None:
    place = str(tmp_path / "rows.db")
    session = a_session()
    with open_store(place) as store:
        store.open_session(session)
        _all_succeed([SPAWN.Process(target=record_calls, args=(place, session.id, 10)) for _ in range(4)])
        rows = store.invocations(session.id)

    assert [row.seq for row in rows] == list(range(1, 41))
    chain = sorted(rows, key=lambda row: row.completion_seq or 0)
    assert [row.completion_seq for row in chain] == list(range(1, 41))
    assert [row.previous_hash for row in chain[1:]] == [row.row_hash for row in chain[:-1]]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_processes_that_open_a_fresh_database_at_once_all_succeed(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = str(tmp_path / "new" / "rows.db")
    if kind == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        place = server.url(server.create_database())
    ready = SPAWN.Barrier(3)
    ids = [a_session().id for _ in range(3)]

    _all_succeed([SPAWN.Process(target=open_a_session, args=(place, ready, session_id)) for session_id in ids])

    with open_store(place, read_only=True) as store:
        assert sorted(session.id for session in store.sessions()) == sorted(ids)


def test_a_killed_process_leaves_every_row_whose_call_had_returned(tmp_path: Path) -> None:
    place = str(tmp_path / "rows.db")
    session = a_session()
    with open_store(place) as store:
        store.open_session(session)
    source, sink = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=record_until_killed, args=(place, session.id, sink))
    process.start()
    sink.close()
    returned = [source.recv() for _ in range(20)]
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join(30)
    while source.poll():
        try:
            returned.append(source.recv())
        except EOFError:
            break
    source.close()

    with open_store(place, read_only=True) as store:
        rows = store.invocations(session.id)

    completed = {row.id for row in rows if row.status is InvocationStatus.EVIDENCE}
    assert set(returned) <= completed
    assert all(row.row_hash for row in rows if row.id in completed)
    assert sum(row.status is InvocationStatus.RUNNING for row in rows) <= 1


def test_rows_read_with_plain_sql_have_the_names_and_values_of_the_contract(tmp_path: Path) -> None:
    path = tmp_path / "rows.db"
    session = a_session()
    with open_store(path) as store:
        store.open_session(session)
        start = a_start(session)
        store.begin_invocation(start)
        store.complete_invocation(a_completion(start))

        with closing(sqlite3.connect(path)) as connection:
            connection.row_factory = sqlite3.Row
            row = dict(connection.execute("SELECT * FROM tool_invocation").fetchone())
            window = connection.execute("SELECT window_start, window_end, subjects FROM diagnosis_session").fetchone()
            mode = connection.execute("PRAGMA journal_mode").fetchone()[0]

    assert row.keys() == {
        "id", "session_id", "seq", "agent_step_id", "tool_call_id", "trace_id", "tool_name", "backend", "input_params",
        "started_at", "duration_ms", "status", "success", "error_type", "error_message", "output_state", "output_preview",
        "output_truncated", "output_bytes", "output_sha256", "returned_count", "total_count", "partial", "partial_reasons",
        "scope", "retrieval_layer", "l0_count", "l1_count", "relevance_level", "dedup_reason", "dedup_of",
        "retrieval_details", "owner", "completion_seq", "previous_hash", "row_hash",
    }  # fmt: skip
    assert row["started_at"] == "2026-11-30T12:00:00.123456Z"
    assert (row["status"], row["success"], row["partial"], row["duration_ms"]) == ("evidence", 1, 1, 12.345)
    assert row["partial_reasons"] == '["files: 1 file could not be read"]'
    assert tuple(window) == (
        "2026-11-30T11:00:00.123456Z",
        "2026-11-30T12:00:00.123456Z",
        '["order-service","zahlung-größe"]',
    )
    assert mode == "wal"


def _all_succeed(processes: list[Any]) -> None:
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * len(processes)
