"""The conversation with a model, and how it is kept short: texts of older results are dropped, never refs, counts or statuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.marking import Marking
from groundwire.domain.model import MessageRole, ModelMessage, ToolCall
from groundwire.investigators.results import ShownResult

_REF: Final = re.compile(r"\bi\d{1,9}\.(?:logs|alerts|series|blocks)\.\d{1,9}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The result of one tool call, and the message that tells it while there is room."""

    call: ToolCall
    result: ShownResult
    message: ModelMessage


def told(call: ToolCall, result: ShownResult, marking: Marking, room: int = 0) -> Told:
    """Return a result as it is told, with ``room`` for the texts of its items."""
    return Told(call=call, result=result, message=_told_in(call, result, marking, room, frozenset()))


def _told_in(call: ToolCall, result: ShownResult, marking: Marking, room: int, keep: frozenset[str]) -> ModelMessage:
    text = result.text(marking, room=room, keep=keep)
    return ModelMessage(role=MessageRole.TOOL, text=text, tool_call_id=call.id, tool_name=call.name)


Entry = ModelMessage | Told


def size_of(messages: Sequence[ModelMessage]) -> int:
    """Return the number of characters that are sent."""
    return sum(len(message.text) + sum(len(call.arguments) for call in message.tool_calls) for message in messages)


def messages_of(entries: Sequence[Entry], marking: Marking, *, most: int) -> tuple[ModelMessage, ...]:
    """Return the messages to send: whole while they fit, else with the texts of the oldest results dropped until they do.

    Items that the model itself has cited lose their texts last; the results of the latest turn keep them.
    """
    latest = max((i for i, entry in enumerate(entries) if _is_assistant(entry)), default=-1)
    cited = frozenset(ref for entry in entries if _is_assistant(entry) for ref in _refs_in(entry))
    messages = [entry.message if isinstance(entry, Told) else entry for entry in entries]
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


def _shortened(entry: Told, marking: Marking, cited: frozenset[str]) -> ModelMessage:
    kept = [item for item in entry.result.items if item.ref_id in cited]
    room = sum(len(item.ref_id) + len(item.text) + 2 for item in kept)
    return _told_in(entry.call, entry.result, marking, room, cited)


def _is_assistant(entry: Entry) -> bool:
    return isinstance(entry, ModelMessage) and entry.role is MessageRole.ASSISTANT


def _refs_in(entry: Entry) -> list[str]:
    if isinstance(entry, Told):
        return []
    return _REF.findall(" ".join((entry.text, *(call.arguments for call in entry.tool_calls))))
