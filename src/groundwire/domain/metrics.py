"""Alerts and series, and one backend's answer about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow

ALERT_STATES: Final = ("firing", "pending", "suppressed", "resolved", "inactive")

SERVICE_LABELS: Final = ("service", "service_name", "app", "application", "app_kubernetes_io_name", "deployment", "job")
"""The label that names the service is the first of these that is there."""

HEARTBEAT_ALERTS: Final = frozenset({"Watchdog", "InfoInhibitor"})
"""Alerts that always fire or only inhibit others; left out unless asked for by name."""

STILL_NOW: Final = timedelta(minutes=5)
"""The alerts of now are those of a window that ended no longer ago than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertGroup:
    """A group in which an alert is notified: whom, and the labels that all of the group share."""

    receiver: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """When an alert was first and last seen in its state within a window, and how often it came and went."""

    first_at: datetime
    last_at: datetime
    spells: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert. ``active_at`` is when it became active (pending included), ``ends_at`` None while it still is.

    ``value`` is None where the backend gives none or a NaN; ``value_text`` then holds its own words. ``suppressed_by`` says of
    a suppressed alert by which silence, alert or mute time it is. ``seen`` is set of what was active in a window that has
    passed; ``ends_at`` is then when it was last seen, and None where that was at the end of the window.
    """

    alert_name: str
    state: str
    service: str | None
    severity: str | None
    value: float | None
    value_text: str | None
    active_at: datetime | None
    ends_at: datetime | None
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    suppressed_by: tuple[str, ...] = ()
    groups: tuple[AlertGroup, ...] = ()
    seen: Seen | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertPage:
    """One backend's alerts as of ``as_of``. ``live`` is false for a saved answer: it shows that one moment only.

    ``inactive`` are the rules under which nothing is active, each as an alert in that state: no alert, and so not among them.
    ``window`` is the one that has passed and was asked about, where the alerts are those that were active in it. ``unknown`` says
    why others than these may have been active in the window that was asked about.
    """

    alerts: tuple[Alert, ...]
    as_of: datetime
    live: bool
    window: TimeWindow | None = None
    unknown: str | None = None
    inactive: tuple[Alert, ...] = ()
    partial_reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRequest:
    """A range query; ``step`` is positive. Without a step it is an instant query, for the last moment in the window."""

    promql: str
    window: TimeWindow
    step: timedelta | None
    limit: int
    deadline: Deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series. ``points`` are (epoch seconds, value text as the backend wrote it), oldest first."""

    metric: str
    labels: Mapping[str, str]
    points: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPage:
    """``series`` are at most the request's limit, ``total`` is how many the backend has, None where that is not known."""

    series: tuple[Series, ...]
    total: int | None
    partial_reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
