"""Which measurements of a service tell of trouble, and which of its series stand out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any, Final

from groundwire.domain.metrics import SERVICE_LABELS
from groundwire.domain.sources import SourceDescription

_FEWEST_POINTS: Final = 5
# A peak stands out when it is that many deviations, and that many times, above what is usual.
_DEVIATIONS: Final = 6 * 1.4826
_TIMES: Final = 3.0
# A peak that is a small share of what there is to use is no trouble, however far it stands out.
_SHARE_IN_TROUBLE: Final = 0.5
_OF_OTHERS: Final = re.compile(
    r"^(?:node|go|process|prometheus|scrape|net_conntrack|promhttp|vm|machine|up$)|limit|quota|idle|cache|swap"
)
_COUNTER: Final = re.compile(r"_total$")
_PERCENT: Final = re.compile(r"percent")
_RATIO: Final = re.compile(r"ratio|utili[sz]ation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A kind of measurement: names that are of it, which of them are taken first, and how many."""

    name: str
    pattern: re.Pattern[str]
    first: tuple[str, ...] = ()
    most: int = 1
    is_counter: bool = False
    is_saturation: bool = False


_SIGNALS: Final = (
    Signal(name="cpu", pattern=re.compile(r"cpu"), first=("percent", "ratio", "usage"), is_saturation=True),
    Signal(name="memory", pattern=re.compile(r"mem(?:ory)?_"), first=("percent", "ratio", "working_set"), is_saturation=True),
    Signal(name="latency", pattern=re.compile(r"latency|duration|response_time"), first=("server.*p9[59]", "p9[59]", "server")),
    Signal(name="restarts", pattern=re.compile(r"restarts?_|oom"), is_counter=True, is_saturation=True),
    Signal(name="errors", pattern=re.compile(r"error|fail|exception|timeout"), most=2, is_counter=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The highest sample of a series, its median, and whether it stands out."""

    value: float
    at_s: float
    usual: float
    stands_out: bool


def telling_metrics(source: SourceDescription, *, saturation_only: bool = False) -> tuple[str, ...]:
    """Return a few names of metrics that tell how a service does: what it uses, how slow it is, how often it fails."""
    chosen: list[str] = []
    for signal in _SIGNALS:
        if signal.is_saturation or not saturation_only:
            chosen += _of_signal(signal, source)[: signal.most]
    return tuple(dict.fromkeys(chosen))


def selector(source: SourceDescription, metrics: Sequence[str], service: str | None) -> str:
    """Return the PromQL for all series of these metrics: those of one service, or of all."""
    names = f'__name__=~"{"|".join(metrics)}"'
    if service is None:
        return f"{{{names}}}"
    if source.service_label is not None and service in source.services:
        return f'{{{names},{source.service_label}="{_quoted(service)}"}}'
    # The name of a pod begins with that of what it is a pod of.
    return f'{{{names},pod=~"{_quoted(re.escape(service))}-.*"}}'


def is_counter(metric: str) -> bool:
    """Return whether a metric only ever goes up, by its name."""
    return _COUNTER.search(metric) is not None


def peak_of(series: Mapping[str, Any]) -> Peak | None:
    """Return the peak of a series; None where it has too few samples to tell what is usual, or never changes."""
    points = [(at, value) for at, value in series.get("points") or () if isinstance(value, int | float)]
    values = [value for _, value in points]
    if len(values) < _FEWEST_POINTS or min(values) == max(values):
        return None
    usual = median(values)
    at_s, value = max(points, key=lambda point: point[1])
    spread = median(abs(each - usual) for each in values)
    far = value > usual + _DEVIATIONS * spread and value >= usual * _TIMES
    return Peak(value=value, at_s=at_s, usual=usual, stands_out=far and _is_much(str(series.get("metric")), value))


def increase_of(series: Mapping[str, Any]) -> float:
    """Return by how much a counter went up; a fall is a restart from zero."""
    values = [value for _, value in series.get("points") or () if isinstance(value, int | float)]
    return sum(later - earlier if later >= earlier else later for earlier, later in pairwise(values))


def is_saturation(metric: str) -> bool:
    """Return whether a metric measures what is used up: that may be a cause, where latency and errors are effects."""
    return any(signal.is_saturation and signal.pattern.search(metric) for signal in _SIGNALS)


def owner_of(series: Mapping[str, Any]) -> str | None:
    """Return the service that a series is of, by its labels."""
    labels = series.get("labels") or {}
    return next((str(labels[name]) for name in SERVICE_LABELS if labels.get(name)), None)


def _of_signal(signal: Signal, source: SourceDescription) -> list[str]:
    names = [name for name in source.metrics if signal.pattern.search(name) and not _OF_OTHERS.search(name)]
    fitting = [name for name in names if is_counter(name) is signal.is_counter and not re.search(r"_(?:bucket|sum|count)$", name)]
    return sorted(fitting, key=lambda name: (_rank(name, signal.first), name))


def _rank(name: str, first: Iterable[str]) -> int:
    ranks = [place for place, pattern in enumerate(first) if re.search(pattern, name)]
    return min(ranks, default=99)


def _is_much(metric: str, value: float) -> bool:
    if _PERCENT.search(metric):
        return value >= _SHARE_IN_TROUBLE * 100
    return value >= _SHARE_IN_TROUBLE if _RATIO.search(metric) else True


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
