"""Refs into stored outputs, and the entries that a verifier reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from groundwire.domain.names import EvidenceLevel, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRef:
    """One usable entry of a stored output: ``raw_path`` resolves in it, ``text`` is made of its concrete fields."""

    ref_id: str
    raw_path: str
    text: str
    level: EvidenceLevel
    trust: Trust

    def to_json(self) -> dict[str, str]:
        return {"ref_id": self.ref_id, "raw_path": self.raw_path, "text": self.text, "level": self.level, "trust": self.trust}

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> EvidenceRef:
        return cls(
            ref_id=item["ref_id"],
            raw_path=item["raw_path"],
            text=item["text"],
            level=EvidenceLevel(item["level"]),
            trust=Trust(item["trust"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceEntry:
    """All calls of one tool about one topic domain, merged: what was found, what failed, what was empty, what was repeated.

    ``success`` is false when no call of them completed. ``partial`` is true when one that completed answered in part.
    """

    tool_name: str
    topic_domain: str
    evidence_level: EvidenceLevel
    success: bool
    output_summary: str
    excerpts: tuple[str, ...]
    call_count: int
    failed_count: int
    no_hit_count: int
    deduped_count: int
    partial: bool
    source_invocation_ids: tuple[str, ...]
    refs: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "tool_name": self.tool_name,
            "topic_domain": self.topic_domain,
            "evidence_level": self.evidence_level,
            "success": self.success,
            "output_summary": self.output_summary,
            "excerpts": list(self.excerpts),
            "call_count": self.call_count,
            "failed_count": self.failed_count,
            "no_hit_count": self.no_hit_count,
            "deduped_count": self.deduped_count,
            "partial": self.partial,
            "source_invocation_ids": list(self.source_invocation_ids),
            "refs": list(self.refs),
        }
