"""What each number of a claim counts: its noun, and the records, levels, services and words that the claim says them to have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from groundwire.grounding.amounts import Amount, amounts_in, is_noun
from groundwire.grounding.cited import Cited, EvidenceBase
from groundwire.grounding.count_words import (
    DISTINCT,
    SEARCHED,
    THINGS,
    TROUBLE_NOUNS,
    WIDE,
    NamedLevel,
    levels_in,
)
from groundwire.grounding.counted_nouns import WORD, noun_of
from groundwire.grounding.quotes import QUOTE, quotes_in
from groundwire.grounding.selection import Selection, asked_service

_STATE: Final = re.compile(r"\b(firing|pending|suppressed|silenced|inhibited|resolved|inactive)\b", re.IGNORECASE)
_SEVERITY: Final = re.compile(
    r"\b(critical|warning|info|page|major|minor)\b(?=[- ](?:severity|alerts?|alarms?|\w+ alerts?))", re.IGNORECASE
)
_AS_STORED: Final = {"silenced": "suppressed", "inhibited": "suppressed"}
_MORE_OF: Final = frozenset("more additional further other remaining another extra new fewer".split())
_SOME_BEFORE: Final = re.compile(
    r"\b(?:first|last|latest|earliest|newest|oldest|next|previous|top|bottom|initial|final|another|remaining|other|"
    r"but|except|save|minus|besides|every|each) (?:the |for )?\Z",
    re.IGNORECASE,
)
_FOR_EACH_BEHIND: Final = re.compile(
    r" (?:per|apiece|each|every|an? (?:second|minute|hour|day|pod|service|host|node))\b", re.IGNORECASE
)
_FOR_EACH: Final = re.compile(
    r"\b(?:on average|average[sd]?|mean|median|(?:each|every|per|either|both) (?:of (?:the|its) )?"
    r"(?:pod|service|host|node|instance|replica|container|address|user|machine)s?)\b",
    re.IGNORECASE,
)
_DENIED_LEVEL: Final = re.compile(
    r"(?:\b(?:not|non|other than|except|excluding|besides|without|below|outside|neither|nor|un)|n[’']t)"
    r"[ -](?:at |of |as |level |an? )*\Z",
    re.IGNORECASE,
)
_MENTIONS: Final = re.compile(r"\b(?:mention|about|refer|concern|regard|against|name[sd]? )", re.IGNORECASE)
_WHOLE_OF: Final = re.compile(
    r"\b(?:of|among|amongst|looking at|with respect to|within) (?:all )?(?:the |these |those )?\Z", re.IGNORECASE
)
# "The error" may be one of several: which, a count of errors does not tell.
_LOOSE_LEVEL: Final = re.compile(r"\b(?:error|warning|notice|info|fatal|critical)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A number, what it counts, and where its words stand.

    ``is_sure``: a count that comes out otherwise contradicts it. ``problem`` says why it cannot be read.
    """

    amount: Amount
    noun: str
    selection: Selection
    shown: str
    spans: tuple[tuple[int, int], ...]
    states: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    is_distinct: bool = False
    is_sure: bool = True
    problem: str | None = None


def readings_of(text: str, whole: str, calls: Sequence[Cited], base: EvidenceBase) -> list[Reading]:
    """Return a reading for each number that counts something; ``text`` is what is left of the claim ``whole``."""
    levels = levels_in(text)
    counted = [(amount, noun) for amount in amounts_in(text) if (noun := noun_of(amount, text, levels)) is not None]
    if not counted:
        return []
    services = services_named(text, base)
    assigned = _levels_of([amount for amount, _ in counted], levels, text)
    unquoted = QUOTE.sub(" ", whole)
    found = []
    for (amount, noun), own_levels in zip(counted, assigned, strict=True):
        service, problem = _service_of(services, calls, text)
        problem = problem or (None if own_levels is not None else "whose level it is cannot be told")
        if any(_DENIED_LEVEL.search(text[max(0, level.start - 24) : level.start]) for level in own_levels or ()):
            problem = "records of other levels than a named one are not computed"
        problem = problem or _not_the_whole(amount, noun, text)
        # Of several amounts each has the states in its own words; a single one those of the whole claim.
        own = text[amount.start : amount.until] if len(counted) > 1 else text
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
                states=tuple(_AS_STORED.get(m[1].lower(), m[1].lower()) for m in _STATE.finditer(own)),
                severities=tuple(m[1].lower() for m in _SEVERITY.finditer(own)),
                is_distinct=not is_noun(noun),
                is_sure=not amount.is_vague and amount.number != 1 and bool(own_levels or not _LOOSE_LEVEL.search(text)),
                problem=problem,
            )
        )
    return found


def _not_the_whole(amount: Amount, noun: str, text: str) -> str | None:
    """Return why a number is not that of the whole: some of a row, besides others, or so many for each of several things."""
    start = min([amount.start, *(start for start, end in amount.spans if end == amount.start)])
    if set(amount.between) & _MORE_OF or _SOME_BEFORE.search(text[max(0, start - 24) : amount.start]):
        return "which or how many of them there are besides cannot be told"
    if _FOR_EACH_BEHIND.match(text[amount.noun_end : amount.noun_end + 24]) or (noun not in THINGS and _FOR_EACH.search(text)):
        return "how many there are for each of several things is not computed"
    return None


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
    return all(re.fullmatch(r",? ?(?:and|or|,|/|\+|&) ?", text[a.end : b.start]) for a, b in pairwise(levels))


def _spans(amount: Amount, noun: str, levels: Sequence[NamedLevel], text: str) -> tuple[tuple[int, int], ...]:
    """Return where the words stand that have been read: number, bounds, noun and levels; others are still to be checked."""
    words = [
        (match.start() + amount.end, match.end() + amount.end)
        for match in WORD.finditer(text[amount.end : amount.noun_end])
        if is_noun(match[0].lower()) or match[0].lower() in DISTINCT or match[0].lower() in ("log", "level", "of", "the", "x")
    ]
    if amount.noun is None:
        words += [m.span() for m in WORD.finditer(text) if m[0].lower() == noun or m[0].lower() in DISTINCT]
    return (*amount.spans, *words, *((level.start, level.end) for level in levels))
