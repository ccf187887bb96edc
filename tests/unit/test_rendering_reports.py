"""Traces and reports, as text and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from groundwire.domain.evidence import EvidenceEntry
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import (
    Decision,
    DegradedReason,
    ErrorType,
    EvidenceLevel,
    InvocationStatus,
    OutputState,
    QuestionKind,
    SessionStatus,
    StepKind,
    StepRole,
    Verdict,
    WindowSource,
)
from groundwire.domain.reports import (
    AuditFault,
    AuditReport,
    CallReport,
    DoctorCheck,
    DoctorReport,
    EvidenceItem,
    ReplayReport,
    Trace,
    VerifyReport,
)
from groundwire.domain.session import AgentStep, DiagnosisSession, Owner
from groundwire.domain.verdict import CheckedFact, ClaimVerdict, VerifierEvaluation
from groundwire.grounding.prose import read_report
from groundwire.rendering import reports_json, reports_text
from groundwire.rendering.layout import display_width
from groundwire.rendering.trace_text import trace_text
from tests.unit.answer_samples import SESSION_ID, SYMPTOM, WINDOW

_AT = datetime(2026, 11, 30, 12, 0, 1, 250_000, tzinfo=UTC)
_OWNER = Owner(host="ops-1", process_id=4242, process_start=1_796_000_000.5)
_DRAFT = {"claims": [{"kind": "cause", "text": "The draft's own words.", "refs": ["i1.logs.0"]}], "complete": True}

_SESSION = DiagnosisSession(
    id=SESSION_ID,
    question="Why does cart-api fail?",
    question_kind=QuestionKind.DIAGNOSE,
    subjects=("cart-api",),
    window=WINDOW,
    window_source=WindowSource.FLAG,
    status=SessionStatus.COMPLETED,
    decision=Decision.REJECT,
    degraded_reason=DegradedReason.CONTRADICTED,
    final_output="REJECT: ...",
    draft_answer=json.dumps(_DRAFT),
    step_count=0,
    tool_call_count=2,
    investigator="playbook",
    model=None,
    owner=_OWNER,
    created_at=_AT,
    completed_at=_AT,
    schema_version=1,
)

_FOUND = ToolInvocation(
    id="01938f2e-8000-7a3b-9d55-000000000001",
    session_id=SESSION_ID,
    seq=1,
    agent_step_id=None,
    tool_call_id=None,
    trace_id=None,
    tool_name="query_logs",
    backend="cart-api.log",
    input_params={"service": "cart-api", "limit": 5},
    started_at=_AT,
    duration_ms=12.4,
    status=InvocationStatus.EVIDENCE,
    success=True,
    error_type=None,
    error_message=None,
    output_state=OutputState.PRESENT,
    output_preview="{}",
    output_truncated=False,
    output_bytes=2,
    output_sha256="ab" * 32,
    returned_count=7,
    total_count=118,
    partial=True,
    partial_reasons=("old.log.gz cannot be read",),
    scope={"window": None, "filter": {}, "labels": {}},
    retrieval_layer=None,
    l0_count=None,
    l1_count=None,
    relevance_level=None,
    dedup_reason=None,
    dedup_of=None,
    retrieval_details={
        "evidence_refs": [
            {
                "ref_id": f"i1.logs.{i}",
                "raw_path": f"$.logs[{i}]",
                "text": f"line {i}\x1b[0m",
                "level": "direct",
                "trust": "emitted",
            }
            for i in range(7)
        ]
    },
    owner=_OWNER,
    completion_seq=1,
    previous_hash=None,
    row_hash="cd" * 32,
)
_LEFT = replace(
    _FOUND,
    id="01938f2e-8000-7a3b-9d55-000000000002",
    seq=2,
    duration_ms=None,
    status=InvocationStatus.RUNNING,
    success=None,
    output_state=None,
    returned_count=None,
    partial=None,
    partial_reasons=(),
    retrieval_details=None,
)
_TRACE = Trace(
    session=_SESSION,
    invocations=(_FOUND, _LEFT),
    interrupted_ids=frozenset({_LEFT.id}),
    steps=(
        AgentStep(
            id="s1", session_id=SESSION_ID, kind=StepKind.HELPER, role=StepRole.PLANNER, request_summary="list sources", seq=1
        ),
    ),
    entries=(
        EvidenceEntry(
            tool_name="query_logs",
            topic_domain="cart-api",
            evidence_level=EvidenceLevel.DIRECT,
            success=True,
            output_summary="7 of 118 log lines.",
            excerpts=("line 0",),
            call_count=2,
            failed_count=1,
            no_hit_count=0,
            deduped_count=0,
            partial=True,
            source_invocation_ids=(_FOUND.id, _LEFT.id),
            refs=("i1.logs.0",),
        ),
    ),
    evaluations=(
        VerifierEvaluation(
            id="e1",
            session_id=SESSION_ID,
            attempt=1,
            decision=Decision.REJECT,
            degraded_reason=DegradedReason.CONTRADICTED,
            verifier_output="{}",
            claim_verdicts=({"text": "The draft's own words.", "verdict": "contradicted", "reason": "line 0 says otherwise"},),
            grounding={},
            rules_version="1",
            duration_ms=3.0,
            created_at=_AT,
        ),
    ),
)


def test_a_call_left_by_a_dead_process_is_shown_as_interrupted() -> None:
    found, left = reports_json.trace_json(_TRACE)["invocations"]
    assert (found["status"], found["success"], found["error_type"]) == ("evidence", True, None)
    assert (left["status"], left["success"], left["error_type"]) == ("failed", False, "interrupted")
    assert "interrupted" in left["error_message"]
    assert left["stored_status"] == "running"
    assert "i2   query_logs, interrupted, not completed" in trace_text(_TRACE)


def test_a_call_that_is_running_elsewhere_is_left_as_it_is() -> None:
    alive = replace(_TRACE, interrupted_ids=frozenset())
    assert reports_json.trace_json(alive)["invocations"][1]["status"] == "running"
    assert "i2   query_logs, running, not completed" in trace_text(alive)


def test_a_trace_has_every_column_of_its_rows() -> None:
    value = reports_json.trace_json(_TRACE)
    assert set(value) == {"session", "invocations", "steps", "entries", "evaluations"}
    session, row = value["session"], value["invocations"][0]
    assert (session["window_start"], session["window_end"]) == ("2026-11-30T11:00:00Z", "2026-11-30T12:00:00Z")
    assert session["created_at"] == "2026-11-30T12:00:01.250Z"
    assert session["owner"] == {"host": "ops-1", "process_id": 4242, "process_start": 1_796_000_000.5}
    assert row["started_at"] == "2026-11-30T12:00:01.250Z"
    assert row["partial_reasons"] == ["old.log.gz cannot be read"]
    assert row["retrieval_details"]["evidence_refs"][0]["ref_id"] == "i1.logs.0"
    assert (value["steps"][0]["kind"], value["evaluations"][0]["attempt"]) == ("helper", 1)
    assert json.loads(json.dumps(value)) == value


def test_a_draft_is_seen_in_a_trace_alone_and_labelled_unverified() -> None:
    session = reports_json.trace_json(_TRACE)["session"]
    assert json.loads(session["draft_answer"]) == _DRAFT
    assert session["draft_answer_label"].startswith("unverified")
    assert "Draft (unverified" in trace_text(_TRACE)
    listed = reports_json.sessions_json([_SESSION])["sessions"][0]
    assert listed["draft_answer"] is None
    assert "own words" not in reports_text.sessions_text([_SESSION])


def test_a_trace_says_what_was_asked_what_came_back_and_what_was_not_read() -> None:
    text = trace_text(_TRACE, width=80)
    assert "asked service=cart-api, limit=5" in text
    assert "returned 7 of 118" in text
    assert "in part: old.log.gz cannot be read" in text
    assert "i1.logs.4 (direct, emitted) line 4\\x1b[0m" in text
    assert "and 2 more refs" in text
    assert "query_logs on cart-api: direct, in part; calls 2, failed 1, no hit 0" in text


def test_a_trace_says_what_each_request_took_and_what_a_repair_round_changed() -> None:
    asked = AgentStep(
        id="s2",
        session_id=SESSION_ID,
        kind=StepKind.MODEL,
        role=StepRole.EXECUTOR,
        request_summary="request 1 of 12: the draft",
        seq=2,
        model="m-1",
        input_tokens=1200,
        duration_ms=350.0,
        finish_reason="length",
        response_text="The draft's own words.",
    )
    cut = replace(asked, seq=3, output_tokens=7, error_message="rejected: HTTP 401: bad key")
    repaired = AgentStep(
        id="s4",
        session_id=SESSION_ID,
        kind=StepKind.HELPER,
        role=StepRole.EXECUTOR,
        request_summary="the repair round ended",
        response_text="\n".join(f"dropped c{number}" for number in range(1, 13)),
        seq=4,
    )
    text = trace_text(replace(_TRACE, steps=(asked, cut, repaired)), width=100)
    assert "     m-1, tokens 1,200 read, unknown written, 350 ms, ended by length\n" in text
    assert "     m-1, tokens 1,200 read, 7 written, 350 ms\n" in text
    unheard = replace(asked, model=None, input_tokens=None, error_message="timeout: no whole answer within 3 s")
    assert "     tokens unknown, 350 ms\n" in trace_text(replace(_TRACE, steps=(unheard,)), width=100)
    assert "  4. helper executor: the repair round ended\n     dropped c1\n" in text
    assert "dropped c10\n     and 2 more (--json shows them all)" in text
    steps = text[text.index("Steps") : text.index("What the verifier read")]
    assert "own words" not in steps


@pytest.mark.parametrize("width", [60, 80])
def test_reports_fit_the_terminal(width: int) -> None:
    texts = [
        trace_text(_TRACE, width=width),
        reports_text.sessions_text([_SESSION] * 2, width=width),
        reports_text.evidence_text(_ITEM, width=width),
        reports_text.call_text(CallReport(session_id=SESSION_ID, invocation=_FOUND, output={}), width=width),
        reports_text.verify_text(_VERIFIED, width=width),
    ]
    assert all(display_width(line) <= width for text in texts for line in text.split("\n"))


_ITEM = EvidenceItem(
    session_id=SESSION_ID,
    ref_id="i1.logs.0",
    raw_path="$.logs[0]",
    item={"message": "pool exhausted \u202e" + "x" * 200 + "\n\tat Pool.get", "level": None, "fields": {"active": 20}},
    invocation_id=_FOUND.id,
    output_sha256="ab" * 32,
)


def test_a_raw_item_is_shown_with_its_place_and_hash() -> None:
    assert set(reports_json.evidence_json(_ITEM)) >= {"ref_id", "raw_path", "item", "invocation_id", "output_sha256"}
    text = reports_text.evidence_text(_ITEM)
    assert text.startswith("Ref       i1.logs.0 $.logs[0]\n")
    assert "\nmessage  pool exhausted \\u202exxxx" in text
    assert "\n             at Pool.get\n" in text
    assert '\nlevel    null\nfields\n  {\n    "active": 20\n  }' in text


def test_a_failed_call_by_hand_says_what_failed() -> None:
    failed = replace(
        _FOUND,
        status=InvocationStatus.FAILED,
        success=False,
        error_type=ErrorType.REJECTED,
        error_message="loki: parse error at line 1",
        retrieval_details={},
    )
    report = CallReport(session_id=SESSION_ID, invocation=failed, output={"evidence_status": "failed"})
    assert "failed (rejected): loki: parse error at line 1" in reports_text.call_text(report)
    value = reports_json.call_json(report)
    assert (value["session_id"], value["invocation"]["error_type"]) == (SESSION_ID, "rejected")
    assert value["output"] == {"evidence_status": "failed"}


_VERIFIED = VerifyReport(
    session_id=SESSION_ID,
    decision=Decision.LOW_CONFID,
    degraded_reason=DegradedReason.UNSUPPORTED_CLAIMS,
    verdicts=(
        ClaimVerdict(
            claim=SYMPTOM.claim,
            verdict=Verdict.UNSUPPORTED,
            reason="the value differs",
            facts=(CheckedFact(claimed="0.31", looked_in="i1.alerts.0", found="0.13", verdict=Verdict.UNSUPPORTED),),
        ),
    ),
)


def test_an_answer_from_elsewhere_is_shown_claim_by_claim_with_the_facts_that_decided() -> None:
    text = " ".join(reports_text.verify_text(_VERIFIED).split())
    assert text.startswith("LOW_CONFID: the evidence of the session does not confirm this answer. (unsupported_claims)")
    assert "unsupported symptom: CartErrorRateHigh" in text
    assert "unsupported: claimed 0.31; i1.alerts.0 has 0.13" in text
    value = reports_json.verify_json(_VERIFIED)
    named = {"id", "text", "kind", "role", "verdict", "reason", "voice", "refs", "facts", "attributed", "proposed_ref"}
    assert set(value["claims"][0]) == named


def test_an_audit_names_each_fault() -> None:
    report = AuditReport(
        session_id=SESSION_ID,
        faults=(AuditFault(kind="chain", invocation_id=_FOUND.id, message="the hash differs"),),
        rows=2,
        refs=7,
    )
    assert reports_text.audit_text(report).startswith("1 fault; 2 rows and 7 refs checked.\n  - chain: the hash differs (call")
    assert reports_json.audit_json(report) == {
        "session_id": SESSION_ID,
        "ok": False,
        "faults": [{"kind": "chain", "invocation_id": _FOUND.id, "message": "the hash differs"}],
        "rows": 2,
        "refs": 7,
    }
    assert reports_text.audit_text(replace(report, faults=())).startswith("ok: 2 rows and 7 refs checked")


def test_a_replay_says_whether_the_decision_is_the_same() -> None:
    same = ReplayReport(session_id=SESSION_ID, decision=Decision.PASS, recorded_decision=Decision.PASS, differences=())
    assert reports_text.replay_text(same) == "same: the stored outputs lead to PASS again."
    other = replace(same, decision=Decision.LOW_CONFID, differences=("claim c1 is unsupported now",))
    assert "different: the stored outputs lead to LOW_CONFID, recorded was PASS." in reports_text.replay_text(other)
    assert reports_json.replay_json(other) == {
        "session_id": SESSION_ID,
        "same": False,
        "decision": "LOW_CONFID",
        "recorded_decision": "PASS",
        "differences": ["claim c1 is unsupported now"],
    }


def test_a_doctor_says_what_to_do() -> None:
    report = DoctorReport(
        checks=(
            DoctorCheck(name="store", ok=True, message="can be written"),
            DoctorCheck(name="logs", ok=False, message="no such folder", hint="Name it with --logs."),
        )
    )
    assert reports_text.doctor_text(report) == (
        "ok    store: can be written\nFAIL  logs: no such folder\n      Name it with --logs."
    )
    assert reports_json.doctor_json(report)["ok"] is False


def test_no_session_at_all_is_said() -> None:
    assert "No session is recorded yet" in reports_text.sessions_text([])


def test_a_report_is_returned_from_beginning_to_end_with_each_sentence_marked() -> None:
    parts, claims = read_report(
        "# Orders\n\nCartErrorRateHigh fires. It was fine.\n\n| a | b |\n|---|---|\n\n```\nkubectl\n```\n"
        "- Was it DNS?\n- cart-api could not bind."
    )
    assert [(part.text, part.claim_id) for part in parts] == [
        ("# Orders", None),
        ("CartErrorRateHigh fires.", "c1"),
        ("It was fine.", "c2"),
        ("| a | b |", None),
        ("|---|---|", None),
        ("kubectl", None),
        ("Was it DNS?", None),
        ("cart-api could not bind.", "c3"),
    ]
    assert [claim.kind for claim in claims] == ["observation", "observation", "absence"]
    verdicts = tuple(ClaimVerdict(claim=claim, verdict=Verdict.UNSUPPORTED, reason="It cites no evidence.") for claim in claims)
    report = replace(_VERIFIED, verdicts=verdicts, parts=parts, attributed=frozenset(), proposed={})
    text = reports_text.verify_text(report)
    places = [
        text.index(piece)
        for piece in ("# Orders", "CartErrorRateHigh fires.", "| a | b |\n|---|---|", "kubectl", "Was it DNS?", "bind.")
    ]
    assert places == sorted(places)
    assert reports_json.verify_json(report)["report"][1] == {"text": "CartErrorRateHigh fires.", "claim_id": "c1"}
