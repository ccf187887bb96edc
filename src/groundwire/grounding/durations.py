"""Durations: of an alert that has been active, from the first to the last of what a call matched, or between two cited items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from groundwire.domain.names import Verdict
from groundwire.domain.source_scope import asked_sources
from groundwire.domain.times import format_duration, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.blanks import blank, blank_all, blank_spans
from groundwire.grounding.call_ends import alerts_named, ends_of, is_of_logs, window_of
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.facts import fact
from groundwire.grounding.moments import moments_in
from groundwire.grounding.spans_of_time import Length, lengths_in
from groundwire.grounding.time_roles import Role, cues_of
from groundwire.grounding.time_words import WINDOW

_MOST: Final = 40
_AROUND: Final = 300
_LASTING: Final = re.compile(
    r"(?<![\w-])(?:last(?:s|ed|ing)|span(?:s|ned|ning)?|stretch(?:es|ed|ing)?|continu(?:es?|ed|ing|ously)|persist(?:s|ed|ing|"
    r"ence)?|"
    r"(?:went|go(?:es|ing)?|gone|carr(?:y|ies|ied)) on|(?:kept|keeps?)(?: (?:coming|getting|arriving|going|on|up))?|"
    r"r[au]ns?(?: for)?|"
    r"running|ongoing|on-going|in (?:effect|force|progress|place|all|total)|durations?|length|long|periods?|intervals?|"
    r"time ?(?:spans?|frames?)|elapsed|passed|amount(?:s|ed|ing)? to|total(?:s|led|ling|ed)?|com(?:es?|ing) to|came to|"
    r"on for|up for|standing|stood|endur(?:es?|ed|ing)|h[oe]ld(?:s|ing)? on|drag(?:s|ged)? on|remain(?:s|ed|ing)?|stay(?:s|ed|"
    r"ing)?|"
    r"extend(?:s|ed|ing)?|cover(?:s|ed|ing)?|tak(?:es?|en|ing)|took|occup(?:y|ies|ied)|measur(?:es?|ed)|ago|already|so far|"
    r"to date|"
    r"until now|till now|up to now|old|age|since|for|over|during|within|across|throughout|spread|for the (?:last|past)|"
    r"(?:in|for|over) (?:the )?(?:last|past)|counted|overall|altogether|time|active (?:time|phase|period)|the course of|active|"
    r"firing|"
    r"pending|unresolved|open|live|up|alight|worth of|(?:gone?|goes|went|going|passed) by|outstanding|spent|spells?|bouts?|"
    r"streaks?|stints?|"
    r"phases?|strung out|put up with|clock(?:s|ed)(?: up)?|activity|dragg(?:ed|ing)(?: on)?|suffer(?:ed|ing)?|liv(?:es?|ed)|"
    r"raged?|"
    r"linger(?:s|ed|ing)?|going|episodes?|and counting|lasting|prolonged|duration of|end to end|time)(?![\w-])",
    re.IGNORECASE,
)
_APART: Final = re.compile(
    r"(?<![\w-])(?:apart|gaps?|separat(?:es?|ed|ing|ion)|later|earlier|after(?:wards?)?|before(?:hand)?|between|delay(?:s|ed)?|"
    r"lag(?:s|ged)?|"
    r"within|took|pass(?:es|ed)?|elapsed?|lie|lies|lay|difference|distance|previously|prior)(?![\w-])",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"(?<![\w-])(?:(?:from|between|counted from|and|to|until|till|through|after|before|separat(?:es?|ed|ing|ion)|apart|later|"
    r"earlier) )?"
    r"(?:the |its |their |that )?(?:very )?(?:first|last|earliest|latest|oldest|newest|initial|final|most recent|opening|closing)"
    r"(?: (?:one|of (?:them|those|these)))?(?![\w-])|"
    r"(?<![\w-])(?:from (?:start|beginning) to (?:end|finish)|max(?:imum)? minus min(?:imum)?|max - min|end to end|"
    r"start to finish|apart|separat(?:es?|ed|ing)|later|gap|between|lies?|"
    r"lay)(?![\w-])",
    re.IGNORECASE,
)
_HELPERS: Final = re.compile(
    r"(?<![\w-])(?:(?:by|until|till|up to|up until) (?:then|that (?:time|point|moment))|(?:at|as of) the (?:time|moment|"
    r"point) of (?:observation|asking|the (?:query|snapshot|answer|call))|"
    r"at that (?:time|point|moment)|so far|overall|all told|all in all|altogether|in total|in all|for now|as yet|already|"
    r"a total of|"
    r"the course of|an? (?:period|span|stretch|interval|duration|window|time) of|became active|went active|was activated|"
    r"bec[ao]mes?|started|began|continuously|uninterrupted(?:ly)?|without (?:a break|interruption|pause)|straight|solid|"
    r"consecutive)(?![\w-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A length that cited items have. ``surely`` where a claim that says a length can mean no other."""

    where: str
    ms: float
    is_gap: bool = False
    surely: bool = True


