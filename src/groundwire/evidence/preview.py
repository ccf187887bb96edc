"""Bounded previews of outputs, and reading JSON that was cut in the middle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

PREVIEW_LIMIT: Final = 4000
"""Characters of a preview."""


def make_preview(output: bytes) -> tuple[str, bool]:
    """Return the first 4,000 characters of an output and whether it was longer."""
    if len(output) <= PREVIEW_LIMIT:
        return output.decode(), False
    # Four bytes a character at most; a character cut at the end is left out.
    text = output[: PREVIEW_LIMIT * 4].decode(errors="ignore")
    return text[:PREVIEW_LIMIT], len(text) > PREVIEW_LIMIT or len(output) > PREVIEW_LIMIT * 4


def read_cut_json(text: str) -> Mapping[str, Any] | None:
    """Return as much of a JSON object as stands in ``text``, which may end anywhere; None when it is no JSON object at all.

    What was cut in the middle is kept as far as it was written: the last string may be shorter than it was.
    """
    from pydantic_core import from_json

    try:
        value = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None
