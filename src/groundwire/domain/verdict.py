"""Verdicts on claims and the decision on a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from groundwire.domain.answer import Claim
from groundwire.domain.names import Decision, DegradedReason, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFact:
    """One fact of a claim: what was claimed, where it was looked for, what stands there, and whether it holds."""

    claimed: str
    looked_in: str
    found: str | None
    verdict: Verdict

    def to_json(self) -> dict[str, Any]:
        return {"claimed": self.claimed, "looked_in": self.looked_in, "found": self.found, "verdict": self.verdict}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict:
    """The verdict on one claim, with a reason in a sentence and the facts that decided it.

    ``voice`` is set where a claim rests on log text alone and does not say so itself: it must be shown as that log's word.
    """

    claim: Claim
    verdict: Verdict
    reason: str
    facts: tuple[CheckedFact, ...] = ()
    voice: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.claim.id,
            "text": self.claim.text,
            "kind": self.claim.kind,
            "role": self.claim.role,
            "verdict": self.verdict,
            "reason": self.reason,
            "voice": self.voice,
            "refs": list(self.claim.refs),
            "facts": [fact.to_json() for fact in self.facts],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierEvaluation:
    """The persisted row of one verification. ``verifier_output`` is what the judge said, raw; grounding's own without a judge."""

    id: str
    session_id: str
    attempt: int
    decision: Decision
    degraded_reason: DegradedReason | None
    verifier_output: str | None
    claim_verdicts: tuple[Mapping[str, Any], ...]
    grounding: Mapping[str, Any]
    rules_version: str
    duration_ms: float
    created_at: datetime
