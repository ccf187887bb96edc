"""What sources say of themselves, each thing once: a sentence that calls bring up about other files each is one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

_NAMED: Final = 3
_FEWEST_WORDS: Final = 4
_NAME: Final = r"[A-Za-z/._](?=[^\s,:;]*[A-Za-z])(?=[^\s,:;]*[./_-])[^\s,:;]*"
"""A file or a pod by name: neither a number nor a time, which are another thing each time that they are other ones."""
_NAMES: Final = re.compile(rf"({_NAME}(?:, {_NAME})*)(?: and (\d+) more)?")


@dataclass(slots=True)
class _Said:
    """A sentence around a list of names. ``count`` is how many there are at least, the names that are not listed included."""

    text: str
    before: str = ""
    after: str = ""
    names: tuple[str, ...] = ()
    count: int = 0

    def takes(self, note: str) -> bool:
        """Take over the names of a note that says the same of others; return False of one that says something else."""
        if self.names:
            middle = note.removeprefix(self.before).removesuffix(self.after)
            is_alike = len(middle) == len(note) - len(self.before) - len(self.after)
            other = _NAMES.fullmatch(middle) if is_alike else None
            return other is not None and self._add(other)
        one, two = self.text.split(" "), note.split(" ")
        head = _common(one, two)
        tail = _common(one[head:][::-1], two[head:][::-1])
        if head + tail < _FEWEST_WORDS:
            return False
        middles = [" ".join(words[head : len(words) - tail]) for words in (one, two)]
        first, second = (_NAMES.fullmatch(middle) for middle in middles)
        if first is None or second is None:
            return False
        self.before = "".join(f"{word} " for word in one[:head])
        self.after = "".join(f" {word}" for word in one[len(one) - tail :])
        return self._add(first) and self._add(second)

    def _add(self, found: re.Match[str]) -> bool:
        names = tuple(found[1].split(", "))
        self.names = tuple(dict.fromkeys((*self.names, *names)))
        self.count = max(self.count, len(self.names), len(names) + int(found[2] or 0))
        return True

    def sentence(self) -> str:
        if not self.names:
            return self.text
        shown = self.names[:_NAMED]
        more = f" and {self.count - len(shown)} more" if self.count > len(shown) else ""
        return f"{self.before}{', '.join(shown)}{more}{self.after}"


def folded(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the notes in their order, each once. Those that differ in the names of files alone are one, with all their names."""
    said: list[_Said] = []
    for note in dict.fromkeys(notes):
        if not any(one.takes(note) for one in said):
            said.append(_Said(text=note))
    return tuple(one.sentence() for one in said)


def _common(one: list[str], two: list[str]) -> int:
    """Return how many words two lists have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
