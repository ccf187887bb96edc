"""Chat completions as OpenAI answers them.

Source:
    OpenAI API reference, "Chat completions" and "Streaming events"; the messages of refusals as api.openai.com words them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.wire.pieces import in_pieces
from tests.wire.script import Call, Message

PATH = "/v1/chat/completions"
_CREATED = 1_760_000_000
_FINISH = {"refusal": "stop"}
_ERRORS: dict[int, tuple[str, str | None]] = {
    400: ("invalid_request_error", None),
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}


class OpenAIWire:
    """The protocol of one provider: what goes out for a message, an error, a list of models."""

    def key(self, headers: Mapping[str, str]) -> str:
        return headers.get("authorization", "").removeprefix("Bearer ")

    def whole(self, message: Message, request: Mapping[str, Any], new_id: Callable[[], str]) -> dict[str, Any]:
        """Return the answer of a request without ``stream``."""
        said: dict[str, Any] = {"role": "assistant", "content": message.text, "refusal": message.refusal}
        if message.calls:
            said["tool_calls"] = [_call(call, new_id) for call in message.calls]
        choice = {"index": 0, "message": said, "logprobs": None, "finish_reason": _finish(message)}
        answer = _head(request, new_id, "chat.completion") | {"choices": [choice]}
        return answer if message.usage is None else answer | {"usage": _usage(message.usage)}

    def events(self, message: Message, request: Mapping[str, Any], new_id: Callable[[], str]) -> Iterator[bytes]:
        """Yield the server-sent events of a request with ``stream``, a piece of text or arguments in each."""
        head = _head(request, new_id, "chat.completion.chunk")
        wants_usage = bool((request.get("stream_options") or {}).get("include_usage"))
        last = {"usage": None} if wants_usage else {}
        for delta in _deltas(message, new_id):
            yield _event(head | {"choices": [_choice(delta)]} | last)
        yield _event(head | {"choices": [_choice({}, _finish(message))]} | last)
        if wants_usage and message.usage is not None:
            yield _event(head | {"choices": [], "usage": _usage(message.usage)})
        yield b"data: [DONE]\n\n"

    def error(self, status: int, text: str, *, param: str | None = None) -> dict[str, Any]:
        kind, code = _ERRORS.get(status, ("server_error", None))
        return {"error": {"message": text, "type": kind, "param": param, "code": code}}

    def error_event(self, status: int, text: str) -> bytes:
        return _event(self.error(status, text))

    def models(self, names: tuple[str, ...]) -> dict[str, Any]:
        listed = [{"id": name, "object": "model", "created": _CREATED, "owned_by": "tests"} for name in names]
        return {"object": "list", "data": listed}

    def complaint(self, request: Mapping[str, Any]) -> str | None:
        """Return what the real server would find wrong with the request, or None."""
        messages = request.get("messages") or []
        if not messages:
            return "[] is too short - 'messages'"
        kind = (request.get("response_format") or {}).get("type")
        if kind == "json_object" and "json" not in json.dumps(messages).lower():
            return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        return _unanswered(messages)


def _unanswered(messages: list[dict[str, Any]]) -> str | None:
    open_ids: list[str] = []
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in open_ids:
                return (
                    f"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with"
                    f" 'tool_calls'. (messages[{index}])"
                )
            open_ids.remove(message["tool_call_id"])
            continue
        if open_ids:
            break
        open_ids = [call["id"] for call in message.get("tool_calls") or []]
    if not open_ids:
        return None
    return (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The"
        f" following tool_call_ids did not have response messages: {', '.join(open_ids)}"
    )


def _deltas(message: Message, new_id: Callable[[], str]) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": "" if message.text is not None else None, "refusal": None}
    for piece in in_pieces(message.text):
        yield {"content": piece}
    for piece in in_pieces(message.refusal):
        yield {"refusal": piece}
    for index, call in enumerate(message.calls):
        made = _call(call, new_id)
        yield {"tool_calls": [{"index": index} | made | {"function": {"name": call.name, "arguments": ""}}]}
        for piece in in_pieces(call.arguments_text):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _call(call: Call, new_id: Callable[[], str]) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments_text}
    return {"id": call.id or f"call_{new_id()}", "type": "function", "function": function}


def _head(request: Mapping[str, Any], new_id: Callable[[], str], kind: str) -> dict[str, Any]:
    model = request.get("model", "")
    return {"id": f"chatcmpl-{new_id()}", "object": kind, "created": _CREATED, "model": model, "system_fingerprint": None}


def _choice(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _finish(message: Message) -> str:
    return _FINISH.get(message.finish, message.finish)


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}


def _event(value: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"
