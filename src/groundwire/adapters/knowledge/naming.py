"""Which documents and sections a lookup names outright: by its alert name, or by a name that stands in the query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from groundwire.adapters.knowledge.index import KnowledgeIndex
from groundwire.adapters.knowledge.words import camel_parts, name_key
from groundwire.domain.knowledge import KnowledgeRequest

_PUNCTUATION: Final = ".,;:!?()[]{}<>\"'`"
_HEADING_PARTS: Final = 3  # "PromQL" and "GitHub" are headings of two parts that any question may mention


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedParts:
    """The numbers of the documents named, and of the pieces that belong to what was named in them."""

    documents: frozenset[int]
    pieces: frozenset[int]


def named_parts(index: KnowledgeIndex, request: KnowledgeRequest) -> NamedParts:
    """Return what ``request`` names, in whatever case and spacing.

    An alert name names every document and heading of that name. A word of the query does so only when it is a compound
    (``KubePodCrashLooping``, ``disk-full``), or spells one in another case: plain words name nothing.
    """
    titles = {name_key(request.alert_name)} if request.alert_name else set()
    headings = set(titles)
    for token in request.query.split():
        key = name_key(token.strip(_PUNCTUATION))
        if any(_is_compound(name) for number in index.titled.get(key, ()) for name in _spellings(index, number, key)):
            titles.add(key)
        if len(camel_parts(token.strip(_PUNCTUATION))) >= _HEADING_PARTS:
            headings.add(key)
    titles.discard("")
    headings.discard("")
    whole = {number for key in titles for number in index.titled.get(key, ())}
    pieces = {piece for number in whole for piece in index.pieces_of[number]}
    headed = {number for key in headings for number in index.headed.get(key, ())} - whole
    for number in headed:
        pieces.update(piece for piece in index.pieces_of[number] if headings & index.pieces[piece].names)
    return NamedParts(documents=frozenset(whole | headed), pieces=frozenset(pieces))


def _spellings(index: KnowledgeIndex, number: int, key: str) -> list[str]:
    return [name for name in index.documents[number].names if name_key(name) == key]


def _is_compound(name: str) -> bool:
    return not any(character.isspace() for character in name) and ("-" in name or "_" in name or len(camel_parts(name)) > 1)
