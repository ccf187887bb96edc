"""What was checked, computed from the rows: found, empty, deduplicated, failed, in part, not available."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from groundwire.domain.answer import Coverage, CoverageItem
from groundwire.domain.invocation import INTERRUPTED_MESSAGE, ToolInvocation
from groundwire.domain.metrics import STILL_NOW
from groundwire.domain.names import ErrorType, InvocationStatus, ToolName
from groundwire.domain.source_scope import asked_sources
from groundwire.domain.times import stored_instant
from groundwire.evidence.items import bounded
from groundwire.evidence.notes import folded
from groundwire.evidence.promql_words import promql_words
from groundwire.evidence.summary import topic_domain

_SUBJECTS: Final[Mapping[str, str]] = {
    ToolName.QUERY_LOGS: "logs",
    ToolName.QUERY_METRICS: "alerts and metrics",
    ToolName.LOOKUP_KNOWLEDGE: "knowledge",
}
_HOW: Final[Mapping[str, str]] = {
    ErrorType.NOT_CONFIGURED: "was not looked at",
    ErrorType.INVALID_PARAMS: "asked no source",
}
_TEXT_LIMIT: Final = 200
_MOST_NOTES: Final = 8
_MOST_NAMED: Final = 5


def coverage_of(rows: Sequence[ToolInvocation]) -> Coverage:
    """Return the coverage of a session's rows; every row stands in exactly one list, and in ``partial`` as well if it is."""
    by_id = {row.id: row for row in rows}
    lists: dict[str, list[CoverageItem]] = {
        name: [] for name in ("found", "empty", "deduped", "failed", "partial", "not_available")
    }
    for row in rows:
        asked = asked_for(row)
        match row.status:
            case InvocationStatus.EVIDENCE:
                lists["found"].append(_item(row, f"{asked}: {_found(row)}"))
            case InvocationStatus.NO_EVIDENCE:
                lists["empty"].append(_item(row, f"{asked}: {_empty(row)}"))
            case InvocationStatus.DEDUPED:
                earlier = by_id.get(row.dedup_of or "")
                repeats = f"repeats {earlier.ref_id}" if earlier else "repeats an earlier call"
                lists["deduped"].append(_item(row, f"{asked}: no new evidence, {repeats}"))
            case InvocationStatus.RUNNING:
                lists["failed"].append(_item(row, f"{asked}: {INTERRUPTED_MESSAGE}"))
            case _ if row.error_type == ErrorType.NOT_CONFIGURED:
                lists["not_available"].append(_item(row, f"{asked}: {row.error_message}"))
            case _ if row.error_type == ErrorType.INVALID_PARAMS:
                lists["failed"].append(_item(row, f"{asked}: no source was asked ({row.error_type}: {row.error_message})"))
            case _:
                lists["failed"].append(_item(row, f"{asked}: {row.error_type}: {row.error_message}"))
        if row.partial:
            lists["partial"].append(_item(row, f"{asked}: {'; '.join(row.partial_reasons) or 'answered only in part'}"))
    return Coverage(**{name: tuple(items) for name, items in lists.items()})


def asked_for(row: ToolInvocation) -> str:
    """Return in a few words what a call asked: ``logs of order-service, level error, "timed out"``."""
    params = row.input_params
    words = _SUBJECTS.get(row.tool_name, row.tool_name)
    if row.tool_name == ToolName.QUERY_METRICS:
        words = "metrics" if params.get("promql") else "alerts"
    if params.get("service"):
        words += f" of {params['service']}"
    details = [f"{name} {params[name]}" for name in ("level", "alert_name", "state") if params.get(name)]
    details += [_quoted(str(params["query"]))] if params.get("query") else []
    details += [promql_words(str(params["promql"]))] if params.get("promql") else []
    return bounded(", ".join([words, *details]), 120)


def _quoted(query: str) -> str:
    """Return a query in quotation marks; a phrase has its own."""
    return query if len(query) > 1 and query[0] == query[-1] == '"' else repr(query)


