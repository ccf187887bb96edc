"""The two writes of every call, and the row's place in the chain."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from groundwire.domain.chain import GENESIS, settle_json
from groundwire.domain.completion import completed_row, interruption
from groundwire.domain.errors import StoreError
from groundwire.domain.invocation import InvocationCompletion, InvocationStart, ToolInvocation
from groundwire.domain.names import InvocationStatus
from groundwire.store.canonical import FastHash, is_spelled_alike, sorted_json
from groundwire.store.database import Cursor, Database
from groundwire.store.outputs import packed
from groundwire.store.rows import completion_values, running_values, start_of
from groundwire.store.statements import Statements

_REMEMBERED: Final = 1000


class InvocationWriter:
    """Writes ``tool_invocation`` and ``tool_output``."""

    def __init__(self, database: Database, statements: Statements) -> None:
        self._database = database
        self._sql = statements
        self._begun: dict[str, tuple[InvocationStart, int]] = {}
        """What this process began itself and need not read back; a row that is no longer running is refused all the same."""

    def begin(self, start: InvocationStart) -> int:
        """Write the running row; return its ``seq``, taken in the same transaction."""
        if not is_spelled_alike(start.input_params):
            start = replace(start, input_params=settle_json(start.input_params))
        with self._database.driver_writing() as cursor:
            self._hold_session(cursor, start.session_id)
            cursor.execute(self._sql.last_seq, {"session_id": start.session_id})
            seq = int(cursor.fetchone()[0] or 0) + 1
            cursor.execute(self._sql.insert_running, running_values(start, seq, self._database.engine.dialect))
        if len(self._begun) >= _REMEMBERED:
            self._begun.clear()
        self._begun[start.id] = (start, seq)
        return seq

    def complete(self, completion: InvocationCompletion) -> ToolInvocation:
        """Complete the running row, with its output and hash."""
        output = None if completion.output is None else packed(completion.id, completion.output)
        begun = self._begun.pop(completion.id, None)
        with self._database.driver_writing() as cursor:
            self._hold_session(cursor, completion.session_id)
            if begun is None:
                begun = self._read_begun(cursor, completion.id, completion.session_id)[:2]
            row = self._seal(cursor, *begun, completion)
            if output is not None:
                cursor.execute(self._sql.insert_output, output)
        return row

    def interrupt(self, cursor: Cursor, invocation_id: str, session_id: str, message: str, at: datetime) -> None:
        """Complete a row whose process died, in the caller's transaction; one that is no longer running stays as it is."""
        start, seq, status = self._read_begun(cursor, invocation_id, session_id)
        if status == InvocationStatus.RUNNING:
            self._seal(cursor, start, seq, interruption(start, message, at))

    def _hold_session(self, cursor: Cursor, session_id: str) -> None:
        """Make other writers of the session wait, where the transaction alone does not."""
        if self._database.writes_alone:
            return
        cursor.execute(self._sql.hold_session, {"session_id": session_id})
        if cursor.fetchone() is None:
            raise StoreError(f"There is no session {session_id} in {self._database.name}.")

    def _read_begun(self, cursor: Cursor, invocation_id: str, session_id: str) -> tuple[InvocationStart, int, str]:
        cursor.execute(self._sql.select_begun, {"id": invocation_id, "session_id": session_id})
        record = cursor.fetchone()
        if record is None:
            raise StoreError(f"There is no call {invocation_id} in session {session_id}.")
        return start_of(record)

    def _seal(self, cursor: Cursor, start: InvocationStart, seq: int, completion: InvocationCompletion) -> ToolInvocation:
        cursor.execute(self._sql.last_completed, {"session_id": start.session_id})
        last_seq, last_hash = cursor.fetchone() or (0, GENESIS)
        details = sorted_json(completion.retrieval_details)
        row = completed_row(
            start, seq, completion, completion_seq=last_seq + 1, previous_hash=last_hash, take_hash=FastHash(details)
        )
        cursor.execute(self._sql.complete, completion_values(row, details))
        if cursor.rowcount != 1:
            status = self._read_begun(cursor, start.id, start.session_id)[2]
            raise StoreError(
                f"Call i{seq} of session {start.session_id} is already completed as {status}; its result is dropped."
            )
        return row
