"""Amounts: the numbers of a claim in figures and words, each with how it is meant and the noun it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from groundwire.domain.levels import parse_level
from groundwire.grounding import count_words as vocabulary
from groundwire.grounding.bounds import Bounds, BoundWord, bounds_of, word_after, word_before, word_far_before
from groundwire.grounding.figures import UNIT
from groundwire.grounding.numerals import SMALL, Numeral, numerals_in

# A list of figures is no statement about a count.
_MOST_READ: Final = 24
_MEASURED: Final = re.compile(
    rf"\s?(?:{UNIT}|per ?cent|EUR|USD|GBP|[kKMGT]bps|bits?\b|rps\b|req/s|points?\b|times (?:as|more|higher|larger)\b|[°€$£])"
    r"|-(?:second|minute|hour|day|fold|core)|\s?(?:days?|weeks?|hrs?|hours?|d)\b(?!-)",
)
_PART_BEFORE: Final = re.compile(
    rf"(?:\A|[.,;:(–—%-]|\d|\b(?:out|none|some|any|half|few|many|several|most|third|quarter|{SMALL}))\s*\Z", re.IGNORECASE
)
_AMONG: Final = re.compile(
    r"(?P<of>\b(?:out of|of|among|amongst|from among)) (?:all |the |those |these |its |their |our |a total of |all the |"
    r"all of the )*\Z",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[ -]{0,2}(?P<word>[A-Za-z][\w’'-]*)")
_STOPS: Final = frozenset(
    (
        "of in at from with were was are is and or for that which on by to as between during per within over across had have has "
        "came come carry bear logged found matched all among out the their its"
    ).split()
)
_SPREAD: Final = re.compile(
    r"\b(?:spread|distributed|scattered|split|divided|stretch(?:ed|es)?|extend(?:s|ed)?|rang(?:e|es|ed|ing)|fan(?:s|"
    r"ned)? out|strewn|"
    r"fall|falls|fell|filed|listed|come|comes|came|go|goes|went|grouped|sorted)\s*\Z",
    re.IGNORECASE,
)
_BOUNDING: Final = re.compile(
    r"(?:\b(?:from|by|in|on|are|were|is|was|with|of|at|has|have|had|just|well|and|involve[sd]?|name[sd]?)|[:,.(]|\A)\s*\Z",
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


def amounts_in(text: str) -> list[Amount]:
    """Return the numbers of a text that may count something: not measures, and not parts of names."""
    numbers = [found for found in numerals_in(text) if not _MEASURED.match(text, found.end)]
    if len(numbers) > _MOST_READ:
        return []
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


def _amount(text: str, found: Numeral, head: BoundWord | None, until: int) -> Amount:
    noun, noun_end, between, is_part = _noun_behind(text, found.end)
    if head is not None and _is_place(text, head, noun):
        head = None
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


def _is_place(text: str, head: BoundWord, noun: str | None) -> bool:
    """Return whether "over" or "under" says where records are found ("spread over 2 pods") and bounds no number."""
    if text[head.start : head.end].strip().lower() not in ("over", "under"):
        return False
    spread = _SPREAD.search(text[: head.start][-30:])
    return spread is not None or (noun in vocabulary.THINGS and _BOUNDING.search(text[: head.start][-30:]) is None)


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
