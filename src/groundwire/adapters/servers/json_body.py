"""JSON as servers send it and people save it: read as far as it can be, and no further."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

_START: Final = 2_000
_REPLACEMENT: Final = "\ufffd"


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonBody:
    """A decoded answer; ``start`` keeps the first 2,000 characters of what it was decoded from."""

    value: Any
    start: str
    notes: tuple[str, ...] = ()


class NotJsonError(ValueError):
    """The bytes are no JSON; ``start`` is how they begin."""

    def __init__(self, reason: str, start: str) -> None:
        super().__init__(reason)
        self.start = start


def read_json(body: bytes) -> JsonBody:
    """Return the value of a JSON document in UTF-8, UTF-16 or UTF-32, with or without a byte order mark.

    A byte that is no text does not cost the rest of the answer: it becomes U+FFFD, and a note says so.

    Raises:
        NotJsonError: It is empty, or no JSON, or nested deeper than can be read.
    """
    encoding = json.detect_encoding(body)
    text = body.decode(encoding, errors="replace")
    start = text[:_START]
    if not text.strip():
        raise NotJsonError("it is empty", start)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as exc:
        raise NotJsonError(f"{exc.msg} at line {exc.lineno}, column {exc.colno}", start) from exc
    except RecursionError as exc:
        raise NotJsonError("it is nested too deeply", start) from exc
    except ValueError as exc:  # a whole number of thousands of digits
        raise NotJsonError(str(exc), start) from exc
    # The character may also have been sent as such: only a difference in bytes tells of a broken one.
    broken = _REPLACEMENT in text and text.count(_REPLACEMENT) > body.count(_REPLACEMENT.encode(encoding))
    return JsonBody(value=value, start=start, notes=("bytes that are no text are shown as U+FFFD",) if broken else ())


def kind_of(value: Any) -> str:
    """Return what a decoded value is, in the words of JSON, for messages about a wrong shape."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        keys = ", ".join(sorted(str(key)[:40] for key in value)[:6])
        return f"an object with {keys}" if keys else "an empty object"
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), type(value).__name__)
