"""Two cited series held against each other: which peaked higher, by how much, how many times as high, which first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.grounding.series_clause import NEUTRAL, STATS, Clause, Outcome, Role
from groundwire.grounding.series_factor import factor_of, is_times
from groundwire.grounding.series_lexicon import Cue, cues
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_token import Token

_RELATIONS: Final = frozenset(
    (Cue.MORE, Cue.LESS, Cue.OVER, Cue.UNDER, Cue.SAME, Cue.PASSIVE_MORE, Cue.PASSIVE_LESS, Cue.REACH, Cue.SHORT)
)
_ALLOWED: Final = NEUTRAL | STATS | _RELATIONS | cues("reference not spike up any stay factor strong whole at_most at_least")
_AS_HIGH: Final = frozenset(("as high as", "as much as", "as many as", "as low as", "as little as", "as few as"))
_BEFORE: Final = frozenset("before earlier".split())
_AFTER: Final = frozenset("after later".split())

Pair = tuple[Line, Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What a clause says of a first and a second series, as a check."""

    first: frozenset[int]
    second: frozenset[int]
    check: Callable[[Line, Line], Outcome]
    figures: tuple[Token, ...] = ()


def read_comparison(clause: Clause, count: int) -> Comparison | None:
    """Return what a clause with two of the cited series says of one beside the other, or None where it does no such thing."""
    plain = [replace(token, cue=Cue.SAME) if token.word in _AS_HIGH else token for token in clause.tokens]
    clause = replace(clause, tokens=plain)
    operands = _operands(clause, count)
    if operands is None or clause.times[2]:
        return None
    order = [token for token in clause.of(Cue.UNREAD) if token.word in _BEFORE | _AFTER]
    (first_place, first), (second_place, second) = operands
    if order:
        return _order(clause, order, first, second)
    if clause.cues - _ALLOWED or len(clause.of(Cue.NOT)) > 1:
        return None
    stat = _stat(clause)
    if stat is None:
        return None
    turned = _is_turned(clause, first_place, second_place)
    if turned is None:
        return None
    if turned:
        first, second = second, first
    check = _check(clause, stat, turned=turned)
    figures = tuple(bound.token for bound in clause.bounds if bound.role is not Role.FOLD)
    return None if check is None else Comparison(first=first, second=second, check=check, figures=figures)


def _operands(clause: Clause, count: int) -> tuple[tuple[int, frozenset[int]], tuple[int, frozenset[int]]] | None:
    """Return the two things compared, in the order in which they stand; the second may be the other one that is cited."""
    everything = frozenset(range(count))
    named: list[tuple[int, frozenset[int]]] = []
    for place, token in enumerate(clause.tokens):
        if token.series is not None and token.series != everything and token.series not in [series for _, series in named]:
            named.append((place, token.series))
    if len(named) == 2 and not named[0][1] & named[1][1]:
        return named[0], named[1]
    if len(named) == 1 and count == 2 and clause.cues & {Cue.MORE, Cue.LESS} and not clause.bounds:
        return named[0], (len(clause.tokens), everything - named[0][1])
    return None


def _is_reference(clause: Clause, place: int) -> bool:
    """Return whether a name stands for what the other is compared with: "compared with X", "than X", "not X"."""
    for index in range(place - 1, -1, -1):
        token = clause.tokens[index]
        if token.cue in (Cue.REFERENCE, Cue.OVER, Cue.UNDER, Cue.PASSIVE_MORE, Cue.PASSIVE_LESS):
            return True
        if token.cue is Cue.NOT:
            return _denies_name(clause, token)
        if token.series is not None or (token.cue is not None and token.cue not in NEUTRAL | STATS) or token.word in (",", ":"):
            return False
    return False


