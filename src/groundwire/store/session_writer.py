"""Writes sessions, steps and evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Table, func, insert, select, update

from groundwire.domain.errors import StoreError
from groundwire.domain.names import SessionStatus, StepKind
from groundwire.domain.session import AgentStep, DiagnosisSession, SessionOutcome
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.store.database import Database
from groundwire.store.invocation_writer import InvocationWriter
from groundwire.store.session_rows import evaluation_values, session_of, session_values, step_values
from groundwire.store.tables import agent_step, diagnosis_session, tool_invocation, verifier_evaluation


class SessionRowWriter:
    """Writes ``diagnosis_session``, ``agent_step`` and ``verifier_evaluation``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, session: DiagnosisSession) -> None:
        """Write a session."""
        with self._database.writing() as connection:
            connection.execute(insert(diagnosis_session), session_values(session))

    def complete(self, session_id: str, outcome: SessionOutcome) -> DiagnosisSession:
        """Complete a running session."""
        with self._database.writing() as connection:
            found = self._held(connection, session_id)
            if found.status != SessionStatus.RUNNING:
                raise StoreError(f"Session {session_id} is already {found.status}.")
            _complete(connection, session_id, outcome)
            return session_of(self._held(connection, session_id))

    def recount(self, session_id: str) -> None:
        """Derive both counts again."""
        with self._database.writing() as connection:
            self._held(connection, session_id)
            _update(connection, session_id, _counts(connection, session_id))

    def add_step(self, step: AgentStep) -> AgentStep:
        """Write a step, with the next ``seq`` where it has none."""
        with self._database.writing() as connection:
            self._held(connection, step.session_id)
            if step.seq == 0:
                step = replace(step, seq=_next(connection, agent_step, "seq", step.session_id))
            connection.execute(insert(agent_step), step_values(step))
        return step

    def add_evaluation(self, evaluation: VerifierEvaluation) -> VerifierEvaluation:
        """Write an evaluation, as the next attempt."""
        with self._database.writing() as connection:
            self._held(connection, evaluation.session_id)
            attempt = _next(connection, verifier_evaluation, "attempt", evaluation.session_id)
            evaluation = replace(evaluation, attempt=attempt)
            connection.execute(insert(verifier_evaluation), evaluation_values(evaluation))
        return evaluation

    def interrupt(
        self, invocations: InvocationWriter, invocation_ids: Iterable[str], session_ids: Iterable[str], message: str, at: datetime
    ) -> None:
        """Complete what dead processes left running, all of it or nothing."""
        running = set(session_ids)
        with self._database.writing() as connection:
            rows = _order_of_seq(connection, set(invocation_ids))
            # Sorted, so that two processes that mark the same rows cannot wait for each other.
            for session_id in sorted({row.session_id for row in rows} | running):
                found = self._held(connection, session_id)
                cursor = connection.connection.cursor()
                for row in rows:
                    if row.session_id == session_id:
                        invocations.interrupt(cursor, row.id, session_id, message, at)
                if session_id in running and found.status == SessionStatus.RUNNING:
                    _complete(connection, session_id, SessionOutcome(status=SessionStatus.FAILED, completed_at=at))

    def _held(self, connection: Connection, session_id: str) -> Row[Any]:
        """Return the session's row; on PostgreSQL other writers of it wait from here on."""
        statement = select(diagnosis_session).where(diagnosis_session.c.id == session_id).with_for_update(key_share=True)
        row = connection.execute(statement).one_or_none()
        if row is None:
            raise StoreError(f"There is no session {session_id} in {self._database.name}.")
        return row


def _complete(connection: Connection, session_id: str, outcome: SessionOutcome) -> None:
    values = {
        "status": outcome.status.value,
        "completed_at": outcome.completed_at,
        "decision": outcome.decision and outcome.decision.value,
        "degraded_reason": outcome.degraded_reason and outcome.degraded_reason.value,
        "final_output": outcome.final_output,
        "draft_answer": outcome.draft_answer,
    }
    _update(connection, session_id, {**values, **_counts(connection, session_id)})


def _update(connection: Connection, session_id: str, values: Mapping[str, Any]) -> None:
    connection.execute(update(diagnosis_session).where(diagnosis_session.c.id == session_id).values(values))


def _counts(connection: Connection, session_id: str) -> dict[str, int]:
    steps = (
        select(func.count())
        .select_from(agent_step)
        .where(agent_step.c.session_id == session_id, agent_step.c.kind == StepKind.MODEL.value)
    )
    calls = select(func.count()).select_from(tool_invocation).where(tool_invocation.c.session_id == session_id)
    return {"step_count": connection.scalar(steps) or 0, "tool_call_count": connection.scalar(calls) or 0}


def _next(connection: Connection, table: Table, column: str, session_id: str) -> int:
    last = connection.scalar(select(func.max(table.c[column])).where(table.c.session_id == session_id))
    return int(last or 0) + 1


def _order_of_seq(connection: Connection, ids: set[str]) -> list[Row[Any]]:
    table = tool_invocation.c
    statement = select(table.id, table.session_id).where(table.id.in_(sorted(ids))).order_by(table.session_id, table.seq)
    return list(connection.execute(statement))
