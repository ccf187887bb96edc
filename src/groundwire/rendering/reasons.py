"""The fixed sentences of the degraded outputs: why a diagnosis is not confirmed, and what is missing for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from groundwire.domain.answer import Answer
from groundwire.domain.names import DegradedReason as Reason
from groundwire.domain.names import QuestionKind

_WHY: Final[Mapping[Reason, str]] = {
    Reason.CONTRADICTED: "the draft was contradicted by the evidence it cites",
    Reason.JUDGE_REJECTED: "the second opinion rejected the draft",
    Reason.DRAFT_INCOMPLETE: "nothing was found that could be stated, or the investigation was cut off",
    Reason.NO_DIRECT_EVIDENCE: "no direct evidence was found in the window",
    Reason.COVERAGE_GAP: "a source that the answer rests on failed or answered only in part",
    Reason.UNSUPPORTED_CLAIMS: "a statement that the answer rests on is not supported by the evidence it cites",
    Reason.QUESTION_NOT_ANSWERED: "what the evidence supports does not answer the question",
    Reason.JUDGE_LOW_CONFIDENCE: "the second opinion asks for less confidence",
}

# Only the second opinion is missing: how it failed to arrive.
_NO_SECOND_OPINION: Final[Mapping[Reason, str]] = {
    Reason.VERIFIER_MISSING: "it returned nothing",
    Reason.VERIFIER_INVALID_JSON: "what it returned is not JSON",
    Reason.VERIFIER_INVALID_SCHEMA: "what it returned does not have the agreed form",
    Reason.VERIFIER_UNAVAILABLE: "it was not asked, could not be reached, or did not answer in time",
}

_MISSING: Final[Mapping[Reason, str]] = {
    Reason.CONTRADICTED: "A statement that the evidence does not contradict.",
    Reason.JUDGE_REJECTED: "A draft that the second opinion accepts.",
    Reason.DRAFT_INCOMPLETE: "Something that could be stated: a complete draft.",
    Reason.VERIFIER_MISSING: "A second opinion.",
    Reason.VERIFIER_INVALID_JSON: "A second opinion that can be read.",
    Reason.VERIFIER_INVALID_SCHEMA: "A second opinion in the agreed form.",
    Reason.VERIFIER_UNAVAILABLE: "A second opinion.",
    Reason.NO_DIRECT_EVIDENCE: "A log line, alert or series from inside the window that shows what happened.",
    Reason.COVERAGE_GAP: "A whole answer from every source that the answer rests on.",
    Reason.UNSUPPORTED_CLAIMS: "Evidence for every statement that the answer rests on.",
    Reason.JUDGE_LOW_CONFIDENCE: "The second opinion's full confidence.",
}

_MISSING_ANSWER: Final[Mapping[QuestionKind, str]] = {
    QuestionKind.DIAGNOSE: "A symptom of what was asked about, inside the window, and a cause that is linked to it.",
    QuestionKind.STATUS: "A state, or an absence, that covers what was asked about for the whole window.",
    QuestionKind.LOOKUP: "Knowledge that is relevant enough to what was asked.",
}


def why(answer: Answer) -> str:
    """Return in one sentence why the answer is not confirmed."""
    reason, holds = answer.degraded_reason, f"{answer.held_count} of {answer.checked_count} claims hold"
    if reason is None:
        return "No reason was recorded."
    if reason in _NO_SECOND_OPINION:
        how = _NO_SECOND_OPINION[reason]
        if answer.checked_count and answer.held_count == answer.checked_count:
            return f"{holds}; the second opinion is missing ({how})."
        return f"The second opinion is missing ({how}); {holds}."
    if reason is Reason.JUDGE_LOW_CONFIDENCE:
        return f"{holds}; {_WHY[reason]}."
    text = answer.gap if reason is Reason.COVERAGE_GAP and answer.gap else _WHY[reason]
    if reason is Reason.DRAFT_INCOMPLETE and answer.coverage.found:
        text = "something was found, and no complete draft states it"
    return f"{text[:1].upper()}{text[1:]}."


def missing(answer: Answer) -> tuple[str, ...]:
    """Return what would be needed for a confirmed answer: what the session says, or else what the reason implies."""
    if answer.missing or answer.degraded_reason is None:
        return answer.missing
    return (_MISSING.get(answer.degraded_reason) or _MISSING_ANSWER[answer.question_kind],)


def withheld(reason: Reason | None) -> str:
    """Return why a draft is not shown, in words that depend on nothing of the draft."""
    if reason is Reason.JUDGE_REJECTED:
        return "the second opinion found the draft contradicted; the draft is withheld."
    return "the draft was contradicted by the evidence and is withheld."
