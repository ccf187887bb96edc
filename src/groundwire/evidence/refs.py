"""Tool output -> evidence refs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.domain.evidence import EvidenceRef
from groundwire.domain.incident import TimeWindow
from groundwire.evidence.items import usable_lists


def evidence_refs(tool_name: str, seq: int, output: Mapping[str, Any], window: TimeWindow) -> list[EvidenceRef]:
    """Return one ref for each usable entry, in the order of the output; ``window`` is the session's."""
    return [EvidenceRef.from_json(item) for item in evidence_ref_items(tool_name, seq, output, window)]


def evidence_ref_items(tool_name: str, seq: int, output: Mapping[str, Any], window: TimeWindow) -> list[dict[str, str]]:
    """Return the same refs as the JSON objects that a row holds: the recorder makes a hundred of them a call."""
    refs: list[dict[str, str]] = []
    for collection, entries in usable_lists(tool_name, output):
        named, at, trust = f"i{seq}.{collection.ref_name}.", f"$.{collection.key}[", collection.trust.value
        text, level = collection.text, collection.levels_in(window)
        refs += [
            {
                "ref_id": f"{named}{index}",
                "raw_path": f"{at}{index}]",
                "text": text(item),
                "level": level(item)._value_,  # .value costs as much as the rest of the line
                "trust": trust,
            }
            for index, item in entries
        ]
    return refs
