"""Names as contract, SQL, JSON and page spell them: enumerations shared by every floor, and ids."""

from __future__ import annotations

import os
import threading
import time
from enum import StrEnum
from typing import Final

SCHEMA_VERSION: Final = 1
"""Of the rows and of the tools' JSON objects."""


class ToolName(StrEnum):
    """The three questions an investigator may ask."""

    QUERY_LOGS = "query_logs"
    QUERY_METRICS = "query_metrics"
    LOOKUP_KNOWLEDGE = "lookup_knowledge"


class QuestionKind(StrEnum):
    """What a question wants: why, is it well, or what is known."""

    DIAGNOSE = "diagnose"
    STATUS = "status"
    LOOKUP = "lookup"


class WindowSource(StrEnum):
    """Where a session's window came from; the first that applies."""

    FLAG = "flag"
    QUESTION = "question"
    ALERT = "alert"
    NEWEST_RECORD = "newest_record"
    DEFAULT = "default"


class SessionStatus(StrEnum):
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class InvocationStatus(StrEnum):
    """``running`` is written before the call; exactly one of the others after it."""

    RUNNING = "running"
    EVIDENCE = "evidence"
    NO_EVIDENCE = "no_evidence"
    DEDUPED = "deduped"
    FAILED = "failed"


class ErrorType(StrEnum):
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    REJECTED = "rejected"
    MALFORMED = "malformed"
    NOT_CONFIGURED = "not_configured"
    INVALID_PARAMS = "invalid_params"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


class OutputState(StrEnum):
    """Whether an output is kept: some, an empty one, or none at all."""

    PRESENT = "present"
    EMPTY = "empty"
    NONE = "none"


class EvidenceLevel(StrEnum):
    """``direct`` is inside the session's window and happened; ``indirect`` is outside it or is knowledge."""

    DIRECT = "direct"
    INDIRECT = "indirect"
    NONE = "none"


class Trust(StrEnum):
    """Who could have put words into it: ``measured`` nobody, ``emitted`` users, ``written`` a person some other day."""

    MEASURED = "measured"
    EMITTED = "emitted"
    WRITTEN = "written"


class ClaimKind(StrEnum):
    SYMPTOM = "symptom"
    CAUSE = "cause"
    OBSERVATION = "observation"
    ABSENCE = "absence"
    HYPOTHESIS = "hypothesis"
    RECOMMENDATION = "recommendation"


MATERIAL_KINDS: Final = frozenset({ClaimKind.SYMPTOM, ClaimKind.CAUSE, ClaimKind.OBSERVATION, ClaimKind.ABSENCE})
"""Kinds that state what is or was; the others are worded, and shown, as guess and advice."""


class ClaimRole(StrEnum):
    """``answer`` is what was asked for, ``support`` what the answer rests on, ``context`` the rest."""

    ANSWER = "answer"
    SUPPORT = "support"
    CONTEXT = "context"


class Verdict(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNCHECKABLE = "uncheckable"


class Decision(StrEnum):
    PASS = "PASS"  # noqa: S105 - a decision, not a password
    LOW_CONFID = "LOW_CONFID"
    REJECT = "REJECT"


class DegradedReason(StrEnum):
    CONTRADICTED = "contradicted"
    JUDGE_REJECTED = "judge_rejected"
    DRAFT_INCOMPLETE = "draft_incomplete"
    VERIFIER_MISSING = "verifier_missing"
    VERIFIER_INVALID_JSON = "verifier_invalid_json"
    VERIFIER_INVALID_SCHEMA = "verifier_invalid_schema"
    VERIFIER_UNAVAILABLE = "verifier_unavailable"
    NO_DIRECT_EVIDENCE = "no_direct_evidence"
    COVERAGE_GAP = "coverage_gap"
    UNSUPPORTED_CLAIMS = "unsupported_claims"
    QUESTION_NOT_ANSWERED = "question_not_answered"
    JUDGE_LOW_CONFIDENCE = "judge_low_confidence"


class StepKind(StrEnum):
    MODEL = "model"
    HELPER = "helper"


class StepRole(StrEnum):
    PLANNER = "planner"
    EXECUTOR = "executor"
    VERIFIER = "verifier"


class DedupReason(StrEnum):
    REPEAT_QUERY = "repeat_query"
    BLOCKS_ALREADY_SEEN = "blocks_already_seen"


class RelevanceLevel(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


class RetrievalLayer(StrEnum):
    """L0 is the document tier (title, abstract, alert names), L1 the section tier."""

    L0 = "L0"
    L1 = "L1"
    NONE = "none"


_id_lock = threading.Lock()
_last_ms = 0


def new_id() -> str:
    """Return a UUIDv7 as text; ids made later in one process sort later, unless more than 4,096 share a millisecond.

    Source:
        RFC 9562, section 5.7, with the monotonic counter of section 6.2 in ``rand_a``. The standard library has none before 3.14.
    """
    global _last_ms
    with _id_lock:
        now = time.time_ns() * 4096 // 1_000_000
        _last_ms = max(now, _last_ms + 1)
        ticks = _last_ms
    millis, counter = divmod(ticks, 4096)
    value = (millis & ((1 << 48) - 1)) << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62
    value |= int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
