"""Absence: proved only by a whole, completed query that covers what is claimed absent, and only of a subject that speaks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level, parse_level
from groundwire.domain.logs import UNKNOWN_LEVEL
from groundwire.domain.metrics import STILL_NOW
from groundwire.domain.names import ErrorType, InvocationStatus, ToolName, Verdict
from groundwire.domain.sources import SourceKind
from groundwire.domain.times import format_instant, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.absence_cues import Absence, read_absence
from groundwire.grounding.amounts import amounts_in
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.count_words import HELPER, LONGEST_READ
from groundwire.grounding.facts import fact
from groundwire.grounding.quotes import quotes_in
from groundwire.grounding.selection import asked_level, asks_for, has_query, names_the_query

_STATE_WORD: Final = re.compile(r"\b(firing|pending|suppressed)\b", re.IGNORECASE)
_OF_RECORDS: Final = re.compile(
    r"\b(?:records?|lines?|entry|entries|messages?|logged|hits?|match(?:es)?|results?)\b", re.IGNORECASE
)
_OF_SEARCH: Final = re.compile(
    r"\b(?:search|quer(?:y|ied)|grep(?:ped)?|look(?:ed|-?up)|check(?:ed)?|hits?|match(?:es|ing|ed)?|results?|came|found|"
    r"find|call|returned)\b",
    re.IGNORECASE,
)
# What helps to say an absence and states nothing of its own.
_HELPER: Final = re.compile(
    r"\b(?:whatsoever|at all|in any way|of any kind|anything|something|anywhere|anyone|anybody|somebody|any|even|ever|so much as|"
    r"a single|an? (?=(?:single|solitary|lone))|single|solitary|one|once|at any (?:point|time|stage)|at no (?:point|time)|"
    r"up|blank|dry|empty-handed|"
    r"could|can|be|been|being|did|does|do|is|was|are|were|remain(?:s|ed|ing)?|stay(?:s|ed|ing)?|kept|keeps|notably|not[ae]bly|"
    r"read|reads|say|says|said|mention(?:s|ed|ing)?|quot(?:e|es|ed)|phrases?|texts?|strings?|words?|wording|expressions?|"
    r"terms?|patterns?|"
    r"check(?:s|ed|ing)?|look(?:s|ed|ing)?|discover(?:s|ed)?|spot(?:s|ted)?|reveal(?:s|ed|ing)?|surfac(?:e|es|ed)|"
    r"uncover(?:s|ed)?|"
    r"encounter(?:s|ed)?|notic(?:e|ed)|trac(?:e|es)|signs?|mentions?|references?|instances?|occurrences?|present|visible|"
    r"evident|available|"
    r"track|free|clean|clear|of the kind|such|aware|kind|sort|turn(?:s|ed)? up|whole|entire|completely|entirely|totally|"
    r"fully|altogether|"
    r"errors?|warnings?|exceptions?|failures?|faults?|problems?|issues?)\b",
    re.IGNORECASE,
)
_SAVED: Final = re.compile(r"\bsaved\b", re.IGNORECASE)
_ONE_MOMENT: Final = "a saved answer shows one moment, not the window; only a live source proves it"
# A record without a level may be an error that nobody labelled.
_MOST_UNLEVELLED: Final = 0.05


def check_absence(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each cited call; an absence that cites no whole call is unsupported."""
    calls = [item for item in cited if item.kind is CitedKind.CALL]
    if not calls:
        return [fact("an absence", "no whole call is cited", None, Verdict.UNSUPPORTED)]
    if len(claim.rest) > LONGEST_READ:
        return [fact("an absence", calls, f"it has more than {LONGEST_READ:,} characters", Verdict.UNCHECKABLE)]
    text = claim.rest
    absence = read_absence(text, claim.whole)
    facts = [_check_call(text, absence, quotes_in(claim.whole), call, base) for call in calls]
    if absence.problem is None:
        for start, end in absence.spans:
            claim.rest = claim.rest[:start] + " " * (end - start) + claim.rest[end:]
        # The words of a count that stands beside are read with it.
        list(claim.take(_HELPER))
        if not amounts_in(claim.rest):
            list(claim.take(HELPER))
    return facts


def _check_call(text: str, absence: Absence, quotes: Sequence[str], call: Cited, base: EvidenceBase) -> CheckedFact:
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
    if absence.problem is not None:
        return fact("an absence", where, absence.problem, Verdict.UNCHECKABLE)
    if row.tool_name == ToolName.QUERY_LOGS:
        return _check_logs(text, absence, quotes, call)
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
    has_passed = call.call.row.tool_name == ToolName.QUERY_METRICS and call.call.row.started_at - end > STILL_NOW
    if has_passed and not all(
        _covers(source, asked) for source in call.item["sources"] if source.get("kind") == SourceKind.ALERTS
    ):
        return f"the alerts are those of {format_instant(call.call.row.started_at)}, not of the window"
    for source in call.item["sources"]:
        newest = stored_instant(source.get("newest_record"))
        if source.get("live") is False and newest is not None and end - newest > STILL_NOW:
            return f"the saved records end at {format_instant(newest)}, before the window does"
    return None


