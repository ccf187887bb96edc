"""Unpacks compressed files in bounded pieces: gzip, bzip2, xz and zstd, told by how they start.

Sources:
    RFC 1952 (gzip), RFC 8878 (zstd), the bzip2 and xz file formats. All of them may hold several members in a row.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from groundwire.adapters.logs.lines import BLOCK

_READ: Final = BLOCK // 4
_MOST_MEMORY: Final = 128 << 20
# A block of zstd takes four bytes at least and becomes 128 KB at most: no piece of this size becomes more than 32 MB.
_ZSTD_READ: Final = 1024
_EARLY_END: Final = "it ends in the middle of the compressed data"


class CorruptFileError(Exception):
    """A compressed file ends early or is damaged; what came before was given out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """One way to compress. ``suffix`` is what such a file's name ends in."""

    name: str
    suffix: str
    magic: bytes
    member: Callable[[bytes, BinaryIO], Iterator[bytes]]
    """Yields what the member that starts with some bytes holds, and seeks behind it."""

    def chunks(self, handle: BinaryIO) -> Iterator[bytes]:
        """Yield the unpacked bytes of all members, in pieces of at most ``BLOCK``.

        Raises:
            CorruptFileError: After everything that could be unpacked.
        """
        handle.seek(0)
        while raw := handle.read(_READ):
            if not raw.strip(b"\0"):
                continue  # tapes and some file systems fill up with zeros
            try:
                for piece in self.member(raw, handle):
                    for start in range(0, len(piece), BLOCK):
                        yield piece[start : start + BLOCK]
            except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, MemoryError) as exc:
                raise CorruptFileError(str(exc) or type(exc).__name__) from exc


def packing_of(start: bytes) -> Packing | None:
    """Return how a file that starts so is compressed, whatever it is called; None for one that is not."""
    return next((packing for packing in PACKINGS if start.startswith(packing.magic)), None)


def _gzip_member(raw: bytes, handle: BinaryIO) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=31)
    while True:
        piece = member.decompress(raw, BLOCK)
        if piece:
            yield piece
        if member.eof:
            return _seek_back(handle, member.unused_data)
        raw = member.unconsumed_tail or handle.read(_READ)
        if not raw and not piece:
            raise CorruptFileError(_EARLY_END)


def _stream_member(
    begin: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor],
) -> Callable[[bytes, BinaryIO], Iterator[bytes]]:
    def member(raw: bytes, handle: BinaryIO) -> Iterator[bytes]:
        stream = begin()
        while True:
            piece = stream.decompress(raw, BLOCK)
            if piece:
                yield piece
            if stream.eof:
                return _seek_back(handle, stream.unused_data)
            raw = handle.read(_READ) if stream.needs_input else b""
            if not raw and stream.needs_input:
                raise CorruptFileError(_EARLY_END)

    return member


def _zstd_member(raw: bytes, handle: BinaryIO) -> Iterator[bytes]:
    import zstandard  # a tenth of a second that a folder without such files is spared

    stream = zstandard.ZstdDecompressor(max_window_size=_MOST_MEMORY).decompressobj()
    kept, size = [], 0
    try:
        while raw:
            for start in range(0, len(raw), _ZSTD_READ):
                piece = stream.decompress(raw[start : start + _ZSTD_READ])
                kept.append(piece)
                size += len(piece)
                if size >= _READ:
                    yield b"".join(kept)
                    kept, size = [], 0
                if stream.eof:
                    yield b"".join(kept)
                    return _seek_back(handle, stream.unused_data + raw[start + _ZSTD_READ :])
            raw = handle.read(_READ)
    except zstandard.ZstdError as exc:
        yield b"".join(kept)
        raise CorruptFileError(str(exc)) from exc
    yield b"".join(kept)
    raise CorruptFileError(_EARLY_END)


def _seek_back(handle: BinaryIO, unused: bytes) -> None:
    if unused:
        handle.seek(-len(unused), 1)


PACKINGS: Final = (
    Packing(name="gzip", suffix=".gz", magic=b"\x1f\x8b", member=_gzip_member),
    Packing(name="bzip2", suffix=".bz2", magic=b"BZh", member=_stream_member(bz2.BZ2Decompressor)),
    Packing(
        name="xz", suffix=".xz", magic=b"\xfd7zXZ\0", member=_stream_member(lambda: lzma.LZMADecompressor(memlimit=_MOST_MEMORY))
    ),
    Packing(name="zstd", suffix=".zst", magic=b"\x28\xb5\x2f\xfd", member=_zstd_member),
)
