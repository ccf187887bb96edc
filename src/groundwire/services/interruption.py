"""Sessions and calls that a killed process left running: marked by the next writer, never by a reader."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from groundwire.domain.invocation import INTERRUPTED_MESSAGE
from groundwire.domain.names import InvocationStatus
from groundwire.domain.session import Owner
from groundwire.ports import SessionWriter, TraceReader


def mark_interrupted(
    reader: TraceReader, writer: SessionWriter, *, is_alive: Callable[[Owner], bool], now: datetime
) -> tuple[str, ...]:
    """Mark what nobody runs any more and return the ids of those sessions; a session that another process runs is left alone."""
    dead = [session for session in reader.sessions(running_only=True) if not is_alive(session.owner)]
    for session in dead:
        rows = reader.invocations(session.id)
        running = [row.id for row in rows if row.status is InvocationStatus.RUNNING and not is_alive(row.owner)]
        writer.interrupt(running, [session.id], INTERRUPTED_MESSAGE, now)
    return tuple(session.id for session in dead)
