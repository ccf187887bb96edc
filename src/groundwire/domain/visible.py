r"""Hostile text made harmless for a terminal or a model: nothing in it moves the cursor, turns the writing round or hides.

Control characters, escape sequences, bidirectional and zero-width characters are shown as what they are (``\x1b``,
``\u202e``); line breaks and runs of blanks become one space.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_BLANKS: Final = re.compile("(?:\r\n|[ \t\n\x0b\x0c\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])+")

# Drawn as nothing or as a blank, though Unicode counts them as letters, marks or symbols.
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
_EMOJI_STYLE: Final = "\ufe0f"
_MOST_MARKS: Final = 4
"""More marks than this on one letter are no writing: they paint over the lines above and below."""


def visible(text: str) -> str:
    """Return ``text`` on one line, stripped, with everything in it visible."""
    folded = _BLANKS.sub(" ", text).strip(" ")
    return folded if folded.isascii() and folded.isprintable() else "".join(_shown(folded))


def visible_line(text: str) -> str:
    """Return one line of ``text`` with everything in it visible and its blanks kept; a tab becomes four."""
    expanded = text.expandtabs(4)
    return expanded if expanded.isascii() and expanded.isprintable() else "".join(_shown(expanded))


def escape(char: str) -> str:
    r"""Return how a character is written out: ``\x1b``, ``\u202e`` or ``\U000e0041``."""
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_hidden(char: str) -> bool:
    """Return whether a character is not drawn as itself; a space is."""
    return not char.isprintable() or char in _INVISIBLE


def _shown(text: str) -> list[str]:
    shown: list[str] = []
    marks, previous = 0, ""
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        styles_a_symbol = char == _EMOJI_STYLE and previous != "" and unicodedata.category(previous) == "So"
        hidden = (is_hidden(char) and not styles_a_symbol) or marks > _MOST_MARKS
        shown.append(escape(char) if hidden else char)
        previous = char
    return shown
