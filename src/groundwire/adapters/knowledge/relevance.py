"""How well what was found covers what was asked: one rule, by the rarity of the words."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Final

from groundwire.domain.names import RelevanceLevel

_LEVELS: Final = (RelevanceLevel.NONE, RelevanceLevel.LOW, RelevanceLevel.MEDIUM, RelevanceLevel.HIGH)
_LOW_SHARE: Final = 0.1
_MEDIUM_SHARE: Final = 0.2
_MEDIUM_SHARE_OF_TWO: Final = 0.6


def rarity(matching: int, count: int) -> float:
    """Return the weight of a word that ``matching`` of ``count`` documents hold: above zero, the highest where none does.

    Source:
        The inverse document frequency of Lucene's BM25Similarity, which unlike the classical one never turns negative.
    """
    return math.log(1 + (count - matching + 0.5) / (matching + 0.5))


def covered_share(found: Collection[str], weights: Mapping[str, float]) -> float:
    """Return which share of the asked words was found, each counted by its weight; ``weights`` has every asked word."""
    total = sum(weights.values())
    return sum(weights[word] for word in found) / total if total else 0.0


def relevance(
    weights: Mapping[str, float], *, in_document: Collection[str], in_block: Collection[str], in_title: Collection[str]
) -> RelevanceLevel:
    """Return how relevant a document is to the words of ``weights``.

    ``in_block`` are those that its best block holds together with the title.

    - ``high``: one block and the title hold every word; a single word has to stand in the title.
    - ``medium``: the document holds three words or more with a fifth of the weight, or two with three fifths of it; or the
      only word, in its text. One shared word among several is chance, however rare it is.
    - ``low``: it holds a tenth of the weight.
    """
    if not weights or not in_document:
        return RelevanceLevel.NONE
    if len(weights) == 1:
        return RelevanceLevel.HIGH if in_title else RelevanceLevel.MEDIUM
    if len(in_block) == len(weights):
        return RelevanceLevel.HIGH
    share = covered_share(in_document, weights)
    if (len(in_document) >= 3 and share >= _MEDIUM_SHARE) or (len(in_document) >= 2 and share >= _MEDIUM_SHARE_OF_TWO):
        return RelevanceLevel.MEDIUM
    return RelevanceLevel.LOW if share >= _LOW_SHARE else RelevanceLevel.NONE


def is_usable(share: float) -> bool:
    """Return whether a block that covers this share of the asked words says anything about them."""
    return share >= _LOW_SHARE


def strongest(levels: Collection[RelevanceLevel]) -> RelevanceLevel:
    """Return the highest of ``levels``, ``none`` when there are none."""
    return max(levels, key=_LEVELS.index, default=RelevanceLevel.NONE)
