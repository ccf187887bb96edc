"""Claims about series: extremes, averages, thresholds, change, comparison; evaluated on the samples of the OpenMetrics file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from bench.grounding.claim import CONTRADICTED, SUPPORTED, UNSUPPORTED, Claim, Collection
from bench.grounding.openmetrics import Points, read_series
from bench.grounding.recorded import RecordedSession
from bench.grounding.wording import capital, short
from bench.grounding.words_series import (
    ABOVE_ALL,
    ABOVE_ANY,
    AVERAGE,
    BELOW_ALL,
    FELL,
    HIGHER,
    LOW,
    LOWER,
    NOUNS,
    NOW,
    PEAK,
    PEAK_AT,
    RANGE,
    ROSE,
)

_LATE_S = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A returned series beside the raw samples."""

    ref: str
    metric: str
    service: str
    points: Points

    @property
    def noun(self) -> str:
        return NOUNS[self.metric][0]

    @property
    def values(self) -> list[float]:
        return [value for _, value in self.points]

    def written(self, value: float) -> str:
        return f"{short(value)}{NOUNS[self.metric][1]}"

    def extreme(self, *, highest: bool) -> tuple[int, float]:
        return (max if highest else min)(self.points, key=lambda point: point[1])


class SeriesClaims:
    """The claims about the series of one session."""

    def __init__(self, session: RecordedSession, random: Random) -> None:
        self._session = session
        self._half = session.spec.half
        self._random = random
        self._lines = [] if session.spec.series_file is None else list(_lines(session, session.spec.series_file))

    def add(self, into: Collection) -> None:
        for line in self._lines:
            for claim in (*self._peak(line), *self._low(line), *self._average(line), *self._threshold(line), *self._change(line)):
                into.add(claim)
            for other in self._lines:
                for claim in (*self._compared(line, other), *self._mistaken(line, other)):
                    into.add(claim)

    def _peak(self, line: Line) -> Iterator[Claim]:
        at, top = line.extreme(highest=True)
        mean = sum(line.values) / len(line.values)
        last = line.points[-1][1]
        for pattern in PEAK[self._half]:
            right = line.written(top)
            yield self._claim(pattern, line, v=right, truth=SUPPORTED, keys=(line.service,))
            for wrong, falsehood in (
                (_next_number(right), "off_by_one"),
                (line.written(top * 10), "off_by_ten"),
                (_other_unit(right), "unit_changed"),
                (line.written(mean) if mean < 0.8 * top else None, "average_for_peak"),
            ):
                if wrong is not None:
                    yield self._claim(pattern, line, v=wrong, truth=CONTRADICTED, falsehood=falsehood)
        elsewhere = [moment for moment, value in line.points if abs(moment - at) > 170 and value < 0.85 * top]
        for pattern in PEAK_AT[self._half]:
            yield self._claim(pattern, line, v=line.written(top), t=_minute(at), truth=SUPPORTED, family="extreme")
            if elsewhere:
                wrong_time = _minute(self._random.choice(elsewhere))
                yield self._claim(
                    pattern, line, v=line.written(top), t=wrong_time, truth=CONTRADICTED, falsehood="extreme_wrong_time"
                )
        for pattern in NOW[self._half]:
            yield self._claim(pattern, line, v=line.written(last), truth=SUPPORTED, family="now")
            if last < 0.8 * top:
                yield self._claim(pattern, line, v=line.written(top), truth=CONTRADICTED, falsehood="state_now_for_then")

    def _low(self, line: Line) -> Iterator[Claim]:
        _, bottom = line.extreme(highest=False)
        _, top = line.extreme(highest=True)
        for pattern in LOW[self._half]:
            yield self._claim(pattern, line, v=line.written(bottom), truth=SUPPORTED)
            if top > 1.2 * bottom:
                yield self._claim(pattern, line, v=line.written(top), truth=CONTRADICTED, falsehood="comparative_reversed")
        for pattern in RANGE[self._half]:
            yield self._claim(pattern, line, v=line.written(bottom), w=line.written(top), truth=SUPPORTED)

    def _average(self, line: Line) -> Iterator[Claim]:
        mean, top = sum(line.values) / len(line.values), line.extreme(highest=True)[1]
        for pattern in AVERAGE[self._half]:
            yield self._claim(pattern, line, v=line.written(mean), truth=SUPPORTED, family="average")
            if mean < 0.8 * top:
                yield self._claim(pattern, line, v=line.written(top), truth=CONTRADICTED, falsehood="average_for_peak")

    def _threshold(self, line: Line) -> Iterator[Claim]:
        bottom, top = line.extreme(highest=False)[1], line.extreme(highest=True)[1]
        if top - bottom < 0.2 * top or top < 1:
            return
        between = _round(bottom + 0.5 * (top - bottom))
        above, below = _round_up(top * 1.1), _round_down(bottom * 0.9)
        for pattern in ABOVE_ALL[self._half]:
            if below > 0:
                yield self._claim(pattern, line, v=line.written(below), truth=SUPPORTED, family="quantifier")
            yield self._claim(pattern, line, v=line.written(between), truth=CONTRADICTED, falsehood="any_all_swapped")
        for pattern in ABOVE_ANY[self._half]:
            yield self._claim(pattern, line, v=line.written(between), truth=SUPPORTED, family="threshold")
            yield self._claim(pattern, line, v=line.written(above), truth=CONTRADICTED, falsehood="comparative_reversed")
        for pattern in BELOW_ALL[self._half]:
            yield self._claim(pattern, line, v=line.written(above), truth=SUPPORTED, family="quantifier")
            yield self._claim(pattern, line, v=line.written(between), truth=CONTRADICTED, falsehood="any_all_swapped")

    def _change(self, line: Line) -> Iterator[Claim]:
        first, last = line.points[0][1], line.points[-1][1]
        if min(first, last) <= 0 or max(first, last) < 1.3 * min(first, last):
            return
        right, wrong = (ROSE, FELL) if last > first else (FELL, ROSE)
        v, w = line.written(first), line.written(last)
        for pattern in right[self._half]:
            yield self._claim(pattern, line, v=v, w=w, truth=SUPPORTED, family="change")
        for pattern in wrong[self._half]:
            yield self._claim(pattern, line, v=v, w=w, truth=CONTRADICTED, falsehood="comparative_reversed")

    def _compared(self, line: Line, other: Line) -> Iterator[Claim]:
        if line.metric != other.metric or line.service == other.service:
            return
        one, two = line.extreme(highest=True)[1], other.extreme(highest=True)[1]
        if one < 1.25 * two:
            return
        refs = (line.ref, other.ref)
        for patterns, first, second in ((HIGHER, line, other), (LOWER, other, line)):
            for pattern in patterns[self._half]:
                yield self._claim(pattern, first, other=second, refs=refs, truth=SUPPORTED, family="comparative")
                yield self._claim(pattern, second, other=first, refs=refs, truth=CONTRADICTED, falsehood="comparative_reversed")

    def _mistaken(self, line: Line, other: Line) -> Iterator[Claim]:
        """The number of one series said of another one."""
        top = line.extreme(highest=True)[1]
        if line.ref == other.ref or line.written(top) == other.written(other.extreme(highest=True)[1]):
            return
        for pattern in PEAK[self._half]:
            if line.service == other.service:
                said = f"{short(top)}{NOUNS[other.metric][1]}"
                yield self._claim(pattern, other, refs=(line.ref,), v=said, truth=UNSUPPORTED, falsehood="other_metric_same_pod")
            elif line.metric == other.metric:
                yield self._claim(
                    pattern,
                    other,
                    refs=(line.ref, other.ref),
                    v=line.written(top),
                    truth=CONTRADICTED,
                    falsehood="right_number_wrong_subject",
                )

    def _claim(
        self,
        pattern: str,
        line: Line,
        *,
        truth: str,
        falsehood: str | None = None,
        family: str = "series",
        other: Line | None = None,
        refs: tuple[str, ...] | None = None,
        v: str = "",
        w: str = "",
        t: str = "",
        keys: tuple[str, ...] = (),
    ) -> Claim:
        spec = self._session.spec
        text = pattern.format(noun=line.noun, svc=line.service, other=other.service if other else "", v=v, w=w, t=t)
        return Claim(
            session=spec.name,
            half=spec.half,
            text=capital(text),
            refs=refs or (line.ref,),
            truth=truth,
            falsehood=falsehood,
            family=family,
            template=pattern,
            keys=keys,
        )


