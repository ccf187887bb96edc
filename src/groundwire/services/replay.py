"""Replay: refs, summary and grounding again from the stored outputs; the same decision, or the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from groundwire.domain.errors import UsageError
from groundwire.domain.incident import Question
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.reports import ReplayReport
from groundwire.domain.session import DiagnosisSession
from groundwire.domain.verdict import ClaimVerdict, VerifierEvaluation
from groundwire.evidence.refs import evidence_refs
from groundwire.grounding.ground import RULES_VERSION
from groundwire.ports import OutputStore, TraceReader
from groundwire.services.drafts import read_draft
from groundwire.services.history import decided_evaluation, rows_of
from groundwire.services.verifier import Verifier


def replay_session(session_id: str, reader: TraceReader, outputs: OutputStore, verifier: Verifier) -> ReplayReport:
    """Return the decision computed again beside the recorded one.

    Raises:
        UsageError: The session was never decided, so there is nothing to compute again.
    """
    session = reader.find_session(session_id)
    evaluation = decided_evaluation(reader.evaluations(session.id))
    if session.decision is None or evaluation is None or session.draft_answer is None:
        raise UsageError(
            f"session {session.id} has no decision to replay", hint=f"See what was recorded: groundwire trace {session.id}"
        )
    rows = rows_of(reader.invocations(session.id), evaluation)
    question = question_of(session)
    decided, verdicts = verifier.recompute(question, read_draft(session.draft_answer), rows, evaluation)
    differences = [
        *_ref_differences(rows, session, outputs),
        *_verdict_differences(verdicts, evaluation),
    ]
    if (decided.decision, decided.degraded_reason) != (session.decision, session.degraded_reason):
        now, then = _named(decided.decision, decided.degraded_reason), _named(session.decision, session.degraded_reason)
        differences.append(f"the decision is now {now}; it was recorded as {then}")
    if differences and evaluation.rules_version != RULES_VERSION:
        differences.append(f"the rules are version {RULES_VERSION} now; the session was decided with {evaluation.rules_version}")
    return ReplayReport(
        session_id=session.id,
        decision=decided.decision,
        recorded_decision=session.decision,
        differences=tuple(differences),
    )


def question_of(session: DiagnosisSession) -> Question:
    """Return the question as it was fixed when the session was opened."""
    return Question(
        text=session.question,
        kind=session.question_kind,
        subjects=session.subjects,
        window=session.window,
        window_source=session.window_source,
    )


def _named(decision: object, reason: object) -> str:
    return f"{decision}" if reason is None else f"{decision} ({reason})"


def _ref_differences(rows: Sequence[ToolInvocation], session: DiagnosisSession, outputs: OutputStore) -> Iterator[str]:
    for row in rows:
        raw = outputs.load_output(row.id)
        if raw is None:
            if row.evidence_refs:
                yield f"the output of {row.ref_id} is gone"
            continue
        fresh = evidence_refs(row.tool_name, row.seq, orjson.loads(raw), session.window) if row.evidence_refs else []
        if list(row.evidence_refs) != fresh:
            yield f"the refs of {row.ref_id} come out differently"


def _verdict_differences(verdicts: Sequence[ClaimVerdict], evaluation: VerifierEvaluation) -> Iterator[str]:
    recorded = {item["id"]: item["verdict"] for item in evaluation.claim_verdicts}
    for verdict in verdicts:
        before = recorded.get(verdict.claim.id)
        if before != verdict.verdict:
            yield f"claim {verdict.claim.id} is now {verdict.verdict}; it was recorded as {before}"
