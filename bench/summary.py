"""Rows of 3 refs merged into the entries that a verifier reads, loading included: 10,000 in 0.5 s, growing linearly."""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measuring import Figure, cpu_ms, report
from bench.session import WINDOW, running_session
from groundwire.domain.names import new_id
from groundwire.domain.session import DiagnosisSession
from groundwire.evidence.summary import ToolTraceSummaryService
from groundwire.store.sql_store import SqlStore, open_store

_ROUNDS: Final = {1_000: 9, 10_000: 5, 100_000: 2}
_SERVICES: Final = ("checkout", "payment", "cart", "order", "gateway")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        spent = {rows: _summarizing_ms(Path(folder) / f"{rows}.db", rows) for rows in _ROUNDS}
    report(
        Figure(name="1,000 rows summarised", value=spent[1_000], unit="ms CPU"),
        Figure(name="10,000 rows summarised", value=spent[10_000], unit="ms CPU", limit=500),
        Figure(name="100,000 rows summarised", value=spent[100_000], unit="ms CPU"),
        Figure(name="100,000 rows over 10,000", value=spent[100_000] / spent[10_000], unit="x", limit=15),
        description=__doc__ or "",
    )


def _summarizing_ms(path: Path, rows: int) -> float:
    with open_store(path) as store:
        session = running_session()
        store.open_session(session)
        _fill(path, session, rows)
        return statistics.median(cpu_ms(lambda: _summarize(store, session, rows)) for _ in range(_ROUNDS[rows]))


def _summarize(store: SqlStore, session: DiagnosisSession, rows: int) -> None:
    entries = ToolTraceSummaryService(store).summarize(session.id, WINDOW)
    assert [entry.call_count for entry in entries] == [rows // len(_SERVICES)] * len(_SERVICES)
    assert sum(len(entry.refs) for entry in entries) == rows * 3


def _fill(path: Path, session: DiagnosisSession, rows: int) -> None:
    """Write completed rows past the store, in one transaction: recording them is measured elsewhere."""
    with closing(sqlite3.connect(path)) as connection:
        columns = ", ".join(_row(session, 1))
        values = ", ".join(f":{name}" for name in _row(session, 1))
        connection.executemany(f"INSERT INTO tool_invocation ({columns}) VALUES ({values})", _rows(session, rows))
        connection.commit()


def _rows(session: DiagnosisSession, rows: int) -> Iterator[dict[str, Any]]:
    return (_row(session, seq) for seq in range(1, rows + 1))


def _row(session: DiagnosisSession, seq: int) -> dict[str, Any]:
    service = _SERVICES[seq % len(_SERVICES)]
    refs = [
        {
            "ref_id": f"i{seq}.logs.{n}",
            "raw_path": f"$.logs[{n}]",
            "text": f"2026-11-12T09:{seq % 60:02d}:{n:02d}Z ERROR {service} {service}-7d9f-{n}: order {seq} failed: answered 503",
            "level": "direct" if seq % 3 else "indirect",
            "trust": "emitted",
        }
        for n in range(3)
    ]
    return {
        "id": new_id(),
        "session_id": session.id,
        "seq": seq,
        "tool_name": "query_logs",
        "backend": "files",
        "input_params": orjson.dumps({"service": service}).decode(),
        "started_at": "2026-11-12T10:00:00.000000Z",
        "duration_ms": 12.5,
        "status": "evidence",
        "success": 1,
        "output_state": "present",
        "output_truncated": 1,
        "output_bytes": 8000,
        "returned_count": 3,
        "total_count": 3,
        "partial": 0,
        "partial_reasons": "[]",
        "scope": orjson.dumps({"window": WINDOW.to_json(), "filter": {}, "labels": {"service": service}}).decode(),
        "owner": orjson.dumps(session.owner.to_json()).decode(),
        "completion_seq": seq,
        "retrieval_details": orjson.dumps({"evidence_refs": refs, "sources": []}).decode(),
        "output_preview": "{" + "x" * 1000,
    }


if __name__ == "__main__":
    main()