def check_durations(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each duration that the cited items have as a whole; one in a line's own text is left to the numbers.

    What the clause speaks of is told by its words ("lasted", "active for", "apart"); a single figure without any is left to the
    numbers too. Where the cited items have such a duration and none fits, it is contradicted.
    """
    lengths = list(islice(lengths_in(claim.rest), _MOST))
    if not lengths:
        return []
    moments = moments_in(claim.rest)
    known = [length for item in cited for length in _lengths_of(item, claim.whole)] + _between(cited)
    written = [length.stated_ms for item in cited for length in lengths_in(_own_text(item))] if known else []
    facts = []
    for length in lengths if known else ():
        if any(moment.start <= length.start < moment.end for moment in moments):
            continue
        found = _judged(length, claim.whole, known, is_written=length.stated_ms in written)
        if found is not None:
            facts.append(found)
            _blank(claim, length, found, known, cited, has_times=bool(moments))
    return facts


def _judged(length: Length, text: str, known: Sequence[_Known], *, is_written: bool) -> CheckedFact | None:
    around = text[max(0, length.start - _AROUND) : length.end + _AROUND]
    is_lasting, is_gap = _LASTING.search(around) is not None, _APART.search(around) is not None
    said = [one for one in known if (is_gap if one.is_gap else is_lasting or is_gap)]
    if not said and length.parts > 1:
        said = list(known)  # so exact a figure needs no word
    fitting = next((one for one in said if length.fits(one.ms)), None)
    if fitting is not None:
        return fact(length.shown, fitting.where, format_duration(fitting.ms), Verdict.SUPPORTED)
    sure = [one for one in said if one.surely]
    if not sure or is_written or length.is_vague:
        return None
    return fact(length.shown, sure[0].where, format_duration(sure[0].ms), Verdict.CONTRADICTED)


def _blank(
    claim: ClaimText, length: Length, found: CheckedFact, known: Sequence[_Known], cited: Sequence[Cited], *, has_times: bool
) -> None:
    blank(claim, length.start, length.end)
    if found.verdict is not Verdict.SUPPORTED:
        return
    blank_all(claim, _HELPERS)
    if not has_times:
        blank_all(claim, _LASTING)
        if any(item.kind is CitedKind.ALERT for item in cited):
            blank_spans(claim, cues_of(claim.rest, Role.START))
    is_gap = next((one.is_gap for one in known if one.where == found.looked_in), False)
    if not is_gap and not has_times:
        blank_all(claim, _ENDS)


def _own_text(item: Cited) -> str:
    """Return what people or programs wrote in an item: a length there is theirs."""
    annotations = item.item.get("annotations") or {}
    return "\n".join(
        [
            str(item.item.get("message") or ""),
            str(item.item.get("content") or ""),
            *(str(value) for value in annotations.values()),
        ]
    )


def _lengths_of(item: Cited, text: str) -> Iterator[_Known]:
    if item.kind is CitedKind.ALERT:
        yield from _alert_length(item.ref_id, item.item, item)
    elif item.kind is CitedKind.SERIES and len(item.times) > 1:
        # A rise, a plateau within the series has a length of its own.
        yield _Known(where=item.ref_id, ms=(item.times[-1] - item.times[0]).total_seconds() * 1000, surely=False)
    elif is_of_logs(item):
        first, last = ends_of(item, text)
        if first is not None and last is not None:
            yield _Known(where=item.ref_id, ms=(last - first).total_seconds() * 1000)
        start, end = window_of(item)
        if start is not None and end is not None and (WINDOW.search(text) or _RECENT.search(text)):
            yield _Known(where=f"{item.ref_id} window", ms=(end - start).total_seconds() * 1000)
    elif item.kind is CitedKind.CALL:
        for alert in alerts_named(item, text):
            yield from _alert_length(f"{item.ref_id} {alert.get('alert_name')}", alert, item)


_RECENT: Final = re.compile(r"\b(?:last|past|preceding|previous)\s+(?:\d|[a-z]+ (?:h|m|s|d))", re.IGNORECASE)


def _alert_length(where: str, alert: Any, item: Cited) -> Iterator[_Known]:
    """The stored length of an alert; without one, what had passed when a live source was asked."""
    stored = alert.get("duration_ms")
    if isinstance(stored, int | float):
        yield _Known(where=where, ms=float(stored))
        return
    start = stored_instant(alert.get("active_at"))
    sources = asked_sources(item.call.output)
    is_of_now = not alert.get("seen") and bool(sources) and all(source.get("live") for source in sources)
    if start is not None and is_of_now:
        yield _Known(where=where, ms=(item.call.row.started_at - start).total_seconds() * 1000)


def _between(cited: Sequence[Cited]) -> list[_Known]:
    """The time between two cited items is a length too."""
    timed = [(item, item.times[0]) for item in cited if item.kind is CitedKind.LOG and item.times]
    timed += [
        (item, start) for item in cited if item.kind is CitedKind.ALERT and (start := stored_instant(item.item.get("active_at")))
    ]
    if len(timed) != 2:
        return []
    (one, first), (other, second) = timed
    return [
        _Known(
            where=f"{one.ref_id}, {other.ref_id}",
            ms=abs((first - second).total_seconds()) * 1000,
            is_gap=True,
            surely=len(cited) == 2,
        )
    ]
