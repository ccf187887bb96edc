"""The question, the span of time it is about, and the scope that a call really asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from groundwire.domain.names import QuestionKind, WindowSource
from groundwire.domain.times import as_utc, format_instant

_OF_ALERTS: Final = re.compile(r"\b(?:alerts?|alarms?|firing|fires|fired|pending)\b|告警|警报|报警", re.IGNORECASE)
_OF_MORE: Final = re.compile(
    r"\b(?:errors?|exceptions?|failures?|logs?|logged|well|healthy|health|ok|okay|fine|status|slow|latency)\b|错误|日志|正常|健康|状态",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWindow:
    """A half-open span of time, ``start <= t < end``, in aware UTC.

    Raises:
        ValueError: An end has no time zone, or the window is empty.
    """

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.start.utcoffset() is None or self.end.utcoffset() is None:
            raise ValueError("a time window needs aware datetimes")
        if self.start >= self.end:
            raise ValueError(f"empty window: {format_instant(self.start)} is not before {format_instant(self.end)}")
        object.__setattr__(self, "start", as_utc(self.start))
        object.__setattr__(self, "end", as_utc(self.end))

    @property
    def duration(self) -> timedelta:
        return self.end - self.start

    def contains(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def overlaps(self, start: datetime, end: datetime | None) -> bool:
        """Return whether something that lasted from ``start`` to ``end`` (None: it still lasts) was there in the window."""
        return start < self.end and (end is None or end >= self.start)

    def to_json(self) -> dict[str, str]:
        return {"start": format_instant(self.start), "end": format_instant(self.end)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a call really asked: window, filter, and the labels it was narrowed to (``cluster``, ``namespace``, ``service``)."""

    window: TimeWindow | None
    filter: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "window": None if self.window is None else self.window.to_json(),
            "filter": dict(self.filter),
            "labels": dict(self.labels),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question whose kind, subjects and window are fixed: nothing after this changes them.

    ``subjects`` are the services asked about, spelled as the sources spell them; empty when it names none of them.
    ``terms`` are its symptom words, in the order of the question. From ``pasted_from`` on, ``text`` is what was pasted: words of
    labels and annotations, which are no instruction; None where all of it is the asker's own.
    """

    text: str
    kind: QuestionKind
    subjects: tuple[str, ...]
    window: TimeWindow
    window_source: WindowSource
    terms: tuple[str, ...] = ()
    alert_names: tuple[str, ...] = ()
    pasted_from: int | None = None

    @property
    def is_about_alerts(self) -> bool:
        """Whether it asks how alerts stand, and nothing beside: what logs say does not answer it."""
        return (
            self.kind is QuestionKind.STATUS and _OF_ALERTS.search(self.text) is not None and _OF_MORE.search(self.text) is None
        )
