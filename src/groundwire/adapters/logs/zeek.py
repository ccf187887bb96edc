"""Rewrites the logs of Zeek (once Bro), columns between tabs under a head of directives, as JSON lines.

Source:
    Zeek "Log Formats and Inspection": ``#separator``, ``#fields``, ``#unset_field``, ``#empty_field``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from groundwire.adapters.logs.lines import LINE_LIMIT

_HEAD: Final = b"#separator \\x09"
_FIELDS: Final = b"#fields\t"
_NOTHING: Final = frozenset({"-", "(empty)", ""})
# Of the traffic, not of who writes the log.
_RENAMED: Final = {"service": "protocol", "host": "http_host", "msg": "message"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeekLayout:
    """Values by the names of the last ``#fields`` line; ``columns`` are those of the first."""

    columns: tuple[str, ...]
    name: str = "Zeek"
    can_seek: bool = True

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a JSON line for each record, and an empty one for each directive."""
        columns: Sequence[str] = self.columns
        carry = b""
        for chunk in chunks:
            *lines, carry = (carry + chunk).split(b"\n")
            carry = carry[: LINE_LIMIT * 4]
            rewritten = []
            for line in lines:
                columns = _columns(line) or columns
                rewritten.append(b"" if line.startswith(b"#") else _json(line, columns))
            yield b"".join(line + b"\n" for line in rewritten)
        if carry:
            yield b"" if carry.startswith(b"#") else _json(carry, columns) + b"\n"


def find_zeek(head: bytes) -> ZeekLayout | None:
    """Return the layout of a file that starts as Zeek's logs do; None for one that does not."""
    if not head.startswith(_HEAD):
        return None
    columns = next((columns for line in head.split(b"\n")[:20] if (columns := _columns(line))), None)
    return None if columns is None or "ts" not in columns else ZeekLayout(columns=tuple(columns))


def _columns(line: bytes) -> list[str]:
    return line.decode("utf-8", "backslashreplace").rstrip("\r").split("\t")[1:] if line.startswith(_FIELDS) else []


def _json(line: bytes, columns: Sequence[str]) -> bytes:
    values = line.decode("utf-8", "backslashreplace").rstrip("\r").split("\t")
    if len(values) != len(columns):
        return line  # its own time is found, its fields are not
    named = {_RENAMED.get(name, name): value for name, value in zip(columns, values, strict=True) if value not in _NOTHING}
    said = " ".join(value for name, value in zip(columns, values, strict=True) if name != "ts")
    return orjson.dumps({"message": said} | named)
