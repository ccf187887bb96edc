"""An answer as plain text: the decision first, then only what that decision allows to be said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Final

from groundwire.domain.answer import Answer, ShownClaim
from groundwire.domain.names import MATERIAL_KINDS, ClaimKind, ClaimRole, Decision, QuestionKind, Verdict
from groundwire.domain.visible import visible
from groundwire.rendering.footnotes import Footnotes, evidence_lines, without_marks
from groundwire.rendering.header import coverage_lines, head, labelled, model_lines, more_lines
from groundwire.rendering.layout import NARROWEST, bullets, shorten, wrap
from groundwire.rendering.reasons import missing, why, withheld

_KIND_WORDS: Final[Mapping[ClaimKind, str]] = {
    ClaimKind.SYMPTOM: "Symptom",
    ClaimKind.CAUSE: "Cause",
    ClaimKind.OBSERVATION: "Observed",
    ClaimKind.ABSENCE: "Not there",
}
_MOST_EXCERPTS: Final = 8
_EXCERPT_COLUMNS: Final = 300


def render_text(answer: Answer, *, width: int = 80, local_zone: tzinfo | None = None) -> str:
    """Return the answer in lines of at most ``width`` columns (40 at least), without a newline at the end.

    ``local_zone`` is the zone of the reader's own time, the machine's when it is None. The same answer always gives the
    same text.
    """
    width = max(width, NARROWEST)
    match answer.decision:
        case Decision.PASS:
            sections = _passed(answer, width)
        case Decision.LOW_CONFID:
            sections = _low_confidence(answer, width)
        case Decision.REJECT:
            sections = _rejected(answer, width)
    first, *others = sections
    first = first + _at_limit(answer, width)
    return "\n\n".join("\n".join(lines) for lines in [first, head(answer, width, local_zone), *others] if lines)


def _at_limit(answer: Answer, width: int) -> list[str]:
    if answer.limit is None:
        return []
    return wrap(f"The investigation ended at its limit of {answer.limit}; nothing beyond was looked at.", width)


def shown_claims(answer: Answer) -> tuple[ShownClaim, ...]:
    """Return the claims that the decision allows to be seen, whatever else the answer holds.

    What is material must be supported. Advice belongs to a confirmed answer only, and nothing is seen of a rejected draft.
    """
    if answer.decision is Decision.REJECT:
        return ()
    return tuple(shown for shown in answer.claims if _is_allowed(shown, answer.decision))


def _is_allowed(shown: ShownClaim, decision: Decision) -> bool:
    if shown.claim.kind in MATERIAL_KINDS:
        return shown.verdict is Verdict.SUPPORTED
    if shown.claim.kind is ClaimKind.RECOMMENDATION and decision is not Decision.PASS:
        return False
    return shown.verdict is not Verdict.CONTRADICTED


def _passed(answer: Answer, width: int) -> list[list[str]]:
    claims, notes = shown_claims(answer), Footnotes(answer)
    noun = "diagnosis" if answer.question_kind is QuestionKind.DIAGNOSE else "answer"
    return [
        wrap(f"PASS: recorded evidence supports this {noun}.", width) + _in_a_word(answer, claims),
        _claims("Symptom", _of_kind(claims, ClaimKind.SYMPTOM), notes, width),
        _claims("Deepest confirmed cause", _of_kind(claims, ClaimKind.CAUSE), notes, width),
        _claims("Answer", _statements(claims, is_answer=True), notes, width),
        _claims("Also observed", _statements(claims, is_answer=False), notes, width),
        _hypotheses(claims, notes, width),
        _claims("Advice", _of_kind(claims, ClaimKind.RECOMMENDATION), notes, width),
        _remarks(answer, width),
        _section("Evidence", notes.lines(width)),
        coverage_lines(answer.coverage, width) + model_lines(answer, width),
        more_lines(answer.session_id, notes.first_ref, width),
    ]


_ACTIVE: Final = re.compile(r"\b(?:firing|pending)\b")


def _in_a_word(answer: Answer, claims: Sequence[ShownClaim]) -> list[str]:
    """Return what a question about health is answered with; at night PASS alone would read as "healthy"."""
    if answer.question_kind is not QuestionKind.STATUS:
        return []
    # Whatever else than an absence answers this is a sign of trouble, whichever kind its author calls it.
    answers = [shown.claim for shown in claims if shown.claim.role is ClaimRole.ANSWER and shown.claim.kind in MATERIAL_KINDS]
    is_ill = any(claim.kind is not ClaimKind.ABSENCE for claim in answers) or any(
        ".alerts." in shown.ref_id and _ACTIVE.search(shown.text) for shown in answer.evidence
    )
    return ["Trouble was found." if is_ill else "Nothing wrong was found in what was checked."]


def _low_confidence(answer: Answer, width: int) -> list[list[str]]:
    claims, notes = shown_claims(answer), Footnotes(answer)
    noun = "diagnosis" if answer.question_kind is QuestionKind.DIAGNOSE else "answer"
    supported = [f"{_KIND_WORDS[c.claim.kind]}: {_cited(c, notes)}" for c in claims if c.claim.kind in MATERIAL_KINDS]
    return [
        wrap(f"LOW_CONFID: the {noun} is not confirmed.", width) + wrap(why(answer), width),
        _section("What the evidence supports", bullets(supported or ["Nothing that was claimed."], width)),
        [] if claims else _section("What the evidence says", _found(answer, width)),
        _hypotheses(claims, notes, width),
        _remarks(answer, width),
        _section("Evidence", notes.lines(width)),
        coverage_lines(answer.coverage, width) + model_lines(answer, width),
        _section("What is missing", bullets(missing(answer), width)),
        _section("What to check next", bullets(answer.next_steps, width)),
        more_lines(answer.session_id, notes.first_ref, width),
    ]


def _rejected(answer: Answer, width: int) -> list[list[str]]:
    """Return the degraded template. Counts, notes and claims of the answer depend on the draft and stay out of it."""
    ref = answer.evidence[0].ref_id if answer.evidence else None
    return [
        wrap(f"REJECT: {withheld(answer.degraded_reason)}", width),
        coverage_lines(answer.coverage, width) + model_lines(answer, width),
        _section("What the evidence says", _found(answer, width) or bullets(["Nothing was found."], width)),
        _section("What to check next", bullets(answer.next_steps, width)),
        more_lines(answer.session_id, ref, width),
    ]


def _found(answer: Answer, width: int) -> list[str]:
    """Return the strongest of what was found, in its own words and not in a draft's."""
    found = [line for item in answer.evidence[:_MOST_EXCERPTS] for line in evidence_lines(item, width, first="  - ")]
    shown = [visible(item.text) for item in answer.evidence[:_MOST_EXCERPTS]]
    refs = tuple(f"[{item.ref_id}]" for item in answer.evidence[:_MOST_EXCERPTS])
    others = [text for text in answer.excerpts[:_MOST_EXCERPTS] if not any(visible(text) in other for other in shown)]
    others = [text for text in others if not text.startswith(refs)]
    return found + bullets([shorten(text, _EXCERPT_COLUMNS) for text in others], width)


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *lines] if lines else []


