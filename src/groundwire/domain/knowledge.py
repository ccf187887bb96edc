"""Runbook knowledge: what is looked up and what comes back."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.domain.deadline import Deadline
from groundwire.domain.names import RelevanceLevel, RetrievalLayer


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeRequest:
    """Words to look up; a service and an alert name narrow and boost. ``limit`` is at least 1."""

    query: str
    service: str | None
    alert_name: str | None
    limit: int
    deadline: Deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeBlock:
    """A block of one document. ``source`` is its path below the configured folder; ``section`` is empty for the abstract.

    ``score`` is comparable within one answer, higher is better. ``layer`` L0 is a document's abstract, L1 a section.
    """

    title: str
    source: str
    section: str
    content: str
    layer: RetrievalLayer
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgePage:
    """One knowledge base's answer, best first. The counts say how many documents (L0) and sections (L1) matched."""

    blocks: tuple[KnowledgeBlock, ...]
    l0_count: int
    l1_count: int
    relevance_level: RelevanceLevel
    partial_reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
