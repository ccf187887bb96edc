"""Shares: what part of the records of a search is of one level, of one service, or has words in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.bounds import BoundWord, word_before
from groundwire.grounding.cited import Cited, EvidenceBase, whole_scope
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.count_readings import services_named
from groundwire.grounding.count_words import HELPER, NamedLevel, levels_in
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NUMBER, figure
from groundwire.grounding.quotes import quotes_in
from groundwire.grounding.selection import Selection, asked_level, asked_service, asks_for, count, has_query, is_answered

_T = TypeVar("_T")
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
    rf"\b(?P<fraction>{'|'.join(word.replace(' ', '[ -]') for word in _FRACTIONS)})\b"
    r"(?! an? | of an? |[- ]hours?|[- ]minutes?|[- ]seconds?)",
    re.IGNORECASE,
)
_RECORDS: Final = re.compile(
    r"\b(?:records?|lines?|entry|entries|messages?|events?|logs|hits|matches|errors|warnings|output|results)\b", re.IGNORECASE
)
_OF: Final = re.compile(
    r"\b(?:of|in|among|amongst|within|across|looking at|with respect to|as for|regarding|out of|from|considering|for) "
    r"(?:(?:all|the|its|their|these|those|our|any|every|total|overall|entire|observed|recorded|matched|matching|found|"
    r"returned|such|log|"
    r"[\w.-]{1,60}['’]s) ){0,5}\Z",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"\s(?:of|from|by|in|for) (?:the (?:log|service)s? (?:of )?)?(?P<name>[\w.-]+)", re.IGNORECASE)
_MATCHED: Final = re.compile(r"\bmatch(?:e[sd]|ing)?\b|\bhits?\b|\bfound\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """The records that a share is of: their levels and service as the claim names them, and where its words stand."""

    levels: tuple[NamedLevel, ...]
    service: str | None
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """A stated share: its bounds in percent, the whole, and the levels and services of the part. ``text`` is the claim."""

    shown: str
    low: float
    high: float
    is_rough: bool
    whole: _Whole
    parts: tuple[NamedLevel, ...]
    services: tuple[str, ...]
    text: str


def check_shares(claim: ClaimText, calls: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each share of records that the claim states of a log search.

    The whole is what stands behind "of", the part is what the claim says of it: a service, a level, words, or that it matched.
    """
    logs = [call for call in calls if call.call.row.tool_name == ToolName.QUERY_LOGS]
    text = claim.rest
    matches = list(_SHARE.finditer(text)) if logs else []
    levels = levels_in(text) if matches else []
    if not matches or not (_RECORDS.search(text) or levels):
        return []
    named = services_named(text, base)
    whole = _whole_of(text, levels, named)
    parts = [level for level in levels if level not in whole.levels]
    services = [name for name in named if name != whole.service]
    spans = [*whole.spans, *((level.start, level.end) for level in parts)]
    facts = []
    for index, match in enumerate(matches):
        bound = word_before(text, match.start())
        start = bound.start if bound else match.start()
        spans.append((start, match.end()))
        low, high = _interval(match, bound)
        share = _Share(
            shown=f"{' '.join(text[start : match.end()].split())} of records",
            low=low,
            high=high,
            is_rough=match["n"] is None,
            whole=whole,
            parts=_own(parts, index, len(matches)),
            services=_own(services, index, len(matches)),
            text=claim.whole,
        )
        checks = [_check(share, call) for call in logs]
        facts.append(next((check for check in checks if check.verdict is Verdict.SUPPORTED), checks[0]))
    for start, end in spans:
        claim.rest = claim.rest[:start] + " " * (end - start) + claim.rest[end:]
    for pattern in (HELPER, _MATCHED):
        list(claim.take(pattern))
    return facts


def _own(named: Sequence[_T], index: int, count_of_shares: int) -> tuple[_T, ...]:
    """Return what one of several shares is of: the first of the first, the second of the second."""
    return (named[index],) if count_of_shares > 1 and len(named) == count_of_shares else tuple(named)


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


def _check(share: _Share, call: Cited) -> CheckedFact:
    ratios = [ratio for ratio in (_in_matched(share, call), _in_scope(share, call)) if ratio is not None]
    found = ", ".join(f"{part} of {of}, {100 * part / of:.3g} %" for part, of in ratios)
    if any(share.low <= 100 * part / of <= share.high for part, of in ratios):
        return fact(share.shown, f"{call.ref_id} summary", found, Verdict.SUPPORTED)
    verdict = Verdict.UNSUPPORTED if share.is_rough or not ratios else Verdict.CONTRADICTED
    return fact(share.shown, f"{call.ref_id} summary", found or "it cannot be computed over this call", verdict)


def _in_matched(share: _Share, call: Cited) -> tuple[int, int] | None:
    """Return part and whole among what matched."""
    asked, quotes = asked_service(call), tuple(quotes_in(share.text))
    others = [name for name in share.services if name != asked]
    owner = share.whole.service if share.whole.service != asked else None
    if len(others) > 1 or (asked is not None and (others or owner)):
        return None
    if owner is not None and not share.parts and not quotes:
        others, owner = [owner], None
    if not (others or share.parts or (quotes and not asks_for(call, quotes))):
        return None
    of = count(call, Selection(levels=share.whole.levels, service=owner, is_of_search=True, text=share.text))
    service = others[0] if others else owner
    levels = share.parts or share.whole.levels
    part = count(call, Selection(levels=levels, service=service, quotes=quotes, is_of_search=True, text=share.text))
    if not of.number or part.number is None or not (of.is_exact and part.is_exact) or part.number > of.number:
        return None
    return part.number, of.number


def _in_scope(share: _Share, call: Cited) -> tuple[int, int] | None:
    """Return what matched among all records in scope, where what matched is the part that the claim names."""
    summary, asked = call.item["summary"], asked_service(call)
    of = whole_scope(summary).get("total")
    is_exact = is_answered(call) and summary.get("total_is_exact", True) and not call.call.row.partial
    is_of_all = not share.whole.levels and all(name == asked for name in (*share.services, share.whole.service or asked))
    if not of or not is_exact or not is_of_all or not _is_what_was_asked(call, share.parts, quotes_in(share.text), share.text):
        return None
    return int(summary["total"]), int(of)


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
