"""Numerals: the numbers of a text, in figures and in words, with how nearly they are meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_ONES: Final = {w: n for n, w in enumerate("one two three four five six seven eight nine".split(), start=1)}
_TEENS: Final = {
    w: n
    for n, w in enumerate(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        start=10,
    )
}
_TENS: Final = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}
_SET: Final = {
    "half a dozen": 6,
    "a dozen": 12,
    "a couple": 2,
    "a pair": 2,
    "a single": 1,
    "a lone": 1,
    "a solitary": 1,
    "single": 1,
    "once": 1,
    "twice": 2,
    "thrice": 3,
}
_VAGUE: Final = {
    "several": 3,
    "multiple": 2,
    "numerous": 3,
    "a few": 2,
    "a handful of": 2,
    "at least some": 1,
    "dozens of": 24,
    "hundreds of": 200,
    "thousands of": 2000,
}
_ONE: Final = "|".join(_ONES)
SMALL: Final = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{_ONE})\b)?|{'|'.join(_TEENS)}|{_ONE}"
_NUMBER: Final = re.compile(
    r"(?<![\w.,/#$€£-])(?<!\d:)(?:"
    r"(?P<kilo>\d{1,3}(?:\.\d)?)k\b|"
    r"(?P<digits>\d{1,3}(?:[,'’\u202f\u00a0]\d{3})+|\d{1,15})(?![\w%]|[.,:/-]\d|(?<=\d)[.]\d)(?![x×]\w)|"
    r"(?P<times>\d{1,15})[x×]\b|"
    rf"\b(?P<vague>{'|'.join(_VAGUE)})\b(?! ?\d)|"
    rf"\b(?P<dozens>{_ONE}) dozen\b|\b(?P<set>{'|'.join(_SET)})\b|"
    rf"\b(?P<hundreds>(?:an?|{_ONE}) hundred)(?: and)?(?: (?P<rest>{SMALL}))?\b|"
    rf"\b(?<!no )(?<!no-)(?P<small>{SMALL})\b)",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(
    r"(?P<from>\b(?:between|from|anywhere from|somewhere between) )?(?<![\w.,:/-])(?P<a>\d{1,9}(?:,\d{3})*) ?(?P<to>and|to|"
    r"[–-]) ?"
    r"(?P<b>\d{1,9}(?:,\d{3})*)(?![\w%:]|[.,:/-]\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """A number where it stands. ``slack`` is how far off "2k" may be, ``upper`` the end of a range, vague is "several"."""

    number: int
    slack: int
    start: int
    end: int
    upper: int | None = None
    is_vague: bool = False


def numerals_in(text: str) -> list[Numeral]:
    """Return the numbers of a text in their order; not those within names, clocks and decimal fractions."""
    ranges = [
        Numeral(number=int(m["a"].replace(",", "")), slack=0, start=m.start(), end=m.end(), upper=int(m["b"].replace(",", "")))
        for m in _RANGE.finditer(text)
        if (m["from"] or m["to"] != "and") and int(m["a"].replace(",", "")) < int(m["b"].replace(",", ""))
    ]
    found = [_read(m) for m in _NUMBER.finditer(text) if not any(r.start <= m.start() < r.end for r in ranges)]
    return sorted([*ranges, *found], key=lambda number: number.start)


def _read(match: re.Match[str]) -> Numeral:
    slack = 0
    if match["kilo"]:
        number, slack = round(float(match["kilo"]) * 1000), 50 if "." in match["kilo"] else 500
    elif match["digits"] or match["times"]:
        number = int(re.sub(r"\D", "", match["digits"] or match["times"]))
    elif match["vague"]:
        number = _VAGUE[match["vague"].lower()]
    elif match["dozens"]:
        number = 12 * _ONES[match["dozens"].lower()]
    elif match["set"]:
        number = _SET[match["set"].lower()]
    elif match["hundreds"]:
        first = match["hundreds"].split()[0].lower()
        number = 100 * _ONES.get(first, 1) + (_small(match["rest"]) if match["rest"] else 0)
    else:
        number = _small(match["small"])
    return Numeral(number=number, slack=slack, start=match.start(), end=match.end(), is_vague=match["vague"] is not None)


def _small(word: str) -> int:
    return sum(_TENS.get(part) or _TEENS.get(part) or _ONES.get(part) or 0 for part in re.split(r"[- ]", word.lower()))
