"""What a model request cost, by the price that held then."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of steps that are there the cost is unknown."""
    with op.batch_alter_table("agent_step") as table:
        table.add_column(sa.Column("cost", sa.Double()))


def downgrade() -> None:
    """Drop the column with what it holds."""
    with op.batch_alter_table("agent_step") as table:
        table.drop_column("cost")
