"""What the logs of a suspect tell in numbers -> claims: how many, of which level, until when, and that there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.domain.answer import Claim
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.levels import Level
from groundwire.domain.names import ClaimKind, ClaimRole, InvocationStatus
from groundwire.grounding.quotes import stands_in
from groundwire.investigators.claims import unnumbered, utc
from groundwire.investigators.findings import SuspectLogs, has_evidence, refs_in


def levels_in_words(summary: Mapping[str, Any]) -> str | None:
    """Return "34 ERROR records and 2 FATAL records", gravest last; a lower bound is said to be one."""
    by_level = summary.get("by_level") or {}
    counts = [(level, by_level[level.name]) for level in Level if level >= Level.WARN and by_level.get(level.name)]
    least = "" if summary.get("total_is_exact", True) else "at least "
    return " and ".join(f"{least}{n} {level.name} {'record' if n == 1 else 'records'}" for level, n in counts) or None


def went_on(logs: SuspectLogs) -> Iterator[Claim]:
    """Word that a service went on without errors: its trouble may be over, and another one than is asked about."""
    newest = logs.went_on_until()
    if newest is not None and logs.newest is not None:
        text = f"{logs.service} went on logging until {newest:%Y-%m-%d %H:%M:%S} UTC."
        yield unnumbered(text, ClaimKind.OBSERVATION, ClaimRole.CONTEXT, f"{logs.newest.invocation.ref_id}.summary")


def frequency(logs: SuspectLogs) -> Iterator[Claim]:
    """Word how often the pattern of a suspect's errors came up."""
    if logs.pattern is not None and logs.pattern_phrase and has_evidence(logs.pattern):
        yield from counted(logs.service, logs.pattern, logs.pattern_phrase, ClaimKind.OBSERVATION, ClaimRole.CONTEXT)


def counted(service: str, call: RecordedCall, phrase: str, kind: ClaimKind, role: ClaimRole) -> Iterator[Claim]:
    """Word how many lines hold a phrase, and the first of them; nothing where they were not counted to the end."""
    summary = call.output.get("summary") or {}
    first = utc(summary.get("first_at"))
    sample = next((ref for ref, item in refs_in(call, "logs", "logs") if stands_in(phrase, item["message"])), None)
    if not first or sample is None or not summary.get("total_is_exact", True):
        return
    total = summary["total"]
    lines = "1 log line contains" if total == 1 else f"{total} log lines contain"
    text = f"In {service}, {lines} “{phrase}”, the first at {first}."
    yield unnumbered(text, kind, role, f"{call.invocation.ref_id}.summary", sample)


def quiet(logs: SuspectLogs, role: ClaimRole) -> Iterator[Claim]:
    """Word that a suspect logged no error."""
    yield from quiet_call(logs.errors, logs.service, role)


def quiet_call(call: RecordedCall, service: str | None, role: ClaimRole) -> Iterator[Claim]:
    """Word that a call found no error among what was logged; nothing where nothing was."""
    scope = (call.output.get("summary") or {}).get("in_scope") or {}
    spoke = scope.get("total")
    if call.invocation.status is InvocationStatus.NO_EVIDENCE and spoke:
        about = f" of {service}" if service else ""
        records = "1 record" if spoke == 1 else f"{spoke} records"
        among = f" among {records}" if scope.get("total_is_exact", True) else ""
        text = f"No log line{about} of level ERROR or more severe{among} in the window."
        yield unnumbered(text, ClaimKind.ABSENCE, role, f"{call.invocation.ref_id}.summary")
