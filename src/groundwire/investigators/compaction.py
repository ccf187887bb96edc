"""The conversation with a model, and how it is kept short: texts of older results are dropped, never refs, counts or statuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.marking import Marking
from groundwire.domain.model import MessageRole, ModelMessage, ToolCall
from groundwire.investigators.results import ShownResult

MOST_CHARACTERS: Final = 80_000
"""Of a whole conversation: above it, older results lose their texts."""

_REF: Final = re.compile(r"\bi\d{1,9}\.(?:logs|alerts|series|blocks)\.\d{1,9}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The result of one tool call, as it was told: ``room`` is for the texts of its items."""

    call: ToolCall
    result: ShownResult
    room: int

    def message(self, marking: Marking, room: int, keep: frozenset[str]) -> ModelMessage:
        text = self.result.text(marking, room=min(room, self.room), keep=keep)
        return ModelMessage(role=MessageRole.TOOL, text=text, tool_call_id=self.call.id, tool_name=self.call.name)


Entry = ModelMessage | Told


def size_of(messages: Sequence[ModelMessage]) -> int:
    """Return the number of characters that are sent."""
    return sum(len(message.text) + sum(len(call.arguments) for call in message.tool_calls) for message in messages)


def messages_of(entries: Sequence[Entry], marking: Marking, *, most: int = MOST_CHARACTERS) -> tuple[ModelMessage, ...]:
    """Return the messages to send: whole while they fit, else with the texts of the oldest results dropped until they do.

    Items that the model itself has cited lose their texts last; the results of the latest turn keep them.
    """
    latest = max((i for i, entry in enumerate(entries) if _is_assistant(entry)), default=-1)
    cited = frozenset(ref for entry in entries if _is_assistant(entry) for ref in _refs_in(entry))
    messages = [_message(entry, marking) for entry in entries]
    excess = size_of(messages) - most
    for only_cited in (True, False):
        for index, entry in enumerate(entries):
            if excess <= 0:
                return tuple(messages)
            if isinstance(entry, Told) and index < latest:
                shorter = _shortened(entry, marking, cited if only_cited else frozenset())
                excess -= len(messages[index].text) - len(shorter.text)
                messages[index] = shorter
    return tuple(messages)


def _message(entry: Entry, marking: Marking) -> ModelMessage:
    return entry.message(marking, entry.room, frozenset()) if isinstance(entry, Told) else entry


def _shortened(told: Told, marking: Marking, cited: frozenset[str]) -> ModelMessage:
    kept = [item for item in told.result.items if item.ref_id in cited]
    room = sum(len(item.ref_id) + len(item.text) + 2 for item in kept)
    return told.message(marking, room, cited)


def _is_assistant(entry: Entry) -> bool:
    return isinstance(entry, ModelMessage) and entry.role is MessageRole.ASSISTANT


def _refs_in(entry: Entry) -> list[str]:
    if isinstance(entry, Told):
        return []
    return _REF.findall(" ".join((entry.text, *(call.arguments for call in entry.tool_calls))))
