"""One cited series as a share of another: "12 % of the requests failed", over what each of them counts."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.domain.names import Verdict
from groundwire.grounding.claim_text import words
from groundwire.grounding.series_clause import NEUTRAL, Clause
from groundwire.grounding.series_lexicon import cues
from groundwire.grounding.series_line import Line
from groundwire.grounding.series_nouns import alike

_ALLOWED = NEUTRAL | cues("whole last high mean")
_NAMING = 4


def read_share(clause: Clause, lines: Sequence[Line]) -> tuple[Verdict, str] | None:
    """Return the verdict on a percentage of one series that is another one, and what the points say; None where it is none."""
    if len(lines) != 2 or len(clause.bounds) != 1 or clause.cues - _ALLOWED or clause.times[2]:
        return None
    bound = clause.bounds[0]
    behind = clause.tokens[bound.place + 1 :]
    if bound.token.unit not in ("%", "percent", "per cent") or not behind or behind[0].word != "of" or bound.token.figure is None:
        return None
    named = {alike(token.word) for token in behind[1 : 1 + _NAMING]}
    own = [{alike(word) for word in words(line.metric)} for line in lines]
    # The whole is named behind "of"; where both metrics have that word, it is the one whose name says less besides.
    wholes = [index for index in (0, 1) if named & own[index]]
    if len(wholes) == 2:
        wholes = [index for index in wholes if len(own[index] - own[1 - index]) < len(own[1 - index] - own[index])]
    if len(wholes) != 1:
        return None
    (whole,) = wholes
    said = {alike(token.word) for token in clause.tokens}
    if not said & (own[1 - whole] - own[whole]):
        return None
    part_sum, whole_sum = _amount(lines[1 - whole], clause), _amount(lines[whole], clause)
    if whole_sum <= 0 or lines[0].is_counter is not lines[1].is_counter:
        return None
    share = 100 * part_sum / whole_sum
    verdict = Verdict.SUPPORTED if bound.token.figure.fits(share) else Verdict.CONTRADICTED
    return verdict, f"{part_sum:g} of {whole_sum:g}, {share:.3g} %"


def _amount(line: Line, clause: Clause) -> float:
    """Return what a counter went up by, and of another line what its samples come to, or an end or extreme of it."""
    if line.is_counter:
        return line.increase()
    stats = [stat.cue for stat in clause.stats if stat.cue is not None]
    return line.stat(stats[0])[0] if len(stats) == 1 else sum(line.values)