def _claims(title: str, claims: Iterable[ShownClaim], notes: Footnotes, width: int) -> list[str]:
    return _section(title, bullets([_cited(shown, notes) for shown in claims], width))


def _hypotheses(claims: tuple[ShownClaim, ...], notes: Footnotes, width: int) -> list[str]:
    guesses = [f"Possible, not confirmed: {_cited(shown, notes)}" for shown in _of_kind(claims, ClaimKind.HYPOTHESIS)]
    return _section("Hypotheses", bullets(guesses, width))


def _cited(shown: ShownClaim, notes: Footnotes) -> str:
    text = shown.claim.text if shown.claim.kind in MATERIAL_KINDS else without_marks(shown.claim.text, shown.claim.refs)
    return f"{text} {notes.marks(shown.claim.refs, shown.claim.text)}".strip()


def _of_kind(claims: tuple[ShownClaim, ...], kind: ClaimKind) -> list[ShownClaim]:
    """Return the claims of a kind, what was asked for before what supports it."""
    order = list(ClaimRole)
    return sorted((c for c in claims if c.claim.kind is kind), key=lambda c: order.index(c.claim.role))


def _statements(claims: tuple[ShownClaim, ...], *, is_answer: bool) -> list[ShownClaim]:
    kinds = (ClaimKind.OBSERVATION, ClaimKind.ABSENCE)
    return [c for c in claims if c.claim.kind in kinds and (c.claim.role is ClaimRole.ANSWER) is is_answer]


def _remarks(answer: Answer, width: int) -> list[str]:
    lines: list[str] = []
    if answer.hidden_count:
        one = answer.hidden_count == 1
        counted = "1 statement" if one else f"{answer.hidden_count} statements"
        lines += wrap(f"{counted} not shown: the evidence does not support {'it' if one else 'them'}.", width)
    for note in answer.notes:
        lines += labelled("Note", note, width)
    return lines
