"""Reports as the JSON objects that the commands print."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groundwire.domain.reports import (
    AuditReport,
    CallReport,
    ClaimExplanation,
    DoctorReport,
    EvidenceItem,
    ReplayReport,
    Trace,
    VerifyReport,
)
from groundwire.domain.session import DiagnosisSession
from groundwire.rendering.json_text import plain
from groundwire.rendering.rows import DRAFT_LABEL, columns, invocation_row, session_row


def sessions_json(sessions: Iterable[DiagnosisSession]) -> dict[str, Any]:
    """Return the object of ``sessions``."""
    return {"sessions": [session_row(session) for session in sessions]}


def trace_json(trace: Trace) -> dict[str, Any]:
    """Return the object of ``trace``: every row of the session."""
    return {
        "session": session_row(trace.session, with_draft=True),
        "invocations": [invocation_row(row, is_interrupted=row.id in trace.interrupted_ids) for row in trace.invocations],
        "steps": [columns(step) for step in trace.steps],
        "entries": [plain(entry.to_json()) for entry in trace.entries],
        "evaluations": [columns(evaluation) for evaluation in trace.evaluations],
    }


def evidence_json(item: EvidenceItem) -> dict[str, Any]:
    """Return the object of ``evidence``: the raw item and where it stands."""
    return {
        "session_id": item.session_id,
        "ref_id": item.ref_id,
        "raw_path": item.raw_path,
        "item": plain(item.item),
        "invocation_id": item.invocation_id,
        "output_sha256": item.output_sha256,
    }


def explanation_json(explanation: ClaimExplanation) -> dict[str, Any]:
    """Return the object of ``explain``: one claim of the draft, labelled, with its verdict and facts."""
    return {
        "session_id": explanation.session_id,
        "decision": plain(explanation.decision),
        "label": DRAFT_LABEL,
        "claim": plain(explanation.verdict),
    }


def call_json(report: CallReport) -> dict[str, Any]:
    """Return the object of ``call``: the row and the tool's own output."""
    return {
        "session_id": report.session_id,
        "invocation": invocation_row(report.invocation),
        "output": plain(report.output),
    }


def verify_json(report: VerifyReport) -> dict[str, Any]:
    """Return the object of ``verify``: the decision and the verdict on each claim with its facts."""
    return {
        "session_id": report.session_id,
        "decision": plain(report.decision),
        "degraded_reason": plain(report.degraded_reason),
        "claims": [
            plain(verdict.to_json())
            | {"attributed": verdict.claim.id in report.attributed, "proposed_ref": report.proposed.get(verdict.claim.id)}
            for verdict in report.verdicts
        ],
        "report": [part.to_json() for part in report.parts],
    }


def audit_json(report: AuditReport) -> dict[str, Any]:
    """Return the object of ``audit``."""
    return {
        "session_id": report.session_id,
        "ok": report.ok,
        "faults": [fault.to_json() for fault in report.faults],
        "rows": report.rows,
        "refs": report.refs,
    }


def replay_json(report: ReplayReport) -> dict[str, Any]:
    """Return the object of ``replay``."""
    return {
        "session_id": report.session_id,
        "same": report.same,
        "decision": plain(report.decision),
        "recorded_decision": plain(report.recorded_decision),
        "differences": list(report.differences),
    }


def doctor_json(report: DoctorReport) -> dict[str, Any]:
    """Return the object of ``doctor``."""
    return {"ok": report.ok, "checks": [check.to_json() for check in report.checks]}
