"""Counts: recounted over the cited call, or over the cited items where no call is cited."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.amounts import Amount, amounts_in, is_noun
from groundwire.grounding.blanks import blank, blank_all, blank_spans
from groundwire.grounding.bounds import COMPLETE
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.count_readings import Reading, readings_of
from groundwire.grounding.count_words import ALERT_NOUNS, HELPER, LONGEST_READ, REPEATABLE, SERIES_NOUNS, THINGS
from groundwire.grounding.distinct import count_distinct
from groundwire.grounding.facts import fact
from groundwire.grounding.presence import check_levels_there
from groundwire.grounding.selection import Counted, count, is_answered, selected_items, universes
from groundwire.grounding.shares import check_shares

_STATES: Final = ("firing", "pending", "suppressed", "resolved", "inactive")
_REPEATED: Final = re.compile(
    r"(?:message|last message|line|entry)? ?repeated (?P<n>\d{1,9}) times?|suppressed (?P<m>\d{1,9}) (?:similar |"
    r"identical )?messages?",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]{2,20}")


def check_counts(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each count and each share of the claim.

    A count of a cited call that comes out otherwise is contradicted; one that no call was cited for holds only up to the
    number of cited items of its kind. What a number counts is read from the nouns, levels, services and quotes of the claim;
    a number that announces a count which cannot be read is uncheckable.
    """
    if len(claim.rest) > LONGEST_READ:
        return [fact("its counts", cited, f"it has more than {LONGEST_READ:,} characters", Verdict.UNCHECKABLE)]
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    facts = check_shares(claim, calls, base)
    if not calls:
        return facts + _count_items(claim, cited)
    text = COMPLETE.sub(lambda match: " " * len(match[0]), claim.rest)
    readings = readings_of(text, claim.whole, calls, base)
    for reading in readings:
        checks = [_against_call(reading, call) for call in calls]
        facts.append(next((check for check in checks if check.verdict is Verdict.SUPPORTED), checks[0]))
    if readings:
        blank_spans(claim, [span for reading in readings for span in reading.spans])
    facts += check_levels_there(claim, cited, base)
    if readings:
        blank_all(claim, COMPLETE)
        blank_all(claim, HELPER)
    return facts


def _against_call(reading: Reading, call: Cited) -> CheckedFact:
    shown, amount = reading.shown, reading.amount
    if reading.problem is not None:
        return fact(shown, call.ref_id, reading.problem, Verdict.UNCHECKABLE)
    if amount.bounds is None:
        return fact(shown, call.ref_id, "its bounds contradict each other", Verdict.UNCHECKABLE)
    counts, is_all = _counts(reading, call)
    known = [counted for counted in counts if counted.number is not None]
    if not known:
        where = counts[0].where if counts else "what it found"
        return fact(shown, f"{call.ref_id} {where}", None, Verdict.UNSUPPORTED)
    held = [counted for counted in known if amount.bounds.holds(counted.number or 0, is_exact=counted.is_exact)]
    best = (held or known)[0]
    found = f"{best.number}" if best.is_exact else f"at least {best.number}"
    if held:
        verdict = Verdict.SUPPORTED
    else:
        may_hold = any(amount.bounds.holds(counted.number or 0, is_exact=counted.is_exact) is None for counted in known)
        is_sure = is_all and not may_hold and (reading.is_sure or not best.number)
        verdict = Verdict.CONTRADICTED if is_sure else Verdict.UNSUPPORTED
    return fact(shown, f"{call.ref_id} {best.where}", found, verdict)


def _counts(reading: Reading, call: Cited) -> tuple[list[Counted], bool]:
    """Return the counts that the reading may mean, and whether there is no other way to read it."""
    tool, noun = call.call.row.tool_name, reading.noun
    if not is_answered(call):
        return [Counted(number=None, where="status: it was not answered")], True
    if noun in THINGS or reading.is_distinct:
        return count_distinct(call, noun, reading.selection)
    if tool == ToolName.QUERY_LOGS:
        if reading.amount.is_universe:
            return [Counted(number=n, where=where) for n, where in universes(call, reading.selection)], True
        counted = count(call, reading.selection)
        if noun in REPEATABLE or reading.amount.is_multiplier:
            return [counted, *_with_repeats(call, reading)], True
        return [counted], True
    if tool == ToolName.QUERY_METRICS and noun not in SERIES_NOUNS:
        return [_count_alerts(call, reading)], True
    row = call.call.row
    return [Counted(number=row.returned_count, where="returned_count", is_exact=not row.partial)], True


def _with_repeats(call: Cited, reading: Reading) -> list[Counted]:
    """Count occurrences where lines say of themselves that they stand for several ("message repeated 5 times")."""
    items = selected_items(call, reading.selection)
    if items is None:
        return []
    repeats = [_REPEATED.search(str(item.get("message") or "")[:2000]) for item in items]
    if not any(repeats):
        return []
    return [Counted(number=sum(int(m["n"] or m["m"]) if m else 1 for m in repeats), where="logs, repeats counted")]


def _count_alerts(call: Cited, reading: Reading) -> Counted:
    alerts: list[Mapping[str, Any]] = (call.call.output or {}).get("alerts") or []
    service = reading.selection.service
    taken = [
        alert
        for alert in alerts
        if (not reading.states or alert.get("state") in reading.states)
        and (not reading.severities or str(alert.get("severity")).lower() in reading.severities)
        and (service is None or alert.get("service") == service)
    ]
    said = "".join(f" {word}" for word in (*reading.states, *reading.severities))
    return Counted(number=len(taken), where=f"alerts{said}", is_exact=not call.call.row.partial)


def _count_items(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Without a call a count holds up to the number of cited items; what a line itself counts is left to the numbers."""
    facts: list[CheckedFact] = []
    if not any(is_noun(word) for word in _WORD.findall(claim.rest.lower())):
        return facts  # nothing is there that a number could count
    for amount in amounts_in(claim.rest):
        is_figure = claim.rest[amount.start].isdigit()
        if amount.noun is None or amount.noun in REPEATABLE or (is_figure and _is_in_text(amount, cited)):
            continue
        kind = CitedKind.ALERT if amount.noun in ALERT_NOUNS else CitedKind.LOG
        kind = CitedKind.SERIES if amount.noun in SERIES_NOUNS else kind
        items = {item.ref_id: item for item in cited if item.kind is kind}
        key = THINGS.get(amount.noun)
        held = len({str(item.item.get(key)) for item in items.values() if item.item.get(key)}) if key else len(items)
        verdict = Verdict.SUPPORTED if 0 < amount.number <= held else Verdict.UNSUPPORTED
        shown = claim.rest[amount.start : amount.noun_end].strip()
        facts.append(fact(shown, "the cited items; no whole call is cited", f"{held} cited", verdict))
        blank(claim, amount.start, amount.noun_end)
    return facts


def _is_in_text(amount: Amount, cited: Sequence[Cited]) -> bool:
    return any(re.search(rf"(?<![\w.]){amount.number}(?!\w)", item.text) for item in cited if item.kind is not CitedKind.CALL)
