"""Where a claim speaks of which cited item: by its quotes, else by the words that only one of the items has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from groundwire.grounding.cited import Cited
from groundwire.grounding.claim_text import stem, words
from groundwire.grounding.order_words import ORDERS
from groundwire.grounding.quotes import QUOTE, stands_in

_TOKEN: Final = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")
_PLAIN: Final = frozenset(
    stem(word)
    for word in (
        "a an the of in on at by to for from with and or but was were is are be been had has have did do it its this that when "
        "log logs logged line record records says said service first last later earlier time then next before after only already"
    ).split()
)
_MOST: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One cited item and the stretch of the claim that speaks of it."""

    item: Cited
    start: int
    end: int


def mentions_of(text: str, items: Sequence[Cited]) -> list[Mention]:
    """Return the mentions in the order of the claim; empty where they cannot be told apart."""
    if not 2 <= len(items) <= _MOST:
        return []
    return sorted(_quoted(text, items) or _worded(text, items), key=lambda mention: mention.start)


def _quoted(text: str, items: Sequence[Cited]) -> list[Mention]:
    """Each quote is of another item: so a quote that two of them hold is of the one that no other quote is of."""
    quotes = list(QUOTE.finditer(text))
    if not 2 <= len(quotes) <= len(items):
        return []
    texts = [next(group for group in quote.groups() if group) for quote in quotes]
    holds = [[stands_in(quoted, item.text) for item in items] for quoted in texts]
    fitting = [
        chosen
        for chosen in permutations(range(len(items)), len(quotes))
        if all(holds[index][place] for index, place in enumerate(chosen))
    ]
    if len(fitting) != 1:
        return []
    return [
        Mention(item=items[place], start=quote.start(), end=quote.end()) for quote, place in zip(quotes, fitting[0], strict=True)
    ]


def _worded(text: str, items: Sequence[Cited]) -> list[Mention]:
    if len(items) != 2:
        return []
    stems = [_stems(item) for item in items]
    spans = []
    for index, item in enumerate(items):
        own = stems[index] - stems[1 - index]
        places = [match.span() for match in _TOKEN.finditer(text) if _is_own(match[0], own)]
        if not places:
            return []
        spans.append(Mention(item=item, start=min(start for start, _ in places), end=max(end for _, end in places)))
    one, other = spans
    return spans if one.end <= other.start or other.end <= one.start else []


def _is_own(token: str, own: frozenset[str]) -> bool:
    if ORDERS.fullmatch(token):
        return False
    parts = {stem(word) for word in words(token)} or {token.lower()}
    return bool(parts) and parts <= own


def _stems(item: Cited) -> frozenset[str]:
    text = " ".join(
        str(item.item.get(key) or "") for key in ("message", "alert_name", "metric", "service", "level", "severity", "state")
    )
    return frozenset({stem(word) for word in words(text)} | set(re.findall(r"\d+", text))) - _PLAIN
