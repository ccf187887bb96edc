"""ChatService: opens the session, runs the stages, decides, degrades."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from groundwire.domain.answer import Answer, Draft
from groundwire.domain.errors import GroundwireError, Interruption, StoreError, UsageError
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.metrics import Alert
from groundwire.domain.names import (
    Decision,
    DegradedReason,
    InvocationStatus,
    SessionStatus,
    StepKind,
    StepRole,
    new_id,
)
from groundwire.domain.session import AgentStep, DiagnosisSession, SessionOutcome
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.evidence.summary import ToolTraceSummaryService
from groundwire.grounding.ground import RULES_VERSION
from groundwire.ports import (
    Investigator,
    Progress,
)
from groundwire.services.assembly import assemble
from groundwire.services.context import SessionContext
from groundwire.services.drafts import draft_text, storable
from groundwire.services.question import Asked, read_question
from groundwire.services.reading_notes import reading_step, silent_sources
from groundwire.services.recorder import EvidenceRecorder
from groundwire.services.verifier import Verification, Verifier

_Result = TypeVar("_Result")

_NO_DRAFT: Final = Draft(claims=(), complete=False)
_TOO_LATE: Final = "no answer came before the investigation ended"


class ChatService:
    """Answers questions. ``render`` writes the stored ``final_output``; ``read_alerts`` reads a pasted alert, or returns none.

    ``model`` is the name of the language model that the investigator asks, if it asks one.
    """

    def __init__(
        self,
        context: SessionContext,
        *,
        investigator: Investigator,
        verifier: Verifier,
        render: Callable[[Answer], str],
        read_alerts: Callable[[str], tuple[Alert, ...]],
        model: str | None = None,
    ) -> None:
        self._context = context
        self._model = model
        self._stores = context.stores
        self._investigator = investigator
        self._verifier = verifier
        self._render = render
        self._read_alerts = read_alerts

    def diagnose(self, text: str, *, services: tuple[str, ...], window: TimeWindow | None, progress: Progress) -> Answer:
        """Return the answer to a question, or to a pasted alert; the whole session is persisted.

        Raises:
            UsageError: The question is empty or names an impossible time; no session is opened.
            StoreError: Evidence could not be recorded; the session ends as failed as far as that can still be written.
        """
        try:
            session, question = self._opened(self._asked(text, services, window), progress)
        except KeyboardInterrupt as exc:
            raise Interruption(None) from exc
        # From here on the stored wording of the question is the question: verdicts must come out the same on replay.
        question = replace(question, text=session.question)
        try:
            return self._run(session, question, progress)
        except BaseException as exc:
            self._close(session, exc)
            if isinstance(exc, KeyboardInterrupt):
                raise Interruption(session.id) from exc
            raise

    def _opened(self, asked: Asked, progress: Progress) -> tuple[DiagnosisSession, Question]:
        """Return a session whose question is fixed: kind, subjects and window hang on what the sources list."""
        catalog = self._context.catalog
        progress.update(": ".join(["looking at the sources", *([", ".join(catalog.names)] if catalog.names else [])]))
        question = read_question(asked, self._context.known())
        for name in dict.fromkeys(source.name for source in silent_sources(catalog.listing())):
            progress.update(f"{name} gave no listing; going on without it")
        return self._context.new_session(question, self._investigator.name, self._model), question

    def _asked(self, text: str, services: tuple[str, ...], window: TimeWindow | None) -> Asked:
        alerts = self._read_alerts(text) if text.lstrip()[:1] in ("{", "[") else ()
        if not alerts and text.lstrip()[:1] in ("{", "["):
            raise UsageError(
                "the question is JSON that holds no alert", hint="Ask in words, or paste an alert or a webhook body."
            )
        if alerts:
            text = " ".join(_alert_in_words(alert) for alert in alerts[:5])
        return Asked(text=text, services=services, window=window, alerts=alerts)

    def _run(self, session: DiagnosisSession, question: Question, progress: Progress) -> Answer:
        step = reading_step(session.id, question, self._context.catalog.listing())
        if step is not None:
            self._stores.traces.add_step(step)
        recorder = self._context.recorder(session, progress)
        draft = self._draft(session, question, recorder, progress)
        progress.update("checking the draft against the evidence")
        verification = self._verify(session, question, draft, progress)
        if verification is not None:
            revised = self._revise(session, draft, verification, recorder)
            # New evidence can decide otherwise on the same words.
            if revised != draft or self._has_rows_after(verification, session):
                self._stores.traces.add_evaluation(verification.evaluation)
                progress.update("checking the revised draft against the evidence")
                draft, verification = revised, self._verify(session, question, revised, progress)
        evaluation = self._stores.traces.add_evaluation(
            verification.evaluation if verification is not None else self._no_verification(session)
        )
        return self._complete(session, draft, evaluation, progress)

    def _has_rows_after(self, verification: Verification, session: DiagnosisSession) -> bool:
        through = verification.evaluation.grounding["rows_through"]
        return any((row.completion_seq or 0) > through for row in self._stores.reader.invocations(session.id))

    def _draft(self, session: DiagnosisSession, question: Question, recorder: EvidenceRecorder, progress: Progress) -> Draft:
        def draft() -> Draft:
            return storable(self._investigator.draft(question, recorder, progress))

        drafted = self._stage(session, StepRole.EXECUTOR, "the investigation", draft, otherwise=_NO_DRAFT)
        self._end_open_calls(session, _TOO_LATE)
        return drafted

    def _revise(self, session: DiagnosisSession, draft: Draft, verification: Verification, recorder: EvidenceRecorder) -> Draft:
        def revise() -> Draft:
            return storable(self._investigator.revise(draft, verification.verdicts, recorder))

        revised = self._stage(session, StepRole.EXECUTOR, "the revision", revise, otherwise=draft)
        self._end_open_calls(session, _TOO_LATE)
        return revised

    def _end_open_calls(self, session: DiagnosisSession, why: str) -> None:
        """Complete what nobody waits for any more: a row that is decided on changes no more, and none is left running.

        Calls that somebody else makes in this session are their own.
        """
        reader, mine = self._stores.reader, self._context.owner
        if not any(row.status == InvocationStatus.RUNNING for row in reader.digests(session.id)):
            return
        rows = reader.invocations(session.id)
        running = [row.id for row in rows if row.status is InvocationStatus.RUNNING and row.owner == mine]
        self._stores.sessions.interrupt(running, (), why, self._context.clock.now())

    def _verify(self, session: DiagnosisSession, question: Question, draft: Draft, progress: Progress) -> Verification | None:
        def verify() -> Verification | None:
            return self._verifier.verify(
                session.id, question, draft, origin="session", progress=progress, record=self._stores.traces.add_step
            )

        return self._stage(session, StepRole.VERIFIER, "the verifier stage", verify, otherwise=None)

    def _stage(
        self, session: DiagnosisSession, role: StepRole, name: str, run: Callable[[], _Result], *, otherwise: _Result
    ) -> _Result:
        """Return what a stage gives; a fault in it is a visible step, and ``otherwise`` stands: what was recorded is kept.

        Whatever is raised: an investigator may be foreign code, and a verifier that breaks on a claim nobody thought of has to
        end in LOW_CONFID, never in no answer and no record. A fault of the store ends the run, for then no step can say so.
        """
        try:
            return run()
        except StoreError:
            raise
        except Exception as exc:  # noqa: BLE001 - see above
            self._record_fault(session, role, f"{name} ended early", exc)
            return otherwise

    def _record_fault(self, session: DiagnosisSession, role: StepRole, what: str, exc: Exception) -> None:
        message = exc.message if isinstance(exc, GroundwireError) else f"{type(exc).__name__}: {exc}"
        self._stores.traces.add_step(
            AgentStep(
                id=new_id(),
                session_id=session.id,
                kind=StepKind.HELPER,
                role=role,
                request_summary=what,
                error_message=mask_text(make_storable(message))[:2000],
            )
        )

    def _no_verification(self, session: DiagnosisSession) -> VerifierEvaluation:
        return VerifierEvaluation(
            id=new_id(),
            session_id=session.id,
            attempt=0,
            decision=Decision.LOW_CONFID,
            degraded_reason=DegradedReason.VERIFIER_MISSING,
            verifier_output=None,
            claim_verdicts=(),
            grounding={"origin": "session", "judge": None, "rows_through": 0, "draft_complete": False, "counts": {}},
            rules_version=RULES_VERSION,
            duration_ms=0.0,
            created_at=self._context.clock.now(),
        )

    def _complete(self, session: DiagnosisSession, draft: Draft, evaluation: VerifierEvaluation, progress: Progress) -> Answer:
        reader = self._stores.reader
        rows, steps = reader.invocations(session.id), reader.steps(session.id)
        counted = replace(
            session,
            tool_call_count=len(rows),
            step_count=sum(step.kind is StepKind.MODEL for step in steps),
        )
        entries = ToolTraceSummaryService(reader).summarize(session.id, session.window)
        answer = assemble(counted, rows, evaluation, entries, self._stores.outputs, steps=steps)
        if answer.usage is not None:
            progress.update(f"models took {answer.usage.in_words()}")
        self._stores.sessions.complete_session(
            session.id,
            SessionOutcome(
                status=SessionStatus.COMPLETED,
                completed_at=self._context.clock.now(),
                decision=evaluation.decision,
                degraded_reason=evaluation.degraded_reason,
                final_output=self._render(answer),
                draft_answer=draft_text(draft),
            ),
        )
        return answer

    def _close(self, session: DiagnosisSession, exc: BaseException) -> None:
        """Leave no session running that nobody runs; when the store itself is broken, its error is the one to see."""
        cancelled = isinstance(exc, KeyboardInterrupt | SystemExit)
        status = SessionStatus.CANCELLED if cancelled else SessionStatus.FAILED
        try:
            self._end_open_calls(session, f"stopped by {type(exc).__name__}")
            self._stores.sessions.complete_session(
                session.id, SessionOutcome(status=status, completed_at=self._context.clock.now())
            )
        except StoreError:
            return


def _alert_in_words(alert: Alert) -> str:
    service = f" for {alert.service}" if alert.service else ""
    summary = alert.annotations.get("summary") or alert.annotations.get("description") or ""
    return f"Why is {alert.alert_name} {alert.state}{service}? {summary}".strip()
