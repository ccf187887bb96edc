"""A diagnosis session, the steps in it, and the process that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

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

AT_LIMIT: Final = "limit"
NO_DRAFT: Final = "no_draft"
NO_REPAIR: Final = "no_repair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The process that runs a session or makes a call; ``process_start`` (epoch seconds) tells a reused id apart."""

    host: str
    process_id: int
    process_start: float

    def to_json(self) -> dict[str, Any]:
        return {"host": self.host, "process_id": self.process_id, "process_start": self.process_start}

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Owner:
        return cls(host=item["host"], process_id=item["process_id"], process_start=item["process_start"])


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisSession:
    """The persisted row. ``draft_answer`` is the draft as JSON text, for audit and replay; it is never an answer."""

    id: str
    question: str
    question_kind: QuestionKind
    subjects: tuple[str, ...]
    window: TimeWindow
    window_source: WindowSource
    status: SessionStatus
    decision: Decision | None
    degraded_reason: DegradedReason | None
    final_output: str | None
    draft_answer: str | None
    step_count: int
    tool_call_count: int
    investigator: str
    model: str | None
    owner: Owner
    created_at: datetime
    completed_at: datetime | None
    schema_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """What completes a session; the counts are derived from its rows by the store."""

    status: SessionStatus
    completed_at: datetime
    decision: Decision | None = None
    degraded_reason: DegradedReason | None = None
    final_output: str | None = None
    draft_answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStep:
    """One step of an investigator: a model request, or a helper call that is audited and counts as neither step nor evidence.

    ``seq`` is given by the store when it is 0. ``cost`` is that of the tokens which were counted, by the price of that day; None
    where it is unknown. A helper step whose ``finish_reason`` is ``AT_LIMIT`` says at which limit an investigation ended
    (``response_text`` names it), one with ``NO_DRAFT`` why it ended without a draft, and one with
    ``NO_REPAIR`` why the draft before a repair round stands.
    """

    id: str
    session_id: str
    kind: StepKind
    role: StepRole
    request_summary: str
    seq: int = 0
    model: str | None = None
    provider_name: str | None = None
    response_id: str | None = None
    response_text: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    duration_ms: float | None = None
    finish_reason: str | None = None
    error_message: str | None = None
    cost: float | None = None
