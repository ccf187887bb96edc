"""How a row that is ``running`` becomes a completed one: the same in every store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from groundwire.domain.chain import invocation_columns, row_hash
from groundwire.domain.invocation import InvocationCompletion, InvocationStart, ToolInvocation
from groundwire.domain.names import ErrorType, InvocationStatus, OutputState


def running_row(start: InvocationStart, seq: int) -> ToolInvocation:
    """Return the row that is written before a call."""
    return ToolInvocation(
        id=start.id,
        session_id=start.session_id,
        seq=seq,
        agent_step_id=start.agent_step_id,
        tool_call_id=start.tool_call_id,
        trace_id=start.trace_id,
        tool_name=start.tool_name,
        backend=None,
        input_params=start.input_params,
        started_at=start.started_at,
        duration_ms=None,
        status=InvocationStatus.RUNNING,
        success=None,
        error_type=None,
        error_message=None,
        output_state=None,
        output_preview=None,
        output_truncated=None,
        output_bytes=None,
        output_sha256=None,
        returned_count=None,
        total_count=None,
        partial=None,
        partial_reasons=(),
        scope=None,
        retrieval_layer=None,
        l0_count=None,
        l1_count=None,
        relevance_level=None,
        dedup_reason=None,
        dedup_of=None,
        retrieval_details=None,
        owner=start.owner,
        completion_seq=None,
        previous_hash=None,
        row_hash=None,
    )


def completed_row(
    start: InvocationStart,
    seq: int,
    completion: InvocationCompletion,
    *,
    completion_seq: int,
    previous_hash: str,
    take_hash: Callable[[str, Mapping[str, Any]], str] = row_hash,
) -> ToolInvocation:
    """Return the row that a completion makes of a running one, with its place in the chain.

    ``take_hash`` may be a faster function that gives what :func:`groundwire.domain.chain.row_hash` gives.
    """
    row = ToolInvocation(
        id=start.id,
        session_id=start.session_id,
        seq=seq,
        agent_step_id=start.agent_step_id,
        tool_call_id=start.tool_call_id,
        trace_id=start.trace_id,
        tool_name=start.tool_name,
        backend=completion.backend,
        input_params=start.input_params,
        started_at=start.started_at,
        duration_ms=float(completion.duration_ms),  # an integer would come back from a database as 5.0 and hash otherwise
        status=completion.status,
        success=completion.success,
        error_type=completion.error_type,
        error_message=completion.error_message,
        output_state=completion.output_state,
        output_preview=completion.output_preview,
        output_truncated=completion.output_truncated,
        output_bytes=None if completion.output is None else len(completion.output),
        output_sha256=completion.output_sha256,
        returned_count=completion.returned_count,
        total_count=completion.total_count,
        partial=completion.partial,
        partial_reasons=completion.partial_reasons,
        scope=completion.scope,
        retrieval_layer=completion.retrieval_layer,
        l0_count=completion.l0_count,
        l1_count=completion.l1_count,
        relevance_level=completion.relevance_level,
        dedup_reason=completion.dedup_reason,
        dedup_of=completion.dedup_of,
        retrieval_details=completion.retrieval_details,
        owner=start.owner,
        completion_seq=completion_seq,
        previous_hash=previous_hash,
        row_hash=None,
    )
    # Nobody has seen the row yet; a copy with one more column would cost as much as the hash.
    object.__setattr__(row, "row_hash", take_hash(previous_hash, invocation_columns(row)))
    return row


def interruption(start: InvocationStart, message: str, at: datetime) -> InvocationCompletion:
    """Return what completes a row whose process died: nothing came back, and nobody knows what was there."""
    return InvocationCompletion(
        id=start.id,
        session_id=start.session_id,
        backend=None,
        duration_ms=max(0.0, (at - start.started_at) / timedelta(milliseconds=1)),
        status=InvocationStatus.FAILED,
        error_type=ErrorType.INTERRUPTED,
        error_message=message,
        output_state=OutputState.NONE,
        output=None,
        output_preview=None,
        output_truncated=False,
        output_sha256=None,
        returned_count=0,
        total_count=None,
        partial=False,
        partial_reasons=(),
        scope={},
        retrieval_layer=None,
        l0_count=None,
        l1_count=None,
        relevance_level=None,
        dedup_reason=None,
        dedup_of=None,
        retrieval_details={"evidence_refs": [], "sources": []},
    )
