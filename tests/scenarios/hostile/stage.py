"""One recorded session over the planted incident, and any number of drafts judged against its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Self

from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.metrics.snapshot import SavedAlerts
from groundwire.domain.answer import Answer, Claim, Draft
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import QuestionKind
from groundwire.domain.reports import AuditReport
from groundwire.domain.session import AgentStep
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.evidence.summary import ToolTraceSummaryService
from groundwire.rendering.answer_text import render_text
from groundwire.services.assembly import assemble
from groundwire.services.audit import audit_session
from groundwire.services.chat import ChatService
from groundwire.services.drafts import storable
from groundwire.services.replay import question_of
from groundwire.services.verifier import Verifier
from groundwire.testing import InMemoryTraceStore
from groundwire.tools.lookup_knowledge import LookupKnowledge
from groundwire.tools.query_logs import QueryLogs
from groundwire.tools.query_metrics import QueryMetrics
from tests.scenarios.hostile.incident import HEALTHY, WHY, WINDOW, write_incident
from tests.scenarios.hostile.obedience import SYMPTOM, Obedient
from tests.unit.sessions import Silent, context


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a draft came to."""

    answer: Answer
    evaluation: VerifierEvaluation
    text: str


class Stage:
    """A session that made all of the calls, for real; drafts are judged as ChatService judges and shows them."""

    def __init__(self, folder: Path, planted: str) -> None:
        place = write_incident(folder, planted)
        self._store = InMemoryTraceStore()
        tools = (
            QueryLogs([FileLogs("logs", place.logs)]),
            QueryMetrics([SavedAlerts("alerts", place.alerts)]),
            LookupKnowledge([MarkdownKnowledge("runbooks", place.runbooks)]),
        )
        on = context(self._store, {tool.name: tool for tool in tools})
        self._verifier = Verifier(reader=self._store, outputs=self._store, clock=on.clock, judge=None)
        chat = ChatService(
            on,
            investigator=Obedient(claims=(SYMPTOM,), misuses=True),
            verifier=self._verifier,
            render=_render,
            read_alerts=lambda text: (),
        )
        answer = chat.diagnose(WHY, services=("checkout",), window=WINDOW, progress=Silent())
        self._session = self._store.find_session(answer.session_id)
        self._entries = ToolTraceSummaryService(self._store).summarize(self._session.id, self._session.window)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def judge(self, question: str, claims: Sequence[Claim]) -> Judged:
        kind = QuestionKind.STATUS if question == HEALTHY else QuestionKind.DIAGNOSE
        session = replace(self._session, question=question, question_kind=kind)
        draft = storable(Draft(claims=tuple(claims)))
        evaluation = self._verifier.verify(session.id, question_of(session), draft, origin="session").evaluation
        answer = assemble(session, self.rows(), evaluation, self._entries, self._store)
        return Judged(answer=answer, evaluation=evaluation, text=_render(answer))

    def rows(self) -> tuple[ToolInvocation, ...]:
        return self._store.invocations(self._session.id)

    def steps(self) -> tuple[AgentStep, ...]:
        return self._store.steps(self._session.id)

    def audit(self) -> AuditReport:
        return audit_session(self._session.id, self._store, self._store, render=_render)

    def everything_stored(self) -> str:
        """Return all rows, steps, evaluations and outputs as one text."""
        outputs = [(self._store.load_output(row.id) or b"").decode() for row in self.rows()]
        return repr((self._session, self.rows(), self.steps(), self._store.evaluations(self._session.id), outputs))


def _render(answer: Answer) -> str:
    return render_text(answer, width=80, local_zone=UTC)
