"""Reads a file as blocks of decoded lines: in pieces, so that neither its size nor the length of a line fills the memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

LINE_LIMIT: Final = 256 * 1024
"""Characters of one line that are kept."""

BLOCK: Final = 1 << 20
"""Bytes that are read at once."""

# Control characters but for those of layout and of terminal colours.
_NEVER_IN_TEXT: Final = bytes((*range(7), *range(14, 27), *range(28, 32), 127))
_HOLE: Final = re.compile(rb"\A\0+|\0{16,}|\0+\Z")
_WORD: Final = re.compile(rb"[A-Za-z\x80-\xff]+")
# Letters of Western Europe, one of them ASCII; a sign such as that of degrees; or a letter that is a word. Else it is damage.
_LATIN1_WORD: Final = re.compile(
    rb"[A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\xfd]*[A-Za-z][A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\xfd]*|[\xa3\xa7\xab\xb0\xb5\xbb][A-Za-z]?|[\xc0\xe0\xe8\xe9\xf3]"
)
_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(slots=True)
class LineBlock:
    """Some lines in a row. ``cut`` holds the indexes of lines that were longer than :data:`LINE_LIMIT`."""

    lines: list[str]
    cut: frozenset[int]


def is_utf16(start: bytes) -> bool:
    """Return whether a file that starts so is UTF-16; without its byte order mark it is not told from binary."""
    return start[:2] in _UTF16


def is_binary(sample: bytes) -> bool:
    """Return whether a sample is no text.

    Zeros alone do not say so: a log that was truncated while open starts with them, and one that was open when the power failed
    has them where it was written last.
    """
    if is_utf16(sample):
        return False
    text = _HOLE.sub(b"", sample) if b"\0" in sample else sample
    return (len(text) - len(text.translate(None, _NEVER_IN_TEXT))) * 20 > len(text)


def plain_chunks(handle: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes from ``start`` up to ``end``, or up to where the file ends by now."""
    handle.seek(start)
    left = end - start
    while left > 0:
        chunk = handle.read(min(BLOCK, left))
        if not chunk:
            return
        left -= len(chunk)
        yield chunk


def as_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield UTF-16 chunks with a byte order mark as UTF-8; any other chunks as they are, without a mark of UTF-8."""
    decoder: codecs.IncrementalDecoder | None = None
    is_first = True
    for chunk in chunks:
        if is_first:
            is_first = False
            if is_utf16(chunk):
                decoder = codecs.getincrementaldecoder(_UTF16[chunk[:2]])("backslashreplace")
                chunk = chunk[2:]
            elif chunk.startswith(codecs.BOM_UTF8):
                chunk = chunk[3:]
        yield chunk if decoder is None else decoder.decode(chunk).encode("utf-8", "backslashreplace")


def is_latin1(sample: bytes) -> bool:
    """Return whether all that is not ASCII in a sample are letters of Latin-1, in words, and none of it is UTF-8."""
    if sample.isascii() or is_utf16(sample):
        return False
    foreign = [word for word in _WORD.findall(sample) if not word.isascii()]
    return all(len(word) < 100 and _LATIN1_WORD.fullmatch(word) is not None and not _is_utf8(word) for word in foreign)


def holds_other_bytes(head: bytes, tail: bytes) -> bool:
    """Return whether samples of a file, the second of which may start within a character, hold what is no UTF-8."""
    try:
        for sample in (head, tail.lstrip(bytes(range(0x80, 0xC0)))):
            codecs.getincrementaldecoder("utf-8")().decode(sample)  # its end may be cut within a character, too
    except UnicodeDecodeError:
        return True
    return False


def latin1_as_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield Latin-1 chunks as UTF-8; a line that is UTF-8 already stays as it is."""
    carry = b""
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end == 0 and len(carry) < BLOCK:
            carry += chunk
            continue
        yield _latin1_lines(carry + chunk[:end])
        carry = chunk[end:]
    if carry:
        yield _latin1_lines(carry)


def _latin1_lines(whole: bytes) -> bytes:
    if whole.isascii():
        return whole
    lines = whole.split(b"\n")
    return b"\n".join(line if _is_utf8(line) else line.decode("latin-1").encode() for line in lines)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def split_lines(chunks: Iterable[bytes]) -> Iterator[LineBlock]:
    r"""Yield the lines of UTF-8 chunks, at least one block a chunk. Bytes that are no UTF-8 are shown as ``\xff``."""
    for text in whole_lines(chunks):
        yield LineBlock([], frozenset()) if text is None else lines_of(text)


def whole_lines(chunks: Iterable[bytes]) -> Iterator[str | None]:
    """Yield texts of whole lines without the last line end, at least one a chunk: None where a chunk ends no line."""
    carry = b""
    for chunk in chunks:
        end = chunk.rfind(b"\n")
        if end < 0:
            carry = _bounded(carry + chunk)
            yield None
            continue
        yield (carry + chunk[:end]).decode("utf-8", "backslashreplace")
        carry = _bounded(chunk[end + 1 :])
    if carry:
        yield carry.decode("utf-8", "backslashreplace")


def _bounded(carry: bytes) -> bytes:
    # One character more than is kept: the line is seen to be too long. UTF-8 takes at most four bytes for one.
    return carry.lstrip(b"\0")[: LINE_LIMIT * 4 + 4]


def lines_of(text: str) -> LineBlock:
    """Return the lines of a text, without line ends and what is beyond the limit."""
    if "\0" in text:
        lines = [line.lstrip("\0") for line in text.split("\n")]
    else:
        lines = text.split("\n")
    if "\r" in text:
        lines = [line.rstrip("\r") for line in lines]
    if len(text) <= LINE_LIMIT or max(map(len, lines)) <= LINE_LIMIT:
        return LineBlock(lines, frozenset())
    cut = frozenset(index for index, line in enumerate(lines) if len(line) > LINE_LIMIT)
    return LineBlock([line[:LINE_LIMIT] for line in lines], cut)
