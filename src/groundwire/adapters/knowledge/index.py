"""The full-text index over documents and their pieces: which of them hold a word, and how much of it."""

from __future__ import annotations

import math
import sqlite3
import weakref
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.knowledge.document import Document, Section
from groundwire.adapters.knowledge.words import name_key, searchable
from groundwire.domain.names import RetrievalLayer

MOST_PRESENCE: Final = 2.2
"""The highest presence that BM25 gives a word, with the k1 = 1.2 that FTS5 has built in."""

_TABLES: Final = """
CREATE VIRTUAL TABLE documents USING fts5(title, abstract, body, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE pieces USING fts5(section, content, content='', tokenize='porter unicode61 remove_diacritics 2');
"""
_DOCUMENT_PRESENCE: Final = "SELECT rowid, -bm25(documents, 3, 2, 1) FROM documents WHERE documents MATCH ?"
_PIECE_PRESENCE: Final = "SELECT rowid, -bm25(pieces, 2, 1) FROM pieces WHERE pieces MATCH ?"
_IN_TITLE: Final = "SELECT rowid FROM documents WHERE documents MATCH ?"
_SHORTEST_PREFIX: Final = 4  # sync, conf, repl, auth: the short forms that stand for longer words have four letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What can become a block: a document's abstract (L0) or a section (L1). ``names`` are the keys of its headings."""

    document: int
    layer: RetrievalLayer
    section: str
    content: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordHits:
    """Where one word stands: presence by document and by piece (BM25 without rarity, 0 to 2.2), and in which titles."""

    documents: dict[int, float]
    pieces: dict[int, float]
    titles: frozenset[int]


class KnowledgeIndex:
    """Documents in memory, to be asked word by word; the caller keeps threads apart.

    Asking for single words leaves the weighing of their rarity to the caller: FTS5's own is zero for a word in more than
    half of the documents, which in a folder of three runbooks is nearly every word.

    Raises:
        sqlite3.OperationalError: This Python's SQLite has no FTS5.
    """

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.pieces: list[Piece] = []
        self.pieces_of: list[range] = []
        self.titled: dict[str, set[int]] = {}
        """Document numbers by the key of every name that a document goes by as a whole."""
        self.headed: dict[str, set[int]] = {}
        """Document numbers by the key of every heading."""
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._connection.close)
        self._connection.executescript(_TABLES)

    def add(self, document: Document) -> None:
        number, first_piece = len(self.documents), len(self.pieces)
        self.documents.append(document)
        for name in document.names:
            self.titled.setdefault(name_key(name), set()).add(number)
        abstract = Piece(document=number, layer=RetrievalLayer.L0, section="", content=document.abstract, names=frozenset())
        title = searchable(" ".join(document.names))
        _, told = self._add_piece(abstract)
        body = [text for section in document.sections for text in self._add_section(number, section)]
        self._connection.execute(
            "INSERT INTO documents(rowid, title, abstract, body) VALUES (?, ?, ?, ?)", (number, title, told, "\n".join(body))
        )
        self.pieces_of.append(range(first_piece, len(self.pieces)))

    def find(self, word: str) -> WordHits:
        """Return where ``word`` stands, whatever its ending, or, from four letters on, a word that begins with it."""
        # Quoted, so that no query text is ever FTS syntax: a content word holds letters and digits alone.
        phrase = f'"{word}" *' if _may_be_short_for_longer(word) else f'"{word}"'
        return WordHits(
            documents=self._presence(_DOCUMENT_PRESENCE, phrase, len(self.documents)),
            pieces=self._presence(_PIECE_PRESENCE, phrase, len(self.pieces)),
            titles=frozenset(row for (row,) in self._connection.execute(_IN_TITLE, (f"title : {phrase}",))),
        )

    def _presence(self, statement: str, phrase: str, count: int) -> dict[int, float]:
        rows = self._connection.execute(statement, (phrase,)).fetchall()
        rarity = _fts_rarity(len(rows), count)
        return {row: score / rarity for row, score in rows}

    def _add_section(self, number: int, section: Section) -> tuple[str, str]:
        names = frozenset(name_key(heading) for heading in section.path)
        for name in names:
            self.headed.setdefault(name, set()).add(number)
        return self._add_piece(
            Piece(document=number, layer=RetrievalLayer.L1, section=section.name, content=section.content, names=names)
        )

    def _add_piece(self, piece: Piece) -> tuple[str, str]:
        """Return its section and its content as they were indexed."""
        indexed = searchable(piece.section), searchable(piece.content)
        self._connection.execute("INSERT INTO pieces(rowid, section, content) VALUES (?, ?, ?)", (len(self.pieces), *indexed))
        self.pieces.append(piece)
        return indexed


def _may_be_short_for_longer(word: str) -> bool:
    return not word.isascii() or (len(word) >= _SHORTEST_PREFIX and not word.isdigit())


def _fts_rarity(matching: int, count: int) -> float:
    """Return the rarity that FTS5's bm25() multiplied with, so that it can be taken out again.

    Source:
        SQLite, FTS5, "The bm25() function": the logarithm of (N - n + 0.5) / (n + 0.5), and 1e-6 where that is not positive.
    """
    rarity = math.log((count - matching + 0.5) / (matching + 0.5))
    return rarity if rarity > 0 else 1e-6