def _item(row: ToolInvocation, text: str) -> CoverageItem:
    labels = (row.scope or {}).get("labels") or {}
    return CoverageItem(
        ref=row.ref_id,
        tool_name=row.tool_name,
        topic_domain=topic_domain(labels),
        text=bounded(text, _TEXT_LIMIT),
        query=row.input_params.get("promql") or row.input_params.get("query"),
    )


def _found(row: ToolInvocation) -> str:
    if row.total_count is not None and row.total_count > (row.returned_count or 0):
        return f"{row.returned_count} of {row.total_count}"
    return str(row.returned_count)


def _empty(row: ToolInvocation) -> str:
    fetched = (row.retrieval_details or {}).get("fetched_count")
    return f"nothing matched ({fetched} before our filter)" if fetched else "nothing matched"


def gaps(rows: Iterable[ToolInvocation]) -> tuple[str, ...]:
    """Return a sentence for each thing that was asked for and not learned: what failed, came in part or has no source."""
    asked_by_gap: dict[str, list[str]] = {}
    for row in rows:
        gap = _gap(row)
        if gap is not None:
            asked_by_gap.setdefault(gap, []).append(f"{row.ref_id} ({asked_for(row)})")
    return tuple(
        bounded(f"{', '.join(asked[:3])}{' and others' if len(asked) > 3 else ''} {gap}", 400)
        for gap, asked in asked_by_gap.items()
    )


def nothing_asked(rows: Sequence[ToolInvocation]) -> str | None:
    """Return in words why no source was asked by any of the calls that left a gap; None where a source is what failed."""
    left = [row for row in rows if _gap(row) is not None]
    kinds = {row.error_type for row in left}
    named = bounded(", ".join(row.ref_id for row in left), 60)
    why = bounded(str(left[0].error_message).rstrip("."), 160) if left else ""
    if kinds == {ErrorType.INVALID_PARAMS}:
        return f"the arguments of {named} could not be used, so that no source was asked ({why})"
    if kinds == {ErrorType.NOT_CONFIGURED}:
        return f"nothing that is configured could answer {named}, so that no source was asked ({why})"
    return None


def _gap(row: ToolInvocation) -> str | None:
    if row.status == InvocationStatus.RUNNING:
        return "was interrupted."
    if row.status == InvocationStatus.FAILED:
        return f"{_HOW.get(row.error_type or '', 'failed')}: {str(row.error_message).rstrip('.')}."
    if row.partial:
        return f"answered only in part: {'; '.join(row.partial_reasons).rstrip('.')}."
    return None


def assumptions(rows: Iterable[ToolInvocation]) -> tuple[str, ...]:
    """Return what the sources assumed and said of themselves (a guessed year, a time zone), each once, at most eight, and which
    sources were never asked because they cover something else.
    """
    rows = tuple(rows)
    notes = [
        f"{source.get('name')}: {note}"
        for row in rows
        for source in (row.retrieval_details or {}).get("sources") or ()
        for note in (*(source.get("notes") or ()), *_ended(source, row))
    ]
    said = tuple(bounded(note, 300) for note in folded(notes))[:_MOST_NOTES]
    return (*said, *_never_asked(rows))


def _ended(source: Mapping[str, Any], row: ToolInvocation) -> tuple[str, ...]:
    """Return that saved records end inside the window: of what came after nothing is known, and no absence is proved."""
    window = (row.scope or {}).get("window") or {}
    newest, start, end = (
        stored_instant(value) for value in (source.get("newest_record"), window.get("start"), window.get("end"))
    )
    if source.get("live") is not False or newest is None or start is None or end is None:
        return ()
    if not start <= newest < end - STILL_NOW:
        return ()
    return (f"its records end at {newest:%Y-%m-%d %H:%M:%S} UTC, before the window does",)


def _never_asked(rows: Sequence[ToolInvocation]) -> tuple[str, ...]:
    every = {str(source.get("name")) for row in rows for source in (row.retrieval_details or {}).get("sources") or ()}
    never = sorted(every - {str(source.get("name")) for row in rows for source in asked_sources(row.retrieval_details)})
    if not never:
        return ()
    more = f" and {len(never) - _MOST_NAMED} more" if len(never) > _MOST_NAMED else ""
    return (bounded(f"Not asked, because they cover something else: {', '.join(never[:_MOST_NAMED])}{more}.", 300),)
