"""What a server says in an error answer, in its own words and on one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from groundwire.adapters.servers.json_body import NotJsonError, read_json

_LONGEST: Final = 500


def server_words(body: bytes) -> str:
    """Return the message of an error answer, at most 500 characters; empty when it says nothing.

    Prometheus sends ``{"errorType", "error"}``, Alertmanager a bare JSON string, Elasticsearch and OpenSearch ``{"error"}`` with
    causes in it, gateways ``{"message"}``, text or HTML.
    """
    try:
        said = _message(read_json(body).value)
    except NotJsonError:
        said = _text(body.decode("utf-8", errors="replace"))
    return one_line(said)


def error_message(answer: Mapping[str, Any]) -> str:
    """Return ``errorType: error`` of a Prometheus error answer, whichever of the two there is."""
    return ": ".join(str(answer[key]) for key in ("errorType", "error") if answer.get(key))


def elastic_reason(error: Any, *, depth: int = 4) -> str:
    """Return ``type: reason`` of an error of Elasticsearch or OpenSearch, and in brackets what caused it where that says more."""
    if not isinstance(error, Mapping):
        return "" if error is None else str(error)
    said = ": ".join(str(error[key]) for key in ("type", "reason") if error.get(key))
    roots = error.get("root_cause")
    causes = [*(roots if isinstance(roots, list) else ()), error.get("caused_by")]
    below = [elastic_reason(cause, depth=depth - 1) for cause in causes if depth and isinstance(cause, Mapping)]
    more = "; ".join(reason for reason in dict.fromkeys(below) if reason and reason not in said)
    return f"{said} ({more})" if more else said


def one_line(text: str) -> str:
    """Return ``text`` with white space folded, cut to 500 characters."""
    folded = " ".join(text[: _LONGEST * 4].split())
    return folded if len(folded) <= _LONGEST else folded[: _LONGEST - 1] + "…"


def text_list(value: Any) -> tuple[str, ...]:
    """Return the texts of a list such as ``warnings``, each on one line; nothing when it is no list."""
    return tuple(one_line(str(item)) for item in value) if isinstance(value, list) else ()


def _message(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        if isinstance(value.get("error"), dict):
            return elastic_reason(value["error"])
        message = error_message(value) or value.get("message") or value.get("msg")
        if message:
            return str(message)
    return "" if value is None else str(value)


def _text(text: str) -> str:
    if not text.lstrip().startswith("<"):
        return text
    # A page of HTML: its title says as much as an error page ever does.
    lowered = text.lower()
    start = lowered.find("<title>")
    end = lowered.find("</title>", start)
    return text[start + len("<title>") : end] if 0 <= start < end else text
