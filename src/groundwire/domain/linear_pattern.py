"""Regular expressions that cannot run away: every character of a text is looked at once, whatever the pattern.

Python's own engine goes back and tries again, which takes exponential time on the wrong pattern and text, and neither of them is
ours. This one follows all ways at once (Thompson's construction) and remembers each set of ways that it has met.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_LONGEST: Final = 200
_MOST_NODES: Final = 300
_MOST_REMEMBERED: Final = 20_000
_REPEAT: Final = re.compile(r"\{(\d{1,3})(?:(,)(\d{0,3}))?\}")
_CLASS: Final = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_KNOWN_ESCAPES: Final = frozenset("dDwWsSbBtnrAZ")


@dataclass(slots=True)
class _Node:
    """A character to take, an assertion to hold, or a fork; ``to`` are the nodes behind it."""

    takes: Callable[[str], bool] | None = None
    holds: str | None = None
    to: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _State:
    """A set of ways, and the kind of the character before them."""

    nodes: frozenset[int]
    before: str
    next: dict[str, _State] = field(default_factory=dict)


class LinearPattern:
    r"""A pattern in any case: literals, ``.``, classes, groups, ``|``, ``* + ? {m,n}``, ``^ $ \b``; no look-around or references.

    Raises:
        ValueError: The pattern is not understood, or is too big.
    """

    def __init__(self, pattern: str) -> None:
        self._nodes: list[_Node] = []
        self._pattern = pattern
        self._at = 0
        self._ends: dict[int, int] = {}
        if len(pattern) > _LONGEST:
            raise ValueError(f"the pattern is too big: it may have {_LONGEST} characters")
        self._accept = self._add(_Node())
        self._first = self._alternatives(self._accept)
        if self._at < len(pattern):
            raise self._refuse("a bracket is closed that was never opened")
        self._states: dict[tuple[frozenset[int], str], _State] = {}
        self._found = _State(frozenset(), "")
        self._start = self._state(frozenset({self._first}), "line end")

    def search(self, text: str) -> bool:
        """Return whether the pattern is found anywhere in the text; ``^`` and ``$`` are the ends of its lines."""
        state = self._start
        for character in text:
            following = state.next.get(character)
            if following is None:
                following = self._step(state, character)
            if following is self._found:
                return True
            state = following
        return self._accept in self._closed(state, "line end")

    # Following all ways at once

    def _step(self, state: _State, character: str) -> _State:
        kind = _kind(character)
        reached = self._closed(state, kind)
        if self._accept in reached:
            following = self._found
        else:
            nodes = {self._first}
            for number in reached:
                node = self._nodes[number]
                if node.takes is not None and node.takes(character):
                    nodes.update(node.to)
            following = self._state(frozenset(nodes), kind)
        state.next[character] = following
        return following

    def _state(self, nodes: frozenset[int], before: str) -> _State:
        if len(self._states) > _MOST_REMEMBERED:
            for state in self._states.values():
                state.next.clear()
            self._states.clear()
        return self._states.setdefault((nodes, before), _State(nodes, before))

    def _closed(self, state: _State, after: str) -> set[int]:
        reached: set[int] = set()
        waiting = list(state.nodes)
        while waiting:
            number = waiting.pop()
            if number in reached:
                continue
            reached.add(number)
            node = self._nodes[number]
            if node.takes is None and (node.holds is None or _asserts(node.holds, state.before, after)):
                waiting.extend(node.to)
        return reached

    # Reading the pattern, from its end to its start in effect: each piece is told what comes behind it

    def _add(self, node: _Node) -> int:
        if len(self._nodes) >= _MOST_NODES:
            raise ValueError(f"the pattern is too big: it may have {_MOST_NODES} steps, repeats counted as often as they repeat")
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _refuse(self, why: str) -> ValueError:
        return ValueError(f"the pattern {self._pattern!r} is not understood at character {self._at + 1}: {why}")

    def _alternatives(self, behind: int) -> int:
        starts = [self._sequence(behind)]
        while self._pattern[self._at : self._at + 1] == "|":
            self._at += 1
            starts.append(self._sequence(behind))
        return starts[0] if len(starts) == 1 else self._add(_Node(to=starts))

    def _sequence(self, behind: int) -> int:
        pieces: list[tuple[int, int, int | None]] = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            at = self._at
            self._skip_atom(behind)
            least, most = self._repeat()
            pieces.append((at, least, most))
        end = self._at
        for at, least, most in reversed(pieces):
            behind = self._repeated(at, least, most, behind)
        self._at = end
        return behind

    def _repeated(self, at: int, least: int, most: int | None, behind: int) -> int:
        if most is None:
            loop = self._add(_Node(to=[behind]))
            self._nodes[loop].to.append(self._atom_at(at, loop))
            behind = loop
        for _ in range((most or least) - least):
            behind = self._add(_Node(to=[behind, self._atom_at(at, behind)]))
        for _ in range(least):
            behind = self._atom_at(at, behind)
        return behind

    def _atom_at(self, at: int, behind: int) -> int:
        self._at = at
        return self._atom(behind)

    def _skip_atom(self, behind: int) -> None:
        at = self._at
        if at not in self._ends:  # looked at once, however deep it is nested
            kept = len(self._nodes)
            self._atom(behind)
            del self._nodes[kept:]
            self._ends[at] = self._at
        self._at = self._ends[at]

    def _atom(self, behind: int) -> int:
        character = self._pattern[self._at]
        if character == "(":
            return self._group(behind)
        if character in "*+?":
            raise self._refuse("there is nothing to repeat")
        return self._add(self._single(behind))

    def _group(self, behind: int) -> int:
        self._at += 1
        if self._pattern.startswith("?:", self._at):
            self._at += 2
        elif self._pattern.startswith("?", self._at):
            raise self._refuse("of groups only (...) and (?:...) are known")
        number = self._alternatives(behind)
        if self._pattern[self._at : self._at + 1] != ")":
            raise self._refuse("a bracket is not closed")
        self._at += 1
        return number

    def _single(self, behind: int) -> _Node:
        character = self._pattern[self._at]
        text = self._pattern[self._at : self._at + (2 if character == "\\" else 1)]
        if character == "[":
            match = _CLASS.match(self._pattern, self._at)
            if match is None:
                raise self._refuse("a class is not closed")
            text = match[0]
        elif text == "\\" or (character == "\\" and text[1].isalnum() and text[1] not in _KNOWN_ESCAPES):
            raise self._refuse(f"{text} is not known")
        self._at += len(text)
        if text in {"^", "$", r"\b", r"\B", r"\A", r"\Z"}:
            return _Node(holds=text, to=[behind])
        return _Node(takes=_taker(text), to=[behind])

    def _repeat(self) -> tuple[int, int | None]:
        mark = self._pattern[self._at : self._at + 1]
        counted = _REPEAT.match(self._pattern, self._at)
        if counted is not None:
            least = int(counted[1])
            most = least if counted[2] is None else int(counted[3]) if counted[3] else None
            if most is not None and most < least:
                raise self._refuse("it repeats at most less often than at least")
            self._at = counted.end()
        elif mark and mark in "*+?":
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
            self._at += 1
        else:
            return 1, 1
        if self._pattern[self._at : self._at + 1] == "?":  # as few as possible: found is found
            self._at += 1
        return least, most


def _kind(character: str) -> str:
    if character == "\n":
        return "line end"
    return "word" if character.isalnum() or character == "_" else "other"


def _asserts(what: str, before: str, after: str) -> bool:
    if what in {"^", r"\A"}:
        return before == "line end"
    if what in {"$", r"\Z"}:
        return after == "line end"
    return ((before == "word") != (after == "word")) == (what == r"\b")


def _taker(text: str) -> Callable[[str], bool]:
    if len(text) == 1 and text != ".":
        lowered = text.lower()
        return lambda character: character == text or character.lower() == lowered
    try:
        single = re.compile(text, re.IGNORECASE)
    except re.error as exc:
        raise ValueError(f"the pattern's class {text} is not understood: {exc.msg}") from exc
    return lambda character: single.match(character) is not None
