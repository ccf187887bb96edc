"""The commands on PostgreSQL: the same session, rows and decision as on SQLite."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.integration.postgres import PostgresServer


def _run(url: str, cwd: Path, *words: str) -> dict[str, Any]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", *words, "--db", url, "--json"],
        cwd=cwd,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_demo_is_recorded_audited_and_replayed_on_postgres(postgres: PostgresServer, tmp_path: Path) -> None:
    database = postgres.create_database()
    url = postgres.url(database)
    answer = _run(url, tmp_path, "demo")
    assert answer["decision"] == "PASS"
    assert _run(url, tmp_path, "show", "last")["final_output"] == answer["final_output"]
    assert _run(url, tmp_path, "audit", "last")["ok"] is True
    assert _run(url, tmp_path, "replay", "last")["same"] is True
    rows = postgres.execute(
        "SELECT tool_name, status, success, retrieval_details->'evidence_refs'->0->>'raw_path' FROM tool_invocation", database
    )
    assert len(rows) == answer["tool_call_count"]
    assert {row for row in rows if row[0] == "query_metrics"} == {("query_metrics", "evidence", True, "$.alerts[0]")}
