"""Rows -> Answer: the one place that decides what of a session may be shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import orjson

from groundwire.domain.answer import Answer, Claim, ShownClaim, ShownEvidence
from groundwire.domain.evidence import EvidenceEntry
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import (
    MATERIAL_KINDS,
    ClaimKind,
    ClaimRole,
    Decision,
    DegradedReason,
    EvidenceLevel,
    InvocationStatus,
    QuestionKind,
    StepKind,
    StepRole,
    ToolName,
    Trust,
    Verdict,
)
from groundwire.domain.raw_path import parse_ref, resolve
from groundwire.domain.session import AT_LIMIT, NO_DRAFT, NO_REPAIR, AgentStep, DiagnosisSession
from groundwire.domain.usage import Usage
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.evidence.coverage import asked_for, assumptions, coverage_of, gaps, nothing_asked
from groundwire.evidence.items import bounded
from groundwire.evidence.model_advice import limit_advice, model_advice
from groundwire.evidence.next_steps import next_steps
from groundwire.ports import OutputStore
from groundwire.services.reading_notes import reading_notes

_MOST_UNCITED: Final = 5
_LONGEST_REASON: Final = 300
_LEVELS: Final = {EvidenceLevel.DIRECT: 0, EvidenceLevel.INDIRECT: 1, EvidenceLevel.NONE: 2}
_TRUSTS: Final = {Trust.MEASURED: 0, Trust.EMITTED: 1, Trust.WRITTEN: 2}
_TRUST_OF: Final = {ToolName.QUERY_METRICS: Trust.MEASURED, ToolName.LOOKUP_KNOWLEDGE: Trust.WRITTEN}


def assemble(
    session: DiagnosisSession,
    rows: Sequence[ToolInvocation],
    evaluation: VerifierEvaluation,
    entries: Sequence[EvidenceEntry],
    outputs: OutputStore,
    *,
    steps: Sequence[AgentStep] = (),
) -> Answer:
    """Return the answer of a decided session.

    ``steps`` say how the question was read, why an investigation was cut off, and what its models took. Under REJECT nothing in
    it depends on the draft: the same rows, question and decision always give the same answer.
    """
    decision = evaluation.decision
    verdicts = [_shown(item) for item in evaluation.claim_verdicts]
    material = [shown for shown in verdicts if shown.claim.kind in MATERIAL_KINDS]
    rejected = decision is Decision.REJECT
    claims = () if rejected else tuple(shown for shown in verdicts if _may_show(shown))
    refs = dict.fromkeys(ref for shown in claims for ref in shown.claim.refs) or _strongest(rows)
    return Answer(
        session_id=session.id,
        question=session.question,
        question_kind=session.question_kind,
        subjects=session.subjects,
        window=session.window,
        window_source=session.window_source,
        decision=decision,
        degraded_reason=evaluation.degraded_reason,
        claims=claims,
        hidden_count=0 if rejected else len(verdicts) - len(claims),
        held_count=0 if rejected else sum(shown.verdict is Verdict.SUPPORTED for shown in material),
        checked_count=0 if rejected else len(material),
        evidence=tuple(_evidence(refs, rows, outputs)),
        excerpts=tuple(excerpt for entry in entries for excerpt in entry.excerpts),
        coverage=coverage_of(rows),
        missing=(
            *_missing(session.question_kind, evaluation, rows),
            *_cut_off(evaluation, steps),
            *_no_opinion(evaluation),
            *gaps(rows),
        ),
        next_steps=next_steps(rows, session.id, models=_advice(evaluation, steps)),
        gap=None if rejected else nothing_asked(_cited_rows(evaluation, rows)),
        notes=() if rejected else (*reading_notes(steps), *_not_repaired(steps), *assumptions(rows)),
        step_count=session.step_count,
        tool_call_count=session.tool_call_count,
        model=session.model,
        judge=_judge_asked(evaluation, steps),
        usage=Usage.of(steps),
        limit=_limit(steps),
    )


def _cited_rows(evaluation: VerifierEvaluation, rows: Sequence[ToolInvocation]) -> list[ToolInvocation]:
    refs = (ref for item in evaluation.claim_verdicts if item["role"] != ClaimRole.CONTEXT for ref in item["refs"])
    seqs = {parsed.seq for ref in refs if (parsed := parse_ref(ref)) is not None}
    return [row for row in rows if row.seq in seqs]


def _shown(item: Mapping[str, Any]) -> ShownClaim:
    # What anybody could have written into a log is never shown as a fact.
    text = f"{item['voice']}: {item['text']}" if item.get("voice") else item["text"]
    claim = Claim(id=item["id"], text=text, refs=tuple(item["refs"]), kind=ClaimKind(item["kind"]), role=ClaimRole(item["role"]))
    return ShownClaim(claim=claim, verdict=Verdict(item["verdict"]), reason=item["reason"])


def _may_show(shown: ShownClaim) -> bool:
    """A statement is shown when it holds; a hypothesis or advice, as such, unless what it cites does not exist."""
    if shown.claim.kind in MATERIAL_KINDS:
        return shown.verdict is Verdict.SUPPORTED
    return shown.verdict in (Verdict.SUPPORTED, Verdict.UNCHECKABLE)


def _strongest(rows: Sequence[ToolInvocation]) -> Iterable[str]:
    refs = [ref for row in rows if row.status is InvocationStatus.EVIDENCE for ref in row.evidence_refs]
    refs.sort(key=lambda ref: (_LEVELS[ref.level], _TRUSTS[ref.trust]))
    return [ref.ref_id for ref in refs[:_MOST_UNCITED]]


def _evidence(refs: Iterable[str], rows: Sequence[ToolInvocation], outputs: OutputStore) -> Iterable[ShownEvidence]:
    by_seq = {row.seq: row for row in rows}
    loaded: dict[str, Any] = {}
    for ref_id in refs:
        parsed = parse_ref(ref_id)
        row = None if parsed is None else by_seq.get(parsed.seq)
        if parsed is None or row is None:
            continue
        if parsed.raw_path in ("$", "$.summary"):
            yield _call_evidence(ref_id, parsed.raw_path, row)
            continue
        if row.id not in loaded:
            raw = outputs.load_output(row.id)
            loaded[row.id] = None if raw is None else orjson.loads(raw)
        yield from _item_evidence(ref_id, row, loaded[row.id])


def _item_evidence(ref_id: str, row: ToolInvocation, output: Any) -> Iterable[ShownEvidence]:
    ref = next((ref for ref in row.evidence_refs if ref.ref_id == ref_id), None)
    if ref is None:
        return
    try:
        item = resolve(output, ref.raw_path)
    except LookupError:
        item = {}
    yield ShownEvidence(
        ref_id=ref_id,
        raw_path=ref.raw_path,
        text=ref.text,
        level=ref.level,
        trust=ref.trust,
        tool_name=row.tool_name,
        source=str(item.get("source") or row.backend or row.tool_name),
        time=item.get("timestamp") or item.get("active_at") or (item.get("seen") or {}).get("first_at"),
    )


def _call_evidence(ref_id: str, raw_path: str, row: ToolInvocation) -> ShownEvidence:
    counted = row.total_count if row.total_count is not None else row.returned_count
    found = f"{counted} matched" if row.status is InvocationStatus.EVIDENCE else row.status.replace("_", " ")
    levels = [ref.level for ref in row.evidence_refs]
    return ShownEvidence(
        ref_id=ref_id,
        raw_path=raw_path,
        text=f"{asked_for(row)}: {found}",
        level=min(levels, key=_LEVELS.__getitem__, default=EvidenceLevel.NONE),
        trust=_TRUST_OF.get(ToolName(row.tool_name), Trust.EMITTED) if row.tool_name in list(ToolName) else Trust.EMITTED,
        tool_name=row.tool_name,
        source=row.backend or row.tool_name,
        time=None,
    )


def _cut_off(evaluation: VerifierEvaluation, steps: Sequence[AgentStep]) -> list[str]:
    """Return why an investigation gave no whole draft, in the words of whoever failed."""
    if evaluation.degraded_reason is not DegradedReason.DRAFT_INCOMPLETE:
        return []
    failed = [step for step in steps if step.role is StepRole.EXECUTOR and step.error_message and _ends_it(step)]
    return [f"The investigation was cut off: {str(failed[-1].error_message).rstrip('.')}."] if failed else []


def _no_opinion(evaluation: VerifierEvaluation) -> list[str]:
    """Return why there is no second opinion, in the words of whoever was to give it."""
    if evaluation.degraded_reason is not DegradedReason.VERIFIER_UNAVAILABLE or not evaluation.verifier_output:
        return []
    return [f"A second opinion: {evaluation.verifier_output.removesuffix('.')[:_LONGEST_REASON]}."]


def _judge_asked(evaluation: VerifierEvaluation, steps: Sequence[AgentStep]) -> str | None:
    """Return the language model that judged; a judge of another kind takes no tokens and costs nothing that is known."""
    is_asked = any(step.kind is StepKind.MODEL and step.role is StepRole.VERIFIER for step in steps)
    return str(evaluation.grounding.get("judge")).removeprefix("model:") if is_asked else None


def _advice(evaluation: VerifierEvaluation, steps: Sequence[AgentStep]) -> tuple[str, ...]:
    if evaluation.decision is not Decision.LOW_CONFID:
        return ()
    has_draft = evaluation.degraded_reason is not DegradedReason.DRAFT_INCOMPLETE
    return (*model_advice(steps, has_draft=has_draft), *limit_advice(_limit(steps)))


def _ends_it(step: AgentStep) -> bool:
    return step.kind is StepKind.MODEL or step.finish_reason == NO_DRAFT or "ended early" in step.request_summary


def _not_repaired(steps: Sequence[AgentStep]) -> list[str]:
    """Return why what did not hold was not put right, where a repair round was begun."""
    said = [step.response_text for step in steps if step.kind is StepKind.HELPER and step.finish_reason == NO_REPAIR]
    why = [bounded(" ".join((text or "no reason was given").split()).rstrip("."), _LONGEST_REASON) for text in said]
    return [f"The round to put right what did not hold brought no draft ({text}): the draft before it stands." for text in why]


def _limit(steps: Sequence[AgentStep]) -> str | None:
    """Return the limit at which an investigation ended, in words; of several the one that was reached last."""
    reached = [step.response_text for step in steps if step.kind is StepKind.HELPER and step.finish_reason == AT_LIMIT]
    return reached[-1] if reached else None


def _missing(kind: QuestionKind, evaluation: VerifierEvaluation, rows: Sequence[ToolInvocation]) -> list[str]:
    """Return what the decision itself is missing; empty under PASS, and under REJECT, where it would speak of the draft."""
    if evaluation.decision is not Decision.LOW_CONFID:
        return []
    sentences = []
    supported = {item["kind"] for item in evaluation.claim_verdicts if item["verdict"] == Verdict.SUPPORTED}
    match evaluation.degraded_reason:
        case DegradedReason.QUESTION_NOT_ANSWERED | DegradedReason.NO_DIRECT_EVIDENCE | DegradedReason.UNSUPPORTED_CLAIMS:
            if ClaimKind.SYMPTOM not in supported:
                sentences.append("Direct evidence, inside the window, of what the question asks about.")
            if kind is QuestionKind.DIAGNOSE and ClaimKind.CAUSE not in supported:
                sentences.append("A log line or a runbook section that states the cause.")
        case DegradedReason.DRAFT_INCOMPLETE:
            found = any(row.status is InvocationStatus.EVIDENCE for row in rows)
            sentences.append(
                "A complete draft of what was found."
                if found
                else "Evidence about what was asked, inside the window, that a draft could quote."
            )
        case _:
            pass
    if not rows:
        sentences.append("Any evidence at all: no source was asked.")
    return sentences
