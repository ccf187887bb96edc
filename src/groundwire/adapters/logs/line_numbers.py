"""Numbers of lines in a file of which only parts are read, from the end to the start."""

from __future__ import annotations

from pathlib import Path

from groundwire.adapters.logs.lines import plain_chunks


class LinesBefore:
    """Counts the lines in front of ``part``, a byte offset; each stretch of the file is counted once, and only when asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = (0, 0)
        self.part = 0

    def count(self) -> int:
        """Return how many line ends stand before ``part``."""
        offset, lines = self._known
        if self.part != offset:
            # Back from a part that was counted already, or, the first time, from the start of the file.
            is_behind = self.part > offset
            start, end = sorted((offset, self.part))
            with self._path.open("rb") as handle:
                between = sum(chunk.count(b"\n") for chunk in plain_chunks(handle, start, end))
            self._known = (self.part, lines + between if is_behind else lines - between)
        return self._known[1]

    def know(self, offset: int, lines: int) -> None:
        """Take ``offset`` as the part, and that so many line ends stand before it."""
        self._known = (offset, lines)
        self.part = offset
