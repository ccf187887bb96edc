"""Runbooks as a folder tree of Markdown files."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from groundwire.adapters.knowledge.blocks import choose_blocks
from groundwire.adapters.knowledge.document import parse_document
from groundwire.adapters.knowledge.folder import ReadFile, read_folder
from groundwire.adapters.knowledge.index import KnowledgeIndex
from groundwire.adapters.knowledge.ranking import MOST_QUERY_WORDS, Ranking
from groundwire.adapters.knowledge.relevance import strongest
from groundwire.adapters.knowledge.words import content_words
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendTimeoutError, BackendUnavailableError
from groundwire.domain.knowledge import KnowledgePage, KnowledgeRequest
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_WITHIN_S: Final = 10.0
_MOST_SENTENCES: Final = 5


class MarkdownKnowledge:
    """A `KnowledgeBase` over the ``.md`` and ``.markdown`` files below ``root``.

    The files are read on the first lookup and once: what is written later is seen by the next process. A lookup that runs out
    of time while they are read fails, and the next one goes on where it stopped. Safe to share between threads.
    """

    backend = "markdown"

    def __init__(self, name: str, root: Path) -> None:
        self.name = name
        self._root = root
        self._lock = threading.Lock()
        self._index: KnowledgeIndex | None = None
        self._unread: Iterator[ReadFile] | None = None
        self._problems: list[str] = []
        self._notes: list[str] = []

    def describe(self) -> SourceDescription:
        """Return the titles of its documents, and as problems what could not be read, the folder itself included."""
        titles: tuple[str, ...] = ()
        try:
            with self._ready_index(Deadline.after(_DESCRIBE_WITHIN_S)) as index:
                titles = tuple(document.title for document in index.documents)
                problems = _bounded(self._problems)
        except BackendError as exc:
            problems = (exc.message,)
        return SourceDescription(
            name=self.name, kind=SourceKind.KNOWLEDGE, backend=self.backend, live=False, titles=titles, problems=problems
        )

    def lookup(self, request: KnowledgeRequest) -> KnowledgePage:
        """Return the blocks that match, best first.

        Raises:
            BackendUnavailableError: The folder is not there, is none or cannot be listed.
            BackendTimeoutError: Its files could not all be read in time.
        """
        with self._ready_index(request.deadline) as index:
            ranked = Ranking(index, request).documents()
            return KnowledgePage(
                blocks=choose_blocks(index, ranked, request.limit),
                l0_count=len(ranked),
                l1_count=sum(document.usable_sections for document in ranked),
                relevance_level=strongest([document.level for document in ranked]),
                partial_reasons=_bounded(self._problems),
                notes=(*_bounded(self._notes), *_query_notes(request)),
            )

    @contextmanager
    def _ready_index(self, deadline: Deadline) -> Iterator[KnowledgeIndex]:
        """Hold the lock and give the whole index: one SQLite connection serves one thread at a time."""
        if not self._lock.acquire(timeout=deadline.remaining_s):
            raise BackendTimeoutError(self.name, after_s=deadline.after_s)
        try:
            yield self._read_all(deadline)
        finally:
            self._lock.release()

    def _read_all(self, deadline: Deadline) -> KnowledgeIndex:
        if self._index is None or self._unread is None:
            self._index, self._unread = self._new_index(), self._open_folder()
        for file in self._unread:
            self._add(self._index, file)
            if deadline.expired:
                raise BackendTimeoutError(self.name, after_s=deadline.after_s)
        if not self._index.documents and not self._problems:
            self._problems.append(f'"{self._root}" holds no Markdown file (.md or .markdown) with text in it')
        return self._index

    def _new_index(self) -> KnowledgeIndex:
        try:
            return KnowledgeIndex()
        except sqlite3.OperationalError as exc:
            raise BackendUnavailableError(self.name, f"this Python's SQLite cannot index text ({exc})") from exc

    def _open_folder(self) -> Iterator[ReadFile]:
        if not self._root.exists():
            raise BackendUnavailableError(
                self.name, f'cannot read runbooks from "{self._root}": no such folder', hint="Name a folder that is there."
            )
        if not self._root.is_dir():
            raise BackendUnavailableError(
                self.name, f'cannot read runbooks from "{self._root}": it is not a folder', hint="Name the folder it is in."
            )
        try:
            return read_folder(self._root)
        except OSError as exc:
            raise BackendUnavailableError(self.name, f'cannot read runbooks from "{self._root}": {exc.strerror}') from exc

    def _add(self, index: KnowledgeIndex, file: ReadFile) -> None:
        if file.problem is not None:
            self._problems.append(file.problem)
        if file.note is not None:
            self._notes.append(file.note)
        document = None if file.text is None else parse_document(file.source, file.text)
        if document is not None:
            index.add(document)
            self._notes.extend(f"{file.source}: {note}" for note in document.notes)


def _bounded(sentences: list[str]) -> tuple[str, ...]:
    if len(sentences) <= _MOST_SENTENCES:
        return tuple(sentences)
    return (*sentences[:_MOST_SENTENCES], f"and {len(sentences) - _MOST_SENTENCES} more like these")


def _query_notes(request: KnowledgeRequest) -> tuple[str, ...]:
    words = content_words(request.query, most=MOST_QUERY_WORDS + 1)
    if not words:
        return ("the query holds no word to look for besides the most common ones",)
    if len(words) > MOST_QUERY_WORDS:
        return (f"only the first {MOST_QUERY_WORDS} words of the query were looked for",)
    return ()
