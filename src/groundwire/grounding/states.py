"""States and levels: what a claim calls firing or ERROR must be what the cited alert or line says of itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.levels import Level, parse_level
from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText

_STATE: Final = re.compile(r"\b(firing|pending|suppressed|silenced|inhibited|resolved|inactive)\b", re.IGNORECASE)
_SEVERITY_AS_STORED: Final = {"warn": "warning", "informational": "info", "paging": "page"}
_AS_STORED: Final = {"silenced": "suppressed", "inhibited": "suppressed"}
_SEVERITY: Final = re.compile(
    r"(?<![\w-])(critical|warning|warn|info|informational|page|paging|major|minor|emergency|ticket|none|high|low)"
    r"(?:[- ]severity)?(?![\w-])",
    re.IGNORECASE,
)
_OF_SEVERITY: Final = re.compile(r"\b(?:severity|sev|severity-wise|criticality|priority|urgency)\b", re.IGNORECASE)
# Words that are severities and common words too: read as one only where the claim speaks of severity.
_COMMON: Final = frozenset("page ticket none high low major minor".split())
_LEVEL_WORD: Final = re.compile(
    r"\b(error|warning|warn|info|debug|trace|fatal|critical|notice)(?:[- ]level)? (?:log )?"
    r"(?:lines?|records?|entry|entries|messages?)\b",
    re.IGNORECASE,
)
# "logged a warning": of a line, its level.
_LEVEL_NOUN: Final = re.compile(
    r"\b(?:log(?:s|ged)?|wr(?:ote|ites?|itten)|emit(?:s|ted)?|record(?:s|ed)?|report(?:s|ed)?|issue[sd]|raise[sd]) "
    r"(?:an?|the|this|that|its) "
    r"(warning|error|critical|fatal|notice)\b",
    re.IGNORECASE,
)
_LEVEL: Final = re.compile(rf"\b({'|'.join(level.name for level in Level)}|WARNING|CRIT|ERR)\b")


def check_states(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each alert state and each level in capitals; another one in every cited item contradicts."""
    facts = []
    for match in claim.take(_STATE):
        word = match[1].lower()
        alerts = {item.ref_id: str(item.item.get("state")) for item in cited if item.kind is CitedKind.ALERT}
        alerts = alerts or _states_in_calls(cited)
        facts.append(_held_against(match[1], "state", _AS_STORED.get(word, word), alerts))
    facts += _check_severity(claim, cited)
    for match in claim.take(_LEVEL_WORD):
        level = parse_level(match[1])
        lines = {
            item.ref_id: str(item.item.get("level")) for item in cited if item.kind is CitedKind.LOG and item.item.get("level")
        }
        if level is not None and lines:
            facts.append(_held_against(match[0], "level", level.name, lines))
    for match in claim.take(_LEVEL_NOUN):
        level = parse_level(match[1])
        lines = {item.ref_id: str(item.item["level"]) for item in cited if item.kind is CitedKind.LOG and item.item.get("level")}
        if level is not None and lines and len(lines) == len(cited):
            facts.append(_held_against(match[0], "level", level.name, lines))
        else:
            claim.put_back(match[0])
    for match in claim.take(_LEVEL):
        level = parse_level(match[1])
        lines = {item.ref_id: str(item.item.get("level")) for item in cited if item.kind is CitedKind.LOG}
        calls = [item for item in cited if item.kind is CitedKind.CALL]
        if not lines and level is not None:
            lines = {call.ref_id: level.name for call in calls if level.name in (call.item["summary"].get("by_level") or {})}
        facts.append(_held_against(match[1], "level", level.name if level else match[1], lines))
    return facts


def _check_severity(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Where only alerts are cited, a word such as "critical" is what they have as severity."""
    severities = {item.ref_id: str(item.item.get("severity")).lower() for item in cited if item.kind is CitedKind.ALERT}
    if not severities or len(severities) < len(cited):
        return []
    is_named = _OF_SEVERITY.search(claim.rest) is not None
    claim.take_all(_OF_SEVERITY)
    facts = []
    for match in list(_SEVERITY.finditer(claim.rest)):
        word = match[1].lower()
        if word in _COMMON and not is_named:
            continue
        claim.take_all(re.compile(rf"(?<![\w-]){re.escape(match[0])}(?![\w-])"))
        wanted = _SEVERITY_AS_STORED.get(word, word)
        facts.append(_held_against(f"severity {word}", "severity", wanted, severities))
    return facts


def _states_in_calls(cited: Sequence[Cited]) -> dict[str, str]:
    return {
        f"{item.ref_id} alerts[{index}]": str(alert.get("state"))
        for item in cited
        if item.kind is CitedKind.CALL
        for index, alert in enumerate((item.call.output or {}).get("alerts") or [])
    }


def _held_against(shown: str, attribute: str, wanted: str, found: dict[str, str]) -> CheckedFact:
    ref = next((ref for ref, value in found.items() if value == wanted), None)
    if ref is not None:
        return CheckedFact(claimed=shown, looked_in=f"{ref} {attribute}", found=wanted, verdict=Verdict.SUPPORTED)
    if not found:
        return CheckedFact(claimed=shown, looked_in="the cited items", found=None, verdict=Verdict.UNSUPPORTED)
    ref, other = next(iter(found.items()))
    return CheckedFact(claimed=shown, looked_in=f"{ref} {attribute}", found=other, verdict=Verdict.CONTRADICTED)
