"""One log entry as a log server keeps it: a time, labels, and the text as it was shipped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from groundwire.domain.incident import TimeWindow

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    """``labels`` are all that the server says beside the text; ``place`` is the stream, as it is shown."""

    at_ns: int
    labels: Mapping[str, str]
    text: str
    place: str

    @property
    def identity(self) -> tuple[int, str, str, tuple[tuple[str, str], ...]]:
        """What two copies of one entry have in common."""
        return self.at_ns, self.place, self.text, tuple(sorted(self.labels.items()))


class Span(NamedTuple):
    """Nanoseconds since 1970, ``start <= t < end``: a server keeps more digits than a datetime does."""

    start: int
    end: int

    @classmethod
    def of(cls, window: TimeWindow) -> Span:
        return cls(epoch_ns(window.start), epoch_ns(window.end))


def epoch_ns(moment: datetime) -> int:
    """Return whole nanoseconds since 1970, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000


def instant_of(at_ns: int) -> datetime | None:
    """Return the microsecond that a nanosecond lies in; None outside the calendar."""
    try:
        return _EPOCH + timedelta(microseconds=at_ns // 1000)
    except OverflowError:
        return None