def _lines(session: RecordedSession, file: Path) -> Iterator[Line]:
    """Yield the returned series whose every point is the raw file's."""
    raw = read_series(file)
    for call in session.tagged("series"):
        for index, item in enumerate(call.output["series"]):
            labels = {name: value for name, value in item["labels"].items() if name in {"pod", "service"}}
            points = raw[item["metric"]][tuple(sorted(labels.items()))]
            returned = item["points"]
            same = len(returned) == len(points) and all(
                0 <= shown[0] - at <= _LATE_S and shown[1] is not None and math.isclose(shown[1], value)
                for shown, (at, value) in zip(returned, points, strict=True)
            )
            if same:
                yield Line(ref=f"i{call.seq}.series.{index}", metric=item["metric"], service=labels["service"], points=points)


def _minute(epoch: int) -> str:
    return f"{datetime.fromtimestamp(epoch, UTC):%H:%M}"


def _next_number(written: str) -> str:
    number, _, unit = written.partition(" ")
    decimals = len(number.partition(".")[2])
    return f"{float(number) + 2 * 10**-decimals:.{decimals}f}{' ' if unit else ''}{unit}"


def _other_unit(written: str) -> str | None:
    swaps = {"millicores": "cores", "MiB": "GiB", "bytes": "MB", "%": "millicores"}
    number, _, unit = written.partition(" ")
    return f"{number} {swaps[unit]}" if unit in swaps else None


def _step(value: float) -> float:
    """Return a tenth of the first digit's size."""
    return float(10.0 ** (math.floor(math.log10(value)) - 1))


def _round(value: float) -> float:
    size = _step(value)
    return round(value / size) * size


def _round_up(value: float) -> float:
    size = _step(value)
    return math.ceil(value / size) * size


def _round_down(value: float) -> float:
    if value <= 0:
        return 0
    size = _step(value)
    return math.floor(value / size) * size
