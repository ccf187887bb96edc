"""Reads a database of sessions as a stranger would: sqlite3, json, hashlib and two decompressors, and nothing of Groundwire."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import zstandard

Row = dict[str, Any]

_JSON_COLUMNS = (
    "input_params",
    "partial_reasons",
    "scope",
    "owner",
    "retrieval_details",
    "subjects",
    "claim_verdicts",
    "grounding",
)
_FLAGS = ("success", "output_truncated", "partial")
_GENESIS = "0" * 64
_READERS: Mapping[str, Callable[[bytes], bytes]] = {"zstd": zstandard.decompress, "zlib": zlib.decompress}


class Database:
    """One SQLite file; every method opens it anew."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """Return the rows of a query; JSON columns and flags are left as SQLite gives them."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]

    def value(self, sql: str, *values: Any) -> Any:
        (row,) = self.rows(sql, *values)
        (value,) = row.values()
        return value

    def change(self, sql: str, *values: Any) -> None:
        """Write something: a test that tampers."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute(sql, values)
            connection.commit()

    def calls(self, session_id: str) -> list[Row]:
        """Return the tool_invocation rows of a session by seq, read."""
        return [read(row) for row in self.rows("SELECT * FROM tool_invocation WHERE session_id = ? ORDER BY seq", session_id)]

    def session(self, session_id: str) -> Row:
        (row,) = self.rows("SELECT * FROM diagnosis_session WHERE id = ?", session_id)
        return read(row)

    def evaluations(self, session_id: str) -> list[Row]:
        found = self.rows("SELECT * FROM verifier_evaluation WHERE session_id = ? ORDER BY attempt", session_id)
        return [read(row) for row in found]

    def steps(self, session_id: str) -> list[Row]:
        return self.rows("SELECT * FROM agent_step WHERE session_id = ? ORDER BY seq", session_id)

    def raw_output(self, invocation_id: str) -> bytes | None:
        """Return the exact bytes of a stored output, or None where there is none."""
        found = self.rows("SELECT * FROM tool_output WHERE invocation_id = ?", invocation_id)
        if not found:
            return None
        (row,) = found
        raw = _READERS[row["encoding"]](row["content"])
        assert len(raw) == row["original_length"]
        return raw

    def output(self, invocation_id: str) -> Any:
        raw = self.raw_output(invocation_id)
        return None if raw is None else json.loads(raw)

    def everything(self) -> bytes:
        """Return every byte that is kept: the file, its log, and all outputs, decompressed."""
        ids = [row["invocation_id"] for row in self.rows("SELECT invocation_id FROM tool_output")]
        outputs = [self.raw_output(each) or b"" for each in ids]
        files = [path.read_bytes() for path in sorted(self.path.parent.glob(self.path.name + "*"))]
        return b"\n".join([*files, *outputs])


def read(row: Row) -> Row:
    """Return a row with its JSON columns and flags read."""
    shown = dict(row)
    for name in _JSON_COLUMNS:
        if isinstance(shown.get(name), str):
            shown[name] = json.loads(shown[name])
    for name in _FLAGS:
        if shown.get(name) is not None:
            shown[name] = bool(shown[name])
    return shown


def chain_faults(calls: Sequence[Row]) -> list[str]:
    """Return what is wrong with the chain of a session's rows, computed with json and hashlib alone."""
    faults = []
    previous = _GENESIS
    completed = sorted((call for call in calls if call["completion_seq"] is not None), key=lambda call: call["completion_seq"])
    for number, call in enumerate(completed, start=1):
        columns = {name: value for name, value in call.items() if name not in ("previous_hash", "row_hash")}
        canonical = json.dumps(columns, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if call["completion_seq"] != number or call["previous_hash"] != previous:
            faults.append(f"{call['id']} does not follow")
        if call["row_hash"] != hashlib.sha256((call["previous_hash"] + canonical).encode()).hexdigest():
            faults.append(f"{call['id']} is not what was hashed")
        previous = call["row_hash"]
    return faults


def at_path(output: Any, raw_path: str) -> Any:
    """Return what stands at a raw path such as ``$.logs[3]``."""
    key, _, index = raw_path.removeprefix("$.").removesuffix("]").partition("[")
    return output[key][int(index)]
