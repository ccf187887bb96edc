"""Verifier: grounding, always; then a judge, where one is configured; the lower of the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from groundwire.domain.answer import Draft
from groundwire.domain.incident import Question
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.model import ModelFault, ModelReply
from groundwire.domain.names import Decision, DegradedReason, Verdict, new_id
from groundwire.domain.session import AgentStep
from groundwire.domain.verdict import ClaimVerdict, VerifierEvaluation
from groundwire.evidence.coverage import coverage_of
from groundwire.evidence.summary import ToolTraceSummaryService
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.grounding.ground import RULES_VERSION, ground_claims
from groundwire.ports import Clock, Judge, JudgeRequest, OutputStore, Progress, TraceReader
from groundwire.services.decision import Case, Decided, decide
from groundwire.services.judge_steps import JudgeSpending, not_asked_step, unheard
from groundwire.services.judgement import Judgement, ask_judge, read_judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """A decision with all that it came from."""

    decided: Decided
    verdicts: tuple[ClaimVerdict, ...]
    evaluation: VerifierEvaluation


class Verifier:
    """Holds a draft against the rows of a session, read back from the store.

    ``spending`` is given where the judge is a language model: each request to it is a step then, also one that brought nothing.
    """

    def __init__(
        self,
        *,
        reader: TraceReader,
        outputs: OutputStore,
        clock: Clock,
        judge: Judge | None,
        judge_timeout_s: float = 60.0,
        spending: JudgeSpending | None = None,
    ) -> None:
        self._reader = reader
        self._outputs = outputs
        self._clock = clock
        self._judge = judge
        self._judge_timeout_s = judge_timeout_s
        self._spending = spending or JudgeSpending()
        self._is_judge_a_model = spending is not None

    def verify(
        self,
        session_id: str,
        question: Question,
        draft: Draft,
        *,
        origin: str,
        progress: Progress | None = None,
        record: Callable[[AgentStep], object] = lambda step: None,
    ) -> Verification:
        """Return the verification of a draft; nothing is persisted.

        ``origin`` says what the evaluation is of: ``session`` (the session's own draft) or ``verify`` (one from elsewhere).
        ``progress`` is told when a judge is waited for. ``record`` is given each request to a judge that is a language model,
        also one that an interrupt ends, or why none was made.
        """
        started = self._clock.monotonic_ms()
        rows = self._reader.invocations(session_id)
        base = self.evidence_base(question, rows)
        verdicts = ground_claims(draft.claims, base)
        steps: list[AgentStep] = []
        try:
            judgement = self._judgement(session_id, question, draft, rows=rows, verdicts=verdicts, steps=steps, progress=progress)
        finally:
            for step in tuple(steps):
                record(step)
        decided = decide(case_of(question, draft, verdicts=verdicts, rows=rows, judgement=judgement, base=base))
        through = max((row.completion_seq or 0 for row in rows), default=0)
        evaluation = VerifierEvaluation(
            id=new_id(),
            session_id=session_id,
            attempt=0,
            decision=decided.decision,
            degraded_reason=decided.degraded_reason,
            verifier_output=judgement.raw,
            claim_verdicts=tuple(verdict.to_json() for verdict in verdicts),
            grounding={
                "origin": origin,
                "judge": None if self._judge is None else self._judge.name,
                "rows_through": through,
                "draft_complete": draft.complete,
                "counts": {verdict.value: sum(v.verdict is verdict for v in verdicts) for verdict in Verdict},
            },
            rules_version=RULES_VERSION,
            duration_ms=round(self._clock.monotonic_ms() - started, 3),
            created_at=self._clock.now(),
        )
        return Verification(decided=decided, verdicts=verdicts, evaluation=evaluation)

    def recompute(
        self, question: Question, draft: Draft, rows: Sequence[ToolInvocation], evaluation: VerifierEvaluation
    ) -> tuple[Decided, tuple[ClaimVerdict, ...]]:
        """Return decision and verdicts again from the stored outputs; what the judge said is taken from the evaluation."""
        base = self.evidence_base(question, rows)
        verdicts = ground_claims(draft.claims, base)
        had_judge = evaluation.grounding.get("judge") is not None
        if evaluation.degraded_reason == "verifier_unavailable":
            judgement = Judgement(raw=evaluation.verifier_output, fault=evaluation.degraded_reason)
        elif had_judge:
            judgement = read_judgement(evaluation.verifier_output)
        else:
            judgement = own_judgement(verdicts)
        return decide(case_of(question, draft, verdicts=verdicts, rows=rows, judgement=judgement, base=base)), verdicts

    def evidence_base(self, question: Question, rows: Sequence[ToolInvocation]) -> EvidenceBase:
        """Return the evidence of these rows, each with its stored output."""
        return EvidenceBase(question, [CallEvidence(row=row, output=self._load(row.id)) for row in rows])

    def _judgement(
        self,
        session_id: str,
        question: Question,
        draft: Draft,
        *,
        rows: Sequence[ToolInvocation],
        verdicts: tuple[ClaimVerdict, ...],
        steps: list[AgentStep],
        progress: Progress | None,
    ) -> Judgement:
        """Return the judgement; ``steps`` takes what was asked for it, or why nothing was."""
        if self._judge is None:
            return own_judgement(verdicts)
        judge, before = self._judge, self._reader.steps(session_id)
        refusal = self._spending.refusal(before)
        if refusal is not None:
            steps.append(not_asked_step(session_id, refusal))
            return Judgement(raw=refusal, fault=DegradedReason.VERIFIER_UNAVAILABLE)

        if progress is not None:
            progress.update(f"asking {judge.name} for a second opinion (up to {self._judge_timeout_s:g} s)")

        def note(reply: ModelReply) -> None:
            known = [*before, *steps]
            steps.append(
                self._spending.step_of(reply, session_id=session_id, judge=judge.name, claims=len(verdicts), before=known)
            )

        entries = ToolTraceSummaryService(self._reader).summarize(session_id, question.window)
        request = JudgeRequest(
            question=question,
            draft=draft,
            entries=entries,
            verdicts=verdicts,
            coverage=coverage_of(rows).to_json(),
            note=note,
        )
        try:
            judgement = ask_judge(judge, request, timeout_s=self._judge_timeout_s)
        except BaseException as exc:
            if self._is_judge_a_model and not steps:
                note(ModelReply(fault=ModelFault.INTERRUPTED, error_message=f"stopped by {type(exc).__name__}"))
            raise
        if self._is_judge_a_model and not steps:
            note(unheard(judgement))
        return judgement

    def _load(self, invocation_id: str) -> Mapping[str, Any] | None:
        raw = self._outputs.load_output(invocation_id)
        return None if raw is None else orjson.loads(raw)


def own_judgement(verdicts: Sequence[ClaimVerdict]) -> Judgement:
    """Return grounding's own verdicts as the verifier's output: without a judge there is nothing that could lower them."""
    said = {"judge": None, "claims": [{"id": v.claim.id, "verdict": v.verdict, "reason": v.reason} for v in verdicts]}
    return Judgement(raw=orjson.dumps(said).decode(), decision=Decision.PASS)


def case_of(
    question: Question,
    draft: Draft,
    *,
    verdicts: Sequence[ClaimVerdict],
    rows: Sequence[ToolInvocation],
    judgement: Judgement,
    base: EvidenceBase,
) -> Case:
    """Return what a decision is made from."""
    return Case(
        question=question,
        draft=draft,
        verdicts=verdicts,
        rows=rows,
        judgement=judgement,
        evidence=base,
    )
