"""Order: which of the cited things came first. Contradicted only when their times leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_instant, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.blanks import blank, blank_all
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.facts import fact
from groundwire.grounding.mentions import Mention, mentions_of
from groundwire.grounding.order_words import (
    AHEAD,
    ALREADY,
    BEHIND,
    BETWEEN,
    HELPERS,
    LABEL,
    LISTED,
    NOT_UNTIL,
    NUMBERED,
    ORDERS,
    PART,
    UNTIL,
    WHEN,
    YET,
)

# An alert becomes active at an evaluation, some time after what it measures; a log line has its clock's uncertainty.
_UNCERTAIN: Final = {CitedKind.ALERT: timedelta(seconds=60), CitedKind.LOG: timedelta(seconds=1)}
# A word in front of a thing or behind it is about it only in the same part of the sentence, and near.
_AWAY: Final = re.compile(r"[;.]|,(?= \w+ \w+)")
_NEAR: Final = 60
_BINARY: Final = re.compile(
    r"(?<![\w-])(?:before|prior to|ahead of|preceded|precedes|earlier than|older than|followed by|after|following|followed|"
    r"later than|"
    r"newer than|subsequent to|in response to|(?<=[,;] )(?:and )?then)(?![\w-])(?!\s+(?:about |roughly |~)?\d)",
    re.IGNORECASE,
)


def check_order(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for a claim that puts cited things in an order.

    Each stretch of the claim is taken to be about the item whose quote or whose own words it has; the words before, between and
    behind the stretches say which is the earlier. Where the items cannot be told apart, or the words disagree, the order is
    uncheckable, so that it is never silently supported.
    """
    times = _times_of(cited)
    if len(times) < 2:
        return []
    mentions = mentions_of(claim.whole, [item for item in cited if item.ref_id in times])
    if len(mentions) < 2:
        return []
    results = [
        _direction(claim.rest, pair, is_first=index == 0, is_last=index == len(mentions) - 2)
        for index, pair in enumerate(pairwise(mentions))
    ]
    if len(mentions) == 2 and results[0] is None:
        return []
    shown = _shown(claim.whole, mentions)
    if any(not direction for direction in results):
        return [fact(shown, cited, "its words do not say one order", Verdict.UNCHECKABLE)]
    facts = [
        _held(shown, pair if direction and direction > 0 else pair[::-1], times, cited)
        for pair, direction in zip(pairwise(mentions), results, strict=True)
    ]
    _blank(claim, mentions)
    return facts


def _direction(text: str, pair: tuple[Mention, Mention], *, is_first: bool, is_last: bool) -> int | None:
    """Return 1 where the first mention is said to be the earlier, -1 for the later, 0 where words disagree, None for no word."""
    one, other = pair
    ahead = text[max(0, one.start - 160) : one.start] if is_first else ""
    between = text[one.end : other.start][:300]
    behind = text[other.end : other.end + 160] if is_last else ""
    if NUMBERED[0].search(ahead[-40:]) and NUMBERED[1].search(between):
        return 1
    votes = [
        vote for vote in (_vote_ahead(ahead, between, behind), *_votes_between(between, behind), _vote_behind(behind)) if vote
    ]
    if not votes:
        listed = LISTED.search(ahead)
        return None if listed is None else 1 if listed["order"] else -1
    return votes[0] if len(set(votes)) == 1 else 0


def _vote_ahead(ahead: str, between: str, behind: str) -> int:
    found = [match for match in AHEAD.finditer(ahead) if not _AWAY.search(ahead, match.end())]
    if not found or len(ahead) - found[-1].end() > _NEAR:
        return 0
    match = found[-1]
    if match["when"]:
        # "When A came, B had already": B is the earlier; "B had not yet": the later.
        if YET.search(between) or YET.search(behind):
            return 1
        return -1 if ALREADY.search(between) or ALREADY.search(behind) else 0
    if match["first"] and YET.search(between):
        return 0
    return 1 if match["first"] else -1


def _votes_between(between: str, behind: str) -> list[int]:
    when = WHEN.search(between)
    if when is not None:
        if YET.search(between[: when.start()]):
            return [-1]
        if ALREADY.search(between[: when.start()]):
            return [1]
        if ALREADY.search(between[when.end() :]) or ALREADY.search(behind):
            return [-1]
        return []
    until = UNTIL.search(between)
    if until is not None:
        return [-1] if re.search(r"\b(?:not|n[’']t|never|only|as soon as|once)\b", between[: until.end()], re.IGNORECASE) else [0]
    label = LABEL.match(between)
    votes = []
    rest = between
    if label is not None and PART.search(between, label.end() - 1 if label.end() else 0) is not None:
        votes.append(1 if label["first"] else -1)
        rest = between[label.end() :]
    for match in BETWEEN.finditer(rest):
        sign = 1 if match["sooner"] or match["then_it"] else -1
        votes.append(-sign if match["not"] else sign)
    return votes


def _vote_behind(behind: str) -> int:
    match = BEHIND.search(behind[:_NEAR])
    if match is None or _AWAY.search(behind, 0, match.start()) or (match["first"] or "").lower() == "already":
        return 0
    if match["order"] or match["second"]:
        return 1
    return -1


def _held(shown: str, pair: Sequence[Mention], times: dict[str, datetime], cited: Sequence[Cited]) -> CheckedFact:
    earlier, later = pair[0].item, pair[1].item
    first, second = times[earlier.ref_id], times[later.ref_id]
    found = f"{earlier.ref_id} is at {format_instant(first)}, {later.ref_id} at {format_instant(second)}"
    if first <= second:
        return fact(shown, cited, found, Verdict.SUPPORTED)
    slack = max(_UNCERTAIN.get(earlier.kind, timedelta()), _UNCERTAIN.get(later.kind, timedelta()))
    return fact(shown, cited, found, Verdict.CONTRADICTED if first - second > slack else Verdict.UNSUPPORTED)


def check_order_left(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return a fact where an order is left whose sides are not cited or not told apart: it is uncheckable.

    Words of the cited lines themselves are no order.
    """
    match = _BINARY.search(claim.rest)
    if match is None or any(match[0].lower() in item.text.lower() for item in cited):
        return []
    blank(claim, match.start(), match.end())
    found = "the times of both sides are not cited" if len(_times_of(cited)) < 2 else "the two sides cannot be told apart"
    return [fact(match[0], cited, found, Verdict.UNCHECKABLE)]


def _shown(text: str, mentions: Sequence[Mention]) -> str:
    said = ORDERS.search(text[: mentions[0].start] + text[mentions[0].end : mentions[1].start] + text[mentions[-1].end :])
    return said[0] if said else "an order"


def _blank(claim: ClaimText, mentions: Sequence[Mention]) -> None:
    """Take the order words out, between the mentions and about them; what the mentions say stays."""
    kept = claim.rest
    for pattern in (NOT_UNTIL, *NUMBERED, LISTED, AHEAD, BETWEEN, BEHIND, HELPERS):
        blank_all(claim, pattern)
    for mention in mentions:
        claim.rest = claim.rest[: mention.start] + kept[mention.start : mention.end] + claim.rest[mention.end :]


def _times_of(cited: Sequence[Cited]) -> dict[str, datetime]:
    return {item.ref_id: start for item in cited if (start := _start_of(item)) is not None}


def _start_of(item: Cited) -> datetime | None:
    if item.kind is CitedKind.CALL:
        return stored_instant(item.item["summary"].get("first_at"))
    if item.kind is CitedKind.ALERT:
        return stored_instant(item.item.get("active_at"))
    return item.times[0] if item.kind is CitedKind.LOG and item.times else None
