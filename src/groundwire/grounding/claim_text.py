"""A claim's text as its facts are taken out of it, one kind after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

_ANSI = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_][^\W_]*", re.UNICODE)
_LONGEST_WORD = 60
_STEMMER = snowballstemmer.stemmer("english")


class ClaimText:
    """What is left of a claim. Facts that were read are blanked, so that no part of a claim is read as two kinds of fact."""

    def __init__(self, text: str) -> None:
        self.whole = text
        self.rest = text

    def take(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield each match in what is left, and blank it."""
        for match in list(pattern.finditer(self.rest)):
            self.rest = self.rest[: match.start()] + " " * (match.end() - match.start()) + self.rest[match.end() :]
            yield match

    def take_all(self, pattern: re.Pattern[str]) -> None:
        """Blank every match in what is left."""
        for _ in self.take(pattern):
            pass

    def put_back(self, words: str) -> None:
        """Return words that a pattern took along and that still have to be checked."""
        self.rest = f"{self.rest} {words}"


def folded(text: str) -> str:
    """Return ``text`` with ANSI sequences gone and white space folded: the form in which quotes are compared."""
    return " ".join(_ANSI.sub("", text).split())


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; camel case and separators part words."""
    return [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return the English stem of a word in lower case (Snowball's)."""
    stemmed: str = _STEMMER.stemWord(word[:_LONGEST_WORD])
    return stemmed
