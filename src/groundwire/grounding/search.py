"""The ref that a claim should have cited: found by what the claim says, taken only where one match is clearly the best."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.answer import Claim
from groundwire.domain.names import MATERIAL_KINDS, Verdict
from groundwire.domain.verdict import ClaimVerdict
from groundwire.grounding.cited import Cited, EvidenceBase
from groundwire.grounding.claim_text import folded, stem, words
from groundwire.grounding.ground import ground_claim
from groundwire.grounding.quotes import quotes_in, stands_in

_TELLING: Final = re.compile(
    r"[A-Za-z_][\w.-]*\d[\w.-]*|[A-Za-z]\w*(?:[-_.]\w+)+|"
    r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|\d[\d.,:]{2,}"
)
_MOST_TRIED: Final = 12


def attribute(claim: Claim, base: EvidenceBase) -> ClaimVerdict | None:
    """Return the verdict of a claim that cites nothing, held against the one entry that bears it out.

    None where no entry does, or where several that say different things do.
    """
    supported = [verdict for verdict in _tried(claim, base) if verdict.verdict is Verdict.SUPPORTED]
    # An entry says it itself; the call that it came from only has it too.
    entries = [verdict for verdict in supported if "." in verdict.claim.refs[0] and not verdict.claim.refs[0].endswith("summary")]
    supported = entries or supported
    texts = {_what_it_says(base, verdict) for verdict in supported}
    return supported[0] if len(texts) == 1 else None


def propose(verdict: ClaimVerdict, base: EvidenceBase) -> str | None:
    """Return the ref under which an unsupported claim would be supported, or None: a wrong citation of a true statement."""
    if verdict.verdict is not Verdict.UNSUPPORTED or verdict.claim.kind not in MATERIAL_KINDS:
        return None
    better = next((tried for tried in _tried(verdict.claim, base) if tried.verdict is Verdict.SUPPORTED), None)
    return None if better is None else better.claim.refs[0]


def _tried(claim: Claim, base: EvidenceBase) -> Iterator[ClaimVerdict]:
    for item in _candidates(claim, base)[:_MOST_TRIED]:
        if (item.ref_id,) != claim.refs:
            yield ground_claim(replace(claim, refs=(item.ref_id,)), base)


def _candidates(claim: Claim, base: EvidenceBase) -> Sequence[Cited]:
    """Return the entries and calls that share most of what tells the claim apart, best first; none that shares nothing."""
    quotes = quotes_in(claim.text)
    telling = {match[0].lower() for match in _TELLING.finditer(claim.text)}
    plain = {stem(word) for word in words(claim.text) if len(word) > 3}
    scored = []
    for item in base.items():
        if quotes and not all(stands_in(quote, item.text) for quote in quotes):
            continue
        text = item.text.lower()
        score = 3 * sum(token in text for token in telling) + len(plain & base.stems_of(item))
        if score:
            scored.append((score, item))
    scored.sort(key=lambda pair: -pair[0])
    return [item for _, item in scored]


def _what_it_says(base: EvidenceBase, verdict: ClaimVerdict) -> str:
    item = base.resolve(verdict.claim.refs[0])
    said = "" if item is None else str(item.item.get("message") or item.item.get("alert_name") or item.ref_id)
    return folded(re.sub(r"\d+", "#", said))
