"""Messages as Anthropic answers them.

Source:
    Anthropic API reference, "Messages", "Streaming messages" and "Errors".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.wire.pieces import in_pieces
from tests.wire.script import Call, Message

PATH = "/v1/messages"
_FINISH = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class AnthropicWire:
    """The protocol of one provider: what goes out for a message, an error, a list of models."""

    def key(self, headers: Mapping[str, str]) -> str:
        """Return the key of either header: newer SDKs send the key as a bearer token, older ones and curl as ``x-api-key``."""
        return headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")

    def whole(self, message: Message, request: Mapping[str, Any], new_id: Callable[[], str]) -> dict[str, Any]:
        """Return the answer of a request without ``stream``."""
        content: list[dict[str, Any]] = (
            [] if message.text is None else [{"type": "text", "text": message.text, "citations": None}]
        )
        content += [_tool_use(call, new_id) | {"input": _input(call)} for call in message.calls]
        return _head(request, new_id) | {"content": content, "usage": _usage(message)} | _stop(message)

    def events(self, message: Message, request: Mapping[str, Any], new_id: Callable[[], str]) -> Iterator[bytes]:
        """Yield the server-sent events of a request with ``stream``, a piece of text or arguments in each."""
        usage = _usage(message)
        begun: dict[str, Any] = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage | {"output_tokens": 1}}
        yield _event("message_start", message=_head(request, new_id) | begun)
        yield _event("ping")
        if message.text is not None:
            pieces = ({"type": "text_delta", "text": piece} for piece in in_pieces(message.text))
            yield from _block(0, {"type": "text", "text": ""}, pieces)
        for index, call in enumerate(message.calls, start=0 if message.text is None else 1):
            pieces = ({"type": "input_json_delta", "partial_json": piece} for piece in in_pieces(call.arguments_text))
            yield from _block(index, _tool_use(call, new_id) | {"input": {}}, pieces)
        yield _event("message_delta", delta=_stop(message), usage={"output_tokens": usage["output_tokens"]})
        yield _event("message_stop")

    def error(self, status: int, text: str, *, param: str | None = None) -> dict[str, Any]:
        where = "" if param is None else f"{param}: "
        said = {"type": _ERRORS.get(status, "api_error"), "message": where + text}
        return {"type": "error", "error": said, "request_id": "req_tests"}

    def error_event(self, status: int, text: str) -> bytes:
        return _event("error", **self.error(status, text))

    def models(self, names: tuple[str, ...]) -> dict[str, Any]:
        made = "2025-10-09T00:00:00Z"
        listed = [{"type": "model", "id": name, "display_name": name, "created_at": made} for name in names]
        return {"data": listed, "has_more": False, "first_id": names[0], "last_id": names[-1]}

    def complaint(self, request: Mapping[str, Any]) -> str | None:
        """Return what the real server would find wrong with the request, or None."""
        if "max_tokens" not in request:
            return "max_tokens: Field required"
        messages = request.get("messages") or []
        if not messages:
            return "messages: at least one message is required"
        return _unanswered(messages)


def _unanswered(messages: list[dict[str, Any]]) -> str | None:
    asked: set[str] = set()
    for index, message in enumerate(messages):
        blocks = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if stray := answered - asked:
            return f"messages.{index}: unexpected `tool_use_id` found in `tool_result` blocks: {', '.join(sorted(stray))}"
        if missing := asked - answered:
            return _without_result(index - 1, missing)
        uses = [block for block in blocks if block["type"] == "tool_use"]
        if any(not isinstance(block["input"], dict) for block in uses):
            return f"messages.{index}.content: tool_use.input: Input should be a valid dictionary"
        asked = {block["id"] for block in uses}
    return _without_result(len(messages) - 1, asked) if asked else None


def _without_result(index: int, ids: set[str]) -> str:
    return f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(sorted(ids))}"


def _block(index: int, start: Mapping[str, Any], deltas: Iterator[dict[str, str]]) -> Iterator[bytes]:
    yield _event("content_block_start", index=index, content_block=start)
    for delta in deltas:
        yield _event("content_block_delta", index=index, delta=delta)
    yield _event("content_block_stop", index=index)


def _head(request: Mapping[str, Any], new_id: Callable[[], str]) -> dict[str, Any]:
    return {"id": f"msg_{new_id()}", "type": "message", "role": "assistant", "model": request.get("model", "")}


def _tool_use(call: Call, new_id: Callable[[], str]) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id or f"toolu_{new_id()}", "name": call.name}


def _input(call: Call) -> object:
    """Return the arguments as a value; text that is no JSON stays text, as a gateway passes on what its model wrote."""
    try:
        return json.loads(call.arguments_text)
    except ValueError:
        return call.arguments_text


def _stop(message: Message) -> dict[str, Any]:
    stop: dict[str, Any] = {"stop_reason": _FINISH.get(message.finish, message.finish), "stop_sequence": None}
    if message.refusal is not None:
        stop["stop_details"] = {"type": "refusal", "category": None, "explanation": message.refusal}
    return stop


def _usage(message: Message) -> dict[str, int]:
    given, made = message.usage or (0, 0)
    return {"input_tokens": given, "output_tokens": made, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | fields)}\n\n".encode()
