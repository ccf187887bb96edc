"""The SQL of every call, compiled once for the driver: what is written before and after a call goes past SQLAlchemy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import ColumnElement, Dialect, Select, Table, bindparam, func, insert, literal_column, select, update
from sqlalchemy.sql import ClauseElement

from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import InvocationStatus
from groundwire.store.tables import diagnosis_session, tool_invocation, tool_output

ROW_COLUMNS: Final = tuple(field.name for field in fields(ToolInvocation))
"""The columns of a whole row, in the order that the statements select them."""

BEGIN_COLUMNS: Final = (
    "id",
    "session_id",
    "seq",
    "agent_step_id",
    "tool_call_id",
    "trace_id",
    "tool_name",
    "input_params",
    "started_at",
    "status",
    "owner",
)
COMPLETION_COLUMNS: Final = tuple(name for name in ROW_COLUMNS if name not in {*BEGIN_COLUMNS} - {"status"})
DIGEST_COLUMNS: Final = (
    "id",
    "seq",
    "tool_name",
    "status",
    "error_type",
    "error_message",
    "returned_count",
    "total_count",
    "partial",
    "partial_reasons",
    "scope",
    "retrieval_details",
)


class Statements:
    """SQL text with named parameters, in the words of one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        table = tool_invocation.c
        mine = table.session_id == bindparam("session_id")
        running: ColumnElement[bool] = table.status == literal_column(f"'{InvocationStatus.RUNNING.value}'")
        # On PostgreSQL this also makes the writers of one session wait for each other.
        self.hold_session = self._text(
            select(diagnosis_session.c.id)
            .where(diagnosis_session.c.id == bindparam("session_id"))
            .with_for_update(key_share=True)
        )
        self.last_seq = self._text(select(func.max(table.seq)).where(mine))
        self.insert_running = self._text(insert(tool_invocation), BEGIN_COLUMNS)
        self.select_begun = self._text(_columns(tool_invocation, BEGIN_COLUMNS).where(table.id == bindparam("id"), mine))
        last = select(func.max(table.completion_seq)).where(mine).scalar_subquery()
        self.last_completed = self._text(select(table.completion_seq, table.row_hash).where(mine, table.completion_seq == last))
        self.complete = self._text(update(tool_invocation).where(table.id == bindparam("row_id"), running), COMPLETION_COLUMNS)
        self.insert_output = self._text(insert(tool_output), tuple(tool_output.c.keys()))
        self.select_rows = self._text(_columns(tool_invocation, ROW_COLUMNS).where(mine).order_by(table.seq))
        self.select_digests = self._text(_columns(tool_invocation, DIGEST_COLUMNS).where(mine).order_by(table.seq))

    def _text(self, statement: ClauseElement, columns: Sequence[str] | None = None) -> str:
        return str(statement.compile(dialect=self._dialect, column_keys=None if columns is None else list(columns)))


def _columns(table: Table, names: Sequence[str]) -> Select[Any]:
    return select(*(table.c[name] for name in names))
