"""Answers of a made-up incident, for the tests of how answers look."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from groundwire.domain.answer import Answer, Claim, Coverage, CoverageItem, ShownClaim, ShownEvidence
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import (
    ClaimKind,
    ClaimRole,
    Decision,
    DegradedReason,
    EvidenceLevel,
    QuestionKind,
    Trust,
    Verdict,
    WindowSource,
)

SESSION_ID = "01938f2e-7c11-7a3b-9d55-3f2a9c1b77aa"
WINDOW = TimeWindow(start=datetime(2026, 11, 30, 11, 0, tzinfo=UTC), end=datetime(2026, 11, 30, 12, 0, tzinfo=UTC))


def claim(
    text: str,
    *refs: str,
    kind: ClaimKind = ClaimKind.OBSERVATION,
    role: ClaimRole = ClaimRole.CONTEXT,
    verdict: Verdict = Verdict.SUPPORTED,
    claim_id: str = "c1",
) -> ShownClaim:
    return ShownClaim(
        claim=Claim(id=claim_id, text=text, refs=refs, kind=kind, role=role), verdict=verdict, reason="stands in what it cites"
    )


SYMPTOM = claim(
    "CartErrorRateHigh fires for cart-api since 2026-11-30T11:41:00Z with the value 0.31.",
    "i1.alerts.0",
    kind=ClaimKind.SYMPTOM,
    role=ClaimRole.ANSWER,
)
CAUSE = claim(
    "cart-api could not get a connection: the log says 'pool exhausted, active=20/20, waiting=57'.",
    "i2.logs.0",
    "i2.logs.4",
    kind=ClaimKind.CAUSE,
    role=ClaimRole.ANSWER,
    claim_id="c2",
)
HYPOTHESIS = claim("A slow query holds the connections.", kind=ClaimKind.HYPOTHESIS, verdict=Verdict.UNCHECKABLE, claim_id="c3")
ADVICE = claim(
    "Read the runbook section on exhausted pools.",
    "i3.blocks.0",
    kind=ClaimKind.RECOMMENDATION,
    verdict=Verdict.UNCHECKABLE,
    claim_id="c4",
)

EVIDENCE = (
    ShownEvidence(
        ref_id="i1.alerts.0",
        raw_path="$.alerts[0]",
        text="CartErrorRateHigh firing cart-api critical 0.31 since 2026-11-30T11:41:00Z",
        level=EvidenceLevel.DIRECT,
        trust=Trust.MEASURED,
        tool_name="query_metrics",
        source="alerts.json",
        time="2026-11-30T11:41:00Z",
    ),
    ShownEvidence(
        ref_id="i2.logs.0",
        raw_path="$.logs[0]",
        text="2026-11-30T11:43:01Z ERROR cart-api cart-api-7d9f pool exhausted, active=20/20, waiting=57",
        level=EvidenceLevel.DIRECT,
        trust=Trust.EMITTED,
        tool_name="query_logs",
        source="cart-api.log:120",
        time="2026-11-30T11:43:01Z",
    ),
    ShownEvidence(
        ref_id="i2.logs.4",
        raw_path="$.logs[4]",
        text="2026-11-30T10:43:01Z ERROR cart-api cart-api-7d9f pool exhausted, active=20/20, waiting=3",
        level=EvidenceLevel.INDIRECT,
        trust=Trust.EMITTED,
        tool_name="query_logs",
        source="cart-api.log:88",
        time="2026-11-30T10:43:01Z",
    ),
    ShownEvidence(
        ref_id="i3.blocks.0",
        raw_path="$.evidence_blocks[0]",
        text="Exhausted pools pools.md When every connection is taken, callers wait and time out.",
        level=EvidenceLevel.INDIRECT,
        trust=Trust.WRITTEN,
        tool_name="lookup_knowledge",
        source="pools.md",
        time=None,
    ),
)


def _item(ref: str, tool_name: str, text: str) -> CoverageItem:
    return CoverageItem(ref=ref, tool_name=tool_name, topic_domain="cart-api", text=text)


COVERAGE = Coverage(
    found=(
        _item("i1", "query_metrics", "alerts of cart-api: 1"),
        _item("i2", "query_logs", "logs of cart-api, level error: 40 of 118"),
        _item("i3", "lookup_knowledge", "knowledge, 'pool exhausted': 2"),
    ),
    empty=(_item("i4", "query_logs", "logs of cart-db, level error: nothing matched"),),
    deduped=(_item("i5", "lookup_knowledge", "knowledge, 'pool exhausted': no new evidence, repeats i3"),),
    failed=(_item("i6", "query_metrics", "metrics, 'up': timeout: prometheus: no answer within 30 s"),),
    partial=(_item("i2", "query_logs", "logs of cart-api, level error: old.log.gz cannot be read"),),
    not_available=(_item("i7", "query_metrics", "metrics: no source of metrics is configured"),),
)

PASSED = Answer(
    session_id=SESSION_ID,
    question="Why does cart-api fail?",
    question_kind=QuestionKind.DIAGNOSE,
    subjects=("cart-api",),
    window=WINDOW,
    window_source=WindowSource.ALERT,
    decision=Decision.PASS,
    degraded_reason=None,
    claims=(SYMPTOM, CAUSE, HYPOTHESIS, ADVICE),
    hidden_count=2,
    held_count=2,
    checked_count=2,
    evidence=EVIDENCE,
    excerpts=(EVIDENCE[1].text,),
    coverage=COVERAGE,
    missing=(),
    next_steps=(),
    step_count=0,
    tool_call_count=7,
    notes=("times without a zone were read as UTC",),
)


def low_confidence(reason: DegradedReason, *, held: int = 2, checked: int = 2) -> Answer:
    return replace(
        PASSED,
        decision=Decision.LOW_CONFID,
        degraded_reason=reason,
        held_count=held,
        checked_count=checked,
        next_steps=("Ask again for metrics, 'up': i6 failed (prometheus: no answer within 30 s).",),
    )


REJECTED = replace(
    PASSED,
    decision=Decision.REJECT,
    degraded_reason=DegradedReason.CONTRADICTED,
    claims=(),
    evidence=EVIDENCE[:2],
    excerpts=(EVIDENCE[1].text, "Exhausted pools: when every connection is taken, callers wait."),
    next_steps=(f"Read the strongest evidence whole: groundwire evidence {SESSION_ID} i2.logs.0",),
)
