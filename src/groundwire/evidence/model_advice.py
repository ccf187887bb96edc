"""What to do about a language model that gave no usable answer, computed from the steps of a session."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from groundwire.domain.model import ModelFault
from groundwire.domain.names import StepKind, StepRole
from groundwire.domain.session import AgentStep

_STATUS: Final = re.compile(r"HTTP (\d{3})\b")
_OF_STATUS: Final[Mapping[str, str]] = {
    "401": "Check the API key of {who}: its server refused it.",
    "403": "Check what the API key of {who} may do: its server refused the request.",
    "404": "Check the name and the URL of {who}: its server does not know one of them.",
}
_OF_FAULT: Final[Mapping[str, str]] = {
    ModelFault.TIMEOUT: "Ask again, or give {who} more time ({timeout}).",
    ModelFault.UNAVAILABLE: "Check the URL of {who}, and that its server runs and can be reached from here.",
    ModelFault.RATE_LIMITED: "Ask again later: the server of {who} limits its requests.",
    ModelFault.REJECTED: "Check the name of {who} and what its server takes: it refused the request.",
    ModelFault.MALFORMED: "Check the provider and the URL of {who}: what came is no answer of such a server.",
    ModelFault.NOT_CONFIGURED: "Check the settings of {who}.",
    ModelFault.INTERRUPTED: "Ask again: the request to {who} was stopped.",
}
_OF_FINISH: Final[Mapping[str, str]] = {
    "length": "Let {who} write longer replies (model_max_tokens), or ask about less.",
    "content_filter": "Take another model as {who}: a content filter withheld what it wrote.",
    "refusal": "Take another model as {who}: this one refuses.",
}
_SETTING_OF: Final[Mapping[str, str]] = {
    "model requests": "model_max_requests",
    "tool calls": "model_max_tool_calls",
    "tokens": "model_max_total_tokens",
    "in money": "model_max_cost",
    "seconds": "model_max_seconds",
}
_LIMIT: Final = re.compile(rf"\S+ ({'|'.join(_SETTING_OF)})\b")
_NO_DRAFT: Final = "Take another model: what this one wrote cannot be read as a draft."
_REPLAYED: Final = "Record again with --record, or replay over what the recording was made of: the requests differ."
_WITHOUT: Final = "To go on without a model, leave out --model: the built-in investigator needs none."


def model_advice(steps: Sequence[AgentStep], *, has_draft: bool = False) -> tuple[str, ...]:
    """Return what to do where the last request to a model brought nothing that can be used; empty where it brought an answer.

    ``has_draft`` says that there was a draft before it, as where a repair round failed.
    """
    investigator = _advice(_last(steps, StepRole.EXECUTOR), who="the model", timeout="model_timeout_s, model_max_seconds")
    found = [
        *(investigator or ((_NO_DRAFT, _WITHOUT) if any(map(_is_unreadable, steps)) else ())),
        *_advice(_last(steps, StepRole.VERIFIER), who="the judge", timeout="judge_timeout_s"),
    ]
    return tuple(dict.fromkeys(text for text in found if text != _WITHOUT or not has_draft))


def limit_advice(limit: str | None) -> tuple[str, ...]:
    """Return which setting holds the limit at which an investigation ended; empty where it ended at none."""
    match = None if limit is None else _LIMIT.match(limit)
    return () if match is None else (f"To look further, raise {_SETTING_OF[match[1]]}: the limit was {match[0]}.",)


def _is_unreadable(step: AgentStep) -> bool:
    """Return whether a step says that an investigation ended because of what a model wrote, and not at a limit."""
    return step.request_summary.startswith("ended without a draft") and "no usable draft" in step.request_summary


def _last(steps: Sequence[AgentStep], role: StepRole) -> AgentStep | None:
    asked = [step for step in steps if step.kind is StepKind.MODEL and step.role is role]
    return asked[-1] if asked else None


def _advice(step: AgentStep | None, *, who: str, timeout: str) -> Sequence[str]:
    if step is None:
        return ()
    if step.error_message and step.provider_name == "replay":
        return (_REPLAYED,)
    if step.error_message:
        fault, _, words = step.error_message.partition(": ")
        status = _STATUS.match(words)
        advice = _OF_STATUS.get(status[1] if status else "") or _OF_FAULT.get(fault)
    else:
        advice = _OF_FINISH.get(step.finish_reason or "")
    if advice is None:
        return ()
    said = advice.format(who=who, timeout=timeout)
    return (said, _WITHOUT) if step.role is StepRole.EXECUTOR else (said,)
