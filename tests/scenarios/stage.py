"""Where a scenario plays: a whole investigation through ChatService, over the shop of the demo or over sources made for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from groundwire.adapters.knowledge.demo import DemoKnowledge
from groundwire.adapters.logs.demo import DemoLogs
from groundwire.adapters.metrics.demo import DemoAlerts
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import Decision, StepKind
from groundwire.domain.session import AgentStep
from groundwire.investigators.model_driven import Limits, ModelDriven
from groundwire.ports import Tool
from groundwire.rendering.answer_text import render_text
from groundwire.services.audit import audit_session
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.chat import ChatService
from groundwire.services.context import SessionContext, Stores
from groundwire.services.verifier import Verifier
from groundwire.testing import InMemoryTraceStore, ScriptedModel, SteppingClock
from groundwire.testing.model import Turn
from groundwire.tools.lookup_knowledge import LookupKnowledge
from groundwire.tools.query_logs import QueryLogs
from groundwire.tools.query_metrics import QueryMetrics
from tests.unit.rows import OWNER, WINDOW
from tests.unit.sessions import Silent, found_tools

WHY = "Why are requests to order-service failing?"
WHY_CHECKOUT = "why is checkout failing?"


class Played:
    """A scenario that was played: its decision, the words that the user sees, and what was recorded."""

    def __init__(
        self, store: InMemoryTraceStore, chat: ChatService, question: str, window: TimeWindow | None, service: str | None
    ):
        services = () if service is None else (service,)
        answer = chat.diagnose(question, services=services, window=window, progress=Silent())
        (session,) = store.sessions()
        self.answer = answer
        self.decision = answer.decision
        self.reason = answer.degraded_reason
        self.output = " ".join((session.final_output or "").split())
        self.rows = store.invocations(session.id)
        self.steps: Sequence[AgentStep] = store.steps(session.id)
        self.attempts: list[Decision] = [evaluation.decision for evaluation in store.evaluations(session.id)]
        report = audit_session(session.id, store, store, render=lambda shown: render_text(shown, local_zone=UTC))
        assert report.ok, report.faults
        assert session.step_count == sum(step.kind is StepKind.MODEL for step in self.steps)
        assert session.tool_call_count == len(self.rows)

    def shows(self, *words: str) -> None:
        """Assert that the user sees all of these words."""
        for each in words:
            assert each in self.output, f"{each!r} is not in:\n{self.output}"

    def hides(self, *words: str) -> None:
        """Assert that the user sees none of these words, in whatever case."""
        for each in words:
            assert each.lower() not in self.output.lower(), f"{each!r} is in:\n{self.output}"

    @property
    def statements(self) -> list[str]:
        """What is stated to the user, beside coverage and evidence."""
        return [shown.claim.text for shown in self.answer.claims]


def in_the_shop(*turns: Turn, question: str = WHY, limits: Limits | None = None) -> Played:
    """Play over the sources that ship with Groundwire: the order service has run out of database connections."""
    logs, alerts, knowledge = [DemoLogs()], [DemoAlerts()], [DemoKnowledge()]
    tools: dict[str, Tool] = {tool.name: tool for tool in (QueryLogs(logs), QueryMetrics(alerts), LookupKnowledge(knowledge))}
    catalog = ConfiguredSources(logs=logs, metrics=alerts, knowledge=knowledge)
    return _played(turns, tools, catalog, question, None, None, limits)


def over(tools: Mapping[str, Tool], *turns: Turn, question: str = WHY_CHECKOUT, limits: Limits | None = None) -> Played:
    """Play over tools made for the scenario, in place of those that find a failing checkout."""
    nothing = ConfiguredSources(logs=(), metrics=(), knowledge=())
    return _played(turns, found_tools(**tools), nothing, question, WINDOW, "checkout", limits)


def _played(
    turns: Sequence[Turn],
    tools: Mapping[str, Tool],
    catalog: ConfiguredSources,
    question: str,
    window: TimeWindow | None,
    service: str | None,
    limits: Limits | None,
) -> Played:
    store = InMemoryTraceStore()
    context = SessionContext(
        stores=Stores(traces=store, sessions=store, reader=store, outputs=store),
        tools=tools,
        catalog=catalog,
        clock=SteppingClock(datetime(2026, 11, 12, 10, 15, tzinfo=UTC)),
        owner=OWNER,
        call_timeout_s=10,
    )
    chat = ChatService(
        context,
        investigator=ModelDriven(ScriptedModel(*turns), limits=limits),
        verifier=Verifier(reader=store, outputs=store, clock=context.clock, judge=None),
        render=lambda answer: render_text(answer, local_zone=UTC),
        read_alerts=lambda text: (),
    )
    return Played(store, chat, question, window, service)
