"""Drafts about the asked service that do not answer: trivia, advice, half a diagnosis, another absence, another runbook."""

from __future__ import annotations

from collections.abc import Iterator

from bench.grounding.draft import (
    Asked,
    Evidence,
    Statement,
    WholeDraft,
    absence,
    advice,
    cause,
    clock,
    guess,
    moment,
    observation,
    symptom,
)
from bench.grounding.drafts_other import alert_told, errors_told, how_is, routine_told, why
from bench.grounding.incident import Incident, Trouble


def drafts(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """Yield the drafts of one incident."""
    for trouble in incident.troubles:
        yield from _half_a_diagnosis(incident, trouble, at)
        if trouble.service in incident.routine:
            yield from _trivia(incident, trouble.service, at)
        yield from _advice(incident, trouble, at)
    yield from _absences(incident, at)
    yield from _identities(incident, at)
    yield from _lookups(incident, at)


def _half_a_diagnosis(incident: Incident, trouble: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    question = why(trouble.service)
    told = alert_told(trouble, at) or errors_told(trouble, at)
    line = at.line(trouble.service, trouble.error)
    label = "symptom without cause"
    yield _draft(incident, question, label, "alone", told)
    maybe = guess("The network between the services may be slow.", line.ref)
    yield _draft(incident, question, label, "with a guess", told, errors_told(trouble, at, role="support"), maybe)
    if trouble.service in incident.routine:
        routine = routine_told(trouble.service, incident, at)
        as_cause = cause(routine.text, *routine.refs)
        yield _draft(incident, question, label, "a routine line declared the cause", told, as_cause)
    for known in incident.known[-2:]:
        block = at.block(known.title, known.sentence)
        sentence = f"The runbook “{known.title}” says “{known.sentence}”."
        yield _draft(incident, question, label, "a runbook as support", told, observation(sentence, block))
        yield _draft(incident, question, label, "a runbook declared the cause", told, cause(sentence, block))
        padded = cause(sentence, block, line.ref)
        yield _draft(incident, question, label, "a runbook and a line declared the cause", told, padded)


def _trivia(incident: Incident, service: str, at: Evidence) -> Iterator[WholeDraft]:
    line = routine_told(service, incident, at, role="answer")
    call = at.call("browse", service)
    counted = f"{service} logged {len(call.matching)} records in the window."
    first = call.matching[0]
    began = f"The first record of {service} in the window is of {moment(first.at)}."
    info = sum(record.level == "INFO" for record in call.matching)
    by_level = f"{service} logged {info} INFO records."
    for make in (observation, symptom):
        kind = make.__name__
        for question in (how_is(service), why(service)):
            yield _draft(incident, question, "trivia", f"routine line, {kind}", make(line.text, *line.refs, role="answer"))
            yield _draft(incident, question, "trivia", f"number of records, {kind}", make(counted, call.whole, role="answer"))
        yield _draft(incident, how_is(service), "trivia", f"number of INFO, {kind}", make(by_level, call.whole, role="answer"))
        yield _draft(incident, how_is(service), "trivia", f"first record, {kind}", make(began, call.whole, role="answer"))


def _identities(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    for service, pod in incident.pods:
        line = next(item for item in at.lines(service, incident.routine[service]) if item.record.instance == pod)
        text = f"The record of {service} at {clock(line.record.at)} comes from the pod {pod}."
        for question in (how_is(service), why(service)):
            yield _draft(incident, question, "trivia", "pod", observation(text, line.ref, role="answer"))
    for teller in ("rollouts", "deployer"):
        if teller in incident.routine:
            released = routine_told(teller, incident, at, role="answer")
            service = incident.troubles[0].service
            told = symptom(released.text, *released.refs)
            yield _draft(incident, how_is(service), "trivia", "a release of it", told)
            yield _draft(incident, how_is(service), "trivia", "a release of it, observed", released)
            yield _draft(incident, why(service), "trivia", "a release of it", told, cause(released.text, *released.refs))


def _advice(incident: Incident, trouble: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    line = at.line(trouble.service, trouble.error).ref
    restart = advice(f"Restart {trouble.service} and watch its log.", line)
    ask = advice("Ask the team on call before anything is changed.")
    may = guess(f"{trouble.service} may be short of memory.", line)
    for question in (why(trouble.service), how_is(trouble.service)):
        yield _draft(incident, question, "advice alone", "two", restart, ask)
        aside = advice(restart.text, *restart.refs, role="context")
        yield _draft(incident, question, "advice alone", "as context", aside)
        yield _draft(incident, question, "advice alone", "with a guess", restart, may)


def _absences(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """What is not there is true and is not what was asked: the service has errors of other kinds."""
    label = "absence of something else"
    for service, words in incident.absent_words:
        call = at.call("word", service, query=words)
        text = f"No log line of {service} contains “{words}” among {len(call.in_scope)} records in the window."
        yield _draft(incident, how_is(service), label, "words", absence(text, call.whole))
        plain = f"{service} logged nothing with the words “{words}”."
        yield _draft(incident, how_is(service), label, "words, plainly", absence(plain, call.whole))
    for trouble in incident.troubles[:2]:
        fatal = at.call("fatal", trouble.service)
        text = f"No log line of {trouble.service} of level FATAL among {len(fatal.in_scope)} records in the window."
        yield _draft(incident, how_is(trouble.service), label, "fatal", absence(text, fatal.whole))
        browsed = at.call("browse", trouble.service)
        yield _draft(incident, how_is(trouble.service), label, "fatal among all", absence(text, browsed.whole))
    if incident.session in ("ferry-answers", "clinic-answers"):
        service = incident.troubles[0].service
        call = at.alert_call(service=service, state="suppressed")
        text = f"The saved alerts name no suppressed alert for {service}."
        yield _draft(incident, how_is(service), label, "suppressed alerts", absence(text, call.whole))


def _lookups(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    for known in incident.known:
        question = Asked(text=known.question, kind="lookup", subjects=())
        for other in incident.known:
            if other is not known:
                block = at.block(other.title, other.sentence)
                text = f"The runbook “{other.title}” says “{other.sentence}”."
                yield _draft(incident, question, "another runbook", "quoted", observation(text, block, role="answer"))
        lookup = at.lookup_of(at.block(known.title, known.sentence))
        counted = observation("The lookup found runbook sections.", lookup, role="answer")
        yield _draft(incident, question, "trivia", "that something was found", counted)
        service = next(iter(incident.routine))
        line = routine_told(service, incident, at, role="answer")
        yield _draft(incident, question, "trivia", "a log line for a runbook", line)
        yield _draft(incident, question, "advice alone", "for a runbook", advice(f"Follow the runbook “{known.title}”.", lookup))


def _draft(incident: Incident, asked: Asked, label: str, wording: str, *statements: Statement) -> WholeDraft:
    return WholeDraft(session=incident.session, asked=asked, label=label, wording=wording, statements=statements)
