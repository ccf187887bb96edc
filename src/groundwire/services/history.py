"""What was recorded, read back: sessions, answers, traces and the raw items behind refs. Readers never write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import orjson

from groundwire.domain.answer import Answer
from groundwire.domain.errors import NotFoundError, UsageError
from groundwire.domain.invocation import INTERRUPTED_MESSAGE, ToolInvocation
from groundwire.domain.names import ErrorType, InvocationStatus, SessionStatus, StepKind
from groundwire.domain.raw_path import parse_ref, resolve
from groundwire.domain.reports import ClaimExplanation, EvidenceItem, Trace
from groundwire.domain.session import DiagnosisSession, Owner
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.evidence.summary import summarize_digests
from groundwire.ports import InvocationDigest, OutputStore, TraceReader
from groundwire.services.assembly import assemble


class History:
    """Reads one store. ``is_alive`` tells whether the process of an owner still runs."""

    def __init__(self, *, reader: TraceReader, outputs: OutputStore, is_alive: Callable[[Owner], bool]) -> None:
        self._reader = reader
        self._outputs = outputs
        self._is_alive = is_alive

    def sessions(self, limit: int | None) -> tuple[DiagnosisSession, ...]:
        """Return sessions, newest first; one that a dead process left running is shown as failed."""
        return tuple(self._as_it_stands(session) for session in self._reader.sessions(limit=limit))

    def show(self, session_id: str) -> Answer:
        """Return the answer of a session, assembled again from its rows.

        Raises:
            UsageError: The session has no decision: it still runs, was interrupted, or holds calls made by hand.
        """
        session = self._reader.find_session(session_id)
        evaluation = decided_evaluation(self._reader.evaluations(session.id))
        if session.decision is None or evaluation is None:
            raise UsageError(
                f"session {session.id} has no decision: {self._why_undecided(session)}",
                hint=f"See what was recorded: groundwire trace {session.id}",
            )
        return answer_of(session, evaluation, self._reader, self._outputs)

    def trace(self, session_id: str) -> Trace:
        """Return everything recorded of a session; a row left running by a dead process is named as interrupted."""
        session = self._reader.find_session(session_id)
        rows = self._reader.invocations(session.id)
        interrupted = frozenset(row.id for row in rows if self._is_interrupted(row))
        digests = [_interrupted(each) if each.id in interrupted else each for each in self._reader.digests(session.id)]
        return Trace(
            session=self._as_it_stands(session),
            invocations=rows,
            interrupted_ids=interrupted,
            steps=self._reader.steps(session.id),
            entries=summarize_digests(digests, session.window),
            evaluations=self._reader.evaluations(session.id),
        )

    def explain(self, session_id: str, claim_id: str) -> ClaimExplanation:
        """Return the verdict on one claim of a session's draft as it was recorded, with its facts.

        Raises:
            UsageError: The session has no decision.
            NotFoundError: Its draft has no such claim.
        """
        session = self._reader.find_session(session_id)
        evaluation = decided_evaluation(self._reader.evaluations(session.id))
        if evaluation is None:
            raise UsageError(f"session {session.id} has no decision: {self._why_undecided(session)}")
        verdict = next((item for item in evaluation.claim_verdicts if item["id"] == claim_id), None)
        if verdict is None:
            known = ", ".join(str(item["id"]) for item in evaluation.claim_verdicts[:20]) or "none"
            raise NotFoundError(f"session {session.id} has no claim {claim_id!r}", hint=f"Its claims are {known}.")
        return ClaimExplanation(session_id=session.id, decision=evaluation.decision, verdict=verdict)

    def evidence(self, session_id: str, ref_id: str) -> EvidenceItem:
        """Return the raw item behind a ref such as ``i2.logs.3``, ``i2.summary`` or ``i2``.

        Raises:
            NotFoundError: The session has no such ref.
        """
        session = self._reader.find_session(session_id)
        parsed = parse_ref(ref_id)
        if parsed is None:
            raise UsageError(f"{ref_id!r} is not a ref", hint="Refs are written like i2.logs.3, i1.alerts.0, i2.summary or i2.")
        row = next((row for row in self._reader.invocations(session.id) if row.seq == parsed.seq), None)
        raw = None if row is None else self._outputs.load_output(row.id)
        if row is None or raw is None:
            what = "has no call" if row is None else "has no output of call"
            raise NotFoundError(
                f"session {session.id} {what} i{parsed.seq}", hint=f"List its refs: groundwire trace {session.id}"
            )
        try:
            item = resolve(orjson.loads(raw), parsed.raw_path)
        except LookupError as exc:
            raise NotFoundError(
                f"call i{parsed.seq} has nothing at {parsed.raw_path}", hint=f"List its refs: groundwire trace {session.id}"
            ) from exc
        return EvidenceItem(
            session_id=session.id,
            ref_id=ref_id,
            raw_path=parsed.raw_path,
            item=item,
            invocation_id=row.id,
            output_sha256=row.output_sha256,
        )

    def _is_interrupted(self, row: ToolInvocation) -> bool:
        return row.status is InvocationStatus.RUNNING and not self._is_alive(row.owner)

    def _as_it_stands(self, session: DiagnosisSession) -> DiagnosisSession:
        """Count the rows of a session that is not completed, and show one that nobody runs any more as failed."""
        if session.status is not SessionStatus.RUNNING:
            return session
        steps = sum(step.kind is StepKind.MODEL for step in self._reader.steps(session.id))
        session = replace(session, tool_call_count=len(self._reader.digests(session.id)), step_count=steps)
        return session if self._is_alive(session.owner) else replace(session, status=SessionStatus.FAILED)

    def _why_undecided(self, session: DiagnosisSession) -> str:
        if session.status is not SessionStatus.RUNNING:
            return f"it is {session.status}"
        return "it is still running" if self._is_alive(session.owner) else "it was interrupted"


def _interrupted(digest: InvocationDigest) -> InvocationDigest:
    return digest._replace(status=InvocationStatus.FAILED, error_type=ErrorType.INTERRUPTED, error_message=INTERRUPTED_MESSAGE)


def answer_of(session: DiagnosisSession, evaluation: VerifierEvaluation, reader: TraceReader, outputs: OutputStore) -> Answer:
    """Return the answer of a decided session from the rows that the decision was made on."""
    rows = rows_of(reader.invocations(session.id), evaluation)
    seen = {row.id for row in rows}
    digests = [digest for digest in reader.digests(session.id) if digest.id in seen]
    counted = replace(session, tool_call_count=len(rows))
    entries = summarize_digests(digests, session.window)
    return assemble(counted, rows, evaluation, entries, outputs, steps=reader.steps(session.id))


def decided_evaluation(evaluations: tuple[VerifierEvaluation, ...]) -> VerifierEvaluation | None:
    """Return the evaluation that decided the session: the last of its own draft."""
    own = [evaluation for evaluation in evaluations if evaluation.grounding.get("origin") == "session"]
    return own[-1] if own else None


def rows_of(rows: tuple[ToolInvocation, ...], evaluation: VerifierEvaluation) -> tuple[ToolInvocation, ...]:
    """Return the rows that an evaluation saw: calls added by hand later change nothing of what was decided."""
    through = evaluation.grounding.get("rows_through") or 0
    return tuple(row for row in rows if row.completion_seq is not None and row.completion_seq <= through)
