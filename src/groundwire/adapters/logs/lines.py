"""Reads a file as blocks of decoded lines: in pieces, so that neither its size nor the length of a line fills the memory."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

LINE_LIMIT: Final = 256 * 1024
"""Characters of one line that are kept."""

_BLOCK: Final = 1 << 20
_GZIP_MAGIC: Final = b"\x1f\x8b"
# Control characters but for those of layout and of terminal colours.
_NEVER_IN_TEXT: Final = (*range(7), *range(14, 27), *range(28, 32), 127)
_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class CorruptFileError(Exception):
    """A compressed file ends early or is damaged; what came before was given out."""


@dataclass(slots=True)
class LineBlock:
    """Some lines in a row. ``cut`` holds the indexes of lines that were longer than :data:`LINE_LIMIT`."""

    lines: list[str]
    cut: frozenset[int]


def is_gzip(start: bytes) -> bool:
    """Return whether a file that starts so is compressed, whatever it is called."""
    return start.startswith(_GZIP_MAGIC)


def is_utf16(start: bytes) -> bool:
    """Return whether a file that starts so is UTF-16; without its byte order mark it is not told from binary."""
    return start[:2] in _UTF16


def is_binary(sample: bytes) -> bool:
    """Return whether a sample is no text. Zeros alone do not say so: a log that was truncated while open starts with them."""
    if is_utf16(sample):
        return False
    text = sample.strip(b"\0")
    return sum(text.count(code) for code in _NEVER_IN_TEXT) * 20 > len(text)


def plain_chunks(handle: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes from ``start`` up to ``end``, or up to where the file ends by now."""
    handle.seek(start)
    left = end - start
    while left > 0:
        chunk = handle.read(min(_BLOCK, left))
        if not chunk:
            return
        left -= len(chunk)
        yield chunk


def gzip_chunks(handle: BinaryIO) -> Iterator[bytes]:
    """Yield the decompressed bytes of all members, in bounded pieces.

    Raises:
        CorruptFileError: After everything that could be decompressed.
    """
    handle.seek(0)
    while raw := handle.read(_BLOCK // 4):
        member = zlib.decompressobj(wbits=31)
        yield from _member_chunks(member, raw, handle)
        if member.unused_data.strip(b"\0"):
            handle.seek(-len(member.unused_data), 1)


def _member_chunks(member: zlib._Decompress, raw: bytes, handle: BinaryIO) -> Iterator[bytes]:
    while True:
        try:
            piece = member.decompress(raw, _BLOCK)
        except zlib.error as exc:
            raise CorruptFileError(str(exc)) from exc
        if piece:
            yield piece
        if member.eof:
            return
        raw = member.unconsumed_tail or handle.read(_BLOCK // 4)
        if not raw and not piece:
            raise CorruptFileError("it ends in the middle of the compressed data")


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


def split_lines(chunks: Iterable[bytes]) -> Iterator[LineBlock]:
    r"""Yield the lines of UTF-8 chunks, at least one block a chunk. Bytes that are no UTF-8 are shown as ``\xff``."""
    carry = b""
    for chunk in chunks:
        end = chunk.rfind(b"\n")
        if end < 0:
            carry = _bounded(carry + chunk)
            yield LineBlock([], frozenset())
            continue
        yield _block(carry + chunk[:end])
        carry = _bounded(chunk[end + 1 :])
    if carry:
        yield _block(carry)


def _bounded(carry: bytes) -> bytes:
    # One character more than is kept: the line is seen to be too long. UTF-8 takes at most four bytes for one.
    return carry.lstrip(b"\0")[: LINE_LIMIT * 4 + 4]


def _block(whole: bytes) -> LineBlock:
    text = whole.decode("utf-8", "backslashreplace")
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
