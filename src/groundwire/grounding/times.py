"""Times of a claim: each must be a time of a cited item, to the precision in which it is written. Naive times are UTC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind, instant_of
from groundwire.grounding.claim_text import ClaimText

_TIME = re.compile(
    r"(?<![\w:.-])(?:(?P<date>\d{4}-\d{2}-\d{2})(?:[T ](?=\d))?)?(?:(?P<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)"
    r"(?:\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})(?!\w))?)?(?<=[\dZC])(?![\w:])"
)
_SINCE = re.compile(r"\b(?:since|active from|firing from|began at|started at)\s*\Z", re.IGNORECASE)


def check_times(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each time or date of the claim.

    A time after "since" that differs from the only start that is cited contradicts; any other that stands nowhere is
    unsupported.
    """
    facts, before = [], claim.rest
    for match in claim.take(_TIME):
        if match["date"] is None and match["clock"] is None:
            continue
        facts.append(_check(match, cited, is_start=bool(_SINCE.search(before[: match.start()]))))
    return facts


def _check(match: re.Match[str], cited: Sequence[Cited], *, is_start: bool) -> CheckedFact:
    shown = match[0].strip()
    for item in cited:
        times = _starts(item) if is_start and item.kind is CitedKind.ALERT else item.times
        hit = next((moment for moment in times if _fits(match, moment)), None)
        if hit is not None:
            return CheckedFact(claimed=shown, looked_in=item.ref_id, found=format_instant(hit), verdict=Verdict.SUPPORTED)
        if not is_start and shown in item.text:
            return CheckedFact(claimed=shown, looked_in=item.ref_id, found=shown, verdict=Verdict.SUPPORTED)
    alerts = [item for item in cited if item.kind is CitedKind.ALERT and _starts(item)]
    if is_start and len(alerts) == 1:
        return CheckedFact(
            claimed=f"since {shown}",
            looked_in=f"{alerts[0].ref_id} active_at",
            found=format_instant(_starts(alerts[0])[0]),
            verdict=Verdict.CONTRADICTED,
        )
    return CheckedFact(claimed=shown, looked_in=", ".join(item.ref_id for item in cited), found=None, verdict=Verdict.UNSUPPORTED)


def _starts(item: Cited) -> list[datetime]:
    start = instant_of(item.item.get("active_at"))
    return [] if start is None else [start]


def _fits(match: re.Match[str], moment: datetime) -> bool:
    local = moment.astimezone(UTC) + _offset(match["zone"])
    if match["date"] and local.strftime("%Y-%m-%d") != match["date"]:
        return False
    if not match["clock"]:
        return True
    clock = match["clock"] if len(match["clock"].partition(":")[0]) == 2 else f"0{match['clock']}"
    if local.strftime("%H:%M:%S.%f").startswith(clock):
        return True
    # A second that was rounded, not cut.
    return clock.count(":") == 2 and "." not in clock and (local + timedelta(milliseconds=500)).strftime("%H:%M:%S") == clock


def _offset(zone: str | None) -> timedelta:
    if zone is None or zone in ("Z", "UTC"):
        return timedelta()
    sign = -1 if zone[0] == "-" else 1
    digits = zone[1:].replace(":", "")
    return sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]))
