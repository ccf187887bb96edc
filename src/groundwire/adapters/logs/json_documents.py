"""Rewrites JSON that goes over several lines, or is one array, as JSON lines: pretty-printed records, exports.

Strings of JSON hold no newline, so that a stray quotation mark between the objects spoils one line at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from groundwire.adapters.logs.lines import LINE_LIMIT
from groundwire.adapters.logs.structured import parse_object

_TOKEN: Final = re.compile(rb"\"(?:[^\"\\\n]|\\[^\n])*(?:\"|\n|\\?\Z)|[{}]")
_STARTS: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*(?:\"|\})")
_WHOLE_SAMPLE: Final = 16 * 1024
_LONGEST: Final = LINE_LIMIT * 4


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonDocumentLayout:
    """Objects one after another, or in an array, over however many lines; what stands between them is kept as it is."""

    name: str = "JSON document"
    can_seek: bool = False

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a JSON line for each object, with as many empty lines behind it as keep the numbers of lines."""
        objects = _Objects()
        for chunk in chunks:
            yield b"".join(objects.feed(chunk))
        yield b"".join(objects.finish())


def find_json_document(head: bytes) -> JsonDocumentLayout | None:
    """Return the layout of a file that starts with an object or array which its first line does not finish."""
    starts = _STARTS.match(head)
    if starts is None:
        return None
    lines = [line.decode("utf-8", "replace") for line in head.split(b"\n") if line.strip()]
    if b"[" not in starts[0] and any(parse_object(line) is not None for line in lines[:-1] or lines):
        return None
    pieces = [piece for piece in b"".join(_Objects().feed(head)).split(b"\n") if piece]
    goes_on = not pieces and len(head) >= _WHOLE_SAMPLE
    is_read = any(parse_object(piece.decode("utf-8", "replace")) is not None for piece in pieces)
    return JsonDocumentLayout() if is_read or goes_on else None


class _Objects:
    """Splits bytes at the ends of outermost objects; what is too long for a record is cut."""

    def __init__(self) -> None:
        self._data = b""
        self._scanned = 0
        self._depth = 0
        self._lines_dropped = 0
        self._is_mid_line = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        data = self._data + chunk
        start = 0  # of the object, or of what stands before the next one
        at = self._scanned
        for token in _TOKEN.finditer(data, self._scanned):
            first = token[0][:1]
            if first == b'"':
                if token.end() == len(data) and (len(token[0]) < 2 or not token[0].endswith((b'"', b"\n"))):
                    at = token.start()  # it goes on in the next chunk
                    break
            elif first == b"{":
                if self._depth == 0:
                    yield self._between(data[start : token.start()])
                    start = token.start()
                self._depth += 1
            elif self._depth > 0:
                self._depth -= 1
                if self._depth == 0:
                    yield self._object(data[start : token.end()])
                    start = token.end()
            at = token.end()
        else:
            at = len(data)
        self._data, self._scanned = data[start:], at - start
        if len(self._data) > _LONGEST:
            yield from self._shorten()

    def finish(self) -> Iterator[bytes]:
        if self._data:
            yield self._between(self._data)

    def _shorten(self) -> Iterator[bytes]:
        if self._depth == 0:
            yield self._between(self._data)
            self._data, self._scanned = b"", 0
            return
        rest = self._data[_LONGEST:]
        self._lines_dropped += rest.count(b"\n", 0, max(self._scanned - _LONGEST, 0))
        self._data = self._data[:_LONGEST] + rest[max(self._scanned - _LONGEST, 0) :]
        self._scanned = min(self._scanned, _LONGEST)

    def _object(self, text: bytes) -> bytes:
        lines = text.count(b"\n") + self._lines_dropped
        self._lines_dropped = 0
        fields = parse_object(text.decode("utf-8", "backslashreplace"))
        whole = text.replace(b"\n", b" ") if fields is None else orjson.dumps(fields)
        self._is_mid_line = lines == 0
        return whole + b"\n" * lines

    def _between(self, text: bytes) -> bytes:
        kept = b"\n".join(line.strip(b" \t\r,[]") and line for line in text.split(b"\n"))
        begins_line = self._is_mid_line and not kept.startswith(b"\n")
        self._is_mid_line = False
        return b"\n" + kept if begins_line else kept
