"""What the core needs of the outside: Protocols, each with a few methods, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, runtime_checkable

from groundwire.domain.answer import Draft
from groundwire.domain.deadline import Deadline
from groundwire.domain.evidence import EvidenceEntry
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.invocation import (
    EarlierCall,
    InvocationCompletion,
    InvocationStart,
    RecordedCall,
    ToolInvocation,
)
from groundwire.domain.knowledge import KnowledgePage, KnowledgeRequest
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.model import ModelMessage, ModelReply, ToolOffer
from groundwire.domain.session import AgentStep, DiagnosisSession, SessionOutcome
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceListing
from groundwire.domain.verdict import ClaimVerdict, VerifierEvaluation


class Clock(Protocol):
    """Time; ``now`` is aware UTC, ``monotonic_ms`` only ever grows."""

    def now(self) -> datetime: ...

    def monotonic_ms(self) -> float: ...


class Progress(Protocol):
    """Tells a person what is happening; never fails and never writes to stdout."""

    def update(self, text: str) -> None: ...


class LogBackend(Protocol):
    """One place where log records are. Failures are ``BackendError``; what could not be read of it is ``partial_reasons``."""

    name: str

    def describe(self) -> SourceDescription: ...

    def search(self, request: LogRequest) -> LogPage: ...


class MetricBackend(Protocol):
    """One place where alerts, series or both are; what it cannot answer at all raises ``NotConfiguredError``."""

    name: str

    def describe(self) -> SourceDescription: ...

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        """Return every alert it has, in whatever state; the tool filters.

        Of a window that has passed, those that were active in it, as far as the source knows.
        """
        ...

    def query(self, request: SeriesRequest) -> SeriesPage: ...


class KnowledgeBase(Protocol):
    """One collection of documents that people wrote."""

    name: str

    def describe(self) -> SourceDescription: ...

    def lookup(self, request: KnowledgeRequest) -> KnowledgePage: ...


@runtime_checkable
class Checkable(Protocol):
    """A source, of whichever kind, that can say how it is; one that cannot is only described."""

    def check(self, deadline: Deadline) -> SourceCheck:
        """Return its version, how long a small request takes, how far its clock is from ours, and what is missing.

        Raises:
            BackendError: It does not answer.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What a tool may know of the session it is called in.

    Relative times resolve against ``window.end``. ``earlier_calls`` returns the session's completed calls of the same tool that
    have a lower ``seq``, in its order; it waits for those under way, reads the store, and is called only where needed.
    """

    window: TimeWindow
    deadline: Deadline
    earlier_calls: Callable[[], Sequence[EarlierCall]]


class Tool(Protocol):
    """One question that can be asked of the sources."""

    name: str

    def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        """Return the tool's JSON object, also when every source failed.

        Raises:
            InvalidParamsError: The parameters do not fit; no source was asked.
            NotConfiguredError: No source of the asked kind is configured.
        """
        ...


class ToolGateway(Protocol):
    """The only way from an investigator to a tool: every call is recorded as evidence, every helper call as a step."""

    def ask(
        self,
        tool_name: str,
        params: Mapping[str, Any] | str,
        *,
        tool_call_id: str | None = None,
        agent_step_id: str | None = None,
        begun: Callable[[], None] | None = None,
    ) -> RecordedCall:
        """Return the completed row and the output; a failed call is returned, not raised.

        ``params`` may be the JSON text that a model wrote: what does not parse is recorded, and never guessed at. ``begun`` is
        called as soon as the call has its row and its ``seq``, before the tool runs.

        Raises:
            UnknownToolError: No tool goes by that name; a step with an ``error_message`` was recorded.
            StoreError: The row could not be written; there is no result.
        """
        ...

    def list_sources(self) -> SourceListing: ...

    def cost_so_far(self) -> float:
        """Return what the session's model requests cost, those of a second opinion included, as far as it is known."""
        ...

    def record_step(self, step: AgentStep) -> AgentStep:
        """Persist a step of the investigator itself, such as a model request, in the session that this gateway is for."""
        ...


