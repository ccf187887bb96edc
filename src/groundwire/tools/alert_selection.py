"""Which of the alerts that sources have are meant, which of them are one and the same, and which come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import ALERT_STATES, HEARTBEAT_ALERTS, SERVICE_LABELS, Alert
from groundwire.domain.times import format_instant

REPLICA_LABELS: Final = frozenset(
    {"prometheus", "prometheus_replica", "replica", "receive", "rule_replica", "thanos_ruler_replica", "__replica__"}
)
"""Labels that tell apart the replicas of the system that watches, not what it watches."""

_SEVERITIES: Final = {"critical": 0, "page": 0, "error": 1, "high": 1, "warning": 2, "warn": 2, "medium": 2, "low": 3, "info": 4}
_HEARTBEATS: Final = frozenset(name.casefold() for name in HEARTBEAT_ALERTS)
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAlert:
    """An alert with the sources that have it, and the moment as of which the first of them does.

    ``replicas`` are the replica labels of those that were merged into it, empty when there was one.
    """

    alert: Alert
    sources: tuple[str, ...]
    as_of: datetime
    live: bool
    replicas: tuple[Mapping[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        alert = self.alert
        item: dict[str, Any] = {
            "alert_name": alert.alert_name,
            "state": alert.state,
            "service": alert.service,
            "severity": alert.severity,
            "value": alert.value,
            "active_at": None if alert.active_at is None else format_instant(alert.active_at),
            "ends_at": None if alert.ends_at is None else format_instant(alert.ends_at),
            "as_of": format_instant(self.as_of),
            "duration_ms": self._duration_ms(),
            "labels": dict(alert.labels),
            "annotations": dict(alert.annotations),
            "source": self.sources[0],
        }
        if alert.value is None and alert.value_text is not None:
            item["value_text"] = alert.value_text
        if alert.suppressed_by:
            item["suppressed_by"] = list(alert.suppressed_by)
        if alert.groups:
            item["groups"] = [{"receiver": group.receiver, "labels": dict(group.labels)} for group in alert.groups]
        if alert.seen is not None:
            first_at, last_at = format_instant(alert.seen.first_at), format_instant(alert.seen.last_at)
            item["seen"] = {"first_at": first_at, "last_at": last_at, "spells": alert.seen.spells}
        if self.replicas:
            item["replicas"] = [dict(labels) for labels in self.replicas]
        return item

    def is_in(self, window: TimeWindow) -> bool:
        """Return whether it is known to have been active in a window."""
        start, end = self.alert.active_at, self.alert.ends_at or self.as_of
        if self.alert.seen is not None:
            start, end = self.alert.seen.first_at, self.alert.seen.last_at
        return start is not None and window.overlaps(start, end)

    def _duration_ms(self) -> int | None:
        """Return how long it is known to have been active; None where that is no time at all, or it came and went."""
        last_known_at = self.alert.ends_at or self.as_of
        if self.alert.seen is not None and self.alert.seen.spells > 1:
            return None
        if self.alert.active_at is None or last_known_at <= self.alert.active_at:
            return None
        return round((last_known_at - self.alert.active_at).total_seconds() * 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertFilter:
    """What is asked of alerts; None asks nothing. ``window`` is given only where the caller named one."""

    service: str | None = None
    alert_name: str | None = None
    state: str | None = None
    window: TimeWindow | None = None

    @property
    def wants_inactive(self) -> bool:
        return self.state == "inactive" or (self.state is None and self.alert_name is not None)

    def matches(self, alert: Alert) -> bool:
        """Return whether it is asked for, its time aside. A heartbeat is only where it is asked for by name."""
        name = alert.alert_name.casefold()
        if self.alert_name is None:
            is_named = name not in _HEARTBEATS
        else:
            is_named = name == self.alert_name.casefold()
        return is_named and self.state in (None, alert.state) and (self.service is None or is_of_service(alert, self.service))

    def is_in_window(self, alert: Alert) -> bool:
        """Return whether it may have been active in the window; an alert without a start is in no window.

        One that has not ended, as far as its source knows, counts as lasting.
        """
        if self.window is None:
            return True
        if alert.seen is not None:
            return self.window.overlaps(alert.seen.first_at, alert.seen.last_at)
        return alert.active_at is not None and self.window.overlaps(alert.active_at, alert.ends_at)


def is_of_service(alert: Alert, service: str) -> bool:
    """Return whether an alert is of a service, by whichever of its labels names one."""
    named = [alert.service, *(alert.labels.get(label) for label in SERVICE_LABELS)]
    return any(name is not None and name.casefold() == service.casefold() for name in named)


def merge_replicas(found: Iterable[FoundAlert]) -> list[FoundAlert]:
    """Return the alerts with those that only replicas tell apart merged into one.

    Of a firing and a pending one the firing is kept, with the earlier start; a suppressed one stays beside a firing one,
    since the two are different answers; so does one that was saved, or was active, at another moment.
    """
    groups: dict[tuple[object, ...], list[FoundAlert]] = {}
    for one in found:
        labels = frozenset((name, value) for name, value in one.alert.labels.items() if name not in REPLICA_LABELS)
        state = "active" if one.alert.state in ("firing", "pending") else one.alert.state
        moment = None if one.live and one.alert.seen is None else one.as_of
        groups.setdefault((one.alert.alert_name, labels, state, moment), []).append(one)
    return [group[0] if len(group) == 1 else _merged(group) for group in groups.values()]


def most_urgent_first(found: Sequence[FoundAlert]) -> list[FoundAlert]:
    """Return them by state (firing first), then severity, then the latest start."""
    latest_first = sorted(found, key=lambda one: one.alert.active_at or _LONG_AGO, reverse=True)
    return sorted(latest_first, key=lambda one: (ALERT_STATES.index(one.alert.state), _severity_rank(one.alert)))


def _severity_rank(alert: Alert) -> int:
    return _SEVERITIES.get((alert.severity or "").casefold(), 3)


def _merged(group: list[FoundAlert]) -> FoundAlert:
    kept = min(group, key=lambda one: (ALERT_STATES.index(one.alert.state), one.alert.active_at or one.as_of))
    sources = dict.fromkeys([*kept.sources, *(source for one in group for source in one.sources)])
    replicas = [{name: value for name, value in one.alert.labels.items() if name in REPLICA_LABELS} for one in group]
    return FoundAlert(alert=kept.alert, sources=tuple(sources), as_of=kept.as_of, live=kept.live, replicas=tuple(replicas))
