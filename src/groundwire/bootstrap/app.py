"""The application: every service, wired to one store and its sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

from groundwire.adapters.process import SystemClock, current_owner, is_alive
from groundwire.bootstrap.model_checks import model_parts
from groundwire.bootstrap.models import Models, limits_of, opened_judge, opened_models, replay_difference, spending_of
from groundwire.bootstrap.sources import Sources, read_pasted_alerts
from groundwire.domain.answer import Answer
from groundwire.domain.errors import UsageError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.reports import (
    AuditReport,
    CallReport,
    ClaimExplanation,
    DoctorReport,
    EvidenceItem,
    ReplayReport,
    Trace,
    VerifyReport,
)
from groundwire.domain.session import DiagnosisSession
from groundwire.investigators.playbook import Playbook
from groundwire.ports import Investigator, Judge, LanguageModel, Progress
from groundwire.rendering.answer_text import render_text
from groundwire.services.audit import audit_session
from groundwire.services.calls import call_tool
from groundwire.services.chat import ChatService
from groundwire.services.context import SessionContext, Stores
from groundwire.services.doctor import examine
from groundwire.services.foreign_draft import verify_draft
from groundwire.services.history import History
from groundwire.services.interruption import mark_interrupted
from groundwire.services.judge_steps import JudgeSpending
from groundwire.services.replay import replay_session
from groundwire.services.verifier import Verifier
from groundwire.settings import DEMO, Settings
from groundwire.store.sql_store import SqlStore, open_store

if TYPE_CHECKING:
    from groundwire.services.call_params import Params

DEMO_QUESTION: Final = "Why are requests to order-service failing?"

_STORED_WIDTH: Final = 80


def build(settings: Settings) -> App:
    """Return the application of these settings; the database and the sources are opened when first needed."""
    return App(settings)


class App:
    """The services, wired: one method for each thing a user asks of us. Every method raises a GroundwireError when it cannot."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clock = SystemClock()
        self._open: list[SqlStore] = []

    def demo(self, progress: Progress) -> Answer:
        """Return the diagnosis of the incident that ships with Groundwire."""
        sources = Sources(
            self._settings.model_copy(update={"logs": (DEMO,), "alerts": (DEMO,), "metrics": (), "runbooks": (DEMO,)})
        )
        return self._chat(sources, Models()).diagnose(DEMO_QUESTION, services=(), window=None, progress=progress)

    def diagnose(self, text: str, *, services: tuple[str, ...], window: TimeWindow | None, progress: Progress) -> Answer:
        """Return the answer to a question, or to a pasted alert."""
        with opened_models(self._settings) as models:
            answer = self._chat(self._sources, models).diagnose(text, services=services, window=window, progress=progress)
            return replace(answer, replay_difference=replay_difference(models, self._settings))

    def call(self, tool: str, params: Params, *, session_id: str | None, window: TimeWindow | None) -> CallReport:
        """Return one recorded call, made by hand."""
        return call_tool(
            self._context(self._sources),
            tool,
            params,
            session_id=session_id,
            window=window,
            is_alive=is_alive,
            progress=_Silent(),
        )

    def sessions(self, limit: int | None) -> tuple[DiagnosisSession, ...]:
        """Return sessions, newest first."""
        return self._history.sessions(limit)

    def show(self, session_id: str) -> Answer:
        """Return the answer of a session, from its rows."""
        return self._history.show(session_id)

    def trace(self, session_id: str) -> Trace:
        """Return everything recorded of a session."""
        return self._history.trace(session_id)

    def explain(self, session_id: str, claim_id: str) -> ClaimExplanation:
        """Return the verdict on one claim of a session's draft, with its facts."""
        return self._history.explain(session_id, claim_id)

    def evidence(self, session_id: str, ref: str) -> EvidenceItem:
        """Return the raw item behind a ref."""
        return self._history.evidence(session_id, ref)

    def audit(self, session_id: str) -> AuditReport:
        """Return whether what stands in the store is what was recorded."""
        return audit_session(session_id, self._readable, self._readable, render=_render)

    def replay(self, session_id: str) -> ReplayReport:
        """Return the decision computed again from the stored outputs."""
        return replay_session(session_id, self._readable, self._readable, self._verifier(self._readable, judge=None))

    def verify(self, session_id: str, draft_text: str) -> VerifyReport:
        """Return the verdicts on an answer written elsewhere."""
        store = self._writable
        with opened_judge(self._settings) as model:
            verifier = self._verifier(store, judge=self._judge(model))
            return verify_draft(session_id, draft_text, reader=store, writer=store, verifier=verifier)

    def doctor(self) -> DoctorReport:
        """Return a check of the database, of each source and of each model; no model is asked."""
        return examine(
            open_database=lambda: f"{self._writable.name} can be written",
            sources=self._sources.all,
            within_s=self._settings.call_timeout_s,
            now=self._clock.now(),
            parts=[*model_parts(self._settings), *self._plugins()],
        )

    def close(self) -> None:
        """Close the database."""
        for store in self._open:
            store.close()

    def _plugins(self) -> Iterator[tuple[str, Callable[[], str]]]:
        settings = self._settings
        if settings.investigator != Playbook.name:
            yield "investigator", lambda: f"{_plugin('groundwire.investigators', settings.investigator).name} is installed"
        if settings.judge is not None:
            yield "judge", lambda: f"{_plugin('groundwire.judges', str(settings.judge)).name} is installed"

    @cached_property
    def _sources(self) -> Sources:
        return Sources(self._settings)

    @cached_property
    def _writable(self) -> SqlStore:
        store = open_store(self._settings.db, busy_timeout_s=self._settings.busy_timeout_s)
        self._open.append(store)
        mark_interrupted(store, store, is_alive=is_alive, now=self._clock.now())
        return store

    @cached_property
    def _readable(self) -> SqlStore:
        store = open_store(self._settings.db, read_only=True, busy_timeout_s=self._settings.busy_timeout_s)
        self._open.append(store)
        return store

    @cached_property
    def _history(self) -> History:
        return History(reader=self._readable, outputs=self._readable, is_alive=is_alive)

    def _judge(self, model: LanguageModel | None) -> Judge | None:
        if model is not None:
            from groundwire.judges.model_judge import ModelJudge

            return ModelJudge(model)
        return None if self._settings.judge is None else _plugin("groundwire.judges", self._settings.judge)

    def _investigator(self, model: LanguageModel | None) -> Investigator:
        if model is not None:
            from groundwire.investigators.model_driven import ModelDriven

            return ModelDriven(model, limits=limits_of(self._settings, model.name))
        if self._settings.investigator == Playbook.name:
            return Playbook()
        plugin: Investigator = _plugin("groundwire.investigators", self._settings.investigator)
        return plugin

    def _verifier(self, store: SqlStore, judge: Judge | None, spending: JudgeSpending | None = None) -> Verifier:
        return Verifier(
            reader=store,
            outputs=store,
            clock=self._clock,
            judge=judge,
            judge_timeout_s=self._settings.judge_timeout_s,
            spending=spending,
        )

    def _context(self, sources: Sources) -> SessionContext:
        store = self._writable
        return SessionContext(
            stores=Stores(traces=store, sessions=store, reader=store, outputs=store),
            tools=sources.tools,
            catalog=sources.catalog,
            clock=self._clock,
            owner=current_owner(),
            call_timeout_s=self._settings.call_timeout_s,
        )

    def _chat(self, sources: Sources, models: Models) -> ChatService:
        model = models.investigator
        return ChatService(
            self._context(sources),
            investigator=self._investigator(model),
            model=None if model is None else model.name,
            verifier=self._verifier(
                self._writable, judge=self._judge(models.judge), spending=spending_of(self._settings, models.judge)
            ),
            render=_render,
            read_alerts=read_pasted_alerts,
        )


class _Silent:
    """A `Progress` that nobody watches."""

    def update(self, text: str) -> None:
        return None


def _plugin(group: str, name: str) -> Any:
    """Return what an installed package offers under an entry point: nothing is ever loaded from a path or the current folder."""
    found = {entry.name: entry for entry in metadata.entry_points(group=group)}
    if name not in found:
        known = ", ".join(sorted(found)) or "none is installed"
        raise UsageError(
            f"there is no {group.removeprefix('groundwire.').removesuffix('s')} {name!r}", hint=f"Installed: {known}."
        )
    return found[name].load()()


def _render(answer: Answer) -> str:
    """The stored ``final_output``: the same on every machine, so that an audit can render it again."""
    return render_text(answer, width=_STORED_WIDTH)
