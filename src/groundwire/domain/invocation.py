"""One tool call as it is recorded: the row before the call, what completed it, and what the caller gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from groundwire.domain.evidence import EvidenceRef
from groundwire.domain.names import ErrorType, InvocationStatus, OutputState
from groundwire.domain.session import Owner

INTERRUPTED_MESSAGE: Final = "interrupted: the process that made this call ended before it was completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationStart:
    """What is known before a call; ``seq`` is given by the store."""

    id: str
    session_id: str
    tool_name: str
    input_params: Mapping[str, Any]
    started_at: datetime
    owner: Owner
    agent_step_id: str | None = None
    tool_call_id: str | None = None
    trace_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationCompletion:
    """What is known after a call; the store adds ``completion_seq``, ``previous_hash`` and ``row_hash``.

    ``output`` is the whole masked JSON object as bytes, or None for output_state ``none``.
    """

    id: str
    session_id: str
    backend: str | None
    duration_ms: float
    status: InvocationStatus
    error_type: ErrorType | None
    error_message: str | None
    output_state: OutputState
    output: bytes | None
    output_preview: str | None
    output_truncated: bool
    output_sha256: str | None
    returned_count: int
    total_count: int | None
    partial: bool
    partial_reasons: tuple[str, ...]
    scope: Mapping[str, Any]
    retrieval_layer: str | None
    l0_count: int | None
    l1_count: int | None
    relevance_level: str | None
    dedup_reason: str | None
    dedup_of: str | None
    retrieval_details: Mapping[str, Any]

    @property
    def success(self) -> bool:
        return self.status is not InvocationStatus.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInvocation:
    """The persisted row. ``seq`` counts calls from 1 within the session; ``completion_seq`` counts completions."""

    id: str
    session_id: str
    seq: int
    agent_step_id: str | None
    tool_call_id: str | None
    trace_id: str | None
    tool_name: str
    backend: str | None
    input_params: Mapping[str, Any]
    started_at: datetime
    duration_ms: float | None
    status: InvocationStatus
    success: bool | None
    error_type: ErrorType | None
    error_message: str | None
    output_state: OutputState | None
    output_preview: str | None
    output_truncated: bool | None
    output_bytes: int | None
    output_sha256: str | None
    returned_count: int | None
    total_count: int | None
    partial: bool | None
    partial_reasons: tuple[str, ...]
    scope: Mapping[str, Any] | None
    retrieval_layer: str | None
    l0_count: int | None
    l1_count: int | None
    relevance_level: str | None
    dedup_reason: str | None
    dedup_of: str | None
    retrieval_details: Mapping[str, Any] | None
    owner: Owner
    completion_seq: int | None
    previous_hash: str | None
    row_hash: str | None

    @property
    def ref_id(self) -> str:
        """The short name of the whole call, such as ``i3``."""
        return f"i{self.seq}"

    @property
    def evidence_refs(self) -> tuple[EvidenceRef, ...]:
        details = self.retrieval_details or {}
        return tuple(EvidenceRef.from_json(item) for item in details.get("evidence_refs", ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """What an investigator gets for a call: the completed row and the tool's own JSON object, masked."""

    invocation: ToolInvocation
    output: Mapping[str, Any]

    @property
    def refs(self) -> tuple[EvidenceRef, ...]:
        return self.invocation.evidence_refs


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierCall:
    """A completed call of the session, as a tool sees it that must not give the same answer twice."""

    id: str
    seq: int
    input_params: Mapping[str, Any]
    status: InvocationStatus
    dedup_of: str | None
    output: Mapping[str, Any] | None
