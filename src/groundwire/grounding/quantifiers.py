"""Quantifiers: only, all, every, each, always, none but. Over the whole scope of the cited call, or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.amounts import amounts_in
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase, whole_scope
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.count_words import LONGEST_READ, THINGS, NamedLevel, levels_in
from groundwire.grounding.facts import fact
from groundwire.grounding.quotes import quotes_in
from groundwire.grounding.selection import Selection, asked_level, asks_for, count, is_answered, whole_items

_NUMBER_NEXT: Final = (
    r"(?! (?:about |around |some |the |a |roughly )?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|dozen|"
    r"once|twice|single|half)\b))"
)
_QUANTIFIER: Final = re.compile(
    rf"\b(?:(?<!not )(?P<only>(?:only|solely|exclusively|purely|nothing but|nobody but|no one but|none but|"
    rf"nothing other than|no other than|"
    rf"nobody other than|no one other than|alone|without exception from|nowhere but|nowhere else than){_NUMBER_NEXT})|"
    r"(?P<all>(?<!above )(?<!after )(?<!at )(?<!of )(?<!in )(?<!among )(?<!amongst )(?<!for )(?<!from )(?<!across )"
    r"all(?! told\b| in all\b| services?\b| we\b| (?:the )?(?:time|while|window)\b)|every(?! services?\b)|each(?! other\b)|"
    r"both|always|"
    r"invariably|without (?:any |an |a single )?exceptions?|with no exceptions?|the entire(?! (?:window|period|interval|"
    r"time))|entirely|wholly|"
    r"uniformly|throughout(?! the)|in every case|in all cases|to a man|the whole (?:lot|set|of)))\b",
    re.IGNORECASE,
)
_EACH_ONCE: Final = re.compile(
    r"\b(?:count(?:ed|ing|s)?|tak(?:en|ing)|listed|listing|nam(?:ed|ing)) (?:each|every|all)(?: \w{1,20})? (?:only |"
    r"just )?once\b|"
    r"\b(?:each|every)(?: \w{1,20})? (?:counted |taken )?(?:only |just )?once\b|\bonce each\b|\bonly once\b(?= each)",
    re.IGNORECASE,
)
_STATE: Final = ("firing", "pending", "suppressed", "resolved")


def check_quantifiers(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for a claim with a quantifier: supported where the cited call shows the whole, else not.

    "Only 3", "all told" and "of all records" are part of a count and are read with it.
    """
    if len(claim.rest) > LONGEST_READ:
        return []
    for _ in claim.take(_EACH_ONCE):
        pass
    match = next(claim.take(_QUANTIFIER), None)
    if (
        match is not None
        and match[0].lower() in ("all", "every", "each")
        and any(amount.noun in THINGS for amount in amounts_in(claim.rest))
    ):
        return []  # how many pods or services all of them come from is a count
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
    if row.partial or not is_answered(call):
        return fact(shown, call.ref_id, "the answer was not whole", Verdict.UNSUPPORTED)
    if row.tool_name == ToolName.QUERY_LOGS:
        return _over_logs(match, claim, call, base)
    if row.tool_name == ToolName.QUERY_METRICS:
        return _over_alerts(match, claim, call, base)
    return fact(shown, call.ref_id, "it cannot be computed over this call", Verdict.UNCHECKABLE)


