"""Tells files whose records are not lines of their own by how they start, and rewrites them as JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from groundwire.adapters.logs.events import find_events
from groundwire.adapters.logs.json_documents import find_json_document
from groundwire.adapters.logs.tables import find_table
from groundwire.adapters.logs.zeek import find_zeek


class Layout(Protocol):
    """One way to lay out records in a file. ``can_seek``: from wherever a record starts, the rest is read the same."""

    @property
    def name(self) -> str: ...
    @property
    def can_seek(self) -> bool: ...

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the records as JSON lines, each on the line that it starts on."""
        ...


def find_layout(head: bytes) -> Layout | None:
    """Return how a file that starts so, in UTF-8, is laid out; None where each line stands for itself."""
    return find_events(head) or find_zeek(head) or find_table(head) or find_json_document(head)
