"""The part of a tool's JSON object that all three tools share: outcome, counts, scope, and each source's own outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from groundwire.domain.errors import BackendMalformedError, ToolError
from groundwire.domain.incident import Scope
from groundwire.domain.names import SCHEMA_VERSION, ErrorType, InvocationStatus
from groundwire.domain.source_scope import NOT_ASKED

_RAW_ANSWER_LIMIT: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOutcome:
    """How one source answered. ``total_count`` None: it does not say. ``live`` false: saved earlier, silent about now.

    ``not_asked`` says why it was not asked at all.
    """

    name: str
    kind: str
    live: bool
    error: ToolError | None = None
    not_asked: str | None = None
    returned_count: int = 0
    total_count: int | None = None
    partial_reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "status": self._status,
            "live": self.live,
            "returned_count": self.returned_count,
            "total_count": self.total_count,
            "error": None if self.error is None else _error(self.error),
            "partial_reasons": list(self.partial_reasons),
            "notes": list(self.notes),
            **({} if self.not_asked is None else {"not_asked": self.not_asked}),
            **self.more,
        }

    @property
    def _status(self) -> str:
        if self.not_asked is not None:
            return NOT_ASKED
        if self.error is not None:
            return InvocationStatus.FAILED
        return InvocationStatus.EVIDENCE if self.returned_count else InvocationStatus.NO_EVIDENCE


def envelope(
    *,
    scope: Scope,
    outcomes: Sequence[SourceOutcome],
    returned_count: int,
    total_count: int | None,
    fetched_count: int | None = None,
    partial_reasons: Sequence[str] = (),
    deduped: bool = False,
    items: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the tool's JSON object with the shared keys first and ``items`` behind them.

    ``failed`` only when every source that was asked failed, or none was; otherwise a source that failed makes the answer
    ``partial``. ``fetched_count`` is how many there were before a filter of ours. ``deduped`` says that the session already has
    all that is asked for.
    """
    asked = [outcome for outcome in outcomes if outcome.not_asked is None]
    failed = [outcome for outcome in asked if outcome.error is not None]
    all_failed = bool(outcomes) and len(failed) == len(asked)
    reasons = [*partial_reasons]
    for outcome in outcomes:
        reasons.extend(f"{outcome.name}: {reason}" for reason in outcome.partial_reasons)
    if failed and not all_failed:
        reasons.extend(f"one source failed: {outcome.error.message}" for outcome in failed if outcome.error is not None)
    if all_failed:
        status = InvocationStatus.FAILED
    elif deduped:
        status = InvocationStatus.DEDUPED
    else:
        status = InvocationStatus.EVIDENCE if returned_count else InvocationStatus.NO_EVIDENCE
    answer: dict[str, Any] = {
        "evidence_status": status,
        "error": None if not all_failed else _all_errors(failed) if failed else _nobody_asked(outcomes),
        "returned_count": returned_count,
        "total_count": total_count,
        "fetched_count": fetched_count,
        "partial": bool(reasons) and not all_failed,
        "partial_reasons": [] if all_failed else reasons,
        "scope": scope.to_json(),
        "sources": [outcome.to_json() for outcome in outcomes],
        "schema_version": SCHEMA_VERSION,
        **items,
    }
    raw = [o.error.answer for o in failed if isinstance(o.error, BackendMalformedError)]
    if all_failed and raw:
        answer["raw_answer"] = raw[0][:_RAW_ANSWER_LIMIT]
    return answer


def _error(error: ToolError) -> dict[str, str]:
    return {"type": error.error_type, "message": error.message}


def _nobody_asked(outcomes: Sequence[SourceOutcome]) -> dict[str, str]:
    why = "; ".join(f"{outcome.name}: {outcome.not_asked}" for outcome in outcomes)
    return {"type": ErrorType.NOT_CONFIGURED, "message": f"no configured source covers what is asked: {why}"}


def _all_errors(failed: Sequence[SourceOutcome]) -> dict[str, str]:
    errors = [outcome.error for outcome in failed if outcome.error is not None]
    return {"type": errors[0].error_type, "message": "; ".join(error.message for error in errors)}