def _over_logs(match: re.Match[str], claim: ClaimText, call: Cited, base: EvidenceBase) -> CheckedFact:
    shown = match[0]
    following = re.match(r"\s(?:of )?(?:the )?(?:\d{1,9} )?(?P<noun>[A-Za-z]{2,20})", claim.whole[match.end() : match.end() + 60])
    if re.match(r"\s(?:but|except|save|bar|apart from|other than)\b", claim.whole[match.end() : match.end() + 12]):
        return fact(shown, call.ref_id, "all with exceptions is not computed", Verdict.UNCHECKABLE)
    if shown.lower() == "both" or (match["all"] and following and following["noun"].lower() in THINGS):
        return fact(shown, call.ref_id, "of each of several things it cannot be computed over this call", Verdict.UNCHECKABLE)
    quotes = tuple(quotes_in(claim.whole))
    levels = levels_in(claim.whole)
    asked = (call.item["scope"].get("labels") or {}).get("service")
    named = sorted(base.services_in(claim.whole) - {asked})
    if asked and named:
        return fact(shown, call.ref_id, f"the call asked about {asked} only", Verdict.UNSUPPORTED)
    if quotes:
        return _of_words(shown, call, quotes, levels)
    if named:
        return _of_services(match, call, named, levels)
    if levels and asked_level(call) is None:
        seen = {name for name, n in (call.item["summary"].get("by_level") or {}).items() if n}
        holds = bool(seen) and all(any(level.takes(name) for level in levels) for name in seen) and _are_there(levels, seen)
        return fact(shown, f"{call.ref_id} summary.by_level", ", ".join(sorted(seen)), _either(True, holds))
    return fact(shown, call.ref_id, "it cannot be computed over this call", Verdict.UNCHECKABLE)


def _are_there(levels: Sequence[NamedLevel], seen: set[str]) -> bool:
    return all(any(level.takes(name) for name in seen) for level in levels)


def _of_words(shown: str, call: Cited, quotes: tuple[str, ...], levels: Sequence[NamedLevel]) -> CheckedFact:
    """All records have the words: as many match as there are in scope, of the level where one is named."""
    summary = call.item["summary"]
    whole = whole_scope(summary)
    if levels:
        by_level = whole.get("by_level") or {}
        of = sum(n for name, n in by_level.items() if any(level.takes(name) for level in levels))
        part = count(call, Selection(levels=tuple(levels), quotes=quotes)).number
    else:
        of, part = whole.get("total"), summary.get("total")
    counted = asks_for(call, quotes) and part is not None and summary.get("total_is_exact", True)
    holds = counted and bool(of) and part == of
    return fact(shown, f"{call.ref_id} summary", f"{part} of {of} records", _either(bool(counted), holds))


def _of_services(match: re.Match[str], call: Cited, named: Sequence[str], levels: Sequence[NamedLevel]) -> CheckedFact:
    """All records, or all of a level, are of the named services; or, "X logged only ERROR", all of X are of the level."""
    items, shown = whole_items(call), match[0]
    if items is None:
        row = call.call.row
        return fact(shown, call.ref_id, f"{row.returned_count} of {row.total_count} were returned", Verdict.UNSUPPORTED)
    behind = match.string[match.end() : match.end() + 12]
    of_level = [item for item in items if not levels or any(level.takes(str(item.get("level"))) for level in levels)]
    if levels and match["only"] and levels_in(behind.strip() + " lines"):
        if asked_level(call) is not None:
            return fact(shown, call.ref_id, "the call asked only for records of some levels", Verdict.UNSUPPORTED)
        own = [item for item in items if item.get("service") in named]
        seen = {str(item.get("level")) for item in own}
        holds = bool(own) and all(any(level.takes(name) for level in levels) for name in seen)
        return fact(shown, f"{call.ref_id} level", ", ".join(sorted(seen)), _either(True, holds))
    services = {str(item.get("service")) for item in of_level}
    return fact(shown, f"{call.ref_id} service", ", ".join(sorted(services)), _either(True, services == set(named)))


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
        services = {str(alert.get("service")) for alert in alerts}
        return fact(match[0], f"{call.ref_id} service", ", ".join(sorted(services)), _either(bool(named), services == named))
    states = {str(alert.get("state")) for alert in alerts}
    stated_state = next((state for state in _STATE if state in claim.whole.lower()), None)
    return fact(
        match[0], f"{call.ref_id} alerts", ", ".join(sorted(states)), _either(stated_state is not None, states == {stated_state})
    )


def _either(is_known: bool, holds: bool) -> Verdict:
    if not is_known:
        return Verdict.UNSUPPORTED
    return Verdict.SUPPORTED if holds else Verdict.CONTRADICTED
