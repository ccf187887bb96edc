"""Counts: recounted over the cited call, or over the cited items where no call is cited."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.levels import Level, parse_level
from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, folded
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NEARLY, NUMBER, NUMBER_WORDS, figure_in
from groundwire.grounding.quotes import quotes_in

_NOUNS: Final = (
    r"(?:(?:error|warn|warning|critical|fatal)s? )?(?:log )?(?:records?|lines?|entries|entry|messages?|events?)|"
    r"errors?|warnings?|alerts?|series|exceptions?|failures?|times|occurrences?|pods?|instances?|hosts?|services?|replicas?"
)
_COUNT: Final = re.compile(
    rf"(?P<bound>\b(?:at least|more than|over|at most|fewer than|(?<=[\d] )(?:of|out of)|among) )?"
    rf"(?<![\w.,:/=-])(?P<n>\d{{1,3}}(?:,\d{{3}})+|\d{{1,15}}|{'|'.join(NUMBER_WORDS)})"
    rf"(?P<more> or more)?(?P<qualifiers>(?: [A-Za-z-]{{1,30}}){{0,4}}?) (?P<noun>{_NOUNS})\b",
    re.IGNORECASE,
)
_DISTINCT: Final = {"pod": "instance", "instance": "instance", "host": "instance", "replica": "instance", "service": "service"}
_SHARE: Final = re.compile(
    rf"(?P<near>{NEARLY})?(?P<n>{NUMBER})\s?(?P<unit>%|percent)(?: of)? (?:all |the |its |their )?(?:[a-z-]+'s )?"
    r"(?:log )?(?P<noun>records?|lines?|entries|messages?)\b",
    re.IGNORECASE,
)
_STATES: Final = ("firing", "pending", "suppressed", "resolved", "inactive")
_PREDICATE: Final = re.compile(r"(?: (?:is|are|was|were|has been|have been) [a-z]{1,20})?")
_CONTAINING: Final = re.compile(
    r"\b(?:contain|contains|containing|contained|with|matching|match|that say|that says|saying|say|says)\s*\Z", re.IGNORECASE
)


def check_counts(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each count of the claim.

    A count of a cited call that comes out otherwise is contradicted; one that no call was cited for holds only up to the
    number of cited items of its kind.
    """
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    facts = [_check_share(match, calls) for match in claim.take(_SHARE)]
    for match in claim.take(_COUNT):
        shown = match[0].strip()
        number = NUMBER_WORDS.get(match["n"].lower()) or int(match["n"].replace(",", ""))
        text_filter = _stated_filter(claim.whole, match.end())
        checks = [_against_call(shown, number, match, call, text_filter) for call in calls]
        held = next((fact for fact in checks if fact.verdict is Verdict.SUPPORTED), None)
        facts.append(held or next(iter(checks), None) or _against_items(shown, number, match, cited))
    return facts


def _check_share(match: re.Match[str], calls: Sequence[Cited]) -> CheckedFact:
    """A percentage of records is that of what matched among all that were in scope."""
    shown, stated = " ".join(match[0].split()), figure_in(match)
    for call in calls:
        summary = call.item["summary"]
        whole, part = (summary.get("in_scope") or {}).get("total"), summary.get("total")
        if whole and isinstance(part, int) and summary.get("total_is_exact", True):
            verdict = Verdict.SUPPORTED if stated.fits(100 * part / whole) else Verdict.CONTRADICTED
            return fact(shown, f"{call.ref_id} summary", f"{part} of {whole}, {100 * part / whole:.3g} %", verdict)
    return fact(shown, "no call whose whole is known", None, Verdict.UNSUPPORTED)


def _stated_filter(text: str, position: int) -> str | None:
    """Return the quote that says what was counted ("12 records contain “timed out”"), or None."""
    opening = re.search(r"[“\"`]", text[position:])
    if opening is None or not _CONTAINING.search(text[position : position + opening.start()]):
        return None
    quotes = quotes_in(text[position + opening.start() :])
    return quotes[0] if quotes else None


def _against_call(shown: str, number: int, match: re.Match[str], call: Cited, text_filter: str | None) -> CheckedFact:
    actual, field, is_exact = _count_in(call, match)
    where = f"{call.ref_id} {field}"
    if actual is None:
        return CheckedFact(claimed=shown, looked_in=where, found=None, verdict=Verdict.UNSUPPORTED)
    query = str((call.call.row.scope or {}).get("filter", {}).get("query") or "")
    if text_filter is not None and folded(text_filter) not in folded(query):
        return CheckedFact(
            claimed=f"{shown} with “{text_filter}”",
            looked_in=f"{call.ref_id} scope.filter.query",
            found=query or "no words were asked for",
            verdict=Verdict.UNSUPPORTED,
        )
    found = f"{actual}" if is_exact else f"at least {actual}"
    bound = "at least" if match["more"] else match["bound"]
    return CheckedFact(claimed=shown, looked_in=where, found=found, verdict=_compare(number, actual, bound, is_exact))


