"""What was measured of suspects -> claims: peaks that stand out, counters that went up, and what stayed as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from groundwire.domain.answer import Claim
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.metrics import SERVICE_LABELS
from groundwire.domain.names import ClaimKind, ClaimRole
from groundwire.investigators.claims import unnumbered
from groundwire.investigators.findings import Ref, refs_in
from groundwire.investigators.measurements import Peak, increase_of, is_counter, is_saturation, owner_of, peak_of

_MOST_SYMPTOMS: Final = 4
_MOST_QUIET: Final = 3


def measured_symptoms(calls: Sequence[RecordedCall], role: ClaimRole) -> Iterator[Claim]:
    """Word the measurements that stand out, the furthest first: the first one in ``role``, others as its support."""
    found = standing_out(calls)
    for place, (ref_id, series) in enumerate(found[:_MOST_SYMPTOMS]):
        text = _went_up(series) if is_counter(str(series["metric"])) else _peaked(series)
        yield unnumbered(text, ClaimKind.SYMPTOM, role if place == 0 else ClaimRole.SUPPORT, ref_id)


def measured_states(calls: Sequence[RecordedCall]) -> Iterator[Claim]:
    """Word how a service did by its measurements: that it used up what there is answers, what else stands out is told beside."""
    for ref_id, series in standing_out(calls)[:_MOST_SYMPTOMS]:
        metric = str(series["metric"])
        if is_saturation(metric) and not is_counter(metric):
            yield unnumbered(_peaked(series), ClaimKind.SYMPTOM, ClaimRole.ANSWER, ref_id)
        else:
            text = _went_up(series) if is_counter(metric) else _peaked(series)
            yield unnumbered(text, ClaimKind.OBSERVATION, ClaimRole.CONTEXT, ref_id)
    yield from measured_quiet(calls)


def measured_quiet(calls: Sequence[RecordedCall]) -> Iterator[Claim]:
    """Word how high measurements got that do not stand out: that rules something out."""
    loud = {ref_id for ref_id, _ in standing_out(calls)}
    quiet = [ref for ref in _all(calls) if ref[0] not in loud and not is_counter(str(ref[1]["metric"]))]
    for ref_id, series in quiet[:_MOST_QUIET]:
        peak = peak_of(series)
        if peak is not None:
            text = f"{_name(series)} was at most {_shown(peak.value)}."
            yield unnumbered(text, ClaimKind.OBSERVATION, ClaimRole.CONTEXT, ref_id)


def standing_out(calls: Sequence[RecordedCall]) -> list[Ref]:
    """Return the series that stand out, the furthest from what is usual first."""
    found: list[tuple[float, Ref]] = []
    for ref in _all(calls):
        if is_counter(str(ref[1]["metric"])):
            if increase_of(ref[1]) > 0:
                found.append((1.0, ref))
            continue
        peak = peak_of(ref[1])
        if peak is not None and peak.stands_out:
            found.append((_times(peak), ref))
    return [ref for _, ref in sorted(found, key=lambda each: -each[0])]


def measured_hypotheses(calls: Sequence[RecordedCall]) -> Iterator[Claim]:
    """Word that what was used up may be the cause; that it is, nothing measured can say."""
    for ref_id, series in standing_out(calls)[:_MOST_SYMPTOMS]:
        if is_saturation(str(series["metric"])) and not is_counter(str(series["metric"])):
            text = f"{_peaked(series)[:-1]}; this may be the cause."
            yield unnumbered(text, ClaimKind.HYPOTHESIS, ClaimRole.CONTEXT, ref_id)
            return


def hot_services(calls: Sequence[RecordedCall], services: Sequence[str], most: int) -> list[str]:
    """Return the services with a measurement that stands out, the furthest first."""
    owners = [owner_of(series, services) for _, series in standing_out(calls)]
    return list(dict.fromkeys(owner for owner in owners if owner))[:most]


def _all(calls: Sequence[RecordedCall]) -> list[Ref]:
    return [ref for call in calls for ref in refs_in(call, "series", "series")]


def _times(peak: Peak) -> float:
    return peak.value / peak.usual if peak.usual > 0 else float("inf")


def _peaked(series: Mapping[str, Any]) -> str:
    peak = peak_of(series)
    if peak is None:
        raise ValueError("a series without a peak stands out nowhere")
    at = datetime.fromtimestamp(peak.at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"{_name(series)} peaked at {_shown(peak.value)} at {at}; its median was {_shown(peak.usual)}."


def _went_up(series: Mapping[str, Any]) -> str:
    return f"{_name(series)} went up by {_shown(increase_of(series))}."


def _name(series: Mapping[str, Any]) -> str:
    """Return the metric and whose it is: the service where its label and the pod agree, else the pod."""
    labels = series.get("labels") or {}
    service = next((str(labels[name]) for name in SERVICE_LABELS if labels.get(name)), "")
    instance = str(labels.get("pod") or labels.get("instance") or "")
    who = service if service and (not labels.get("pod") or instance.startswith(service)) else instance
    return f"{series['metric']} of {who}" if who else str(series["metric"])


def _shown(value: float) -> str:
    if value == int(value) or abs(value) >= 10_000:
        return f"{value:.0f}"
    return f"{value:.4g}" if abs(value) >= 0.001 else f"{value:.6f}"
