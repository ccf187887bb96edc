"""What a course of calls found, by what it was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.logs import UNKNOWN_LEVEL
from groundwire.domain.names import InvocationStatus, RelevanceLevel
from groundwire.domain.times import stored_instant

Ref = tuple[str, Mapping[str, Any]]
"""A ref and the item it names."""


_WITH_THE_FIRST: Final = timedelta(minutes=1)
_OVER: Final = timedelta(minutes=1)
"""Trouble that nothing was heard of for so long, while its service spoke, may be over."""


@dataclass(slots=True)
class SuspectLogs:
    """The calls about the logs of one service."""

    service: str
    errors: RecordedCall
    newest: RecordedCall | None = None
    warnings: RecordedCall | None = None
    pattern: RecordedCall | None = None
    pattern_phrase: str | None = None
    terms: list[tuple[str, RecordedCall]] = field(default_factory=list)
    trouble: list[tuple[str, RecordedCall]] = field(default_factory=list)

    def best_call(self) -> RecordedCall:
        """Return the call with the gravest lines: errors, else warnings."""
        if self.warnings is not None and not has_evidence(self.errors):
            return self.warnings
        return self.errors

    def went_on_until(self) -> datetime | None:
        """Return when the newest record is, where the service went on without errors for some time."""
        last, newest = (_last_at(call) for call in (self.errors, self.newest))
        return newest if last is not None and newest is not None and newest - last >= _OVER else None

    def has_no_levels(self) -> bool:
        """Return whether most of the service's records have no level: then no error among them is one by name."""
        in_scope = (self.errors.output.get("summary") or {}).get("in_scope") or {}
        return bool((in_scope.get("by_level") or {}).get(UNKNOWN_LEVEL, 0) * 2 > (in_scope.get("total") or 0))

    def explains_the_errors(self) -> bool:
        """Return whether the pattern that was counted can stand for the errors: it came with the first of them, or in most.

        A line that came up once, after the trouble had begun, may as well be one of its effects.
        """
        if not has_evidence(self.pattern) or self.pattern is None:
            return True
        counted, all_of_them = self.pattern.output.get("summary") or {}, self.errors.output.get("summary") or {}
        first, onset = counted.get("first_at"), all_of_them.get("first_at")
        if first and onset and datetime.fromisoformat(first) - datetime.fromisoformat(onset) <= _WITH_THE_FIRST:
            return True
        return bool(counted.get("total") or 0) * 2 >= (all_of_them.get("total") or 0)


@dataclass(slots=True)
class Findings:
    """Everything that was asked for one question, in the order asked."""

    question: Question
    alert_calls: list[RecordedCall] = field(default_factory=list)
    wide_logs: RecordedCall | None = None
    series: list[RecordedCall] = field(default_factory=list)
    logs: list[SuspectLogs] = field(default_factory=list)
    knowledge: list[RecordedCall] = field(default_factory=list)

    def alerts(self) -> list[Ref]:
        """Return the alerts found, firing ones first; those that began after the window are of another time."""
        found = [ref for call in self.alert_calls for ref in refs_in(call, "alerts", "alerts") if not self.began_later(ref[1])]
        return sorted(found, key=lambda ref: ref[1].get("state") != "firing")

    def began_later(self, alert: Mapping[str, Any]) -> bool:
        """Return whether an alert became active only after the window that is asked about."""
        start = stored_instant(alert.get("active_at"))
        return start is not None and start >= self.question.window.end

    def suspects(self) -> list[str]:
        """Return the services of firing alerts, the most frequent first."""
        services = Counter(str(alert["service"]) for _, alert in self.alerts() if alert.get("service") and _is_firing(alert))
        return [service for service, _ in services.most_common()]

    def alert_names(self) -> list[str]:
        names = [str(item["alert_name"]) for _, item in self.alerts() if item.get("state") != "inactive"]
        return list(dict.fromkeys((*self.question.alert_names, *names)))

    def blocks(self) -> list[Ref]:
        """Return every knowledge block found, whatever its relevance."""
        return [ref for call in self.knowledge for ref in refs_in(call, "evidence_blocks", "blocks")]

    def relevant_blocks(self) -> list[Ref]:
        """Return the blocks of lookups whose relevance is at least medium."""
        good = (RelevanceLevel.HIGH, RelevanceLevel.MEDIUM)
        calls = [call for call in self.knowledge if call.invocation.relevance_level in good]
        return [ref for call in calls for ref in refs_in(call, "evidence_blocks", "blocks")]


def ended_at(call: RecordedCall, window: TimeWindow) -> datetime | None:
    """Return when the last of what a call found was, where that is some time before the end of the window."""
    last = _last_at(call)
    return last if last is not None and window.end - last >= _OVER else None


def has_evidence(call: RecordedCall | None) -> bool:
    """Return whether a call was made and returned something usable."""
    return call is not None and call.invocation.status is InvocationStatus.EVIDENCE


def refs_in(call: RecordedCall, key: str, ref_name: str) -> list[Ref]:
    """Return the usable items of one list of a call with their refs, in the order of the output."""
    usable = {ref.ref_id for ref in call.refs}
    items = call.output.get(key) or ()
    named = ((f"{call.invocation.ref_id}.{ref_name}.{index}", item) for index, item in enumerate(items))
    return [(ref_id, item) for ref_id, item in named if ref_id in usable]


def speakers_in(call: RecordedCall) -> list[str]:
    """Return the services whose lines a call found, the most frequent first."""
    counts = Counter(str(line["service"]) for _, line in refs_in(call, "logs", "logs") if line.get("service"))
    return [service for service, _ in counts.most_common()]


def _last_at(call: RecordedCall | None) -> datetime | None:
    return None if call is None else stored_instant((call.output.get("summary") or {}).get("last_at"))


def _is_firing(alert: Mapping[str, Any]) -> bool:
    return bool(alert.get("state") == "firing")
