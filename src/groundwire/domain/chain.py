"""Row hashes: the completed rows of a session form a chain that anybody can compute again with ``json`` and ``hashlib``.

``row_hash`` is the SHA-256, in hex, of ``previous_hash`` followed by the canonical JSON of all other columns: keys sorted at
every depth, no spaces, UTF-8 as it is, instants as ``2026-11-30T10:00:00.000000Z``, absent values as null, JSON columns as
the values they hold. The first row of a session follows :data:`GENESIS`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final

from groundwire.domain.invocation import ToolInvocation

GENESIS: Final = "0" * 64
"""The ``previous_hash`` of the first row to complete in a session."""

_HASHES: Final = frozenset({"previous_hash", "row_hash"})
_COLUMNS: Final = tuple(field.name for field in fields(ToolInvocation) if field.name not in _HASHES)
_NAMED: Final = ("tool_name", "status", "error_type", "output_state", "retrieval_layer", "relevance_level", "dedup_reason")
_STRICT: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_SMALLEST_INT: Final = -(2**63)
_LARGEST_INT: Final = 2**64 - 1


def format_column_time(moment: datetime) -> str:
    """Return an instant as rows spell it: UTC, always six fraction digits, so that text sorts as time does.

    Raises:
        ValueError: The instant has no time zone.
    """
    if moment.tzinfo is None:
        raise ValueError(f"a row needs aware instants, not {moment.isoformat()}")
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:-6] + "Z"


def settle_json(value: Any) -> Any:
    """Return the JSON value that every store gives back for ``value``.

    NaN and infinities become null, integers beyond 64 bits their digits as text, tuples lists, enumerations their values.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return value if _SMALLEST_INT <= value <= _LARGEST_INT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): settle_json(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [settle_json(member) for member in value]
    raise TypeError(f"a row holds JSON values, not {type(value).__name__}")


def canonical_json(columns: Mapping[str, Any]) -> str:
    """Return the sorted, compact JSON that a row's hash is taken of."""
    try:
        return _STRICT.encode(columns)
    except ValueError:  # NaN and infinities: no store keeps them
        return _STRICT.encode(settle_json(columns))


def invocation_columns(invocation: ToolInvocation) -> dict[str, Any]:
    """Return every column of a row but the two hashes, as JSON values: the same ones whichever store the row came from."""
    columns: dict[str, Any] = {name: getattr(invocation, name) for name in _COLUMNS}
    columns["started_at"] = format_column_time(invocation.started_at)
    columns["owner"] = invocation.owner.to_json()
    columns["partial_reasons"] = list(invocation.partial_reasons)
    for name in _NAMED:
        if isinstance(columns[name], Enum):
            columns[name] = columns[name].value
    return columns


def row_hash(previous_hash: str, columns: Mapping[str, Any]) -> str:
    """Return the hash of a row with these :func:`invocation_columns` that follows the row with ``previous_hash``."""
    return hash_canonical(previous_hash, canonical_json(columns).encode())


def hash_canonical(previous_hash: str, canonical: bytes) -> str:
    """Return the hash of a row whose canonical JSON is already there, as UTF-8."""
    digest = hashlib.sha256(previous_hash.encode())
    digest.update(canonical)
    return digest.hexdigest()
