"""Times of a claim: each must be a time of a cited item, to the precision in which it is written, and in the role it is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.times import format_instant, shifted, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.blanks import blank, blank_all, blank_spans
from groundwire.grounding.call_ends import ends_of, is_of_logs
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.facts import fact
from groundwire.grounding.known_times import Known, known_times
from groundwire.grounding.moments import Moment, moments_in
from groundwire.grounding.quotes import QUOTE, stands_in
from groundwire.grounding.time_roles import Reading, Relation, Role, bound_of, cues_of, readings_of
from groundwire.grounding.time_words import ANY, STAMPS, SUPERLATIVE_WORD

_SOON: Final = timedelta(minutes=5)


def check_time_bounds(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return the facts of "none before T" and "nothing after T" that a cited call bears out: T is its first, or its last.

    Only what is borne out is taken out of the claim; the rest is an absence, and judged as one.
    """
    calls = [item for item in cited if is_of_logs(item) and not item.call.row.partial]
    facts = []
    moments = moments_in(claim.rest) if calls else ()
    for moment in moments:
        reading = bound_of(claim.rest, moment)
        if reading is None:
            continue
        place = next((call for call in calls if _is_end(call, reading, claim.whole)), None)
        if place is None:
            continue
        facts.append(fact(moment.shown, place.ref_id, _shown(_records(place, reading.role, claim.whole)), Verdict.SUPPORTED))
        cues = cues_of(claim.rest, reading.role) if len(moments) == 1 else []
        blank_spans(claim, (*reading.helpers, *cues, (moment.start, moment.end)))
        blank_all(claim, STAMPS)
        blank_all(claim, ANY)
    return facts


