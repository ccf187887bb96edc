"""Figures as people write them: a number with its printed precision, a unit, and how nearly it is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

NUMBER: Final = r"-?(?:\d{1,3}(?:,\d{3})+|\d{1,18})(?:\.\d{1,18})?(?:[eE][+-]?\d{1,3})?"
UNIT: Final = (
    r"%|percent|ms\b|milliseconds?\b|seconds?\b|secs?\b|s\b|minutes?\b|mins?\b|hours?\b|h\b|[KMGT]i?B\b|bytes?\b|B\b|"
    r"millicores?\b|cores?\b|MHz\b"
)
NEARLY: Final = r"(?:about|around|roughly|approximately|approx\.?|nearly|near|almost|some|circa|~|≈)\s?"
NUMBER_WORDS: Final = {
    word: number for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), start=1)
}
_NEAR_SHARE: Final = Decimal("0.05")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number as written. ``slack`` is half of its printed precision, or what "about" allows."""

    shown: str
    value: Decimal
    slack: Decimal
    unit: str

    def fits(self, actual: float) -> bool:
        """Return whether ``actual`` would be written like this; a percentage also where the field holds the fraction."""
        found = Decimal(repr(actual))
        if abs(found - self.value) <= self.slack:
            return True
        return self.unit in ("%", "percent") and abs(found * 100 - self.value) <= self.slack

    def is_below(self, actual: float) -> bool:
        """Return whether ``actual`` is above the figure; of a percentage, in whichever of the two forms the field has."""
        return Decimal(repr(actual)) > self.value


def figure(number: str, unit: str | None, *, is_near: bool) -> Figure:
    """Return the figure that a number, a unit and a word such as "about" make."""
    digits = number.replace(",", "")
    value = Decimal(digits)
    exponent = value.as_tuple().exponent
    last_digit = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    slack = max(abs(value) * _NEAR_SHARE, last_digit) if is_near else last_digit / 2
    return Figure(shown=f"{number}{' ' + unit if unit else ''}", value=value, slack=slack, unit=(unit or "").lower())


def figure_in(match: re.Match[str], suffix: str = "") -> Figure:
    """Return the figure of a match with the groups ``n``, ``unit`` and ``near`` (each with ``suffix``)."""
    return figure(match[f"n{suffix}"], match[f"unit{suffix}"], is_near=bool(match[f"near{suffix}"]))


def pattern(suffix: str = "") -> str:
    """Return the pattern text of a figure whose groups carry ``suffix``."""
    return rf"(?P<near{suffix}>{NEARLY})?(?P<n{suffix}>{NUMBER})(?:\s?(?P<unit{suffix}>{UNIT}))?(?![\w:]|\.\d)"
