"""What each time of a claim is the time of, read from the words about it, wherever in the clause they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from groundwire.grounding.moments import Moment
from groundwire.grounding.time_words import (
    AT_THE_LATEST,
    BOUND_AFTER,
    BOUND_AHEAD,
    BOUND_BEFORE,
    CUE,
    JOINT,
    ONWARDS,
    PREPOSITION,
    SAYS_NOTHING,
)

Span = tuple[int, int]

_BEFORE_IT: Final = 100


class Role(StrEnum):
    """The end of what is told that a time belongs to; ``unsaid`` where no word tells, ``unclear`` where words disagree."""

    START = "start"
    END = "end"
    UNSAID = "unsaid"
    UNCLEAR = "unclear"


class Relation(StrEnum):
    """How what happened lies to the time that is written."""

    AT = "at"
    BY = "by"
    BEFORE = "before"
    AFTER = "after"
    SOON_BEFORE = "soon before"
    SOON_AFTER = "soon after"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One time with its role; ``until`` is the other end of a span. ``helpers`` are the places of the words that were read."""

    moment: Moment
    until: Moment | None = None
    role: Role = Role.UNSAID
    relation: Relation = Relation.AT
    is_between: bool = False
    helpers: tuple[Span, ...] = ()
    cues: tuple[Span, ...] = field(default=())


def readings_of(text: str, moments: Sequence[Moment]) -> list[Reading]:
    """Return one reading for each time, or for each pair of times that are the ends of a span."""
    spans = _paired(text, moments)
    cues = [match for match in CUE.finditer(text) if not _is_in(match, moments)]
    readings = []
    for index, (first, second) in enumerate(spans):
        own = _own_cues(index, spans, cues)
        readings.append(_read(text, first, own) if second is None else _read_span(text, first, second, own))
    return readings


def bound_of(text: str, moment: Moment) -> Reading | None:
    """Return the end of what is told that "none before T" or "nothing after T" puts at T, or None."""
    base = max(0, moment.start - _BEFORE_IT)
    before = BOUND_BEFORE.search(text[base : moment.start])
    behind = text[moment.end : moment.end + 2 * _BEFORE_IT]
    if before is not None:
        said = base + before.start(), base + before.start("between")
        return Reading(moment=moment, role=_bounded(before), helpers=(said, _joint(before, base)))
    ahead = BOUND_AHEAD.search(text[base : moment.start])
    after = BOUND_AFTER.match(behind)
    nothing = after or SAYS_NOTHING.match(behind)
    if nothing is None or (after is None and ahead is None):
        return None
    role = _bounded(after or ahead)
    helpers = [(moment.end + nothing.start("said"), moment.end + nothing.end())]
    if ahead is not None and _bounded(ahead) is role:
        helpers.append(_joint(ahead, base))
    return Reading(moment=moment, role=role, helpers=tuple(helpers))


def _bounded(match: re.Match[str] | None) -> Role:
    return Role.START if match is not None and match["until"] else Role.END


def _joint(match: re.Match[str], base: int) -> Span:
    start, end = match.span("until") if match["until"] else match.span("since")
    return base + start, base + end


def cues_of(text: str, role: Role) -> list[Span]:
    """Return the places of the words that say the same role."""
    return [match.span() for match in CUE.finditer(text) if _role_of(match) is role]


def _is_in(match: re.Match[str], moments: Sequence[Moment]) -> bool:
    return any(moment.start <= match.start() < moment.end for moment in moments)


def _paired(text: str, moments: Sequence[Moment]) -> list[tuple[Moment, Moment | None]]:
    paired: list[tuple[Moment, Moment | None]] = []
    index = 0
    while index < len(moments):
        first = moments[index]
        second = moments[index + 1] if index + 1 < len(moments) else None
        if second is not None and _are_ends(text, first, second):
            paired.append(_alike(first, second))
            index += 2
        else:
            paired.append((first, None))
            index += 1
    return paired


def _are_ends(text: str, first: Moment, second: Moment) -> bool:
    joint = JOINT.match(text[first.end : second.start])
    if joint is None or (first.clock is None and second.clock is not None):
        return False
    opening = PREPOSITION.search(text[max(0, first.start - _BEFORE_IT) : first.start])
    is_between = opening is not None and opening["between"] is not None
    return is_between if joint["and"] else True


def _alike(first: Moment, second: Moment) -> tuple[Moment, Moment]:
    """Of "10:02 to 10:09 CET" both are CET, and of "2026-11-30 10:02 to 10:09" both are of that day."""
    if not any(mark in first.shown for mark in "ZzUGE+") and not first.shown[-1:].isalpha():
        first = replace(first, offsets=second.offsets)
    if (
        second.day is None
        and first.day is not None
        and second.clock is not None
        and second.clock >= (first.clock or second.clock)
    ):
        second = replace(second, year=first.year, month=first.month, day=first.day)
    return first, second


