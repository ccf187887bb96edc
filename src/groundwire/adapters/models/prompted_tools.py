"""Tools for a server that has none: calls are asked for as JSON in text, and results go back as messages of the user."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from groundwire.adapters.models.written_json import elements, found_object, members
from groundwire.domain.model import MessageRole, ModelMessage, ModelReply, ToolCall, ToolOffer
from groundwire.domain.names import new_id

_ROLES: Final[Mapping[MessageRole, MessageRole]] = {MessageRole.TOOL: MessageRole.USER}
_MOST_CALLS: Final = 8
"""Of one reply: small models whose output is held to a schema write on until something bounds them."""

_WORDS: Final = """\
How to call a tool
Answer with one JSON object and nothing else: no prose before or after it, no code fence.
{{"calls": [{{"tool": "NAME", "arguments": {{}}}}]}}
Calls that do not depend on each other may stand in one list. Their results come in the next message, in the order of the calls; a
program writes it, not the user. Never write a result yourself. These are the tools, each with the JSON Schema of its arguments:
{tools}"""


def tools_in_words(tools: Sequence[ToolOffer]) -> str:
    """Return what the system's text says of the tools and of the way to call them."""
    described = (f"\n{tool.name}: {tool.description}\n{_compact(tool.parameters)}" for tool in tools)
    return _WORDS.format(tools="\n".join(described))


def calls_schema(tools: Sequence[ToolOffer]) -> dict[str, Any]:
    """Return the JSON Schema of a reply that calls some of ``tools``; a tool that is offered alone is called once."""
    calls = [_object({"tool": {"type": "string", "enum": [tool.name]}, "arguments": dict(tool.parameters)}) for tool in tools]
    items, most = ({"anyOf": calls}, _MOST_CALLS) if len(calls) > 1 else (calls[0], 1)
    return _object({"calls": {"type": "array", "items": items, "minItems": 1, "maxItems": most}})


def as_text(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Return a conversation without tools: calls are the assistant's own text, results stand in the message that follows.

    What is said to the model in a row is one message, since the templates of many small models want the roles to alternate.
    """
    told: list[ModelMessage] = []
    for role, said in groupby(messages, key=lambda message: _ROLES.get(message.role, message.role)):
        if role is MessageRole.USER:
            told.append(ModelMessage(role=role, text="\n\n".join(_told(list(said)))))
        else:
            told += [replace(message, text=_written(message), tool_calls=()) for message in said]
    return told


def with_calls(reply: ModelReply) -> ModelReply:
    """Return the reply with the calls that its text holds, their arguments as they were written.

    Text that holds no readable call stays text, for whoever asked to refuse. A call that names no tool is one of a tool that
    does not exist, and what has no arguments has empty ones: neither is filled in.
    """
    found = found_object(reply.text)
    if found is None:
        return reply
    before, written, after = found
    beside = dict(members(written))
    if {"tool", "arguments"} <= beside.keys():
        asked = [_object_of({name: beside.pop(name) for name in ("tool", "arguments")})]
    else:
        asked = elements(beside.pop("calls", ""))
    if not asked:
        return reply
    return replace(
        reply,
        text="\n".join(part for part in (before, _object_of(beside) if beside else "", after) if part),
        tool_calls=tuple(_call(item) for item in asked),
        finish_reason="tool_call" if reply.finish_reason == "stop" else reply.finish_reason,
    )


def _told(messages: Sequence[ModelMessage]) -> Iterator[str]:
    number = 0
    for message in messages:
        if message.role is MessageRole.TOOL:
            number += 1
            yield f"Result of call {number}:\n{message.text}"
        else:
            yield message.text


def _written(message: ModelMessage) -> str:
    if not message.tool_calls:
        return message.text
    calls = ", ".join(_object_of({"tool": json.dumps(call.name), "arguments": _arguments(call)}) for call in message.tool_calls)
    return "\n".join(part for part in (message.text, _object_of({"calls": f"[{calls}]"})) if part)


def _object_of(written: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in written.items()) + "}"


def _arguments(call: ToolCall) -> str:
    """Return arguments as they were written; what is no JSON stands as a text, so that the JSON around it stays whole."""
    try:
        json.loads(call.arguments)
    except (ValueError, RecursionError):
        return json.dumps(call.arguments)
    return call.arguments


def _call(written: str) -> ToolCall:
    parts = dict(members(written))
    name = _text_of(parts.get("tool", ""))
    arguments = parts.get("arguments", "") if parts else written
    # Arguments as a text of JSON are OpenAI's own form of them.
    text = _text_of(arguments)
    return ToolCall(id=f"call_{new_id()}", name=name or "", arguments=arguments if text is None else text)


def _text_of(written: str) -> str | None:
    """Return the text that a JSON string is; None for anything else."""
    value = json.loads(written) if written.startswith('"') else None
    return value if isinstance(value, str) else None


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False}


def _compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
