"""What the commands ask of the application; every method raises a GroundwireError when it cannot do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from groundwire.domain.answer import Answer
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
    from groundwire.ports import Progress
    from groundwire.settings import Settings


class App(Protocol):
    """The services behind the commands, wired to one store and its sources."""

    def demo(self, progress: Progress) -> Answer: ...

    def diagnose(self, text: str, *, services: tuple[str, ...], window: TimeWindow | None, progress: Progress) -> Answer: ...

    def sessions(self, limit: int | None) -> tuple[DiagnosisSession, ...]: ...

    def show(self, session_id: str) -> Answer: ...

    def trace(self, session_id: str) -> Trace: ...

    def explain(self, session_id: str, claim_id: str) -> ClaimExplanation: ...

    def evidence(self, session_id: str, ref: str) -> EvidenceItem: ...

    def audit(self, session_id: str) -> AuditReport: ...

    def replay(self, session_id: str) -> ReplayReport: ...

    def verify(self, session_id: str, draft_text: str) -> VerifyReport: ...

    def call(self, tool: str, params: str, *, session_id: str | None, window: TimeWindow | None) -> CallReport: ...

    def doctor(self) -> DoctorReport: ...

    def close(self) -> None: ...


def build_app(settings: Settings) -> App:
    """Return the application with its real store and sources; what it is made of is loaded now and not before."""
    from groundwire.bootstrap import build

    return build(settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a command finds about it: how the application is built, and what time it is (aware UTC)."""

    build_app: Callable[[Settings], App] = build_app
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
