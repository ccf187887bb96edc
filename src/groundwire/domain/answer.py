"""Claims and drafts (what an investigator says) and answers (what is shown after checking)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import (
    ClaimKind,
    ClaimRole,
    Decision,
    DegradedReason,
    EvidenceLevel,
    QuestionKind,
    Trust,
    Verdict,
    WindowSource,
)
from groundwire.domain.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of a draft and the refs it cites (``i2.logs.3``, or a whole call: ``i2``, ``i2.summary``).

    ``facts`` are assertions ``{"path", "op", "value"}`` that the writer supplies to be recomputed as they stand.
    """

    id: str
    text: str
    refs: tuple[str, ...]
    kind: ClaimKind
    role: ClaimRole
    facts: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "text": self.text,
            "kind": self.kind,
            "role": self.role,
            "refs": list(self.refs),
            "facts": [dict(fact) for fact in self.facts],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What an investigator would say. ``complete`` is false when it was cut off (a length limit, a budget)."""

    claims: tuple[Claim, ...]
    complete: bool = True

    def to_json(self) -> dict[str, Any]:
        return {"claims": [claim.to_json() for claim in self.claims], "complete": self.complete}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClaim:
    """A claim of the answer with its verdict; only what the decision allows to be seen is here."""

    claim: Claim
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEvidence:
    """What a footnote stands on: source, time and the start of the text, beside the ref."""

    ref_id: str
    raw_path: str
    text: str
    level: EvidenceLevel
    trust: Trust
    tool_name: str
    source: str
    time: str | None

    def to_json(self) -> dict[str, Any]:
        return {
            "ref_id": self.ref_id,
            "raw_path": self.raw_path,
            "text": self.text,
            "level": self.level,
            "trust": self.trust,
            "tool_name": self.tool_name,
            "source": self.source,
            "time": self.time,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageItem:
    """One call in the coverage line: ``ref`` is the call (``i3``), ``text`` says in a few words what was asked and came back.

    ``query`` is the PromQL or the words that were asked for, whole; None where there were none.
    """

    ref: str
    tool_name: str
    topic_domain: str
    text: str
    query: str | None = None

    def to_json(self) -> dict[str, str]:
        said = {"ref": self.ref, "tool_name": self.tool_name, "topic_domain": self.topic_domain, "text": self.text}
        return said if self.query is None else {**said, "query": self.query}


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What was checked, computed from the rows. A call in part stands in ``partial`` beside ``found`` or ``empty``."""

    found: tuple[CoverageItem, ...] = ()
    empty: tuple[CoverageItem, ...] = ()
    deduped: tuple[CoverageItem, ...] = ()
    failed: tuple[CoverageItem, ...] = ()
    partial: tuple[CoverageItem, ...] = ()
    not_available: tuple[CoverageItem, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            name: [item.to_json() for item in getattr(self, name)]
            for name in ("found", "empty", "deduped", "failed", "partial", "not_available")
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """All that any rendering may show of a session, and nothing else.

    ``evidence`` holds what the shown claims cite; under REJECT, the strongest entries found instead. ``excerpts`` are the
    bounded texts of the verifier-facing entries (shown under REJECT). ``held_count`` of ``checked_count`` material claims
    hold; ``hidden_count`` statements are not shown. ``model`` and ``judge`` name the language models that were asked. ``gap``
    says why what the answer cites asked no source, ``replay_difference`` where the requests to replayed models left their
    recording; it is of the run and not of the session. ``limit`` is the limit at which the investigation
    ended, if it ended at one.
    """

    session_id: str
    question: str
    question_kind: QuestionKind
    subjects: tuple[str, ...]
    window: TimeWindow
    window_source: WindowSource
    decision: Decision
    degraded_reason: DegradedReason | None
    claims: tuple[ShownClaim, ...]
    hidden_count: int
    held_count: int
    checked_count: int
    evidence: tuple[ShownEvidence, ...]
    excerpts: tuple[str, ...]
    coverage: Coverage
    missing: tuple[str, ...]
    next_steps: tuple[str, ...]
    step_count: int
    tool_call_count: int
    notes: tuple[str, ...] = field(default=())
    gap: str | None = None
    replay_difference: str | None = None
    model: str | None = None
    judge: str | None = None
    usage: Usage | None = None
    limit: str | None = None
