"""How long and how often a line is beyond a threshold: the longest run of samples, their number, their share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from groundwire.grounding.series_clause import Bound, Clause, Outcome, Role, Statement
from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_token import Token
from groundwire.grounding.series_units import unit_named

Test = Callable[[Line], tuple[bool, ...] | None]
"""Of each sample of a line, whether it is beyond the threshold."""


def counted(clause: Clause, tests: Sequence[Test], figures: tuple[Token, ...], others: Sequence[Bound]) -> list[Statement] | None:
    """Return "for 5 minutes" is the longest run of samples, "in 3 of 25 samples" their number, "in 12 % of them" their share."""
    if len(tests) > 1 or Cue.NOT in clause.cues or clause.cues & {Cue.ALL, Cue.MOST}:
        return None
    durations = [bound for bound in others if bound.role is Role.DURATION]
    counts = [bound for bound in others if bound.role is Role.COUNT]
    if durations and counts:
        return None
    bound = others[0]
    least = bool(clause.word_before(bound.place) in ("least", "than", "over"))

    def check(line: Line) -> Outcome:
        satisfied = tests[0](line)
        if satisfied is None:
            return None, ""
        if durations:
            return _lasts(line, satisfied, durations[0].token, is_least=least)
        return _numbers(satisfied, [count.token for count in counts], is_least=least)

    return [Statement(check=check, figures=figures)] if len(durations) < 2 else None


def _lasts(line: Line, satisfied: Sequence[bool], duration: Token, *, is_least: bool) -> Outcome:
    longest = run = 0
    for holds in satisfied:
        run = run + 1 if holds else 0
        longest = max(longest, run)
    figure, unit = duration.figure, unit_named(duration.unit if duration.unit != "m" else "min")
    if figure is None or unit is None:
        return None, ""
    stated, slack = float(figure.value * unit.factor), float(figure.slack * unit.factor)
    shortest_s, longest_s = max(0, longest - 1) * line.step_s, longest * line.step_s
    found = f"at most {longest} samples in a row are, {shortest_s:g} to {longest_s:g} s"
    if is_least:
        return stated <= longest_s, found
    return shortest_s - slack <= stated <= longest_s + slack, found


def _numbers(satisfied: Sequence[bool], counts: Sequence[Token], *, is_least: bool) -> Outcome:
    hits, whole = sum(satisfied), len(satisfied)
    found = f"{hits} of {whole} samples are"
    stated = counts[0].figure
    if stated is None:
        return None, found
    if counts[0].unit:
        share = 100 * hits / whole
        return (share >= float(stated.value) if is_least else stated.fits(share)), found
    of_whole = len(counts) < 2 or counts[1].figure is None or counts[1].figure.value == whole
    return of_whole and (hits >= stated.value if is_least else Decimal(hits) == stated.value), found
