"""A trace as text: every call with what it asked, what came of it and its refs, and what the verifier made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from groundwire.domain.evidence import EvidenceEntry
from groundwire.domain.invocation import INTERRUPTED_MESSAGE, ToolInvocation
from groundwire.domain.names import InvocationStatus, StepKind
from groundwire.domain.reports import Trace
from groundwire.domain.session import AgentStep, DiagnosisSession
from groundwire.domain.times import format_duration, format_instant
from groundwire.domain.verdict import VerifierEvaluation
from groundwire.rendering.header import labelled, short_id, window_lines
from groundwire.rendering.layout import NARROWEST, bullets, shorten, wrap
from groundwire.rendering.rows import DRAFT_LABEL

_MOST_REFS: Final = 5
_MOST_SAID: Final = 10
_TEXT_COLUMNS: Final = 200
_DRAFT_TITLE: Final = f"Draft ({DRAFT_LABEL})"


def trace_text(trace: Trace, *, width: int = 80) -> str:
    """Return everything recorded of a session in lines of at most ``width`` columns; JSON holds every column of it."""
    width = max(width, NARROWEST)
    sections = [
        _session(trace.session, width),
        ["Calls", *_calls(trace, width)],
        ["Steps", *(line for step in trace.steps for line in _step(step, width))],
        ["What the verifier read", *(line for entry in trace.entries for line in _entry(entry, width))],
        [
            "Evaluations (of the unverified draft)",
            *(line for evaluation in trace.evaluations for line in _evaluation(evaluation, width)),
        ],
        wrap(_DRAFT_TITLE, width) + _draft(trace.session.draft_answer, width) if trace.session.draft_answer else [],
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if len(lines) > 1)


def call_lines(row: ToolInvocation, width: int, *, is_interrupted: bool = False, most_refs: int = _MOST_REFS) -> list[str]:
    """Return a call: outcome, time, parameters, counts, and at most ``most_refs`` of its refs with the start of their text."""
    took = "not completed" if row.duration_ms is None else format_duration(row.duration_ms)
    status = "interrupted" if is_interrupted else row.status.value
    place = [row.tool_name, status, took, *([row.backend] if row.backend else []), format_instant(row.started_at)]
    lines = wrap(", ".join(place), width, first=f"  {row.ref_id.ljust(4)} ")
    details = [f"asked {_params(row.input_params)}", *_outcome(row, is_interrupted=is_interrupted)]
    for detail in details:
        lines += wrap(detail, width, first=" " * 7, rest=" " * 9)
    refs = row.evidence_refs
    for ref in refs[:most_refs]:
        text = shorten(ref.text, _TEXT_COLUMNS)
        lines += wrap(f"{ref.ref_id} ({ref.level}, {ref.trust}) {text}", width, first=" " * 7, rest=" " * 9)
    if len(refs) > most_refs:
        lines += wrap(f"and {len(refs) - most_refs} more refs (--json shows them all)", width, first=" " * 7)
    return lines


def _session(session: DiagnosisSession, width: int) -> list[str]:
    outcome = session.decision.value if session.decision else "no decision"
    if session.degraded_reason:
        outcome += f" ({session.degraded_reason})"
    counts = f"{session.tool_call_count} recorded calls, {session.step_count} model steps, by {session.investigator}"
    if session.model:
        counts += f" with {session.model}"
    return [
        *labelled("Session", session.id, width),
        *labelled("Question", shorten(session.question, 400), width),
        *(labelled("About", ", ".join(session.subjects), width) if session.subjects else []),
        *window_lines(session.window, width, None, source=session.window_source),
        *labelled("Outcome", f"{session.status}, {outcome}; {counts}", width),
        *labelled("Opened", format_instant(session.created_at), width),
    ]


def _calls(trace: Trace, width: int) -> list[str]:
    lines: list[str] = []
    for row in trace.invocations:
        lines += call_lines(row, width, is_interrupted=row.id in trace.interrupted_ids)
    return lines or ["  none"]


def _outcome(row: ToolInvocation, *, is_interrupted: bool) -> list[str]:
    if is_interrupted:
        return [INTERRUPTED_MESSAGE]
    lines = []
    if row.status is InvocationStatus.FAILED:
        lines.append(f"failed ({row.error_type}): {row.error_message}")
    elif row.status is InvocationStatus.DEDUPED:
        lines.append(f"no new evidence: {row.dedup_reason} of {row.dedup_of}")
    elif row.status is not InvocationStatus.RUNNING:
        total = "" if row.total_count is None else f" of {row.total_count}"
        lines.append(f"returned {row.returned_count or 0}{total}{_window(row)}")
    if row.retrieval_layer:
        lines.append(
            f"layer {row.retrieval_layer}, {row.l0_count} documents, {row.l1_count} sections, relevance {row.relevance_level}"
        )
    if row.partial:
        lines.append(f"in part: {'; '.join(row.partial_reasons)}")
    return lines


def _window(row: ToolInvocation) -> str:
    """Return which window a call really looked at: an empty answer says nothing without it."""
    window = (row.scope or {}).get("window")
    return f", window {window['start']} to {window['end']}" if isinstance(window, Mapping) else ""


def _params(params: Mapping[str, Any]) -> str:
    if not params:
        return "without parameters"
    shown = (f"{key}={value if isinstance(value, str) else json.dumps(value, default=str)}" for key, value in params.items())
    return shorten(", ".join(shown), _TEXT_COLUMNS)


def _step(step: AgentStep, width: int) -> list[str]:
    text = f"{step.kind} {step.role}: {shorten(step.request_summary, _TEXT_COLUMNS)}"
    if step.error_message:
        text += f" - failed: {shorten(step.error_message, _TEXT_COLUMNS)}"
    lines = wrap(text, width, first=f"  {step.seq}. ")
    if step.kind is StepKind.MODEL:
        return lines + wrap(_request(step), width, first=" " * 5, rest=" " * 7)
    # What an investigator says of itself: what a repair round gave back, and what it changed.
    said = [line for line in (step.response_text or "").splitlines() if line.strip()]
    more = [f"and {len(said) - _MOST_SAID} more (--json shows them all)"] if len(said) > _MOST_SAID else []
    return lines + [
        line
        for text in (*said[:_MOST_SAID], *more)
        for line in wrap(shorten(text, _TEXT_COLUMNS), width, first=" " * 5, rest=" " * 7)
    ]


def _request(step: AgentStep) -> str:
    """Return what is known of a request to a model: who answered, tokens, time, and why the reply ended."""
    read = "unknown" if step.input_tokens is None else f"{step.input_tokens:,}"
    written = "unknown" if step.output_tokens is None else f"{step.output_tokens:,}"
    uncounted = step.input_tokens is None and step.output_tokens is None
    parts = [*([step.model] if step.model else []), "tokens unknown" if uncounted else f"tokens {read} read, {written} written"]
    if step.duration_ms is not None:
        parts.append(format_duration(step.duration_ms))
    if step.finish_reason and not step.error_message:
        parts.append(f"ended by {step.finish_reason}")
    return ", ".join(parts)


def _entry(entry: EvidenceEntry, width: int) -> list[str]:
    counts = f"calls {entry.call_count}, failed {entry.failed_count}, no hit {entry.no_hit_count}, repeated {entry.deduped_count}"
    state = "" if entry.success else ", unsuccessful"
    part = ", in part" if entry.partial else ""
    lines = wrap(f"{entry.tool_name} on {entry.topic_domain}: {entry.evidence_level}{state}{part}; {counts}", width, first="  ")
    return lines + wrap(shorten(entry.output_summary, 400), width, first=" " * 4)


def _evaluation(evaluation: VerifierEvaluation, width: int) -> list[str]:
    reason = f" ({evaluation.degraded_reason})" if evaluation.degraded_reason else ""
    took = format_duration(evaluation.duration_ms)
    text = f"{evaluation.decision}{reason}, rules {evaluation.rules_version}, {took}, {format_instant(evaluation.created_at)}"
    lines = wrap(text, width, first=f"  {evaluation.attempt}. ")
    verdicts = (f"{v.get('verdict')}: {v.get('text')} - {v.get('reason')}" for v in evaluation.claim_verdicts)
    return lines + [line for text in verdicts for line in wrap(shorten(text, 300), width, first=" " * 5, rest=" " * 7)]


def _draft(draft_answer: str, width: int) -> list[str]:
    """Return the claims of a draft; one that cannot be read is shown as it is stored."""
    try:
        claims = json.loads(draft_answer)["claims"]
        texts = [f"{claim['kind']}: {claim['text']} {' '.join(claim['refs'])}" for claim in claims]
    except (ValueError, LookupError, TypeError):
        texts = [draft_answer]
    return bullets([shorten(text, 400) for text in texts], width)


def session_line(session: DiagnosisSession, width: int) -> list[str]:
    """Return one session of a list: its short id, when, how it ended, and the start of its question."""
    outcome = session.decision.value if session.decision else session.status.value
    head = f"{short_id(session.id)}  {session.created_at:%Y-%m-%d %H:%M}Z  {outcome}  {session.tool_call_count} calls"
    return [*wrap(head, width), *wrap(shorten(session.question, width - 2), width, first="  ")]
