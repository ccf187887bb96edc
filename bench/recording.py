"""Recording one call of 100 log entries (27 KB): everything included, beside two bare durable commits of the same bytes."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measuring import Figure, median_each, report

from groundwire.adapters.process import SystemClock, current_owner
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import SCHEMA_VERSION, QuestionKind, SessionStatus, WindowSource, new_id
from groundwire.domain.session import DiagnosisSession
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.outcome import Outcome
from groundwire.services.recorder import EvidenceRecorder
from groundwire.store.sql_store import SqlStore, open_store
from groundwire.testing import ScriptedTool

_ROUNDS = 40
_CALLS = 10
_WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))


def main() -> None:
    plain, secret = _output(""), _output(" password=hunter2secret")
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare_database(Path(folder) / "bare.db")
        store = open_store(Path(folder) / "groundwire.db")
        recorder, masking = _recorder(store, plain), _recorder(store, secret)
        compressed = zlib.compress(orjson.dumps(plain), 3)
        row_bytes = orjson.dumps(recorder.ask("query_logs", {"service": "checkout"}).invocation.retrieval_details)

        base, ours = median_each(
            lambda: [_two_bare_commits(bare, compressed, row_bytes) for _ in range(_CALLS)],
            lambda: [recorder.ask("query_logs", {"service": "checkout"}) for _ in range(_CALLS)],
            _ROUNDS,
        )
        unmasked, masked = median_each(
            lambda: [Outcome.of_output(plain) for _ in range(_CALLS)],
            lambda: [Outcome.of_output(secret) for _ in range(_CALLS)],
            _ROUNDS,
        )
        masking.ask("query_logs", {})
        store.close()
    report(
        Figure(name="two bare durable commits", value=base / _CALLS, unit="ms CPU"),
        Figure(name="recording a call", value=ours / _CALLS, unit="ms CPU"),
        Figure(name="recording over two bare commits", value=ours / base, unit="x", limit=2.0),
        Figure(name="masking where nothing is to mask, and the output's JSON", value=unmasked / _CALLS, unit="ms CPU", limit=1.0),
        Figure(name="masking 100 secrets, more than without", value=(masked - unmasked) / _CALLS, unit="ms CPU", limit=1.0),
        description=__doc__ or "",
    )


def _output(more: str) -> dict[str, Any]:
    logs = [
        {
            "timestamp": (_WINDOW.start + timedelta(seconds=n)).isoformat().replace("+00:00", "Z"),
            "level": "ERROR",
            "service": "checkout",
            "instance": f"checkout-7d9f8b6c5d-{n:05d}",
            "message": f"order {n} failed: upstream payment answered 503 after {n * 7} ms, attempt {n % 3}{more}",
            "source": f"checkout.log:{n}",
            "fields": {"thread": f"nio-8080-exec-{n % 20}", "logger": "c.s.checkout.OrderController"},
        }
        for n in range(100)
    ]
    return {
        "evidence_status": "evidence",
        "error": None,
        "returned_count": 100,
        "total_count": 100,
        "fetched_count": None,
        "partial": False,
        "partial_reasons": [],
        "scope": {"window": _WINDOW.to_json(), "filter": {"limit": 100}, "labels": {"service": "checkout"}},
        "sources": [{"name": "files", "kind": "logs", "status": "evidence", "live": False, "returned_count": 100}],
        "schema_version": SCHEMA_VERSION,
        "logs": logs,
        "summary": {"total": 100, "by_level": {"ERROR": 100}},
    }


def _bare_database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE call (id TEXT PRIMARY KEY, status TEXT, row BLOB, output BLOB)")
    return connection


def _two_bare_commits(connection: sqlite3.Connection, output: bytes, row: bytes) -> None:
    """The row before the call and its completion after it: each durable, no reads, nothing computed."""
    call_id = new_id()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO call (id, status) VALUES (?, 'running')", (call_id,))
    connection.execute("COMMIT")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE call SET status = 'evidence', row = ?, output = ? WHERE id = ?", (row, output, call_id))
    connection.execute("COMMIT")


class _Silent:
    def update(self, text: str) -> None:
        return None


def _recorder(store: SqlStore, output: dict[str, Any]) -> EvidenceRecorder:
    clock, owner = SystemClock(), current_owner()
    session = DiagnosisSession(
        id=new_id(),
        question="bench",
        question_kind=QuestionKind.DIAGNOSE,
        subjects=(),
        window=_WINDOW,
        window_source=WindowSource.FLAG,
        status=SessionStatus.RUNNING,
        decision=None,
        degraded_reason=None,
        final_output=None,
        draft_answer=None,
        step_count=0,
        tool_call_count=0,
        investigator="bench",
        model=None,
        owner=owner,
        created_at=clock.now(),
        completed_at=None,
        schema_version=SCHEMA_VERSION,
    )
    store.open_session(session)
    return EvidenceRecorder(
        session,
        tools={"query_logs": ScriptedTool("query_logs", output)},
        writer=store,
        reader=store,
        outputs=store,
        catalog=ConfiguredSources(logs=(), metrics=(), knowledge=()),
        clock=clock,
        owner=owner,
        progress=_Silent(),
        call_timeout_s=30,
    )


if __name__ == "__main__":
    main()
