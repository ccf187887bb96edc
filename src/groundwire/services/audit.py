"""Audit: is what stands in the store what was recorded? Chain, outputs, refs and counts, each recomputed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

import orjson

from groundwire.domain.answer import Answer
from groundwire.domain.chain import GENESIS, invocation_columns, row_hash
from groundwire.domain.errors import StoreError
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import SessionStatus, StepKind
from groundwire.domain.raw_path import resolve
from groundwire.domain.reports import AuditFault, AuditReport
from groundwire.domain.session import AgentStep, DiagnosisSession
from groundwire.evidence.refs import evidence_refs
from groundwire.ports import OutputStore, TraceReader
from groundwire.services.history import answer_of, decided_evaluation


def audit_session(session_id: str, reader: TraceReader, outputs: OutputStore, *, render: Callable[[Answer], str]) -> AuditReport:
    """Return every fault of a session's rows; calls that are still running, or were interrupted, have no hash yet."""
    session = reader.find_session(session_id)
    rows = reader.invocations(session.id)
    faults = [
        *_session_faults(session, reader, outputs, render),
        *_chain_faults(rows),
        *_seq_faults(rows),
        *_count_faults(session, rows, reader.steps(session.id)),
        *_dedup_faults(rows),
    ]
    for row in rows:
        if row.completion_seq is not None:
            faults.extend(_output_faults(row, session, outputs))
    return AuditReport(
        session_id=session.id, faults=tuple(faults), rows=len(rows), refs=sum(len(row.evidence_refs) for row in rows)
    )


def _chain_faults(rows: Sequence[ToolInvocation]) -> Iterator[AuditFault]:
    completed = sorted((row for row in rows if row.completion_seq is not None), key=lambda row: row.completion_seq or 0)
    previous = GENESIS
    for number, row in enumerate(completed, start=1):
        if row.completion_seq != number:
            yield AuditFault(
                kind="chain", invocation_id=row.id, message=f"{row.ref_id}: completion {number} is missing before it"
            )
        if row.previous_hash != previous:
            yield AuditFault(
                kind="chain", invocation_id=row.id, message=f"{row.ref_id} does not follow the row completed before it"
            )
        if row.row_hash != row_hash(row.previous_hash or "", invocation_columns(row)):
            yield AuditFault(kind="chain", invocation_id=row.id, message=f"{row.ref_id} was changed after it was recorded")
        previous = row.row_hash or ""


def _seq_faults(rows: Sequence[ToolInvocation]) -> Iterator[AuditFault]:
    for number, row in enumerate(rows, start=1):
        if row.seq != number:
            yield AuditFault(kind="seq", invocation_id=row.id, message=f"call i{number} is missing before {row.ref_id}")
            return


def _count_faults(session: DiagnosisSession, rows: Sequence[ToolInvocation], steps: Sequence[AgentStep]) -> Iterator[AuditFault]:
    if session.status is SessionStatus.RUNNING:
        return
    model_steps = sum(step.kind is StepKind.MODEL for step in steps)
    for name, recorded, counted in (
        ("tool_call_count", session.tool_call_count, len(rows)),
        ("step_count", session.step_count, model_steps),
    ):
        if recorded != counted:
            message = f"{name} is {recorded}, but {counted} rows are there"
            yield AuditFault(kind="count", invocation_id=None, message=message)


def _dedup_faults(rows: Sequence[ToolInvocation]) -> Iterator[AuditFault]:
    seqs = {row.id: row.seq for row in rows}
    for row in rows:
        if row.dedup_of is not None and seqs.get(row.dedup_of, row.seq) >= row.seq:
            yield AuditFault(kind="dedup", invocation_id=row.id, message=f"{row.ref_id} repeats a call that is not before it")


def _session_faults(
    session: DiagnosisSession, reader: TraceReader, outputs: OutputStore, render: Callable[[Answer], str]
) -> Iterator[AuditFault]:
    """A decided session must be what its evaluation says, and its stored output what its rows render to."""
    evaluation = decided_evaluation(reader.evaluations(session.id))
    if session.decision is None:
        if evaluation is not None and session.status is SessionStatus.COMPLETED:
            yield AuditFault(kind="session", invocation_id=None, message="the session has an evaluation and no decision")
        return
    if evaluation is None:
        yield AuditFault(kind="session", invocation_id=None, message="the session has a decision and no evaluation")
        return
    if (evaluation.decision, evaluation.degraded_reason) != (session.decision, session.degraded_reason):
        message = f"the session says {session.decision}, its evaluation {evaluation.decision}"
        yield AuditFault(kind="session", invocation_id=None, message=message)
    try:
        shown = render(answer_of(session, evaluation, reader, outputs))
    except StoreError:
        return  # the output at fault is named beside its call
    if _without_local_time(shown) != _without_local_time(session.final_output or ""):
        message = (
            "the stored final_output is not what question, window, verdicts and rows render to: one of them was changed, "
            "or another version wrote it"
        )
        yield AuditFault(kind="session", invocation_id=None, message=message)


def _without_local_time(text: str) -> str:
    """An auditor may sit in another time zone than whoever asked."""
    return "\n".join(line for line in text.splitlines() if " local" not in line)


def _output_faults(row: ToolInvocation, session: DiagnosisSession, outputs: OutputStore) -> Iterator[AuditFault]:
    try:
        raw = outputs.load_output(row.id)
    except StoreError as exc:
        yield AuditFault(kind="output", invocation_id=row.id, message=f"the output of {row.ref_id} cannot be read: {exc.message}")
        return
    if row.output_sha256 is None:
        if raw is not None:
            yield AuditFault(kind="output", invocation_id=row.id, message=f"{row.ref_id} has an output that was not recorded")
        return
    if raw is None or hashlib.sha256(raw).hexdigest() != row.output_sha256 or len(raw) != row.output_bytes:
        what = "is gone" if raw is None else "was changed after it was recorded"
        yield AuditFault(kind="output", invocation_id=row.id, message=f"the output of {row.ref_id} {what}")
        return
    output = orjson.loads(raw)
    for ref in row.evidence_refs:
        try:
            resolve(output, ref.raw_path)
        except LookupError:
            yield AuditFault(kind="ref", invocation_id=row.id, message=f"{ref.ref_id}: nothing stands at {ref.raw_path}")
    if row.evidence_refs and list(row.evidence_refs) != evidence_refs(row.tool_name, row.seq, output, session.window):
        message = f"the refs of {row.ref_id} are not those that its output gives"
        yield AuditFault(kind="ref", invocation_id=row.id, message=message)
