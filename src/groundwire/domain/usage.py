"""What the language models of a session were asked for and took, counted from its steps and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from groundwire.domain.money import amount
from groundwire.domain.names import StepKind
from groundwire.domain.session import AgentStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Requests with the tokens that were counted and the cost that is known.

    Of ``uncounted`` requests a token count is missing; ``priced`` ones have a cost, of what was counted.
    """

    requests: int
    input_tokens: int
    output_tokens: int
    uncounted: int
    priced: int
    cost: float

    @classmethod
    def of(cls, steps: Iterable[AgentStep]) -> Usage | None:
        """Return the usage of these steps, or None where no model was asked."""
        asked = [step for step in steps if step.kind is StepKind.MODEL]
        if not asked:
            return None
        costs = [step.cost for step in asked if step.cost is not None]
        return cls(
            requests=len(asked),
            input_tokens=sum(step.input_tokens or 0 for step in asked),
            output_tokens=sum(step.output_tokens or 0 for step in asked),
            uncounted=sum(step.input_tokens is None or step.output_tokens is None for step in asked),
            priced=len(costs),
            cost=sum(costs),
        )

    @property
    def is_cost_known(self) -> bool:
        return self.priced == self.requests and not self.uncounted

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON; a cost that is not known of every request is null."""
        return {
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "uncounted_requests": self.uncounted,
            "cost": round(self.cost, 9) if self.is_cost_known else None,
        }

    def in_words(self) -> str:
        """Return requests, tokens and cost, each as far as it is known."""
        requests = "1 request" if self.requests == 1 else f"{self.requests} requests"
        return f"{requests}, {self._tokens()}, {self._cost()}"

    def _tokens(self) -> str:
        counted = self.input_tokens + self.output_tokens
        if self.uncounted and not counted:
            return "tokens unknown"
        return f"at least {counted:,} tokens" if self.uncounted else f"{counted:,} tokens"

    def _cost(self) -> str:
        if self.is_cost_known:
            return f"cost {amount(self.cost)}"
        if self.priced:
            return f"cost at least {amount(self.cost)}"
        return "cost unknown" if self.uncounted == self.requests else "cost unknown (no price set)"
