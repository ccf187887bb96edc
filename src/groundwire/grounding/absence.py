"""Absence: proved only by a whole, completed query that covers what is claimed absent, and only of a subject that speaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from groundwire.domain.levels import Level, parse_level
from groundwire.domain.logs import UNKNOWN_LEVEL
from groundwire.domain.names import ErrorType, InvocationStatus, ToolName, Verdict
from groundwire.domain.times import format_instant, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.facts import fact

NEGATION: Final = re.compile(
    r"\b(?:no|not|none|never|nothing|without|neither|nor|(?<!to )zero|cannot|absent)\b|n[’']t\b", re.IGNORECASE
)
_LEVEL_WORD: Final = re.compile(r"\b(trace|debug|info|notice|warn|warning|error|critical|fatal)s?\b", re.IGNORECASE)
_STATE_WORD: Final = re.compile(r"\b(firing|pending|suppressed)\b", re.IGNORECASE)
_SAVED: Final = re.compile(r"\bsaved\b", re.IGNORECASE)
# A list of what is active now, or a log that ends here, speaks of a window that ends no further away than this.
_STILL_NOW: Final = timedelta(minutes=5)
_ONE_MOMENT: Final = "a saved answer shows one moment, not the window; only a live source proves it"
# A record without a level may be an error that nobody labelled.
_MOST_UNLEVELLED: Final = 0.05


def check_absence(text: str, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each cited call; an absence that cites no whole call is unsupported."""
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    if not calls:
        return [fact("an absence", "no whole call is cited", None, Verdict.UNSUPPORTED)]
    return [_check_call(text, call, base) for call in calls]


def _check_call(text: str, call: Cited, base: EvidenceBase) -> CheckedFact:
    row, where = call.call.row, call.ref_id
    if row.status in (InvocationStatus.FAILED, InvocationStatus.RUNNING):
        failure = row.error_type or ErrorType.INTERRUPTED
        return fact("an absence", where, f"the call failed ({failure}): a gap, not an absence", Verdict.UNSUPPORTED)
    if row.status is InvocationStatus.DEDUPED:
        return fact("an absence", where, "the call was a repeat and asked nothing", Verdict.UNSUPPORTED)
    if row.partial:
        return fact("an absence", where, "the answer was partial: it proves no absence", Verdict.UNSUPPORTED)
    if row.tool_name == ToolName.QUERY_METRICS and not _SAVED.search(text) and not _is_live(call):
        return fact("no alert", f"{where} sources", _ONE_MOMENT, Verdict.UNSUPPORTED)
    is_of_saved_alerts = row.tool_name == ToolName.QUERY_METRICS and _SAVED.search(text) is not None
    gap = (None if is_of_saved_alerts else _window_gap(call, base)) or _service_gap(text, call, base)
    if gap is not None:
        return fact("an absence", f"{where} scope", gap, Verdict.UNSUPPORTED)
    if row.tool_name == ToolName.QUERY_LOGS:
        return _check_logs(text, call)
    if row.tool_name == ToolName.QUERY_METRICS:
        return _check_alerts(text, call, base)
    found = row.returned_count or 0
    return fact("nothing there", where, f"{found} found", Verdict.CONTRADICTED if found else Verdict.SUPPORTED)


def _is_live(call: Cited) -> bool:
    sources = call.item["sources"]
    return bool(sources) and all(source.get("live") for source in sources)


def _window_gap(call: Cited, base: EvidenceBase) -> str | None:
    window = (call.call.row.scope or {}).get("window") or {}
    start, end = stored_instant(window.get("start")), stored_instant(window.get("end"))
    asked = base.question.window
    if call.call.row.tool_name == ToolName.QUERY_LOGS and (
        start is None or end is None or start > asked.start or end < asked.end
    ):
        return "the call did not cover the whole window of the question"
    end = asked.end
    if call.call.row.tool_name == ToolName.QUERY_METRICS and call.call.row.started_at - end > _STILL_NOW:
        return f"the alerts are those of {format_instant(call.call.row.started_at)}, not of the window"
    for source in call.item["sources"]:
        newest = stored_instant(source.get("newest_record"))
        if source.get("live") is False and newest is not None and end - newest > _STILL_NOW:
            return f"the saved records end at {format_instant(newest)}, before the window does"
    return None


def _service_gap(text: str, call: Cited, base: EvidenceBase) -> str | None:
    """A call about one service proves nothing of another, nor of all; one about all does not show that each of them spoke."""
    asked = ((call.call.row.scope or {}).get("labels") or {}).get("service")
    named = base.services_in(text) or frozenset(base.question.subjects)
    if asked and named != {asked}:
        return f"the call asked about {asked} only"
    if not asked and named and call.call.row.tool_name == ToolName.QUERY_LOGS:
        return f"the call did not ask about {', '.join(sorted(named))} alone"
    return None


def _check_logs(text: str, call: Cited) -> CheckedFact:
    summary, where = call.item["summary"], f"{call.ref_id} summary"
    in_scope: dict[str, Any] = summary.get("in_scope") or {}
    spoke = in_scope.get("total") or 0
    level_match = _LEVEL_WORD.search(text)
    level = parse_level(level_match[1]) if level_match else None
    if not spoke:
        return fact(
            "an absence", where, "the subject logged nothing at all in the window: no data is not health", Verdict.UNSUPPORTED
        )
    unlevelled = (in_scope.get("by_level") or {}).get(UNKNOWN_LEVEL, 0)
    if level is not None and unlevelled > spoke * _MOST_UNLEVELLED:
        return fact(
            "an absence",
            f"{where}.in_scope",
            f"{unlevelled} of {spoke} records have no level that could be read",
            Verdict.UNSUPPORTED,
        )
    if summary.get("total_is_exact") is False:
        return fact("an absence", where, "the count is only a lower bound", Verdict.UNSUPPORTED)
    hits = _hits(summary, level)
    claimed = f"no record of {level.name} or more severe" if level else "no matching record"
    return fact(claimed, where, f"{hits} of {spoke} records", Verdict.CONTRADICTED if hits else Verdict.SUPPORTED)


def _hits(summary: dict[str, Any], level: Level | None) -> int:
    if level is None:
        return int(summary.get("total") or 0)
    counts = {parse_level(name): n for name, n in (summary.get("by_level") or {}).items()}
    return sum(n for named, n in counts.items() if named is not None and named >= level)


def _check_alerts(text: str, call: Cited, base: EvidenceBase) -> CheckedFact:
    states = {match[1].lower() for match in _STATE_WORD.finditer(text)}
    alerts = (call.call.output or {}).get("alerts") or []
    named = base.services_in(text)
    hits = [
        alert for alert in alerts if (not states or alert.get("state") in states) and (not named or alert.get("service") in named)
    ]
    verdict = Verdict.CONTRADICTED if hits else Verdict.SUPPORTED
    return fact("no such alert", f"{call.ref_id} alerts", f"{len(hits)} found", verdict)
