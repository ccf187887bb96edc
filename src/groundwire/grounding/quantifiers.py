"""Quantifiers: only, all, every, each, always. Over the whole scope of the cited call, or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.levels import parse_level
from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText, folded
from groundwire.grounding.facts import fact
from groundwire.grounding.quotes import quotes_in

_QUANTIFIER: Final = re.compile(
    r"\b(?:(?<!not )(?P<only>only|solely|exclusively|nothing but|nobody but)|"
    r"(?P<all>(?<!above )(?<!after )(?<!at )all|every|each|both|always|without exception|the entire|entirely))\b",
    re.IGNORECASE,
)
_LEVEL_WORD: Final = re.compile(r"\b(trace|debug|info|notice|warn|warning|error|critical|fatal)s?\b", re.IGNORECASE)


def check_quantifiers(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for a claim with a quantifier: supported where the cited call shows the whole, else not."""
    match = next(claim.take(_QUANTIFIER), None)
    if match is None or any(item.kind is CitedKind.SERIES for item in cited):
        return []  # over a series the points are the whole: its own module reads "stayed" and "always"
    for _ in claim.take(_QUANTIFIER):
        pass
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    shown = match[0]
    if not calls:
        return [fact(shown, "no whole call is cited", "a quantifier needs a whole call", Verdict.UNSUPPORTED)]
    results = [_over_call(match, claim, call, base) for call in calls]
    return [next((fact for fact in results if fact.verdict is Verdict.SUPPORTED), results[0])]


def _over_call(match: re.Match[str], claim: ClaimText, call: Cited, base: EvidenceBase) -> CheckedFact:
    row, shown = call.call.row, match[0]
    if row.partial or row.error_type is not None:
        return fact(shown, call.ref_id, "the answer was not whole", Verdict.UNSUPPORTED)
    if row.tool_name == ToolName.QUERY_LOGS:
        return _over_logs(match, claim, call, base)
    if row.tool_name == ToolName.QUERY_METRICS:
        return _over_alerts(match, claim, call, base)
    return fact(shown, call.ref_id, "it cannot be computed over this call", Verdict.UNCHECKABLE)


def _over_logs(match: re.Match[str], claim: ClaimText, call: Cited, base: EvidenceBase) -> CheckedFact:
    summary, shown = call.item["summary"], match[0]
    scope = call.item["scope"]
    levels = {parse_level(word[0].rstrip("s")) for word in _LEVEL_WORD.finditer(claim.whole)} - {None}
    seen = {parse_level(name) for name, count in (summary.get("by_level") or {}).items() if count}
    asked_level = (scope.get("filter") or {}).get("level")
    quotes = quotes_in(claim.whole)
    if quotes:
        query, whole = str((scope.get("filter") or {}).get("query") or ""), (summary.get("in_scope") or {}).get("total")
        counted = all(folded(quote) in folded(query) for quote in quotes)
        holds = counted and bool(whole) and summary.get("total") == whole
        return fact(shown, f"{call.ref_id} summary", f"{summary.get('total')} of {whole} records", _either(counted, holds))
    named = base.services_in(claim.whole)
    if match["only"] and named and not (scope.get("labels") or {}).get("service"):
        return _services_of(shown, call, named)
    if levels and asked_level is None:
        return fact(shown, f"{call.ref_id} summary.by_level", f"{summary.get('by_level')}", _either(True, seen == levels))
    return fact(shown, call.ref_id, "it cannot be computed over this call", Verdict.UNCHECKABLE)


def _services_of(shown: str, call: Cited, named: frozenset[str]) -> CheckedFact:
    row = call.call.row
    items = (call.call.output or {}).get("logs") or (call.call.output or {}).get("alerts") or []
    if row.total_count is None or row.total_count > len(items):
        return fact(shown, call.ref_id, f"{len(items)} of {row.total_count} were returned", Verdict.UNSUPPORTED)
    services = {item.get("service") for item in items if isinstance(item, Mapping)}
    return fact(shown, f"{call.ref_id} service", ", ".join(sorted(map(str, services))), _either(True, services == named))


def _over_alerts(match: re.Match[str], claim: ClaimText, call: Cited, base: EvidenceBase) -> CheckedFact:
    alerts: list[Mapping[str, Any]] = (call.call.output or {}).get("alerts") or []
    named = base.services_in(claim.whole)
    names = {str(alert.get("alert_name")) for alert in alerts}
    if match["only"]:
        stated = {name for name in names if re.search(rf"\b{re.escape(name)}\b", claim.whole)}
        firing = {str(alert.get("alert_name")) for alert in alerts if alert.get("state") == "firing"}
        whole = firing if "firing" in claim.whole.lower() else names
        if stated:
            return fact(match[0], f"{call.ref_id} alerts", ", ".join(sorted(whole)), _either(True, stated == whole))
        return _services_of(match[0], call, named)
    states = {str(alert.get("state")) for alert in alerts}
    stated_state = next(
        (state for state in ("firing", "pending", "suppressed", "resolved") if state in claim.whole.lower()), None
    )
    return fact(
        match[0], f"{call.ref_id} alerts", ", ".join(sorted(states)), _either(stated_state is not None, states == {stated_state})
    )


def _either(is_known: bool, holds: bool) -> Verdict:
    if not is_known:
        return Verdict.UNSUPPORTED
    return Verdict.SUPPORTED if holds else Verdict.CONTRADICTED
