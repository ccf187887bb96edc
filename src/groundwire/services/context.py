"""What every service that writes needs: the store, the sources, the clock, and who we are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.domain.incident import Question
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.names import SCHEMA_VERSION, SessionStatus, new_id
from groundwire.domain.session import DiagnosisSession, Owner
from groundwire.ports import Clock, OutputStore, Progress, SessionWriter, Tool, TraceReader, TraceWriter
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.question import Known
from groundwire.services.recorder import EvidenceRecorder


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The four faces of the store."""

    traces: TraceWriter
    sessions: SessionWriter
    reader: TraceReader
    outputs: OutputStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContext:
    """What every service needs that writes: the store, the sources, the clock and who we are."""

    stores: Stores
    tools: Mapping[str, Tool]
    catalog: ConfiguredSources
    clock: Clock
    owner: Owner
    call_timeout_s: float

    def recorder(self, session: DiagnosisSession, progress: Progress) -> EvidenceRecorder:
        return EvidenceRecorder(
            session,
            tools=self.tools,
            writer=self.stores.traces,
            reader=self.stores.reader,
            outputs=self.stores.outputs,
            catalog=self.catalog,
            clock=self.clock,
            owner=self.owner,
            progress=progress,
            call_timeout_s=self.call_timeout_s,
        )

    def known(self) -> Known:
        """Return what the sources have, for reading a question."""
        listing = self.catalog.listing()
        return Known(
            services=listing.services,
            alerts=tuple(alert for page in self.catalog.alert_pages() for alert in page.alerts),
            newest_saved_record=self.catalog.newest_saved_record,
            now=self.clock.now(),
        )

    def new_session(self, question: Question, investigator: str, model: str | None = None) -> DiagnosisSession:
        """Open and return a session for a question that is fixed from here on."""
        session = DiagnosisSession(
            id=new_id(),
            question=mask_text(make_storable(question.text)),
            question_kind=question.kind,
            subjects=question.subjects,
            window=question.window,
            window_source=question.window_source,
            status=SessionStatus.RUNNING,
            decision=None,
            degraded_reason=None,
            final_output=None,
            draft_answer=None,
            step_count=0,
            tool_call_count=0,
            investigator=investigator,
            model=model,
            owner=self.owner,
            created_at=self.clock.now(),
            completed_at=None,
            schema_version=SCHEMA_VERSION,
        )
        self.stores.sessions.open_session(session)
        return session
