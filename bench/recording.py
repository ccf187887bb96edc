"""Recording one call of 100 log entries (27 KB): everything included, beside two bare durable commits of the same bytes."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from unittest import mock

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measuring import Figure, cpu_ms, in_turns, report
from bench.session import WINDOW, running_session
from groundwire.adapters.process import SystemClock
from groundwire.domain.names import SCHEMA_VERSION, new_id
from groundwire.services import outcome
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.recorder import EvidenceRecorder
from groundwire.store.sql_store import SqlStore, open_store
from groundwire.testing import ScriptedTool

_ROUNDS = 8
_CALLS = 70
"""In a row: SQLite moves its log into the database every 40 to 70 calls, and each measurement has its share of that."""

_KNOWN_BEFORE = ("id", "session_id", "seq", "tool_name", "input_params", "started_at", "status", "owner")


def main() -> None:
    plain, secret = _output(""), _output(" password=hunter2secret")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "groundwire.db"
        with open_store(path) as store:
            plainly, secretly = _recorder(store, plain), _recorder(store, secret)
            _ask(plainly)
            bare = _BareCommits(path, Path(folder) / "bare.db", orjson.dumps(plain))
            calls = _times(lambda: _ask(plainly))
            rounds = in_turns(_times(bare.write), _without_masking(calls), calls, rounds=_ROUNDS)
            masking = _masking_ms(lambda: _ask(plainly)), _masking_ms(lambda: _ask(secretly))
    report(
        Figure(name="two bare durable commits of the same bytes", value=_a_call(bare for bare, *_ in rounds), unit="ms CPU"),
        Figure(name="recording a call, masking included", value=_a_call(all_in for *_, all_in in rounds), unit="ms CPU"),
        Figure(
            name="recording without masking over two bare commits",
            value=median(unmasked / bare for bare, unmasked, _ in rounds),
            unit="x",
            limit=2.8,
            goal=2.0,
        ),
        Figure(name="masking adds, where nothing is to mask", value=masking[0], unit="ms CPU", limit=1.0),
        Figure(name="masking adds, with a secret in each of 100 entries", value=masking[1], unit="ms CPU", limit=1.5, goal=1.0),
        description=__doc__ or "",
    )


def _a_call(times: Iterable[float]) -> float:
    return median(times) / _CALLS


def _times(call: Callable[[], object]) -> Callable[[], None]:
    def work() -> None:
        for _ in range(_CALLS):
            call()

    return work


def _ask(recorder: EvidenceRecorder) -> None:
    recorder.ask("query_logs", {"service": "checkout"})


def _without_masking(work: Callable[[], None]) -> Callable[[], None]:
    def unmasked() -> None:
        with mock.patch.object(outcome, "masked_json", new=lambda value, raw: (value, raw)):
            work()

    return unmasked


def _masking_ms(call: Callable[[], object]) -> float:
    """Return what masking an output takes in its place between two commits, where it meets cold caches."""
    times: list[float] = []
    mask = outcome.masked_json

    def timed(value: Any, raw: bytes) -> tuple[Any, bytes]:
        masked: list[tuple[Any, bytes]] = []
        times.append(cpu_ms(lambda: masked.append(mask(value, raw))))
        return masked[0]

    with mock.patch.object(outcome, "masked_json", new=timed):
        for _ in range(_ROUNDS * _CALLS // 2):
            call()
    return median(times)


def _output(more: str) -> dict[str, Any]:
    random = Random(1)
    logs = [
        {
            "timestamp": (WINDOW.start + timedelta(seconds=n)).isoformat().replace("+00:00", "Z"),
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
        "scope": {"window": WINDOW.to_json(), "filter": {"limit": 100}, "labels": {"service": "checkout"}},
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
    session = running_session()
    store.open_session(session)
    return EvidenceRecorder(
        session,
        tools={"query_logs": ScriptedTool("query_logs", output)},
        writer=store,
        reader=store,
        outputs=store,
        catalog=ConfiguredSources(logs=(), metrics=(), knowledge=()),
        clock=SystemClock(),
        owner=session.owner,
        progress=_Silent(),
        call_timeout_s=30,
    )


if __name__ == "__main__":
    main()
