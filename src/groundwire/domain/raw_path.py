"""Refs and raw paths: what a short name such as ``i2.logs.3`` names, and what stands there in a stored output."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

REF_KEYS: Final = {"logs": "logs", "alerts": "alerts", "series": "series", "blocks": "evidence_blocks"}
"""The word in a ref -> the key of the list in the output."""

_REF = re.compile(r"i(\d{1,9})(?:\.(?:(logs|alerts|series|blocks)\.(\d{1,9})|(summary)))?\Z")
_STEP = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,9})\]")


class ParsedRef(NamedTuple):
    """A ref taken apart: the call's ``seq`` and the ``raw_path`` in its output (``$`` for the whole call)."""

    seq: int
    raw_path: str


def parse_ref(ref_id: str) -> ParsedRef | None:
    """Return what a ref names, or None when it is not written like one (``i2``, ``i2.summary``, ``i2.logs.3``)."""
    match = _REF.match(ref_id.strip())
    if match is None:
        return None
    seq, name, index, summary = match.groups()
    if summary:
        return ParsedRef(int(seq), "$.summary")
    return ParsedRef(int(seq), "$" if name is None else f"$.{REF_KEYS[name]}[{int(index)}]")


def resolve(output: Any, raw_path: str) -> Any:
    """Return what stands at ``raw_path`` (``$.logs[3]``) of a decoded output.

    Raises:
        LookupError: Nothing stands there, or the path is not of this form.
    """
    if not raw_path.startswith("$"):
        raise LookupError(f"{raw_path!r} does not start with $")
    position, current = 1, output
    while position < len(raw_path):
        match = _STEP.match(raw_path, position)
        if match is None:
            raise LookupError(f"{raw_path!r} is not a path like $.logs[3]")
        key, index = match.groups()
        try:
            current = current[key] if key is not None else current[int(index)]
        except (KeyError, IndexError, TypeError) as exc:
            raise LookupError(f"nothing stands at {raw_path!r}") from exc
        position = match.end()
    return current
