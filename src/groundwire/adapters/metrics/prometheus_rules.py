"""The alerting rules of a Prometheus-compatible server: which cannot fire, and under which nothing is active.

Source:
    Prometheus HTTP API v1, "Rules"; vmalert serves the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.metrics.alert_fields import ShapeError, service_of, severity_of, texts_in
from groundwire.adapters.servers.words import one_line
from groundwire.domain.metrics import Alert

_MOST_FAILING: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertingRules:
    """How many rules there are, why some cannot fire, and those under which nothing is active."""

    count: int
    failing: tuple[str, ...]
    inactive: tuple[Alert, ...]


def alerting_rules(data: Any) -> AlertingRules | None:
    """Return what a ``/api/v1/rules`` answer says of alerting rules; None where it cannot be read."""
    groups = data.get("groups") if isinstance(data, dict) else None
    if not isinstance(groups, list):
        return None
    rules = [rule for group in groups if isinstance(group, dict) for rule in _rules(group) if rule.get("type") == "alerting"]
    failing = [_failure(rule) for rule in rules if rule.get("health") not in ("ok", None, "")]
    more = [] if len(failing) <= _MOST_FAILING else [f"{len(failing) - _MOST_FAILING} more alerting rules cannot fire"]
    inactive = [alert for rule in rules if rule.get("state") == "inactive" and (alert := _inactive(rule)) is not None]
    return AlertingRules(count=len(rules), failing=(*failing[:_MOST_FAILING], *more), inactive=tuple(inactive))


def _rules(group: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rules = group.get("rules")
    return [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []


def _failure(rule: Mapping[str, Any]) -> str:
    if rule.get("health") == "unknown":
        return one_line(f"the alerting rule {rule.get('name')} has not been evaluated yet")
    return one_line(f"the alerting rule {rule.get('name')}: {rule.get('lastError')}, so it cannot fire")


def _inactive(rule: Mapping[str, Any]) -> Alert | None:
    try:
        labels = {**(texts_in(rule, "labels") if rule.get("labels") else {}), "alertname": str(rule["name"])}
        annotations = texts_in(rule, "annotations")
    except (KeyError, ShapeError):
        return None
    return Alert(
        alert_name=labels["alertname"],
        state="inactive",
        service=service_of(labels),
        severity=severity_of(labels),
        value=None,
        value_text=None,
        active_at=None,
        ends_at=None,
        labels=labels,
        annotations=annotations,
    )
