"""One cited series as a line of points: what is computed of it, in the unit in which it is stored."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import Final

from groundwire.domain.times import format_instant, stored_instant
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.clock import fits_clock, offset_of, padded
from groundwire.grounding.figures import Figure
from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_token import Token
from groundwire.grounding.series_units import Unit, in_unit_of, is_per_time, unit_of

Point = tuple[float, float]

_COUNTER: Final = re.compile(r"_(?:total|count|sum|bucket)\Z")
# Of these the more the better, so that the lowest is the worst.
_GOOD: Final = re.compile(r"avail|success|throughput|free|hit|healthy|ready|uptime|\bup\b", re.IGNORECASE)
_AS_RATE: Final = re.compile(r"\b(?:rate|irate|increase|delta|deriv|histogram_quantile)\s?\(|/")


@dataclass(frozen=True, kw_only=True)
class Line:
    """A cited series. ``metric`` is its name, or the query's text where the backend dropped the name."""

    item: Cited
    metric: str
    unit: Unit | None
    points: tuple[Point, ...]

    @property
    def ref_id(self) -> str:
        return self.item.ref_id

    @cached_property
    def values(self) -> tuple[float, ...]:
        return tuple(value for _, value in self.points)

    @property
    def is_counter(self) -> bool:
        return _COUNTER.search(self.metric) is not None

    @cached_property
    def step_s(self) -> float:
        steps = sorted(later - earlier for (earlier, _), (later, _) in pairwise(self.points))
        return steps[len(steps) // 2] if steps else 60.0

    @property
    def window_end(self) -> datetime | None:
        return stored_instant(((self.item.call.row.scope or {}).get("window") or {}).get("end"))

    def between(self, start: Token | None, end: Token | None, *, is_after: bool = False, is_before: bool = False) -> Line:
        """Return the part of the line from one time to another, both as precise as they are written, with or without them."""
        if start is None and end is None:
            return self
        earliest, latest = 1 if is_after else 0, -1 if is_before else 0
        kept = [
            point
            for point in self.points
            if (start is None or _compared(start, point) >= earliest) and (end is None or _compared(end, point) <= latest)
        ]
        return replace(self, points=tuple(kept))

    def stored(self, token: Token) -> Figure | None:
        """Return a figure of the claim in this line's unit, or None where it cannot be put into it."""
        if token.figure is None or (token.is_rate and not self.is_rate):
            return None
        return in_unit_of(token.figure, token.unit, self.metric, self.unit, max(self.values, default=0.0))

    @property
    def is_rate(self) -> bool:
        return is_per_time(self.metric) or "rate" in self.metric.lower()

    def stat(self, cue: Cue, rank: float | None = None) -> tuple[float, ...]:
        """Return what the line's mean, maximum, first sample and so on is; a percentile by each of the usual ways."""
        if cue is Cue.PERCENTILE or cue is Cue.MEDIAN:
            return percentiles(self.values, rank if rank is not None and cue is Cue.PERCENTILE else 50.0)
        if cue in (Cue.WORST, Cue.BEST):
            cue = Cue.LOW if (cue is Cue.WORST) is (_GOOD.search(self.metric) is not None) else Cue.HIGH
        return (_STATS[cue](self.values),)

    def samples_at(self, clock: re.Match[str], *, is_near: bool = False) -> tuple[int, ...]:
        """Return the samples that a time means: those taken then, or else the one that stands for the time since the last."""
        moments = [datetime.fromtimestamp(at, UTC) for at, _ in self.points]
        own = tuple(index for index, moment in enumerate(moments) if fits_clock(clock, moment))
        if not own:
            own = tuple(index for index in range(1, len(moments)) if fits_clock(clock, moments[index], since=moments[index - 1]))
        if is_near and own:
            return tuple(range(max(0, own[0] - 1), min(len(moments), own[-1] + 2)))
        return own

    def increase(self) -> float:
        """Return by how much a counter went up: where it was reset, it went up by what it holds since."""
        return sum(later - earlier if later >= earlier else later for earlier, later in pairwise(self.values))

    def resets(self) -> int:
        return sum(later < earlier for earlier, later in pairwise(self.values))

    def shown_at(self, index: int) -> str:
        at, value = self.points[index]
        return f"{value:g} at {format_instant(datetime.fromtimestamp(at, UTC))}"

    def summary(self) -> str:
        values = self.values
        return f"first {values[0]:g}, last {values[-1]:g}, minimum {min(values):g}, maximum {max(values):g}"


_STATS: Final[dict[Cue, Callable[[Sequence[float]], float]]] = {
    Cue.HIGH: max,
    Cue.LOW: min,
    Cue.MEAN: lambda values: sum(values) / len(values),
    Cue.FIRST: lambda values: values[0],
    Cue.LAST: lambda values: values[-1],
}


def percentiles(values: Sequence[float], rank: float) -> tuple[float, ...]:
    """Return a percentile over samples: by interpolation, and by the nearest sample."""
    ranked = sorted(values)
    place = (len(ranked) - 1) * rank / 100
    low, high = ranked[math.floor(place)], ranked[math.ceil(place)]
    nearest = ranked[max(0, math.ceil(len(ranked) * rank / 100) - 1)]
    return (low + (high - low) * (place - math.floor(place)), nearest)


def lines_of(cited: Sequence[Cited]) -> list[Line]:
    """Return the cited series that have points."""
    lines = [_line(item) for item in cited if item.kind is CitedKind.SERIES]
    return [line for line in lines if line.points]


def _line(item: Cited) -> Line:
    metric = str(item.item.get("metric") or "")
    query = str(((item.call.row.scope or {}).get("filter") or {}).get("promql") or "")
    labels = item.item.get("labels") or {}
    name = metric or query
    unit = None if not metric and _AS_RATE.search(query) else unit_of(name.partition("{")[0], labels)
    return Line(item=item, metric=name, unit=unit, points=tuple(points_of(item)))


def points_of(item: Cited) -> list[Point]:
    """Return the numeric points of a series, oldest first."""
    points = item.item.get("points") or ()
    return [(p[0], float(p[1])) for p in points if isinstance(p, list) and len(p) == 2 and isinstance(p[1], int | float)]


def _compared(token: Token, point: Point) -> int:
    """Compare a sample's time, cut to the precision of a written time, with that time."""
    clock = token.clock
    assert clock is not None  # noqa: S101 - only times are given here
    moment = datetime.fromtimestamp(point[0], UTC)
    if fits_clock(clock, moment):
        return 0
    written = _written(clock, moment)
    return 1 if moment.isoformat() > written else -1


def _written(clock: re.Match[str], moment: datetime) -> str:
    date = clock["date"] or (moment + offset_of(clock["zone"])).strftime("%Y-%m-%d")
    told = padded(clock["clock"]) if clock["clock"] else "00:00"
    shown = datetime.fromisoformat(f"{date}T{told}").replace(tzinfo=UTC) - offset_of(clock["zone"])
    return shown.isoformat()
