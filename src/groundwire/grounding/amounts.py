"""Amounts: the numbers of a claim in figures and words, each with how it is meant and the noun it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from groundwire.domain.levels import parse_level
from groundwire.grounding import count_words as vocabulary
from groundwire.grounding.bounds import Bounds, BoundWord, bounds_of, word_after, word_before, word_far_before
from groundwire.grounding.figures import UNIT

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
_SMALL: Final = rf"(?:{'|'.join(_TENS)})(?:[- ](?:{_ONE})\b)?|{'|'.join(_TEENS)}|{_ONE}"
_NUMBER: Final = re.compile(
    r"(?<![\w.,/#$€£-])(?<!\d:)(?:"
    r"(?P<kilo>\d{1,3}(?:\.\d)?)k\b|"
    r"(?P<digits>\d{1,3}(?:[,'’\u202f\u00a0]\d{3})+|\d{1,15})(?![\w%]|[.,:/-]\d|(?<=\d)[.]\d)(?![x×]\w)|"
    r"(?P<times>\d{1,15})[x×]\b|"
    rf"\b(?P<vague>{'|'.join(_VAGUE)})\b(?! ?\d)|"
    rf"\b(?P<dozens>{_ONE}) dozen\b|\b(?P<set>{'|'.join(_SET)})\b|"
    rf"\b(?P<hundreds>(?:an?|{_ONE}) hundred)(?: and)?(?: (?P<rest>{_SMALL}))?\b|"
    rf"\b(?<!no )(?<!no-)(?P<small>{_SMALL})\b)",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    rf"\s?(?:{UNIT}|per ?cent|EUR|USD|GBP|[kKMGT]bps|bits?\b|rps\b|req/s|points?\b|times (?:as|more|higher|larger)\b|[°€$£])"
    r"|-(?:second|minute|hour|day|fold|core)|\s?(?:days?|weeks?|hrs?|hours?|d)\b(?!-)",
)
_PART_BEFORE: Final = re.compile(
    rf"(?:\A|[.,;:(–—%-]|\d|\b(?:out|none|some|any|half|few|many|several|most|third|quarter|{_SMALL}))\s*\Z", re.IGNORECASE
)
_AMONG: Final = re.compile(
    r"(?P<of>\b(?:out of|of|among|amongst|from among)) (?:all |the |those |these |its |their |our |a total of |all the |all of the )*\Z",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[ -]{0,2}(?P<word>[A-Za-z][\w’'-]*)")
_STOPS: Final = frozenset(
    (
        "of in at from with were was are is and or for that which on by to as between during per within over across had have has "
        "came come carry bear logged found matched all among out the their its"
    ).split()
)
_RANGE: Final = re.compile(
    r"(?P<from>\b(?:between|from|anywhere from|somewhere between) )?(?<![\w.,:/-])(?P<a>\d{1,9}(?:,\d{3})*) ?(?P<to>and|to|[–-]) ?"
    r"(?P<b>\d{1,9}(?:,\d{3})*)(?![\w%:]|[.,:/-]\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number that counts: ``noun`` as written (None: none stands behind it), ``between`` the words up to the noun."""

    number: int
    bounds: Bounds | None
    start: int
    end: int
    until: int
    noun: str | None
    noun_end: int
    between: tuple[str, ...]
    is_universe: bool
    is_part: bool
    is_multiplier: bool
    is_vague: bool
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number:
    number: int
    slack: int
    start: int
    end: int
    upper: int | None = None
    is_vague: bool = False


def amounts_in(text: str) -> list[Amount]:
    """Return the numbers of a text that may count something: not measures, and not parts of names."""
    numbers = [found for found in _numbers(text) if not _MEASURED.match(text, found.end)]
    heads = [word_before(text, found.start) for found in numbers]
    amounts = []
    for index, found in enumerate(numbers):
        following = heads[index + 1] if index + 1 < len(heads) else None
        next_start = numbers[index + 1].start if index + 1 < len(numbers) else len(text)
        until = following.start if following and following.start >= found.end else next_start
        since = numbers[index - 1].end if index else 0
        head = heads[index] or word_far_before(text, since, found.start)
        amounts.append(_amount(text, found, head, until))
    return amounts


