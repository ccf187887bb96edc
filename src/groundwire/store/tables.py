"""The tables, by the names of the evidence contract."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from groundwire.store.column_types import InstantColumn, JsonColumn

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

diagnosis_session: Final = Table(
    "diagnosis_session",
    metadata,
    Column("id", Text, primary_key=True),
    Column("question", Text, nullable=False),
    Column("question_kind", Text, nullable=False),
    Column("subjects", JsonColumn, nullable=False),
    Column("window_start", InstantColumn, nullable=False),
    Column("window_end", InstantColumn, nullable=False),
    Column("window_source", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("decision", Text),
    Column("degraded_reason", Text),
    Column("final_output", Text),
    Column("draft_answer", Text),
    Column("step_count", Integer, nullable=False),
    Column("tool_call_count", Integer, nullable=False),
    Column("investigator", Text, nullable=False),
    Column("model", Text),
    Column("owner", JsonColumn, nullable=False),
    Column("created_at", InstantColumn, nullable=False),
    Column("completed_at", InstantColumn),
    Column("schema_version", Integer, nullable=False),
)
Index(None, diagnosis_session.c.created_at)
Index(
    "ix_diagnosis_session_running",
    diagnosis_session.c.created_at,
    sqlite_where=diagnosis_session.c.status == "running",
    postgresql_where=diagnosis_session.c.status == "running",
)

agent_step: Final = Table(
    "agent_step",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, ForeignKey("diagnosis_session.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("model", Text),
    Column("provider_name", Text),
    Column("response_id", Text),
    Column("request_summary", Text, nullable=False),
    Column("response_text", Text),
    Column("input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("duration_ms", Double),
    Column("finish_reason", Text),
    Column("error_message", Text),
    Column("cost", Double),
    UniqueConstraint("session_id", "seq"),
)

# The two large columns stand last: SQLite walks through all that stands before the column it is asked for.
tool_invocation: Final = Table(
    "tool_invocation",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, ForeignKey("diagnosis_session.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("agent_step_id", Text),
    Column("tool_call_id", Text),
    Column("trace_id", Text),
    Column("tool_name", Text, nullable=False),
    Column("backend", Text),
    Column("input_params", JsonColumn, nullable=False),
    Column("started_at", InstantColumn, nullable=False),
    Column("duration_ms", Double),
    Column("status", Text, nullable=False),
    Column("success", Boolean),
    Column("error_type", Text),
    Column("error_message", Text),
    Column("output_state", Text),
    Column("output_truncated", Boolean),
    Column("output_bytes", BigInteger),
    Column("output_sha256", Text),
    Column("returned_count", BigInteger),
    Column("total_count", BigInteger),
    Column("partial", Boolean),
    Column("partial_reasons", JsonColumn),
    Column("scope", JsonColumn),
    Column("retrieval_layer", Text),
    Column("l0_count", Integer),
    Column("l1_count", Integer),
    Column("relevance_level", Text),
    Column("dedup_reason", Text),
    Column("dedup_of", Text),
    Column("owner", JsonColumn, nullable=False),
    Column("completion_seq", Integer),
    Column("previous_hash", Text),
    Column("row_hash", Text),
    Column("retrieval_details", JsonColumn),
    Column("output_preview", Text),
    UniqueConstraint("session_id", "seq"),
    UniqueConstraint("session_id", "completion_seq"),
)

tool_output: Final = Table(
    "tool_output",
    metadata,
    Column("invocation_id", Text, ForeignKey("tool_invocation.id"), primary_key=True),
    Column("encoding", Text, nullable=False),
    Column("original_length", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

verifier_evaluation: Final = Table(
    "verifier_evaluation",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, ForeignKey("diagnosis_session.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("decision", Text, nullable=False),
    Column("degraded_reason", Text),
    Column("verifier_output", Text),
    Column("claim_verdicts", JsonColumn, nullable=False),
    Column("grounding", JsonColumn, nullable=False),
    Column("rules_version", Text, nullable=False),
    Column("duration_ms", Double, nullable=False),
    Column("created_at", InstantColumn, nullable=False),
    UniqueConstraint("session_id", "attempt"),
)
