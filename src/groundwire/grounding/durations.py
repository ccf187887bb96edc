"""Durations: of an alert that has been active, or from the first to the last of what a call matched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_duration
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind, instant_of
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NEARLY, NUMBER, NUMBER_WORDS

_UNITS_MS: Final = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_DURATION: Final = re.compile(
    rf"\b(?:for|lasted|lasting|over|within|spanning|span of|took)(?: the last| the past| a total of)? (?P<near>{NEARLY})?"
    rf"(?P<n>{NUMBER}|{'|'.join(NUMBER_WORDS)})[ -]?(?P<unit>s|secs?|seconds?|min|mins|minutes?|h|hours?|hrs?|d|days?)\b"
    r"(?: (?:and )?(?P<n2>\d{1,2}) ?(?P<unit2>s|secs?|seconds?|min|mins|minutes?)\b)?",
    re.IGNORECASE,
)


def check_durations(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each "for seven minutes"; where the cited items have a duration and none fits, it is contradicted."""
    facts = []
    for match in claim.take(_DURATION):
        stated_ms, slack_ms = _stated(match)
        known = [(item.ref_id, ms) for item in cited for ms in _durations_ms(item)]
        fitting = next(((ref, ms) for ref, ms in known if abs(ms - stated_ms) <= slack_ms), None)
        shown = " ".join(match[0].split())
        if fitting is not None:
            facts.append(fact(shown, fitting[0], format_duration(fitting[1]), Verdict.SUPPORTED))
        elif known:
            facts.append(fact(shown, known[0][0], format_duration(known[0][1]), Verdict.CONTRADICTED))
        elif not any(match["n"] in item.text for item in cited):
            facts.append(fact(shown, cited, None, Verdict.UNSUPPORTED))
    return facts


def _stated(match: re.Match[str]) -> tuple[float, float]:
    """Return the stated milliseconds, and how far off they may be: half of the last unit and what rounding down takes."""
    number = match["n"].lower()
    value = Decimal(NUMBER_WORDS[number]) if number in NUMBER_WORDS else Decimal(number.replace(",", ""))
    unit_ms = _UNITS_MS[match["unit"][0].lower()]
    stated = float(value) * unit_ms
    slack = unit_ms * 0.999 if value == value.to_integral() else unit_ms * 0.05
    if match["n2"]:
        small_ms = _UNITS_MS[match["unit2"][0].lower()]
        stated, slack = stated + int(match["n2"]) * small_ms, small_ms * 0.999
    return stated, max(slack, stated * 0.05) if match["near"] else slack


def _durations_ms(item: Cited) -> Iterator[float]:
    duration = item.item.get("duration_ms")
    if item.kind is CitedKind.ALERT and isinstance(duration, int | float):
        yield float(duration)
    if item.kind is CitedKind.CALL:
        summary, window = item.item["summary"], item.item["scope"].get("window") or {}
        for first, last in ((summary.get("first_at"), summary.get("last_at")), (window.get("start"), window.get("end"))):
            start, end = instant_of(first), instant_of(last)
            if start is not None and end is not None:
                yield (end - start).total_seconds() * 1000
    if item.kind is CitedKind.SERIES and len(item.times) > 1:
        yield (item.times[-1] - item.times[0]).total_seconds() * 1000
