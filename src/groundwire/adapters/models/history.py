"""A conversation in the words of pydantic-ai, built anew for each request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from pydantic_ai.messages import (
    ModelMessage as WireMessage,
)
from pydantic_ai.messages import (
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from groundwire.domain.model import MessageRole, ModelMessage, ToolCall

Said: TypeAlias = tuple[str, tuple[ToolCall, ...]]
"""What is left of an answer in our own messages."""


def to_history(
    messages: Sequence[ModelMessage], *, added_instructions: str | None, originals: Mapping[Said, ModelResponse]
) -> list[WireMessage]:
    """Return the conversation; an answer that is among ``originals`` goes back whole, with the thinking that belongs to it.

    The system's text and ``added_instructions`` stand in the last request, from where they are sent first.
    """
    history: list[WireMessage] = []
    asked: list[ModelRequestPart] = []
    for message in messages:
        if message.role is MessageRole.SYSTEM:
            continue
        if message.role is not MessageRole.ASSISTANT:
            asked.append(_part(message))
            continue
        if not message.text and not message.tool_calls:
            continue
        if asked:
            history.append(ModelRequest(parts=asked))
            asked = []
        history.append(_with_text(originals.get((message.text, message.tool_calls)) or _response(message)))
    system = [message.text for message in messages if message.role is MessageRole.SYSTEM]
    instructions = "\n\n".join(text for text in (*system, added_instructions) if text)
    history.append(ModelRequest(parts=asked, instructions=instructions or None))
    return history


def _part(message: ModelMessage) -> ModelRequestPart:
    if message.role is MessageRole.TOOL:
        return ToolReturnPart(
            tool_name=message.tool_name or "", content=message.text, tool_call_id=message.tool_call_id or "", outcome="success"
        )
    return UserPromptPart(content=message.text)


def _response(message: ModelMessage) -> ModelResponse:
    text = [TextPart(content=message.text)] if message.text else []
    calls = [ToolCallPart(tool_name=call.name, args=call.arguments, tool_call_id=call.id) for call in message.tool_calls]
    return ModelResponse(parts=[*text, *calls])


def _with_text(response: ModelResponse) -> ModelResponse:
    """Return a response that has text, empty where it has none: left out, it is sent as null, which llama-cpp-python refuses."""
    if any(isinstance(part, TextPart) for part in response.parts):
        return response
    calls = [index for index, part in enumerate(response.parts) if isinstance(part, ToolCallPart)]
    # Thinking stays in front: providers that sign it want it first.
    first = calls[0] if calls else len(response.parts)
    return replace(response, parts=[*response.parts[:first], TextPart(content=""), *response.parts[first:]])
