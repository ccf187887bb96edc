"""Runs revisions on the connection it is given, inside the transaction that this connection is in."""

from __future__ import annotations

from alembic import context

from groundwire.store.schema import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()
