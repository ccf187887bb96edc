"""Durations: of an alert that has been active, or from the first to the last of what a call matched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_duration, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.facts import fact
from groundwire.grounding.figures import NEARLY, NUMBER, NUMBER_WORDS

_UNITS_MS: Final = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000}
_UNIT: Final = r"days?|d|hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|sec|s"
_DURATION: Final = re.compile(
    rf"(?P<near>{NEARLY})?(?<![\w.,:/=-])(?P<n>{NUMBER}|{'|'.join(NUMBER_WORDS)})[ -]?(?P<unit>{_UNIT})\b"
    rf"(?:,? (?:and )?(?P<n2>\d{{1,2}}) ?(?P<unit2>{_UNIT})\b)?(?:,? (?:and )?(?P<n3>\d{{1,2}}) ?(?P<unit3>{_UNIT})\b)?",
    re.IGNORECASE,
)


def check_durations(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each duration that the cited items have as a whole; one in a line's own text is left to the numbers.

    Where the cited items have a duration and none fits, it is contradicted.
    """
    known = [(item.ref_id, ms) for item in cited for ms in _durations_ms(item)] + _between_lines(cited)
    if not known:
        return []
    facts, written = [], "\n".join(item.text for item in cited)
    for match in claim.take(_DURATION):
        shown = " ".join(match[0].split())
        if re.search(rf"(?<!\d){re.escape(match['n'])}(?!\d)", written) and not match["n2"]:
            claim.put_back(shown)
            continue
        stated_ms, slack_ms = _stated(match)
        fitting = next(((ref, ms) for ref, ms in known if abs(ms - stated_ms) <= slack_ms), None)
        ref, actual_ms = fitting or known[0]
        verdict = Verdict.SUPPORTED if fitting else Verdict.CONTRADICTED
        facts.append(fact(shown, ref, format_duration(actual_ms), verdict))
    return facts


def _stated(match: re.Match[str]) -> tuple[float, float]:
    """Return the stated milliseconds, and how far off they may be: what rounding to the last unit takes, or "about"."""
    stated = last_unit = 0.0
    for suffix in ("", "2", "3"):
        number = match[f"n{suffix}"]
        if number:
            last_unit = float(_UNITS_MS[match[f"unit{suffix}"][0].lower()])
            stated += float(NUMBER_WORDS.get(number.lower()) or Decimal(number.replace(",", ""))) * last_unit
    has_fraction = "." in match["n"]
    slack = last_unit * (0.06 if has_fraction else 0.999)
    return stated, max(slack, stated * 0.05) if match["near"] else slack


def _between_lines(cited: Sequence[Cited]) -> list[tuple[str, float]]:
    """The time between two cited lines is a duration too."""
    lines = [item for item in cited if item.kind is CitedKind.LOG and item.times]
    if len(lines) != 2:
        return []
    return [(f"{lines[0].ref_id}, {lines[1].ref_id}", abs((lines[0].times[0] - lines[1].times[0]).total_seconds()) * 1000)]


def _durations_ms(item: Cited) -> Iterator[float]:
    duration = item.item.get("duration_ms")
    if item.kind is CitedKind.ALERT and isinstance(duration, int | float):
        yield float(duration)
    if item.kind is CitedKind.CALL:
        summary, window = item.item["summary"], item.item["scope"].get("window") or {}
        for first, last in ((summary.get("first_at"), summary.get("last_at")), (window.get("start"), window.get("end"))):
            start, end = stored_instant(first), stored_instant(last)
            if start is not None and end is not None:
                yield (end - start).total_seconds() * 1000
    if item.kind is CitedKind.SERIES and len(item.times) > 1:
        yield (item.times[-1] - item.times[0]).total_seconds() * 1000
