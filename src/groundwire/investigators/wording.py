"""Findings -> claims: each a sentence that quotes, counts or dates what the refs beside it hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from groundwire.domain.answer import Claim
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.metrics import STILL_NOW
from groundwire.domain.names import ClaimKind, ClaimRole, InvocationStatus, QuestionKind
from groundwire.domain.source_scope import asked_sources
from groundwire.grounding.cause import signs_of, states_a_cause
from groundwire.grounding.quotes import stands_in
from groundwire.investigators.alert_wording import alert_words
from groundwire.investigators.claims import unnumbered, utc
from groundwire.investigators.findings import Findings, Ref, SuspectLogs, has_evidence, refs_in
from groundwire.investigators.log_wording import counted, frequency, levels_in_words, quiet, quiet_call, went_on
from groundwire.investigators.measured import measured_hypotheses, measured_quiet, measured_states, measured_symptoms
from groundwire.investigators.patterns import quotable, strongest_records, telling_part, telling_records

_MOST_ALERTS: Final = 3
_ADVICE: Final = re.compile(r"mitigat|resolution|resolve|remed|fix|what to do|action", re.IGNORECASE)
_BULLET: Final = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+(.{10,300})", re.MULTILINE)


class Wording:
    """Words the findings of one question."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._question = findings.question

    def claims(self) -> list[Claim]:
        """Return the claims, what was asked for first; their ids are given later."""
        match self._question.kind:
            case QuestionKind.LOOKUP:
                return [*self._known(ClaimRole.ANSWER)]
            case QuestionKind.STATUS:
                return [*self._alert_states(), *self._log_states(), *measured_states(self._findings.series), *self._pending()]
            case _:
                return [*self._diagnosis()]

    def _diagnosis(self) -> Iterator[Claim]:
        symptoms = list(self._firing())
        yield from symptoms
        has_symptom = bool(symptoms)
        for logs in self._findings.logs:
            for claim in self._log_symptoms(logs, ClaimRole.SUPPORT if has_symptom else ClaimRole.ANSWER):
                has_symptom = True
                yield claim
        for claim in measured_symptoms(self._findings.series, ClaimRole.SUPPORT if has_symptom else ClaimRole.ANSWER):
            has_symptom = True
            yield claim
        yield from self._causes()
        if self._findings.wide_logs is not None and not self._findings.logs:
            yield from quiet_call(self._findings.wide_logs, None, ClaimRole.CONTEXT)
        for logs in self._findings.logs:
            yield from went_on(logs)
            yield from self._trouble_words(logs, has_symptom)
            yield from frequency(logs)
            yield from quiet(logs, ClaimRole.CONTEXT)
        if self._findings.logs and self._question.subjects:
            yield from measured_quiet(self._findings.series)
        yield from self._pending()
        yield from self._known(ClaimRole.CONTEXT)
        yield from self._advice()

    def _firing(self) -> Iterator[Claim]:
        alerts = self._findings.alerts()
        firing = [ref for ref in alerts if ref[1].get("state") == "firing"]
        # A saved answer does not say when one fired that is resolved.
        fired = [ref for ref in alerts if ref[1].get("state") == "resolved" and ref[1].get("seen")]
        for ref_id, alert in (*firing, *fired)[:_MOST_ALERTS]:
            yield unnumbered(alert_words(alert), ClaimKind.SYMPTOM, ClaimRole.ANSWER, ref_id)

    def _need_not_answer(self, service: str) -> bool:
        """Return whether an alert answers how a service is, so that its logs need not.

        One of its own does, or any where all are meant.
        """
        if self._question.is_about_alerts:
            return True
        firing = [alert for _, alert in self._findings.alerts() if alert.get("state") == "firing"]
        return any(not self._question.subjects or alert.get("service") == service for alert in firing)

    def _pending(self) -> Iterator[Claim]:
        alerts = self._findings.alerts()
        # That one waits, or is silenced, answers how alerts stand where none of them fires.
        is_answer = self._question.is_about_alerts and not any(alert.get("state") == "firing" for _, alert in alerts)
        role = ClaimRole.ANSWER if is_answer else ClaimRole.CONTEXT
        for ref_id, alert in alerts:
            if alert.get("state") in ("pending", "suppressed"):
                yield unnumbered(alert_words(alert), ClaimKind.OBSERVATION, role, ref_id)

    def _alert_states(self) -> Iterator[Claim]:
        yield from self._firing()
        for call in self._findings.alert_calls:
            if call.invocation.status is InvocationStatus.FAILED or refs_in(call, "alerts", "alerts"):
                continue
            if call.invocation.partial:
                continue  # whether an alert was there is not known
            service = call.invocation.input_params.get("service")
            about = f" for {service}" if service else ""
            if all(source.get("live") for source in asked_sources(call.output)):
                text, role = self._no_alert(call, about), ClaimRole.ANSWER
            else:
                text, role = f"The saved alerts name no alert{about}.", ClaimRole.CONTEXT
            yield unnumbered(text, ClaimKind.ABSENCE, role, call.invocation.ref_id)

    def _no_alert(self, call: RecordedCall, about: str) -> str:
        has_passed = call.invocation.started_at - self._question.window.end > STILL_NOW
        return f"No alert was firing{about} in the window." if has_passed else f"No alert is firing{about}."

    def _log_states(self) -> Iterator[Claim]:
        wide = self._findings.wide_logs
        role = ClaimRole.CONTEXT if self._question.is_about_alerts else ClaimRole.ANSWER
        if wide is not None and not self._findings.logs:
            yield from quiet_call(wide, None, role)
        for logs in self._findings.logs:
            yield from self._log_symptoms(logs, role)
            yield from went_on(logs)
            yield from quiet(logs, ClaimRole.CONTEXT if self._need_not_answer(logs.service) else ClaimRole.ANSWER)
            for ref_id, item in _strongest(logs.errors)[:1]:
                yield unnumbered(
                    _says(item, telling_part(str(item["message"]))), ClaimKind.OBSERVATION, ClaimRole.CONTEXT, ref_id
                )

    def _log_symptoms(self, logs: SuspectLogs, role: ClaimRole) -> Iterator[Claim]:
        call = logs.best_call()
        if not has_evidence(call):
            return
        summary = call.output.get("summary") or {}
        counted = levels_in_words(summary)
        first, last = utc(summary.get("first_at")), utc(summary.get("last_at"))
        if counted and first and last:
            span = f"at {first}" if first == last else f"between {first} and {last}"
            text = f"{logs.service} logged {counted} {span}."
            kind = ClaimKind.SYMPTOM if self._is_asked(logs.service) else ClaimKind.OBSERVATION
            yield unnumbered(text, kind, role, f"{call.invocation.ref_id}.summary")

    def _trouble_words(self, logs: SuspectLogs, has_symptom: bool) -> Iterator[Claim]:
        """Word what lines without levels say of trouble: the first such count is a symptom where nothing else is."""
        for word, call in logs.trouble:
            if has_evidence(call):
                role = ClaimRole.CONTEXT if has_symptom else ClaimRole.ANSWER
                kind = ClaimKind.OBSERVATION if has_symptom else ClaimKind.SYMPTOM
                has_symptom = True
                yield from counted(logs.service, call, word, kind, role)

    def _is_asked(self, service: str) -> bool:
        return not self._question.subjects or service in self._question.subjects

    def _causes(self) -> Iterator[Claim]:
        role, stated = ClaimRole.ANSWER, False
        for logs in self._findings.logs:
            claim = self._stated_cause(logs, role) or self._described_cause(logs, role)
            if claim is None or not logs.explains_the_errors():
                continue
            if logs is not self._findings.logs[0] and not stated:
                # A cause of a lesser trouble is none of the first one: it is told, and explains nothing.
                yield replace(claim, kind=ClaimKind.OBSERVATION, role=ClaimRole.CONTEXT)
                continue
            role, stated = ClaimRole.SUPPORT, True
            yield claim
        if not stated:
            yield from measured_hypotheses(self._findings.series)
            for logs in self._findings.logs[:1]:
                yield from _possible_cause(logs.best_call())

    def _stated_cause(self, logs: SuspectLogs, role: ClaimRole) -> Claim | None:
        for index, item in telling_records(logs.best_call().output):
            ref_id, message = f"{logs.best_call().invocation.ref_id}.logs.{index}", str(item["message"])
            if states_a_cause(item) is None:
                continue
            quote = telling_part(message)
            if len(quote) > 8:
                return unnumbered(_says(item, quote), ClaimKind.CAUSE, role, ref_id)
        return None

    def _described_cause(self, logs: SuspectLogs, role: ClaimRole) -> Claim | None:
        for block_ref, block in self._findings.blocks():
            for sign in signs_of(str(block.get("content") or "")):
                for ref_id, item in _strongest(logs.best_call()):
                    if stands_in(sign, str(item["message"])):
                        text = f"{_says(item, sign)[:-1]}, a sign that the runbook “{block['title']}” describes."
                        return unnumbered(text, ClaimKind.CAUSE, role, ref_id, block_ref)
        return None

    def _known(self, role: ClaimRole) -> Iterator[Claim]:
        signs = list(self._signs())
        if role is ClaimRole.CONTEXT and signs:
            yield from signs[:1]
            return
        blocks = self._findings.blocks() if role is ClaimRole.ANSWER else self._findings.relevant_blocks()
        for ref_id, block in blocks[: 3 if role is ClaimRole.ANSWER else 1]:
            sentence = quotable(_first_sentence(str(block["content"])), 240)
            if len(sentence) > 8:
                yield unnumbered(f"{_runbook(block)} says “{sentence}”.", ClaimKind.OBSERVATION, role, ref_id)

    def _signs(self) -> Iterator[Claim]:
        """Word each sign that a runbook names and that a suspect's strongest lines show."""
        for block_ref, block in self._findings.blocks():
            for sign in signs_of(str(block["content"])):
                for logs in self._findings.logs:
                    for ref_id, item in _strongest(logs.best_call()):
                        if stands_in(sign, str(item["message"])):
                            text = f"{_runbook(block)} names the sign “{sign}”; {_says(item, sign)}"
                            yield unnumbered(text, ClaimKind.OBSERVATION, ClaimRole.CONTEXT, block_ref, ref_id)

    def _advice(self) -> Iterator[Claim]:
        for ref_id, block in self._findings.relevant_blocks():
            bullets = _BULLET.findall(str(block["content"])) if _ADVICE.search(str(block.get("section") or "")) else []
            for bullet in bullets[:2]:
                text = f"“{quotable(bullet, 240)}” (runbook “{block['title']}”)"
                yield unnumbered(text, ClaimKind.RECOMMENDATION, ClaimRole.CONTEXT, ref_id)
            if bullets:
                return


