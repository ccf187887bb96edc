"""Statements of a value: the maximum, the mean, the last sample, the value at a time."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.grounding.series_clause import NEUTRAL, STATS, Bound, Clause, Outcome, Role, Statement
from groundwire.grounding.series_lexicon import Cue, cues
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_token import Token

_EXTREMES = (Cue.HIGH, Cue.LOW, Cue.WORST, Cue.BEST)
_TIMED = (*_EXTREMES, Cue.FIRST, Cue.LAST)
_OVER_ALL = frozenset("across over of taking in from among for at".split())
WITH_VALUES = NEUTRAL | cues(
    "high low worst best mean median percentile first last up down change spike reach whole any stay not swing all more less"
)


def read_values(clause: Clause) -> list[Statement] | None:
    """Return what a clause with exact figures or with times of extremes says, or None where it says something else."""
    figures = [bound for bound in clause.bounds if bound.role in (Role.EXACT, Role.REACH, Role.FROM, Role.TO)]
    moments = clause.times[2]
    stats = clause.stats
    if len(clause.stats) == 2 == len(clause.bounds) and clause.bounds[1].role in (Role.OVER, Role.UNDER):
        return _compared_ends(clause)
    counts = [bound for bound in clause.bounds if bound.role is Role.COUNT and not bound.token.unit]
    if len(figures) + len(counts) < len(clause.bounds) or clause.cues - WITH_VALUES or not (figures or moments):
        return None
    if (
        not _is_plain_denial(clause)
        or not all(_is_over_all(clause, token) for token in clause.of(Cue.ALL))
        or (Cue.SWING in clause.cues and not {Cue.LOW, Cue.HIGH} <= clause.cues)
    ):
        return None
    if not stats:
        return _at_moments(clause, figures)
    if moments and not any(stat.cue in _TIMED for stat in stats):
        return None
    pairs = _paired(stats, figures)
    if pairs is None:
        return None
    statements = [_value(stat, bound) for stat, bound in pairs] + [_is_of_samples(count.token) for count in counts]
    timed = _timed(clause, stats)
    if timed is None:
        return None
    return _with_sense(clause, statements + timed + _direction(clause, stats))


def _compared_ends(clause: Clause) -> list[Statement] | None:
    """Return "the last sample, 90, is below the 120 of the first": both values, and that the one is so beside the other."""
    first, second = clause.bounds
    allowed = NEUTRAL | STATS | {Cue.OVER, Cue.UNDER, Cue.SCOPE}
    own_follows = clause.stats[1].start > second.token.start and clause.stats[0].start < second.token.start
    one, two = first.token.figure, second.token.figure
    if first.role is not Role.EXACT or not own_follows or clause.cues - allowed or clause.times[2] or one is None or two is None:
        return None
    is_so = one.value > two.value if second.role is Role.OVER else one.value < two.value
    values = [_value(stat, bound) for stat, bound in zip(clause.stats, clause.bounds, strict=True)]
    return [*values, Statement(check=lambda line: (is_so, line.summary()))]


def _is_plain_denial(clause: Clause) -> bool:
    """Return whether a "not" denies the value itself: "was not 480", "did not peak at 90"; "never broke its floor" does not."""
    for place, token in enumerate(clause.tokens):
        if token.cue is Cue.NOT:
            behind = next((other for other in clause.tokens[place + 1 :] if other.cue not in NEUTRAL), None)
            denies = token.word.endswith(("not", "n't")) and behind is not None
            if not denies or behind is None or (behind.figure is None and behind.cue not in STATS):
                return False
    return True


def _is_over_all(clause: Clause, token: Token) -> bool:
    """Return whether "all samples" says over what something was taken, and not that each of them is so."""
    place = clause.tokens.index(token)
    behind = clause.tokens[place + 1 : place + 2]
    names_samples = token.word.endswith(("samples", "readings", "values", "points", "measurements"))
    names_samples |= token.word == "all" and bool(behind) and behind[0].figure is not None
    return names_samples and bool(clause.stats) and (token.word.split()[0] in _OVER_ALL or clause.word_before(place) in _OVER_ALL)


def _paired(stats: Sequence[Token], figures: Sequence[Bound]) -> list[tuple[Token, Bound]] | None:
    """Give each figure what it is a figure of: in their order, or all of one and the same figure."""
    if len(stats) == len(figures):
        return list(zip(stats, figures, strict=True))
    if len(figures) == 1:
        return [(stat, figures[0]) for stat in stats]
    return [] if not figures else None


def _value(stat: Token, bound: Bound) -> Statement:
    def check(line: Line) -> Outcome:
        figure = line.stored(bound.token)
        values = line.stat(stat.cue or Cue.PERCENTILE, stat.rank)
        holds = figure is not None and any(figure.fits(value) for value in values)
        return holds, f"the {_name(stat)} is {values[0]:g}"

    return Statement(check=check, figures=(bound.token,))


def _is_of_samples(count: Token) -> Statement:
    """The number of samples over which something was taken."""
    return Statement(
        check=lambda line: (
            count.figure is not None and count.figure.value == len(line.points),
            f"there are {len(line.points)} samples",
        )
    )


def _name(stat: Token) -> str:
    names = {Cue.HIGH: "maximum", Cue.LOW: "minimum", Cue.FIRST: "first sample", Cue.LAST: "last sample"}
    return f"percentile {stat.rank:g}" if stat.rank is not None else names.get(stat.cue or Cue.MEAN, str(stat.cue))


def _timed(clause: Clause, stats: Sequence[Token]) -> list[Statement] | None:
    """Return when the extremes were; None where it is not told which of several."""
    moments = clause.times[2]
    timed = [stat for stat in stats if stat.cue in _TIMED]
    if not moments:
        # "The last sample is the highest" says when the extreme was.
        extremes = [stat for stat in timed if stat.cue in _EXTREMES]
        ends = [stat for stat in timed if stat.cue not in _EXTREMES]
        return [_at_end(extremes[0], ends[0])] if len(extremes) == 1 and len(ends) == 1 and not clause.bounds else []
    if len(moments) == len(timed):
        return [_when(stat, token, is_near=near) for stat, (token, near) in zip(timed, moments, strict=True)]
    return [_when(stat, moments[0][0], is_near=moments[0][1]) for stat in timed] if len(moments) == 1 else None


def _when(stat: Token, moment: Token, *, is_near: bool) -> Statement:
    def check(line: Line) -> Outcome:
        wanted = line.stat(stat.cue or Cue.HIGH)[0]
        at_ends = {Cue.FIRST: (0,), Cue.LAST: (len(line.points) - 1,)}
        hits = at_ends.get(stat.cue or Cue.HIGH) or tuple(i for i, value in enumerate(line.values) if value == wanted)
        clock = moment.clock
        holds = clock is not None and bool(set(hits) & set(line.samples_at(clock, is_near=is_near)))
        return holds, f"the {_name(stat)} is {line.shown_at(hits[0])}"

    return Statement(check=check)


def _at_end(extreme: Token, end: Token) -> Statement:
    def check(line: Line) -> Outcome:
        wanted = line.stat(extreme.cue or Cue.HIGH)[0]
        return line.values[0 if end.cue is Cue.FIRST else -1] == wanted, f"the {_name(extreme)} is {wanted:g}; {line.summary()}"

    return Statement(check=check)


def _at_moments(clause: Clause, figures: Sequence[Bound]) -> list[Statement] | None:
    """Return the values at times: as many figures as times, in their order."""
    moments = clause.times[2]
    if len(moments) != len(figures) or not moments or clause.cues & {Cue.SWING, Cue.WHOLE, Cue.ANY, Cue.SPIKE}:
        return None
    statements = [_value_at(bound.token, token, is_near=near) for bound, (token, near) in zip(figures, moments, strict=True)]
    return _with_sense(clause, statements)


def _value_at(figure: Token, moment: Token, *, is_near: bool) -> Statement:
    def check(line: Line) -> Outcome:
        stated = line.stored(figure)
        hits = line.samples_at(moment.clock, is_near=is_near) if moment.clock is not None else ()
        if not hits:
            return None, "no sample stands for that time"
        holds = stated is not None and any(stated.fits(line.values[hit]) for hit in hits)
        return holds, ", ".join(line.shown_at(hit) for hit in hits[:3])

    return Statement(check=check, figures=(figure,))


def _direction(clause: Clause, stats: Sequence[Token]) -> list[Statement]:
    """A verb of rising or falling beside the first and the last sample, or the last alone, says which of them is more."""
    cues = {stat.cue for stat in stats}
    if Cue.LAST not in cues or cues & {Cue.HIGH, Cue.LOW}:
        return []
    ups, downs = clause.of(Cue.UP, Cue.MORE), clause.of(Cue.DOWN, Cue.LESS)
    if not ups and not downs:
        return []
    goes_up = bool(ups)
    return [
        Statement(
            check=lambda line: (
                not (ups and downs) and (line.values[-1] > line.values[0] if goes_up else line.values[-1] < line.values[0]),
                line.summary(),
            )
        )
    ]


def _with_sense(clause: Clause, statements: list[Statement]) -> list[Statement] | None:
    """Turn one statement with a "not" round; of several, what is denied cannot be told."""
    negations = clause.of(Cue.NOT)
    if not negations:
        return statements
    if len(negations) > 1 or len(statements) != 1:
        return None
    (statement,) = statements

    def check(line: Line) -> Outcome:
        holds, found = statement.check(line)
        return (None if holds is None else not holds), found

    return [Statement(check=check, figures=statement.figures)]
