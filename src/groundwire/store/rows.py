"""Rows of ``tool_invocation`` as the drivers take and give them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Dialect

from groundwire.domain.invocation import InvocationStart, ToolInvocation
from groundwire.domain.names import ErrorType, InvocationStatus, OutputState
from groundwire.domain.session import Owner
from groundwire.ports import InvocationDigest
from groundwire.store.column_types import dump_json, load_json, load_time, store_time
from groundwire.store.statements import COMPLETION_COLUMNS, ROW_COLUMNS


def running_values(start: InvocationStart, seq: int, dialect: Dialect) -> dict[str, Any]:
    """Return the parameters that write the row before its call."""
    return {
        "id": start.id,
        "session_id": start.session_id,
        "seq": seq,
        "agent_step_id": start.agent_step_id,
        "tool_call_id": start.tool_call_id,
        "trace_id": start.trace_id,
        "tool_name": str(start.tool_name),
        "input_params": dump_json(start.input_params),
        "started_at": store_time(start.started_at, dialect),
        "status": InvocationStatus.RUNNING.value,
        "owner": dump_json(start.owner.to_json()),
    }


def start_of(record: Any) -> tuple[InvocationStart, int, str]:
    """Return what a driver gives for BEGIN_COLUMNS: what was known before the call, the row's ``seq`` and its status."""
    id_, session_id, seq, agent_step_id, tool_call_id, trace_id, tool_name, input_params, started_at, status, owner = record
    start = InvocationStart(
        id=id_,
        session_id=session_id,
        tool_name=tool_name,
        input_params=load_json(input_params),
        started_at=load_time(started_at),
        owner=Owner.from_json(load_json(owner)),
        agent_step_id=agent_step_id,
        tool_call_id=tool_call_id,
        trace_id=trace_id,
    )
    return start, seq, status


def completion_values(row: ToolInvocation, details: str) -> dict[str, Any]:
    """Return the parameters that complete a row, whose ``retrieval_details`` are already text."""
    values: dict[str, Any] = {name: getattr(row, name) for name in COMPLETION_COLUMNS}
    for name in ("status", "error_type", "output_state", "retrieval_layer", "relevance_level", "dedup_reason"):
        if values[name] is not None:
            values[name] = str(values[name])
    values["partial_reasons"] = dump_json(row.partial_reasons)
    values["scope"] = dump_json(row.scope)
    values["retrieval_details"] = details
    values["row_id"] = row.id
    return values


def invocation_of(record: Any) -> ToolInvocation:
    """Return the row that a driver gives for ROW_COLUMNS."""
    values: dict[str, Any] = dict(zip(ROW_COLUMNS, record, strict=True))
    for name in ("input_params", "scope", "retrieval_details"):
        values[name] = load_json(values[name])
    for name in ("success", "output_truncated", "partial"):
        values[name] = None if values[name] is None else bool(values[name])
    values["started_at"] = load_time(values["started_at"])
    values["status"] = InvocationStatus(values["status"])
    values["error_type"] = None if values["error_type"] is None else ErrorType(values["error_type"])
    values["output_state"] = None if values["output_state"] is None else OutputState(values["output_state"])
    values["partial_reasons"] = tuple(load_json(values["partial_reasons"]) or ())
    values["owner"] = Owner.from_json(load_json(values["owner"]))
    return ToolInvocation(**values)


def digest_of(record: Any) -> InvocationDigest:
    """Return what a driver gives for DIGEST_COLUMNS; the preview is added where it is needed."""
    id_, seq, tool_name, status, error_type, error_message, returned, total, partial, reasons, scope, details = record
    return InvocationDigest(
        id=id_,
        seq=seq,
        tool_name=tool_name,
        status=status,
        error_type=error_type,
        error_message=error_message,
        returned_count=returned,
        total_count=total,
        partial=bool(partial),
        partial_reasons=() if reasons is None else tuple(load_json(reasons)),
        labels={} if scope is None else load_json(scope).get("labels") or {},
        evidence_refs=() if details is None else load_json(details).get("evidence_refs") or (),
        output_preview=None,
    )
