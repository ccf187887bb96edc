"""Reads rows back; writes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import select

from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import InvocationStatus, SessionStatus
from groundwire.domain.session import AgentStep, DiagnosisSession
from groundwire.domain.session_names import choose_session
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.ports import InvocationDigest
from groundwire.store.database import Database
from groundwire.store.outputs import unpacked
from groundwire.store.rows import digest_of, invocation_of
from groundwire.store.session_rows import evaluation_of, session_of, step_of
from groundwire.store.statements import Statements
from groundwire.store.tables import agent_step, diagnosis_session, tool_invocation, tool_output, verifier_evaluation

_IDS_A_QUERY: Final = 500
_NEWEST_FIRST: Final = (diagnosis_session.c.created_at.desc(), diagnosis_session.c.id.desc())


class RowReader:
    """Reads every table."""

    def __init__(self, database: Database, statements: Statements) -> None:
        self._database = database
        self._sql = statements

    def find_session(self, id_or_part: str) -> DiagnosisSession:
        """Return the one session that goes by a name."""
        by_id = select(diagnosis_session)
        with self._database.reading() as connection:
            row = None
            if id_or_part.isascii() and id_or_part.isprintable():  # no driver takes a NUL or half a character
                row = connection.execute(by_id.where(diagnosis_session.c.id == id_or_part)).one_or_none()
            if row is None:
                ids = connection.execute(select(diagnosis_session.c.id).order_by(*_NEWEST_FIRST)).scalars().all()
                chosen = choose_session(id_or_part, ids)
                row = connection.execute(by_id.where(diagnosis_session.c.id == chosen)).one()
        return session_of(row)

    def sessions(self, *, limit: int | None, running_only: bool) -> tuple[DiagnosisSession, ...]:
        """Return sessions, newest first."""
        statement = select(diagnosis_session).order_by(*_NEWEST_FIRST).limit(limit)
        if running_only:
            statement = statement.where(diagnosis_session.c.status == SessionStatus.RUNNING.value)
        with self._database.reading() as connection:
            return tuple(session_of(row) for row in connection.execute(statement))

    def invocations(self, session_id: str) -> tuple[ToolInvocation, ...]:
        """Return whole rows in the order of ``seq``."""
        with self._database.driver_reading() as cursor:
            cursor.execute(self._sql.select_rows, {"session_id": session_id})
            return tuple(map(invocation_of, cursor.fetchall()))

    def digests(self, session_id: str) -> tuple[InvocationDigest, ...]:
        """Return light rows in the order of ``seq``."""
        with self._database.driver_reading() as cursor:
            cursor.execute(self._sql.select_digests, {"session_id": session_id})
            digests = list(map(digest_of, cursor.fetchall()))
        bare = [row.id for row in digests if not row.evidence_refs and row.status != InvocationStatus.RUNNING]
        previews = self._previews(bare)
        return tuple(row._replace(output_preview=previews[row.id]) if row.id in previews else row for row in digests)

    def steps(self, session_id: str) -> tuple[AgentStep, ...]:
        """Return steps in the order of ``seq``."""
        statement = select(agent_step).where(agent_step.c.session_id == session_id).order_by(agent_step.c.seq)
        with self._database.reading() as connection:
            return tuple(step_of(row) for row in connection.execute(statement))

    def evaluations(self, session_id: str) -> tuple[VerifierEvaluation, ...]:
        """Return evaluations in the order of their attempts."""
        table = verifier_evaluation
        statement = select(table).where(table.c.session_id == session_id).order_by(table.c.attempt)
        with self._database.reading() as connection:
            return tuple(evaluation_of(row) for row in connection.execute(statement))

    def output(self, invocation_id: str) -> bytes | None:
        """Return a call's exact output."""
        with self._database.reading() as connection:
            row: Any = connection.execute(select(tool_output).where(tool_output.c.invocation_id == invocation_id)).one_or_none()
        return None if row is None else unpacked(invocation_id, row.encoding, row.original_length, row.content)

    def _previews(self, ids: list[str]) -> dict[str, str | None]:
        """Return the previews of these rows; those of all others, most of a session's bytes, stay on the disk."""
        table = tool_invocation.c
        previews: dict[str, str | None] = {}
        if not ids:
            return previews
        with self._database.reading() as connection:
            for some in _chunks(ids):
                statement = select(table.id, table.output_preview).where(table.id.in_(some), table.output_preview.is_not(None))
                previews.update({row.id: row.output_preview for row in connection.execute(statement)})
        return previews


def _chunks(ids: list[str]) -> Iterable[list[str]]:
    return (ids[at : at + _IDS_A_QUERY] for at in range(0, len(ids), _IDS_A_QUERY))