def _covers(source: Mapping[str, Any], window: TimeWindow) -> bool:
    """Return whether a source of alerts knows all that was active in a window that has passed."""
    covered = source.get("covers") or {}
    start, end = stored_instant(covered.get("start")), stored_instant(covered.get("end"))
    return start is not None and end is not None and start <= window.start and end >= window.end


def _service_gap(text: str, call: Cited, base: EvidenceBase) -> str | None:
    """A call about one service proves nothing of another, nor of all; one about all does not show that each of them spoke."""
    asked = ((call.call.row.scope or {}).get("labels") or {}).get("service")
    named = base.services_in(text) or frozenset(base.question.subjects)
    if asked and named != {asked}:
        return f"the call asked about {asked} only"
    if not asked and named and call.call.row.tool_name == ToolName.QUERY_LOGS:
        return f"the call did not ask about {', '.join(sorted(named))} alone"
    return None


def _check_logs(text: str, absence: Absence, quotes: Sequence[str], call: Cited) -> CheckedFact:
    summary, where = call.item["summary"], f"{call.ref_id} summary"
    in_scope: Mapping[str, Any] = summary.get("in_scope") or {}
    spoke = in_scope.get("total") or 0
    if not spoke:
        return fact(
            "an absence", where, "the subject logged nothing at all in the window: no data is not health", Verdict.UNSUPPORTED
        )
    unlevelled = (in_scope.get("by_level") or {}).get(UNKNOWN_LEVEL, 0)
    if absence.levels and unlevelled > spoke * _MOST_UNLEVELLED:
        found = f"{unlevelled} of {spoke} records have no level that could be read"
        return fact("an absence", f"{where}.in_scope", found, Verdict.UNSUPPORTED)
    if summary.get("total_is_exact") is False:
        return fact("an absence", where, "the count is only a lower bound", Verdict.UNSUPPORTED)
    hits = _hits(summary, absence, has_quotes=bool(quotes) or has_query(call))
    claimed = " or ".join(level.shown for level in absence.levels)
    claimed = f"no record of {claimed}" if claimed else "no matching record"
    by_level = in_scope.get("by_level") or {}
    knows_levels = not quotes and not has_query(call) and sum(by_level.values()) == spoke
    gap = _filter_gap(text, absence, quotes, call, knows_levels=knows_levels)
    if gap is not None and not (hits and knows_levels):
        return fact(claimed, f"{call.ref_id} scope.filter", gap, Verdict.UNSUPPORTED)
    is_sure = bool(absence.levels or absence.is_trouble or quotes) or _OF_RECORDS.search(text) is not None
    verdict = Verdict.CONTRADICTED if is_sure else Verdict.UNSUPPORTED
    return fact(claimed, where, f"{hits} of {spoke} records", verdict if hits else Verdict.SUPPORTED)


def _filter_gap(text: str, absence: Absence, quotes: Sequence[str], call: Cited, *, knows_levels: bool) -> str | None:
    """A search for some words, or from some level up, shows nothing of the rest; unless the claim is of the search itself."""
    if quotes and not asks_for(call, quotes):
        return "it did not ask for those words alone"
    is_of_search = _OF_SEARCH.search(text) is not None
    if not quotes and has_query(call) and not names_the_query(call, text) and (absence.levels or not is_of_search):
        return "it asked only for records with words that the claim does not name"
    asked = asked_level(call)
    lowest = min((level.lowest for level in absence.levels), default=int(Level.ERROR) if absence.is_trouble else 0)
    if knows_levels and (absence.levels or absence.is_trouble):
        return None
    if asked is not None and lowest < asked and (absence.levels or quotes or not is_of_search):
        return f"it asked only for records of {asked.name} or more severe"
    return None


def _hits(summary: Mapping[str, Any], absence: Absence, *, has_quotes: bool) -> int:
    """Count what the claim says is absent: among what matched, and, where no words were asked for, in the whole scope."""
    if not absence.levels and not absence.is_trouble:
        return int(summary.get("total") or 0)
    places = [summary] if has_quotes else [summary, summary.get("in_scope") or {}]
    return max(sum(int(n) for name, n in (place.get("by_level") or {}).items() if _is_meant(name, absence)) for place in places)


def _is_meant(name: str, absence: Absence) -> bool:
    level = parse_level(name)
    if absence.levels:
        return any(named.takes(name) for named in absence.levels)
    return level is not None and level >= Level.ERROR


def _check_alerts(text: str, call: Cited, base: EvidenceBase) -> CheckedFact:
    states = {match[1].lower() for match in _STATE_WORD.finditer(text)}
    alerts = (call.call.output or {}).get("alerts") or []
    named = base.services_in(text)
    hits = [
        alert for alert in alerts if (not states or alert.get("state") in states) and (not named or alert.get("service") in named)
    ]
    verdict = Verdict.CONTRADICTED if hits else Verdict.SUPPORTED
    return fact("no such alert", f"{call.ref_id} alerts", f"{len(hits)} found", verdict)