def _stat(clause: Clause) -> Sequence[Cue] | None:
    """Return what of each series is compared: what the clause names, or, where it names nothing, both maximum and mean."""
    stats = {stat.cue for stat in clause.stats}
    if len(stats) > 1 or any(stat.rank is not None for stat in clause.stats):
        return None
    if stats:
        return [cue for cue in stats if cue is not None]
    if clause.cues & {Cue.SPIKE, Cue.REACH} or any("ever" in token.word.split() for token in clause.tokens):
        return [Cue.HIGH]
    if Cue.UP in clause.cues:
        return (
            [Cue.HIGH]
            if clause.of(Cue.MORE) or any(token.word.startswith(("higher", "above")) for token in clause.tokens)
            else None
        )
    return [Cue.HIGH, Cue.MEAN]


def _check(clause: Clause, stats: Sequence[Cue], *, turned: bool) -> Callable[[Line, Line], Outcome] | None:
    figures = [bound for bound in clause.bounds if bound.role is not Role.FOLD]
    named = factor_of(clause)
    sign = _sign(clause)
    if named is not None and not figures:
        return None if Cue.NOT in clause.cues or sign is False else lambda one, two: _is_factor(one, two, stats, named)
    if len(figures) == 2 and named is None and Cue.NOT not in clause.cues:
        return _values(clause, stats, sign, (figures[0].token, figures[1].token), turned=turned)
    if sign is None or isinstance(sign, bool) or named is not None:
        return None
    if len(figures) == 1 and figures[0].role in (Role.EXACT, Role.BY):
        token = figures[0].token
        return lambda one, two: _differ(one, two, stats, sign, token)
    return None if figures else lambda one, two: _is_beyond(one, two, stats, sign)


def _sign(clause: Clause) -> str | bool | None:
    """Return the relation of the first to the second (``>``, ``<``, ``>=``, ``<=``, ``=``), False where it is contradictory."""
    relations = clause.of(*_RELATIONS)
    kinds = [_kind(token) for token in relations]
    if set(kinds) & {">", "<"}:
        kinds = [kind for kind in kinds if kind != "reach"]
        relations = [token for token in relations if token.cue is not Cue.REACH]
    denied = any(token.cue is Cue.NOT and not _denies_name(clause, token) for token in clause.tokens)
    if not kinds:
        bounds = {Cue.AT_MOST: "<=", Cue.AT_LEAST: ">="} if not denied else {}
        return next((sign for cue, sign in bounds.items() if cue in clause.cues), None)
    if {">", "<"} <= set(kinds):
        # "A has the higher and B the lower": each of the two words has its own name before it.
        places = [clause.tokens.index(token) for token in relations]
        names = [place for place, token in enumerate(clause.tokens) if token.series is not None]
        apart = any(places[0] < name < places[-1] for name in names)
        return kinds[0] if apart and len(kinds) == 2 and not denied else False
    if "reach" in kinds or ("=" in kinds and denied):
        if set(kinds) - {"reach", "=", ">"}:
            return False
        return "<" if denied else None
    if len(set(kinds) - {"="}) == 1 and denied:
        return {">": "<=", "<": ">="}[next(iter(set(kinds) - {"="}))]
    return next(iter(set(kinds) - {"="}), "=")


def _kind(token: Token) -> str:
    if token.cue in (Cue.MORE, Cue.OVER, Cue.PASSIVE_LESS):
        return ">"
    if token.cue in (Cue.LESS, Cue.UNDER, Cue.SHORT, Cue.PASSIVE_MORE):
        return "<"
    return "=" if token.cue is Cue.SAME else "reach"


def _denies_name(clause: Clause, token: Token) -> bool:
    """Return whether a "not" is one of a name: "A, not B, peaked higher" denies nothing of the comparison."""
    place = clause.tokens.index(token)
    if token.word != "not" or not place or place + 1 >= len(clause.tokens):
        return False
    return clause.tokens[place - 1].word in (",", "and") and clause.tokens[place + 1].series is not None


