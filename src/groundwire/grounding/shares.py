"""Shares: what part of the records of a search is of one level, of one service, or has words in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.bounds import BoundWord, word_before
from groundwire.grounding.cited import Cited, EvidenceBase
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.count_readings import services_named
from groundwire.grounding.count_words import HELPER, NamedLevel, levels_in
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NUMBER, figure
from groundwire.grounding.quotes import quotes_in
from groundwire.grounding.selection import Selection, asked_level, asked_service, asks_for, count, has_query, is_answered

_FRACTIONS: Final = {
    "half": 50.0,
    "a third": 100 / 3,
    "one third": 100 / 3,
    "two thirds": 200 / 3,
    "a quarter": 25.0,
    "one quarter": 25.0,
    "three quarters": 75.0,
    "a fifth": 20.0,
    "one fifth": 20.0,
    "a tenth": 10.0,
    "one tenth": 10.0,
}
_FRACTION_SLACK: Final = 2.5
_SHARE: Final = re.compile(
    rf"(?<![\w.,/-])(?P<n>{NUMBER})\s?(?P<unit>%|per ?cent\b)|\b(?P<most>(?:the )?(?:vast )?(?:majority|bulk)|most)\b(?= of\b)|"
    rf"\b(?P<fraction>{'|'.join(word.replace(' ', '[ -]') for word in _FRACTIONS)})\b",
    re.IGNORECASE,
)
_RECORDS: Final = re.compile(
    r"\b(?:records?|lines?|entry|entries|messages?|events?|logs|hits|matches|errors|warnings|output|results)\b", re.IGNORECASE
)
_OF: Final = re.compile(
    r"\b(?:of|in|among|amongst|within|across|looking at|with respect to|as for|regarding|out of|from|considering|for) "
    r"(?:(?:all|the|its|their|these|those|our|any|every|total|overall|entire|observed|recorded|matched|matching|found|returned|such|log|"
    r"[\w.-]{1,60}['’]s) ){0,5}\Z",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"\s(?:of|from|by|in|for) (?:the (?:log|service)s? (?:of )?)?(?P<name>[\w.-]+)", re.IGNORECASE)
_MATCHED: Final = re.compile(r"\bmatch(?:e[sd]|ing)?\b|\bhits?\b|\bfound\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """The records that a share is of: their levels and service as the claim names them, and where its words end."""

    levels: tuple[NamedLevel, ...]
    service: str | None
    spans: tuple[tuple[int, int], ...]


def check_shares(claim: ClaimText, calls: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each share of records that the claim states of a log search.

    The whole is what stands behind "of", the part is what the claim says of it: a service, a level, words, or that it matched.
    """
    logs = [call for call in calls if call.call.row.tool_name == ToolName.QUERY_LOGS]
    text = claim.rest
    matches = [match for match in _SHARE.finditer(text)] if logs else []
    levels = levels_in(text) if matches else []
    if not matches or not (_RECORDS.search(text) or levels):
        return []
    whole = _whole_of(text, levels, services_named(text, base))
    facts = []
    spans = list(whole.spans)
    for match in matches:
        bound = word_before(text, match.start())
        spans += [(match.start(), match.end()), *([(bound.start, bound.end)] if bound else [])]
        shown = " ".join(text[bound.start if bound else match.start() : match.end()].split())
        if len(matches) > 1:
            facts.append(fact(f"{shown} of records", logs, "which of several shares it is cannot be told", Verdict.UNCHECKABLE))
            continue
        parts = [level for level in levels if level not in whole.levels]
        services = [name for name in services_named(text, base) if name != whole.service]
        checks = [_check(match, bound, shown, call, whole, parts, services, claim.whole) for call in logs]
        facts.append(next((check for check in checks if check.verdict is Verdict.SUPPORTED), checks[0]))
        spans += [(level.start, level.end) for level in parts]
    for start, end in spans:
        claim.rest = claim.rest[:start] + " " * (end - start) + claim.rest[end:]
    for pattern in (HELPER, _MATCHED):
        for _ in claim.take(pattern):
            pass
    return facts


