"""Two made incidents: what their services log, when and how often. Nothing in them ever happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A kind of line: its words with slots (``{id}``, ``{ms:20-900}``), how many, and in which minutes of the hour.

    ``fields`` are structured members beside the message; ``trace`` follows a line as its stack trace.
    """

    level: str
    text: str
    count: int
    minutes: tuple[int, int] = (0, 60)
    fields: Mapping[str, str] = field(default_factory=dict)
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service: how it writes (``spring``, ``json``, ``logfmt``), its pods, its lines."""

    name: str
    style: str
    pods: tuple[str, ...]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert as Prometheus lists it; ``minute`` is when it became active."""

    name: str
    state: str
    service: str
    severity: str
    minute: int
    value: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A made incident of one hour."""

    name: str
    hour: str
    services: tuple[Service, ...]
    alerts: tuple[Alert, ...]
    runbooks: Mapping[str, str]


def trace_of(outer: str, cause: str, frame: str) -> tuple[str, ...]:
    """Return a stack trace of two exceptions."""
    return (
        outer,
        f"\tat {frame}(Unit.java:88)",
        "\tat java.base/java.lang.Thread.run(Thread.java:1583)",
        f"Caused by: {cause}",
        f"\tat {frame}Client.call(Client.java:41)",
        "\t... 3 common frames omitted",
    )
