"""What an Alertmanager tells of its alerts beside them: why one is suppressed, and in which groups it is notified.

Source:
    Alertmanager API v2, ``GET /alerts``, ``GET /alerts/groups``, ``GET /silences``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.adapters.metrics.alert_fields import ShapeError, texts_in
from groundwire.adapters.servers.words import one_line
from groundwire.domain.metrics import AlertGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Groups by the fingerprint of their alerts, the words of silences by their id, names of alerts by their fingerprint."""

    groups: Mapping[str, tuple[AlertGroup, ...]] = field(default_factory=dict)
    silences: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def has_silenced(answer: Any) -> bool:
    """Return whether any alert of an answer is silenced."""
    return any(_ids(item, "silencedBy") for item in _objects(answer))


def names_by_fingerprint(answer: Any) -> dict[str, str]:
    """Return the names of the alerts of an answer, by which an inhibited one is told who inhibits it."""
    names: dict[str, str] = {}
    for item in _objects(answer):
        labels = item.get("labels")
        if isinstance(labels, dict) and isinstance(labels.get("alertname"), str):
            names[str(item.get("fingerprint"))] = labels["alertname"]
    return names


def groups_by_fingerprint(answer: Any) -> dict[str, tuple[AlertGroup, ...]]:
    """Return the groups of an ``/api/v2/alerts/groups`` answer; what cannot be read of it is left out."""
    found: dict[str, tuple[AlertGroup, ...]] = {}
    for item in _objects(answer):
        receiver = item.get("receiver")
        name = receiver.get("name") if isinstance(receiver, dict) else receiver
        group = group_of(name, item)
        for alert in _objects(item.get("alerts")):
            key = str(alert.get("fingerprint"))
            found[key] = (*found.get(key, ()), group)
    return found


def group_of(receiver: Any, item: Mapping[str, Any], key: str = "labels") -> AlertGroup:
    """Return the group that an item describes; its labels are left out where they cannot be read."""
    try:
        labels = texts_in(item, key)
    except ShapeError:
        labels = {}
    return AlertGroup(receiver=one_line(str(receiver or "")), labels=labels)


def silences_by_id(answer: Any) -> dict[str, str]:
    """Return who silenced what until when, in the words of an ``/api/v2/silences`` answer."""
    words: dict[str, str] = {}
    for item in _objects(answer):
        said = [item.get("comment"), item.get("createdBy") and f"by {item['createdBy']}"]
        said.append(item.get("endsAt") and f"until {item['endsAt']}")
        words[str(item.get("id"))] = one_line(", ".join(str(part) for part in said if part))
    return words


def suppressors(item: Mapping[str, Any], beside: Beside) -> tuple[str, ...]:
    """Return what suppresses an alert: each silence, each alert that inhibits it, each time in which it is muted."""
    silenced = [f"silence {one}" + _in_brackets(beside.silences.get(one)) for one in _ids(item, "silencedBy")]
    inhibited = [f"inhibited by the alert {beside.names.get(one, one)}" for one in _ids(item, "inhibitedBy")]
    muted = [f"muted in the time interval {one}" for one in _ids(item, "mutedBy")]
    return (*silenced, *dict.fromkeys(inhibited), *muted)


def _in_brackets(words: str | None) -> str:
    return f" ({words})" if words else ""


def _ids(item: Mapping[str, Any], key: str) -> Sequence[str]:
    status = item.get("status")
    ids = status.get(key) if isinstance(status, dict) else None
    return [one_line(str(one)) for one in ids] if isinstance(ids, list) else []


def _objects(answer: Any) -> Iterator[Mapping[str, Any]]:
    return (item for item in answer if isinstance(item, dict)) if isinstance(answer, list) else iter(())
