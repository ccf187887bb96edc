"""How a line went: up, down, flat, steadily, to a value, by so much, so many times as high."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from groundwire.grounding.series_clause import NEUTRAL, Bound, Clause, Outcome, Role, Statement
from groundwire.grounding.series_factor import factor_of
from groundwire.grounding.series_lexicon import Cue, cues
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_token import Token

_FLAT_SPREAD: Final = 0.1
_FLAT_DRIFT: Final = 0.05
_SLIGHT_SHARE: Final = 0.25
_SPIKE: Final = 1.5
_WITH_TREND: Final = NEUTRAL | cues(
    "up down flat change spike swing steady slight strong first last whole all stay not more less reference over under "
    "at_most any"
)
_WITH_TO: Final = NEUTRAL | cues("up down spike change reach whole last any strong")


def read_constant(clause: Clause) -> list[Statement] | None:
    """Return "stayed at 5 throughout", "was constant at 512 MiB": every sample is that."""
    allowed = NEUTRAL | cues("flat stay all whole")
    bounds = clause.bounds
    if len(bounds) != 1 or bounds[0].role is not Role.EXACT or clause.cues - allowed or not clause.cues & cues("flat stay all"):
        return None
    token = bounds[0].token

    def check(line: Line) -> Outcome:
        stated = line.stored(token)
        return stated is not None and all(stated.fits(value) for value in line.values), line.summary()

    return None if clause.times[2] else [Statement(check=check, figures=(token,))]


def read_to(clause: Clause) -> list[Statement] | None:
    """Return "climbed to 500", "dropped to zero", "reached 90": the extreme in that direction, or the last sample."""
    bounds = clause.bounds
    if (
        {Cue.UP, Cue.DOWN} <= clause.cues
        or clause.cues - _WITH_TO
        or clause.times[2]
        or len(bounds) != 1
        or Cue.NOT in clause.cues
    ):
        return None
    bound = bounds[0]
    if bound.role not in (Role.TO, Role.REACH) or not clause.cues & {Cue.UP, Cue.DOWN, Cue.SPIKE, Cue.REACH, Cue.CHANGE}:
        return None
    return [Statement(check=_reaches(clause, bound), figures=(bound.token,))]


def _falls_to_zero(line: Line) -> Outcome:
    values = line.values
    holds = any(later == 0 < earlier for earlier, later in pairwise(values))
    return holds, line.summary() if holds else f"no sample is zero after another; {line.summary()}"


def _reaches(clause: Clause, bound: Bound) -> Callable[[Line], Outcome]:
    goes_down = Cue.DOWN in clause.cues

    def check(line: Line) -> Outcome:
        stated = line.stored(bound.token)
        if stated is None:
            return None, line.summary()
        values = line.values
        if stated.value == 0:
            return _falls_to_zero(line)
        extreme = min(values) if goes_down else max(values)
        if stated.fits(extreme):
            return any(value != extreme for value in values), line.summary()
        if stated.fits(values[-1]) and bound.role is Role.TO:
            return (values[-1] < max(values)) if goes_down else (values[-1] > min(values)), line.summary()
        surely_not = extreme > float(stated.value) if goes_down else extreme < float(stated.value)
        return (False if surely_not or bound.role is Role.TO else None), line.summary()

    return check


def read_by(clause: Clause) -> list[Statement] | None:
    """Return "rose by 20", "fell by 30 %": the difference between the first and the last sample, of a counter what it went up."""
    allowed = NEUTRAL | cues("up down change whole first last factor more less reference")
    bounds = clause.bounds
    if len(bounds) != 1 or bounds[0].role is not Role.BY or clause.cues - allowed or clause.times[2] or factor_of(clause):
        return None
    ups, downs = bool(clause.cues & {Cue.UP, Cue.MORE}), bool(clause.cues & {Cue.DOWN, Cue.LESS})
    if clause.cues & {Cue.MORE, Cue.LESS}:
        if not {Cue.FIRST, Cue.LAST} <= clause.cues:
            return None
        if _is_turned(clause):
            ups, downs = downs, ups
    if ups is downs:
        return None
    token = bounds[0].token
    if token.unit in ("%", "percent", "per cent"):
        return [Statement(check=lambda line: _by_share(line, token, is_up=ups))]

    def check(line: Line) -> Outcome:
        stated = line.stored(token)
        if stated is None:
            return None, line.summary()
        if line.is_counter and ups:
            return stated.fits(line.increase()), f"it went up by {line.increase():g}, {line.resets()} resets counted in"
        change = line.values[-1] - line.values[0]
        widest = max(line.values) - line.values[0] if ups else line.values[0] - min(line.values)
        return stated.fits(change if ups else -change) or (Cue.LAST not in clause.cues and stated.fits(widest)), line.summary()

    return [Statement(check=check, figures=(token,))]


def _by_share(line: Line, token: Token, *, is_up: bool) -> Outcome:
    """A percentage is one of the first sample; of a line in percent it may be the points of the difference too."""
    first, last = line.values[0], line.values[-1]
    if token.figure is None or first <= 0:
        return None, line.summary()
    difference = line.increase() if line.is_counter and is_up else (last - first) * (1 if is_up else -1)
    in_points = line.unit is not None and line.unit.dimension == "ratio"
    points = line.stored(token) if in_points else None
    holds = token.figure.fits(100 * difference / first) and difference > 0
    return holds or (points is not None and points.fits(difference)), line.summary()


def read_trend(clause: Clause) -> list[Statement] | None:
    """Return "rose", "fell steadily", "stayed flat", "rose, then fell": in words alone, without a figure or a moment."""
    if clause.bounds or clause.times[2] or clause.cues - _WITH_TREND or len(clause.of(Cue.NOT)) > 1:
        return None
    cues = clause.cues
    if (
        cues & {Cue.OVER, Cue.UNDER, Cue.REFERENCE, Cue.MORE, Cue.LESS}
        and not {Cue.FIRST, Cue.LAST} <= cues
        and Cue.LAST not in cues
    ):
        return None
    if Cue.FLAT in cues and not cues & {Cue.UP, Cue.DOWN, Cue.SPIKE, Cue.SWING}:
        return [Statement(check=_sense(clause, _is_flat))]
    if cues & {Cue.SPIKE} and Cue.DOWN not in cues:
        return [Statement(check=_sense(clause, _is_spike))]
    if Cue.SWING in cues and not cues & {Cue.UP, Cue.DOWN, Cue.FLAT, Cue.STEADY}:
        return [Statement(check=_sense(clause, _swings))]
    moves = [token.cue for token in clause.of(Cue.UP, Cue.DOWN, Cue.MORE, Cue.LESS, Cue.OVER, Cue.UNDER)]
    ways = [cue in (Cue.UP, Cue.MORE, Cue.OVER) for cue in moves]
    if Cue.FLAT in cues or not ways or Cue.STAY in cues:
        return None
    if ({Cue.OVER, Cue.UNDER, Cue.REFERENCE} & cues) and _is_turned(clause):
        ways = [not way for way in ways]
    is_steady = bool(cues & {Cue.STEADY, Cue.ALL})
    return [Statement(check=_sense(clause, lambda line: _goes(line, ways, clause, is_steady=is_steady)))]


def _is_turned(clause: Clause) -> bool:
    """Return whether the last sample is what the first is compared with: "the first sample is above the last"."""
    places = {token.cue: place for place, token in enumerate(clause.tokens) if token.cue is not None}
    marks = [-1] + [place for cue in (Cue.OVER, Cue.UNDER, Cue.REFERENCE) if (place := places.get(cue)) is not None]
    if Cue.FIRST not in places or Cue.LAST not in places:
        return False
    mark = max(marks)
    if places[Cue.FIRST] < mark < places[Cue.LAST]:
        return True
    return mark < places[Cue.LAST] < places[Cue.FIRST]


def _sense(clause: Clause, check: Callable[[Line], Outcome]) -> Callable[[Line], Outcome]:
    if Cue.NOT not in clause.cues:
        return check

    def denied(line: Line) -> Outcome:
        holds, found = check(line)
        if holds or holds is None:
            return (False if holds else None), found
        if clause.cues & {Cue.UP, Cue.DOWN} and not clause.cues & {Cue.STEADY, Cue.ALL, Cue.STRONG}:
            # "Did not rise" is more than that the last sample is no higher: none is.
            beyond = max(line.values) > line.values[0] if Cue.UP in clause.cues else min(line.values) < line.values[0]
            return (None if beyond else True), found
        return True, found

    return denied


def _is_flat(line: Line) -> Outcome:
    values = line.values
    mean = abs(sum(values) / len(values))
    is_level = max(values) - min(values) <= mean * _FLAT_SPREAD and abs(values[-1] - values[0]) <= mean * _FLAT_DRIFT
    return is_level, line.summary()


def _is_spike(line: Line) -> Outcome:
    """A spike stands out over the median and is over soon, or is a sudden step up."""
    values = line.values
    median, top = line.stat(Cue.MEDIAN)[0], max(values)
    tall = sum(value > (median + top) / 2 for value in values)
    stands_out = top >= median * _SPIKE and top > median and 3 * tall <= len(values)
    leap = max((later - earlier for earlier, later in pairwise(values)), default=0.0)
    return stands_out or (top > min(values) and leap * 2 >= top - min(values) and top >= values[0] * _SPIKE), line.summary()


def _swings(line: Line) -> Outcome:
    turns = [later > earlier for earlier, later in pairwise(line.values) if later != earlier]
    return sum(one != two for one, two in pairwise(turns)) >= 2 and not _is_flat(line)[0], line.summary()


def _goes(line: Line, ways: Sequence[bool], clause: Clause, *, is_steady: bool) -> Outcome:
    values = line.values
    if list(ways) == [True, False] and is_steady is False and not {Cue.FIRST, Cue.LAST} & clause.cues:
        return max(values) > values[0] and max(values) > values[-1], line.summary()
    if list(ways) == [False, True] and is_steady is False and not {Cue.FIRST, Cue.LAST} & clause.cues:
        return min(values) < values[0] and min(values) < values[-1], line.summary()
    if len(set(ways)) > 1:
        return None, line.summary()
    goes_up = ways[0]
    if clause.is_sequel or clause.has_sequel:
        turn = max(values) if goes_up is clause.has_sequel else min(values)
        far = values[-1] if clause.is_sequel else values[0]
        return (turn > far if goes_up is clause.has_sequel else turn < far), line.summary()
    if is_steady:
        steps = [later - earlier for earlier, later in pairwise(values)]
        monotone = all(step >= 0 for step in steps) if goes_up else all(step <= 0 for step in steps)
        return monotone and values[-1] != values[0], line.summary()
    moved = values[-1] > values[0] if goes_up else values[-1] < values[0]
    share = abs(values[-1] - values[0]) / abs(values[0]) if values[0] else float("inf")
    if Cue.STRONG in clause.cues:
        moved = moved and share >= _SLIGHT_SHARE
    if Cue.SLIGHT in clause.cues:
        moved = moved and share <= _SLIGHT_SHARE
    return moved, line.summary()
