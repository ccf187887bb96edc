"""Reads what Loki answers: streams of entries, counts, lists of streams, and the statistics that say what was not read.

Source:
    Grafana Loki HTTP API 3.x: ``query``, ``query_range``, ``series``; the encoding flag ``categorize-labels``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.logs.entry import Entry
from groundwire.adapters.logs.entry_labels import instance_labels, service_labels, weak_labels
from groundwire.adapters.servers.json_body import kind_of

_LONGEST_NS: Final = 19


class LokiShapeError(ValueError):
    """An answer is JSON, but not what Loki answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """Entries without duplicates. ``sent_count`` counts what the server sent, so that a limit that was reached is seen."""

    entries: tuple[Entry, ...]
    sent_count: int
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_entries(data: Any) -> Streams:
    """Return the entries of a log query.

    Raises:
        LokiShapeError: It is the answer to another query, or none of its entries can be read.
    """
    entries: dict[object, Entry] = {}
    sent = unreadable = 0
    for item in _result(data, "streams"):
        labels = _texts(item, "stream")
        place = _place(labels)
        for value in _list(item, "values"):
            sent += 1
            entry = _entry(value, labels, place)
            if entry is None:
                unreadable += 1
            else:
                entries[entry.identity] = entry
    if unreadable and not entries:
        raise LokiShapeError(f"none of its {unreadable} entries is a time and a line")
    doubts = [f"{unreadable} of the entries could not be read"] if unreadable else []
    if not sent and (doubt := _unread_chunks(data.get("stats"))) is not None:
        doubts.append(doubt)
    copies = sent - unreadable - len(entries)
    notes = ("copies of entries that were sent more than once do not count",) if copies else ()
    return Streams(entries=tuple(entries.values()), sent_count=sent, doubts=tuple(doubts), notes=notes)


def read_counts(data: Any) -> list[tuple[Mapping[str, str], int]]:
    """Return labels and count for each element of a vector."""
    return [(_texts(item, "metric"), _count(item.get("value"))) for item in _result(data, "vector")]


def read_buckets(data: Any) -> dict[int, int]:
    """Return the sum over all series of a matrix, by epoch second."""
    buckets: dict[int, int] = {}
    for item in _result(data, "matrix"):
        for point in _list(item, "values"):
            count = _count(point)
            buckets[int(point[0])] = buckets.get(int(point[0]), 0) + count
    return buckets


def read_series(data: Any) -> list[Mapping[str, str]]:
    """Return the labels of each stream of a list of streams."""
    if data is None:
        return []
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise LokiShapeError(f"its data is {kind_of(data)}, not a list of streams")
    return [{str(name): str(value) for name, value in item.items()} for item in data]


def _unread_chunks(stats: Any) -> str | None:
    """Return why an empty answer may not mean that nothing is there: chunks are known, and not one line of them was read."""
    chunks = lines = 0
    for numbers in _objects(stats):
        chunks += _number(numbers, "totalChunksRef") + _number(numbers, "totalChunksMatched")
        lines += sum(_number(numbers, name) for name in ("totalLinesProcessed", "headChunkLines", "decompressedLines"))
    if not chunks or lines:
        return None
    known = "1 chunk" if chunks == 1 else f"{chunks} chunks"
    them, they = ("it", "it") if chunks == 1 else ("them", "they")
    return f"the server knows of {known} for this time and read no line of {them}: {they} may be lost, so nothing is proved"


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        yield value
        for member in value.values():
            yield from _objects(member)


def _number(numbers: Mapping[str, Any], name: str) -> int:
    value = numbers.get(name)
    return value if isinstance(value, int) else 0


def _result(data: Any, kind: str) -> list[Any]:
    said = data.get("resultType") if isinstance(data, dict) else None
    result = data.get("result") if isinstance(data, dict) else None
    if said != kind or not isinstance(result, list):
        raise LokiShapeError(f"its data is {said if isinstance(said, str) else kind_of(data)}, not {kind}")
    for item in result:
        if not isinstance(item, dict):
            raise LokiShapeError(f"its result holds {kind_of(item)}, not objects")
    return result


def _texts(item: Mapping[str, Any], name: str) -> dict[str, str]:
    texts = item.get(name, {})
    if not isinstance(texts, dict):
        raise LokiShapeError(f"its {name} is {kind_of(texts)}, not an object")
    return {str(key): value if isinstance(value, str) else str(value) for key, value in texts.items()}


def _list(item: Mapping[str, Any], name: str) -> list[Any]:
    values = item.get(name, [])
    if not isinstance(values, list):
        raise LokiShapeError(f"its {name} are {kind_of(values)}, not a list")
    return values


def _entry(value: Any, labels: dict[str, str], place: str) -> Entry | None:
    match value:
        case [str() as at, str() as line, *more] if at.isascii() and at.isdigit() and len(at) <= _LONGEST_NS:
            return Entry(int(at), _with_metadata(labels, more), line, place)
        case _:
            return None


def _with_metadata(labels: dict[str, str], more: list[Any]) -> Mapping[str, str]:
    if not more or not isinstance(more[0], dict):
        return labels
    found = dict(labels)
    for kind in ("structuredMetadata", "parsed"):
        found |= _texts(more[0], kind)
    return found


def _count(value: Any) -> int:
    match value:
        case [int() | float(), str() as text]:
            try:
                return int(float(text))
            except (ValueError, OverflowError) as exc:
                raise LokiShapeError(f"a count of it is {text[:40]!r}") from exc
        case _:
            raise LokiShapeError("a point of it is not a time and a text")


def _place(labels: Mapping[str, str]) -> str:
    """Return the stream as it is shown: by the labels that name it, which stay the same whatever an entry says of itself."""
    naming = (*service_labels(labels)[:1], *instance_labels(labels)[:1]) or weak_labels(labels) or sorted(labels)
    return "{" + ", ".join(f"{name}={labels[name]}" for name in naming) + "}"
