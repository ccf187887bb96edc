"""Quotes: to the letter in what is cited, an ellipsis standing for what was left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, folded
from groundwire.grounding.facts import fact

QUOTE = re.compile(r'“([^“”]{2,2000})”|"([^"]{2,2000})"|`([^`]{2,2000})`')


_NEGATED = re.compile(
    r"\b(?:not|never|n[’']t|without|no longer)\s+(?:\w+\s+){0,2}?"
    r"(?:say|contain|mention|show|log|report|include|read)(?:s|ing|ged)?\s+"
    r"(?P<quote>“[^“”]{2,2000}”|\"[^\"]{2,2000}\"|`[^`]{2,2000}`)",
    re.IGNORECASE,
)


# Whose words a quote is said to be, in the clause before it: the nearest counts.
_WHOSE = re.compile(
    r"\b(?:(?P<log>logs?|logged|log lines?)|(?P<block>runbooks?|sections?|documents?|playbooks?|guides?)|"
    r"(?P<alert>alerts?|annotations?|labels?))\b",
    re.IGNORECASE,
)
_CLAUSE = 80


def quotes_in(text: str) -> list[str]:
    """Return the quoted passages of a text, without their marks."""
    return [next(group for group in match.groups() if group) for match in QUOTE.finditer(text)]


def check_quotes(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each quoted passage; a passage that stands nowhere in the cited items is unsupported."""
    facts = []
    for match in claim.take(QUOTE):
        quote = next(group for group in match.groups() if group)
        told = _said_to_be_of(claim.whole[max(0, match.start() - _CLAUSE) : match.start()], cited)
        place = next((item for item in told if stands_in(quote, item.text)), None)
        facts.append(
            CheckedFact(
                claimed=f"“{quote}”",
                looked_in=place.ref_id if place else ", ".join(item.ref_id for item in told or cited),
                found="stands there to the letter" if place else None,
                verdict=Verdict.SUPPORTED if place else Verdict.UNSUPPORTED,
            )
        )
    return facts


def _said_to_be_of(before: str, cited: Sequence[Cited]) -> list[Cited]:
    """Return those of the cited items whose words a quote is said to be: "the log says" is borne out by no runbook."""
    named = list(_WHOSE.finditer(re.split(r"[.;]\s|[”\"`]", before)[-1]))
    if not named:
        return list(cited)
    kind = CitedKind(named[-1].lastgroup or "")
    return [item for item in cited if item.kind is kind or (item.kind is CitedKind.CALL and kind is not CitedKind.BLOCK)]


def check_negated_quotes(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return a contradiction for each passage that the claim says is not there and that stands in a cited item."""
    facts = []
    for match in _NEGATED.finditer(claim.whole):
        (quote,) = quotes_in(match["quote"])[:1] or [match["quote"]]
        place = next((item for item in cited if stands_in(quote, item.text)), None)
        if place is not None:
            facts.append(fact(f"not “{quote}”", place.ref_id, "it stands there", Verdict.CONTRADICTED))
    return facts


def stands_in(quote: str, text: str) -> bool:
    """Return whether the parts of ``quote`` between its ellipses stand in ``text``, in order."""
    haystack, position = folded(text), 0
    parts = [folded(part) for part in re.split(r"…|\.\.\.|\[\.\.\.\]", quote)]
    parts = [part for part in parts if part]
    for part in parts:
        found = haystack.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return bool(parts)
