"""The store of rows and outputs, in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, cast

from groundwire.domain.chain import GENESIS, settle_json
from groundwire.domain.completion import completed_row, interruption, running_row
from groundwire.domain.errors import StoreError
from groundwire.domain.invocation import InvocationCompletion, InvocationStart, ToolInvocation
from groundwire.domain.names import InvocationStatus, SessionStatus, StepKind
from groundwire.domain.session import AgentStep, DiagnosisSession, SessionOutcome
from groundwire.domain.session_names import choose_session
from groundwire.domain.times import as_utc
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.ports import InvocationDigest

RowT = TypeVar("RowT")


class InMemoryTraceStore:
    """`TraceWriter`, `SessionWriter`, `TraceReader` and `OutputStore` in memory; safe for many threads.

    ``fail_with`` is an error that every write raises from the moment it is set, as a store that is full or locked would.
    """

    def __init__(self) -> None:
        self.fail_with: StoreError | None = None
        self._lock = threading.RLock()
        self._sessions: dict[str, DiagnosisSession] = {}
        self._starts: dict[str, InvocationStart] = {}
        self._rows: dict[str, ToolInvocation] = {}
        self._outputs: dict[str, bytes] = {}
        self._steps: dict[str, AgentStep] = {}
        self._evaluations: dict[str, VerifierEvaluation] = {}

    def begin_invocation(self, start: InvocationStart) -> int:
        with self._lock:
            self._check(start.session_id)
            _refuse_twice(start.id, self._rows)
            start = replace(start, input_params=_copy(start.input_params), started_at=as_utc(start.started_at))
            seq = len(self._of(start.session_id)) + 1
            self._starts[start.id] = start
            self._rows[start.id] = running_row(start, seq)
        return seq

    def complete_invocation(self, completion: InvocationCompletion) -> ToolInvocation:
        with self._lock:
            self._check(completion.session_id)
            row = self._rows.get(completion.id)
            if row is None or row.session_id != completion.session_id:
                raise StoreError(f"There is no call {completion.id} in session {completion.session_id}.")
            if row.status is not InvocationStatus.RUNNING:
                raise StoreError(
                    f"Call i{row.seq} of session {row.session_id} is already completed as {row.status}; its result is dropped."
                )
            return self._seal(completion)

    def add_step(self, step: AgentStep) -> AgentStep:
        with self._lock:
            self._check(step.session_id)
            _refuse_twice(step.id, self._steps)
            taken = [known.seq for known in self._steps.values() if known.session_id == step.session_id]
            if step.seq in taken:
                raise StoreError(f"Step {step.seq} of session {step.session_id} is taken.")
            step = step if step.seq else replace(step, seq=max(taken, default=0) + 1)
            self._steps[step.id] = step
        return step

    def add_evaluation(self, evaluation: VerifierEvaluation) -> VerifierEvaluation:
        with self._lock:
            self._check(evaluation.session_id)
            _refuse_twice(evaluation.id, self._evaluations)
            attempt = len(self.evaluations(evaluation.session_id)) + 1
            evaluation = replace(
                evaluation,
                attempt=attempt,
                claim_verdicts=tuple(map(_copy, evaluation.claim_verdicts)),
                grounding=_copy(evaluation.grounding),
            )
            self._evaluations[evaluation.id] = evaluation
        return evaluation

    def open_session(self, session: DiagnosisSession) -> None:
        with self._lock:
            self._check(None)
            _refuse_twice(session.id, self._sessions)
            self._sessions[session.id] = replace(session, created_at=as_utc(session.created_at))

    def complete_session(self, session_id: str, outcome: SessionOutcome) -> DiagnosisSession:
        with self._lock:
            self._check(session_id)
            if self._sessions[session_id].status is not SessionStatus.RUNNING:
                raise StoreError(f"Session {session_id} is already {self._sessions[session_id].status}.")
            return self._complete(session_id, outcome)

    def recount(self, session_id: str) -> None:
        with self._lock:
            self._check(session_id)
            self._sessions[session_id] = self._counted(self._sessions[session_id])

    def interrupt(self, invocation_ids: Iterable[str], session_ids: Iterable[str], message: str, at: datetime) -> None:
        with self._lock:
            self._check(None)
            rows = (self._rows[row_id] for row_id in set(invocation_ids) if row_id in self._rows)
            for row in sorted(rows, key=lambda row: (row.session_id, row.seq)):
                if row.status is InvocationStatus.RUNNING:
                    self._seal(interruption(self._starts[row.id], message, at))
            for session_id in set(session_ids):
                self._check(session_id)
                if self._sessions[session_id].status is SessionStatus.RUNNING:
                    self._complete(session_id, SessionOutcome(status=SessionStatus.FAILED, completed_at=at))

    def find_session(self, id_or_part: str) -> DiagnosisSession:
        newest_first = [session.id for session in self.sessions()]
        return self._sessions[choose_session(id_or_part, newest_first)]

    def sessions(self, *, limit: int | None = None, running_only: bool = False) -> tuple[DiagnosisSession, ...]:
        with self._lock:
            newest_first = sorted(self._sessions.values(), key=lambda session: (session.created_at, session.id), reverse=True)
        found = [session for session in newest_first if not running_only or session.status is SessionStatus.RUNNING]
        return tuple(found[:limit])

    def invocations(self, session_id: str) -> tuple[ToolInvocation, ...]:
        with self._lock:
            return tuple(sorted(self._of(session_id), key=lambda row: row.seq))

    def digests(self, session_id: str) -> tuple[InvocationDigest, ...]:
        return tuple(map(_digest, self.invocations(session_id)))

    def steps(self, session_id: str) -> tuple[AgentStep, ...]:
        with self._lock:
            mine = [step for step in self._steps.values() if step.session_id == session_id]
        return tuple(sorted(mine, key=lambda step: step.seq))

    def evaluations(self, session_id: str) -> tuple[VerifierEvaluation, ...]:
        with self._lock:
            return tuple(evaluation for evaluation in self._evaluations.values() if evaluation.session_id == session_id)

    def load_output(self, invocation_id: str) -> bytes | None:
        with self._lock:
            return self._outputs.get(invocation_id)

    def _check(self, session_id: str | None) -> None:
        if self.fail_with is not None:
            raise self.fail_with
        if session_id is not None and session_id not in self._sessions:
            raise StoreError(f"There is no session {session_id} in memory.")

    def _of(self, session_id: str) -> list[ToolInvocation]:
        return [row for row in self._rows.values() if row.session_id == session_id]

    def _seal(self, completion: InvocationCompletion) -> ToolInvocation:
        completed = [row for row in self._of(completion.session_id) if row.completion_seq is not None]
        last = max(completed, key=lambda row: row.completion_seq or 0, default=None)
        row = completed_row(
            self._starts[completion.id],
            self._rows[completion.id].seq,
            replace(completion, scope=_copy(completion.scope), retrieval_details=_copy(completion.retrieval_details)),
            completion_seq=len(completed) + 1,
            previous_hash=GENESIS if last is None else cast("str", last.row_hash),
        )
        self._rows[row.id] = row
        if completion.output is not None:
            self._outputs[row.id] = completion.output
        return row

    def _complete(self, session_id: str, outcome: SessionOutcome) -> DiagnosisSession:
        completed = replace(
            self._counted(self._sessions[session_id]),
            status=outcome.status,
            completed_at=outcome.completed_at,
            decision=outcome.decision,
            degraded_reason=outcome.degraded_reason,
            final_output=outcome.final_output,
            draft_answer=outcome.draft_answer,
        )
        self._sessions[session_id] = completed
        return completed

    def _counted(self, session: DiagnosisSession) -> DiagnosisSession:
        model_steps = sum(1 for step in self.steps(session.id) if step.kind is StepKind.MODEL)
        return replace(session, step_count=model_steps, tool_call_count=len(self._of(session.id)))


def _copy(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a database would give back: a value of its own, which its writer cannot change any more."""
    return cast("dict[str, Any]", settle_json(value))


def _refuse_twice(row_id: str, rows: Mapping[str, RowT]) -> None:
    if row_id in rows:
        raise StoreError(f"There is a row {row_id} already.")


def _digest(row: ToolInvocation) -> InvocationDigest:
    refs = (row.retrieval_details or {}).get("evidence_refs") or ()
    return InvocationDigest(
        id=row.id,
        seq=row.seq,
        tool_name=row.tool_name,
        status=row.status,
        error_type=row.error_type,
        error_message=row.error_message,
        returned_count=row.returned_count,
        total_count=row.total_count,
        partial=bool(row.partial),
        partial_reasons=row.partial_reasons,
        labels=(row.scope or {}).get("labels") or {},
        evidence_refs=refs,
        output_preview=None if refs else row.output_preview,
    )
