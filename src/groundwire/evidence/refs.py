"""Tool output -> evidence refs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.domain.evidence import EvidenceRef
from groundwire.domain.incident import TimeWindow
from groundwire.evidence.items import usable_entries


def evidence_refs(tool_name: str, seq: int, output: Mapping[str, Any], window: TimeWindow) -> list[EvidenceRef]:
    """Return one ref for each usable entry, in the order of the output; ``window`` is the session's."""
    return [EvidenceRef.from_json(item) for item in evidence_ref_items(tool_name, seq, output, window)]


def evidence_ref_items(tool_name: str, seq: int, output: Mapping[str, Any], window: TimeWindow) -> list[dict[str, str]]:
    """Return the same refs as the JSON objects that a row holds: the recorder makes a hundred of them a call."""
    return [
        {
            "ref_id": f"i{seq}.{collection.ref_name}.{index}",
            "raw_path": f"$.{collection.key}[{index}]",
            "text": collection.text(item),
            "level": collection.level(item, window)._value_,  # .value costs as much as the rest of the line
            "trust": collection.trust._value_,
        }
        for collection, index, item in usable_entries(tool_name, output)
    ]
