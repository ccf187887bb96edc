"""What goes to a language model and what comes back: plain values, so that nobody but an adapter knows a provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class MessageRole(StrEnum):
    """Who a message is from. ``system`` stands first and once; ``tool`` answers one tool call."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that a model asked for. ``arguments`` is the text as the model wrote it: it need not be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMessage:
    """One message of the conversation; an assistant's may hold tool calls, a tool's names the call that it answers."""

    role: MessageRole
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOffer:
    """A tool that a model may call: its name, one paragraph on what it returns, and the JSON Schema of its parameters."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ModelFault(StrEnum):
    """Why a request brought no usable reply."""

    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    RATE_LIMITED = "rate_limited"
    REJECTED = "rejected"
    MALFORMED = "malformed"
    NOT_CONFIGURED = "not_configured"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a model answered, or (``fault``) why there is no answer, with the provider's own words in ``error_message``.

    ``finish_reason`` is one of ``stop``, ``length``, ``tool_call``, ``content_filter``, ``refusal``, ``unknown``: what was cut by
    its length limit is ``length``. Token counts are None where the provider gives none.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "unknown"
    model: str | None = None
    provider_name: str | None = None
    response_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    duration_ms: float = 0.0
    fault: ModelFault | None = None
    error_message: str | None = None