def check_times(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each time or date of the claim; naive times are UTC.

    The words about a time say what it is the time of: of a call the first or the last record, of an alert its becoming active
    or its end, a bound, one end of a span. A time that is not the one in that role contradicts where the cited item has only
    one; one that stands nowhere is unsupported.
    """
    moments = [moment for moment in moments_in(claim.rest) if moment.is_told or _is_epoch_of(moment, cited)]
    if not moments:
        return []
    facts = []
    for reading in readings_of(claim.rest, moments):
        facts.append(_check(reading, claim, cited))
        _blank(claim, reading, cited)
    blank_all(claim, STAMPS)
    return facts


def _check(reading: Reading, claim: ClaimText, cited: Sequence[Cited]) -> CheckedFact:
    shown = reading.moment.shown if reading.until is None else f"{reading.moment.shown} to {reading.until.shown}"
    if reading.role is Role.UNCLEAR:
        return fact(shown, cited, "its words say both a first and a last", Verdict.UNCHECKABLE)
    meant = [item for item in _meant(reading, claim, cited) if not _is_unseen(reading, item)]
    known = [times for item in meant for times in known_times(item, reading, claim)]
    for times in known:
        found = _found(reading, times)
        if found is not None:
            return fact(shown, times.where, _shown(found), Verdict.SUPPORTED)
    if reading.until is None and reading.role is Role.UNSAID and reading.relation is Relation.AT:
        written = next((item for item in cited if item.kind in (CitedKind.LOG, CitedKind.BLOCK) and shown in item.text), None)
        if written is not None:
            return fact(shown, written.ref_id, shown, Verdict.SUPPORTED)
    return _miss(shown, reading, known, cited)


def _is_unseen(reading: Reading, item: Cited) -> bool:
    """Return whether nobody had looked at an alert any more when it is said to have been so by then."""
    start, duration_ms = stored_instant(item.item.get("active_at")), item.item.get("duration_ms")
    if item.kind is not CitedKind.ALERT or reading.relation is not Relation.BY or start is None:
        return False
    return isinstance(duration_ms, int | float) and reading.moment.is_after(shifted(start, timedelta(milliseconds=duration_ms)))


def _meant(reading: Reading, claim: ClaimText, cited: Sequence[Cited]) -> Iterable[Cited]:
    """Return the items that a time may be of: that of the nearest quote, where it tells one; of a first or last, the whole."""
    if reading.role in (Role.START, Role.END):
        wholes = [item for item in cited if item.kind is CitedKind.CALL]
        return wholes + [item for item in cited if item.kind is CitedKind.ALERT] if wholes else cited
    quotes = list(QUOTE.finditer(claim.whole)) if len(cited) > 1 else []
    if not quotes:
        return cited
    start, end = reading.moment.start, reading.moment.end
    nearest = min(quotes, key=lambda quote: max(quote.start() - end, start - quote.end()))
    text = next(group for group in nearest.groups() if group)
    holders = [item for item in cited if item.kind is CitedKind.LOG and stands_in(text, item.text)]
    return holders if len(holders) == 1 else cited


def _found(reading: Reading, times: Known) -> datetime | None:
    """Return the time of an item that bears a reading out, or None."""
    if reading.until is not None:
        return _found_in_span(reading, reading.until, times)
    moment, role = reading.moment, reading.role
    if role is Role.UNSAID:
        role = Role.END if reading.relation in (Relation.AFTER, Relation.SOON_AFTER) else Role.START
    for instant in times.of(role):
        if not _holds(moment, reading.relation, instant):
            continue
        # Of several records without a word which of them, all have to be at that time.
        if (
            reading.role is Role.UNSAID
            and reading.relation is Relation.AT
            and not all(map(moment.fits, (*times.start, *times.end)))
        ):
            return instant if times.single == instant else None
        return instant
    return None


def _holds(moment: Moment, relation: Relation, instant: datetime) -> bool:
    match relation:
        case Relation.AT:
            return moment.fits(instant)
        case Relation.BY:
            return moment.is_by(instant)
        case Relation.BEFORE:
            return moment.is_after(instant)
        case Relation.AFTER:
            return moment.is_before(instant)
        case Relation.SOON_BEFORE:
            return moment.is_after(instant) and moment.distance(instant) <= _SOON
        case Relation.SOON_AFTER:
            return moment.is_before(instant) and moment.distance(instant) <= _SOON


def _found_in_span(reading: Reading, until: Moment, times: Known) -> datetime | None:
    """From first to last, to the written precision; what is said to lie between two times may also lie well within."""
    if not times.start or not times.end:
        return times.start[0] if times.start and reading.is_between and _lies_in(reading.moment, until, times.start[0]) else None
    first, last = times.start[0], times.end[0]
    if reading.moment.fits(first) and until.fits(last):
        return first
    if not reading.is_between and times.single is None:
        return None
    wanted = {Role.START: (first,), Role.END: (last,)}.get(reading.role, (first, last))
    return first if all(_lies_in(reading.moment, until, instant) for instant in wanted) else None


def _lies_in(start: Moment, end: Moment, instant: datetime) -> bool:
    return (start.fits(instant) or start.is_before(instant)) and end.is_by(instant)


def _miss(shown: str, reading: Reading, known: Sequence[Known], cited: Sequence[Cited]) -> CheckedFact:
    """A time that differs from the only one of the only cited item contradicts."""
    only = known[0] if len(known) == 1 and len(cited) == 1 else None
    if reading.until is None and only is not None and only.single is not None and reading.role is not Role.END:
        if cited[0].kind is CitedKind.ALERT and reading.role is Role.START:
            return fact(f"since {shown}", f"{only.where} active_at", format_instant(only.single), Verdict.CONTRADICTED)
        if cited[0].kind is CitedKind.LOG and reading.relation is Relation.AT and len(cited[0].times) == 1:
            return fact(f"at {shown}", f"{only.where} timestamp", format_instant(only.single), Verdict.CONTRADICTED)
    if all(item.kind is CitedKind.SERIES for item in cited):
        return fact(shown, cited, "what the series did then was not read", Verdict.UNCHECKABLE)
    return fact(shown, cited, None, Verdict.UNSUPPORTED)


def _blank(claim: ClaimText, reading: Reading, cited: Sequence[Cited]) -> None:
    """Take out the time and the words about it; of single lines the words stay that may be the line's own."""
    ends = [reading.moment] if reading.until is None else [reading.moment, reading.until]
    for moment in ends:
        blank(claim, moment.start, moment.end)
    blank_spans(claim, reading.helpers)
    if all(item.kind is CitedKind.LOG for item in cited):
        if reading.role in (Role.START, Role.END):
            blank_all(claim, SUPERLATIVE_WORD)
        return
    blank_spans(claim, reading.cues)


def _is_end(call: Cited, reading: Reading, text: str) -> bool:
    instant = _records(call, reading.role, text)
    return instant is not None and reading.moment.fits(instant)


def _records(call: Cited, role: Role, text: str) -> datetime | None:
    first, last = ends_of(call, text)
    return first if role is Role.START else last


def _is_epoch_of(moment: Moment, cited: Sequence[Cited]) -> bool:
    """A bare number of ten digits is a time where it is that of a cited item."""
    return any(moment.fits(instant) for item in cited for instant in item.times)


def _shown(moment: datetime | None) -> str | None:
    return None if moment is None else format_instant(moment)
