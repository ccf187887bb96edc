"""Rows and evidence built by hand, for tests of what is pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from groundwire.domain.completion import completed_row
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.invocation import InvocationStart, ToolInvocation
from groundwire.domain.names import InvocationStatus, QuestionKind, WindowSource
from groundwire.domain.session import Owner
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.ports import InvocationDigest
from groundwire.services.outcome import Outcome, completion_of

WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, 0, tzinfo=UTC), end=datetime(2026, 11, 12, 10, 0, tzinfo=UTC))
OWNER = Owner(host="here", process_id=1, process_start=0.0)


def at(clock: str) -> str:
    return f"2026-11-12T{clock}Z"


def log(
    message: str, *, service: str = "checkout", level: str = "ERROR", clock: str = "09:30:00", **fields: Any
) -> dict[str, Any]:
    return {
        "timestamp": at(clock),
        "level": level,
        "service": service,
        "instance": None,
        "message": message,
        "source": f"{service}.log:1",
        "fields": fields,
    }


def alert(
    name: str = "CheckoutErrors", *, state: str = "firing", service: str = "checkout", value: float = 0.23
) -> dict[str, Any]:
    return {
        "alert_name": name,
        "state": state,
        "service": service,
        "severity": "critical",
        "value": value,
        "active_at": at("09:25:00"),
        "ends_at": None,
        "duration_ms": 2_100_000,
        "labels": {"alertname": name, "service": service},
        "annotations": {},
    }


def block(content: str, *, title: str = "Checkout runbook", section: str = "Meaning") -> dict[str, Any]:
    return {"title": title, "source": "checkout.md", "section": section, "content": content, "layer": "L1", "score": 3.0}


def scope(service: str | None = None, query: str | None = None, window: TimeWindow = WINDOW) -> dict[str, Any]:
    labels = {"service": service} if service else {}
    return {"window": window.to_json(), "filter": {"query": query} if query else {}, "labels": labels}


def logs_output(
    *logs: Mapping[str, Any],
    service: str | None = "checkout",
    query: str | None = None,
    total: int | None = None,
    by_level: Mapping[str, int] | None = None,
    in_scope: int = 400,
    unlevelled: int = 0,
    is_exact: bool = True,
    **more: Any,
) -> dict[str, Any]:
    found = len(logs) if total is None else total
    return {
        "evidence_status": "evidence" if logs else "no_evidence",
        "error": None,
        "returned_count": len(logs),
        "total_count": found,
        "partial": False,
        "partial_reasons": [],
        "scope": scope(service, query),
        "sources": [{"name": "files", "kind": "logs", "live": False, "status": "evidence" if logs else "no_evidence"}],
        "logs": list(logs),
        "summary": {
            "total": found,
            "total_is_exact": is_exact,
            "by_level": by_level if by_level is not None else ({"ERROR": found} if found else {}),
            "first_at": logs[-1]["timestamp"] if logs else None,
            "last_at": logs[0]["timestamp"] if logs else None,
            "in_scope": {"total": in_scope, "by_level": {"INFO": in_scope - unlevelled, "UNKNOWN": unlevelled}},
        },
        **more,
    }


def alerts_output(*alerts: Mapping[str, Any], service: str | None = "checkout", live: bool = True, **more: Any) -> dict[str, Any]:
    status = "evidence" if alerts else "no_evidence"
    return {
        "evidence_status": status,
        "error": None,
        "returned_count": len(alerts),
        "total_count": len(alerts),
        "partial": False,
        "partial_reasons": [],
        "scope": scope(service),
        "sources": [{"name": "prometheus", "kind": "alerts", "live": live, "status": status}],
        "alerts": list(alerts),
        "series": [],
        **more,
    }


def blocks_output(*blocks: Mapping[str, Any], relevance: str = "high", **more: Any) -> dict[str, Any]:
    return {
        "evidence_status": "evidence" if blocks else "no_evidence",
        "error": None,
        "returned_count": len(blocks),
        "total_count": len(blocks),
        "partial": False,
        "partial_reasons": [],
        "scope": scope(),
        "sources": [],
        "evidence_blocks": list(blocks),
        "retrieval_layer": "L1",
        "l0_count": 1,
        "l1_count": len(blocks),
        "relevance_level": relevance if blocks else "none",
        **more,
    }


def failed_output(error_type: str, message: str, service: str | None = "checkout") -> dict[str, Any]:
    return {
        "evidence_status": "failed",
        "error": {"type": error_type, "message": message},
        "returned_count": 0,
        "total_count": None,
        "partial": False,
        "partial_reasons": [],
        "scope": scope(service),
        "sources": [],
    }


def row(seq: int, tool_name: str, output: Mapping[str, Any], params: Mapping[str, Any] | None = None) -> ToolInvocation:
    """The completed row that the recorder would write for this output."""
    start = InvocationStart(
        id=f"call-{seq}",
        session_id="session",
        tool_name=tool_name,
        input_params=params or {},
        started_at=WINDOW.start,
        owner=OWNER,
    )
    completion, _ = completion_of(start, seq, Outcome.of_output(output), WINDOW, 1.0)
    return completed_row(start, seq, completion, completion_seq=seq, previous_hash="0" * 64)


def call(seq: int, tool_name: str, output: Mapping[str, Any], params: Mapping[str, Any] | None = None) -> CallEvidence:
    made = row(seq, tool_name, output, params)
    kept = made.output_sha256 is not None
    return CallEvidence(row=made, output=orjson.loads(orjson.dumps(output)) if kept else None)


def question(kind: QuestionKind = QuestionKind.DIAGNOSE, *subjects: str) -> Question:
    return Question(
        text="why is checkout failing?",
        kind=kind,
        subjects=subjects or ("checkout",),
        window=WINDOW,
        window_source=WindowSource.FLAG,
    )


def base(*calls: CallEvidence, kind: QuestionKind = QuestionKind.DIAGNOSE) -> EvidenceBase:
    return EvidenceBase(question(kind), calls)


def digest(
    made: ToolInvocation, *, preview: str | None = None, refs: Sequence[Mapping[str, Any]] | None = None
) -> InvocationDigest:
    return InvocationDigest(
        id=made.id,
        seq=made.seq,
        tool_name=made.tool_name,
        status=made.status,
        error_type=made.error_type,
        error_message=made.error_message,
        returned_count=made.returned_count,
        total_count=made.total_count,
        partial=bool(made.partial),
        partial_reasons=made.partial_reasons,
        labels=(made.scope or {}).get("labels") or {},
        evidence_refs=[ref.to_json() for ref in made.evidence_refs] if refs is None else refs,
        output_preview=preview,
    )


def running(made: ToolInvocation) -> InvocationDigest:
    return digest(made)._replace(status=InvocationStatus.RUNNING)
