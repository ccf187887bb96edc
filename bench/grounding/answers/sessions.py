"""A scenario as a session: each evidence file is a call that completed, and its name stands for the refs of all it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson

from bench.grounding.answers.entries import ALERTS, LOGS, SERIES, Entries, entries_of
from bench.grounding.answers.evidence_files import ALERT, newest_instant, read_sources
from groundwire.domain.completion import completed_row
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.invocation import InvocationStart
from groundwire.domain.names import QuestionKind, ToolName, WindowSource
from groundwire.domain.session import Owner
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.services.outcome import Outcome, completion_of

_WINDOW: Final = timedelta(hours=2)
_TOOLS: Final = {LOGS: ToolName.QUERY_LOGS, ALERTS: ToolName.QUERY_METRICS, SERIES: ToolName.QUERY_METRICS}
_SOURCE_KINDS: Final = {LOGS: "logs", ALERTS: "alerts", SERIES: "metrics"}
_OWNER: Final = Owner(host="bench", process_id=1, process_start=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSession:
    """The evidence of a scenario, and the calls that each source of it became."""

    base: EvidenceBase
    calls_of: Mapping[str, tuple[CallEvidence, ...]]

    def refs_of(self, sources: Iterable[str]) -> tuple[str, ...]:
        """Return what citing these sources cites: each of their calls as a whole, and every entry of it.

        A source that is not there is a call that this session does not have.
        """
        refs: list[str] = []
        for name in sources:
            calls = self.calls_of.get(name)
            if calls is None:
                refs.append(f"i{len(self.base.calls) + 1}")
                continue
            for call in calls:
                refs += [call.row.ref_id, *(ref.ref_id for ref in call.row.evidence_refs)]
        return tuple(refs)


def open_scenario(folder: Path) -> ScenarioSession:
    """Return the session of a scenario's folder.

    All files count as asked at the newest instant that stands in them. The window ends there and begins with the earliest span
    that a file states of itself, or two hours before. A call's window is the span that its file states, else the session's.
    What was asked for is not in the files, so that no call is narrowed to a service.

    Raises:
        ValueError: A file cannot be read, is of no known shape, or no time stands in any of them.
    """
    sources = read_sources(folder)
    newest = newest_instant(sources)
    if newest is None:
        raise ValueError(f"{folder.name}: no time stands in its evidence")
    asked_at = datetime.fromisoformat(newest)
    end = asked_at + timedelta(seconds=1)
    spans = {name: span for name, item in sources.items() if (span := _span(item)) is not None}
    window = TimeWindow(start=min((span.start for span in spans.values()), default=end - _WINDOW), end=end)
    calls_of: dict[str, tuple[CallEvidence, ...]] = {}
    seq = 0
    for name, item in sources.items():
        calls: list[CallEvidence] = []
        for entries in entries_of(name, item):
            seq += 1
            calls.append(_call(seq, _output(name, entries, spans.get(name, window)), entries.kind, window, asked_at))
        calls_of[name] = tuple(calls)
    alert = sources.get(ALERT, {})
    question = Question(
        text=str(alert.get("title", folder.name)),
        kind=QuestionKind.DIAGNOSE,
        subjects=_subjects(alert),
        window=window,
        window_source=WindowSource.NEWEST_RECORD,
    )
    return ScenarioSession(
        base=EvidenceBase(question, [call for calls in calls_of.values() for call in calls]), calls_of=calls_of
    )


def _span(item: Mapping[str, Any]) -> TimeWindow | None:
    start, end = item.get("start_time"), item.get("end_time")
    if start is None or end is None:
        return None
    return TimeWindow(start=datetime.fromisoformat(start), end=datetime.fromisoformat(end))


def _subjects(alert: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the alert is about: the workload, or the database instance; its label ``service`` may say only "rds"."""
    named = {**alert.get("commonLabels", {}), **alert.get("commonAnnotations", {})}
    return tuple(named[key] for key in ("workload_name", "db_instance_identifier") if named.get(key))


def _output(name: str, entries: Entries, window: TimeWindow) -> dict[str, Any]:
    items, count = list(entries.items), len(entries.items)
    status = "evidence" if items else "no_evidence"
    # The alert was handed over; the rest is what live sources answered when they were asked.
    source = {"name": name, "kind": _SOURCE_KINDS[entries.kind], "live": name != ALERT, "status": status}
    output: dict[str, Any] = {
        "evidence_status": status,
        "error": None,
        "returned_count": count,
        "total_count": count,
        "partial": False,
        "partial_reasons": [],
        "scope": {"window": window.to_json(), "filter": {}, "labels": {}},
        "sources": [source],
    }
    if entries.kind == LOGS:
        return output | {"logs": items, "summary": _summary(items)}
    return output | {ALERTS: [], SERIES: []} | {entries.kind: items}


def _summary(records: list[Mapping[str, Any]]) -> dict[str, Any]:
    times = sorted(record["timestamp"] for record in records if record["timestamp"])
    counts = {"total": len(records), "by_level": dict(Counter(record["level"] or "UNKNOWN" for record in records))}
    ends = {"first_at": times[0] if times else None, "last_at": times[-1] if times else None}
    return {**counts, **ends, "total_is_exact": True, "in_scope": counts}


def _call(seq: int, output: Mapping[str, Any], kind: str, window: TimeWindow, asked_at: datetime) -> CallEvidence:
    start = InvocationStart(
        id=f"call-{seq}",
        session_id="answers",
        tool_name=_TOOLS[kind],
        input_params={},
        started_at=asked_at,
        owner=_OWNER,
    )
    outcome = Outcome.of_output(output)
    completion, _ = completion_of(start, seq, outcome, window, 1.0)
    row = completed_row(start, seq, completion, completion_seq=seq, previous_hash="0" * 64)
    return CallEvidence(row=row, output=orjson.loads(outcome.raw))
