"""What Prometheus-compatible servers answer, read: the envelope around every answer, and the series of a query.

Source:
    Prometheus HTTP API v1, "Format overview", "Instant queries", "Range queries"; VictoriaMetrics, "isPartial".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pydantic_core

from groundwire.adapters.metrics.alert_fields import ShapeError, texts_in
from groundwire.adapters.servers.json_body import kind_of
from groundwire.adapters.servers.words import error_message, text_list
from groundwire.domain.metrics import Series

_FIRST_S: Final = -62_135_596_800
_LAST_S: Final = 253_402_300_799
"""Epoch seconds of the first and of the last second of the calendar, the years 1 to 9999."""

_INSTANT_TYPES: Final = ("vector", "scalar", "string", "matrix")
_LONGEST_VALUE: Final = 64
_MOST_UNREADABLE: Final = 3
_NO_WHOLE_SERIES: Final = "the part of it that was read holds no whole series"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAnswer:
    """The server answered that it refuses or could not; ``words`` are its own."""

    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataAnswer:
    """The server answered. ``reasons`` are its warnings and infos: it answered in part, or doubts the query."""

    data: Any
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryAnswer:
    """The first series of a query that have points, oldest point first, and how many there are in all.

    ``reasons`` say what could not be read or was answered twice.
    """

    series: tuple[Series, ...]
    total: int
    reasons: tuple[str, ...]


def open_envelope(answer: Any) -> DataAnswer | ErrorAnswer:
    """Return what ``{"status", "data", "warnings", "infos"}`` holds.

    Raises:
        ShapeError: It is no such object.
    """
    if isinstance(answer, dict) and answer.get("status") == "error":
        return ErrorAnswer(words=error_message(answer))
    if not isinstance(answer, dict) or answer.get("status") != "success" or "data" not in answer:
        raise ShapeError(f"it is {kind_of(answer)}, not an object with status and data")
    warnings = [f"warning: {text}" for text in text_list(answer.get("warnings"))]
    infos = [f"info: {text}" for text in text_list(answer.get("infos"))]
    parts = ["it says that a part of its storage did not answer"] if answer.get("isPartial") is True else []
    return DataAnswer(data=answer["data"], reasons=(*parts, *warnings, *infos))


def cut_envelope(content: bytes) -> Any:
    """Return an answer of which only the beginning was read, without its last series, which may be cut itself.

    Raises:
        ShapeError: What was read holds no whole series.
    """
    try:
        answer = pydantic_core.from_json(content.decode("utf-8", errors="replace"), allow_partial=True)
        result = answer["data"]["result"]
        result.pop()
    except (ValueError, LookupError, TypeError, AttributeError) as exc:
        raise ShapeError(_NO_WHOLE_SERIES) from exc
    if not result:
        raise ShapeError(_NO_WHOLE_SERIES)
    return answer


def query_series(data: Any, promql: str, limit: int, *, is_instant: bool = False) -> QueryAnswer:
    """Return at most ``limit`` series of a matrix, or of whatever an instant query answers; a series without a name, such as a
    sum, goes by the query.

    Raises:
        ShapeError: It is something else, or none of its series can be read.
    """
    items = _items(data, _INSTANT_TYPES if is_instant else ("matrix",))
    series: list[Series] = []
    unreadable: list[str] = []
    histograms = conflicts = total = 0
    for index, item in enumerate(items):
        try:
            values = _values_of(item)
            if isinstance(item, dict) and (item.get("histograms") or item.get("histogram")):
                histograms += 1
            if not values:
                texts_in(item, "metric")
                continue
            # Those beyond the limit are counted, and not read: there may be thousands of them.
            if len(series) < limit:
                one, is_clear = _series(item, values, promql)
                series.append(one)
                conflicts += not is_clear
            total += 1
        except ShapeError as exc:
            unreadable.append(f"series {index} cannot be read: {exc}")
    if unreadable and not series:
        raise ShapeError(unreadable[0])
    reasons = unreadable[:_MOST_UNREADABLE]
    if len(unreadable) > _MOST_UNREADABLE:
        reasons.append(f"{len(unreadable) - _MOST_UNREADABLE} more series cannot be read")
    if histograms:
        reasons.append(f"{histograms} series hold native histograms, which are not read: ask for histogram_quantile(...)")
    if conflicts:
        reasons.append(f"{conflicts} series have two values at one time, of which the last is kept")
    return QueryAnswer(series=tuple(series), total=total, reasons=(*reasons, *_twice(series)))


def _items(data: Any, kinds: Sequence[str]) -> list[Any]:
    kind = data.get("resultType") if isinstance(data, dict) else None
    result = data.get("result") if isinstance(data, dict) else None
    if not isinstance(result, list) or kind not in kinds:
        said = kind if isinstance(kind, str) else kind_of(data)
        raise ShapeError(f"its data is {said}, not a {' or '.join(kinds)}")
    return [{"metric": {}, "value": result}] if kind in ("scalar", "string") else result


def _values_of(item: Any) -> Sequence[Any]:
    if not isinstance(item, dict):
        raise ShapeError(f"it is {kind_of(item)}, not an object")
    if "value" in item:
        return [item["value"]]
    values = item.get("values", [])
    if not isinstance(values, list):
        raise ShapeError(f"its values are {kind_of(values)}, not a list")
    return values


def _series(item: Mapping[str, Any], values: Sequence[Any], promql: str) -> tuple[Series, bool]:
    """Return the series, and whether it has one value at each time."""
    labels = texts_in(item, "metric")
    points = [_point(value) for value in values]
    by_time = dict(points)
    is_clear = len(by_time) == len(points) or len(set(points)) == len(by_time)
    metric = labels.pop("__name__", None) or promql
    return Series(metric=metric, labels=labels, points=tuple(sorted(by_time.items()))), is_clear


def _point(value: Any) -> tuple[float, str]:
    match value:
        case [int() | float() as at, str() as text] if not isinstance(at, bool):
            if not _FIRST_S <= at <= _LAST_S:
                raise ShapeError(f"a point of it is at {str(at)[:40]}, which is no time in epoch seconds")
            return float(at), text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
        case _:
            raise ShapeError("a point of it is not a time and a text")


def _twice(series: Sequence[Series]) -> list[str]:
    names = [(one.metric, frozenset(one.labels.items())) for one in series]
    count = len(names) - len(set(names))
    return [f"{count} series came twice, with the same name and labels"] if count else []
