"""Thresholds over a line: above or below a figure in some, all, most or none of the samples, at a time, for so long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from groundwire.grounding.series_clause import BOUNDS, NEUTRAL, Bound, Clause, Outcome, Role, Statement
from groundwire.grounding.series_lexicon import Cue, cues
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_runs import Test, counted
from groundwire.grounding.series_token import Token

_ALLOWED: Final = NEUTRAL | cues(
    "over under at_least at_most cross reach short not all whole any most stay up down spike change high low mean median "
    "percentile first last more less strong worst best passive_more passive_less"
)
_LINKS: Final = frozenset(
    "above over past beyond below under beneath underneath short of shy behind < > on in excess equal".split()
)
_MOVES: Final = frozenset((Cue.UP, Cue.DOWN, Cue.SPIKE, Cue.REACH, Cue.CROSS))
_SEEN: Final = frozenset("seen observed found caught detected spotted noticed recorded measured registered logged".split())
_GOES: Final = frozenset("go goes went gone going get gets got gotten getting come comes came coming".split())


def read_thresholds(clause: Clause) -> list[Statement] | None:
    """Return what a clause says of samples beyond a figure, or None where it says something else or is not clear."""
    limits = [bound for bound in clause.bounds if bound.role in BOUNDS]
    others = [bound for bound in clause.bounds if bound.role not in BOUNDS]
    if not limits and clause.cues & {Cue.NOT, Cue.ANY}:
        # "never reached 90", "did not drop to 5": what is denied is that it came so far.
        limits = [bound for bound in others if _is_come_to(clause, bound)]
        others = [bound for bound in others if bound not in limits]
    if not limits or clause.cues - _ALLOWED or len(clause.of(Cue.NOT)) > 1 or len(others) > 2:
        return None
    if any(bound.role not in (Role.DURATION, Role.COUNT) for bound in others):
        return None
    if len(clause.of(Cue.OVER, Cue.UNDER, Cue.AT_LEAST, Cue.AT_MOST, Cue.CROSS)) > len(clause.bounds):
        return None
    return _statements(clause, limits, others)


def _statements(clause: Clause, limits: Sequence[Bound], others: Sequence[Bound]) -> list[Statement] | None:
    tests = [_test(clause, limit) for limit in limits]
    figures = tuple(limit.token for limit in limits)
    moments = clause.times[2]
    if clause.stats:
        if others or clause.cues & {Cue.ALL, Cue.MOST} or (moments and len(limits) > 1):
            return None
        if moments:
            return _first_beyond(clause, limits[0]) if Cue.FIRST in clause.cues or Cue.LAST in clause.cues else None
        return [Statement(check=_of_stat(clause, limit), figures=(limit.token,)) for limit in limits]
    if moments:
        if others or len(moments) > 1 or len(limits) > 1 or clause.cues & {Cue.ALL, Cue.MOST, Cue.WHOLE}:
            return None
        return [Statement(check=_at_moment(clause, tests[0], moments[0]), figures=figures)]
    if others:
        return counted(clause, tests, figures, others)
    check = _quantified(clause, tests)
    return None if check is None else [Statement(check=check, figures=figures)]


def _is_come_to(clause: Clause, bound: Bound) -> bool:
    return bound.role is Role.REACH or (bound.role is Role.TO and bool(clause.cues & {Cue.UP, Cue.DOWN, Cue.SPIKE, Cue.REACH}))


def _test(clause: Clause, bound: Bound) -> Test:
    def test(line: Line) -> tuple[bool, ...] | None:
        return tuple(beyond(clause, bound, line, value) for value in line.values)

    return test


def beyond(clause: Clause, bound: Bound, line: Line, value: float) -> bool:
    """Return whether a value is on the side of the figure that the clause says."""
    stated = line.stored(bound.token)
    limit = float(stated.value) if stated is not None else float("nan")
    fits = stated is not None and stated.fits(value)
    match bound.role:
        case Role.OVER | Role.CROSS:
            return value > limit
        case Role.UNDER:
            return value < limit
        case Role.AT_LEAST:
            return value >= limit or fits
        case Role.AT_MOST:
            return value <= limit or fits
        case _:
            return value <= limit or fits if Cue.DOWN in clause.cues else value >= limit or fits


def _of_stat(clause: Clause, bound: Bound) -> Callable[[Line], Outcome]:
    """Return the check of "peaked above 90": the comparison is with the maximum, not with each sample."""
    denied = Cue.NOT in clause.cues
    is_own = _is_own_extreme(clause, bound)

    def check(line: Line) -> Outcome:
        values = [line.stat(stat.cue or Cue.PERCENTILE, stat.rank)[0] for stat in clause.stats]
        found = ", ".join(f"{stat.word} is {value:g}" for stat, value in zip(clause.stats, values, strict=True))
        holds = all(beyond(clause, bound, line, value) for value in values)
        stated = line.stored(bound.token)
        if is_own and stated is not None:
            return True if stated.fits(values[0]) else None if holds is not denied else False, found
        return holds is not denied, found

    return check


def _is_own_extreme(clause: Clause, bound: Bound) -> bool:
    """Return whether the extreme that follows is the figure itself: "never sank below 5, its least reading"."""
    (stat, *more) = clause.stats
    denied = Cue.NOT in clause.cues
    highest = bound.role is Role.AT_MOST or (denied and bound.role is Role.OVER)
    lowest = bound.role is Role.AT_LEAST or (denied and bound.role is Role.UNDER)
    follows = stat.start > bound.token.start
    return not more and follows and ((highest and stat.cue is Cue.HIGH) or (lowest and stat.cue is Cue.LOW))


def _first_beyond(clause: Clause, bound: Bound) -> list[Statement] | None:
    moment, is_near = clause.times[2][0]
    if len(clause.times[2]) > 1 or len(clause.stats) > 1 or Cue.NOT in clause.cues:
        return None

    def check(line: Line) -> Outcome:
        hits = [index for index, value in enumerate(line.values) if beyond(clause, bound, line, value)]
        if not hits or moment.clock is None:
            return False, line.summary()
        hit = hits[0 if Cue.FIRST in clause.cues else -1]
        return hit in line.samples_at(moment.clock, is_near=is_near), line.shown_at(hit)

    return [Statement(check=check, figures=(bound.token,))]


def _at_moment(clause: Clause, test: Test, moment: tuple[Token, bool]) -> Callable[[Line], Outcome]:
    denied = Cue.NOT in clause.cues

    def check(line: Line) -> Outcome:
        clock = moment[0].clock
        hits = line.samples_at(clock, is_near=moment[1]) if clock is not None else ()
        satisfied = test(line)
        if not hits or satisfied is None:
            return None, "no sample stands for that time"
        return any(satisfied[hit] for hit in hits) is not denied, ", ".join(line.shown_at(hit) for hit in hits[:3])

    return check


def _quantified(clause: Clause, tests: Sequence[Test]) -> Callable[[Line], Outcome] | None:
    """Return the check over all samples, or None where "all" and "some" are both said."""
    cues = clause.cues
    happens = bool(cues & _MOVES | cues & {Cue.ANY}) or _is_event(clause)
    has_window = clause.times[:2] != (None, None)
    is_whole = bool(cues & {Cue.ALL, Cue.STAY, Cue.WHOLE}) or _is_universal(clause) or (has_window and not happens)
    if (Cue.ANY in cues and cues & {Cue.ALL, Cue.STAY} and Cue.NOT not in cues) or (
        Cue.MOST in cues and cues & {Cue.NOT, Cue.ANY}
    ):
        return None
    denies_all = Cue.NOT in cues and _denies_all(clause)

    def check(line: Line) -> Outcome:
        results = [test(line) or () for test in tests]
        satisfied = [all(each) for each in zip(*results, strict=True)]
        either = [any(each) for each in zip(*results, strict=True)]
        found = f"{sum(satisfied)} of {len(satisfied)} samples are"
        if Cue.NOT in cues:
            return (not all(satisfied) if denies_all else not any(either)), found
        if Cue.MOST in cues:
            return sum(satisfied) * 2 > len(satisfied), found
        if is_whole:
            return all(satisfied), found
        if len(tests) > 1 and not all(any(result) for result in results):
            return False, found
        if Cue.ANY in cues or happens:
            return (any(satisfied) or len(tests) > 1) and not (Cue.CROSS in cues and all(satisfied)), found
        if any(satisfied) and not all(satisfied):
            return None, f"{found}, and it does not say whether all are"
        return all(satisfied), found

    return check


def _is_universal(clause: Clause) -> bool:
    """Return whether a bound is one of all samples: "at most 90", "nothing below 5"."""
    bounds = clause.of(Cue.AT_MOST, Cue.AT_LEAST)
    return Cue.ANY not in clause.cues and any(
        token.cue is Cue.AT_MOST or token.word.startswith(("no", "not", "never", "nothing")) for token in bounds
    )


def _denies_all(clause: Clause) -> bool:
    """Return whether the "not" is one of "all" or "stay": "did not always stay below" leaves room for some."""
    places = {id(token): place for place, token in enumerate(clause.tokens)}
    denied = places[id(clause.of(Cue.NOT)[0])]
    return any(denied < places[id(token)] for token in clause.of(Cue.ALL, Cue.STAY))


def _is_event(clause: Clause) -> bool:
    """Return whether the comparison is one that happens ("exceeded", "went over", "values above"), not one that lasts."""
    if any(token.cue is None and token.word.endswith("ly") for token in clause.tokens):
        return False
    if clause.tokens and any(token.word == "we" for token in clause.tokens):
        return True
    for place, token in enumerate(clause.tokens):
        if token.cue in (Cue.PASSIVE_MORE, Cue.PASSIVE_LESS):
            return True
        if token.cue in (Cue.OVER, Cue.UNDER, Cue.SHORT):
            words = token.word.split()
            before = clause.tokens[place - 1] if place else None
            if words[-1] not in _LINKS and words[-1] not in ("than", "to"):
                return True
            if (
                len(words) > 1
                and words[-1] in _LINKS
                and words[0] not in ("at", "strictly", "in", "upwards", "north", "south", "equal")
            ):
                return True
            if before is not None and before.cue is Cue.SAMPLE and before.word.endswith("s"):
                return True
            if before is not None and before.word.split()[-1] in _GOES | _SEEN:
                return True
    return False
