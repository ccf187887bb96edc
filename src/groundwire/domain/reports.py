"""What the commands beside a diagnosis give back: traces, raw items, audits, replays, checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from groundwire.domain.evidence import EvidenceEntry
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import Decision, DegradedReason
from groundwire.domain.session import AgentStep, DiagnosisSession
from groundwire.domain.verdict import ClaimVerdict, VerifierEvaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Everything recorded of one session. ``interrupted_ids`` are rows left ``running`` by a process that is gone."""

    session: DiagnosisSession
    invocations: tuple[ToolInvocation, ...]
    interrupted_ids: frozenset[str]
    steps: tuple[AgentStep, ...]
    entries: tuple[EvidenceEntry, ...]
    evaluations: tuple[VerifierEvaluation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem:
    """The raw item behind a ref: ``item`` is what stands at ``raw_path`` in the stored output, whose hash is given."""

    session_id: str
    ref_id: str
    raw_path: str
    item: Any
    invocation_id: str
    output_sha256: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFault:
    """One thing that is not as it was recorded. ``kind``: chain, output, ref, count, seq, dedup, running."""

    kind: str
    invocation_id: str | None
    message: str

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "invocation_id": self.invocation_id, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """Whether chain, counts and refs of a session are whole; ``rows`` and ``refs`` say how many were checked."""

    session_id: str
    faults: tuple[AuditFault, ...]
    rows: int
    refs: int

    @property
    def ok(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """The decision computed again from the stored outputs, beside the recorded one; ``differences`` are sentences."""

    session_id: str
    decision: Decision | None
    recorded_decision: Decision | None
    differences: tuple[str, ...]

    @property
    def same(self) -> bool:
        return not self.differences


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    """A piece of somebody's report, in its order: a sentence that is a claim, or (``claim_id`` None) what states nothing."""

    text: str
    claim_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "claim_id": self.claim_id}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """An answer written elsewhere, held against a session's evidence.

    ``attributed`` names the claims that cited nothing and were held against the one entry that bears them out;
    ``proposed`` maps an unsupported claim to the ref under which it would be supported. ``parts`` is a Markdown report from
    beginning to end; a draft in JSON has none.
    """

    session_id: str
    decision: Decision
    degraded_reason: DegradedReason | None
    verdicts: tuple[ClaimVerdict, ...]
    attributed: frozenset[str] = frozenset()
    proposed: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[ReportPart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimExplanation:
    """What was decided about one claim: the verdict as it was recorded, with the facts, fields and values that made it.

    The claim may be one that no answer shows; it is of the draft, and unverified.
    """

    session_id: str
    decision: Decision
    verdict: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """One check: its name, whether it holds, what was found, and what to do when it does not hold.

    ``details`` are the same findings as values, for programs.
    """

    name: str
    ok: bool
    message: str
    hint: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "ok": self.ok, "message": self.message, "hint": self.hint, **self.details}


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """All checks, in the order they were made."""

    checks: tuple[DoctorCheck, ...]

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReport:
    """One call made by hand: the session it is in, its row, and the tool's own JSON object."""

    session_id: str
    invocation: ToolInvocation
    output: Mapping[str, Any]
