"""A clause about series with its figures and times bound to what they are figures and times of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_token import Token
from groundwire.grounding.series_tokens import Span
from groundwire.grounding.series_units import unit_named


class Role(StrEnum):
    """What a figure is said to be."""

    EXACT = "exact"
    OVER = "over"
    UNDER = "under"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    CROSS = "cross"
    REACH = "reach"
    FROM = "from"
    TO = "to"
    BETWEEN = "between"
    BY = "by"
    FOLD = "times"
    DURATION = "for"
    COUNT = "samples"


BOUNDS: Final = frozenset((Role.OVER, Role.UNDER, Role.AT_LEAST, Role.AT_MOST, Role.CROSS))
STATS: Final = frozenset((Cue.HIGH, Cue.LOW, Cue.WORST, Cue.BEST, Cue.MEAN, Cue.MEDIAN, Cue.PERCENTILE, Cue.FIRST, Cue.LAST))
NEUTRAL: Final = frozenset((Cue.HELPER, Cue.SAMPLE, Cue.SCOPE))
_BESIDE_PASSIVE: Final = NEUTRAL | {Cue.NOT, Cue.ANY, Cue.ALL}
_OF_CUE: Final = {
    Cue.OVER: Role.OVER,
    Cue.UNDER: Role.UNDER,
    Cue.SHORT: Role.UNDER,
    Cue.AT_LEAST: Role.AT_LEAST,
    Cue.AT_MOST: Role.AT_MOST,
    Cue.CROSS: Role.CROSS,
    Cue.REACH: Role.REACH,
}
_OF_WORD: Final = {
    "from": Role.FROM,
    "to": Role.TO,
    "into": Role.TO,
    "→": Role.TO,
    "between": Role.BETWEEN,
    "within": Role.BETWEEN,
    "by": Role.BY,
}
_ARTICLES: Final = frozenset("a an the its their of value mark".split())
_DETERMINERS: Final = frozenset("a an the its their".split())
_SAMPLES: Final = frozenset(
    "sample samples reading readings measurement measurements point points observation observations value values time".split()
)
_UPWARDS: Final = frozenset((Cue.MORE, Cue.OVER, Cue.UP))
_DOWNWARDS: Final = frozenset((Cue.LESS, Cue.UNDER, Cue.DOWN))
_FROM_TIMES: Final = frozenset("after since from past".split())
_UNTIL_TIMES: Final = frozenset("before until till through to".split())
_NEAR_TIMES: Final = frozenset("around about ~ roughly approximately circa".split())

Outcome = tuple[bool | None, str]
"""Whether a statement holds (None: it cannot be told), and what the points say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A figure in its role, and where among the tokens it stands."""

    token: Token
    role: Role
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said of a line, as a check. ``figures`` must be such as the line can be measured in."""

    check: Callable[[Line], Outcome]
    figures: tuple[Token, ...] = field(default=())


@dataclass(frozen=True, kw_only=True)
class Clause:
    """The tokens of a clause, and what they are."""

    tokens: Sequence[Token]
    measures_time: bool
    is_sequel: bool = False
    has_sequel: bool = False

    @classmethod
    def of_tokens(cls, tokens: Sequence[Token], span: Span, *, measures_time: bool) -> Clause:
        """Return the clause; an order word before a time says which window is meant, and nothing else."""
        read = list(tokens)
        for place, token in enumerate(tokens[:-1]):
            if token.cue is Cue.UNREAD and token.word in _FROM_TIMES | _UNTIL_TIMES and tokens[place + 1].clock is not None:
                read[place] = replace(token, cue=Cue.HELPER)
        return cls(tokens=read, measures_time=measures_time, is_sequel=span.is_sequel, has_sequel=span.has_sequel)

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        bounds: list[Bound] = []
        for place, token in enumerate(self.tokens):
            if token.figure is not None:
                bounds.append(Bound(token=token, role=_role(self, place, bounds), place=place))
        return tuple(bounds)

    @cached_property
    def cues(self) -> frozenset[Cue]:
        return frozenset(token.cue for token in self.tokens if token.cue is not None)

    def of(self, *cues: Cue) -> list[Token]:
        return [token for token in self.tokens if token.cue in cues]

    @cached_property
    def stats(self) -> tuple[Token, ...]:
        """The extremes, means and ends that the clause names; one that is said twice in a row counts once."""
        named: list[Token] = []
        for token in self.tokens:
            if (token.cue in STATS and not (named and named[-1].cue is token.cue)) or token.rank is not None:
                named.append(token)
        if len(named) > 1:
            named = [token for token in named if not token.is_noun] or named
            ranks = [token.rank is not None for token in named]
            named = [token for token, is_rank in zip(named, ranks, strict=True) if is_rank or token.cue is not Cue.PERCENTILE]
        return tuple(named)

    @cached_property
    def times(self) -> tuple[Token | None, Token | None, tuple[tuple[Token, bool], ...]]:
        """The time from which, the time until which, and the moments (with whether about) of which the clause speaks."""
        start = end = None
        moments: list[tuple[Token, bool]] = []
        places = [place for place, token in enumerate(self.tokens) if token.clock is not None]
        for order, place in enumerate(places):
            token, before = self.tokens[place], self.word_before(place)
            if place and self.tokens[place - 1].cue is Cue.HELPER and " " in self.tokens[place - 1].text:
                before = ""  # "dates from 14:51" is no window
            if Cue.ENDED in self.cues:
                moments.append((token, before in _NEAR_TIMES))
                continue
            after = self.tokens[place + 1].word if place + 1 < len(self.tokens) else ""
            joins_next = (
                order + 1 < len(places) and places[order + 1] - place <= 2 and after in ("and", "to", "–", "until", "through")
            )
            if before in _FROM_TIMES or (before in ("between", "during", "in") and joins_next) or (after == "–" and joins_next):
                start = token
            elif (start is not None and order and place - places[order - 1] <= 2) or before in _UNTIL_TIMES:
                end = token
            else:
                moments.append((token, before in _NEAR_TIMES))
        return start, end, tuple(moments)

    def word_before(self, place: int) -> str:
        """Return the last word before a token, articles passed over; of a phrase the last one."""
        for index in range(place - 1, max(-1, place - 3), -1):
            if self.tokens[index].word not in _DETERMINERS:
                return self.tokens[index].word.split()[-1]
        return ""

    @property
    def is_after(self) -> bool:
        """Return whether the window begins after a time, and not at it."""
        return any(token.word == "after" for token in self.tokens)

    @property
    def is_before(self) -> bool:
        return any(token.word == "before" for token in self.tokens)

    def part(self, start: int, end: int) -> Clause:
        return replace(self, tokens=self.tokens[start:end])


