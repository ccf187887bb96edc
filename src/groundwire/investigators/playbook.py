"""The deterministic investigator: alerts, then the logs of the suspects, then knowledge. It needs no model and no key.

It quotes what it found and concludes nothing that a cited line does not say itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.incident import Question
from groundwire.domain.names import InvocationStatus, QuestionKind, ToolName
from groundwire.domain.sources import SourceListing
from groundwire.domain.verdict import ClaimVerdict
from groundwire.investigators.findings import Findings, SuspectLogs, ended_at, speakers_in
from groundwire.investigators.measured import hot_services
from groundwire.investigators.measurements import queries
from groundwire.investigators.patterns import key_phrase, strongest_records, telling_records
from groundwire.investigators.wording import Wording
from groundwire.ports import Progress, ToolGateway

_MOST_SUSPECTS: Final = 3
_MOST_TERMS: Final = 3
_LIMIT: Final = 100
_SERIES_LIMIT: Final = 1000
# Looked for where log lines carry no levels.
_TROUBLE: Final = ("error", "failure", "failed", "exception")


class Playbook:
    """An `Investigator` that follows one fixed course for each kind of question."""

    name = "playbook"

    def draft(self, question: Question, gateway: ToolGateway, progress: Progress) -> Draft:
        """Return claims that quote their evidence; an empty draft when nothing was found that could be quoted."""
        listing = gateway.list_sources()
        findings = Findings(question=question)
        if question.kind is not QuestionKind.LOOKUP:
            progress.update("asking for alerts")
            _ask_alerts(findings, gateway)
            progress.update("reading the logs of the suspects")
            _ask_logs(findings, gateway, listing)
        if question.kind is not QuestionKind.STATUS:
            progress.update("looking up what is known")
            _ask_knowledge(findings, gateway)
        return Draft(claims=_numbered(Wording(findings).claims()))

    def revise(self, draft: Draft, verdicts: Sequence[ClaimVerdict], gateway: ToolGateway) -> Draft:
        """Return the same draft: a quotation gets no better by asking again."""
        return draft


def _numbered(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    return tuple(
        Claim(id=f"c{number}", text=claim.text, refs=claim.refs, kind=claim.kind, role=claim.role)
        for number, claim in enumerate(claims, start=1)
    )


def _ask_alerts(findings: Findings, gateway: ToolGateway) -> None:
    for service in findings.question.subjects or (None,):
        params: dict[str, Any] = {} if service is None else {"service": service}
        findings.alert_calls.append(gateway.ask(ToolName.QUERY_METRICS, params))


def _ask_logs(findings: Findings, gateway: ToolGateway, listing: SourceListing) -> None:
    suspects = list(findings.question.subjects) or findings.suspects()
    if suspects:
        for service in suspects[:_MOST_SUSPECTS]:
            _ask_series(findings, gateway, listing, service)
    else:
        _ask_series(findings, gateway, listing, None)
        wide = gateway.ask(ToolName.QUERY_LOGS, {"level": "error", "limit": 500})
        findings.wide_logs = wide
        suspects = list(dict.fromkeys((*hot_services(findings.series, listing.services, 1), *speakers_in(wide))))
    followed = 0
    for service in suspects[:_MOST_SUSPECTS]:
        findings.logs.append(_ask_suspect(service, findings.question, gateway))
    # One hop: what the strongest lines of a suspect name is worth a look of its own.
    for logs in list(findings.logs):
        for service in _named_services(logs, listing, exclude=[each.service for each in findings.logs]):
            if followed < _MOST_SUSPECTS - 1 and findings.question.kind is QuestionKind.DIAGNOSE:
                followed += 1
                findings.logs.append(_ask_suspect(service, findings.question, gateway))


def _ask_series(findings: Findings, gateway: ToolGateway, listing: SourceListing, service: str | None) -> None:
    """Ask how a suspect was measured; without one, and where it is asked why, who uses up more than usual."""
    if service is None and findings.question.kind is not QuestionKind.DIAGNOSE:
        return
    for source in listing.sources:
        asked = queries(source, service)
        for promql in asked:
            findings.series.append(gateway.ask(ToolName.QUERY_METRICS, {"promql": promql, "limit": _SERIES_LIMIT}))
        if asked:
            # Each query goes to every source that has series.
            return


def _ask_suspect(service: str, question: Question, gateway: ToolGateway) -> SuspectLogs:
    errors = gateway.ask(ToolName.QUERY_LOGS, {"service": service, "level": "error", "limit": _LIMIT})
    logs = SuspectLogs(service=service, errors=errors)
    if logs.has_no_levels():
        for word in _TROUBLE:
            params = {"service": service, "query": f'"{word}"', "limit": 20}
            logs.trouble.append((word, gateway.ask(ToolName.QUERY_LOGS, params)))
    if ended_at(errors, question.window) is not None:
        logs.newest = gateway.ask(ToolName.QUERY_LOGS, {"service": service, "limit": 1})
    if question.kind is not QuestionKind.DIAGNOSE:
        return logs
    if errors.invocation.status is InvocationStatus.NO_EVIDENCE:
        logs.warnings = gateway.ask(ToolName.QUERY_LOGS, {"service": service, "level": "warn", "limit": _LIMIT})
    else:
        phrase = key_phrase(telling_records(errors.output))
        if phrase is not None:
            params = {"service": service, "query": f'"{phrase}"', "limit": _LIMIT}
            logs.pattern, logs.pattern_phrase = gateway.ask(ToolName.QUERY_LOGS, params), phrase
    for term in question.terms[:_MOST_TERMS] if service in question.subjects or not question.subjects else ():
        found = gateway.ask(ToolName.QUERY_LOGS, {"service": service, "query": term, "limit": 20})
        logs.terms.append((term, found))
    return logs


def _named_services(logs: SuspectLogs, listing: SourceListing, *, exclude: Sequence[str]) -> list[str]:
    messages = " ".join(str(item.get("message") or "") for _, item in strongest_records(logs.best_call().output))
    words = set(messages.replace("/", " ").replace(":", " ").replace("]", " ").replace('"', " ").split())
    return [service for service in listing.services if service in words and service not in exclude]


def _ask_knowledge(findings: Findings, gateway: ToolGateway) -> None:
    question = findings.question
    for alert_name in findings.alert_names()[:2]:
        findings.knowledge.append(
            gateway.ask(ToolName.LOOKUP_KNOWLEDGE, {"query": alert_name, "alert_name": alert_name, "limit": 5})
        )
    phrases = [logs.pattern_phrase for logs in findings.logs if logs.pattern_phrase]
    if question.kind is QuestionKind.LOOKUP or (not findings.knowledge and not phrases):
        words = " ".join(question.terms) or question.text
        findings.knowledge.append(gateway.ask(ToolName.LOOKUP_KNOWLEDGE, {"query": words[:500], "limit": 5}))
    elif phrases:
        findings.knowledge.append(gateway.ask(ToolName.LOOKUP_KNOWLEDGE, {"query": phrases[0], "limit": 5}))
