"""What a judge that is a language model spends: a step for each request, and the money that it may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.model import ModelFault, ModelReply
from groundwire.domain.money import Price, amount, cost_of
from groundwire.domain.names import StepKind, StepRole, new_id
from groundwire.domain.session import AgentStep
from groundwire.domain.usage import Usage
from groundwire.services.judgement import Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpending:
    """The judge's price, and what the whole diagnosis may cost; by default nothing is limited.

    The judge is asked once for each draft, whatever the investigation took in requests, tokens and time. Money is one limit for
    both: a judge that costs something is not asked once it is spent.
    """

    price: Price | None = None
    max_cost: float | None = None

    def refusal(self, steps: Sequence[AgentStep]) -> str | None:
        """Return why the judge is not asked after these steps, in words; None where it is."""
        usage = Usage.of(steps)
        is_free = self.price is not None and self.price.input == self.price.output == 0
        if self.max_cost is None or usage is None or usage.cost < self.max_cost or is_free:
            return None
        return (
            f"it was not asked, for the limit of {amount(self.max_cost)} in money is reached (cost so far {amount(usage.cost)})"
        )

    def step_of(self, reply: ModelReply, *, session_id: str, judge: str, claims: int, before: Sequence[AgentStep]) -> AgentStep:
        """Return the step that a request of the judge is; ``before`` are the session's steps until then."""
        step = AgentStep(
            id=new_id(),
            session_id=session_id,
            kind=StepKind.MODEL,
            role=StepRole.VERIFIER,
            request_summary=f"a second opinion on {claims} claims",
            model=reply.model or judge.removeprefix("model:"),
            provider_name=reply.provider_name,
            response_id=reply.response_id,
            response_text=mask_text(make_storable(reply.text)),
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            duration_ms=reply.duration_ms,
            finish_reason=reply.finish_reason,
            error_message=None
            if reply.fault is None
            else mask_text(make_storable(f"{reply.fault}: {reply.error_message or ''}")),
            cost=cost_of(self.price, reply.input_tokens, reply.output_tokens),
        )
        return replace(step, request_summary=f"{step.request_summary}{self._money([*before, step])}")

    def _money(self, steps: Sequence[AgentStep]) -> str:
        usage = Usage.of(steps)
        if usage is not None and steps[-1].cost is not None:
            return f"; cost so far {amount(usage.cost)}"
        if self.max_cost is None or self.price is not None:
            return ""
        return f"; the limit of {amount(self.max_cost)} in money does not hold for it: model_prices has no price for this model"


def unheard(judgement: Judgement) -> ModelReply:
    """Return what stands for a request that brought no reply in time: it was made, and may have to be paid for."""
    return ModelReply(fault=ModelFault.TIMEOUT, error_message=judgement.raw)


def not_asked_step(session_id: str, why: str) -> AgentStep:
    """Return the step that says that there was no request, and why."""
    return AgentStep(
        id=new_id(),
        session_id=session_id,
        kind=StepKind.HELPER,
        role=StepRole.VERIFIER,
        request_summary="a second opinion",
        error_message=why,
    )
