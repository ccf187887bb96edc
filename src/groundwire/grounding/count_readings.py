"""What each number of a claim counts: its noun, and the records, levels, services and words that the claim says them to have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.grounding.amounts import Amount, amounts_in, is_noun
from groundwire.grounding.cited import Cited, EvidenceBase
from groundwire.grounding.count_words import (
    COUNTING,
    DISTINCT,
    HELPER,
    RECORD_NOUNS,
    SEARCHED,
    THINGS,
    TROUBLE_NOUNS,
    WIDE,
    NamedLevel,
    levels_in,
)
from groundwire.grounding.quotes import QUOTE, quotes_in
from groundwire.grounding.selection import Selection, asked_service

_STATE: Final = re.compile(r"\b(firing|pending|suppressed|silenced|inhibited|resolved|inactive)\b", re.IGNORECASE)
_SEVERITY: Final = re.compile(
    r"\b(critical|warning|info|page|major|minor)\b(?=[- ](?:severity|alerts?|alarms?|\w+ alerts?))", re.IGNORECASE
)
_AS_STORED: Final = {"silenced": "suppressed", "inhibited": "suppressed"}
_WORD: Final = re.compile(r"[A-Za-z][\w’'-]*")
_COUNT_OF: Final = re.compile(
    r"\b(?:number|count|total|tally|sum|volume|figure|quantity|amount|headcount)(?: count| number)?s? (?:of|for)\b|"
    r"\bhow many\b", re.IGNORECASE
)
_BEFORE: Final = re.compile(r"(?P<word>[A-Za-z][\w’'-]*|[:=(,;–—-])\s*\Z")
_LINKS: Final = frozenset(
    "is was are were be been being to at of by than least most exactly with and or equals as the for in on about from so if but plus".split()
)
_NEVER_BARE: Final = frozenset("one a".split())
_SAID_ONCE: Final = re.compile(
    r"\b(?:only|just|exactly|precisely|than|least|most|log(?:ged|s)?|occur(?:s|red)?|appear(?:s|ed)?|happen(?:s|ed)?|se(?:en|e)|found|"
    r"record(?:ed)?|writ(?:ten|es)|wrote|report(?:ed|s)?|show(?:s|ed|n)? up|match(?:ed|es)?|it|hit|print(?:ed|s)?|emit(?:ted|s)?)\s*\Z",
    re.IGNORECASE,
)
_MORE_OF: Final = frozenset("more additional further other remaining another extra new fewer".split())
_MENTIONS: Final = re.compile(r"\b(?:mention|about|refer|concern|regard|against|name[sd]? )", re.IGNORECASE)
_WHOLE_OF: Final = re.compile(r"\b(?:of|among|amongst|looking at|with respect to|within) (?:all )?(?:the |these |those )?\Z", re.IGNORECASE)
_COUNTED: Final = re.compile(r"\b(?P<noun>[A-Za-z]{2,20})[ -](?:count|tally|headcount|number|total)\b", re.IGNORECASE)
_IS_PLACE: Final = re.compile(
    r"\b(?:of|in|on|per|by|from|across|at|for|behind|among|amongst|within|throughout|over|through|looking at|considering|regarding|to|as for) "
    r"(?:(?:all|the|each|this|that|these|those|its|their|matched|matching|found|log|[A-Za-z]{3,9}|or worse|or more severe) ){0,5}\Z",
    re.IGNORECASE,
)
_GENERIC: Final = re.compile(r"\s(?P<said>(?:\w+ ){0,2})(?P<noun>[a-z]{3,20}s)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A number, what it counts, and where its words stand. ``problem`` says why it cannot be read."""

    amount: Amount
    noun: str
    selection: Selection
    shown: str
    spans: tuple[tuple[int, int], ...]
    states: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    is_distinct: bool = False
    problem: str | None = None


def readings_of(text: str, whole: str, calls: Sequence[Cited], base: EvidenceBase) -> list[Reading]:
    """Return a reading for each number that counts something; ``text`` is what is left of the claim ``whole``."""
    levels = levels_in(text)
    counted = [(amount, noun) for amount in amounts_in(text) if (noun := _noun_of(amount, text, levels)) is not None]
    if not counted:
        return []
    services = services_named(text, base)
    assigned = _levels_of([amount for amount, _ in counted], levels, text)
    unquoted = QUOTE.sub(" ", whole)
    found = []
    for (amount, noun), own_levels in zip(counted, assigned, strict=True):
        service, problem = _service_of(services, calls, text)
        problem = problem or (None if own_levels is not None else "whose level it is cannot be told")
        if set(amount.between) & _MORE_OF:
            problem = "how many there are besides others cannot be told"
        selection = Selection(
            levels=tuple(own_levels or ()),
            service=service,
            quotes=tuple(quotes_in(whole)),
            is_of_search=SEARCHED.search(unquoted) is not None or not (services or WIDE.search(unquoted)),
            is_trouble=noun in TROUBLE_NOUNS and not own_levels,
            text=whole,
        )
        found.append(
            Reading(
                amount=amount,
                noun=noun,
                selection=selection,
                shown=" ".join(text[amount.start : amount.noun_end].split()),
                spans=_spans(amount, noun, own_levels or (), text),
                states=tuple(_AS_STORED.get(m[1].lower(), m[1].lower()) for m in _STATE.finditer(text)),
                severities=tuple(m[1].lower() for m in _SEVERITY.finditer(text)),
                is_distinct=not is_noun(noun),
                problem=problem,
            )
        )
    return found


