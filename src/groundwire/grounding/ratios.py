"""Ratios of two cited calls or alerts: "twice as many errors as payment", "a third of the records of cart"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.levels import parse_level
from groundwire.domain.names import ToolName, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, stem, words
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NUMBER, NUMBER_WORDS, figure

_SPOKEN: Final = {"twice": 2.0, "double": 2.0, "thrice": 3.0, "triple": 3.0, "half": 0.5, "a third": 1 / 3, "a quarter": 0.25}
_RATIO: Final = re.compile(
    rf"(?P<least>\b(?:at least|more than|over|well over) )?"
    rf"(?:\b(?P<spoken>{'|'.join(_SPOKEN)})\b(?: of)?|(?<![\w.,])(?P<n>{NUMBER}|\b(?:{'|'.join(NUMBER_WORDS)}))(?:"
    r"(?P<times>[ -]?(?:times|x|×|fold)(?!\w))|\s?(?P<percent>%|percent)))"
    r"(?P<middle>(?: [\w%'’-]{1,40}){0,5}?) (?P<mark>as|than|of|those of|that of)(?= (?!many|much|high|often|large|big))",
    re.IGNORECASE,
)
_LEVEL: Final = re.compile(r"\b(error|warning|warn|info|debug|fatal|critical)s?\b", re.IGNORECASE)


def check_ratios(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact where two calls or two alerts are cited and one is said to be so many times the other."""
    items = [item for item in cited if item.kind in (CitedKind.CALL, CitedKind.ALERT)]
    if len(items) != 2 or len(items) < len(cited):
        return []
    text = claim.rest
    match = _RATIO.search(text)
    if match is None:
        return []
    pair = _sides(items, text[: match.start()] + match["middle"], text[match.end() :])
    levels = {parse_level(found[1]) for found in _LEVEL.finditer(text)} - {None}
    amounts = [_amount(item, {level.name for level in levels if level is not None}) for item in pair or ()]
    if len(amounts) != 2 or None in amounts or not amounts[1]:
        return []
    part, whole = float(amounts[0] or 0), float(amounts[1])
    claim.rest = f"{text[: match.start()]} {match['middle']} {text[match.end() :]}"
    shown = " ".join(match[0].split())
    verdict = Verdict.SUPPORTED if _is_so(match, part / whole) else Verdict.CONTRADICTED
    return [fact(shown, pair or items, f"{part:g} and {whole:g}, {part / whole:.3g} times", verdict)]


def _is_so(match: re.Match[str], ratio: float) -> bool:
    if match["percent"]:
        return figure(match["n"], None, is_near=False).fits(100 * ratio)
    spoken = match["spoken"]
    number = match["n"]
    factor = _SPOKEN[spoken.lower()] if spoken else float(NUMBER_WORDS.get(number.lower()) or number.replace(",", ""))
    if match["least"]:
        return ratio >= factor
    return factor * 0.95 <= ratio < factor * (1.25 if factor > 1 else 1.05)


def _sides(items: Sequence[Cited], left: str, right: str) -> tuple[Cited, Cited] | None:
    """Return the item that the left side names and the one that the right side names, or None where they cannot be told apart."""
    names = [_names(item) for item in items]
    own = [names[0] - names[1], names[1] - names[0]]
    sides = [{stem(word) for word in words(side)} for side in (left, right)]
    straight = len(own[0] & sides[0]) + len(own[1] & sides[1])
    turned = len(own[1] & sides[0]) + len(own[0] & sides[1])
    if straight == turned:
        return None
    return (items[0], items[1]) if straight > turned else (items[1], items[0])


def _names(item: Cited) -> set[str]:
    """Return the words that tell an item from another: whose it is, its name, what was asked for."""
    if item.kind is CitedKind.ALERT:
        named = [item.item.get("alert_name"), item.item.get("service"), item.item.get("instance")]
    else:
        scope = item.item["scope"]
        named = [(scope.get("labels") or {}).get("service"), *(scope.get("filter") or {}).values()]
    return {stem(word) for name in named if name for word in words(str(name))}


def _amount(item: Cited, levels: set[str]) -> float | None:
    """Return an alert's value, or how many records a call matched, of the level that the claim names; None where unknown."""
    if item.kind is CitedKind.ALERT:
        value = item.item.get("value")
        return float(value) if isinstance(value, int | float) else None
    summary = item.item["summary"]
    if item.call.row.tool_name != ToolName.QUERY_LOGS or item.call.row.partial or not summary.get("total_is_exact", True):
        return None
    if len(levels) == 1 and (item.item["scope"].get("filter") or {}).get("level") is None:
        counted = (summary.get("by_level") or {}).get(next(iter(levels)), 0)
        return float(counted)
    total = summary.get("total")
    return float(total) if isinstance(total, int) else None
