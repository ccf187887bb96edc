"""Which words of a question are its asker's, and where begins what was pasted behind them."""

from __future__ import annotations

import re
from typing import Final

# A name in braces is a place in a path: /orders/{id}.
_PASTED: Final = re.compile(r"\[?[^\S\n]*\{(?!\w{1,40}\})|```|~~~")
_YAML: Final = re.compile(r"(?:---|-[^\S\n]|[a-z][\w.-]{0,60}:(?:\s|$))")


def own_words(text: str) -> str:
    """Return the first line of a question up to the first brace or fence: what follows may be an alert that was pasted.

    Of lines that begin like YAML none is the asker's own.
    """
    first, *others = text.strip().splitlines() or [""]
    if others and _YAML.match(first):
        return ""
    found = _PASTED.search(first)
    return first if found is None else first[: found.start()]
