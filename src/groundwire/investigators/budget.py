"""How much a model-driven investigation may spend, and what it has spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.deadline import Deadline
from groundwire.domain.model import ModelReply
from groundwire.domain.money import Price, amount, cost_of

_CHARACTERS_PER_TOKEN: Final = 4
_TIME_FOR_THE_DRAFT: Final = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that one investigation may take, its repair round included.

    ``max_cost`` is in the unit of ``price``; without a price it does not apply, since what was spent is unknown. ``max_context``
    is the number of characters that one request sends of the conversation.

    Raises:
        ValueError: A limit is not above zero.
    """

    max_requests: int = 12
    max_tool_calls: int = 24
    max_tokens: int = 200_000
    max_seconds: float = 240
    max_cost: float | None = None
    price: Price | None = None
    max_context: int = 80_000

    def __post_init__(self) -> None:
        for name in ("max_requests", "max_tool_calls", "max_tokens", "max_seconds", "max_cost", "max_context"):
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise ValueError(f"{name} must be above zero, not {limit}")

    def missing_price(self, model: str) -> str | None:
        """Return that money is limited and cannot be counted, in words, where that is so."""
        if self.max_cost is None or self.price is not None:
            return None
        return (
            f"the limit of {amount(self.max_cost)} in money does not apply: model_prices has no price for {model}, so what it "
            "costs is unknown"
        )


def estimated_tokens(characters: int) -> int:
    """Return about how many tokens a text has, where its provider does not say."""
    return characters // _CHARACTERS_PER_TOKEN


@dataclass(slots=True)
class Budget:
    """What is left of the limits. The clock runs from the start.

    ``cost`` holds only tokens that the provider counted; ``uncounted`` is the number of requests where it did not. The cost of
    a second opinion that was asked meanwhile is added to it.
    """

    limits: Limits
    requests: int = 0
    tool_calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    uncounted: int = 0
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = Deadline.after(self.limits.max_seconds)

    @property
    def calls_left(self) -> int:
        return max(0, self.limits.max_tool_calls - self.tool_calls)

    def count_reply(self, reply: ModelReply, sent_characters: int) -> str | None:
        """Count a request and its reply; tokens that the provider does not count are estimated, but never their cost.

        What that means for a limit of money is returned, in words, the first time it happens.
        """
        limits = self.limits
        self.requests += 1
        written = len(reply.text) + sum(len(call.arguments) for call in reply.tool_calls)
        sent = estimated_tokens(sent_characters) if reply.input_tokens is None else reply.input_tokens
        got = estimated_tokens(written) if reply.output_tokens is None else reply.output_tokens
        self.tokens += sent + got
        self.cost += self.cost_of(reply) or 0.0
        if reply.input_tokens is not None and reply.output_tokens is not None:
            return None
        self.uncounted += 1
        if self.uncounted > 1 or limits.max_cost is None or limits.price is None:
            return None
        return (
            f"no token counts came for request {self.requests}, so its cost is unknown: the limit of {amount(limits.max_cost)} "
            "in money holds for the tokens that are counted"
        )

    def cost_of(self, reply: ModelReply) -> float | None:
        """Return what a reply cost, as far as its provider counted; None where that is unknown."""
        return cost_of(self.limits.price, reply.input_tokens, reply.output_tokens)

    def cost_so_far(self) -> str | None:
        """Return what the requests cost, in words; None where no price is known."""
        if self.limits.price is None:
            return None
        if not self.uncounted:
            return f"cost so far {amount(self.cost)}"
        unknown = f"unknown for {self.uncounted} of {self.requests} requests"
        return f"cost so far {amount(self.cost)}, and {unknown}" if self.cost else f"cost so far {unknown}"

    def reached(self, next_characters: int) -> str | None:
        """Return which limit leaves room for nothing but the draft, in words; None while there is room to investigate."""
        limits, next_tokens = self.limits, estimated_tokens(next_characters)
        if self.requests >= limits.max_requests - 1:
            return f"{limits.max_requests} model requests"
        if self.tool_calls >= limits.max_tool_calls:
            return f"{limits.max_tool_calls} tool calls"
        if self.tokens + 2 * next_tokens > limits.max_tokens:
            return self._limit_of_tokens(next_tokens)
        if self._exceeds_cost(2 * next_tokens):
            return f"{amount(limits.max_cost or 0)} in money"
        if self.deadline.remaining_s < limits.max_seconds * _TIME_FOR_THE_DRAFT:
            return f"{limits.max_seconds:g} seconds"
        return None

    def spent(self, next_characters: int) -> str | None:
        """Return which limit forbids one more request, in words."""
        limits, next_tokens = self.limits, estimated_tokens(next_characters)
        if self.requests >= limits.max_requests:
            return f"{limits.max_requests} model requests"
        if self.tokens + next_tokens > limits.max_tokens:
            return self._limit_of_tokens(next_tokens)
        if self._exceeds_cost(next_tokens):
            return f"{amount(limits.max_cost or 0)} in money"
        if self.deadline.expired:
            return f"{limits.max_seconds:g} seconds"
        return None

    def _limit_of_tokens(self, next_tokens: int) -> str:
        """Return the limit in words; where most of it is left, also why that is too little."""
        limit = f"{self.limits.max_tokens:,} tokens"
        if 2 * self.tokens >= self.limits.max_tokens:
            return limit
        return f"{limit} ({self.tokens:,} are spent, and each further request sends about {next_tokens:,})"

    def _exceeds_cost(self, next_tokens: int) -> bool:
        limits = self.limits
        if limits.max_cost is None or limits.price is None:
            return False
        return self.cost + limits.price.of(next_tokens, 0) > limits.max_cost
