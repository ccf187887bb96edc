"""What a provider did wrong, as a `ModelFault` and in its own words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRequestTimeout,
    ModelTimeoutError,
    UserError,
)

from groundwire.domain.model import ModelFault

_DEEPEST_CAUSE: Final = 8
_REFUSALS_OF_TOOLS: Final = (400, 404, 422, 500, 501)
_TOOLS: Final = re.compile(r"\btools?\b|\btool_|\bfunction[ _-]?call", re.IGNORECASE)


def fault_of(exc: Exception) -> ModelFault:
    """Return the kind of fault; whatever is no refusal and no broken connection is an answer that cannot be read."""
    if isinstance(exc, TimeoutError | ModelRequestTimeout | ModelTimeoutError):
        return ModelFault.TIMEOUT
    if isinstance(exc, ModelHTTPError):
        return _of_status(exc.status_code)
    if isinstance(exc, ModelConnectionError):
        return ModelFault.UNAVAILABLE
    return ModelFault.REJECTED if isinstance(exc, UserError) else ModelFault.MALFORMED


def words_of(exc: Exception) -> str:
    """Return the provider's own words, or those of whatever came between."""
    if isinstance(exc, ModelHTTPError):
        words = _message(exc.body)
        return f"HTTP {exc.status_code}: {words}" if words else f"HTTP {exc.status_code}"
    if isinstance(exc, ModelConnectionError):
        return _first_cause(exc)
    if isinstance(exc, ModelAPIError | UserError):
        return exc.message
    return f"the answer is not of the provider's form: {type(exc).__name__}: {exc}"


def is_about_tools(exc: ModelHTTPError) -> bool:
    """Return whether a server says that it, or this model, takes no tools; the codes for it differ, the word does not."""
    return exc.status_code in _REFUSALS_OF_TOOLS and _TOOLS.search(words_of(exc)) is not None


def retry_after_s(exc: ModelHTTPError) -> float | None:
    """Return the seconds that a rate limit asks to wait for, when it says so in seconds."""
    given = (exc.headers or {}).get("retry-after", "")
    try:
        seconds = float(given)
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _of_status(status: int) -> ModelFault:
    if status == 429:
        return ModelFault.RATE_LIMITED
    if status == 408:
        return ModelFault.TIMEOUT
    return ModelFault.UNAVAILABLE if status >= 500 else ModelFault.REJECTED


def _message(body: object) -> str:
    """Return the message inside an error body: OpenAI's is the inner object, Anthropic's and most gateways' the outer one."""
    for name in ("error", "message", "detail"):
        if isinstance(body, Mapping) and body.get(name):
            body = body[name]
    if body is None or isinstance(body, str):
        return body or ""
    return json.dumps(_plain(body), ensure_ascii=False)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


def _first_cause(exc: BaseException) -> str:
    """Return the words of the innermost cause: the outer ones only say that the connection failed."""
    said = [str(exc)]
    cause: BaseException | None = exc
    for _ in range(_DEEPEST_CAUSE):
        cause = cause.__cause__ or cause.__context__ if cause is not None else None
        if cause is None:
            break
        said.append(str(cause) or type(cause).__name__)
    return f"cannot reach the model: {said[-1]}"
