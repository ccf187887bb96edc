"""Times of a claim: each must be a time of a cited item, to the precision in which it is written, and in the role it is given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_instant, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.clock import CLOCK, fits_clock

_TIME: Final = re.compile(rf"(?<![\w:.-]){CLOCK}")
_EPOCH: Final = re.compile(
    r"\b(?:epoch|unix time|timestamp)(?: seconds?| time| ms)?:? (?P<n>1\d{9}(?:\d{3}){0,3})\b", re.IGNORECASE
)
_SINCE: Final = re.compile(r"\b(?:since|active from|firing from|began(?: firing)? at|started(?: firing)? at)\s*\Z", re.IGNORECASE)
_FIRST: Final = re.compile(
    r"\b(?:first|earliest|oldest|began|begins?|beginning|starts?|started|starting|onset|between|from|since)"
    r"(?:[ ,]+[\w’'-]{1,20}){0,7}[ ,]*\Z",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"(?:\b(?:last|latest|newest|most recent|end|ends|ended|ending|until|till|up to)(?:[ ,]+[\w’'-]{1,20}){0,7}[ ,]*|"
    r"\d(?:Z| ?UTC)?,? (?:and|to|until|through) |\d(?:Z| ?UTC)? ?[–-] ?)\Z",
    re.IGNORECASE,
)


def check_times(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each time or date of the claim; naive times are UTC.

    "Since T" of an alert is when it became active, "first" and "last" of a call are those of what matched. A time that is
    not the one in that role contradicts; one that stands nowhere is unsupported.
    """
    facts = [_check_epoch(match, cited) for match in claim.take(_EPOCH)]
    before = claim.rest
    for match in claim.take(_TIME):
        if match["date"] is None and match["clock"] is None:
            continue
        facts.append(_check(match, cited, before[: match.start()]))
    return facts


def _check(match: re.Match[str], cited: Sequence[Cited], before: str) -> CheckedFact:
    shown = match[0].strip()
    for item in cited:
        for moment in _times_in_role(item, before):
            if fits_clock(match, moment):
                return CheckedFact(claimed=shown, looked_in=item.ref_id, found=format_instant(moment), verdict=Verdict.SUPPORTED)
        if item.kind in (CitedKind.LOG, CitedKind.BLOCK) and shown in item.text:
            return CheckedFact(claimed=shown, looked_in=item.ref_id, found=shown, verdict=Verdict.SUPPORTED)
    return _miss(shown, cited, before)


def _check_epoch(match: re.Match[str], cited: Sequence[Cited]) -> CheckedFact:
    """Epoch seconds, milliseconds, microseconds or nanoseconds, told apart by their number of digits."""
    seconds = int(match["n"]) / 10 ** (len(match["n"]) - 10)
    for item in cited:
        hit = next((moment for moment in item.times if abs(moment.timestamp() - seconds) < 1), None)
        if hit is not None:
            return CheckedFact(claimed=match[0], looked_in=item.ref_id, found=format_instant(hit), verdict=Verdict.SUPPORTED)
    refs = ", ".join(item.ref_id for item in cited)
    return CheckedFact(claimed=match[0], looked_in=refs, found=None, verdict=Verdict.UNSUPPORTED)


def _times_in_role(item: Cited, before: str) -> Sequence[datetime]:
    if item.kind is CitedKind.ALERT and _SINCE.search(before):
        return _only(item.item.get("active_at"))
    if item.kind is CitedKind.CALL:
        summary, window = item.item["summary"], item.item["scope"].get("window") or {}
        if _LAST.search(before):
            return [*_only(summary.get("last_at")), *_only(window.get("end"))]
        if _FIRST.search(before):
            return [*_only(summary.get("first_at")), *_only(window.get("start"))]
    return item.times


def _miss(shown: str, cited: Sequence[Cited], before: str) -> CheckedFact:
    """A time that differs from the only one in its role contradicts."""
    refs = ", ".join(item.ref_id for item in cited)
    if _SINCE.search(before):
        starts = [start for item in cited if item.kind is CitedKind.ALERT for start in _only(item.item.get("active_at"))]
        if len(starts) == 1:
            return _contradiction(f"since {shown}", f"{refs} active_at", starts[0])
    lines = [item for item in cited if item.kind is CitedKind.LOG]
    if len(cited) == 1 and len(lines) == 1 and len(lines[0].times) == 1 and re.search(r"\bat\s*\Z", before):
        return _contradiction(f"at {shown}", f"{refs} timestamp", lines[0].times[0])
    return CheckedFact(claimed=shown, looked_in=refs, found=None, verdict=Verdict.UNSUPPORTED)


def _contradiction(claimed: str, looked_in: str, found: datetime) -> CheckedFact:
    return CheckedFact(claimed=claimed, looked_in=looked_in, found=format_instant(found), verdict=Verdict.CONTRADICTED)


def _only(value: object) -> list[datetime]:
    moment = stored_instant(value)
    return [] if moment is None else [moment]
