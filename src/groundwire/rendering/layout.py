"""Text laid out in columns: measured as a terminal draws it, wrapped so that no line is too long, cut with an ellipsis."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from groundwire.domain.visible import visible

NARROWEST: Final = 40
"""Columns below which nothing readable can be laid out."""

_ELLIPSIS: Final = "..."


def display_width(text: str) -> int:
    """Return how many columns a terminal draws ``text`` in: wide East Asian characters take two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if char == "\ufe0f":
        return 1  # makes the symbol before it two columns wide
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def wrap(text: str, width: int, *, first: str = "", rest: str | None = None) -> list[str]:
    """Return ``text``, made visible, as lines of at most ``width`` columns.

    The first line begins with ``first``, each other one with ``rest`` (blanks as wide as ``first`` when it is None). Words
    are kept whole where they fit on a line; longer ones are broken.
    """
    rest = " " * display_width(first) if rest is None else rest
    lines: list[str] = []
    line, gap = first, ""
    for word in visible(text).split(" "):
        if display_width(line) + len(gap) + display_width(word) > width:
            if gap:
                lines.append(line)
                line, gap = rest, ""
            *full, word = _pieces(word, width - display_width(line), width - display_width(rest))
            for piece in full:
                lines.append(line + piece)
                line = rest
        line, gap = line + gap + word, " "
    return [line.rstrip() for line in [*lines, line]]


def break_line(text: str, width: int, *, first: str = "") -> list[str]:
    """Return a line that is visible already, its blanks kept, broken where ``width`` columns are full.

    The break is behind the last blank of a full line when that stands in its second half.
    """
    lines: list[str] = []
    room, label, start = width - display_width(first), first, 0
    while True:
        piece = _pieces(text[start : start + 2 * room], room, room)[0]
        end = start + len(piece)
        if end >= len(text):
            return [*lines, (label + piece).rstrip()]
        blank = piece.rfind(" ") + 1
        cut = start + blank if blank > len(piece) // 2 else end
        lines.append((label + text[start:cut]).rstrip())
        start, label = cut, " " * display_width(first)
        while text[start] == " " and start < len(text) - 1:
            start += 1


def _pieces(word: str, first_room: int, room: int) -> list[str]:
    """Return a word cut into a piece of at most ``first_room`` columns and more of at most ``room``."""
    pieces, piece, used = [], "", 0
    left = max(first_room, 2)
    for char in word:
        wide = _char_width(char)
        if used + wide > left:
            pieces.append(piece)
            piece, used, left = "", 0, max(room, 2)
        piece, used = piece + char, used + wide
    return [*pieces, piece]


def shorten(text: str, columns: int) -> str:
    """Return ``text``, made visible, in at most ``columns`` columns; what is cut off is marked by an ellipsis."""
    shown = visible(text[: columns * 4])  # a text of megabytes is not walked for its first line
    if display_width(shown) <= columns and len(text) <= columns * 4:
        return shown
    kept, used = [], 0
    for char in shown:
        used += _char_width(char)
        if used > columns - len(_ELLIPSIS):
            break
        kept.append(char)
    return "".join(kept).rstrip() + _ELLIPSIS


def bullets(texts: Iterable[str], width: int) -> list[str]:
    """Return the texts as an indented list."""
    return [line for text in texts for line in wrap(text, width, first="  - ")]
