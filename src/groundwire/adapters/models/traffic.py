"""What a recording holds: one JSON object a line, first a head, then a request with who asked it and its reply each.

The random marks of a conversation stand in it as fixed ones, so that the same conversation is the same text on another day.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any, Final, NamedTuple

from groundwire.domain.masking import clean_value, mask_value
from groundwire.domain.model import ModelFault, ModelMessage, ModelReply, ToolCall, ToolOffer

FORMAT: Final = "groundwire-model-traffic"
VERSION: Final = 2
READABLE: Final = (1, VERSION)
"""Version 1 does not say who asked, for it holds nothing of a judge."""

_DESCRIBED: Final = re.compile(r"</data-(?P<token>[0-9a-f]{16})>, with (?P<marker>.) in place of its spaces")
_FIXED_TOKEN: Final = "0" * 16
_FIXED_MARKER: Final = "␣"


class Asker(StrEnum):
    """For whom a model was asked."""

    INVESTIGATOR = "investigator"
    JUDGE = "judge"


class Marks(NamedTuple):
    """The marks of one conversation, or the fixed ones where it has none."""

    token: str
    marker: str

    @classmethod
    def of(cls, messages: Sequence[ModelMessage]) -> Marks:
        """Return the marks that the conversation describes to the model."""
        for message in messages:
            if found := _DESCRIBED.search(message.text):
                return cls(found["token"], found["marker"])
        return cls(_FIXED_TOKEN, _FIXED_MARKER)

    def fixed(self, text: str) -> str:
        return text.replace(self.token, _FIXED_TOKEN).replace(self.marker, _FIXED_MARKER)

    def restored(self, text: str) -> str:
        return text.replace(_FIXED_TOKEN, self.token).replace(_FIXED_MARKER, self.marker)


def head_line(models: Mapping[Asker, str]) -> str:
    """Return the first line, which says what the file is and which models answered; None where there was none."""
    names = {"model": models.get(Asker.INVESTIGATOR), "judge": models.get(Asker.JUDGE)}
    return _line({"format": FORMAT, "version": VERSION, **names})


def names_in(head: Mapping[str, Any]) -> dict[Asker, str]:
    """Return the models that a head names.

    Raises:
        TypeError, KeyError, ValueError: It is no head that this version reads.
    """
    if head["format"] != FORMAT or head["version"] not in READABLE:
        raise ValueError("not a head that this version reads")
    names = {Asker.INVESTIGATOR: head["model"], Asker.JUDGE: head.get("judge")}
    if not all(name is None or isinstance(name, str) for name in names.values()):
        raise TypeError("the name of a model is a text")
    return {asker: name for asker, name in names.items() if name is not None}


def request_to_json(
    messages: Sequence[ModelMessage], tools: Sequence[ToolOffer], schema: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a request as it is recorded and compared: masked, with fixed marks."""
    marks = Marks.of(messages)
    request: dict[str, Any] = {
        "messages": [_message_to_json(message, marks) for message in messages],
        "tools": [asdict(tool) | {"parameters": dict(tool.parameters)} for tool in tools],
        "schema": None if schema is None else dict(schema),
    }
    masked: dict[str, Any] = mask_value(clean_value(request))
    return masked


def pair_line(asker: Asker, request: Mapping[str, Any], reply: ModelReply, marks: Marks) -> str:
    """Return the line of one request and its reply."""
    said = asdict(reply) | {
        "text": marks.fixed(reply.text),
        "tool_calls": [_call_to_json(call, marks) for call in reply.tool_calls],
    }
    pair = {"sha256": digest(request), "request": request, "reply": mask_value(clean_value(said))}
    return _line({"asked_by": asker.value, **pair})


def asker_of(pair: Mapping[str, Any]) -> Asker:
    """Return who asked the request of a line.

    Raises:
        ValueError: It says something else.
    """
    return Asker(pair.get("asked_by", Asker.INVESTIGATOR))


def digest(request: Mapping[str, Any]) -> str:
    """Return the hash that a request is known by."""
    return hashlib.sha256(json.dumps(request, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def reply_from_json(item: Mapping[str, Any], marks: Marks) -> ModelReply:
    """Return a recorded reply with the marks of the conversation that it goes into.

    Raises:
        TypeError, KeyError, ValueError: It is no reply of ours.
    """
    calls = tuple(
        ToolCall(id=call["id"], name=call["name"], arguments=marks.restored(call["arguments"])) for call in item["tool_calls"]
    )
    fault = None if item["fault"] is None else ModelFault(item["fault"])
    return ModelReply(**{**item, "text": marks.restored(item["text"]), "tool_calls": calls, "fault": fault})


def first_difference(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Return in words where a request differs from the recorded one."""
    ours, theirs = asked["messages"], recorded["messages"]
    for index, (our, their) in enumerate(zip(ours, theirs, strict=False), start=1):
        if our != their:
            return f"message {index}, of the {our['role']}, is not the recorded one"
    if len(ours) != len(theirs):
        return f"it has {len(ours)} messages and the recorded one {len(theirs)}"
    return "its tools are not the recorded ones" if asked["tools"] != recorded["tools"] else "its schema is not the recorded one"


def _message_to_json(message: ModelMessage, marks: Marks) -> dict[str, Any]:
    return asdict(message) | {
        "role": message.role.value,
        "text": marks.fixed(message.text),
        "tool_calls": [_call_to_json(call, marks) for call in message.tool_calls],
    }


def _call_to_json(call: ToolCall, marks: Marks) -> dict[str, str]:
    return {"id": call.id, "name": call.name, "arguments": marks.fixed(call.arguments)}


def _line(item: Mapping[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False) + "\n"