def _compare(number: int, actual: int, bound: str | None, is_exact: bool) -> Verdict:
    match (bound or "").strip().lower():
        case "at least":
            holds, may_hold = actual >= number, not is_exact
        case "more than" | "over":
            holds, may_hold = actual > number, not is_exact
        case "at most":
            holds, may_hold = is_exact and actual <= number, not is_exact and actual <= number
        case "fewer than":
            holds, may_hold = is_exact and actual < number, not is_exact and actual < number
        case _:
            holds, may_hold = is_exact and actual == number, not is_exact and number >= actual
    if holds:
        return Verdict.SUPPORTED
    return Verdict.UNSUPPORTED if may_hold else Verdict.CONTRADICTED


def _distinct(call: Cited, key: str) -> tuple[int | None, str, bool]:
    """Count distinct things over the items of a call; where not all were returned, that is a lower bound."""
    output, row = call.call.output or {}, call.call.row
    items = [item for name in ("logs", "alerts") for item in output.get(name) or () if isinstance(item, Mapping)]
    things = {str(item[key]) for item in items if item.get(key)}
    is_whole = not row.partial and row.total_count is not None and row.total_count <= len(items)
    return (len(things) or None), f"distinct {key}", is_whole


def _count_in(call: Cited, match: re.Match[str]) -> tuple[int | None, str, bool]:
    tool = call.call.row.tool_name
    distinct = _DISTINCT.get(match["noun"].lower().rstrip("s"))
    if distinct is not None:
        return _distinct(call, distinct)
    if tool == ToolName.QUERY_LOGS:
        return _log_count(call.item["summary"], match)
    row = call.call.row
    if tool == ToolName.QUERY_METRICS and "series" not in match["noun"].lower():
        return _alert_count(call, match)
    return row.returned_count, "returned_count", not row.partial


def _log_count(summary: Mapping[str, Any], match: re.Match[str]) -> tuple[int | None, str, bool]:
    if not summary:
        return None, "summary", False
    scope = summary
    field, is_exact = "summary", bool(summary.get("total_is_exact", True))
    if (match["bound"] or "").strip().lower() in ("of", "among", "out of") and isinstance(summary.get("in_scope"), Mapping):
        scope, field = summary["in_scope"], "summary.in_scope"
    words = f"{match['qualifiers']} {match['noun']}".lower().split()
    # PostgreSQL calls a level LOG; in a claim the word is the noun.
    levels = [parse_level(word.rstrip("s")) for word in words if word != "log"]
    named = next((level for level in levels if level is not None), None)
    if named is None:
        return scope.get("total"), f"{field}.total", is_exact
    by_level = scope.get("by_level") or {}
    if re.search(r"more severe|or worse|and worse|or above", match.string[match.start() : match.end() + 40]):
        return sum(n for name, n in by_level.items() if _is_at_least(name, named)), f"{field}.by_level", is_exact
    return int(by_level.get(named.name, 0)), f"{field}.by_level.{named.name}", is_exact


def _is_at_least(name: str, level: Level) -> bool:
    parsed = parse_level(name)
    return parsed is not None and parsed >= level


def _alert_count(call: Cited, match: re.Match[str]) -> tuple[int | None, str, bool]:
    alerts = (call.call.output or {}).get("alerts") or []
    about = match["qualifiers"] + _predicate(match)
    states = [state for state in _STATES if state in about.lower()]
    count = sum(1 for alert in alerts if not states or alert.get("state") in states)
    return count, "alerts" + (f" with state {states[0]}" if states else ""), not call.call.row.partial


_ITEM_KINDS: Final = {"alert": CitedKind.ALERT, "series": CitedKind.SERIES}


def _against_items(shown: str, number: int, match: re.Match[str], cited: Sequence[Cited]) -> CheckedFact:
    kind = next((k for word, k in _ITEM_KINDS.items() if match["noun"].lower().startswith(word)), CitedKind.LOG)
    held = len({item.ref_id for item in cited if item.kind is kind})
    return CheckedFact(
        claimed=shown,
        looked_in="the cited items; no whole call is cited",
        found=f"{held} cited",
        verdict=Verdict.SUPPORTED if 0 < number <= held else Verdict.UNSUPPORTED,
    )


def _predicate(match: re.Match[str]) -> str:
    """Return what is said of the counted things right behind them: "alerts are firing"."""
    said = _PREDICATE.match(match.string, match.end())
    return said[0] if said else ""
