"""An application that answers from what a test gives it and remembers what it was asked."""

from __future__ import annotations

from typing import Any, TypeVar

from groundwire.domain.answer import Answer
from groundwire.domain.errors import NotFoundError, UnknownToolError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import Decision
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
from groundwire.ports import Progress
from groundwire.settings import Settings

T = TypeVar("T")


class StubApp:
    """``failure`` is raised by every method when it is given."""

    def __init__(
        self,
        *,
        answer: Answer | None = None,
        audit: AuditReport | None = None,
        replay: ReplayReport | None = None,
        doctor: DoctorReport | None = None,
        verify: VerifyReport | None = None,
        failure: BaseException | None = None,
    ) -> None:
        self._answer, self._audit, self._replay, self._doctor, self._verify = answer, audit, replay, doctor, verify
        self._failure = failure
        self.asked: list[tuple[Any, ...]] = []
        self.settings: Settings | None = None
        self.is_closed = False

    def build(self, settings: Settings) -> StubApp:
        self.settings = settings
        return self

    def demo(self, progress: Progress) -> Answer:
        progress.update("reading the demo logs")
        return self._give(self._answer, "demo")

    def diagnose(self, text: str, *, services: tuple[str, ...], window: TimeWindow | None, progress: Progress) -> Answer:
        progress.update("asking [bold]for alerts\x1b[2J")
        return self._give(self._answer, "diagnose", text, services, window)

    def sessions(self, limit: int | None) -> tuple[DiagnosisSession, ...]:
        return self._give((), "sessions", limit)

    def show(self, session_id: str) -> Answer:
        return self._give(self._answer, "show", session_id)

    def trace(self, session_id: str) -> Trace:
        raise NotFoundError(f"no session goes by {session_id!r}", hint="groundwire sessions lists them")

    def evidence(self, session_id: str, ref: str) -> EvidenceItem:
        item = EvidenceItem(
            session_id=session_id, ref_id=ref, raw_path="$.logs[3]", item={"message": "m"}, invocation_id="i", output_sha256=None
        )
        return self._give(item, "evidence", session_id, ref)

    def explain(self, session_id: str, claim_id: str) -> ClaimExplanation:
        verdict = {"id": claim_id, "text": "t", "kind": "cause", "verdict": "supported", "reason": "r", "refs": [], "facts": []}
        explanation = ClaimExplanation(session_id=session_id, decision=Decision.PASS, verdict=verdict)
        return self._give(explanation, "explain", session_id, claim_id)

    def audit(self, session_id: str) -> AuditReport:
        return self._give(self._audit, "audit", session_id)

    def replay(self, session_id: str) -> ReplayReport:
        return self._give(self._replay, "replay", session_id)

    def verify(self, session_id: str, draft_text: str) -> VerifyReport:
        return self._give(self._verify, "verify", session_id, draft_text)

    def call(self, tool: str, params: str, *, session_id: str | None, window: TimeWindow | None) -> CallReport:
        self._give(1, "call", tool, params, session_id, window)
        raise UnknownToolError(f"no tool goes by {tool!r}")

    def doctor(self) -> DoctorReport:
        return self._give(self._doctor, "doctor")

    def close(self) -> None:
        self.is_closed = True

    def _give(self, value: T | None, *asked: Any) -> T:
        self.asked.append(asked)
        if self._failure is not None:
            raise self._failure
        assert value is not None
        return value
