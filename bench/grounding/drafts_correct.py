"""Whole correct drafts in several wordings: each answers its question, and a check that passes none of them is of no use."""

from __future__ import annotations

from collections.abc import Iterator

from bench.grounding.draft import (
    CORRECT,
    Asked,
    Evidence,
    Statement,
    WholeDraft,
    absence,
    advice,
    cause,
    clock,
    first_and_last,
    guess,
    moment,
    observation,
    symptom,
)
from bench.grounding.drafts_other import alert_told, cause_told, errors_told, how_is, why
from bench.grounding.incident import Incident, Known, Trouble


def drafts(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """Yield the drafts over the session whose calls cover what is asked."""
    for trouble in incident.troubles:
        if trouble.cause is not None:
            yield from _diagnoses(incident, trouble, at)
        if trouble.behind is not None:
            yield from _behind(incident, trouble, at)
        yield from _not_healthy(incident, trouble, at)
    for service in incident.quiet:
        for wording, statement in _healthy(service, at):
            yield _draft(incident.session, how_is(service), f"healthy: {wording}", statement)
    for known in incident.known:
        yield from _lookups(incident, known, at)


def early_drafts(incident: Incident, at: Evidence) -> Iterator[WholeDraft]:
    """Yield the drafts over the early session: what fails later was healthy then."""
    assert incident.early is not None
    for service in (*(trouble.service for trouble in incident.troubles[:2]), incident.quiet[-1]):
        for wording, statement in _healthy(service, at):
            yield _draft(incident.early, how_is(service), f"healthy: {wording}", statement)


def zookeeper_drafts(at: Evidence) -> Iterator[WholeDraft]:
    """Yield diagnoses of a real log whose warnings say why: sessions were closed, "due to" a server that was not running."""
    question = Asked(text="Why does zookeeper close sessions?", kind="diagnose", subjects=("zookeeper",))
    words, reason = "Exception causing close of session 0x0", "due to java.io.IOException: ZooKeeperServer not running"
    call = at.call("words", "zookeeper")
    line = at.line("zookeeper", words, "words")
    first, last = first_and_last(call)
    counted = symptom(
        f"In zookeeper, {len(call.matching)} log lines contain “Exception causing close of session”, "
        f"the first at {moment(first.at)}.",
        call.whole,
        line.ref,
    )
    stated = cause(f"zookeeper's log says “{reason}” at {moment(line.record.at)}.", line.ref)
    yield _draft("zookeeper-answers", question, "count, quoted cause", counted, stated)
    warned = symptom(f"At {clock(line.record.at)} zookeeper logged the warning “{words}”.", line.ref)
    prose = cause("The log of zookeeper says that the session was closed due to this: ZooKeeperServer not running.", line.ref)
    yield _draft("zookeeper-answers", question, "line, cause in prose", warned, prose)
    closed = symptom(f"zookeeper's log says “{words}” at {clock(last.at)}.", at.lines("zookeeper", words, "words")[-1].ref)
    yield _draft("zookeeper-answers", question, "last line, quoted cause", closed, stated)


def _diagnoses(incident: Incident, trouble: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    assert trouble.cause is not None
    question, service = why(trouble.service), trouble.service
    counted, stated, alert = errors_told(trouble, at), cause_told(trouble, at), alert_told(trouble, at)
    line, reason = at.line(service, trouble.error), at.line(service, trouble.cause)
    call = at.call("errors", service)
    first, _ = first_and_last(call)
    if alert is not None:
        support = errors_told(trouble, at, role="support")
        yield _draft(incident.session, question, "alert, quoted cause, count", alert, stated, support)
    yield _draft(incident.session, question, "count, quoted cause", counted, stated)
    failed = symptom(f"At {clock(line.record.at)} {service} logged “{trouble.error}”.", line.ref)
    gives = cause(f"The log of {service} gives the reason: “{trouble.cause}”.", reason.ref)
    steps = advice("Look at the other end of that call next.", role="context")
    yield _draft(incident.session, question, "line, the log's reason, advice", failed, gives, steps)
    began = symptom(f"{service} has logged errors since {clock(first.at)}.", call.whole)
    prose = cause(f"According to its log, {service} failed because {trouble.told}.", reason.ref)
    yield _draft(incident.session, question, "errors since, cause in prose", began, prose)
    number = len(call.matching)
    one = "1 record" if number == 1 else f"{number} records"
    found = symptom(f"I found {one} of level ERROR in the log of {service}.", call.whole)
    says = cause(f"{service}'s log states that {trouble.told}.", reason.ref)
    also = observation(f"One of its lines says “{trouble.error}”.", line.ref)
    maybe = guess("What lies behind it may be load.", role="context")
    yield _draft(incident.session, question, "found, cause as stated, guess", found, says, also, maybe)
    shows = symptom(f"{service}'s log shows failures: “{trouble.error}”, first at {clock(line.record.at)}.", line.ref)
    due = cause(f"The failures are due to this, as the log of {service} says: “{trouble.cause}”.", reason.ref)
    yield _draft(incident.session, question, "failures, due to", shows, due)


def _behind(incident: Incident, trouble: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    """The cause is that of the service which the asked one's own lines name."""
    question, service = why(trouble.service), trouble.service
    deeper = next(other for other in incident.troubles if other.service == trouble.behind)
    line = at.line(service, trouble.error)
    told = symptom(f"{service}'s log says “{trouble.error}” at {moment(line.record.at)}.", line.ref)
    yield _draft(incident.session, question, "line that names another service, its cause", told, cause_told(deeper, at))
    counted, support = errors_told(trouble, at), errors_told(deeper, at, role="support")
    named = symptom(f"At {clock(line.record.at)} {service} logged “{trouble.error}”.", line.ref, role="support")
    yield _draft(
        incident.session, question, "count, a line, the other's count and cause", counted, named, cause_told(deeper, at), support
    )


def _not_healthy(incident: Incident, trouble: Trouble, at: Evidence) -> Iterator[WholeDraft]:
    question, service = how_is(trouble.service), trouble.service
    line, call = at.line(service, trouble.error), at.call("errors", service)
    first, last = first_and_last(call)
    alert = alert_told(trouble, at)
    if alert is not None:
        yield _draft(incident.session, question, "not healthy: alert", alert)
    yield _draft(incident.session, question, "not healthy: count", errors_told(trouble, at))
    number = len(call.matching)
    errors = "1 error" if number == 1 else f"{number} errors"
    counted = symptom(f"{service} logged {errors} in the window.", call.whole)
    last_one = observation(f"The last of them was at {clock(last.at)}.", call.whole)
    yield _draft(incident.session, question, "not healthy: errors and the last", counted, last_one)
    quoted = observation(f"{service}'s log says “{trouble.error}” at {moment(line.record.at)}.", line.ref, role="answer")
    yield _draft(incident.session, question, "not healthy: line", quoted)
    not_well = symptom(f"{service} has errors: the first one was logged at {clock(first.at)}.", call.whole)
    yield _draft(incident.session, question, "not healthy: first error", not_well)


def _healthy(service: str, at: Evidence) -> Iterator[tuple[str, Statement]]:
    call = at.call("errors", service)
    number = len(call.in_scope)
    for wording, text in (
        ("no log line", f"No log line of {service} of level ERROR or more severe among {number} records in the window."),
        ("no error", f"{service} logged no error in the window."),
        ("nothing", f"{service} logged nothing of level ERROR or above."),
        ("there were no", f"There were no errors in the log of {service}, which wrote {number} records."),
        ("without", f"The log of {service} is without errors in this window."),
    ):
        yield wording, absence(text, call.whole)


def _lookups(incident: Incident, known: Known, at: Evidence) -> Iterator[WholeDraft]:
    question = Asked(text=known.question, kind="lookup", subjects=())
    block = at.block(known.title, known.sentence)
    for wording, text in (
        ("says", f"The runbook “{known.title}” says “{known.sentence}”."),
        ("according to", f"According to the runbook “{known.title}”: “{known.sentence}”"),
        ("in prose", f"The runbook writes that {known.sentence[0].lower()}{known.sentence[1:]}"),
    ):
        yield _draft(incident.session, question, f"known: {wording}", observation(text, block, role="answer"))
    told = observation(f"The runbook “{known.title}” {known.told}.", at.block(known.title, known.told_in), role="answer")
    yield _draft(incident.session, question, "known: in other words", told)


def _draft(session: str, asked: Asked, wording: str, *statements: Statement) -> WholeDraft:
    return WholeDraft(session=session, asked=asked, label=CORRECT, wording=wording, statements=statements)