def _whole_of(text: str, levels: Sequence[NamedLevel], services: Sequence[str]) -> _Whole:
    for noun in _RECORDS.finditer(text):
        own = [level for level in levels if 0 <= noun.start() - level.end <= 5 or level.start == noun.start()]
        start = min([noun.start(), *(level.start for level in own)])
        of = _OF.search(text[max(0, start - 120) : start])
        if of is not None:
            owner = _OWNER.match(text, noun.end())
            named = owner["name"] if owner and owner["name"] in services else None
            spans = ((start - len(of[0]), noun.end()), *((level.start, level.end) for level in own))
            return _Whole(levels=tuple(own), service=named, spans=spans)
    nouns = tuple((noun.start(), noun.end()) for noun in _RECORDS.finditer(text))
    return _Whole(levels=(), service=None, spans=nouns)


def _check(
    match: re.Match[str],
    bound: BoundWord | None,
    shown: str,
    call: Cited,
    whole: _Whole,
    parts: Sequence[NamedLevel],
    services: Sequence[str],
    text: str,
) -> CheckedFact:
    ratios = list(_ratios(call, whole, parts, services, text)) if is_answered(call) else []
    low, high = _interval(match, bound)
    found = ", ".join(f"{part} of {of}, {100 * part / of:.3g} %" for part, of in ratios if of)
    if any(of and low <= 100 * part / of <= high for part, of in ratios):
        return fact(f"{shown} of records", f"{call.ref_id} summary", found, Verdict.SUPPORTED)
    is_rough = match["n"] is None or not ratios
    verdict = Verdict.UNSUPPORTED if is_rough else Verdict.CONTRADICTED
    return fact(f"{shown} of records", f"{call.ref_id} summary", found or "it cannot be computed over this call", verdict)


def _ratios(call: Cited, whole: _Whole, parts: Sequence[NamedLevel], services: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Return part and whole of each way to read the share: within what matched, or what matched within the scope."""
    asked = asked_service(call)
    others = [name for name in services if name != asked]
    owner = whole.service if whole.service != asked else None
    quotes = tuple(quotes_in(text))
    if len(others) > 1 or (asked is not None and (others or owner)):
        return []
    if owner is not None and not parts and not quotes:
        owner, others = None, [owner]
    found = []
    of = count(call, Selection(levels=whole.levels, service=owner, is_of_search=True, text=text))
    if (others or parts or (quotes and not asks_for(call, quotes))) and of.number and of.is_exact:
        levels = tuple(parts) or whole.levels
        service = others[0] if others else owner
        part = count(call, Selection(levels=levels, service=service, quotes=quotes, is_of_search=True, text=text))
        if part.number is not None and part.is_exact and part.number <= of.number:
            found.append((part.number, of.number))
    in_scope, summary = call.item["summary"].get("in_scope") or {}, call.item["summary"]
    if (
        not others
        and owner is None
        and not whole.levels
        and _is_what_was_asked(call, parts, quotes, text)
        and in_scope.get("total")
    ):
        if summary.get("total_is_exact", True) and not call.call.row.partial:
            found.append((summary["total"], in_scope["total"]))
    return found


def _is_what_was_asked(call: Cited, parts: Sequence[NamedLevel], quotes: Sequence[str], text: str) -> bool:
    """Return whether the part is what the search asked for, so that all it matched is the part."""
    asked = asked_level(call)
    if quotes and not asks_for(call, quotes):
        return False
    if parts:
        summary = call.item["summary"].get("by_level") or {}
        return asked is not None and not (has_query(call) and not quotes) and all(any(p.takes(n) for p in parts) for n in summary)
    return bool(quotes) or _MATCHED.search(text) is not None


def _interval(match: re.Match[str], bound: BoundWord | None) -> tuple[float, float]:
    if match["most"]:
        return 50.000001, 100.0
    if match["fraction"]:
        value, slack = _FRACTIONS[match["fraction"].lower().replace("-", " ")], _FRACTION_SLACK
    else:
        stated = figure(match["n"], "%", is_near=bound is not None and bound.kind == "near")
        value, slack = float(stated.value), float(stated.slack)
    kind = bound.kind if bound else "exact"
    return {
        "low": (value, 100.0),
        "above": (value + 1e-9, 100.0),
        "high": (0.0, value),
        "below": (0.0, value - 1e-9),
        "almost": (value - 5, value - 1e-9),
    }.get(kind, (value - slack, value + slack))
