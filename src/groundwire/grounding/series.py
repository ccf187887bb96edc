"""What a claim says of cited series: extremes, aggregates, thresholds, trends, comparisons; computed on the stored points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.series_change import read_by, read_constant, read_to, read_trend
from groundwire.grounding.series_clause import BOUNDS, NEUTRAL, Clause, Role, Statement
from groundwire.grounding.series_compare import Comparison, read_comparison
from groundwire.grounding.series_factor import read_factor
from groundwire.grounding.series_gaps import read_gaps
from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_line import Line, lines_of
from groundwire.grounding.series_nouns import is_of, named_by, names_of, nouns_of, quantities_in
from groundwire.grounding.series_pairs import read_pair
from groundwire.grounding.series_share import read_share
from groundwire.grounding.series_statistics import read_values
from groundwire.grounding.series_threshold import read_thresholds
from groundwire.grounding.series_token import Token
from groundwire.grounding.series_tokens import clauses, tokens_of

_LONGEST: Final = 150
_MOST_JOINTS: Final = 8
_READERS: Final[tuple[Callable[[Clause], list[Statement] | None], ...]] = (
    read_gaps,
    read_factor,
    read_values,
    read_pair,
    read_thresholds,
    read_constant,
    read_by,
    read_to,
    read_trend,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """The lines that a clause may be about; ``every``: it names several of them, so that it must hold of each."""

    lines: Sequence[Line]
    is_every: bool


def check_series(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each clause that states something of the cited series. A claim that cites no series has none.

    A clause is read as a whole or not at all: all of its figures, times and cues must have a part in one reading. What was
    read is taken out of the claim.
    """
    lines = lines_of(cited)
    if not lines:
        return []
    text = claim.rest
    names, nouns = names_of(lines), nouns_of(lines)
    measures_time = any(line.unit is not None and line.unit.dimension == "time" for line in lines)
    parts = [Clause.of_tokens(tokens_of(text, span, names, nouns), span, measures_time=measures_time) for span in clauses(text)]
    whole = [token for part in parts for token in part.tokens]
    is_mixed = any(item.kind is not CitedKind.SERIES for item in cited)
    facts: list[CheckedFact] = []
    limit: Token | None = None
    for part in parts:
        if is_mixed and not any(token.is_noun or token.series is not None for token in part.tokens):
            continue
        clause = _with_limit(part, limit)
        read = _facts(clause, whole, lines)
        facts += read or ([] if is_mixed else _unread(clause, lines))
        if read:
            claim.rest = _blanked(claim.rest, clause.tokens)
            limit = next((bound.token for bound in clause.bounds if bound.role in BOUNDS), limit)
    return facts


def _with_limit(clause: Clause, limit: Token | None) -> Clause:
    """Give "it went over" the figure of the clause before it."""
    if (
        limit is None
        or clause.bounds
        or not clause.cues & {Cue.OVER, Cue.UNDER}
        or clause.cues & {Cue.FIRST, Cue.LAST, Cue.REFERENCE}
    ):
        return clause
    place = max(index for index, token in enumerate(clause.tokens) if token.cue in (Cue.OVER, Cue.UNDER))
    return replace(clause, tokens=(*clause.tokens[: place + 1], limit, *clause.tokens[place + 1 :]))


def _facts(clause: Clause, whole: Sequence[Token], lines: Sequence[Line]) -> list[CheckedFact]:
    comparison = read_comparison(clause, len(lines))
    if comparison is not None:
        return _compared(comparison, clause, lines)
    share = read_share(clause, lines)
    if share is not None:
        return [_fact(_shown(clause), lines, share[1], share[0])]
    if Cue.UNREAD in clause.cues or len(clause.tokens) > _LONGEST:
        return []
    narrowed, last_s = _narrowed(clause)
    statements = _read(narrowed)
    if not statements:
        return []
    subject = _subject(clause, whole, lines)
    shown = _shown(clause)
    if not subject.lines:
        return [_fact(shown, lines, "no cited series is of that", Verdict.UNSUPPORTED)]
    start, end, _ = clause.times
    cut = [line.between(start, end, is_after=clause.is_after, is_before=clause.is_before) for line in subject.lines]
    cut = [_last_part(line, last_s) for line in cut]
    return _evaluated(shown, statements, [line for line in cut if line.points], subject)


def _read(clause: Clause, depth: int = 2) -> list[Statement] | None:
    """Return the statements of the first reader that has a part for all of a clause, or of its two parts at an "and"."""
    for reader in _READERS:
        statements = reader(clause)
        if statements:
            return statements
    if depth:
        for place in _joints(clause):
            left, right = clause.part(0, place), clause.part(place + 1, len(clause.tokens))
            one = _read(left, depth - 1)
            two = _read(right, depth - 1) if one else None
            if one and two:
                return one + two
    return None


def _joints(clause: Clause) -> Iterator[int]:
    places = [place for place, token in enumerate(clause.tokens) if token.word in ("and", ",")]
    yield from places[:_MOST_JOINTS]


def _narrowed(clause: Clause) -> tuple[Clause, float | None]:
    """Take "in the last 5 minutes" out of a clause, and return how many seconds that is; of the first ones, less than zero."""
    for bound in clause.bounds:
        before = clause.tokens[bound.place - 1] if bound.place else None
        if bound.role is Role.DURATION and before is not None and before.word in ("last", "final", "first", "past"):
            seconds = _seconds(bound.token)
            if seconds is not None:
                kept = (*clause.tokens[: bound.place - 1], *clause.tokens[bound.place + 1 :])
                return replace(clause, tokens=kept), -seconds if before.word == "first" else seconds
    return clause, None


