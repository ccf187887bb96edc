"""EvidenceRecorder: the only door to a tool. One row a call, whatever happens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any

import orjson

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import StoreError, ToolError, UnknownToolError
from groundwire.domain.invocation import EarlierCall, InvocationStart, RecordedCall
from groundwire.domain.masking import clean_value, mask_text, mask_value
from groundwire.domain.names import ErrorType, InvocationStatus, StepKind, StepRole, new_id
from groundwire.domain.session import AgentStep, DiagnosisSession, Owner
from groundwire.domain.sources import SourceListing
from groundwire.domain.usage import Usage
from groundwire.ports import CallContext, Clock, OutputStore, Progress, SourceCatalog, Tool, TraceReader, TraceWriter
from groundwire.services.call_params import Params, parsed_params, shown_params, storable_params
from groundwire.services.outcome import Outcome, completion_of


class EvidenceRecorder:
    """A `ToolGateway` for one session; safe for many threads.

    The row is written before the call and completed after it. A result whose row could not be written is dropped with a
    StoreError: evidence that cannot be recorded is not used. Identical calls made at the same moment share one row.
    """

    def __init__(
        self,
        session: DiagnosisSession,
        *,
        tools: Mapping[str, Tool],
        writer: TraceWriter,
        reader: TraceReader,
        outputs: OutputStore,
        catalog: SourceCatalog,
        clock: Clock,
        owner: Owner,
        progress: Progress,
        call_timeout_s: float,
    ) -> None:
        self._session = session
        self._tools = tools
        self._writer = writer
        self._reader = reader
        self._outputs = outputs
        self._catalog = catalog
        self._clock = clock
        self._owner = owner
        self._progress = progress
        self._call_timeout_s = call_timeout_s
        self._in_flight: dict[tuple[str, bytes], Future[RecordedCall]] = {}
        self._running: dict[int, tuple[str, Future[RecordedCall]]] = {}
        self._lock = threading.Lock()

    def ask(
        self,
        tool_name: str,
        params: Params,
        *,
        tool_call_id: str | None = None,
        agent_step_id: str | None = None,
        begun: Callable[[], None] | None = None,
    ) -> RecordedCall:
        """Return the completed row and the masked output of one call; a call that failed is returned, not raised.

        ``params`` may be the JSON text a caller wrote: what does not parse becomes an ``invalid_params`` row.
        """
        tool = self._tools.get(tool_name)
        if tool is None:
            raise self._unknown_tool(tool_name)
        storable, written = storable_params(params)
        key = (tool_name, written)
        with self._lock:
            shared = self._in_flight.get(key)
            if shared is None:
                mine: Future[RecordedCall] = Future()
                self._in_flight[key] = mine
        if shared is not None:
            if begun is not None:
                begun()
            return shared.result()
        seq = 0
        try:
            start = InvocationStart(
                id=new_id(),
                session_id=self._session.id,
                tool_name=tool.name,
                input_params=mask_value(storable),
                started_at=self._clock.now(),
                owner=self._owner,
                agent_step_id=agent_step_id,
                tool_call_id=tool_call_id,
            )
            seq = self._writer.begin_invocation(start)
            with self._lock:
                self._running[seq] = (tool.name, mine)
            if begun is not None:
                begun()
            call = self._finish(start, seq, tool, params)
        except BaseException as exc:
            mine.set_exception(exc)
            raise
        else:
            mine.set_result(call)
            return call
        finally:
            with self._lock:
                del self._in_flight[key]
                self._running.pop(seq, None)

    def list_sources(self) -> SourceListing:
        """Return what there is to ask; recorded as a helper step, which is no evidence."""
        started = self._clock.monotonic_ms()
        listing = self._catalog.listing()
        names = ", ".join(f"{source.kind}:{source.name}" for source in listing.sources) or "none"
        self.record_step(
            AgentStep(
                id=new_id(),
                session_id=self._session.id,
                kind=StepKind.HELPER,
                role=StepRole.PLANNER,
                request_summary="list sources",
                response_text=f"sources: {names}; services: {', '.join(listing.services) or 'none known'}",
                duration_ms=round(self._clock.monotonic_ms() - started, 3),
            )
        )
        return listing

    def cost_so_far(self) -> float:
        usage = Usage.of(self._reader.steps(self._session.id))
        return 0.0 if usage is None else usage.cost

    def record_step(self, step: AgentStep) -> AgentStep:
        """Persist a step of the investigator itself; what it says is masked as what a tool says is. It is of this session."""
        return self._writer.add_step(
            replace(
                step,
                session_id=self._session.id,
                request_summary=_said(step.request_summary) or "",
                response_text=_said(step.response_text),
                finish_reason=_said(step.finish_reason),
                error_message=_said(step.error_message),
            )
        )

    def _unknown_tool(self, tool_name: str) -> UnknownToolError:
        known = ", ".join(self._tools)
        error = UnknownToolError(f"there is no tool {tool_name!r}", hint=f"The tools are {known}.")
        self.record_step(
            AgentStep(
                id=new_id(),
                session_id=self._session.id,
                kind=StepKind.HELPER,
                role=StepRole.EXECUTOR,
                request_summary=f"call of an unknown tool: {str(tool_name)[:200]}",
                error_message=f"{error.message}; the tools are {known}",
            )
        )
        return error

    def _finish(self, start: InvocationStart, seq: int, tool: Tool, params: Params) -> RecordedCall:
        started_ms = self._clock.monotonic_ms()
        try:
            self._progress.update(f"i{seq} {tool.name} {shown_params(start.input_params)}")
            outcome = self._run(tool, params, seq)
        except StoreError:
            raise
        except BaseException as exc:
            # A cancelled call is completed too, and goes on as cancelled: only a killed process leaves a row running.
            stopped = Outcome.failed(ErrorType.INTERRUPTED, f"stopped by {type(exc).__name__}")
            self._complete(start, seq, stopped, started_ms)
            raise
        return self._complete(start, seq, outcome, started_ms)

    def _run(self, tool: Tool, params: Params, seq: int) -> Outcome:
        deadline = Deadline.after(self._call_timeout_s)
        context = CallContext(
            window=self._session.window,
            deadline=deadline,
            earlier_calls=lambda: self._earlier_calls(tool.name, seq, deadline),
        )
        try:
            return Outcome.of_output(tool.run(parsed_params(params), context))
        except ToolError as exc:
            known = exc.error_type in list(ErrorType)
            return Outcome.failed(ErrorType(exc.error_type) if known else ErrorType.INTERNAL, exc.message)
        except StoreError:
            raise
        except TimeoutError as exc:
            return Outcome.failed(ErrorType.TIMEOUT, str(exc) or f"{tool.name} gave no answer in time")
        except Exception as exc:  # noqa: BLE001 - a tool may be foreign code; what it raises becomes its row, not the end of a run
            return Outcome.failed(ErrorType.INTERNAL, f"{type(exc).__name__}: {exc}")

    def _complete(self, start: InvocationStart, seq: int, outcome: Outcome, started_ms: float) -> RecordedCall:
        duration_ms = round(self._clock.monotonic_ms() - started_ms, 3)
        try:
            completion, output = completion_of(start, seq, outcome, self._session.window, duration_ms)
        except (AttributeError, LookupError, TypeError, ValueError) as exc:
            broken = Outcome.failed(ErrorType.INTERNAL, f"the tool's answer has another form than agreed: {exc}")
            completion, output = completion_of(start, seq, broken, self._session.window, duration_ms)
        row = self._writer.complete_invocation(completion)
        return RecordedCall(invocation=row, output=output)

    def _earlier_calls(self, tool_name: str, before: int, deadline: Deadline) -> Sequence[EarlierCall]:
        # What a call counts as a repeat must not hang on which of two calls of one turn is done first.
        with self._lock:
            under_way = [call for seq, (name, call) in self._running.items() if seq < before and name == tool_name]
        wait(under_way, timeout=deadline.remaining_s)
        rows = self._reader.invocations(self._session.id)
        return [
            EarlierCall(
                id=row.id,
                seq=row.seq,
                input_params=row.input_params,
                status=row.status,
                dedup_of=row.dedup_of,
                output=self._load(row.id),
            )
            for row in rows
            if row.tool_name == tool_name and row.seq < before and row.status is not InvocationStatus.RUNNING
        ]

    def _load(self, invocation_id: str) -> Mapping[str, Any] | None:
        raw = self._outputs.load_output(invocation_id)
        return None if raw is None else orjson.loads(raw)


def _said(text: str | None) -> str | None:
    return None if text is None else mask_text(clean_value(text))