def _strongest(call: RecordedCall) -> list[Ref]:
    usable = {ref.ref_id for ref in call.refs}
    named = ((f"{call.invocation.ref_id}.logs.{index}", item) for index, item in strongest_records(call.output))
    return [(ref_id, item) for ref_id, item in named if ref_id in usable]


def _says(item: Mapping[str, Any], quote: str) -> str:
    who = f"{item['service']}'s log" if item.get("service") else "the log"
    at = utc(item.get("timestamp"))
    return f"{who} says “{quote}” at {at}." if at else f"{who} says “{quote}”."


def _possible_cause(call: RecordedCall) -> Iterator[Claim]:
    for index, item in telling_records(call.output)[:1]:
        message = str(item["message"])
        said = _says(item, telling_part(message))[:-1]
        ref_id = f"{call.invocation.ref_id}.logs.{index}"
        yield unnumbered(f"{said}; this may be the cause.", ClaimKind.HYPOTHESIS, ClaimRole.CONTEXT, ref_id)


def _runbook(block: Mapping[str, Any]) -> str:
    section = f", section “{block['section']}”," if block.get("section") else ""
    return f"The runbook “{block['title']}”{section}"


def _first_sentence(content: str) -> str:
    paragraphs = [part.strip() for part in re.split(r"\n\s{0,20}\n", content)]
    prose = next((part for part in paragraphs if part and part[0] not in "#<|`-*"), "")
    return re.split(r"(?<=[.!?])\s", " ".join(prose.split()), maxsplit=1)[0]
