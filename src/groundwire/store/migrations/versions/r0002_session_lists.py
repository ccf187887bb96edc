"""Indexes that sessions are listed by: newest first, and those still running."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"
branch_labels = None
depends_on = None

_RUNNING = sa.text("status = 'running'")


def upgrade() -> None:
    """Create both indexes."""
    with op.batch_alter_table("diagnosis_session") as table:
        table.create_index("ix_diagnosis_session_created_at", ["created_at"])
        table.create_index("ix_diagnosis_session_running", ["created_at"], sqlite_where=_RUNNING, postgresql_where=_RUNNING)


def downgrade() -> None:
    """Drop both indexes; no row is touched."""
    with op.batch_alter_table("diagnosis_session") as table:
        table.drop_index("ix_diagnosis_session_running")
        table.drop_index("ix_diagnosis_session_created_at")
