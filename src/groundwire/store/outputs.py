"""Whole outputs, compressed: with Zstandard, and readable also where an earlier version wrote zlib."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from groundwire.domain.errors import StoreUnavailableError

if TYPE_CHECKING:
    from zstandard import ZstdCompressor

ENCODING: Final = "zstd"
_LEVEL: Final = 1  # 30 KB of log entries become 3 KB; level 3 makes them no smaller


class _Compressing(threading.local):
    """A compressor of each thread, used again for every output: setting one up costs a third of using it."""

    compressor: ZstdCompressor | None = None


_compressing = _Compressing()


def packed(invocation_id: str, output: bytes) -> dict[str, Any]:
    """Return the row of ``tool_output`` that keeps ``output``."""
    return {
        "invocation_id": invocation_id,
        "encoding": ENCODING,
        "original_length": len(output),
        "content": (_compressing.compressor or _set_up()).compress(output),
    }


def unpacked(invocation_id: str, encoding: str, original_length: int, content: bytes) -> bytes:
    """Return the exact output again.

    Raises:
        StoreUnavailableError: It is damaged, or of an encoding that this version does not know.
    """
    reader = _READERS.get(encoding)
    if reader is None:
        raise StoreUnavailableError(f"The output of call {invocation_id} is stored as {encoding!r}, which is not known here.")
    try:
        output = reader(content)
    except ValueError as error:
        raise StoreUnavailableError(f"The stored output of call {invocation_id} is damaged: {error}.") from error
    if len(output) != original_length:
        raise StoreUnavailableError(
            f"The stored output of call {invocation_id} is damaged: {len(output)} bytes instead of {original_length}."
        )
    return output


def _set_up() -> ZstdCompressor:
    from zstandard import ZstdCompressor

    _compressing.compressor = ZstdCompressor(level=_LEVEL, write_checksum=True)
    return _compressing.compressor


def _from_zstd(content: bytes) -> bytes:
    from zstandard import ZstdDecompressor, ZstdError

    try:
        return ZstdDecompressor().decompress(content)
    except ZstdError as error:
        raise ValueError(error) from error


def _from_zlib(content: bytes) -> bytes:
    try:
        return zlib.decompress(content)
    except zlib.error as error:
        raise ValueError(error) from error


_READERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {ENCODING: _from_zstd, "zlib": _from_zlib}
"""Each raises ValueError, in the library's words, for what it cannot read."""
