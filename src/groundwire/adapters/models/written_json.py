"""JSON in a model's text, taken apart without rewriting it: what is passed on is what was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

_DECODER: Final = json.JSONDecoder()
_GAP: Final = re.compile(r"[\s,:]*")
_FENCE: Final = re.compile(r"```[\w-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_LINE_OF_OBJECT: Final = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)


def found_object(text: str) -> tuple[str, str, str] | None:
    """Return the text before a JSON object, the object, and the text behind it; None where there is no whole one.

    The object starts a line, or stands in the one block of code: inside a sentence it is quoted, and not said.
    """
    fences = list(_FENCE.finditer(text))
    if len(fences) == 1:
        (fence,) = fences
        found = found_object(fence[1])
        return (
            None
            if found is None
            else (_joined(text[: fence.start()], found[0]), found[1], _joined(found[2], text[fence.end() :]))
        )
    line = _LINE_OF_OBJECT.search(text) if not fences else None
    end = None if line is None else _end_of(text, line.end())
    if line is None or end is None:
        return None
    return text[: line.start()].strip(), text[line.end() : end], text[end:].strip()


def members(written: str) -> Iterator[tuple[str, str]]:
    """Yield the names and the written values of what is a JSON object; nothing for anything else."""
    at = _start_in(written, "{")
    while at is not None and written[at] != "}":
        name, end = _DECODER.raw_decode(written, at)
        begun = _past_gap(written, end)
        _, end = _DECODER.raw_decode(written, begun)
        yield name, written[begun:end]
        at = _past_gap(written, end)


def elements(written: str) -> list[str]:
    """Return the written values of what is a JSON list; none for anything else."""
    found = []
    at = _start_in(written, "[")
    while at is not None and written[at] != "]":
        _, end = _DECODER.raw_decode(written, at)
        found.append(written[at:end])
        at = _past_gap(written, end)
    return found


def _start_in(written: str, bracket: str) -> int | None:
    return _past_gap(written, 1) if written.startswith(bracket) and _end_of(written, 0) is not None else None


def _past_gap(written: str, at: int) -> int:
    gap = _GAP.match(written, at)
    return at if gap is None else gap.end()


def _end_of(text: str, start: int) -> int | None:
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _joined(*parts: str) -> str:
    return "\n".join(part.strip() for part in parts if part.strip())
