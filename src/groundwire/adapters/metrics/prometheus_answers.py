"""What Prometheus-compatible servers answer, read: the envelope around every answer, and the series of a range query.

Source:
    Prometheus HTTP API v1, "Format overview" and "Range queries".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.metrics.alert_fields import ShapeError, texts_in
from groundwire.adapters.servers.json_body import kind_of
from groundwire.adapters.servers.words import error_message, text_list
from groundwire.domain.metrics import Series

_FIRST_S: Final = -62_135_596_800
_LAST_S: Final = 253_402_300_799
"""Epoch seconds of the first and of the last second of the calendar, the years 1 to 9999."""


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
class RangeAnswer:
    """The series of a range query that have points, oldest point first; ``reasons`` say what could not be read."""

    series: tuple[Series, ...]
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
    return DataAnswer(data=answer["data"], reasons=(*warnings, *infos))


def range_series(data: Any, promql: str) -> RangeAnswer:
    """Return the series of a matrix; one without a metric name, such as a sum, goes by the query itself.

    Raises:
        ShapeError: It is no matrix, or none of its series can be read.
    """
    result = data.get("result") if isinstance(data, dict) else None
    if not isinstance(result, list) or data.get("resultType") != "matrix":
        said = data.get("resultType") if isinstance(data, dict) else None
        raise ShapeError(f"its data is {said if isinstance(said, str) else kind_of(data)}, not a matrix")
    series: list[Series] = []
    unreadable: list[str] = []
    histograms = 0
    for index, item in enumerate(result):
        try:
            one = _series(item, promql)
        except ShapeError as exc:
            unreadable.append(f"series {index} cannot be read: {exc}")
            continue
        if one.points:
            series.append(one)
        elif item.get("histograms"):
            histograms += 1
    if unreadable and not series:
        raise ShapeError(unreadable[0])
    reasons = unreadable[:3] if len(unreadable) <= 3 else [*unreadable[:3], f"{len(unreadable) - 3} more series cannot be read"]
    if histograms:
        reasons.append(f"{histograms} series hold native histograms, which are not read: ask for histogram_quantile(...)")
    return RangeAnswer(series=tuple(series), reasons=tuple(reasons))


def _series(item: Any, promql: str) -> Series:
    if not isinstance(item, dict):
        raise ShapeError(f"it is {kind_of(item)}, not an object")
    labels = texts_in(item, "metric")
    values = item.get("values", [])
    if not isinstance(values, list):
        raise ShapeError(f"its values are {kind_of(values)}, not a list")
    metric = labels.pop("__name__", None) or promql
    return Series(metric=metric, labels=labels, points=tuple(sorted(_point(value) for value in values)))


def _point(value: Any) -> tuple[float, str]:
    match value:
        case [int() | float() as at, str() as text] if not isinstance(at, bool):
            if not _FIRST_S <= at <= _LAST_S:
                raise ShapeError(f"a point of it is at {str(at)[:40]}, which is no time in epoch seconds")
            return float(at), text
        case _:
            raise ShapeError("a point of it is not a time and a text")


def alerting_rules(data: Any) -> tuple[int, tuple[str, ...]] | None:
    """Return how many alerting rules a ``/api/v1/rules`` answer has and which of them fail; None where it cannot be read."""
    groups = data.get("groups") if isinstance(data, dict) else None
    if not isinstance(groups, list):
        return None
    rules = [rule for group in groups if isinstance(group, dict) for rule in _rules(group) if rule.get("type") == "alerting"]
    failing = tuple(f"{rule.get('name')}: {rule.get('lastError')}" for rule in rules if rule.get("health") == "err")
    return len(rules), failing


def _rules(group: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rules = group.get("rules")
    return [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []
