"""Recording one call of 100 log entries (27 KB): everything included, beside two bare durable commits of the same bytes."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
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
_KNOWN_BEFORE = ("id", "session_id", "seq", "tool_name", "input_params", "started_at", "status", "owner")
_WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))


def main() -> None:
    plain, secret = _output(""), _output(" password=hunter2secret")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "groundwire.db"
        store = open_store(path)
        recorder = _recorder(store, plain)
        recorder.ask("query_logs", {"service": "checkout"})
        bare = _BareCommits(path, Path(folder) / "bare.db", orjson.dumps(plain))
        base, ours = median_each(
            lambda: [bare.write() for _ in range(_CALLS)],
            lambda: [recorder.ask("query_logs", {"service": "checkout"}) for _ in range(_CALLS)],
            _ROUNDS,
        )
        dumping, looking = median_each(
            lambda: [orjson.dumps(plain) for _ in range(_CALLS)],
            lambda: [Outcome.of_output(plain) for _ in range(_CALLS)],
            _ROUNDS,
        )
        _, masking = median_each(
            lambda: [Outcome.of_output(plain) for _ in range(_CALLS)],
            lambda: [Outcome.of_output(secret) for _ in range(_CALLS)],
            _ROUNDS,
        )
        store.close()
    report(
        Figure(name="two bare durable commits of the same bytes", value=base / _CALLS, unit="ms CPU"),
        Figure(name="recording a call, masking included", value=ours / _CALLS, unit="ms CPU"),
        Figure(
            name="recording without masking over two bare commits", value=(ours - looking + dumping) / base, unit="x", limit=2.0
        ),
        Figure(name="masking adds, where nothing is to mask", value=(looking - dumping) / _CALLS, unit="ms CPU", limit=1.0),
        Figure(
            name="masking adds, with a secret in each of 100 entries",
            value=(masking - dumping) / _CALLS,
            unit="ms CPU",
            limit=1.0,
        ),
        description=__doc__ or "",
    )


def _output(more: str) -> dict[str, Any]:
    random = Random(1)
    logs = [
        {
            "timestamp": (_WINDOW.start + timedelta(seconds=n)).isoformat().replace("+00:00", "Z"),
            "level": "ERROR",
            "service": "checkout",
            "instance": f"checkout-7d9f8b6c5d-{n:05d}",
            "message": f"order {n} failed: payment answered 503 after {n * 7} ms, trace {random.getrandbits(96):024x}{more}",
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


class _BareCommits:
    """Writes the very row of a recorded call, and the output's bytes as they came, into a copy of its tables with plain sqlite3.

    Two durable commits, the row before the call and its completion after it; no reads, nothing computed, nothing compressed.
    """

    def __init__(self, recorded: Path, path: Path, output: bytes) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        source = sqlite3.connect(recorded)
        for (statement,) in source.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"):
            self._connection.execute(statement)
        names = [column[1] for column in source.execute("PRAGMA table_info(tool_invocation)")]
        (row,) = source.execute("SELECT * FROM tool_invocation LIMIT 1")
        self._row = dict(zip(names, row, strict=True))
        self._output = output
        self._count = 0
        later = [name for name in names if name not in _KNOWN_BEFORE]
        self._insert = f"INSERT INTO tool_invocation ({', '.join(_KNOWN_BEFORE)}) VALUES (:{', :'.join(_KNOWN_BEFORE)})"
        self._update = f"UPDATE tool_invocation SET {', '.join(f'{name} = :{name}' for name in later)} WHERE id = :id"

    def write(self) -> None:
        self._count += 1
        row = {**self._row, "id": new_id(), "seq": self._count, "completion_seq": self._count}
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(self._insert, {**row, "status": "running"})
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(self._update, row)
        self._connection.execute(
            "INSERT INTO tool_output VALUES (?, 'plain', ?, ?)", (row["id"], len(self._output), self._output)
        )
        self._connection.execute("COMMIT")


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
