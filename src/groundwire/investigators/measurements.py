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
# A peak that is a small share of what there is to use, or of one CPU, is no trouble, however far it stands out.
_SHARE_IN_TROUBLE: Final = 0.5
_OF_OTHERS: Final = re.compile(
    r"^(?:(?:node|go|process|prometheus|scrape|net_conntrack|promhttp|vm|machine)_(?!\w*:)|up$)|limit|quota|idle|cache|swap"
)
_POD_HASHES: Final = re.compile(r"(?:-[a-z0-9]{8,10})?-[a-z0-9]{5}$")
_COUNTER: Final = re.compile(r"_total$")
_CPU_SECONDS: Final = re.compile(r"cpu_(?:usage_)?seconds_total$")
_LATENCY: Final = re.compile(r"latency|duration|response_time")
_BUCKETS: Final = re.compile(r"(?:latency|duration|response_time)\w*_bucket$")
_BUCKET_END: Final = re.compile(r"(_(?:milli)?seconds)?_bucket$")
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


def queries(source: SourceDescription, service: str | None) -> tuple[str, ...]:
    """Return the PromQL to ask about one service, or without one about what all use up.

    What is measured as it is takes one query, and what only a function tells, of CPU and of latency, one each.
    """
    metrics = telling_metrics(source, saturation_only=service is None)
    matched = _matchers(source, service)
    asked = [" or ".join(f'{{__name__=~"{"|".join(metrics)}"{more}}}' for more in matched)] if metrics else []
    if not any("cpu" in metric for metric in metrics):
        function = "sum by ({by}) (rate({series}[5m]))"
        asked += [_derived(source, service, "cpu_usage_cores", function, metric) for metric in _first(source, _CPU_SECONDS)]
    if service is not None and not any(_LATENCY.search(metric) for metric in metrics):
        function = "histogram_quantile(0.95, sum by (le, {by}) (rate({series}[5m])))"
        buckets = _first(source, _BUCKETS)
        asked += [_derived(source, service, _BUCKET_END.sub(r"_p95\1", metric), function, metric) for metric in buckets]
    return tuple(asked)


def _derived(source: SourceDescription, service: str | None, name: str, function: str, metric: str) -> str:
    """Return a query whose series are given a name, so that they can be spoken of."""
    by = "pod" if source.service_label is None else f"{source.service_label}, pod"
    series = [f"{metric}{{{more.removeprefix(',')}}}" for more in _matchers(source, service)]
    values = " or ".join(function.format(by=by, series=one) for one in series)
    return f'label_replace({values}, "__name__", "{name}", "", "")'


def _first(source: SourceDescription, pattern: re.Pattern[str]) -> list[str]:
    return [name for name in source.metrics if pattern.search(name) and not _OF_OTHERS.search(name)][:1]


def _matchers(source: SourceDescription, service: str | None) -> tuple[str, ...]:
    """Return what narrows a metric to a service: the label of services and, for what is measured of containers, the pod."""
    if service is None:
        return ("",)
    # The name of a pod begins with that of what it is a pod of.
    by_pod = f',pod=~"{_quoted(re.escape(service))}-.*"'
    if source.service_label is not None and service in source.services:
        return f',{source.service_label}="{_quoted(service)}"', by_pod
    return (by_pod,)


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


def owner_of(series: Mapping[str, Any], services: Sequence[str] = ()) -> str | None:
    """Return the service that a series is of: one whose name its pod's begins with, else what its labels say.

    What is measured of containers has the label of the service that measures them.
    """
    labels = series.get("labels") or {}
    pod = str(labels.get("pod") or "")
    if pod:
        known = [service for service in services if pod.startswith(f"{service}-")]
        return max(known, key=len, default=None) or _POD_HASHES.sub("", pod)
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
    if "cores" in metric:
        return value >= _SHARE_IN_TROUBLE * (1000 if "milli" in metric else 1)
    return value >= _SHARE_IN_TROUBLE if _RATIO.search(metric) else True


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
