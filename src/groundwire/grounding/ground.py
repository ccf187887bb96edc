"""Claims x evidence -> verdicts. Pure: the same claims and rows always give the same verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.answer import Claim
from groundwire.domain.names import MATERIAL_KINDS, ClaimKind, Verdict
from groundwire.domain.verdict import CheckedFact, ClaimVerdict
from groundwire.grounding.absence import check_absence
from groundwire.grounding.absence_cues import negation_in, states_absence
from groundwire.grounding.asserted import check_asserted
from groundwire.grounding.bearing import rests_on_a_runbook, voice_of, voice_of_a_sign
from groundwire.grounding.causal_words import CAUSAL
from groundwire.grounding.cause import check_cause, is_linked_by_a_runbook
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.counts import check_counts
from groundwire.grounding.durations import check_durations
from groundwire.grounding.facts import refs_of
from groundwire.grounding.fillers import take_fillers
from groundwire.grounding.focus import groups_of
from groundwire.grounding.identifiers import check_identifiers
from groundwire.grounding.numbers import check_numbers
from groundwire.grounding.order import check_order, check_order_left
from groundwire.grounding.polarity import check_polarity
from groundwire.grounding.presence import check_existence
from groundwire.grounding.quantifiers import check_quantifiers
from groundwire.grounding.quotes import QUOTE, check_negated_quotes, check_quotes, quotes_in
from groundwire.grounding.ratios import check_ratios
from groundwire.grounding.scope import check_scope
from groundwire.grounding.series import check_series
from groundwire.grounding.states import check_states
from groundwire.grounding.times import check_time_bounds, check_times
from groundwire.grounding.wording import check_wording, is_in_alphabet

RULES_VERSION: Final = "4"

_LONGEST: Final = 4000

_SAYS_NO: Final = re.compile(r"\b(?:not|no|never|cannot|failed to|unable|without|null)\b|n['’]t\b", re.IGNORECASE)
_REASON_OF_ADVICE: Final = re.compile(
    r"\b(?:because|since|given that|as|seeing that)\s(?P<reason>.{8,})", re.IGNORECASE | re.DOTALL
)
_OF_ALL: Final = re.compile(r"\b(?:all|any|every|each|no|only|both|always|none)\b", re.IGNORECASE)
_GRAVITY: Final = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE)


def ground_claims(claims: Iterable[Claim], base: EvidenceBase) -> tuple[ClaimVerdict, ...]:
    """Return one verdict a claim, in their order."""
    return tuple(ground_claim(claim, base) for claim in claims)


def ground_claim(claim: Claim, base: EvidenceBase) -> ClaimVerdict:
    """Return the verdict on one claim: the gravest of its facts' verdicts, with that fact as the reason."""
    cited: list[Cited] = []
    unknown: list[str] = []
    for ref_id in dict.fromkeys(claim.refs):
        item = base.resolve(ref_id)
        if item is None:
            unknown.append(ref_id)
        else:
            cited.append(item)
    if unknown:
        reason = f"It cites {', '.join(unknown)}, which this session does not have."
        return ClaimVerdict(claim=claim, verdict=Verdict.UNSUPPORTED, reason=reason)
    if claim.kind not in MATERIAL_KINDS:
        return _ground_advice(claim, base) if claim.kind is ClaimKind.RECOMMENDATION and cited else _shown_as_such(claim)
    if not cited:
        return ClaimVerdict(claim=claim, verdict=Verdict.UNSUPPORTED, reason="It cites no evidence.")
    if len(claim.text) > _LONGEST:
        reason = f"It has more than {_LONGEST:,} characters; a claim is one statement."
        return ClaimVerdict(claim=claim, verdict=Verdict.UNCHECKABLE, reason=reason)
    return _ground_in(claim, cited, base)


