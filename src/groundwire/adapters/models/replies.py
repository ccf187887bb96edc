"""A provider's answer as a `ModelReply`: raw arguments, the reason why it ended, tokens where they were counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from groundwire.adapters.models.secrecy import shown
from groundwire.domain.model import ModelReply, ToolCall

_FINISH: Final[Mapping[str | None, str]] = {
    "stop": "stop",
    "length": "length",
    "tool_call": "tool_call",
    "content_filter": "content_filter",
}


def to_reply(response: ModelResponse, *, provider_name: str, duration_ms: float, api_key: str | None) -> ModelReply:
    """Return what was answered. Of a refusal, ``error_message`` holds the model's own words."""
    details = response.provider_details or {}
    calls = tuple(_calls(response.tool_calls))
    counted = not response.usage.unmeasured_requests and bool(response.usage.input_tokens or response.usage.output_tokens)
    refusal = _refusal(details)
    return ModelReply(
        text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
        tool_calls=calls,
        finish_reason=_finish_reason(response, details, refused=refusal is not None, called=bool(calls)),
        model=response.model_name,
        provider_name=provider_name,
        response_id=response.provider_response_id,
        input_tokens=response.usage.input_tokens if counted else None,
        output_tokens=response.usage.output_tokens if counted else None,
        duration_ms=duration_ms,
        error_message=shown(refusal, api_key=api_key) if refusal else None,
    )


def holds_more_than(response: ModelResponse, reply: ModelReply) -> bool:
    """Return whether the provider wants more of its answer back than our messages keep, such as signed thinking."""
    others = any(not isinstance(part, TextPart | ToolCallPart) for part in response.parts)
    return others and [call.id for call in reply.tool_calls] == [call.tool_call_id for call in response.tool_calls]


def _calls(calls: Iterable[ToolCallPart]) -> Iterable[ToolCall]:
    """Yield the calls, each with an id of its own: some gateways number the calls of each answer alike."""
    taken: set[str] = set()
    for call in calls:
        call_id, again = call.tool_call_id, 1
        while call_id in taken:
            again += 1
            call_id = f"{call.tool_call_id}_{again}"
        taken.add(call_id)
        yield ToolCall(id=call_id, name=call.tool_name, arguments=_raw(call.args))


def _raw(args: str | dict[str, Any] | None) -> str:
    """Return the text that the model wrote, or of arguments that came as an object, their JSON; never an invented ``{}``."""
    if args is None or isinstance(args, str):
        return args or ""
    return json.dumps(args, ensure_ascii=False)


def _refusal(details: Mapping[str, Any]) -> str | None:
    """Return the words of a refusal, empty where it has none; None when nothing was refused."""
    if details.get("refusal"):
        return str(details["refusal"])
    return "" if details.get("finish_reason") == "refusal" else None


def _finish_reason(response: ModelResponse, details: Mapping[str, Any], *, refused: bool, called: bool) -> str:
    if refused:
        return "refusal"
    if not details.get("finish_reason"):
        return "unknown"  # pydantic-ai says ``stop`` where the provider said nothing
    reason = _FINISH.get(response.finish_reason, "unknown")
    return "tool_call" if called and reason == "stop" else reason
