"""Turns of a scripted model, and a diagnosis with it: short to write, since every test of an investigation needs them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.domain.answer import Answer
from groundwire.domain.model import MessageRole, ModelMessage, ModelReply, ToolCall
from groundwire.domain.names import StepKind
from groundwire.domain.session import AgentStep
from groundwire.investigators.model_driven import Limits, ModelDriven
from groundwire.ports import Tool
from groundwire.testing import InMemoryTraceStore, ScriptedModel
from groundwire.testing.model import Turn
from tests.unit.sessions import diagnose, found_tools


def call(name: str, arguments: Mapping[str, Any] | str | None = None, *, id: str = "call") -> ToolCall:  # noqa: A002 - its name
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return ToolCall(id=id, name=name, arguments=written)


def asks(*calls: ToolCall, text: str = "") -> ModelReply:
    return ModelReply(
        text=text,
        tool_calls=calls,
        finish_reason="tool_call",
        model="scripted-1",
        provider_name="script",
        response_id="r-1",
        input_tokens=100,
        output_tokens=20,
        duration_ms=5.0,
    )


def ask(name: str, id: str = "call", **params: Any) -> ModelReply:  # noqa: A002 - its name
    return asks(call(name, params, id=id))


def says(text: str, finish_reason: str = "stop") -> ModelReply:
    return ModelReply(text=text, finish_reason=finish_reason, input_tokens=100, output_tokens=20)


def submits(*claims: Mapping[str, Any], **more: Any) -> ModelReply:
    return asks(call("submit_draft", {"claims": list(claims), **more}, id="draft"))


def stated(text: str, *refs: str, kind: str, role: str = "answer", name: str = "c1") -> dict[str, Any]:
    return {"id": name, "text": text, "kind": kind, "role": role, "refs": list(refs)}


ALERTS = ask("query_metrics", "a", service="checkout")
LOGS = ask("query_logs", "b", service="checkout", level="error")
SYMPTOM = stated("CheckoutErrors is firing for checkout.", "i1.alerts.0", kind="symptom", name="symptom")
CAUSE = stated(
    "checkout's log says “Caused by: java.net.SocketTimeoutException: bank.example did not answer”.",
    "i2.logs.0",
    kind="cause",
    name="cause",
)
GOOD = submits(SYMPTOM, CAUSE)
WRONG = stated("CheckoutErrors is pending.", "i1.alerts.0", kind="symptom", name="symptom")


class Investigated:
    """A diagnosis with a scripted model, and all that is left of it."""

    def __init__(
        self,
        *turns: Turn,
        tools: Mapping[str, Tool] | None = None,
        limits: Limits | None = None,
        store: InMemoryTraceStore | None = None,
        **asked: Any,
    ) -> None:
        self.model = ScriptedModel(*turns)
        self.answer: Answer
        self.answer, self.store = diagnose(
            ModelDriven(self.model, limits=limits), tools=tools or found_tools(), store=store, **asked
        )
        (self.session,) = self.store.sessions()
        self.rows = self.store.invocations(self.session.id)
        self.shown = " ".join((self.session.final_output or "").split())

    @property
    def steps(self) -> Sequence[AgentStep]:
        return self.store.steps(self.session.id)

    @property
    def model_steps(self) -> Sequence[AgentStep]:
        return [step for step in self.steps if step.kind is StepKind.MODEL]

    @property
    def notes(self) -> str:
        """What the helper steps say."""
        return "\n".join(step.request_summary for step in self.steps if step.kind is StepKind.HELPER)

    def told(self, request: int = -1) -> list[ModelMessage]:
        """The results of tools that the model was sent with a request."""
        return [message for message in self.model.requests[request].messages if message.role is MessageRole.TOOL]

    @property
    def marker(self) -> str:
        """What stands in place of the spaces of foreign text."""
        return self.model.requests[0].messages[0].text.split(" in place of its spaces")[0][-1]

    @property
    def token(self) -> str:
        """What the tags around foreign text hold."""
        return self.model.requests[0].messages[0].text.split("<data-")[1][:16]

    def outside(self, text: str) -> str:
        """What of a text stands outside the tags."""
        return "".join(part.split(f"</data-{self.token}>")[-1] for part in text.split(f"<data-{self.token}>"))

    def said(self, request: int = -1) -> str:
        """The last message that the model was sent with a request."""
        return self.model.requests[request].messages[-1].text
