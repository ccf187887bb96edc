"""Which revision of the tables a database has, and what follows from it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

from groundwire import __version__
from groundwire.domain.errors import StoreUnavailableError, StoreVersionError
from groundwire.store.database import Database
from groundwire.store.faults import sentence

REVISIONS: Final = ("0001", "0002", "0003")
"""Every revision this version knows, oldest first; written out here so that Alembic is imported only to migrate."""

HEAD: Final = REVISIONS[-1]
VERSION_TABLE: Final = "groundwire_revision"
"""Not Alembic's usual name: on PostgreSQL another program's tables may stand in the same schema."""


def make_current(database: Database) -> None:
    """Bring the tables of ``database`` to :data:`HEAD`; one that is only read must have them already.

    Raises:
        StoreVersionError: A newer Groundwire made them.
        StoreUnavailableError: Only reading, and there are none yet, or older ones.
    """
    found = revision_of(database)
    _refuse_newer(database, found)
    if database.read_only:
        _refuse_older(database, found)
        return
    database.prepare_writing()
    if found == HEAD:
        return
    from groundwire.store.migrate import upgrade

    with database.migrating() as connection:
        upgrade(connection)
    _refuse_newer(database, revision_of(database))


def revision_of(database: Database) -> str | None:
    """Return the revision that a database has, or None where it has no tables of ours."""
    if not database.holds(VERSION_TABLE):
        return None
    with database.reading() as connection:
        found = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608 - a constant
    return None if found is None else str(found)


def _refuse_newer(database: Database, found: str | None) -> None:
    if found is not None and found not in REVISIONS:
        raise StoreVersionError(
            sentence(f"{database.name} has schema {found}, newer than the {HEAD} that Groundwire {__version__} knows"),
            hint="Upgrade Groundwire, or use another database with --db.",
        )


def _refuse_older(database: Database, found: str | None) -> None:
    if found is None:
        raise StoreUnavailableError(
            sentence(f"{database.name} holds no sessions yet"), hint="`groundwire diagnose` or `groundwire demo` records one."
        )
    if found != HEAD:
        raise StoreUnavailableError(
            sentence(f"{database.name} has the older schema {found}, and reading needs {HEAD}"),
            hint="Any command that records, such as `groundwire diagnose`, brings it up to date.",
        )