def _ground_in(claim: Claim, cited: Sequence[Cited], base: EvidenceBase) -> ClaimVerdict:
    facts = min((_facts(claim, group, base) for group in groups_of(claim.text, cited, base)), key=_gravity)
    for verdict in _GRAVITY:
        worst = next((fact for fact in facts if fact.verdict is verdict), None)
        if worst is not None:
            return ClaimVerdict(claim=claim, verdict=verdict, reason=_reason(worst), facts=tuple(facts))
    if not facts:
        reason = "It states nothing that could be looked up in what it cites."
        return ClaimVerdict(claim=claim, verdict=Verdict.UNCHECKABLE, reason=reason)

    def holds(items: Sequence[Cited]) -> bool:
        return any((held := _facts(claim, group, base)) and not _gravity(held) for group in groups_of(claim.text, items, base))

    by_sign = is_linked_by_a_runbook(facts)
    if not by_sign and rests_on_a_runbook(claim.text, cited, holds):
        reason = "A part of it stands in the runbook alone: a runbook says what may be, not what happened."
        return ClaimVerdict(claim=claim, verdict=Verdict.UNSUPPORTED, reason=reason, facts=tuple(facts))
    return ClaimVerdict(
        claim=claim,
        verdict=Verdict.SUPPORTED,
        reason=_held(facts, cited),
        facts=tuple(facts),
        voice=voice_of_a_sign(claim.text) if by_sign else voice_of(claim.text, cited, holds),
    )


def _shown_as_such(claim: Claim) -> ClaimVerdict:
    return ClaimVerdict(claim=claim, verdict=Verdict.UNCHECKABLE, reason=f"A {claim.kind} states no fact and is shown as one.")


def _ground_advice(claim: Claim, base: EvidenceBase) -> ClaimVerdict:
    """Return advice as such where it gives no reason or one that holds; a reason that does not hold takes the advice with it."""
    given = _REASON_OF_ADVICE.search(claim.text)
    if given is None:
        return _shown_as_such(claim)
    reason = ground_claim(replace(claim, text=given["reason"].strip(), kind=ClaimKind.OBSERVATION), base)
    if reason.verdict in (Verdict.SUPPORTED, Verdict.UNCHECKABLE):
        return replace(_shown_as_such(claim), facts=reason.facts)
    said = f"The reason of this advice does not hold. {reason.reason}"
    return ClaimVerdict(claim=claim, verdict=Verdict.UNSUPPORTED, reason=said, facts=reason.facts)


def _gravity(facts: Sequence[CheckedFact]) -> int:
    return max((len(_GRAVITY) - _GRAVITY.index(fact.verdict) for fact in facts if fact.verdict in _GRAVITY), default=0)


