"""How much a model-driven investigation may spend, and what it has spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.deadline import Deadline
from groundwire.domain.model import ModelReply

_CHARACTERS_PER_TOKEN: Final = 4
_TIME_FOR_THE_DRAFT: Final = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that one investigation may take, its repair round included.

    Raises:
        ValueError: A limit is not above zero.
    """

    max_requests: int = 12
    max_tool_calls: int = 24
    max_tokens: int = 200_000
    max_seconds: float = 240

    def __post_init__(self) -> None:
        for name in ("max_requests", "max_tool_calls", "max_tokens", "max_seconds"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above zero, not {getattr(self, name)}")


def estimated_tokens(characters: int) -> int:
    """Return about how many tokens a text has, where its provider does not say."""
    return characters // _CHARACTERS_PER_TOKEN


@dataclass(slots=True)
class Budget:
    """What is left of the limits. The clock runs from the start."""

    limits: Limits
    requests: int = 0
    tool_calls: int = 0
    tokens: int = 0
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = Deadline.after(self.limits.max_seconds)

    @property
    def calls_left(self) -> int:
        return max(0, self.limits.max_tool_calls - self.tool_calls)

    def count_reply(self, reply: ModelReply, sent_characters: int) -> None:
        """Count a request and its reply; tokens that the provider does not count are estimated."""
        self.requests += 1
        written = len(reply.text) + sum(len(call.arguments) for call in reply.tool_calls)
        sent = estimated_tokens(sent_characters) if reply.input_tokens is None else reply.input_tokens
        got = estimated_tokens(written) if reply.output_tokens is None else reply.output_tokens
        self.tokens += sent + got

    def reached(self, next_characters: int) -> str | None:
        """Return which limit leaves room for nothing but the draft, in words; None while there is room to investigate."""
        limits, next_tokens = self.limits, estimated_tokens(next_characters)
        if self.requests >= limits.max_requests - 1:
            return f"{limits.max_requests} model requests"
        if self.tool_calls >= limits.max_tool_calls:
            return f"{limits.max_tool_calls} tool calls"
        if self.tokens + 2 * next_tokens > limits.max_tokens:
            return f"{limits.max_tokens:,} tokens"
        if self.deadline.remaining_s < limits.max_seconds * _TIME_FOR_THE_DRAFT:
            return f"{limits.max_seconds:g} seconds"
        return None

    def spent(self, next_characters: int) -> str | None:
        """Return which limit forbids one more request, in words."""
        limits = self.limits
        if self.requests >= limits.max_requests:
            return f"{limits.max_requests} model requests"
        if self.tokens + estimated_tokens(next_characters) > limits.max_tokens:
            return f"{limits.max_tokens:,} tokens"
        if self.deadline.expired:
            return f"{limits.max_seconds:g} seconds"
        return None
