"""How many times as high: "doubled", "three times the normal", "a factor of 3"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from groundwire.grounding.series_clause import NEUTRAL, Clause, Outcome, Role, Statement
from groundwire.grounding.series_lexicon import Cue, cues
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_pairs import read_pair

_ALLOWED: Final = NEUTRAL | cues(
    "up down change spike strong first last whole more less reference over under at_most at_least any factor normal high "
    "low same reach slight"
)
# The beginning of a word, and the factor that it names.
_FACTORS: Final = {
    start: factor
    for factor, starts in {
        2.0: "doubl twofold twice",
        3.0: "tripl trebl threefold thrice",
        4.0: "quadrupl fourfold",
        5.0: "quintupl fivefold",
        6.0: "sixfold",
        7.0: "sevenfold",
        8.0: "eightfold",
        9.0: "ninefold",
        10.0: "tenfold",
        0.5: "halv half",
    }.items()
    for start in starts.split()
}


def factor_of(clause: Clause) -> tuple[float, bool] | None:
    """Return the factor that a clause names ("doubled", "3 times", "a factor of 3"), and whether it is at least that; or None."""
    for bound in clause.bounds:
        after_factor = bound.place > 1 and any(t.word == "factor" for t in clause.tokens[max(0, bound.place - 2) : bound.place])
        if bound.token.figure is not None and (bound.role is Role.FOLD or after_factor):
            return _bounded(clause, bound.place, float(bound.token.figure.value))
    for place, token in enumerate(clause.tokens):
        if token.cue is Cue.FACTOR:
            factor = next((value for start, value in _FACTORS.items() if token.word.startswith(start)), None)
            return None if factor is None else _bounded(clause, place, factor)
    return None


def _bounded(clause: Clause, place: int, factor: float) -> tuple[float, bool] | None:
    before = next((token for token in reversed(clause.tokens[max(0, place - 2) : place]) if token.word not in ("a", "by")), None)
    if before is not None and (before.cue in (Cue.AT_MOST, Cue.UNDER) or before.word.endswith("most")):
        return None
    return factor, before is not None and before.cue in (Cue.OVER, Cue.AT_LEAST)


def is_times(ratio: float, factor: float, *, is_least: bool = False) -> bool:
    """Return whether a ratio is called so: "doubled" is said of 2.3 times as well, not of 1.8 and not of three times."""
    if is_least:
        return ratio >= factor if factor >= 1 else ratio <= factor
    if factor >= 1:
        return factor * 0.95 <= ratio < factor * 1.25
    return factor * 0.75 < ratio <= factor * 1.05


def read_factor(clause: Clause) -> list[Statement] | None:
    """Return "doubled" and "three times the normal": the last sample or the extreme, to the first or to the median."""
    named = factor_of(clause)
    bounds = [bound for bound in clause.bounds if bound.role is not Role.FOLD]
    if [bound.role for bound in bounds] == [Role.FROM, Role.TO] and named is not None and not clause.cues - _ALLOWED:
        return _from_to(clause, named)
    by_factor = len(bounds) == 1 and any(token.word == "factor" for token in clause.tokens)
    if named is None or clause.cues - _ALLOWED or Cue.NOT in clause.cues or (bounds and not by_factor) or clause.times[2]:
        return None
    factor, is_least = named
    if factor > 1 and Cue.DOWN in clause.cues:
        factor = 1 / factor

    def check(line: Line) -> Outcome:
        values = line.values
        base = line.stat(Cue.MEDIAN)[0] if Cue.NORMAL in clause.cues else values[0]
        if base <= 0:
            return None, line.summary()
        reached = {max(values) if factor > 1 else min(values)}
        if Cue.LAST in clause.cues:
            reached = {values[-1]}
        elif not clause.cues & {Cue.HIGH, Cue.LOW, Cue.NORMAL, Cue.SPIKE}:
            reached |= {values[-1]}
        return any(is_times(value / base, factor, is_least=is_least) for value in reached), line.summary()

    return [Statement(check=check)]


def _from_to(clause: Clause, named: tuple[float, bool]) -> list[Statement] | None:
    """Return "doubled from 200 to 410": that change, and that the one figure is so many times the other."""
    plain = [replace(token, cue=Cue.CHANGE) if token.cue is Cue.FACTOR else token for token in clause.tokens]
    change = read_pair(replace(clause, tokens=[token for token in plain if not token.is_fold]))
    start, end = (bound.token.figure for bound in clause.bounds if bound.role is not Role.FOLD)
    if change is None or start is None or end is None or start.value <= 0:
        return None
    factor, is_least = named
    ratio = float(end.value / start.value)
    same = clause.bounds[0].token.unit in ("", clause.bounds[-1].token.unit)
    return [*change, Statement(check=lambda line: (is_times(ratio, factor, is_least=is_least) if same else None, line.summary()))]
