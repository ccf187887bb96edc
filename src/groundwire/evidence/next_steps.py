"""What to check next, computed from the rows and never from a draft."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import ErrorType, EvidenceLevel, InvocationStatus, ToolName
from groundwire.domain.times import format_instant, stored_instant
from groundwire.evidence.coverage import asked_for
from groundwire.evidence.items import bounded

_FLAGS = {
    ToolName.QUERY_LOGS: "name a log folder with --logs DIR",
    ToolName.QUERY_METRICS: "name alerts with --alerts FILE|URL, or a Prometheus with --metrics URL",
    ToolName.LOOKUP_KNOWLEDGE: "name a folder of runbooks with --runbooks DIR",
}
_MOST_STEPS = 5
_LONGEST_REASON = 160


def next_steps(rows: Sequence[ToolInvocation], session_id: str, *, models: Sequence[str] = ()) -> tuple[str, ...]:
    """Return at most five sentences, the most useful first: mend what failed, add what is missing, read what was found.

    ``models`` is what to do about a language model that gave no answer: then a wider window would bring none either.
    """
    failed = [row for row in rows if row.status == InvocationStatus.FAILED]
    steps = [*models]
    steps += [_retry(row) for row in failed[:2] if row.error_type not in (ErrorType.NOT_CONFIGURED, ErrorType.INVALID_PARAMS)]
    steps += [_configure(row) for row in failed if row.error_type == ErrorType.NOT_CONFIGURED]
    unusable = [row for row in failed if row.error_type == ErrorType.INVALID_PARAMS]
    is_nothing_asked = len(unusable) == len(rows)
    steps += [_reword(row) for row in unusable[:1] if is_nothing_asked]
    strongest, short_id = _strongest(rows), session_id.rpartition("-")[2]
    if strongest:
        steps.append(f"Read the strongest evidence whole: groundwire evidence {short_id} {strongest}")
    elif not models and not (rows and is_nothing_asked):
        steps += _look_where_saved_logs_end(rows)
        steps.append("Look at a wider window (--last 6h, or --since and --until), or name the service with --service.")
    return tuple(dict.fromkeys(steps))[:_MOST_STEPS]


def _look_where_saved_logs_end(rows: Sequence[ToolInvocation]) -> list[str]:
    """Saved logs beside a live source: the window is the present, and the logs may have ended long before it."""
    asked = [row for row in rows if row.tool_name == ToolName.QUERY_LOGS and row.scope]
    windows = [(row.scope or {}).get("window") or {} for row in asked]
    starts = [start for window in windows if (start := stored_instant(window.get("start"))) is not None]
    sources = [source for row in asked for source in (row.retrieval_details or {}).get("sources") or ()]
    ends = [end for source in sources if (end := stored_instant(source.get("newest_record"))) is not None]
    if not starts or not ends or max(ends) >= min(starts):
        return []
    # What is measured goes on where the logs end: an incident may begin there.
    until = max(ends).replace(microsecond=0) + timedelta(minutes=15)
    since = format_instant(until - timedelta(hours=1))
    return [f"The saved logs end at {format_instant(max(ends))}: look there with --since {since} --until {format_instant(until)}"]


def _retry(row: ToolInvocation) -> str:
    return f"Mend what made {row.ref_id} ({asked_for(row)}) fail, then ask again."


def _reword(row: ToolInvocation) -> str:
    why = bounded(str(row.error_message).rstrip("."), _LONGEST_REASON)
    return f"Ask again, or let another model ask: {row.ref_id} could not be asked as it was written ({why})."


def _configure(row: ToolInvocation) -> str:
    flag = _FLAGS.get(ToolName(row.tool_name)) if row.tool_name in list(ToolName) else None
    return f"To have {asked_for(row)} checked too, {flag or 'configure a source for it'}."


def _strongest(rows: Sequence[ToolInvocation]) -> str | None:
    refs = [ref for row in rows if row.status == InvocationStatus.EVIDENCE for ref in row.evidence_refs]
    direct = [ref for ref in refs if ref.level is EvidenceLevel.DIRECT]
    # A log line says most about what happened; an alert was read already by whoever asks.
    logs = [ref for ref in direct if ".logs." in ref.ref_id]
    best = logs or direct or refs
    return best[0].ref_id if best else None