def services_named(text: str, base: EvidenceBase) -> list[str]:
    """Return the services that a text names, in its order; one at the start of a sentence may have a capital letter."""
    named = dict.fromkeys(base.services_in(text))
    for match in re.finditer(r"(?:\A|[.:;] )\s*([A-Z][\w-]*)", text):
        lowered = match[1][:1].lower() + match[1][1:]
        if lowered in base.services:
            named[lowered] = None
    return sorted(named, key=lambda name: text.lower().find(name.lower()))


def _service_of(services: Sequence[str], calls: Sequence[Cited], text: str) -> tuple[str | None, str | None]:
    """Return the service whose records are counted, and what hinders telling."""
    asked = {asked_service(call) for call in calls}
    own = [service for service in services if service in asked]
    if own or not services:
        return (own[0] if len(own) == 1 else None), None
    if len(services) > 1 or _MENTIONS.search(text):
        return None, "whose records they are cannot be told"
    return services[0], None


def _noun_of(amount: Amount, text: str, levels: Sequence[NamedLevel]) -> str | None:
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
    return not word[0].isalpha() or lowered in _LINKS or lowered in DISTINCT or is_noun(lowered) or HELPER.fullmatch(word) is not None


def _noun_elsewhere(amount: Amount, text: str, levels: Sequence[NamedLevel]) -> str | None:
    """Return the noun of a number that has none behind it: the one that is announced, else a thing that is no mere place."""
    announced = _COUNT_OF.search(text[: amount.start]) or _COUNT_OF.search(text)
    rest = text[announced.end() :] if announced else text
    nouns = [match for match in _WORD.finditer(rest) if is_noun(match[0].lower())]
    if announced and nouns:
        return nouns[0][0].lower()
    counted = _COUNTED.search(text)
    if counted and is_noun(counted["noun"].lower()):
        return counted["noun"].lower()
    things = [noun for noun in nouns if noun[0].lower() in THINGS and not _is_place(text, noun)]
    records = [noun for noun in nouns if noun[0].lower() not in THINGS]
    words = {match[0].lower() for match in _WORD.finditer(text)}
    if things and (words & DISTINCT or all(_is_place(text, noun) for noun in records) or things[0].start() < records[0].start()):
        return things[0][0].lower()
    is_announced = COUNTING.search(text) or levels or records
    return (nouns[0][0].lower() if nouns and not levels else "records") if is_announced else None


def _is_place(text: str, noun: re.Match[str]) -> bool:
    """Return whether a noun only says where something is: "in the ERROR records"."""
    return _IS_PLACE.search(text[max(0, noun.start() - 60) : noun.start()]) is not None


def _levels_of(amounts: Sequence[Amount], levels: Sequence[NamedLevel], text: str) -> list[list[NamedLevel] | None]:
    """Return the levels of each amount: those in its own words, else what is left over; None where that cannot be told."""
    own = [[level for level in levels if amount.end <= level.start < max(amount.noun_end, amount.end + 1)] for amount in amounts]
    taken = [level for each in own for level in each]
    left = [level for level in levels if level not in taken]
    open_ = [i for i, amount in enumerate(amounts) if not own[i] and not amount.is_universe]
    if not left or not open_:
        return list(own)
    if len(open_) > 1 and len(left) == len(open_):
        return [own[i] if i not in open_ else [left[open_.index(i)]] for i in range(len(amounts))]
    parts = [level for level in left if not _WHOLE_OF.search(text[max(0, level.start - 40) : level.start])] or left
    chosen = parts if len(parts) == 1 or _are_joined(parts, text) else None
    if all(amounts[i].noun in THINGS for i in open_):
        chosen = left if len(left) == 1 else None
    return [own[i] if i not in open_ else chosen for i in range(len(amounts))]


def _are_joined(levels: Sequence[NamedLevel], text: str) -> bool:
    return all(
        re.fullmatch(r",? ?(?:and|or|,|/|\+|&) ?", text[a.end : b.start]) for a, b in zip(levels, levels[1:], strict=False)
    )


def _spans(amount: Amount, noun: str, levels: Sequence[NamedLevel], text: str) -> tuple[tuple[int, int], ...]:
    """Return where the words stand that have been read: number, bounds, noun and levels; what else stands between is still to be checked."""
    words = [
        (match.start() + amount.end, match.end() + amount.end)
        for match in _WORD.finditer(text[amount.end : amount.noun_end])
        if is_noun(match[0].lower()) or match[0].lower() in DISTINCT or match[0].lower() in ("log", "level", "of", "the", "x")
    ]
    if amount.noun is None:
        words += [m.span() for m in _WORD.finditer(text) if m[0].lower() == noun or m[0].lower() in DISTINCT]
    return (*amount.spans, *words, *((level.start, level.end) for level in levels))
