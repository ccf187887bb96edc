"""Reads what VictoriaLogs answers: entries as JSON lines, names of fields, and hits by time.

Source:
    VictoriaLogs 1.x, "Querying": ``query`` (nothing found is a body of 0 bytes), ``field_names``, ``field_values``, ``hits``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from groundwire.adapters.logs.entry import Entry
from groundwire.adapters.servers.json_body import kind_of
from groundwire.adapters.servers.words import one_line

_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)\Z")
_REPLACEMENT: Final = "\ufffd"
_NO_TEXT: Final = "bytes that are no text are shown as U+FFFD"


class VictoriaShapeError(ValueError):
    """An answer is not what VictoriaLogs answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The entries of an answer; ``doubts`` say what of it could not be read."""

    entries: tuple[Entry, ...]
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Counts by the values of the grouped fields, and by the time that a bucket starts at."""

    groups: tuple[tuple[Mapping[str, str], int], ...]
    buckets: Mapping[datetime, int]


def read_lines(body: bytes) -> Lines:
    """Return the entries of JSON lines.

    Raises:
        VictoriaShapeError: There are lines, and none of them is an entry.
    """
    text = body.decode("utf-8", errors="replace")
    entries: list[Entry] = []
    unreadable: list[str] = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        entry = _entry(line)
        if entry is None:
            unreadable.append(line)
        else:
            entries.append(entry)
    if unreadable and not entries:
        raise VictoriaShapeError(f"its first line is {one_line(unreadable[0])[:120]!r}, not an entry with a _time")
    lines = "1 line" if len(unreadable) == 1 else f"{len(unreadable)} lines"
    doubts = (f"{lines} of the answer could not be read, beginning {one_line(unreadable[0])[:120]!r}",) if unreadable else ()
    broken = _REPLACEMENT in text and text.count(_REPLACEMENT) > body.count(_REPLACEMENT.encode())
    return Lines(entries=tuple(entries), doubts=doubts, notes=(_NO_TEXT,) if broken else ())


def read_values(answer: Any) -> list[str]:
    """Return the values of a list of names or values, without their hits."""
    values = answer.get("values") if isinstance(answer, dict) else None
    if not isinstance(values, list) or not all(isinstance(item, dict) and isinstance(item.get("value"), str) for item in values):
        raise VictoriaShapeError(f"it is {kind_of(answer)}, not an object with values")
    return [item["value"] for item in values]


def read_hits(answer: Any) -> Hits:
    """Return how many entries there are, by the grouped fields and by time."""
    found = answer.get("hits") if isinstance(answer, dict) else None
    if not isinstance(found, list):
        raise VictoriaShapeError(f"it is {kind_of(answer)}, not an object with hits")
    groups: list[tuple[Mapping[str, str], int]] = []
    buckets: dict[datetime, int] = {}
    for item in found:
        match item:
            case {"fields": dict() as fields, "timestamps": list() as times, "values": list() as values}:
                groups.append(({str(name): str(value) for name, value in fields.items()}, sum(map(_whole, values))))
                for time, value in zip(times, values, strict=False):
                    start = _bucket(time)
                    buckets[start] = buckets.get(start, 0) + _whole(value)
            case _:
                raise VictoriaShapeError(f"its hits hold {kind_of(item)}, not fields, timestamps and values")
    return Hits(groups=tuple(groups), buckets={start: count for start, count in buckets.items() if count})


def _entry(line: str) -> Entry | None:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict):
        return None
    texts = {str(name): value if isinstance(value, str) else orjson.dumps(value).decode() for name, value in fields.items()}
    at_ns = _ns(texts.pop("_time", ""))
    if at_ns is None:
        return None
    texts.pop("_stream_id", None)
    return Entry(at_ns, texts, texts.pop("_msg", ""), texts.pop("_stream", "{}"))


def _ns(text: str) -> int | None:
    match = _TIME.match(text)
    if match is None:
        return None
    try:
        whole = datetime.fromisoformat(match[1] + match[3])
    except ValueError:
        return None
    return int(whole.timestamp()) * 1_000_000_000 + int((match[2] or "").ljust(9, "0"))


def _bucket(value: Any) -> datetime:
    at_ns = _ns(value) if isinstance(value, str) else None
    if at_ns is None:
        raise VictoriaShapeError(f"a bucket of it starts at {str(value)[:40]!r}, which is no time")
    return datetime.fromtimestamp(at_ns // 1_000_000_000, UTC)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise VictoriaShapeError(f"a count of it is {kind_of(value)}, not a whole number")
    return value
