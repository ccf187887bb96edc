"""The step of a range query, and series as the tool gives them."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any, Final

from groundwire.domain.errors import InvalidParamsError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Series
from groundwire.domain.times import parse_duration

INSTANT: Final = "instant"
_MOST_POINTS: Final = 11_000
_DEFAULT_POINTS: Final = 250
# From 15 s, the usual interval between two samples, to a day; windows that need more take whole days.
_STEPS_S: Final = (15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)


def step_of(text: str | None, window: TimeWindow) -> timedelta | None:
    """Return the step that ``text`` says, or the finest round one that gives at most 250 points in the window.

    None for ``instant``: then one value is asked for, that at the end of the window.

    Raises:
        InvalidParamsError: It is no duration, or gives more than 11,000 points, which Prometheus refuses.
    """
    if text is None:
        return _default_step(window)
    if text.strip().lower() == INSTANT:
        return None
    try:
        step = parse_duration(text)
    except ValueError as exc:
        raise InvalidParamsError(f'step: {exc}, or "{INSTANT}"') from exc
    points = math.ceil(window.duration / step)
    if points > _MOST_POINTS:
        least_s = math.ceil(window.duration.total_seconds() / _MOST_POINTS)
        raise InvalidParamsError(
            f"step {text} gives {points:,} points in this window, more than {_MOST_POINTS:,}; take at least {least_s}s"
        )
    return step


def series_item(series: Series, source: str) -> dict[str, Any]:
    """Return one series; a value that is no finite number is null, with its own words by index under ``value_text``."""
    points: list[list[float | None]] = []
    value_text: dict[str, str] = {}
    for index, (at, text) in enumerate(series.points):
        number = _number(text)
        points.append([at, number])
        if number is None:
            value_text[str(index)] = text
    item: dict[str, Any] = {"metric": series.metric, "labels": dict(series.labels), "points": points, "source": source}
    if value_text:
        item["value_text"] = value_text
    return item


def _default_step(window: TimeWindow) -> timedelta:
    least_s = window.duration.total_seconds() / _DEFAULT_POINTS
    for step_s in _STEPS_S:
        if step_s >= least_s:
            return timedelta(seconds=step_s)
    return timedelta(days=math.ceil(least_s / 86400))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
