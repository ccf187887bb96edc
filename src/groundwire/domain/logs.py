"""Log records, the query that finds them, and one backend's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level

UNKNOWN_LEVEL: Final = "UNKNOWN"
"""The key of records without a level in ``by_level``."""

_BUCKETS: Final = tuple(
    timedelta(seconds=s) for s in (1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10800, 21600, 43200, 86400, 604800, 2592000)
)
_MOST_BUCKETS: Final = 60


class TermKind(StrEnum):
    """What a term of a query is."""

    WORD = "word"
    PHRASE = "phrase"
    FIELD = "field"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTerm:
    """One term of a query: a word, a phrase, ``field:value``, ``re:pattern``; ``excluded`` when behind a minus sign."""

    kind: TermKind
    text: str
    field: str | None = None
    excluded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """All terms must hold for a record to match; no terms match everything."""

    terms: tuple[LogTerm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRequest:
    """What one backend is asked. ``service`` None asks all; ``min_level`` None asks any level; ``limit`` is at least 1.

    ``in_full`` false asks for the newest records soon: what is not needed for them may stay unread, and counts are then lower
    bounds that say so.
    """

    query: LogQuery
    service: str | None
    min_level: Level | None
    window: TimeWindow
    limit: int
    deadline: Deadline
    in_full: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """One whole record, its stack trace included. ``source`` says where it stands, such as ``order-service.log:120``."""

    timestamp: datetime | None
    level: Level | None
    service: str | None
    instance: str | None
    message: str
    source: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCounts:
    """Counts over records: how many, by level (``UNKNOWN`` for none), first and last time; ``is_exact`` false: at least that."""

    total: int = 0
    is_exact: bool = True
    by_level: Mapping[str, int] = field(default_factory=dict)
    first_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """One backend's answer.

    ``records`` are newest first, at most the request's limit. ``matched`` counts everything that matched; ``in_scope``
    everything of the asked service in the window whatever its level and words: it tells a silent subject from a healthy one.
    ``histogram`` maps bucket starts (see :func:`bucket_width`) to counts of what matched. ``undated_count`` are records of
    the service that have no time and so are in no window. ``partial_reasons`` say what was not read; ``notes`` what was assumed.
    ``fetched_count`` is how many records a server returned before they were filtered here; None where none were.
    """

    records: tuple[LogRecord, ...]
    matched: LogCounts
    in_scope: LogCounts
    histogram: Mapping[datetime, int] = field(default_factory=dict)
    undated_count: int = 0
    fetched_count: int | None = None
    partial_reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def bucket_width(window: TimeWindow) -> timedelta:
    """Return the width of histogram buckets for a window: the finest of a fixed row of widths that gives at most 60."""
    for width in _BUCKETS:
        if window.duration <= width * _MOST_BUCKETS:
            return width
    return _BUCKETS[-1]


def bucket_start(moment: datetime, width: timedelta) -> datetime:
    """Return the start of the epoch-aligned bucket that ``moment`` lies in."""
    epoch = int(moment.timestamp() // width.total_seconds() * width.total_seconds())
    return datetime.fromtimestamp(epoch, moment.tzinfo)
