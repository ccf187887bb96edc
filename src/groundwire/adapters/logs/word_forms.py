"""A light rule for English endings, so that a question's word finds the form that a log line uses."""

from __future__ import annotations

from typing import Final

_SHORTEST_STEM: Final = 5
# Longest first. A word loses at most one of them.
_ENDINGS: Final = ("ions", "ings", "ion", "ing", "ied", "ies", "ed", "es", "s", "e", "y")
_NO_PLURAL: Final = ("ss", "us", "is")


def word_forms(word: str) -> tuple[str, ...]:
    """Return the texts of which any one, found in a lower-case text, counts as ``word``.

    Only words of ASCII letters lose an ending, and only where at least five letters stay: ``exhaustion`` gives ``exhaust``
    (found in "exhausted" and "exhausting"), ``queries`` gives ``query`` and ``queri``. Anything else stands for itself.
    """
    word = word.lower()
    if not (word.isascii() and word.isalpha()):
        return (word,)
    for ending in _ENDINGS:
        if not word.endswith(ending) or (ending == "s" and word.endswith(_NO_PLURAL)):
            continue
        if ending in {"ies", "ied", "y"}:
            stem = word[: -len(ending)]
            if len(stem) + 1 >= _SHORTEST_STEM:
                return (stem + "y", stem + "i")
            continue
        stem = word[: -len(ending)]
        if len(stem) >= _SHORTEST_STEM:
            return (stem,)
    return (word,)
