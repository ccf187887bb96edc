"""One recorded call by hand, in a session of its own or in a given one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from groundwire.domain.errors import GroundwireError, Interruption, UnknownToolError, UsageError
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.names import QuestionKind, SessionStatus
from groundwire.domain.reports import CallReport
from groundwire.domain.session import DiagnosisSession, Owner, SessionOutcome
from groundwire.ports import Progress
from groundwire.services.context import SessionContext
from groundwire.services.question_window import window_of


def call_tool(
    context: SessionContext,
    tool: str,
    params: Mapping[str, Any] | str,
    *,
    session_id: str | None,
    window: TimeWindow | None,
    is_alive: Callable[[Owner], bool],
    progress: Progress,
) -> CallReport:
    """Return the row and the output of one call; a call that failed is returned too, since its row was written.

    Raises:
        UnknownToolError: No tool goes by that name; nothing was written.
        UsageError: The session is being run by another process, or a window was given for one that has its own.
    """
    if tool not in context.tools:
        raise UnknownToolError(f"there is no tool {tool!r}", hint=f"The tools are {', '.join(context.tools)}.")
    if session_id is None:
        return _call_alone(context, tool, params, window, progress)
    session = context.stores.reader.find_session(session_id)
    if window is not None:
        raise UsageError(
            f"session {session.id} has its window already", hint="Give since and until in --params to ask about another span."
        )
    if session.status is SessionStatus.RUNNING and is_alive(session.owner) and session.owner != context.owner:
        raise UsageError(
            f"session {session.id} is being run by process {session.owner.process_id} on {session.owner.host}",
            hint="Wait until it has ended, or leave out --session.",
        )
    try:
        call = context.recorder(session, progress).ask(tool, params)
    except KeyboardInterrupt as exc:
        raise Interruption(session.id) from exc
    context.stores.sessions.recount(session.id)
    return CallReport(session_id=session.id, invocation=call.invocation, output=call.output)


def _call_alone(
    context: SessionContext, tool: str, params: Mapping[str, Any] | str, window: TimeWindow | None, progress: Progress
) -> CallReport:
    session = context.new_session(_question(context, tool, window), investigator="call")
    status = SessionStatus.FAILED
    try:
        call = context.recorder(session, progress).ask(tool, params)
        status = SessionStatus.COMPLETED
    except KeyboardInterrupt as exc:
        raise Interruption(session.id) from exc
    finally:
        _close(context, session, status)
    return CallReport(session_id=session.id, invocation=call.invocation, output=call.output)


def _close(context: SessionContext, session: DiagnosisSession, status: SessionStatus) -> None:
    outcome = SessionOutcome(status=status, completed_at=context.clock.now())
    if status is SessionStatus.COMPLETED:
        context.stores.sessions.complete_session(session.id, outcome)
        return
    try:
        context.stores.sessions.complete_session(session.id, outcome)
    except GroundwireError:
        return  # the error that ended the call is the one to see


def _question(context: SessionContext, tool: str, window: TimeWindow | None) -> Question:
    known = context.known()
    chosen, source = window_of(
        flag=window,
        text="",
        alerts=(),
        newest_record=known.newest_saved_record(()),
        now=known.now,
    )
    return Question(text=f"call {tool}", kind=QuestionKind.LOOKUP, subjects=(), window=chosen, window_source=source)
