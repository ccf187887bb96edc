"""Migrations up and down, on a connection that is already in a transaction. Imports Alembic: import it only to migrate."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

FOLDER: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run every migration up to ``revision`` that the database does not have."""
    command.upgrade(_config(connection), revision)


def downgrade(connection: Connection, revision: str) -> None:
    """Undo every migration after ``revision``; ``base`` undoes all of them."""
    command.downgrade(_config(connection), revision)


def script_revisions() -> tuple[str, ...]:
    """Return the revisions that the scripts are, oldest first."""
    scripts = ScriptDirectory.from_config(_config(None)).walk_revisions()
    return tuple(script.revision for script in scripts)[::-1]


def _config(connection: Connection | None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
