"""Lengths of time as people write them: "23 min", "1 h 5 min", "PT23M", "twenty-three minutes", "a good hour"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS: Final = (
    {word: float(number) for number, word in enumerate(_ONES)}
    | {word: 20.0 + 10 * index for index, word in enumerate(_TENS)}
    | {"a": 1.0, "an": 1.0}
)
_UNITS_MS: Final = {"w": 604_800_000.0, "d": 86_400_000.0, "h": 3_600_000.0, "m": 60_000.0, "s": 1000.0}
_UNIT: Final = r"weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s"
_NUMBER_WORD: Final = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES[1:])}|an?"
# "a good hour", "the last minute": one, without a figure.
_BARE: Final = r"(?<=\ba good )|(?<=\ba full )|(?<=\bthe last )|(?<=\bthe past )|(?<=\bthe whole )"
_FIGURE: Final = rf"\d[\d,]{{0,12}}(?:\.\d{{1,6}})?(?:\s|-)?|\b(?:{_NUMBER_WORD})(?: and a half)?[\s-]|{_BARE}"
_PART: Final = rf"(?:{_FIGURE})(?:{_UNIT})(?![A-Za-z])(?: and a half)?"
_BOUND: Final = (
    r"(?P<more>more than|(?:(?<=\bfor )|(?<=lasted )|(?<=continued )|(?<=persisted )|(?<=lasting )|(?<=took )|(?<=been )|"
    r"(?<=was )|(?<=is )|(?<=of ))over|at least|"
    r"longer than|in excess of|no less than|not less than|upwards of|well over|north of|"
    r"above|exceed(?:s|ed|ing)?|a minimum of)|"
    r"(?P<less>less than|under|at most|up to|no more than|not more than|no longer than|not longer than|shorter than|fewer than|"
    r"within|inside(?: of)?|below|a maximum of)|"
    r"(?P<above>a good|just over|slightly (?:over|more than|longer than)|a (?:little|bit) (?:over|more than|longer than)|"
    r"some(?=\s)|good)|"
    r"(?P<below>just under|almost|nearly|close to|not quite|just short of|slightly (?:under|less than)|"
    r"a (?:little|bit) (?:under|less than|short of)|barely|hardly)|"
    r"(?P<near>about|around|roughly|approximately|approx\.?|circa|ca\.?|~|≈|something like|in the region of|on the order of)|"
    r"(?P<exact>exactly|precisely|a (?:full|total of|whole)|a total of|in total|full|all of|no less than exactly)"
)
_LENGTH: Final = re.compile(
    rf"(?:(?<![\w-])(?:{_BOUND})\s?)?(?:"
    r"(?P<iso>\bP(?:\d{1,4}D)?(?:T(?=\d)(?:\d{1,4}H)?(?:\d{1,6}M)?(?:\d{1,9}(?:\.\d{1,6})?S)?)?(?<=\d[DHMS])(?!\w))"
    r"|(?P<half>\bhalf an? (?:hour|minute|day)\b)|(?P<quarter>\b(?:(?P<three>three[- ]))?quarters? of an hour\b)"
    rf"|(?<![\w.,:/=])(?<!\w-)(?P<parts>{_PART}(?:(?:,? and |,? ?)(?:{_PART})){{0,3}})(?P<plus> or so| or more| or less|\+)?"
    r")",
    re.IGNORECASE,
)
_HAS_UNIT: Final = re.compile(rf"(?<![A-Za-z’'])(?:{_UNIT})(?![A-Za-z])|\bPT?\d", re.IGNORECASE)
_PARTS: Final = re.compile(
    rf"(?P<n>\d[\d,]{{0,12}}(?:\.\d{{1,6}})?|\b(?:{_NUMBER_WORD})|{_BARE})(?P<h1> and a half)?(?:\s|"
    rf"-)?(?P<unit>{_UNIT})(?![A-Za-z])"
    r"(?P<h2> and a half)?",
    re.IGNORECASE,
)
_ISO_PARTS: Final = re.compile(r"(?P<n>\d+(?:\.\d+)?)(?P<unit>[DHMS])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """A stated length of time in milliseconds; it holds for what lies in ``low`` to ``high``. ``parts`` are its figures."""

    shown: str
    start: int
    end: int
    stated_ms: float
    low: float
    high: float
    parts: int
    is_vague: bool = False

    def fits(self, actual_ms: float) -> bool:
        """Return whether ``actual_ms`` would be written like this."""
        return self.low <= actual_ms <= self.high


def lengths_in(text: str) -> Iterator[Length]:
    """Yield the lengths of time that a text states."""
    if _HAS_UNIT.search(text) is None:
        return
    for match in _LENGTH.finditer(text):
        figures, end = _figures(match)
        if figures:
            stated = sum(number * unit for number, unit, _ in figures)
            low, high = _limits(match, stated, figures[-1])
            yield Length(
                shown=" ".join(text[match.start() : end].split()),
                start=match.start(),
                end=end,
                stated_ms=stated,
                low=low,
                high=high,
                parts=len(figures),
                is_vague=bool(match["half"] or match["quarter"] or match["above"] or match["below"]),
            )


def _figures(match: re.Match[str]) -> tuple[list[tuple[float, float, bool]], int]:
    """Return number, unit in milliseconds and whether it has a fraction, of each part, and where they end.

    Parts of one length have ever smaller units: of "5 min and 6 min" the second is another length.
    """
    if match["half"]:
        return [(0.5, _UNITS_MS[match["half"].split()[-1][0].lower()], False)], match.end()
    if match["quarter"]:
        return [(45.0 if match["three"] else 15.0, _UNITS_MS["m"], False)], match.end()
    pattern, group = (_ISO_PARTS, "iso") if match["iso"] else (_PARTS, "parts")
    figures: list[tuple[float, float, bool]] = []
    end = match.end()
    for part in pattern.finditer(match.string, match.start(group), match.end(group)):
        unit = _UNITS_MS[part["unit"][0].lower()]
        if figures and unit >= figures[-1][1]:
            break
        halves = part.groupdict().get("h1") or part.groupdict().get("h2")
        figures.append((_value(part["n"]) + (0.5 if halves else 0), unit, "." in part["n"] or bool(halves)))
        end = part.end() if part.end() < match.end(group) else match.end()
    return figures, end


def _value(number: str) -> float:
    if not number:
        return 1.0
    if number[0].isdigit():
        return float(number.replace(",", ""))
    return sum(_WORDS[word] for word in re.split(r"[- ]", number.lower()))


def _limits(match: re.Match[str], stated: float, last: tuple[float, float, bool]) -> tuple[float, float]:
    """What rounding takes: half of the last unit up, and what is cut off below it; more where a word says "about"."""
    _, unit, has_fraction = last
    half, cut = (unit * 0.06, unit * 0.06) if has_fraction else (unit / 2, unit * 0.999 if unit <= 60_000 else unit / 2)
    plus = (match["plus"] or "").strip().lower()
    if match["half"] or match["quarter"]:
        return stated * 0.9, stated * 1.1
    if match["more"] or plus in ("or more", "+"):
        return stated, float("inf")
    if match["less"] or plus == "or less":
        return 0.0, stated + (unit * 0.999 if unit <= 1000 else 0)
    if match["above"]:
        return stated - half / 10, stated + max(cut, stated * 0.25)
    if match["below"]:
        return stated - max(half, stated * 0.1), stated + half / 10
    if match["near"] or plus == "or so":
        return stated - max(half, stated * 0.05), stated + max(cut, stated * 0.05)
    return stated - half, stated + cut
