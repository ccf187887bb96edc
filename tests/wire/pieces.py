"""Text in the pieces that a stream carries."""

from __future__ import annotations

from collections.abc import Iterator

_LENGTH = 12


def in_pieces(text: str | None) -> Iterator[str]:
    """Yield the text in pieces shorter than most words and tool arguments are, so that they are cut in the middle."""
    whole = text or ""
    for start in range(0, len(whole), _LENGTH):
        yield whole[start : start + _LENGTH]
