"""Rows of sessions, steps and evaluations, to and from the domain."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from sqlalchemy import Row

from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import (
    Decision,
    DegradedReason,
    QuestionKind,
    SessionStatus,
    StepKind,
    StepRole,
    WindowSource,
)
from groundwire.domain.session import AgentStep, DiagnosisSession, Owner
from groundwire.domain.verdict import VerifierEvaluation

_STEP: Final = tuple(field.name for field in fields(AgentStep))
_EVALUATION: Final = tuple(field.name for field in fields(VerifierEvaluation))


def session_values(session: DiagnosisSession) -> dict[str, Any]:
    """Return a session as the columns of its row."""
    return {
        "id": session.id,
        "question": session.question,
        "question_kind": session.question_kind.value,
        "subjects": list(session.subjects),
        "window_start": session.window.start,
        "window_end": session.window.end,
        "window_source": session.window_source.value,
        "status": session.status.value,
        "decision": session.decision and session.decision.value,
        "degraded_reason": session.degraded_reason and session.degraded_reason.value,
        "final_output": session.final_output,
        "draft_answer": session.draft_answer,
        "step_count": session.step_count,
        "tool_call_count": session.tool_call_count,
        "investigator": session.investigator,
        "model": session.model,
        "owner": session.owner.to_json(),
        "created_at": session.created_at,
        "completed_at": session.completed_at,
        "schema_version": session.schema_version,
    }


def session_of(row: Row[Any]) -> DiagnosisSession:
    """Return the session that a row is."""
    return DiagnosisSession(
        id=row.id,
        question=row.question,
        question_kind=QuestionKind(row.question_kind),
        subjects=tuple(row.subjects),
        window=TimeWindow(start=row.window_start, end=row.window_end),
        window_source=WindowSource(row.window_source),
        status=SessionStatus(row.status),
        decision=None if row.decision is None else Decision(row.decision),
        degraded_reason=None if row.degraded_reason is None else DegradedReason(row.degraded_reason),
        final_output=row.final_output,
        draft_answer=row.draft_answer,
        step_count=row.step_count,
        tool_call_count=row.tool_call_count,
        investigator=row.investigator,
        model=row.model,
        owner=Owner.from_json(row.owner),
        created_at=row.created_at,
        completed_at=row.completed_at,
        schema_version=row.schema_version,
    )


def step_values(step: AgentStep) -> dict[str, Any]:
    """Return a step as the columns of its row."""
    values = {name: getattr(step, name) for name in _STEP}
    return {**values, "kind": step.kind.value, "role": step.role.value}


def step_of(row: Row[Any]) -> AgentStep:
    """Return the step that a row is."""
    values: dict[str, Any] = dict(row._mapping)
    return AgentStep(**{**values, "kind": StepKind(row.kind), "role": StepRole(row.role)})


def evaluation_values(evaluation: VerifierEvaluation) -> dict[str, Any]:
    """Return an evaluation as the columns of its row."""
    values = {name: getattr(evaluation, name) for name in _EVALUATION}
    return {
        **values,
        "decision": evaluation.decision.value,
        "degraded_reason": evaluation.degraded_reason and evaluation.degraded_reason.value,
        "claim_verdicts": list(evaluation.claim_verdicts),
        "grounding": dict(evaluation.grounding),
    }


def evaluation_of(row: Row[Any]) -> VerifierEvaluation:
    """Return the evaluation that a row is."""
    values: dict[str, Any] = dict(row._mapping)
    return VerifierEvaluation(
        **{
            **values,
            "decision": Decision(row.decision),
            "degraded_reason": None if row.degraded_reason is None else DegradedReason(row.degraded_reason),
            "claim_verdicts": tuple(row.claim_verdicts),
        }
    )
