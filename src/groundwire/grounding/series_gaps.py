"""What a line has no samples of: it ended, or it was reset. A series that ended is not zero."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from groundwire.grounding.series_clause import NEUTRAL, Clause, Outcome, Role, Statement
from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_line import Line

_ALLOWED: Final = NEUTRAL | {Cue.ENDED, Cue.LAST, Cue.ANY, Cue.NOT}
_STEPS_MISSING: Final = 2


def read_gaps(clause: Clause) -> list[Statement] | None:
    """Return "stopped reporting at 14:50" and "was reset twice", or None."""
    if Cue.RESET in clause.cues:
        return _read_resets(clause)
    if Cue.ENDED not in clause.cues or clause.cues - _ALLOWED or clause.bounds or len(clause.of(Cue.NOT)) > 1:
        return None
    moments = clause.times[2]
    if len(moments) > 1:
        return None

    def check(line: Line) -> Outcome:
        end = line.window_end
        last = datetime.fromtimestamp(line.points[-1][0], UTC)
        found = f"the last sample is {line.shown_at(len(line.points) - 1)}"
        if end is None:
            return None, found
        ended = (end - last).total_seconds() > _STEPS_MISSING * line.step_s
        if ended and moments and moments[0][0].clock is not None:
            ended = len(line.points) - 1 in line.samples_at(moments[0][0].clock, is_near=moments[0][1])
        return ended is not (Cue.NOT in clause.cues), found

    return [Statement(check=check)]


def _read_resets(clause: Clause) -> list[Statement] | None:
    counts = [bound for bound in clause.bounds if bound.token.figure is not None]
    if clause.cues - (NEUTRAL | {Cue.RESET, Cue.ANY, Cue.NOT, Cue.FACTOR, Cue.WHOLE}) or len(counts) > 1 or clause.times[2]:
        return None
    if any(bound.role not in (Role.FOLD, Role.COUNT, Role.EXACT) for bound in counts):
        return None
    twice = any(token.word == "twice" for token in clause.tokens)
    once = any(token.word == "once" for token in clause.tokens)

    def check(line: Line) -> Outcome:
        found = f"{line.resets()} resets"
        if not line.is_counter:
            return None, f"{line.metric} is no counter"
        if Cue.NOT in clause.cues:
            return line.resets() == 0, found
        stated = counts[0].token.figure if counts else None
        wanted = int(stated.value) if stated is not None else 2 if twice else 1 if once else None
        return (line.resets() > 0 if wanted is None else line.resets() == wanted), found

    return [Statement(check=check)]