def _seconds(token: Token) -> float | None:
    from groundwire.grounding.series_units import unit_named

    unit = unit_named("min" if token.unit == "m" else token.unit)
    return None if unit is None or token.figure is None else float(token.figure.value * unit.factor)


def _last_part(line: Line, seconds: float | None) -> Line:
    if seconds is None or not line.points:
        return line
    first, last = line.points[0][0], line.points[-1][0]
    kept = [point for point in line.points if (point[0] > last - seconds if seconds > 0 else point[0] < first - seconds)]
    return replace(line, points=tuple(kept))


def _subject(clause: Clause, whole: Sequence[Token], lines: Sequence[Line]) -> _Subject:
    """Return the lines that a clause names, or else its claim does, and that measure what it speaks of."""
    tokens = clause.tokens if any(token.series is not None for token in clause.tokens) else whole
    indexes = named_by(tokens, len(lines))
    sets = [token.series for token in tokens if token.series is not None]
    is_every = len(sets) > 1 and not frozenset.intersection(*sets)
    named = [lines[index] for index in sorted(indexes)]
    is_share = any(token.unit in ("%", "percent", "per cent", "pct") for token in clause.tokens)
    said = quantities_in(clause.tokens) or quantities_in(whole)
    if any(token.text.lower() == line.metric.lower() for token in tokens for line in named):
        return _Subject(lines=named, is_every=is_every)
    return _Subject(lines=[line for line in named if is_of(line, said, is_share=is_share)], is_every=is_every)


def _evaluated(shown: str, statements: Sequence[Statement], lines: Sequence[Line], subject: _Subject) -> list[CheckedFact]:
    measured = [line for line in lines if all(line.stored(token) is not None for each in statements for token in each.figures)]
    if not measured:
        found = (
            "; ".join(f"{line.metric} is not measured in that unit" for line in subject.lines[:3])
            or "no sample stands for that time"
        )
        return [_fact(shown, subject.lines, found, Verdict.UNSUPPORTED)]
    if subject.is_every and len(measured) < len(subject.lines):
        return [_fact(shown, subject.lines, "it does not hold of each", Verdict.UNSUPPORTED)]
    results = []
    for line in measured:
        outcomes = [statement.check(line) for statement in statements]
        holds = [holds for holds, _ in outcomes]
        verdict = Verdict.CONTRADICTED if False in holds else Verdict.UNCHECKABLE if None in holds else Verdict.SUPPORTED
        worst = next((found for held, found in outcomes if held is False), None) or "; ".join(found for _, found in outcomes)
        results.append(_fact(shown, [line], worst, verdict))
    if subject.is_every:
        return [fact for fact in results if fact.verdict is not Verdict.SUPPORTED][:1] or results[:1]
    held = next((fact for fact in results if fact.verdict is Verdict.SUPPORTED), None)
    return [held or next((fact for fact in results if fact.verdict is Verdict.UNCHECKABLE), results[0])]


def _compared(comparison: Comparison, clause: Clause, lines: Sequence[Line]) -> list[CheckedFact]:
    said = quantities_in(clause.tokens)
    is_share = any(token.unit == "%" for token in comparison.figures)
    sides = [
        [lines[index] for index in sorted(side) if is_of(lines[index], said, is_share=is_share)]
        for side in (comparison.first, comparison.second)
    ]
    start, end, _ = clause.times
    pairs = [
        (one.between(start, end), two.between(start, end)) for one in sides[0] for two in sides[1] if one.metric == two.metric
    ]
    pairs = [(one, two) for one, two in pairs if one.points and two.points]
    shown = _shown(clause)
    if len(pairs) != 1 or any(line.stored(token) is None for line in pairs[0] for token in comparison.figures):
        return [_fact(shown, lines, "the two cannot be held against each other", Verdict.UNSUPPORTED)]
    holds, found = comparison.check(*pairs[0])
    verdict = Verdict.UNCHECKABLE if holds is None else Verdict.SUPPORTED if holds else Verdict.CONTRADICTED
    return [_fact(shown, pairs[0], found, verdict)]


def _fact(shown: str, lines: Sequence[Line], found: str, verdict: Verdict) -> CheckedFact:
    where = ", ".join(f"{line.ref_id} points" for line in lines)
    return CheckedFact(claimed=shown, looked_in=where, found=found, verdict=verdict)


def _shown(clause: Clause) -> str:
    return " ".join(token.text for token in clause.tokens if token.text.strip(",.:;"))


def _blanked(text: str, tokens: Sequence[Token]) -> str:
    """Blank what was read; names and words that nobody has read stay."""
    for token in tokens:
        if token.cue is not None or token.figure is not None or token.clock is not None or token.rank is not None:
            text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text


def _unread(clause: Clause, lines: Sequence[Line]) -> list[CheckedFact]:
    """Return a fact where a clause says something of the lines that could not be read: then no words of it support it."""
    named = {token.series for token in clause.tokens if token.series is not None and len(token.series) < len(lines)}
    says_when = any(token.clock is not None for token in clause.tokens)
    if not says_when and len(named) < 2 and not clause.cues - NEUTRAL - {Cue.UNREAD}:
        return []
    return [_fact(_shown(clause), lines, "what it says of them could not be read", Verdict.UNCHECKABLE)]
