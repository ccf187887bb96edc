"""Drafts about another service than the asked one: all of it true, and every claim supported by what it cites."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

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
from bench.grounding.incident import Incident, Trouble


def why(service: str) -> Asked:
    return Asked(text=f"Why does {service} fail?", kind="diagnose", subjects=(service,))


def how_is(service: str) -> Asked:
    return Asked(text=f"Is {service} healthy?", kind="status", subjects=(service,))


def alert_told(trouble: Trouble, at: Evidence, *, role: str = "answer") -> Statement | None:
    """Return what an alert says of a trouble, or None where it has no alert."""
    if trouble.alert is None:
        return None
    name, state = trouble.alert
    text = f"{name} has been {state} for {trouble.service} since {trouble.since} UTC."
    return symptom(text, at.alert(name), role=role)


def errors_told(trouble: Trouble, at: Evidence, *, role: str = "answer") -> Statement:
    call = at.call("errors", trouble.service)
    first, last = first_and_last(call)
    records = "1 ERROR record" if len(call.matching) == 1 else f"{len(call.matching)} ERROR records"
    span = f"at {moment(first.at)}" if first is last else f"between {moment(first.at)} and {moment(last.at)}"
    return symptom(f"{trouble.service} logged {records} {span}.", call.whole, role=role)


def cause_told(trouble: Trouble, at: Evidence, *more_refs: str, role: str = "answer", names: bool = True) -> Statement:
    assert trouble.cause is not None
    line = at.line(trouble.service, trouble.cause)
    who = f"{trouble.service}'s log" if names else "The log"
    return cause(f"{who} says “{trouble.cause}” at {moment(line.record.at)}.", line.ref, *more_refs, role=role)


def routine_told(service: str, incident: Incident, at: Evidence, *, role: str = "support") -> Statement:
    line = at.line(service, incident.routine[service], level="INFO")
    quote = line.record.first_line.strip()[:90].rstrip()
    return observation(f"{service}'s log says “{quote}” at {clock(line.record.at)}.", line.ref, role=role)


def drafts(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """Yield the drafts of one incident."""
    for asked, other in permutations(incident.troubles, 2):
        if other.service == asked.behind:
            continue
        yield from _another_diagnosis(incident, asked, other, at)
        yield from _another_cause(incident, asked, other, at)
        yield from _padded(incident, asked, other, at)
        yield from _another_state(incident, asked, other, at)
    for asked_service in (trouble.service for trouble in incident.troubles):
        for quiet in incident.quiet:
            call = at.call("errors", quiet)
            text = f"No log line of {quiet} of level ERROR or more severe among {len(call.in_scope)} records in the window."
            yield _draft(incident, how_is(asked_service), "other service", "its silence", absence(text, call.whole))
    yield from _heard(incident, at)


def _another_diagnosis(incident: Incident, asked: Trouble, other: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    if other.cause is None:
        return
    question = why(asked.service)
    told = errors_told(other, at)
    yield _draft(incident, question, "other service", "count and cause", told, cause_told(other, at))
    if asked.service in incident.routine:
        support = routine_told(asked.service, incident, at)
        first = alert_told(other, at) or told
        yield _draft(incident, question, "other service", "with a line of the asked one", first, cause_told(other, at), support)


def _another_cause(incident: Incident, asked: Trouble, other: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    """The symptom is the asked service's, the cause explains another one's trouble."""
    if other.cause is None:
        return
    question, own = why(asked.service), errors_told(asked, at)
    own_line = at.line(asked.service, asked.error).ref
    yield _draft(incident, question, "other service's cause", "beside the symptom", own, cause_told(other, at))
    padded = cause_told(other, at, own_line)
    yield _draft(incident, question, "other service's cause", "with a ref of the asked one", own, padded)
    nameless = cause_told(other, at, own_line, names=False)
    yield _draft(incident, question, "other service's cause", "nameless, with a ref of the asked one", own, nameless)
    wide = symptom(own.text, *own.refs, at.call("errors").whole)
    yield _draft(incident, question, "other service's cause", "with a ref to all errors", wide, cause_told(other, at))


def _padded(incident: Incident, asked: Trouble, other: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    """The symptom is another service's, and cites something of the asked one beside it."""
    if other.cause is None or asked.service not in incident.routine:
        return
    question, line = why(asked.service), routine_told(asked.service, incident, at)
    other_line = at.line(other.service, other.error)
    quote = other_line.record.first_line.strip()[:90].rstrip()
    nameless = symptom(f"The log says “{quote}” at {clock(other_line.record.at)}.", other_line.ref, *line.refs)
    told = errors_told(other, at)
    more = symptom(told.text, *told.refs, *line.refs)
    yield _draft(incident, question, "padded refs", "count", more, cause_told(other, at))
    yield _draft(incident, question, "padded refs", "nameless line", nameless, cause_told(other, at))
    both = symptom(f"{line.text[:-1]}, and {told.text}", *line.refs, *told.refs)
    yield _draft(incident, question, "padded refs", "two facts in one", both, cause_told(other, at))


def _another_state(incident: Incident, asked: Trouble, other: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    told = alert_told(other, at) or errors_told(other, at)
    yield _draft(incident, how_is(asked.service), "other service", "its state", told)
    if asked.service in incident.routine:
        padded = symptom(told.text, *told.refs, *routine_told(asked.service, incident, at).refs)
        yield _draft(incident, how_is(asked.service), "padded refs", "its state", padded)


def _heard(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """What one service says of the asked one, with the speaker's own cause."""
    troubles = {trouble.service: trouble for trouble in incident.troubles}
    for heard in incident.hearsay:
        speaker = troubles.get(heard.speaker)
        if speaker is None or speaker.cause is None:
            continue
        line = at.line(heard.speaker, heard.words, "level")
        text = f"{heard.speaker}'s log says “{heard.words}” at {clock(line.record.at)}."
        for role in ("answer", "support"):
            own = cause_told(speaker, at, role=role)
            yield _draft(incident, why(heard.about), "hearsay and the speaker's cause", role, symptom(text, line.ref), own)


def _draft(incident: Incident, asked: Asked, label: str, wording: str, *statements: Statement) -> WholeDraft:
    return WholeDraft(session=incident.session, asked=asked, label=label, wording=wording, statements=statements)
