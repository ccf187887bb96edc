"""What came of a call: the one place where a tool's answer becomes the columns of its row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from groundwire.domain.incident import TimeWindow
from groundwire.domain.invocation import InvocationCompletion, InvocationStart
from groundwire.domain.masking import clean_value, mask_text, mask_value
from groundwire.domain.names import SCHEMA_VERSION, ErrorType, InvocationStatus, OutputState
from groundwire.domain.source_scope import asked_sources
from groundwire.evidence.items import COLLECTIONS
from groundwire.evidence.preview import make_preview
from groundwire.evidence.refs import evidence_ref_items

_COMPLETED = (InvocationStatus.EVIDENCE, InvocationStatus.NO_EVIDENCE, InvocationStatus.DEDUPED)
_DETAILS = ("fetched_count", "suppressed_count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A tool's masked JSON object, its bytes, and how the call ended."""

    status: InvocationStatus
    output: Mapping[str, Any]
    raw: bytes
    error_type: ErrorType | None = None
    error_message: str | None = None

    @classmethod
    def failed(cls, error_type: ErrorType, message: str) -> Outcome:
        """Return the outcome of a call that has no answer; ``message`` is the reason in the failing part's own words."""
        text = mask_text(clean_value(message)) or "no reason was given"
        output = {
            "evidence_status": InvocationStatus.FAILED,
            "error": {"type": error_type, "message": text},
            "returned_count": 0,
            "total_count": None,
            "partial": False,
            "partial_reasons": [],
            "scope": {"window": None, "filter": {}, "labels": {}},
            "sources": [],
            "schema_version": SCHEMA_VERSION,
        }
        raw = orjson.dumps(output)
        return cls(status=InvocationStatus.FAILED, output=output, raw=raw, error_type=error_type, error_message=text)

    @classmethod
    def of_output(cls, output: Mapping[str, Any]) -> Outcome:
        """Return the outcome of a tool's answer, masked; an answer that is no JSON object of ours is a failed one."""
        try:
            masked, raw = masked_json(*_storable(output))
        except TypeError as exc:
            return cls.failed(ErrorType.INTERNAL, f"the tool returned what is not JSON: {exc}")
        status = masked.get("evidence_status")
        if status in _COMPLETED:
            return cls(status=InvocationStatus(status), output=masked, raw=raw)
        error = masked.get("error")
        if status != InvocationStatus.FAILED or not isinstance(error, Mapping):
            return cls.failed(ErrorType.INTERNAL, f"the tool returned the unknown evidence_status {status!r}")
        known = error.get("type") in list(ErrorType)
        return cls(
            status=InvocationStatus.FAILED,
            output=masked,
            raw=raw,
            error_type=ErrorType(error["type"]) if known else ErrorType.INTERNAL,
            error_message=str(error.get("message") or "") or "no reason was given",
        )


def completion_of(
    start: InvocationStart, seq: int, outcome: Outcome, window: TimeWindow, duration_ms: float
) -> tuple[InvocationCompletion, Mapping[str, Any]]:
    """Return what completes the row, and the output as the caller may see it; ``window`` is the session's."""
    output, status, raw = outcome.output, outcome.status, outcome.raw
    refs = evidence_ref_items(start.tool_name, seq, output, window) if status is InvocationStatus.EVIDENCE else []
    if status is InvocationStatus.EVIDENCE and not refs and start.tool_name in COLLECTIONS:
        status = InvocationStatus.NO_EVIDENCE
        output = {**output, "evidence_status": status}
        raw = orjson.dumps(output)
    state = _output_state(status, output)
    kept = None if state is OutputState.NONE else raw
    preview, truncated = make_preview(kept) if kept is not None else (None, False)
    sources = output.get("sources") or []
    details: dict[str, Any] = {"evidence_refs": refs, "sources": sources}
    details.update({name: output[name] for name in _DETAILS if output.get(name) is not None})
    return (
        InvocationCompletion(
            id=start.id,
            session_id=start.session_id,
            backend=_backend(output),
            duration_ms=duration_ms,
            status=status,
            error_type=outcome.error_type,
            error_message=outcome.error_message,
            output_state=state,
            output=kept,
            output_preview=preview,
            output_truncated=truncated,
            output_sha256=None if kept is None else hashlib.sha256(kept).hexdigest(),
            returned_count=int(output.get("returned_count") or 0),
            total_count=output.get("total_count"),
            partial=bool(output.get("partial")),
            partial_reasons=tuple(output.get("partial_reasons") or ()),
            scope=output.get("scope") or {},
            retrieval_layer=output.get("retrieval_layer"),
            l0_count=output.get("l0_count"),
            l1_count=output.get("l1_count"),
            relevance_level=output.get("relevance_level"),
            dedup_reason=output.get("dedup_reason"),
            dedup_of=output.get("dedup_of"),
            retrieval_details=details,
        ),
        output,
    )


def masked_json(value: Any, raw: bytes) -> tuple[Any, bytes]:
    """Return a JSON value masked, and its bytes."""
    masked = mask_value(value)
    return (value, raw) if masked is value else (masked, orjson.dumps(masked))


def _storable(output: Mapping[str, Any]) -> tuple[Any, bytes]:
    try:
        raw = orjson.dumps(output)
    except TypeError:  # a lone surrogate, which no UTF-8 stream takes
        raw = b""
    if raw and b"\\u0000" not in raw:
        return output, raw
    cleaned = clean_value(output)
    return cleaned, orjson.dumps(cleaned)


def _output_state(status: InvocationStatus, output: Mapping[str, Any]) -> OutputState:
    if status is InvocationStatus.EVIDENCE:
        return OutputState.PRESENT
    if status is InvocationStatus.NO_EVIDENCE:
        return OutputState.EMPTY
    # What cannot be parsed is kept, for whoever wants to see what the backend really said.
    return OutputState.PRESENT if output.get("raw_answer") else OutputState.NONE


def _backend(output: Mapping[str, Any]) -> str | None:
    names = {str(source.get("name")) for source in asked_sources(output)}
    return None if not names else names.pop() if len(names) == 1 else "several"
