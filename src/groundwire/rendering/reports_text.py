"""Reports as text, readable at 60 to 100 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.names import Decision
from groundwire.domain.reports import (
    AuditReport,
    CallReport,
    ClaimExplanation,
    DoctorReport,
    EvidenceItem,
    ReplayReport,
    ReportPart,
    VerifyReport,
)
from groundwire.domain.session import DiagnosisSession
from groundwire.domain.verdict import ClaimVerdict
from groundwire.domain.visible import visible, visible_line
from groundwire.rendering.header import labelled, short_id
from groundwire.rendering.json_text import json_text
from groundwire.rendering.layout import break_line, bullets, shorten, wrap
from groundwire.rendering.rows import DRAFT_LABEL
from groundwire.rendering.trace_text import call_lines, session_line

_MOST_REFS: Final = 20
_LONGEST_KEY: Final = 20


def sessions_text(sessions: Sequence[DiagnosisSession], *, width: int = 80) -> str:
    """Return sessions, newest first, two lines each."""
    if not sessions:
        return "No session is recorded yet. Start one: groundwire demo"
    return "\n".join(line for session in sessions for line in session_line(session, width))


def evidence_text(item: EvidenceItem, *, width: int = 80) -> str:
    """Return where an item stands and the item itself; lines too long for the width are broken."""
    lines = [
        *labelled("Ref", f"{item.ref_id} {item.raw_path}", width),
        *labelled("Call", item.invocation_id, width),
        *labelled("SHA-256", item.output_sha256 or "no output is kept", width),
        "",
    ]
    return "\n".join([*lines, *_item_lines(item.item, width)])


def _item_lines(item: Any, width: int) -> list[str]:
    """Return an item field by field, a text of several lines as several; what is no object, as JSON."""
    if not isinstance(item, Mapping) or not item:
        return [line for text in json_text(item).splitlines() for line in break_line(text, width)]
    pad = min(max(len(visible(str(key))) for key in item), _LONGEST_KEY) + 2
    lines: list[str] = []
    for key, value in item.items():
        label = shorten(str(key), _LONGEST_KEY).ljust(pad)
        if isinstance(value, Mapping | list) and value:
            lines.append(label.rstrip())
            lines += [line for text in json_text(value).splitlines() for line in break_line(text, width, first="  ")]
            continue
        for text in value.splitlines() if isinstance(value, str) and value else [json_text(value)]:
            lines += break_line(visible_line(text), width, first=label)
            label = " " * pad
    return lines


def call_text(report: CallReport, *, width: int = 80) -> str:
    """Return the outcome of a call made by hand, and how to see all of it."""
    name, row = short_id(report.session_id), report.invocation
    ref = row.evidence_refs[0].ref_id if row.evidence_refs else row.ref_id
    lines = call_lines(row, width, most_refs=_MOST_REFS)
    return "\n".join([*lines, "", *labelled("See more:", f"groundwire evidence {name} {ref}", width)])


def verify_text(report: VerifyReport, *, width: int = 80) -> str:
    """Return the decision on an answer written elsewhere, and the verdict on each of its claims with its reason."""
    reason = f" ({report.degraded_reason})" if report.degraded_reason else ""
    words = {
        Decision.PASS: "the evidence of the session supports this answer.",
        Decision.LOW_CONFID: "the evidence of the session does not confirm this answer.",
        Decision.REJECT: "the evidence of the session contradicts this answer.",
    }
    lines = wrap(f"{report.decision}: {words[report.decision]}{reason}", width)
    verdicts = {verdict.claim.id: verdict for verdict in report.verdicts}
    in_table = False
    for part in report.parts or [ReportPart(text="", claim_id=claim_id) for claim_id in verdicts]:
        # A report is returned from beginning to end; what states nothing stands in it as it was.
        is_row = part.text.startswith("|")
        lines += [] if is_row and in_table else [""]
        lines += _part(report, verdicts[part.claim_id], width) if part.claim_id else wrap(part.text, width)
        in_table = is_row
    return "\n".join(lines)


def _part(report: VerifyReport, verdict: ClaimVerdict, width: int) -> list[str]:
    lines = _verdict(verdict.to_json(), width, is_attributed=verdict.claim.id in report.attributed)
    if verdict.claim.id in report.proposed:
        lines += wrap(f"{report.proposed[verdict.claim.id]} says so: cite that instead.", width, first="    ")
    return lines


def explanation_text(explanation: ClaimExplanation, *, width: int = 80) -> str:
    """Return how one claim of a draft was checked."""
    head = wrap(f"Claim {explanation.verdict['id']} of the draft ({DRAFT_LABEL}), decided {explanation.decision}:", width)
    return "\n".join([*head, *_verdict(explanation.verdict, width)])


def _verdict(verdict: Mapping[str, Any], width: int, *, is_attributed: bool = False) -> list[str]:
    refs = f" [{', '.join(verdict['refs'])}]" if verdict["refs"] else " (cites nothing)"
    refs += " (attributed: it cited nothing)" if is_attributed else ""
    lines = wrap(f"{verdict['verdict']} {verdict['kind']}: {verdict['text']}{refs}", width, first="  ", rest="    ")
    lines += wrap(verdict["reason"], width, first="    ")
    if verdict.get("voice"):
        lines += wrap(f"It rests on log text alone and is shown as: {verdict['voice']}: ...", width, first="    ")
    for fact in verdict["facts"]:
        found = "nothing" if fact["found"] is None else fact["found"]
        text = f"{fact['verdict']}: claimed {fact['claimed']}; {fact['looked_in']} has {found}"
        lines += wrap(text, width, first="    - ")
    return lines


def audit_text(report: AuditReport, *, width: int = 80) -> str:
    """Return whether a session is as it was recorded, and each fault."""
    checked = f"{report.rows} rows and {report.refs} refs checked"
    if report.ok:
        return "\n".join(wrap(f"ok: {checked}; chain, outputs, counts and refs are as they were recorded.", width))
    faults = [
        f"{fault.kind}: {fault.message}" + (f" (call {fault.invocation_id})" if fault.invocation_id else "")
        for fault in report.faults
    ]
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return "\n".join([*wrap(f"{count}; {checked}.", width), *bullets(faults, width)])


def replay_text(report: ReplayReport, *, width: int = 80) -> str:
    """Return whether the stored outputs lead to the recorded decision again."""
    decision, recorded = report.decision or "no decision", report.recorded_decision or "no decision"
    if report.same:
        return "\n".join(wrap(f"same: the stored outputs lead to {decision} again.", width))
    lines = wrap(f"different: the stored outputs lead to {decision}, recorded was {recorded}.", width)
    return "\n".join([*lines, *bullets(report.differences, width)])


def doctor_text(report: DoctorReport, *, width: int = 80) -> str:
    """Return each check with what was found, and what to do where it does not hold."""
    lines: list[str] = []
    for check in report.checks:
        lines += wrap(f"{check.name}: {check.message}", width, first="ok    " if check.ok else "FAIL  ")
        if check.hint:
            lines += wrap(check.hint, width, first=" " * 6)
    return "\n".join(lines)
