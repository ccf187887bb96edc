"""Drafts about another time than the asked one: the session's window ends before the trouble, and its calls saw both."""

from __future__ import annotations

from collections.abc import Iterator

from bench.grounding.draft import (
    Asked,
    Evidence,
    Statement,
    WholeDraft,
    absence,
    cause,
    clock,
    first_and_last,
    moment,
    observation,
    symptom,
)
from bench.grounding.drafts_other import how_is, why
from bench.grounding.incident import Incident, Trouble
from bench.grounding.recorded import RecordedCall

_LABEL = "other window"


def drafts(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """Yield the drafts over the early session of an incident."""
    for trouble in incident.troubles[:2]:
        late = at.call("late", trouble.service)
        yield from _of_later(incident, trouble, late, at)
    first = incident.troubles[0]
    wide = at.call("wide", first.service)
    errors = sum(record.level == "ERROR" for record in wide.matching)
    for make in (symptom, observation):
        both = make(f"{first.service} logged {errors} ERROR records.", wide.whole, role="answer")
        yield _draft(incident, how_is(first.service), f"before and after, {make.__name__}", both)
    for call in at.calls("narrow"):
        service, level = str(call.params["service"]), str(call.params["level"]).upper()
        start, end = str(call.params["since"])[11:19], str(call.params["until"])[11:19]
        text = f"No log line of {service} of level {level} or more severe from {start} to {end} UTC."
        yield _draft(incident, how_is(service), "a part of it", absence(text, call.whole))


def _of_later(incident: Incident, trouble: Trouble, late: RecordedCall, at: Evidence) -> Iterator[WholeDraft]:
    first, last = first_and_last(late)
    counted = f"{trouble.service} logged {len(late.matching)} ERROR records between {moment(first.at)} and {moment(last.at)}."
    line = at.line(trouble.service, trouble.error, "late")
    told = f"{trouble.service}'s log says “{trouble.error}” at {clock(line.record.at)}."
    for text, ref in ((counted, late.whole), (told, line.ref)):
        yield _draft(incident, how_is(trouble.service), "a later state", symptom(text, ref))
        if trouble.cause is not None:
            stated = at.line(trouble.service, trouble.cause, "late")
            why_so = cause(f"{trouble.service}'s log says “{trouble.cause}” at {clock(stated.record.at)}.", stated.ref)
            yield _draft(incident, why(trouble.service), "a later diagnosis", symptom(text, ref), why_so)
            early = at.line(trouble.service, incident.routine[trouble.service], level="INFO")
            quote = early.record.first_line.strip()[:90].rstrip()
            then = symptom(f"{trouble.service}'s log says “{quote}” at {clock(early.record.at)}.", early.ref)
            yield _draft(incident, why(trouble.service), "a later cause of an early line", then, why_so)


def _draft(incident: Incident, asked: Asked, wording: str, *statements: Statement) -> WholeDraft:
    assert incident.early is not None
    return WholeDraft(session=incident.early, asked=asked, label=_LABEL, wording=wording, statements=statements)
