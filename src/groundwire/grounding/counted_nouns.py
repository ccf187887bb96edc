"""What a number of a claim counts: the noun behind it, or one that stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.grounding.amounts import Amount, is_noun
from groundwire.grounding.count_words import COUNTING, DISTINCT, HELPER, THINGS, NamedLevel

WORD: Final = re.compile(r"[A-Za-z][\w’'-]*")
_COUNT_OF: Final = re.compile(
    r"\b(?:number|count|total|tally|sum|volume|figure|quantity|amount|headcount)(?: count| number)?s? (?:of|for|over|by)\b|"
    r"\bhow many\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(r"(?P<word>[A-Za-z][\w’'-]*|[:=(,;–—-])\s*\Z")
_LINKS: Final = frozenset(
    (
        "is was are were be been being to at of by than least most exactly with and or equals as the for in on about from so "
        "if did do does could can will would "
        "but plus"
    ).split()
)
_NEVER_BARE: Final = frozenset("one a".split())
_SAID_ONCE: Final = re.compile(
    r"\b(?:only|just|exactly|precisely|than|least|most|log(?:ged|s)?|occur(?:s|red)?|appear(?:s|ed)?|happen(?:s|ed)?|"
    r"se(?:en|e)|found|"
    r"record(?:ed)?|writ(?:ten|es)|wrote|report(?:ed|s)?|show(?:s|ed|n)? up|match(?:ed|es)?|it|hit|print(?:ed|s)?|"
    r"emit(?:ted|s)?)\s*\Z",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(r"\b(?P<noun>[A-Za-z]{2,20})[ -](?:count|tally|headcount|number|total)\b", re.IGNORECASE)
_GROUPED: Final = re.compile(
    r"\b(?:group|split|sort|dedup|uniq|key|collaps|partition|aggregat|bucket|part|"
    r"arrang)\w{0,8} by (?:the )?(?P<noun>[A-Za-z]{2,20})\b",
    re.IGNORECASE,
)
_IS_PLACE: Final = re.compile(
    r"\b(?:of|in|on|per|by|from|across|at|for|behind|among|amongst|within|throughout|over|through|looking at|considering|"
    r"regarding|to|as for) "
    r"(?:(?:all|the|each|this|that|these|those|its|their|matched|matching|found|log|[A-Za-z]{3,9}|or worse|"
    r"or more severe) ){0,5}\Z",
    re.IGNORECASE,
)
_GENERIC: Final = re.compile(r"\s(?P<said>(?:\w+ ){0,2})(?P<noun>[a-z]{3,20}s)\b")


def noun_of(amount: Amount, text: str, levels: Sequence[NamedLevel]) -> str | None:
    """Return what an amount counts, or None where it counts nothing that is known."""
    word = text[amount.start : amount.end].lower()
    if word == "once" and not _SAID_ONCE.search(text[max(0, amount.start - 20) : amount.start]):
        return None
    if word in ("once", "twice", "thrice"):
        return "times"
    if amount.noun is not None:
        if amount.noun in ("instance", "instances") and re.match(r" of\b", text[amount.noun_end : amount.noun_end + 4]):
            return "records"
        return amount.noun
    if amount.is_vague or word in _NEVER_BARE or word.startswith(("a ", "single")):
        return None
    generic = _GENERIC.match(text, amount.end)
    if not _may_stand_alone(amount, text) and not (generic and generic["noun"] == "ones"):
        return generic["noun"] if generic and set(generic["said"].split()) & DISTINCT else None
    return _noun_elsewhere(amount, text, levels)


def _may_stand_alone(amount: Amount, text: str) -> bool:
    """Return whether neither the word before a number nor the one behind it says that it is something else."""
    start = min([amount.start, *(start for start, end in amount.spans if end == amount.start)])
    before = _BEFORE.search(text[max(0, start - 40) : start])
    behind = re.match(r"\s?[x×+]?\s{0,3}(?P<word>[A-Za-z][\w’'-]*)", text[amount.end : amount.end + 40])
    following = behind["word"] if behind else ""
    return (before is None or _is_link(before["word"])) and (not following or _is_link(following))


def _is_link(word: str) -> bool:
    lowered = word.lower()
    return (
        not word[0].isalpha()
        or lowered in _LINKS
        or lowered in DISTINCT
        or is_noun(lowered)
        or HELPER.fullmatch(word) is not None
    )


def _noun_elsewhere(amount: Amount, text: str, levels: Sequence[NamedLevel]) -> str | None:
    """Return the noun of a number that has none behind it: the one that is announced, else a thing that is no mere place."""
    counted = _COUNTED.search(text) or _GROUPED.search(text)
    if counted and is_noun(counted["noun"].lower()):
        return counted["noun"].lower()
    announced = _COUNT_OF.search(text[: amount.start]) or _COUNT_OF.search(text)
    rest = text[announced.end() :] if announced else text
    nouns = [match for match in WORD.finditer(rest) if is_noun(match[0].lower())]
    if announced and nouns:
        return nouns[0][0].lower()
    things = [noun for noun in nouns if noun[0].lower() in THINGS and not _is_place(text, noun)]
    records = [noun for noun in nouns if noun[0].lower() not in THINGS]
    words = {match[0].lower() for match in WORD.finditer(text)}
    if things and (words & DISTINCT or all(_is_place(text, noun) for noun in records) or things[0].start() < records[0].start()):
        return things[0][0].lower()
    is_announced = COUNTING.search(text) or levels or records
    return (nouns[0][0].lower() if nouns and not levels else "records") if is_announced else None


def _is_place(text: str, noun: re.Match[str]) -> bool:
    """Return whether a noun only says where something is: "in the ERROR records"."""
    return _IS_PLACE.search(text[max(0, noun.start() - 60) : noun.start()]) is not None
