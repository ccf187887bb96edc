r"""JSON as it is printed: readable, and safe on a terminal, for every character that would not be seen is written ``\uXXXX``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any

from groundwire.domain.times import format_instant
from groundwire.domain.visible import is_hidden


def json_text(value: Any, *, ascii_only: bool = False) -> str:
    """Return a value as JSON, indented, without a newline at the end; ``ascii_only`` is for streams that take no more."""
    text = json.dumps(plain(value), ensure_ascii=ascii_only, indent=2)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(_escaped(char) if is_hidden(char) and char != "\n" else char for char in text)


def plain(value: Any) -> Any:
    """Return a value of the domain as JSON knows it: instants in UTC with a ``Z``, what is not a number as null."""
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [plain(member) for member in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return format_instant(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _escaped(char: str) -> str:
    # Beyond the first 65,536 characters JSON takes a pair of surrogates, and a lone surrogate is escaped as itself.
    return json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"
