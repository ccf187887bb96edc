"""A running session for the measurements to record in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from groundwire.adapters.process import SystemClock, current_owner
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import SCHEMA_VERSION, QuestionKind, SessionStatus, WindowSource, new_id
from groundwire.domain.session import DiagnosisSession

WINDOW: Final = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))


def running_session() -> DiagnosisSession:
    """Return a new session over :data:`WINDOW` that this process runs."""
    return DiagnosisSession(
        id=new_id(),
        question="bench",
        question_kind=QuestionKind.DIAGNOSE,
        subjects=(),
        window=WINDOW,
        window_source=WindowSource.FLAG,
        status=SessionStatus.RUNNING,
        decision=None,
        degraded_reason=None,
        final_output=None,
        draft_answer=None,
        step_count=0,
        tool_call_count=0,
        investigator="bench",
        model=None,
        owner=current_owner(),
        created_at=SystemClock().now(),
        completed_at=None,
        schema_version=SCHEMA_VERSION,
    )
