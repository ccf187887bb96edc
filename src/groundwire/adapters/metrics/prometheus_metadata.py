"""What there is to ask of a Prometheus-compatible server: the services that it measures, and its metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from groundwire.domain.errors import BackendError
from groundwire.domain.sources import MOST_METRICS

_OF_LATE: Final = timedelta(hours=1)
_KINDS: Final = ("counter", "gauge", "histogram", "gaugehistogram", "summary")
_LABELS: Final = ("service", "service_name", "app", "application", "job")

Ask = Callable[[str, Mapping[str, str]], Any]
"""Asks a path with parameters and returns the ``data`` of the answer."""


def services_of(ask: Ask, now: datetime) -> tuple[str | None, tuple[str, ...]]:
    """Return the first label for services that has values in the last hour, else at any time, and those values.

    Raises:
        BackendError: The server does not answer.
    """
    for params in (_of_late(now), {}):
        for label in _LABELS:
            values = ask(f"/api/v1/label/{label}/values", params)
            if isinstance(values, list) and values:
                return label, tuple(sorted(str(value) for value in values))
    return None, ()


def metrics_of(ask: Ask, now: datetime) -> tuple[str, ...]:
    """Return the first names of metrics of the last hour, else of any time, sorted; none where they cannot be listed."""
    for params in (_of_late(now), {}):
        try:
            names = ask("/api/v1/label/__name__/values", {**params, "limit": str(MOST_METRICS)})
        except BackendError:
            # A gateway that answers queries and lists no names is in order.
            return ()
        if isinstance(names, list) and names:
            return tuple(sorted(str(name) for name in names)[:MOST_METRICS])
    return ()


def kinds_of(ask: Ask) -> dict[str, str]:
    """Return what kind each metric is, by its name; nothing where the server has no metadata."""
    try:
        told = ask("/api/v1/metadata", {"limit_per_metric": "1"})
    except BackendError:
        return {}
    return {str(name): kind for name, said in told.items() if (kind := _kind(said))} if isinstance(told, dict) else {}


def _of_late(now: datetime) -> dict[str, str]:
    return {"start": f"{(now - _OF_LATE).timestamp():.0f}", "end": f"{now.timestamp():.0f}"}


def _kind(said: Any) -> str:
    kind = said[0].get("type") if isinstance(said, list) and said and isinstance(said[0], dict) else None
    return kind if kind in _KINDS else ""
