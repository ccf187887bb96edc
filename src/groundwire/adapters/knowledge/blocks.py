"""Which pieces of the ranked documents an answer shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundwire.adapters.knowledge.index import KnowledgeIndex
from groundwire.adapters.knowledge.ranking import RankedDocument
from groundwire.domain.knowledge import KnowledgeBlock
from groundwire.domain.names import RelevanceLevel

_MOST_OF_A_NAMED_ONE: Final = 4


def choose_blocks(index: KnowledgeIndex, ranked: Sequence[RankedDocument], limit: int) -> tuple[KnowledgeBlock, ...]:
    """Return at most ``limit`` blocks, those of one document together, best first.

    Every document gives its best block and a named one up to four, of which it leaves one to the rest; slots still free go
    to further blocks of the best documents. Beside a document of high relevance those of low are left out.
    """
    if any(document.level is RelevanceLevel.HIGH for document in ranked):
        ranked = [document for document in ranked if document.level is not RelevanceLevel.LOW]
    pieces = [_distinct(index, document.pieces) for document in ranked]
    counts = _share_out(ranked, [len(some) for some in pieces], limit)
    return tuple(
        _block(index, document, piece)
        for document, some, count in zip(ranked, pieces, counts, strict=True)
        for piece in some[:count]
    )


def _share_out(ranked: Sequence[RankedDocument], available: Sequence[int], limit: int) -> list[int]:
    counts = []
    room = limit
    for at, document in enumerate(ranked):
        left_to_the_rest = 1 if room > 1 and at + 1 < len(ranked) else 0
        wanted = _MOST_OF_A_NAMED_ONE if document.is_named else 1
        counts.append(min(wanted, available[at], room - left_to_the_rest))
        room -= counts[-1]
    for at in range(len(ranked)):
        more = min(room, available[at] - counts[at])
        counts[at] += more
        room -= more
    return counts


def _distinct(index: KnowledgeIndex, pieces: Sequence[int]) -> list[int]:
    """Return the pieces without those that a better one repeats, such as a section that is the abstract to the letter."""
    chosen: list[int] = []
    for piece in pieces:
        content = index.pieces[piece].content
        if not any(content in index.pieces[better].content for better in chosen):
            chosen.append(piece)
    return chosen


def _block(index: KnowledgeIndex, document: RankedDocument, number: int) -> KnowledgeBlock:
    piece = index.pieces[number]
    return KnowledgeBlock(
        title=index.documents[document.number].title,
        source=index.documents[document.number].source,
        section=piece.section,
        content=piece.content,
        layer=piece.layer,
        score=document.score,
    )