def _role(clause: Clause, place: int, earlier: Sequence[Bound]) -> Role:
    token = clause.tokens[place]
    if token.is_fold:
        return Role.FOLD
    return _role_after(clause, place) or _role_before(clause, place, earlier)


def _role_after(clause: Clause, place: int) -> Role | None:
    """The role that the words behind a figure give it: "or more", "of the 25 samples", "was never exceeded by"."""
    passed = next((token for token in clause.tokens[place + 1 : place + 6] if token.cue not in _BESIDE_PASSIVE), None)
    if passed is not None and passed.cue in (Cue.PASSIVE_MORE, Cue.PASSIVE_LESS):
        return Role.OVER if passed.cue is Cue.PASSIVE_MORE else Role.UNDER
    following = [token for token in clause.tokens[place + 1 : place + 5] if token.word not in _ARTICLES]
    if len(following) > 1 and following[0].word in ("or", "and") and following[1].cue in _UPWARDS | _DOWNWARDS:
        goes_on = len(following) > 2 and (following[2].figure is not None or following[2].word == "to")
        if not goes_on:
            return Role.AT_LEAST if following[1].cue in _UPWARDS else Role.AT_MOST
    behind = clause.tokens[place + 1 : place + 2]
    if behind and behind[0].cue in (Cue.MORE, Cue.LESS):
        return Role.BY
    is_share = clause.tokens[place].unit in ("%", "percent", "per cent") and bool(behind) and behind[0].word == "of"
    for token in following[:2]:
        is_of_samples = token.cue is Cue.SAMPLE or (token.cue is Cue.ALL and token.word.startswith("all"))
        is_of_samples = is_of_samples and token.word.split()[-1] in _SAMPLES
        if is_of_samples and (not clause.tokens[place].unit or is_share):
            return Role.COUNT
        if not (token.cue is Cue.HELPER or (token.figure is not None and following[-1].cue is Cue.SAMPLE)):
            break
    return None


def _is_passed_over(token: Token) -> bool:
    """Return whether a token may stand between a figure and what it is governed by: "exceeded a CPU usage of 90"."""
    if token.cue is not None:
        return token.cue in NEUTRAL
    return token.word in _ARTICLES or token.is_noun or token.series is not None


def _role_before(clause: Clause, place: int, earlier: Sequence[Bound]) -> Role:
    token = clause.tokens[place]
    index, names_quantity = place - 1, False
    while index >= max(0, place - 6) and _is_passed_over(clause.tokens[index]):
        if clause.tokens[index].word.split()[-1] in ("by", "from", "to"):
            break
        names_quantity |= clause.tokens[index].cue is None and clause.tokens[index].word not in _ARTICLES
        index -= 1
    before = clause.tokens[index] if index >= 0 else None
    word = before.word.split()[-1] if before is not None else ""
    unit = unit_named(token.unit)
    if unit is not None and unit.dimension == "time" and (word in ("for", "in", "within", "past") or not clause.measures_time):
        return Role.DURATION
    if before is None:
        return Role.EXACT
    if before.cue in _OF_CUE:
        return _OF_CUE[before.cue]
    if before.cue in (Cue.UP, Cue.DOWN) and index == place - 1:
        return Role.BY
    if names_quantity:
        return Role.EXACT
    if word == "and" and earlier and earlier[-1].role is Role.BETWEEN and place - earlier[-1].place <= 6:
        return Role.TO
    if word in ("–", "to") and earlier and place - earlier[-1].place <= 3:
        return Role.TO
    return _OF_WORD.get(word, Role.EXACT)
