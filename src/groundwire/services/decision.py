"""The decision on a draft: the first row of the table that applies. It fails closed, and no judge can raise it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.domain.answer import Draft
from groundwire.domain.incident import Question
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import (
    MATERIAL_KINDS,
    ClaimKind,
    ClaimRole,
    Decision,
    DegradedReason,
    InvocationStatus,
    QuestionKind,
    ToolName,
    Verdict,
)
from groundwire.domain.raw_path import parse_ref
from groundwire.domain.verdict import ClaimVerdict
from groundwire.grounding.cited import EvidenceBase
from groundwire.services.judgement import Judgement
from groundwire.services.relevance import are_linked, covers, is_known, is_of_alerts, is_of_subject, is_state


class Decided(NamedTuple):
    """A decision and, unless it is PASS, its reason."""

    decision: Decision
    degraded_reason: DegradedReason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that a decision rests on. ``judgement`` is the second opinion, or grounding's own where no judge is configured."""

    question: Question
    draft: Draft
    verdicts: Sequence[ClaimVerdict]
    rows: Sequence[ToolInvocation]
    judgement: Judgement
    evidence: EvidenceBase

    def supported(self, *kinds: ClaimKind) -> list[ClaimVerdict]:
        return [v for v in self.verdicts if v.verdict is Verdict.SUPPORTED and v.claim.kind in kinds]

    def rested_on(self) -> list[ClaimVerdict]:
        return [v for v in self.verdicts if v.claim.role is not ClaimRole.CONTEXT]

    def rows_under(self, verdicts: Iterable[ClaimVerdict]) -> list[ToolInvocation]:
        seqs = {parsed.seq for v in verdicts for ref in v.claim.refs if (parsed := parse_ref(ref)) is not None}
        return [row for row in self.rows if row.seq in seqs]


def decide(case: Case) -> Decided:
    """Return the decision of the first situation that applies."""
    for applies, decision, reason in _TABLE:
        if applies(case):
            return Decided(decision, reason)
    return Decided(Decision.PASS, None)


def _answer_contradicted(case: Case) -> bool:
    return any(
        v.verdict is Verdict.CONTRADICTED and (v.claim.role is ClaimRole.ANSWER or v.claim.kind is ClaimKind.CAUSE)
        for v in case.verdicts
    )


def _draft_incomplete(case: Case) -> bool:
    return not case.draft.complete or not case.draft.claims


def _no_direct_evidence(case: Case) -> bool:
    causes = [v for v in case.verdicts if v.claim.kind is ClaimKind.CAUSE]
    if any(not _has_direct(v) for v in causes):
        return True
    found = any(row.status is InvocationStatus.EVIDENCE for row in case.rows)
    return not found and not case.supported(ClaimKind.ABSENCE)


def _has_direct(verdict: ClaimVerdict) -> bool:
    return all(f.verdict is Verdict.SUPPORTED for f in verdict.facts if f.claimed == "direct evidence of the cause") and bool(
        verdict.facts
    )


def _coverage_gap(case: Case) -> bool:
    rested = case.rested_on()
    under = case.rows_under(rested)
    if any(v.claim.kind is ClaimKind.ABSENCE for v in rested):
        # "Nothing is wrong" rests on everything that was asked, also on what no claim cites.
        under = [row for row in case.rows if row.tool_name != ToolName.LOOKUP_KNOWLEDGE and _was_tried(row)]
    return any(row.partial or row.status in (InvocationStatus.FAILED, InvocationStatus.RUNNING) for row in under)


def _was_tried(row: ToolInvocation) -> bool:
    return row.error_type not in ("not_configured", "invalid_params")


def _unsupported_claims(case: Case) -> bool:
    rested = any(v.verdict is not Verdict.SUPPORTED for v in case.rested_on())
    return rested or any(v.verdict is Verdict.CONTRADICTED for v in case.verdicts)


def _question_not_answered(case: Case) -> bool:
    return not _ANSWERED[case.question.kind](case)


def _is_diagnosed(case: Case) -> bool:
    symptoms = [v for v in case.supported(ClaimKind.SYMPTOM) if is_of_subject(v, case.evidence)]
    causes = case.supported(ClaimKind.CAUSE)
    return any(are_linked(symptom, cause, case.evidence) for symptom in symptoms for cause in causes)


def _has_state(case: Case) -> bool:
    stated = case.supported(ClaimKind.ABSENCE, ClaimKind.SYMPTOM, ClaimKind.OBSERVATION)
    answers = [v for v in stated if v.claim.role is ClaimRole.ANSWER and is_state(v, case.evidence)]
    if case.question.is_about_alerts:
        answers = [v for v in answers if is_of_alerts(v, case.evidence)]
    return bool(answers) and covers(answers, case.evidence)


def _is_looked_up(case: Case) -> bool:
    claims = [v for v in case.supported(*MATERIAL_KINDS) if v.claim.role is ClaimRole.ANSWER]
    return any(is_known(v, case.evidence) for v in claims)


_ANSWERED: Mapping[QuestionKind, Callable[[Case], bool]] = {
    QuestionKind.DIAGNOSE: _is_diagnosed,
    QuestionKind.STATUS: _has_state,
    QuestionKind.LOOKUP: _is_looked_up,
}


def _judge_failed_with(reason: DegradedReason) -> Callable[[Case], bool]:
    return lambda case: case.judgement.fault is reason


_TABLE: Sequence[tuple[Callable[[Case], bool], Decision, DegradedReason]] = (
    (_answer_contradicted, Decision.REJECT, DegradedReason.CONTRADICTED),
    (lambda case: case.judgement.decision is Decision.REJECT, Decision.REJECT, DegradedReason.JUDGE_REJECTED),
    (_draft_incomplete, Decision.LOW_CONFID, DegradedReason.DRAFT_INCOMPLETE),
    *(
        (_judge_failed_with(reason), Decision.LOW_CONFID, reason)
        for reason in (
            DegradedReason.VERIFIER_MISSING,
            DegradedReason.VERIFIER_INVALID_JSON,
            DegradedReason.VERIFIER_INVALID_SCHEMA,
            DegradedReason.VERIFIER_UNAVAILABLE,
        )
    ),
    (_no_direct_evidence, Decision.LOW_CONFID, DegradedReason.NO_DIRECT_EVIDENCE),
    (_coverage_gap, Decision.LOW_CONFID, DegradedReason.COVERAGE_GAP),
    (_unsupported_claims, Decision.LOW_CONFID, DegradedReason.UNSUPPORTED_CLAIMS),
    (_question_not_answered, Decision.LOW_CONFID, DegradedReason.QUESTION_NOT_ANSWERED),
    (
        lambda case: case.judgement.decision is Decision.LOW_CONFID,
        Decision.LOW_CONFID,
        DegradedReason.JUDGE_LOW_CONFIDENCE,
    ),
)
