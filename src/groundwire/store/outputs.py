"""Whole outputs, compressed."""

from __future__ import annotations

import zlib
from typing import Any, Final

from groundwire.domain.errors import StoreUnavailableError

ENCODING: Final = "zlib"
_LEVEL: Final = 1  # 30 KB of log entries become 5 KB; level 3 saves a tenth of that and costs half as much again


def packed(invocation_id: str, output: bytes) -> dict[str, Any]:
    """Return the row of ``tool_output`` that keeps ``output``."""
    return {
        "invocation_id": invocation_id,
        "encoding": ENCODING,
        "original_length": len(output),
        "content": zlib.compress(output, _LEVEL),
    }


def unpacked(invocation_id: str, encoding: str, original_length: int, content: bytes) -> bytes:
    """Return the exact output again.

    Raises:
        StoreUnavailableError: It is damaged, or of an encoding that this version does not know.
    """
    if encoding != ENCODING:
        raise StoreUnavailableError(f"The output of call {invocation_id} is stored as {encoding!r}, which is not known here.")
    try:
        output = zlib.decompress(content, bufsize=max(original_length, 1))
    except zlib.error as error:
        raise StoreUnavailableError(f"The stored output of call {invocation_id} is damaged: {error}.") from error
    if len(output) != original_length:
        raise StoreUnavailableError(
            f"The stored output of call {invocation_id} is damaged: {len(output)} bytes instead of {original_length}."
        )
    return output
