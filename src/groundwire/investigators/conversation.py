"""One conversation with a model: requests, recorded steps, tool calls, and a draft at its end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.errors import StoreError
from groundwire.domain.incident import Question
from groundwire.domain.marking import Marking
from groundwire.domain.model import MessageRole, ModelFault, ModelMessage, ModelReply, ToolCall, ToolOffer
from groundwire.domain.names import StepKind, StepRole, new_id
from groundwire.domain.session import AT_LIMIT, NO_DRAFT, NO_REPAIR, AgentStep
from groundwire.domain.verdict import ClaimVerdict
from groundwire.investigators.budget import Budget, Limits
from groundwire.investigators.compaction import Entry, Told, messages_of, size_of, told
from groundwire.investigators.draft_reading import UnreadableDraftError, read_draft
from groundwire.investigators.prompts import last_call_text, question_text, repair_text, retry_text, system_text
from groundwire.investigators.results import ShownResult
from groundwire.investigators.tool_offers import DRAFT_SCHEMA, OFFERS, SUBMIT_DRAFT
from groundwire.investigators.toolbox import Toolbox
from groundwire.investigators.waiting import run_all
from groundwire.ports import LanguageModel, Progress, ToolGateway

_LONGEST_RESPONSE: Final = 8_000
_UNFINISHED: Final = {
    "length": "it was cut off by its length limit, so nothing of it was used; write it shorter",
    "content_filter": "it was withheld by a content filter",
    "refusal": "it refuses; the task is to read recorded evidence",
}
_NOTHING: Final = Draft(claims=(), complete=False)


class Conversation:
    """Investigates one question. What it spends, a repair round included, stays within its limits."""

    def __init__(
        self, model: LanguageModel, limits: Limits, question: Question, gateway: ToolGateway, progress: Progress
    ) -> None:
        self._model = model
        self._gateway = gateway
        self._progress = progress
        # A mark that the question holds itself would be taken out of what is quoted from it.
        self._marking = Marking.apart_from(question.text)
        self._budget = Budget(limits)
        self._why_no_draft = ""
        self._tools = Toolbox(gateway, self._marking, self._budget, question.subjects)
        self._entries: list[Entry] = [
            ModelMessage(role=MessageRole.SYSTEM, text=system_text(self._marking, limits)),
            ModelMessage(role=MessageRole.USER, text=question_text(question, self._marking)),
        ]

    def investigate(self) -> Draft:
        """Return the model's draft, or an incomplete and empty one where it gave none."""
        missing = self._budget.limits.missing_price(self._model.name)
        if missing is not None:
            self._step(missing)
        return self._draft()

    def _draft(self) -> Draft:
        retries, last = 1, False
        while True:
            size = size_of(self._messages())
            limit = None if last else self._budget.reached(size)
            if limit is not None:
                self._step(f"the limit of {limit} is reached: the draft is asked for with what was found", limit, AT_LIMIT)
                self._entries.append(ModelMessage(role=MessageRole.USER, text=last_call_text(limit)))
                last = True
            spent = self._budget.spent(size)
            if spent is not None:
                self._step(f"ended without a draft: the limit of {spent} is reached before there is a draft", spent, AT_LIMIT)
                self._why_no_draft = f"the limit of {spent} is reached"
                return _NOTHING
            reply, step_id = self._request_draft() if last else self._request("calls or the draft", tools=OFFERS)
            if reply.fault not in (None, ModelFault.MALFORMED):
                if self._budget.deadline.expired:
                    seconds = f"{self._budget.limits.max_seconds:g} seconds"
                    self._step(f"the limit of {seconds} is reached", seconds, AT_LIMIT)
                words = f"{reply.fault}: {reply.error_message}" if reply.error_message else f"{reply.fault}"
                return self._ended(f"the model gave no answer ({reply.fault})", because=words)
            if not last and self._ran_calls(reply, step_id):
                retries = 1
                continue
            draft, problem = self._draft_in(reply)
            if draft is not None:
                return draft
            if not retries:
                shown = f"the model gave no usable draft: {_for_people(reply, problem)}"
                return self._ended(f"the model gave no usable draft: {problem}", shown, because=shown)
            retries -= 1
            self._refuse(reply, problem)

    def repair(self, draft: Draft, failed: Sequence[ClaimVerdict]) -> Draft:
        """Return the draft that a model makes of the claims that did not hold; the same one where it makes none."""
        self._budget.cost = max(self._budget.cost, self._gateway.cost_so_far())
        self._step(f"repair round: {len(failed)} of {len(draft.claims)} claims are given back", said=_reasons(failed))
        self._entries.append(ModelMessage(role=MessageRole.USER, text=repair_text(failed, self._marking)))
        repaired = self._draft()
        if not repaired.complete or not repaired.claims:
            why = "it holds no claim" if repaired.complete else self._why_no_draft
            self._step("the repair round brought no draft; the one before stands", why, NO_REPAIR)
            return draft
        self._step("the repair round ended", said=_changes(draft, repaired))
        return repaired

    def _request_draft(self) -> tuple[ModelReply, str]:
        """Ask for the draft and for nothing else."""
        if any(isinstance(entry, Told) for entry in self._entries):
            # Calls that were made cannot be sent again without any tool: providers refuse that.
            return self._request("the draft", tools=[offer for offer in OFFERS if offer.name == SUBMIT_DRAFT])
        return self._request("the draft", schema=DRAFT_SCHEMA)

    def _ran_calls(self, reply: ModelReply, step_id: str) -> bool:
        """Return whether a reply asked for something; what it brought is told then."""
        asked = [call for call in reply.tool_calls if call.name != SUBMIT_DRAFT]
        if not asked or _problem_of(reply) is not None:
            return False
        self._say(reply)
        self._entries += self._results(reply.tool_calls, self._tools.run(asked, step_id))
        return True

    def _messages(self) -> tuple[ModelMessage, ...]:
        return messages_of(self._entries, self._marking, most=self._budget.limits.max_context)

    def _request(
        self, wanted: str, *, tools: Sequence[ToolOffer] = (), schema: Mapping[str, Any] | None = None
    ) -> tuple[ModelReply, str]:
        """Return a reply and the id of its step, which is recorded before anything is done with the reply."""
        messages, budget = self._messages(), self._budget
        size = size_of(messages)
        number = budget.requests + 1
        spent = "" if not budget.requests or budget.limits.price is None else f"; {budget.cost_so_far()}"
        self._progress.update(f"asking {self._model.name} for {wanted} ({number} of {budget.limits.max_requests}{spent})")
        asked = f"request {number} of {budget.limits.max_requests}: {wanted}; "
        asked += f"{len(messages)} messages, {size} characters, {len(tools)} tools"
        try:
            (outcome,) = run_all(
                [lambda: self._model.request(messages, tools=tools, schema=schema, deadline=budget.deadline)], budget.deadline
            )
            reply = outcome if isinstance(outcome, ModelReply) else _fault_of(outcome)
        except BaseException as exc:
            # It was sent, and may cost money: what was asked for is recorded, whoever stops the run.
            stopped = ModelReply(fault=ModelFault.INTERRUPTED, error_message=f"stopped by {type(exc).__name__}")
            with suppress(StoreError):
                self._gateway.record_step(self._model_step(asked, stopped))
            raise
        uncounted = budget.count_reply(reply, size)
        cost = budget.cost_so_far()
        step_id = self._gateway.record_step(self._model_step(asked if cost is None else f"{asked}; {cost}", reply)).id
        if uncounted is not None:
            self._step(uncounted)
        return reply, step_id

    def _model_step(self, asked: str, reply: ModelReply) -> AgentStep:
        return AgentStep(
            id=new_id(),
            session_id="",
            kind=StepKind.MODEL,
            role=StepRole.EXECUTOR,
            request_summary=asked,
            model=reply.model or self._model.name,
            provider_name=reply.provider_name,
            response_id=reply.response_id,
            response_text=_response_text(reply) or None,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            duration_ms=round(reply.duration_ms, 3),
            finish_reason=reply.finish_reason,
            error_message=None if reply.fault is None else f"{reply.fault}: {reply.error_message or 'no reason was given'}",
            cost=self._budget.cost_of(reply),
        )

    def _say(self, reply: ModelReply) -> None:
        self._entries.append(ModelMessage(role=MessageRole.ASSISTANT, text=reply.text, tool_calls=reply.tool_calls))

    def _results(self, calls: Sequence[ToolCall], results: Sequence[Told]) -> list[Told]:
        """Return one result for each call; a draft that was written beside other calls did not know their results."""
        left = iter(results)
        early = ShownResult(
            head="Not taken: it was written before the results of the calls beside it. Read them, then hand it in."
        )
        return [told(call, early, self._marking) if call.name == SUBMIT_DRAFT else next(left) for call in calls]

    def _draft_in(self, reply: ModelReply) -> tuple[Draft | None, str]:
        """Return the draft that a reply hands in, or why there is none."""
        problem = _problem_of(reply)
        if problem is not None:
            return None, problem
        handed_in = [call for call in reply.tool_calls if call.name == SUBMIT_DRAFT]
        if len(handed_in) > 1:
            return None, "it hands in more than one draft"
        try:
            draft = read_draft(handed_in[0].arguments if handed_in else reply.text)
        except UnreadableDraftError as exc:
            return None, f"it holds no draft: {exc}"
        self._say(reply)
        self._answer_calls(reply.tool_calls, "Taken.")
        return self._unmarked(draft), ""

    def _refuse(self, reply: ModelReply, problem: str) -> None:
        """Tell a model what is wrong, as the result of its calls or as the next message. None of its calls was run."""
        if _problem_of(reply) is None and reply.tool_calls:
            self._say(reply)
            self._answer_calls(reply.tool_calls, retry_text(problem))
            return
        if reply.text:
            # What is no draft is not sent again whole: a flood would use up all that is left.
            self._entries.append(ModelMessage(role=MessageRole.ASSISTANT, text=_cut(reply.text)))
        self._entries.append(ModelMessage(role=MessageRole.USER, text=retry_text(problem)))

    def _answer_calls(self, calls: Sequence[ToolCall], text: str) -> None:
        self._entries += [told(call, ShownResult(head=text), self._marking) for call in calls]

    def _unmarked(self, draft: Draft) -> Draft:
        claims = (replace(claim, text=self._marking.unmark(claim.text).strip()) for claim in draft.claims)
        return replace(draft, claims=tuple(claim for claim in claims if claim.text))

    def _ended(self, why: str, error: str | None = None, *, because: str) -> Draft:
        """Return no draft; ``error`` says why where the step of the last request does not, ``because`` what a reader is told."""
        self._why_no_draft = because
        self._step(f"ended without a draft: {why}", finish_reason=NO_DRAFT, error=error)
        return _NOTHING

    def _step(self, what: str, said: str | None = None, finish_reason: str | None = None, *, error: str | None = None) -> None:
        self._gateway.record_step(
            AgentStep(
                id=new_id(),
                session_id="",
                kind=StepKind.HELPER,
                role=StepRole.EXECUTOR,
                request_summary=what,
                response_text=said,
                finish_reason=finish_reason,
                error_message=error,
            )
        )


