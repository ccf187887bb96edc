"""Persisted rows as JSON: every column by its own name, and what a reader must be told beside it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from groundwire.domain.incident import TimeWindow
from groundwire.domain.invocation import INTERRUPTED_MESSAGE, ToolInvocation
from groundwire.domain.names import ErrorType, InvocationStatus
from groundwire.domain.session import AgentStep, DiagnosisSession, Owner
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.rendering.json_text import plain

DRAFT_LABEL: Final = "unverified: what the investigator wrote before it was checked"


def session_row(session: DiagnosisSession, *, with_draft: bool = False) -> dict[str, Any]:
    """Return a session's columns; the draft only where it is asked for, and then labelled as unverified."""
    row = columns(session)
    window = row.pop("window")
    row["window_start"], row["window_end"] = window["start"], window["end"]
    if not with_draft:
        row["draft_answer"] = None
    elif session.draft_answer is not None:
        row["draft_answer_label"] = DRAFT_LABEL
    return row


def invocation_row(row: ToolInvocation, *, is_interrupted: bool = False) -> dict[str, Any]:
    """Return a call's columns; one that its process left ``running`` is shown as failed, beside its ``stored_status``."""
    shown = columns(row)
    if is_interrupted and row.status is InvocationStatus.RUNNING:
        shown |= {
            "status": InvocationStatus.FAILED.value,
            "success": False,
            "error_type": ErrorType.INTERRUPTED.value,
            "error_message": INTERRUPTED_MESSAGE,
            "shown_as": "interrupted",
            "stored_status": row.status.value,
        }
    return shown


def columns(row: AgentStep | VerifierEvaluation | ToolInvocation | DiagnosisSession) -> dict[str, Any]:
    """Return a row's columns as JSON knows them, in their order."""
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    rendered: dict[str, Any] = plain({name: _as_json(value) for name, value in values.items()})
    return rendered


def _as_json(value: Any) -> Any:
    return value.to_json() if isinstance(value, Owner | TimeWindow) else value
