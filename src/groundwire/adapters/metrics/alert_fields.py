"""The fields that alerts of every shape have: labels, times, values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from groundwire.adapters.servers.json_body import kind_of
from groundwire.domain.metrics import SERVICE_LABELS
from groundwire.domain.times import as_utc

_LONGEST_TEXT: Final = 20_000


class ShapeError(ValueError):
    """A decoded answer, or an alert in it, is not of the shape that its sender documents."""


def service_of(labels: Mapping[str, str]) -> str | None:
    """Return the value of the first label that names a service, or None."""
    return next((labels[name] for name in SERVICE_LABELS if labels.get(name)), None)


def severity_of(labels: Mapping[str, str]) -> str | None:
    """Return how severe the alert's rule says it is, in the rule's own word, or None."""
    return labels.get("severity") or None


def texts_in(item: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the labels or annotations under ``key``; numbers and truth values as text, empty values left out.

    A text of more than 20,000 characters is cut, and ends in how long it was.

    Raises:
        ShapeError: There is no object, or a value in it is an object or a list.
    """
    value = item.get(key)
    if value is None and key.endswith("nnotations"):
        return {}
    if not isinstance(value, dict):
        raise ShapeError(f"its {key} are {kind_of(value)}, not an object")
    texts: dict[str, str] = {}
    for name, text in value.items():
        if isinstance(text, dict | list):
            raise ShapeError(f"its {key} hold {kind_of(text)} under {name[:40]!r}, not a text")
        if text not in (None, ""):
            texts[name] = _bounded(text if isinstance(text, str) else str(text))
    return texts


def _bounded(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}… (cut, of {len(text):,} characters)"


def instant_in(item: Mapping[str, Any], key: str, problems: list[str]) -> datetime | None:
    """Return the time under ``key``; None where there is none, or one that cannot be read, which is a problem.

    The year 1 is how Go writes "no time".
    """
    value = item.get(key)
    if value is None or value == "":
        return None
    try:
        moment = as_utc(datetime.fromisoformat(value))
    except (TypeError, ValueError, OverflowError):
        problems.append(f"{key} {str(value)[:40]!r} is no time")
        return None
    return moment if moment.year > 1 else None


def number_in(item: Mapping[str, Any], key: str, problems: list[str]) -> tuple[float | None, str | None]:
    """Return a value as a number, or None and the sender's own words where it is not finite or no number."""
    value = item.get(key)
    if value is None or value == "":
        return None, None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        problems.append(f"{key} is {kind_of(value)}, not a number")
        return None, None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None, str(value)[:40]
    return (number, None) if math.isfinite(number) else (None, str(value)[:40])
