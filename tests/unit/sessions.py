"""A whole Groundwire without a disk, a database, a model or a network: for tests of the recorder and of ChatService."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from groundwire.domain.answer import Answer, Claim, Draft
from groundwire.domain.incident import Question
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.metrics import Alert
from groundwire.domain.names import ToolName
from groundwire.domain.session import DiagnosisSession
from groundwire.domain.sources import SourceDescription
from groundwire.domain.verdict import ClaimVerdict
from groundwire.ports import Investigator, Judge, Progress, Tool, ToolGateway
from groundwire.rendering.answer_text import render_text
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.chat import ChatService
from groundwire.services.context import SessionContext, Stores
from groundwire.services.judge_steps import JudgeSpending
from groundwire.services.recorder import EvidenceRecorder
from groundwire.services.verifier import Verifier
from groundwire.testing import InMemoryTraceStore, ScriptedTool, SteppingClock
from tests.unit.rows import OWNER, WINDOW, alert, alerts_output, block, blocks_output, log, logs_output, question

CHAIN = "payment failed\nCaused by: java.net.SocketTimeoutException: bank.example did not answer"


class Silent:
    def update(self, text: str) -> None:
        return None


@dataclass
class Told:
    """A `Progress` that remembers what it was told."""

    texts: list[str] = field(default_factory=list)

    def update(self, text: str) -> None:
        self.texts.append(text)


@dataclass
class ScriptedInvestigator:
    """Makes the calls of its script and returns its draft; ``revised`` is what it makes of the verdicts."""

    draft_: Draft
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    before: Callable[[ToolGateway], None] = lambda gateway: None
    revised: Draft | None = None
    name: str = "scripted"
    seen: list[ClaimVerdict] = field(default_factory=list)

    def draft(self, question: Question, gateway: ToolGateway, progress: Progress) -> Draft:
        self.before(gateway)
        for tool_name, params in self.calls:
            gateway.ask(tool_name, params)
        return self.draft_

    def revise(self, draft: Draft, verdicts: Sequence[ClaimVerdict], gateway: ToolGateway) -> Draft:
        self.seen.extend(verdicts)
        return self.revised or draft


def found_tools(**replaced: Tool) -> dict[str, Tool]:
    """The three tools, each answering with evidence about checkout."""
    return {
        ToolName.QUERY_METRICS.value: ScriptedTool("query_metrics", alerts_output(alert())),
        ToolName.QUERY_LOGS.value: ScriptedTool(
            "query_logs", logs_output(log(CHAIN), total=31, by_level={"ERROR": 31}, service="checkout")
        ),
        ToolName.LOOKUP_KNOWLEDGE.value: ScriptedTool("lookup_knowledge", blocks_output(block("Payments time out."))),
        **replaced,
    }


@dataclass
class Described:
    """A source that only says what it is: no tool asks it."""

    description: SourceDescription
    name: str = "described"

    def describe(self) -> SourceDescription:
        return self.description

    def search(self, request: LogRequest) -> LogPage:
        raise AssertionError("only the scripted tools are asked")


def context(store: InMemoryTraceStore, tools: Mapping[str, Tool], sources: Sequence[SourceDescription] = ()) -> SessionContext:
    return SessionContext(
        stores=Stores(traces=store, sessions=store, reader=store, outputs=store),
        tools=tools,
        catalog=ConfiguredSources(logs=[Described(each) for each in sources], metrics=(), knowledge=()),
        clock=SteppingClock(datetime(2026, 11, 12, 10, 0, tzinfo=UTC)),
        owner=OWNER,
        call_timeout_s=5,
    )


def opened(
    tools: Mapping[str, Tool] | None = None, store: InMemoryTraceStore | None = None
) -> tuple[InMemoryTraceStore, DiagnosisSession, EvidenceRecorder]:
    """A store with an open session, and the recorder of that session."""
    store = store or InMemoryTraceStore()
    on = context(store, tools or found_tools())
    session = on.new_session(question(), investigator="test")
    return store, session, on.recorder(session, Silent())


def diagnose(
    investigator: Investigator,
    *,
    tools: Mapping[str, Tool] | None = None,
    judge: Judge | None = None,
    store: InMemoryTraceStore | None = None,
    spending: JudgeSpending | None = None,
    progress: Progress | None = None,
    model: str | None = None,
    judge_timeout_s: float = 60,
    text: str = "why is checkout failing?",
    pasted: tuple[Alert, ...] = (),
    sources: Sequence[SourceDescription] = (),
) -> tuple[Answer, InMemoryTraceStore]:
    store = store or InMemoryTraceStore()
    on = context(store, tools or found_tools(), sources)
    chat = ChatService(
        on,
        investigator=investigator,
        verifier=Verifier(
            reader=store, outputs=store, clock=on.clock, judge=judge, spending=spending, judge_timeout_s=judge_timeout_s
        ),
        render=lambda answer: render_text(answer, width=80, local_zone=UTC),
        read_alerts=lambda text: pasted,
        model=model,
    )
    asked = "{}" if pasted else text
    answer = chat.diagnose(asked, services=("checkout",), window=WINDOW, progress=progress or Silent())
    return answer, store


def claim(text: str, *refs: str, kind: str, role: str = "answer", name: str = "c1") -> Claim:
    from groundwire.domain.names import ClaimKind, ClaimRole

    return Claim(id=name, text=text, refs=refs, kind=ClaimKind(kind), role=ClaimRole(role))


ALERTS_THEN_LOGS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("query_metrics", {"service": "checkout"}),
    ("query_logs", {"service": "checkout", "level": "error"}),
)
SYMPTOM = claim("CheckoutErrors is firing for checkout.", "i1.alerts.0", kind="symptom", name="symptom")
CAUSE = claim(
    "checkout's log says “Caused by: java.net.SocketTimeoutException: bank.example did not answer”.",
    "i2.logs.0",
    kind="cause",
    name="cause",
)
GOOD_DRAFT = Draft(claims=(SYMPTOM, CAUSE))