def _numbers(text: str) -> list[_Number]:
    ranges = [
        _Number(number=int(m["a"].replace(",", "")), slack=0, start=m.start(), end=m.end(), upper=int(m["b"].replace(",", "")))
        for m in _RANGE.finditer(text)
        if (m["from"] or m["to"] != "and") and int(m["a"].replace(",", "")) < int(m["b"].replace(",", ""))
    ]
    found = [_read(m) for m in _NUMBER.finditer(text) if not any(r.start <= m.start() < r.end for r in ranges)]
    return sorted([*ranges, *found], key=lambda number: number.start)


def _read(match: re.Match[str]) -> _Number:
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
    return _Number(number=number, slack=slack, start=match.start(), end=match.end(), is_vague=match["vague"] is not None)


def _small(word: str) -> int:
    return sum(_TENS.get(part) or _TEENS.get(part) or _ONES.get(part) or 0 for part in re.split(r"[- ]", word.lower()))


def _amount(text: str, found: _Number, head: BoundWord | None, until: int) -> Amount:
    noun, noun_end, between, is_part = _noun_behind(text, found.end)
    tail = word_after(text, found.end, until)
    said = [word for word in (head, tail) if word is not None]
    if found.upper is not None:
        bounds: Bounds | None = Bounds(low=found.number, high=found.upper)
    elif found.is_vague:
        bounds = Bounds(low=found.number, high=None)
    else:
        bounds = bounds_of(found.number, said, found.slack)
    begins = head.start if head is not None and head.end == found.start else found.start
    before = text[max(0, begins - 40) : begins]
    among = _AMONG.search(before)
    return Amount(
        number=found.number,
        bounds=bounds,
        start=found.start,
        end=found.end,
        until=until,
        noun=noun,
        noun_end=noun_end,
        between=between,
        is_universe=among is not None and _is_whole(before, among),
        is_part=is_part,
        is_multiplier=text[found.end - 1 : found.end] in "x×" or text[found.end : found.end + 1] in ("x", "×"),
        is_vague=found.is_vague,
        spans=((found.start, found.end), *((word.start, word.end) for word in said)),
    )


def _is_whole(before: str, among: re.Match[str]) -> bool:
    """Return whether "of" parts ("31 of 34", "of the 34") and is not that of "a total of 34" or "to the tune of 34"."""
    word = among["of"].lower()
    return word != "of" or _PART_BEFORE.search(before[: among.start()]) is not None


def _noun_behind(text: str, end: int) -> tuple[str | None, int, tuple[str, ...], bool]:
    """Return the noun that a number counts, where it ends, the words up to it, and whether "of the" stands between."""
    at, between, noun, noun_end = end, [], None, end
    multiplied = re.match(r"\s?[x×+](?!\w)", text[end : end + 3])
    at += multiplied.end() if multiplied else 0
    is_part = False
    partitive = re.match(
        r"\s(?:out )?of (?:all |the |those |these |them|its |our |their |all of ){1,3}", text[at : at + 40], re.IGNORECASE
    )
    if partitive:
        is_part, at = True, at + partitive.end() - (0 if partitive[0].endswith("them") else 1)
    for _ in range(6):
        match = _WORD.match(text, at)
        if match is None:
            break
        word = match["word"].lower()
        if is_noun(word):
            noun, noun_end = word, match.end()
        elif word in _STOPS or noun is not None:
            break
        else:
            between.append(word)
        at = match.end()
    return noun, noun_end, tuple(between) if noun else (), is_part


def is_noun(word: str) -> bool:
    """Return whether a word names something that a claim counts."""
    return (
        word in vocabulary.RECORD_NOUNS
        or word in vocabulary.THINGS
        or word in vocabulary.TROUBLE_NOUNS
        or word in vocabulary.ALERT_NOUNS
        or word in vocabulary.SERIES_NOUNS
        or word in vocabulary.OTHER_NOUNS
        or (word != "log" and (parse_level(word) or parse_level(word.removesuffix("s"))) is not None)
    )
