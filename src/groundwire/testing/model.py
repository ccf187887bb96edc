"""A language model whose replies are written down beforehand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.domain.deadline import Deadline
from groundwire.domain.model import ModelMessage, ModelReply, ToolOffer

Turn = ModelReply | Exception | Callable[[Sequence[ModelMessage]], ModelReply]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What a scripted model was sent."""

    messages: tuple[ModelMessage, ...]
    tools: tuple[ToolOffer, ...]
    schema: Mapping[str, Any] | None
    deadline: Deadline


class ScriptedModel:
    """A `LanguageModel` that gives its ``turns`` in turn: a reply, a function of the messages, or an exception to raise.

    The last turn is given again when they run out. ``requests`` holds what it was sent.
    """

    def __init__(self, *turns: Turn, name: str = "scripted:model") -> None:
        if not turns:
            raise ValueError("a scripted model needs a turn")
        self.name = name
        self.requests: list[ModelRequest] = []
        self._turns = turns
        self._lock = threading.Lock()

    def request(
        self,
        messages: Sequence[ModelMessage],
        *,
        tools: Sequence[ToolOffer],
        schema: Mapping[str, Any] | None,
        deadline: Deadline,
    ) -> ModelReply:
        """Return, raise or compute the next reply."""
        with self._lock:
            self.requests.append(ModelRequest(messages=tuple(messages), tools=tuple(tools), schema=schema, deadline=deadline))
            turn = self._turns[min(len(self.requests), len(self._turns)) - 1]
        if isinstance(turn, Exception):
            raise turn
        return turn(messages) if callable(turn) else turn
