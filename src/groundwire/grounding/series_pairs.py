"""Two figures together: a range from the lowest to the highest, bounds, or a change from one to the other."""

from __future__ import annotations

from typing import Final

from groundwire.grounding.series_clause import Clause, Outcome, Role, Statement
from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_statistics import WITH_VALUES
from groundwire.grounding.series_token import Token
from groundwire.grounding.series_units import unit_named

_PAIRED: Final = frozenset((Role.FROM, Role.TO, Role.BETWEEN, Role.EXACT, Role.BY))
_GOING: Final = ("go", "went", "get", "got", "come", "came", "coming", "brought", "bring")


def read_pair(clause: Clause) -> list[Statement] | None:
    """Return what two figures say together: a range from the lowest to the highest, bounds, or a change."""
    pair = [bound for bound in clause.bounds if bound.role in _PAIRED]
    allowed = WITH_VALUES - {Cue.NOT, Cue.MEAN, Cue.MEDIAN, Cue.PERCENTILE} | {Cue.STEADY, Cue.STRONG, Cue.SLIGHT}
    durations = [bound for bound in clause.bounds if bound.role is Role.DURATION]
    if len(pair) != 2 or len(durations) > 1 or len(clause.bounds) > 2 + len(durations) or clause.cues - allowed:
        return None
    is_joined = Cue.SWING in clause.cues and clause.word_before(pair[1].place) == "and" and pair[1].role is Role.EXACT
    if pair[1].role is not Role.TO and not is_joined:
        return None
    if clause.times[2] or clause.cues & {Cue.STRONG, Cue.SLIGHT, Cue.STEADY}:
        return None
    low, high = pair[0].token, pair[1].token
    figures = (low, high)
    # "From 5 up to 90": the word goes with "to", and is no movement of its own.
    turns = [token for token in clause.of(Cue.UP, Cue.DOWN) if token.word not in ("up", "down")]
    moves = clause.cues & {Cue.CHANGE, Cue.MORE, Cue.LESS} | {token.cue for token in turns}
    is_range = pair[0].role is Role.BETWEEN or bool(clause.cues & {Cue.SWING, Cue.ALL, Cue.STAY})
    if is_range and not turns:
        is_bound = clause.cues & {Cue.STAY, Cue.ALL} or (Cue.SWING not in clause.cues and not moves)
        return [Statement(check=lambda line: _within(line, low, high, is_exact=not is_bound), figures=figures)]
    if durations:
        return (
            None
            if is_range
            else [Statement(check=lambda line: _changes_in(line, low, high, durations[0].token), figures=figures)]
        )
    goes = any(token.word.startswith(_GOING) for token in clause.of(Cue.HELPER))
    is_bare = not moves and not clause.of(Cue.UP, Cue.DOWN) and not goes and clause.word_before(pair[1].place) != "→"

    def check(line: Line) -> Outcome:
        changed, found = _changed(line, clause, low, high)
        if is_bare and not changed:
            return _within(line, low, high, is_exact=True)
        return changed, found

    return [Statement(check=check, figures=figures)]


def _within(line: Line, low: Token, high: Token, *, is_exact: bool) -> Outcome:
    least, most = line.stored(low), line.stored(high)
    if least is None or most is None or least.value > most.value:
        return None, line.summary()
    bottom, top = min(line.values), max(line.values)
    if is_exact:
        return least.fits(bottom) and most.fits(top), line.summary()
    return float(least.value - least.slack) <= bottom and top <= float(most.value + most.slack), line.summary()


def _changes_in(line: Line, start: Token, end: Token, duration: Token) -> Outcome:
    """Between any two samples that are no further apart than the time it is said to have taken."""
    before, after, unit = line.stored(start), line.stored(end), unit_named("min" if duration.unit == "m" else duration.unit)
    if before is None or after is None or unit is None or duration.figure is None:
        return None, line.summary()
    longest_s = float((duration.figure.value + duration.figure.slack) * unit.factor)
    starts = [at for at, value in line.points if before.fits(value)]
    ends = [at for at, value in line.points if after.fits(value)]
    return any(0 < late - early <= longest_s for early in starts for late in ends), line.summary()


def _changed(line: Line, clause: Clause, start: Token, end: Token) -> Outcome:
    """From where it began to where it ended, or to its extreme, or from one extreme to a later one; in the verb's direction."""
    before, after = line.stored(start), line.stored(end)
    if before is None or after is None:
        return None, line.summary()
    goes_up = after.value > before.value
    if (goes_up and Cue.DOWN in clause.cues) or (not goes_up and Cue.UP in clause.cues):
        return False, f"it says from {before.shown} to {after.shown}; {line.summary()}"
    values = line.values
    low, high = min(values), max(values)
    starts = {values[0], low if goes_up else high} if Cue.FIRST not in clause.cues else {values[0]}
    ends = {values[-1], high if goes_up else low} if Cue.LAST not in clause.cues else {values[-1]}
    begins = next((i for i, value in enumerate(values) if value in starts and before.fits(value)), None)
    reached = begins is not None and any(value in ends and after.fits(value) for value in values[begins:])
    return reached, line.summary()