def _own_cues(
    index: int, spans: Sequence[tuple[Moment, Moment | None]], cues: Sequence[re.Match[str]]
) -> Sequence[re.Match[str]]:
    """Return the cues that belong to one of the times: all before it where cues lead, all behind it where they follow."""
    if len(spans) == 1 or not cues:
        return cues
    places = [moment.start for moment, _ in spans]
    if cues[0].start() < places[0]:
        low = places[index - 1] if index else -1
        high = places[index] if index + 1 < len(places) else 1 << 30
    else:
        low = places[index]
        high = places[index + 1] if index + 1 < len(places) else 1 << 30
    own = [cue for cue in cues if low < cue.start() < high]
    if len(cues) == len(spans) and all(cue.start() < places[0] for cue in cues):
        own = [cues[index]]  # "first and last at 10:02 and 10:09"
    return own


def _role_of(cue: re.Match[str]) -> Role:
    return Role.START if cue["first"] or cue["began"] else Role.END


def _read(text: str, moment: Moment, cues: Sequence[re.Match[str]]) -> Reading:
    base = max(0, moment.start - _BEFORE_IT)
    preposition = PREPOSITION.search(text[base : moment.start])
    helpers: list[Span] = [] if preposition is None else [(base + preposition.start(), moment.start)]
    said = "" if preposition is None else str(preposition.lastgroup)
    if preposition is not None and preposition["soon"]:
        said = next(name for name in ("by", "before", "after", "until", "since", "between", "at") if preposition[name])
    onwards, latest = ONWARDS.match(text, moment.end), AT_THE_LATEST.match(text, moment.end)
    if onwards is not None:
        helpers.append(onwards.span())
        said = "since"
    if latest is not None:
        helpers.append(latest.span())
        said = "by"
    cues = _agreeing(cues, moment)
    return Reading(
        moment=moment,
        role=_role(said, cues),
        relation=_relation(said, cues, is_soon=preposition is not None and preposition["soon"] is not None),
        helpers=tuple(helpers),
        cues=tuple(cue.span() for cue in cues),
    )


def _agreeing(cues: Sequence[re.Match[str]], moment: Moment) -> Sequence[re.Match[str]]:
    """Return the cues without the verbs that the nearer "first" or "last" outweighs: "the first of them closed at 10:02"."""
    named = [cue for cue in cues if cue["first"] or cue["last"]]
    if not named or len({_role_of(cue) for cue in named}) > 1 or len({_role_of(cue) for cue in cues}) == 1:
        return cues
    others = [cue for cue in cues if _role_of(cue) is not _role_of(named[0])]
    nearest = min(abs(cue.start() - moment.start) for cue in named)
    return named if all(abs(cue.start() - moment.start) > nearest for cue in others) else cues


def _role(said: str, cues: Sequence[re.Match[str]]) -> Role:
    roles = {_role_of(cue) for cue in cues}
    if said == "until" and not any(cue["first"] for cue in cues):
        return Role.END
    if said == "since" and not (cues and all(cue["last"] for cue in cues)):  # "the last one is from 10:02"
        roles.add(Role.START)
    if said == "until":
        roles.add(Role.END)
    if len(roles) > 1:
        return Role.UNCLEAR
    return next(iter(roles), Role.UNSAID)


def _relation(said: str, cues: Sequence[re.Match[str]], *, is_soon: bool) -> Relation:
    if said == "by":
        return Relation.BY
    if said == "before":
        return Relation.SOON_BEFORE if is_soon else Relation.BEFORE
    # "ceased after T" says what "last at T" says.
    if said == "after" and not any(cue["ended"] for cue in cues):
        return Relation.SOON_AFTER if is_soon else Relation.AFTER
    return Relation.AT


def _read_span(text: str, first: Moment, second: Moment, cues: Sequence[re.Match[str]]) -> Reading:
    base = max(0, first.start - _BEFORE_IT)
    opening = PREPOSITION.search(text[base : first.start])
    helpers = [(first.end, second.start)]
    if opening is not None:
        helpers.append((base + opening.start(), first.start))
    roles = {_role_of(cue) for cue in cues}
    return Reading(
        moment=first,
        until=second,
        role=next(iter(roles)) if len(roles) == 1 else Role.UNSAID,
        is_between=opening is not None and opening["between"] is not None,
        helpers=tuple(helpers),
        cues=tuple(cue.span() for cue in cues),
    )