def _facts(claim: Claim, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    text = ClaimText(" ".join(claim.text.split()))
    facts = check_asserted(claim.facts, cited) + check_negated_quotes(text, cited) + check_quotes(text, cited)
    of_series = check_series(text, cited)  # first: "never above 90 %" is computed, and no absence
    facts += of_series
    take_fillers(text)
    whole = text.rest
    # What a runbook says of causes and orders is its own: nothing of it happened here.
    is_written = all(item.kind is CitedKind.BLOCK for item in cited)
    joins = not is_written and CAUSAL.search(text.rest) is not None
    is_cause = claim.kind is ClaimKind.CAUSE or joins
    facts += [] if is_written else check_time_bounds(text, cited) + check_order(text, cited)
    negation = negation_in(text.rest)
    is_absence = (claim.kind is ClaimKind.ABSENCE and not of_series) or (_has_call(cited) and states_absence(text.rest))
    if is_absence:
        facts += check_absence(text, cited, base)
    elif negation is None:
        facts += check_existence(text, cited, base)
    elif not any(item.kind in (CitedKind.LOG, CitedKind.BLOCK) for item in cited):
        facts += _check_negated_words(text.rest, negation, cited)
    of_cause = check_cause(text, cited) if is_cause else []
    facts += of_cause
    # A program that states why it failed names whom it waited for: that part is its word, and shown as such.
    is_stated = bool(of_cause) and joins and all(fact.verdict is Verdict.SUPPORTED for fact in of_cause)
    facts += check_scope(QUOTE.sub(" ", text.whole), cited, base, is_quoted=bool(quotes_in(claim.text)), is_stated=is_stated)
    if not is_absence:
        facts += check_polarity(text, whole, cited, base.services_in(whole))
    checks: list[Callable[[], list[CheckedFact]]] = (
        []
        if is_written
        else [
            lambda: check_durations(text, cited),
            lambda: check_times(text, cited),
            lambda: check_order_left(text, cited),
            lambda: [] if is_absence or _says_all_itself(text, cited) else check_quantifiers(text, cited, base),
            lambda: check_ratios(text, cited),
            lambda: check_counts(text, cited, base),
            lambda: [] if is_absence else check_states(text, cited),
        ]
    )
    for check in checks:
        facts += check()
    facts += check_numbers(text, cited) + check_identifiers(text, cited, base)
    anchors = sum(1 for fact in facts if fact.verdict is Verdict.SUPPORTED)
    return facts + _check_words_left(text, cited, base, is_absence=is_absence, anchors=anchors)


def _says_all_itself(text: ClaimText, cited: Sequence[Cited]) -> bool:
    """Return whether each cited text speaks of all itself: "passenger 7 is not on any list" is no count of records."""
    if not all(item.kind in (CitedKind.LOG, CitedKind.BLOCK) for item in cited):
        return False
    said = {match[0].lower() for match in _OF_ALL.finditer(text.rest)}
    there = [{match[0].lower() for match in _OF_ALL.finditer(item.text)} for item in cited]
    if not said or not all(said <= words or words & {"all", "any", "every", "each", "no"} for words in there):
        return False
    text.take_all(_OF_ALL)
    return True


def _has_call(cited: Sequence[Cited]) -> bool:
    return any(item.kind is CitedKind.CALL for item in cited)


def _check_negated_words(text: str, negation: re.Match[str], cited: Sequence[Cited]) -> list[CheckedFact]:
    """A negation that cites single items holds only where they themselves say no; of what, the other rules see."""
    phrase = negation[0].lower()
    holds = all(_negates(phrase, item.text) for item in cited)
    return [
        CheckedFact(
            claimed=f"“{phrase}”",
            looked_in=", ".join(item.ref_id for item in cited),
            found=phrase if holds else "an absence needs a whole call, such as i2.summary",
            verdict=Verdict.SUPPORTED if holds else Verdict.UNSUPPORTED,
        )
    ]


def _negates(phrase: str, text: str) -> bool:
    """Return whether a line says no: in the claim's word, or in another one of those that programs use."""
    return re.search(rf"\b{re.escape(phrase)}\b", text, re.IGNORECASE) is not None or _SAYS_NO.search(text) is not None


def _check_words_left(
    text: ClaimText, cited: Sequence[Cited], base: EvidenceBase, *, is_absence: bool, anchors: int
) -> list[CheckedFact]:
    if is_in_alphabet(text.rest):
        return check_wording(text, cited, base, is_absence=is_absence, anchors=anchors)
    return [
        CheckedFact(
            claimed="its words",
            looked_in=", ".join(item.ref_id for item in cited),
            found="they are in a language whose words are not checked; only its facts are",
            verdict=Verdict.UNCHECKABLE,
        )
    ]


def _reason(fact: CheckedFact) -> str:
    if fact.verdict is Verdict.CONTRADICTED:
        return f"It says {fact.claimed}; {fact.looked_in} says {fact.found}."
    if fact.verdict is Verdict.UNCHECKABLE:
        return f"It cannot be checked: {fact.claimed} in {fact.looked_in or 'nothing'}: {fact.found}."
    found = f": {fact.found}" if fact.found else ""
    return f"{fact.claimed} is not borne out by {fact.looked_in or 'anything cited'}{found}."


def _held(facts: Sequence[CheckedFact], cited: Sequence[Cited]) -> str:
    count = "1 fact" if len(facts) == 1 else f"{len(facts)} facts"
    return f"{count} found in {refs_of(cited)}."
