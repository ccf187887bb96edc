"""Patterns of whole JSON lines that ripgrep understands, for counting lines without reading them.

A line that such a pattern takes is a whole record on its own. It is of one shape (:mod:`.shapes`), its time is written in one
form, and its message holds the word. The pattern may refuse lines of which all of that is true, never the other way round.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.logs.shapes import LONGEST_LINE, STRING, TIME_TEXT, Shape, shape_of, without_groups

_ISO: Final = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:([.,])(\d{1,6}))?(Z|[+-]\d\d:\d\d)")
_UNIT: Final = r'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt])*'
_ESCAPE: Final = re.compile(r"\\.")
_MESSAGE: Final = f"(?P<message>{STRING})"
_TIME: Final = f'"(?P<time>{TIME_TEXT})"'
_KELVIN: Final = "\N{KELVIN SIGN}"


@dataclass(frozen=True, slots=True)
class LineShape:
    """A shape and the form of its times: ``time_form`` is a pattern of fixed length."""

    shape: Shape
    time_form: str

    def with_word(self, forms: Sequence[str]) -> str:
        """Return a pattern for lines with one of the lower-case ASCII texts in their message; it has no anchors."""
        word = "|".join(map(_in_any_case, forms))
        pattern = self.shape.pattern.removesuffix(r"\n").replace(_MESSAGE, f'"{_UNIT}(?:{word}){_UNIT}"')
        pattern = without_groups(pattern.replace(_TIME, f'"{self.time_form}"'))
        pattern = pattern.replace("*+", "*").replace("++", "+").replace(r"\ ", " ")
        return rf"\x00*{pattern}\r*"  # as lines are read: zeros in front, and what is left of a line end

    def takes(self, line: str, forms: Sequence[str]) -> bool:
        """Return whether the pattern with one of the texts takes a line, without its line end."""
        match = re.fullmatch(self.shape.pattern, f"{line}\n") if len(line) <= LONGEST_LINE else None
        if match is None or re.fullmatch(self.time_form, match["time"]) is None:
            return False
        message = _ESCAPE.sub("\0", match["message"]).lower().replace("i\N{COMBINING DOT ABOVE}", "\0")
        return any(form in message for form in forms)

    @property
    def columns(self) -> re.Pattern[bytes]:
        """A pattern for such lines behind a NUL: its groups are the time and what decides on level and service."""
        wanted = r"time|key\d+"
        return re.compile(b"\0" + without_groups(self.shape.up_to_last(wanted), but=wanted).encode())

    @property
    def time_column(self) -> int:
        names = re.findall(r"\(\?P<(time|key\d+)>", self.shape.pattern)
        return names.index("time")


def line_shape(lines: Sequence[str]) -> LineShape | None:
    """Return the shape of most lines of a sample of JSON lines; None where they have none, or no ISO time in a zone."""
    seen: Counter[LineShape] = Counter()
    for line in lines:
        shape = shape_of(line, "json")
        match = None if shape is None or shape.is_epoch else re.fullmatch(shape.pattern, f"{line}\n")
        if shape is None or match is None or _MESSAGE not in shape.pattern or _TIME not in shape.pattern:
            continue
        iso = _ISO.fullmatch(match["time"])
        if iso is not None:
            fraction = "" if iso[2] is None else f"{re.escape(iso[2])}[0-9]{{{len(iso[3])}}}"
            seen[LineShape(shape, re.sub(r"\d", "[0-9]", iso[1]) + fraction + re.escape(iso[4]))] += 1
    return seen.most_common(1)[0][0] if seen else None


def _in_any_case(text: str) -> str:
    return "".join(
        f"[{letter}{letter.upper()}{_KELVIN if letter == 'k' else ''}]"
        if letter.isalpha()
        else re.escape(letter).replace(r"\ ", " ")
        for letter in text
    )
