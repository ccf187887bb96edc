"""Tool output -> evidence refs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from groundwire.domain.evidence import EvidenceRef
from groundwire.domain.incident import TimeWindow
from groundwire.evidence.items import COLLECTIONS, Collection, usable_entries
from groundwire.evidence.regular_logs import regular_logs

_INDEXES: Final = tuple(map(str, range(1000)))  # written once: a hundred of them are a fifth of making a hundred refs


def evidence_refs(tool_name: str, seq: int, output: Mapping[str, Any], window: TimeWindow) -> list[EvidenceRef]:
    """Return one ref for each usable entry, in the order of the output; ``window`` is the session's."""
    return [EvidenceRef.from_json(item) for item in evidence_ref_items(tool_name, seq, output, window)]


def evidence_ref_items(tool_name: str, seq: int, output: Mapping[str, Any], window: TimeWindow) -> list[dict[str, str]]:
    """Return the same refs as the JSON objects that a row holds: the recorder makes a hundred of them a call."""
    refs: list[dict[str, str]] = []
    for collection in COLLECTIONS.get(tool_name, ()):
        items = output.get(collection.key)
        if isinstance(items, list):
            named, at, trust = f"i{seq}.{collection.ref_name}.", f"$.{collection.key}[", collection.trust.value
            refs += [
                {"ref_id": named + index, "raw_path": f"{at}{index}]", "text": text, "level": level, "trust": trust}
                for index, text, level in _entries(collection, items, window)
            ]
    return refs


def _entries(collection: Collection, items: list[Any], window: TimeWindow) -> Iterable[tuple[str, str, str]]:
    """Return index, text and level of each usable entry of a list."""
    if collection.key == "logs" and len(items) <= len(_INDEXES):
        regular = regular_logs(items, window)
        if regular is not None:
            return zip(_INDEXES, *regular, strict=False)
    return [
        (str(index), collection.text(item), collection.level(item, window).value)
        for index, item in usable_entries(collection, items)
    ]
