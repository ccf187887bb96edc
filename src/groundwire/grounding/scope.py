"""Scope: whose evidence it is, and when it was so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.names import Trust, Verdict
from groundwire.domain.source_scope import asked_sources
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.bearing import WRITTEN
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.facts import fact

# "for 20 min now" is a duration up to the fetch.
_SO_FAR: Final = re.compile(r"\d\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?) (?:right )?now\b", re.IGNORECASE)
_OF_WHOLE: Final = re.compile(
    r"\bof (?:the |its |their |a )?(?:\w{1,20}(?:['’]s)? ){0,2}?(?P<whole>limits?|quota|nodes?|hosts?|capacity|machines?)\b",
    re.IGNORECASE,
)
_WHOLES: Final = {
    "quota": ("quota", "limit"),
    "node": ("node", "host", "machine"),
    "host": ("node", "host", "machine"),
    "machine": ("node", "host", "machine"),
    "capacity": ("capacity", "total", "limit"),
}
_RATE: Final = re.compile(
    r"\b(?:records?|lines?|entries|errors?|warnings?|messages?) ?/ ?(?:s|sec|second|min|minute|h|hour)\b", re.IGNORECASE
)
_NOW: Final = re.compile(
    r"\b(?:now|currently|still|presently|at (?:the|this) (?:very )?(?:moment|point|time|minute|hour)|at present|"
    r"as of (?:now|today)|as we speak|to this day|today|these days|right this minute|by now)\b",
    re.IGNORECASE,
)


def check_scope(
    text: str, cited: Sequence[Cited], base: EvidenceBase, *, is_quoted: bool, is_stated: bool = False
) -> list[CheckedFact]:
    """Return the facts that fail: a runbook stated as an event, another service's line, a past now."""
    return [
        *([] if is_quoted else _check_report(text, cited)),
        *([] if is_stated else _check_subject(text, cited, base)),
        *_check_now(text, cited),
        *_check_whole(text, cited),
        *_check_rate(text, cited),
    ]


def _check_report(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
    """A runbook says what such incidents look like, not what happened."""
    items = [item for item in cited if item.kind is not CitedKind.CALL]
    if not items or len(items) < len(cited):
        return []
    if all(item.trust is Trust.WRITTEN for item in items) and not WRITTEN.search(text):
        return [fact("an event that rests on a runbook alone", cited, "a runbook says what may be", Verdict.UNSUPPORTED)]
    return []


def _check_subject(text: str, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """A claim about a service needs evidence of that service: what another one logs about it is hearsay."""
    named = base.services_in(text)
    owners = {item.service for item in cited if item.kind in (CitedKind.LOG, CitedKind.ALERT) and item.service}
    for item in cited:
        if item.kind is CitedKind.SERIES:
            owners |= base.services_in(item.text)
        if item.kind is CitedKind.CALL:
            service = (item.item["scope"].get("labels") or {}).get("service")
            if service is None:
                return []
            owners.add(service)
    if not named or not owners or named & owners:
        return []
    return [fact(f"about {', '.join(sorted(named))}", cited, f"evidence of {', '.join(sorted(owners))}", Verdict.UNSUPPORTED)]


def _check_whole(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
    """A percentage of a limit is none of a node: what it is of has to stand in the name or the labels of the series."""
    facts = []
    series = [item for item in cited if item.kind is CitedKind.SERIES]
    for match in _OF_WHOLE.finditer(text) if series else ():
        kinds = _WHOLES.get(match["whole"].lower().rstrip("s"), (match["whole"].lower(),))
        if not any(kind in item.text.lower() for item in series for kind in kinds):
            facts.append(fact(f"of the {match['whole']}", series, "its metric does not say of what it is", Verdict.UNSUPPORTED))
    return facts


def _check_rate(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
    """How many records there are says nothing of how many a second."""
    match = _RATE.search(text)
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    return [fact(match[0], calls, "a rate is not computed over a call", Verdict.UNCHECKABLE)] if match and calls else []


def _check_now(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
    if not _NOW.search(_SO_FAR.sub(" ", text)):
        return []
    saved = [
        item
        for item in cited
        if item.kind in (CitedKind.ALERT, CitedKind.CALL)
        and not all(source.get("live") for source in asked_sources(item.call.output))
    ]
    return [fact("a state now", saved, "a saved answer shows the moment it was saved", Verdict.UNSUPPORTED)] if saved else []