def _is_beyond(one: Line, two: Line, stats: Sequence[Cue], sign: str) -> Outcome:
    results = []
    for stat in stats:
        first, second = one.stat(stat)[0], two.stat(stat)[0]
        signs = {">": first > second, "<": first < second, ">=": first >= second, "<=": first <= second}
        results.append(signs.get(sign, abs(first - second) <= 0.01 * max(abs(first), abs(second))))
    found = ", ".join(f"{stat} {one.stat(stat)[0]:g} and {two.stat(stat)[0]:g}" for stat in stats)
    return (results[0] if len(set(results)) == 1 else None), found


def _is_factor(one: Line, two: Line, stats: Sequence[Cue], named: tuple[float, bool]) -> Outcome:
    second = two.stat(stats[0])[0]
    if second <= 0:
        return None, f"the second is {second:g}"
    ratio = one.stat(stats[0])[0] / second
    return is_times(ratio, named[0], is_least=named[1]), f"it is {ratio:.3g} times as high"


def _differ(one: Line, two: Line, stats: Sequence[Cue], sign: str, token: Token) -> Outcome:
    """Hold a figure to the difference, or to the series that is named before it."""
    first, second = one.stat(stats[0])[0], two.stat(stats[0])[0]
    stated = one.stored(token)
    difference = first - second if sign == ">" else second - first
    found = f"{first:g} and {second:g}, {difference:g} apart"
    if stated is None or sign not in (">", "<"):
        return None, found
    return difference > 0 and stated.fits(difference), found


def _values(
    clause: Clause, stats: Sequence[Cue], sign: str | bool | None, tokens: tuple[Token, Token], *, turned: bool
) -> Callable[[Line, Line], Outcome] | None:
    """Hold each figure to the series in the same place: "A peaked at 500 and B at 23.9"."""
    if sign is False or len(stats) != 1:
        return None

    def check(one: Line, two: Line) -> Outcome:
        pairs = zip((two, one) if turned else (one, two), tokens, strict=True)
        held = all((figure := line.stored(token)) is not None and figure.fits(line.stat(stats[0])[0]) for line, token in pairs)
        beyond = _is_beyond(one, two, stats, sign)[0] if isinstance(sign, str) else True
        return held and bool(beyond), f"{one.stat(stats[0])[0]:g} and {two.stat(stats[0])[0]:g}"

    return check


def _is_turned(clause: Clause, first: int, second: int) -> bool | None:
    """Return whether the second of two names is the one of which the relation is said; None where that cannot be told."""
    said = [token.word for token in clause.tokens if token.word in ("former", "latter")]
    if said:
        return said == ["latter"] if len(said) == 1 else None
    references = _is_reference(clause, first), _is_reference(clause, second)
    if references[0] is not references[1]:
        return references[0]
    relations = [place for place, token in enumerate(clause.tokens) if token.cue in _RELATIONS]
    # "Where A peaked, B was higher": a relation behind both names is said of either.
    return None if references[0] or (relations and min(relations) > second and not clause.bounds) else False


def _order(clause: Clause, order: Sequence[Token], first: frozenset[int], second: frozenset[int]) -> Comparison | None:
    """Return the check of "A peaked before B": the samples that are the extremes, in that order."""
    stats = {stat.cue for stat in clause.stats}
    if len(order) != 1 or len(clause.of(Cue.UNREAD)) != 1 or len(stats) != 1 or not stats <= {Cue.HIGH, Cue.LOW} or clause.bounds:
        return None
    if clause.cues - NEUTRAL - STATS - {Cue.UNREAD, Cue.REFERENCE}:
        return None
    is_before = order[0].word in _BEFORE
    (stat,) = stats

    def check(one: Line, two: Line) -> Outcome:
        times = [line.points[line.values.index(line.stat(stat or Cue.HIGH)[0])][0] for line in (one, two)]
        found = f"{(times[1] - times[0]):+g} s from the one to the other"
        return (times[0] < times[1] if is_before else times[0] > times[1]), found

    return Comparison(first=first, second=second, check=check)