class Investigator(Protocol):
    """Turns a question into a draft, through the gateway alone."""

    name: str

    def draft(self, question: Question, gateway: ToolGateway, progress: Progress) -> Draft: ...

    def revise(self, draft: Draft, verdicts: Sequence[ClaimVerdict], gateway: ToolGateway) -> Draft:
        """Return a better draft after grounding, or the same one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """What a second opinion sees: never the investigator's reasoning.

    ``note`` is called with each reply of a language model, so that the request becomes a step of the session.
    """

    question: Question
    draft: Draft
    entries: tuple[EvidenceEntry, ...]
    verdicts: tuple[ClaimVerdict, ...]
    coverage: Mapping[str, Any]
    note: Callable[[ModelReply], None] = lambda reply: None


class Judge(Protocol):
    """A second opinion. It can lower a decision, never raise it."""

    name: str

    def judge(self, request: JudgeRequest, deadline: Deadline) -> str | None:
        """Return what it said, raw: JSON ``{"decision": "PASS"|"LOW_CONFID"|"REJECT", ...}``; None when it said nothing."""
        ...


class LanguageModel(Protocol):
    """A language model behind some provider's API; one request at a time for each conversation, many conversations at once."""

    name: str

    def request(
        self,
        messages: Sequence[ModelMessage],
        *,
        tools: Sequence[ToolOffer],
        schema: Mapping[str, Any] | None,
        deadline: Deadline,
    ) -> ModelReply:
        """Return the reply, or the fault that came in its place; it never raises for what a provider does, and never waits
        beyond the deadline.

        With ``schema`` the reply's text should be JSON of that schema, in whichever way the provider can be asked for it.
        """
        ...


class InvocationDigest(NamedTuple):
    """The few columns of a completed or interrupted row that a summary needs, light enough for thousands.

    ``labels`` are those of the scope; ``evidence_refs`` the raw JSON items. ``output_preview`` is given only where
    ``evidence_refs`` is empty. A row left ``running`` has status ``running``.
    """

    id: str
    seq: int
    tool_name: str
    status: str
    error_type: str | None
    error_message: str | None
    returned_count: int | None
    total_count: int | None
    partial: bool
    partial_reasons: Sequence[str]
    labels: Mapping[str, str]
    evidence_refs: Sequence[Mapping[str, Any]]
    output_preview: str | None


class TraceWriter(Protocol):
    """Writes the rows of one call or step; each method is durable when it returns.

    Every method raises a StoreError when it cannot write.
    """

    def begin_invocation(self, start: InvocationStart) -> int:
        """Write the ``running`` row and return its ``seq``, unique within the session across threads and processes."""
        ...

    def complete_invocation(self, completion: InvocationCompletion) -> ToolInvocation:
        """Complete a ``running`` row with its output and chain hash, in one transaction, and return the whole row.

        Raises:
            StoreError: Also when the row is no longer ``running`` (another process marked it interrupted).
        """
        ...

    def add_step(self, step: AgentStep) -> AgentStep: ...

    def add_evaluation(self, evaluation: VerifierEvaluation) -> VerifierEvaluation:
        """Write an evaluation; ``attempt`` is given by the store, counting from 1 within the session."""
        ...


class SessionWriter(Protocol):
    """Writes sessions as a whole."""

    def open_session(self, session: DiagnosisSession) -> None: ...

    def complete_session(self, session_id: str, outcome: SessionOutcome) -> DiagnosisSession:
        """Complete a session; ``step_count`` and ``tool_call_count`` are counted from its rows in the same transaction."""
        ...

    def recount(self, session_id: str) -> None:
        """Derive the two counts of a session again, after a call was added by hand."""
        ...

    def interrupt(self, invocation_ids: Iterable[str], session_ids: Iterable[str], message: str, at: datetime) -> None:
        """Complete rows left ``running`` as failed/interrupted and sessions left ``running`` as failed."""
        ...


class TraceReader(Protocol):
    """Reads rows back; never writes. Every method raises a StoreError when it cannot read."""

    def find_session(self, id_or_part: str) -> DiagnosisSession:
        """Return the session that goes by an id, an unambiguous start or end of one (4 characters or more), or ``last``.

        Raises:
            NotFoundError: None, or more than one, goes by it.
        """
        ...

    def sessions(self, *, limit: int | None = None, running_only: bool = False) -> tuple[DiagnosisSession, ...]:
        """Return sessions, newest first."""
        ...

    def invocations(self, session_id: str) -> tuple[ToolInvocation, ...]:
        """Return the rows of a session in the order of their ``seq``."""
        ...

    def digests(self, session_id: str) -> tuple[InvocationDigest, ...]:
        """Return the same rows in the same order, light."""
        ...

    def steps(self, session_id: str) -> tuple[AgentStep, ...]: ...

    def evaluations(self, session_id: str) -> tuple[VerifierEvaluation, ...]: ...


class OutputStore(Protocol):
    """The whole outputs of calls."""

    def load_output(self, invocation_id: str) -> bytes | None:
        """Return the exact bytes of a call's masked JSON object, or None where the row has no output."""
        ...


class SourceCatalog(Protocol):
    """What there is to ask, read without recording evidence: for the question's subjects and window."""

    def listing(self) -> SourceListing: ...

    def alert_pages(self) -> tuple[AlertPage, ...]:
        """Return the alerts of every source that answers within a short deadline."""
        ...
