"""Which documents answer a lookup, best first, and which of their pieces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.knowledge.index import MOST_PRESENCE, KnowledgeIndex
from groundwire.adapters.knowledge.naming import named_parts
from groundwire.adapters.knowledge.relevance import covered_share, is_usable, rarity, relevance, strongest
from groundwire.adapters.knowledge.words import content_words
from groundwire.domain.knowledge import KnowledgeRequest
from groundwire.domain.names import RelevanceLevel, RetrievalLayer

MOST_QUERY_WORDS: Final = 64
_MOST_NAME_WORDS: Final = 16
_NAMED_BOOST: Final = 1.0
_ONE_TOPIC: Final = 10_000  # characters; a longer document holds so many words that their meeting in it says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDocument:
    """One document that answers, with the numbers of its usable pieces, best first and never none.

    ``score`` is the share of the highest score that the asked words can give, so that answers of several folders can be put
    in one order, and 1 more for a document that was named.
    """

    number: int
    score: float
    level: RelevanceLevel
    is_named: bool
    pieces: tuple[int, ...]
    usable_sections: int


class Ranking:
    """The answer of one index to one lookup. Words of the service order documents and make none relevant."""

    def __init__(self, index: KnowledgeIndex, request: KnowledgeRequest) -> None:
        query = content_words(request.query, most=MOST_QUERY_WORDS)
        alert = content_words(request.alert_name or "", most=_MOST_NAME_WORDS)
        service = content_words(request.service or "", most=_MOST_NAME_WORDS)
        hits = {word: index.find(word) for word in dict.fromkeys((*query, *alert, *service))}
        weights = {word: rarity(len(hit.documents), len(index.documents)) for word, hit in hits.items()}
        self._index = index
        self._named = named_parts(index, request)
        self._asked = [{word: weights[word] for word in words} for words in (query, alert)]
        self._document_scores = _scores({word: hit.documents for word, hit in hits.items()}, weights)
        self._piece_scores = _scores({word: hit.pieces for word, hit in hits.items()}, weights)
        self._document_words = _words_by_number({word: hit.documents for word, hit in hits.items()})
        self._piece_words = _words_by_number({word: hit.pieces for word, hit in hits.items()})
        self._title_words = _words_by_number({word: hit.titles for word, hit in hits.items()})

    def documents(self) -> tuple[RankedDocument, ...]:
        """Return the documents of relevance ``low`` or better, best first; equal ones in the order they were read."""
        candidates = sorted({*self._document_words, *self._named.documents})
        ranked = [document for document in map(self._rank, candidates) if document.level is not RelevanceLevel.NONE]
        return tuple(sorted(ranked, key=lambda document: -document.score))

    def _rank(self, number: int) -> RankedDocument:
        own = self._index.pieces_of[number]
        is_named = number in self._named.documents
        level = RelevanceLevel.HIGH if is_named else strongest([self._level(number, weights) for weights in self._asked])
        # A section can outscore its document: in a long handbook only one section is about the matter.
        score = max(self._document_scores.get(number, 0.0), *(self._piece_scores.get(piece, 0.0) for piece in own))
        usable = [piece for piece in own if self._is_usable(piece)] or [own[0]]
        return RankedDocument(
            number=number,
            score=round(score + (_NAMED_BOOST if is_named else 0.0), 4),
            level=level,
            is_named=is_named,
            pieces=tuple(sorted(usable, key=lambda piece: -self._piece_scores.get(piece, 0.0))),
            usable_sections=sum(self._index.pieces[piece].layer is RetrievalLayer.L1 for piece in usable),
        )

    def _level(self, number: int, weights: Mapping[str, float]) -> RelevanceLevel:
        title = self._title_words[number] & weights.keys()
        blocks = [(self._piece_words[piece] & weights.keys()) | title for piece in self._index.pieces_of[number]]
        best = max(blocks, key=lambda words: covered_share(words, weights))
        is_one_topic = self._index.documents[number].length <= _ONE_TOPIC
        whole = self._document_words[number] & weights.keys() if is_one_topic else best
        return relevance(weights, in_document=whole, in_block=best, in_title=title)

    def _is_usable(self, piece: int) -> bool:
        if piece in self._named.pieces:
            return True
        words = self._piece_words[piece]
        return any(is_usable(covered_share(words & weights.keys(), weights)) for weights in self._asked)


def _scores(presences: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]) -> dict[int, float]:
    """Return the BM25 score by number, as a share of the highest that the words could give."""
    highest = sum(weights.values()) * MOST_PRESENCE
    scores: defaultdict[int, float] = defaultdict(float)
    for word, presence in presences.items():
        for number, value in presence.items():
            scores[number] += weights[word] * value / highest
    return dict(scores)


def _words_by_number(numbers: Mapping[str, Iterable[int]]) -> defaultdict[int, set[str]]:
    words: defaultdict[int, set[str]] = defaultdict(set)
    for word, found in numbers.items():
        for number in found:
            words[number].add(word)
    return words
