"""Order: which of two cited things came first. Contradicted only when their times leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_instant, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, stem, words
from groundwire.grounding.facts import fact
from groundwire.grounding.quotes import quotes_in, stands_in

_ORDER: Final = re.compile(
    r"\b(?:(?P<before>before|prior to|ahead of|preceded|earlier than|older than|was followed by|followed by|until after)|"
    r"(?P<after>after|following|followed|later than|newer than|subsequent to|in response to)|"
    r"(?P<then>(?<=[,;] )(?:and )?then))\b",
    re.IGNORECASE,
)
# An alert becomes active at an evaluation, some time after what it measures; a log line has its clock's uncertainty.
_UNCERTAIN: Final = {
    CitedKind.ALERT: timedelta(seconds=60),
    CitedKind.LOG: timedelta(seconds=1),
    CitedKind.SERIES: timedelta(seconds=60),
}


def check_order(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for a claim that puts two cited things in an order.

    Each side of the order word is taken to be about the cited item that shares most of its words. Where the items cannot be
    told apart the order is uncheckable, so that it is never silently supported.
    """
    match = next(claim.take(_ORDER), None)
    if match is None:
        return []
    left, right = claim.whole[: match.start()], claim.whole[match.end() :]
    is_before = bool(match["before"] or match["then"])
    if re.match(r"\s*(?:about |roughly |~)?\d", right) and not any(item.kind is not CitedKind.LOG for item in cited):
        return []  # "timed out after 30000 ms": a duration, not an order
    timed = [(item, start) for item in cited if (start := _start_of(item)) is not None]
    if len(timed) < 2:
        if re.match(r"\s*(?:about |roughly |~)?\d", right):
            return []
        return [fact(match[0], cited, "the times of both sides are not cited", Verdict.UNCHECKABLE)]
    first, second = _closest(left, timed), _closest(right, timed)
    if first is None or second is None or first[0] is second[0]:
        return [fact(match[0], cited, "the two sides cannot be told apart", Verdict.UNCHECKABLE)]
    earlier, later = (first, second) if is_before else (second, first)
    slack = max(_UNCERTAIN.get(earlier[0].kind, timedelta()), _UNCERTAIN.get(later[0].kind, timedelta()))
    found = f"{earlier[0].ref_id} is at {format_instant(earlier[1])}, {later[0].ref_id} at {format_instant(later[1])}"
    if earlier[1] <= later[1]:
        return [fact(match[0], cited, found, Verdict.SUPPORTED)]
    return [fact(match[0], cited, found, Verdict.CONTRADICTED if earlier[1] - later[1] > slack else Verdict.UNSUPPORTED)]


def _start_of(item: Cited) -> datetime | None:
    if item.kind is CitedKind.CALL:
        return stored_instant(item.item["summary"].get("first_at"))
    if item.kind is CitedKind.ALERT:
        return stored_instant(item.item.get("active_at"))
    return item.times[0] if item.kind in (CitedKind.LOG, CitedKind.SERIES) and item.times else None


def _closest(side: str, timed: Sequence[tuple[Cited, datetime]]) -> tuple[Cited, datetime] | None:
    quoted = [pair for pair in timed if any(stands_in(quote, pair[0].text) for quote in quotes_in(side))]
    if len(quoted) == 1:
        return quoted[0]
    wanted = {stem(word) for word in words(side)}
    scores = [(len(wanted & {stem(word) for word in words(item.text)}), item, start) for item, start in timed]
    best = max(score for score, _, _ in scores)
    winners = [(item, start) for score, item, start in scores if score == best]
    return winners[0] if best and len(winners) == 1 else None
