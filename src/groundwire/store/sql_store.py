"""The store of rows and outputs, on SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.domain.invocation import InvocationCompletion, InvocationStart, ToolInvocation
from groundwire.domain.session import AgentStep, DiagnosisSession, SessionOutcome
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.ports import InvocationDigest
from groundwire.store.database import Database
from groundwire.store.invocation_writer import InvocationWriter
from groundwire.store.location import SqliteFile, parse_location
from groundwire.store.reading import RowReader
from groundwire.store.schema import make_current
from groundwire.store.session_writer import SessionRowWriter
from groundwire.store.statements import Statements


class SqlStore:
    """`TraceWriter`, `SessionWriter`, `TraceReader` and `OutputStore` over one database; safe for many threads.

    ``name`` is what messages call the database; it holds no password.
    """

    def __init__(self, database: Database) -> None:
        statements = Statements(database.engine.dialect)
        self.name = database.name
        self._database = database
        self._calls = InvocationWriter(database, statements)
        self._sessions = SessionRowWriter(database)
        self._rows = RowReader(database, statements)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; the store cannot be used after this."""
        self._database.close()

    def begin_invocation(self, start: InvocationStart) -> int:
        return self._calls.begin(start)

    def complete_invocation(self, completion: InvocationCompletion) -> ToolInvocation:
        return self._calls.complete(completion)

    def add_step(self, step: AgentStep) -> AgentStep:
        return self._sessions.add_step(step)

    def add_evaluation(self, evaluation: VerifierEvaluation) -> VerifierEvaluation:
        return self._sessions.add_evaluation(evaluation)

    def open_session(self, session: DiagnosisSession) -> None:
        self._sessions.open(session)

    def complete_session(self, session_id: str, outcome: SessionOutcome) -> DiagnosisSession:
        return self._sessions.complete(session_id, outcome)

    def recount(self, session_id: str) -> None:
        self._sessions.recount(session_id)

    def interrupt(self, invocation_ids: Iterable[str], session_ids: Iterable[str], message: str, at: datetime) -> None:
        self._sessions.interrupt(self._calls, invocation_ids, session_ids, message, at)

    def find_session(self, id_or_part: str) -> DiagnosisSession:
        return self._rows.find_session(id_or_part)

    def sessions(self, *, limit: int | None = None, running_only: bool = False) -> tuple[DiagnosisSession, ...]:
        return self._rows.sessions(limit=limit, running_only=running_only)

    def invocations(self, session_id: str) -> tuple[ToolInvocation, ...]:
        return self._rows.invocations(session_id)

    def digests(self, session_id: str) -> tuple[InvocationDigest, ...]:
        return self._rows.digests(session_id)

    def steps(self, session_id: str) -> tuple[AgentStep, ...]:
        return self._rows.steps(session_id)

    def evaluations(self, session_id: str) -> tuple[VerifierEvaluation, ...]:
        return self._rows.evaluations(session_id)

    def load_output(self, invocation_id: str) -> bytes | None:
        return self._rows.output(invocation_id)


def open_store(url_or_path: str | Path, *, read_only: bool = False, busy_timeout_s: float = 10.0) -> SqlStore:
    """Return the store at a SQLite path or ``sqlite:///`` URL, or at a ``postgresql://`` URL.

    Opened for writing, a store is created or migrated when it is not current; ``read_only`` never writes. A lock that
    another process holds is waited for up to ``busy_timeout_s`` seconds.

    Raises:
        UsageError: The name is neither a path nor such a URL.
        StoreError: It cannot be opened; the kind says why.
    """
    database = _open_database(url_or_path, read_only=read_only, wait_s=busy_timeout_s)
    try:
        make_current(database)
    except BaseException:
        database.close()
        raise
    return SqlStore(database)


def _open_database(url_or_path: str | Path, *, read_only: bool, wait_s: float) -> Database:
    location = parse_location(url_or_path)
    if isinstance(location, SqliteFile):
        from groundwire.store.sqlite_database import SqliteDatabase

        return SqliteDatabase(location, read_only=read_only, wait_s=wait_s)
    from groundwire.store.postgres_database import PostgresDatabase

    return PostgresDatabase(location, read_only=read_only, wait_s=wait_s)
