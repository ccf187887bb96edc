"""Sessions, steps, invocations with their outputs, evaluations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None
branch_labels = None
depends_on = None

_JSON = sa.JSON().with_variant(sa.Text(), "sqlite")
_INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    """Create the five tables."""
    _create_diagnosis_session()
    _create_agent_step()
    _create_tool_invocation()
    _create_tool_output()
    _create_verifier_evaluation()


def downgrade() -> None:
    """Drop them, and with them every row."""
    for table in ("verifier_evaluation", "tool_output", "tool_invocation", "agent_step", "diagnosis_session"):
        op.drop_table(table)


def _of_session(table: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("session_id", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["diagnosis_session.id"], name=f"fk_{table}_session_id"),
    )


def _create_diagnosis_session() -> None:
    op.create_table(
        "diagnosis_session",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("question_kind", sa.Text, nullable=False),
        sa.Column("subjects", _JSON, nullable=False),
        sa.Column("window_start", _INSTANT, nullable=False),
        sa.Column("window_end", _INSTANT, nullable=False),
        sa.Column("window_source", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("decision", sa.Text),
        sa.Column("degraded_reason", sa.Text),
        sa.Column("final_output", sa.Text),
        sa.Column("draft_answer", sa.Text),
        sa.Column("step_count", sa.Integer, nullable=False),
        sa.Column("tool_call_count", sa.Integer, nullable=False),
        sa.Column("investigator", sa.Text, nullable=False),
        sa.Column("model", sa.Text),
        sa.Column("owner", _JSON, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("completed_at", _INSTANT),
        sa.Column("schema_version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_diagnosis_session"),
    )


def _create_agent_step() -> None:
    op.create_table(
        "agent_step",
        sa.Column("id", sa.Text, nullable=False),
        *_of_session("agent_step"),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("model", sa.Text),
        sa.Column("provider_name", sa.Text),
        sa.Column("response_id", sa.Text),
        sa.Column("request_summary", sa.Text, nullable=False),
        sa.Column("response_text", sa.Text),
        sa.Column("input_tokens", sa.Integer),
        sa.Column("output_tokens", sa.Integer),
        sa.Column("duration_ms", sa.Double),
        sa.Column("finish_reason", sa.Text),
        sa.Column("error_message", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_agent_step"),
        sa.UniqueConstraint("session_id", "seq", name="uq_agent_step_session_id_seq"),
    )


def _create_tool_invocation() -> None:
    op.create_table(
        "tool_invocation",
        sa.Column("id", sa.Text, nullable=False),
        *_of_session("tool_invocation"),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("agent_step_id", sa.Text),
        sa.Column("tool_call_id", sa.Text),
        sa.Column("trace_id", sa.Text),
        sa.Column("tool_name", sa.Text, nullable=False),
        sa.Column("backend", sa.Text),
        sa.Column("input_params", _JSON, nullable=False),
        sa.Column("started_at", _INSTANT, nullable=False),
        sa.Column("duration_ms", sa.Double),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("success", sa.Boolean),
        sa.Column("error_type", sa.Text),
        sa.Column("error_message", sa.Text),
        sa.Column("output_state", sa.Text),
        sa.Column("output_truncated", sa.Boolean),
        sa.Column("output_bytes", sa.BigInteger),
        sa.Column("output_sha256", sa.Text),
        sa.Column("returned_count", sa.BigInteger),
        sa.Column("total_count", sa.BigInteger),
        sa.Column("partial", sa.Boolean),
        sa.Column("partial_reasons", _JSON),
        sa.Column("scope", _JSON),
        sa.Column("retrieval_layer", sa.Text),
        sa.Column("l0_count", sa.Integer),
        sa.Column("l1_count", sa.Integer),
        sa.Column("relevance_level", sa.Text),
        sa.Column("dedup_reason", sa.Text),
        sa.Column("dedup_of", sa.Text),
        sa.Column("owner", _JSON, nullable=False),
        sa.Column("completion_seq", sa.Integer),
        sa.Column("previous_hash", sa.Text),
        sa.Column("row_hash", sa.Text),
        sa.Column("retrieval_details", _JSON),
        sa.Column("output_preview", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_tool_invocation"),
        sa.UniqueConstraint("session_id", "seq", name="uq_tool_invocation_session_id_seq"),
        sa.UniqueConstraint("session_id", "completion_seq", name="uq_tool_invocation_session_id_completion_seq"),
    )


def _create_tool_output() -> None:
    op.create_table(
        "tool_output",
        sa.Column("invocation_id", sa.Text, nullable=False),
        sa.Column("encoding", sa.Text, nullable=False),
        sa.Column("original_length", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("invocation_id", name="pk_tool_output"),
        sa.ForeignKeyConstraint(["invocation_id"], ["tool_invocation.id"], name="fk_tool_output_invocation_id"),
    )


def _create_verifier_evaluation() -> None:
    op.create_table(
        "verifier_evaluation",
        sa.Column("id", sa.Text, nullable=False),
        *_of_session("verifier_evaluation"),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("decision", sa.Text, nullable=False),
        sa.Column("degraded_reason", sa.Text),
        sa.Column("verifier_output", sa.Text),
        sa.Column("claim_verdicts", _JSON, nullable=False),
        sa.Column("grounding", _JSON, nullable=False),
        sa.Column("rules_version", sa.Text, nullable=False),
        sa.Column("duration_ms", sa.Double, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_verifier_evaluation"),
        sa.UniqueConstraint("session_id", "attempt", name="uq_verifier_evaluation_session_id_attempt"),
    )
