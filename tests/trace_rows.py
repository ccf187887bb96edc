"""Sessions, calls, steps and evaluations that tests of stores write."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from groundwire.domain.incident import TimeWindow
from groundwire.domain.invocation import InvocationCompletion, InvocationStart
from groundwire.domain.names import (
    Decision,
    ErrorType,
    InvocationStatus,
    OutputState,
    QuestionKind,
    SessionStatus,
    StepKind,
    StepRole,
    WindowSource,
    new_id,
)
from groundwire.domain.session import AgentStep, DiagnosisSession, Owner
from groundwire.domain.verdict import VerifierEvaluation

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
OWNER = Owner(host="oncall-7", process_id=4711, process_start=1732969200.37)
OUTPUT = b'{"evidence_status": "evidence",  "logs": [{"message": "pool \xf0\x9f\x94\xa5 exhausted"}]}'


def a_session(**changes: Any) -> DiagnosisSession:
    values: dict[str, Any] = {
        "id": new_id(),
        "question": "Why do orders fail?",
        "question_kind": QuestionKind.DIAGNOSE,
        "subjects": ("order-service", "zahlung-größe"),
        "window": TimeWindow(start=NOON - timedelta(hours=1), end=NOON),
        "window_source": WindowSource.FLAG,
        "status": SessionStatus.RUNNING,
        "decision": None,
        "degraded_reason": None,
        "final_output": None,
        "draft_answer": None,
        "step_count": 0,
        "tool_call_count": 0,
        "investigator": "playbook",
        "model": None,
        "owner": OWNER,
        "created_at": NOON,
        "completed_at": None,
        "schema_version": 1,
    }
    return DiagnosisSession(**{**values, **changes})


def a_start(session: DiagnosisSession, **changes: Any) -> InvocationStart:
    values: dict[str, Any] = {
        "id": new_id(),
        "session_id": session.id,
        "tool_name": "query_logs",
        "input_params": {"service": "order-service", "query": '"pool exhausted" -debug', "limit": 50, "since": "-30m"},
        "started_at": NOON,
        "owner": OWNER,
        "tool_call_id": "call_1",
    }
    return InvocationStart(**{**values, **changes})


def a_completion(start: InvocationStart, **changes: Any) -> InvocationCompletion:
    values: dict[str, Any] = {
        "id": start.id,
        "session_id": start.session_id,
        "backend": "files",
        "duration_ms": 12.345,
        "status": InvocationStatus.EVIDENCE,
        "error_type": None,
        "error_message": None,
        "output_state": OutputState.PRESENT,
        "output": OUTPUT,
        "output_preview": OUTPUT[:40].decode(errors="replace"),
        "output_truncated": True,
        "output_sha256": hashlib.sha256(OUTPUT).hexdigest(),
        "returned_count": 1,
        "total_count": 300,
        "partial": True,
        "partial_reasons": ("files: 1 file could not be read",),
        "scope": {"window": {"start": "2026-11-30T11:00:00Z"}, "filter": {}, "labels": {"service": "order-service"}},
        "retrieval_layer": None,
        "l0_count": None,
        "l1_count": None,
        "relevance_level": None,
        "dedup_reason": None,
        "dedup_of": None,
        "retrieval_details": {
            "evidence_refs": [
                {
                    "ref_id": "i1.logs.0",
                    "raw_path": "$.logs[0]",
                    "text": "pool \U0001f525 exhausted",
                    "level": "direct",
                    "trust": "emitted",
                }
            ],
            "sources": [{"name": "files", "outcome": "evidence", "returned_count": 1}],
            "fetched_count": 300,
        },
    }
    return InvocationCompletion(**{**values, **changes})


def a_failure(start: InvocationStart, **changes: Any) -> InvocationCompletion:
    values: dict[str, Any] = {
        "backend": None,
        "status": InvocationStatus.FAILED,
        "error_type": ErrorType.TIMEOUT,
        "error_message": "files: no answer within 20 s",
        "output_state": OutputState.NONE,
        "output": None,
        "output_preview": None,
        "output_truncated": False,
        "output_sha256": None,
        "returned_count": 0,
        "total_count": None,
        "partial": False,
        "partial_reasons": (),
        "retrieval_details": {"evidence_refs": [], "sources": []},
    }
    return a_completion(start, **{**values, **changes})


def a_step(session: DiagnosisSession, **changes: Any) -> AgentStep:
    values: dict[str, Any] = {
        "id": new_id(),
        "session_id": session.id,
        "kind": StepKind.MODEL,
        "role": StepRole.EXECUTOR,
        "request_summary": "ask",
        "input_tokens": 12,
        "duration_ms": 3.5,
    }
    return AgentStep(**{**values, **changes})


def an_evaluation(session: DiagnosisSession, **changes: Any) -> VerifierEvaluation:
    values: dict[str, Any] = {
        "id": new_id(),
        "session_id": session.id,
        "attempt": 0,
        "decision": Decision.PASS,
        "degraded_reason": None,
        "verifier_output": "not even {json",
        "claim_verdicts": ({"id": "c1", "verdict": "supported"},),
        "grounding": {"held": 1},
        "rules_version": "1",
        "duration_ms": 2.0,
        "created_at": NOON,
    }
    return VerifierEvaluation(**{**values, **changes})