def _problem_of(reply: ModelReply) -> str | None:
    if reply.fault is not None:
        return f"it could not be read ({reply.error_message or reply.fault})"
    return _UNFINISHED.get(reply.finish_reason)


def _for_people(reply: ModelReply, problem: str) -> str:
    """Return why a reply is no draft, without what is meant for the model."""
    if reply.fault is None and reply.finish_reason in _UNFINISHED:
        return re.split("[,;]", problem)[0]
    return problem


def _fault_of(outcome: BaseException) -> ModelReply:
    if not isinstance(outcome, Exception):
        raise outcome
    fault = ModelFault.TIMEOUT if isinstance(outcome, TimeoutError) else ModelFault.UNAVAILABLE
    return ModelReply(fault=fault, error_message=f"{type(outcome).__name__}: {outcome}")


def _response_text(reply: ModelReply) -> str:
    called = [f"{call.name} {call.arguments}" for call in reply.tool_calls]
    return _cut("\n".join(part for part in (reply.text, *called) if part))


def _cut(text: str) -> str:
    cut = len(text) - _LONGEST_RESPONSE
    return text if cut <= 0 else f"{text[:_LONGEST_RESPONSE]} ... ({cut} characters more)"


def _reasons(failed: Sequence[ClaimVerdict]) -> str:
    return "\n".join(f"{verdict.claim.id}: {verdict.verdict}: {verdict.reason}" for verdict in failed)[:_LONGEST_RESPONSE]


def _changes(before: Draft, after: Draft) -> str:
    was, now = _by_id(before), _by_id(after)
    dropped = [name for name in was if name not in now]
    added = [name for name in now if name not in was]
    changed = [name for name in now if name in was and was[name] != now[name]]
    named = (("dropped", dropped), ("added", added), ("changed", changed))
    return "; ".join(f"{what} {', '.join(names)}" for what, names in named if names)[:_LONGEST_RESPONSE] or "nothing changed"


def _by_id(draft: Draft) -> dict[str, Claim]:
    return {claim.id: claim for claim in draft.claims}
