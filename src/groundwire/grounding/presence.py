"""Presence: what a whole search did not find is not there, and a claim that it is says the opposite."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.domain.names import InvocationStatus, ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.absence_cues import states_absence
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.count_words import levels_in
from groundwire.grounding.facts import fact
from groundwire.grounding.quotes import QUOTE, quotes_in
from groundwire.grounding.selection import Selection, asked_level, asked_service, asks_for, count, has_query


def check_existence(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact where a claim that denies nothing cites only calls that found nothing.

    It is contradicted where such a call was whole and asked for the very thing, otherwise unsupported.
    """
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    empty = [item for item in calls if item.call.row.status is InvocationStatus.NO_EVIDENCE]
    if not calls or len(empty) < len(cited):
        return []
    is_denied = any(_asked_for_it(claim, call, base) for call in empty)
    verdict = Verdict.CONTRADICTED if is_denied else Verdict.UNSUPPORTED
    return [fact("that something is there", empty, "the call completed and found nothing", verdict)]


def check_levels_there(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each level that is left in a claim about log searches: records of it must be there."""
    levels = levels_in(claim.rest)
    if not levels or any(item.kind is not CitedKind.CALL or item.call.row.tool_name != ToolName.QUERY_LOGS for item in cited):
        return []
    if states_absence(QUOTE.sub(" ", claim.whole)):
        return []
    facts = []
    for level in levels:
        counts = [(call, count(call, Selection(levels=(level,), is_of_search=True, text=claim.whole))) for call in cited]
        known = [(call, counted) for call, counted in counts if counted.number is not None]
        if not known:
            continue
        call, best = max(known, key=lambda pair: pair[1].number or 0)
        named, asked = base.services_in(claim.rest), asked_service(call)
        is_sure = best.is_exact and (named == {asked} or (asked is None and not named))
        missing = Verdict.CONTRADICTED if is_sure else Verdict.UNSUPPORTED
        found = f"{best.number} records"
        facts.append(
            fact(f"records of {level.shown}", f"{call.ref_id} {best.where}", found, Verdict.SUPPORTED if best.number else missing)
        )
        claim.rest = claim.rest[: level.start] + " " * (level.end - level.start) + claim.rest[level.end :]
    return facts


def _asked_for_it(claim: ClaimText, call: Cited, base: EvidenceBase) -> bool:
    summary, named = call.item["summary"], base.services_in(claim.rest)
    levels, quotes, asked = levels_in(claim.rest), quotes_in(claim.whole), asked_level(call)
    return (
        call.call.row.tool_name == ToolName.QUERY_LOGS
        and not call.call.row.partial
        and summary.get("total_is_exact") is not False
        and bool((summary.get("in_scope") or {}).get("total"))
        and (named == {asked_service(call)} or (asked_service(call) is None and not named))
        and bool(levels or quotes)
        and (not levels or not quotes)
        and (asks_for(call, quotes) if quotes else not has_query(call))
        and (asked is None or all(level.lowest >= asked for level in levels))
    )
