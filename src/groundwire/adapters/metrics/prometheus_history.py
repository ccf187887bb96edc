"""What was active in a window that has passed, out of the series that a Prometheus writes of its own alerts.

Source:
    Prometheus, "Alerting rules", "Inspecting alerts during runtime": ``ALERTS{alertname, alertstate, ...}`` is 1 while an alert
    is active in that state. ``ALERTS_FOR_STATE`` holds since when, in epoch seconds. vmalert writes both by remote
    write, the second of rules with a ``for`` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median
from typing import Final

from groundwire.adapters.metrics.alert_fields import service_of, severity_of
from groundwire.domain.errors import BackendError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Alert, AlertPage, Seen, Series, SeriesPage
from groundwire.domain.times import format_instant

FROM_HISTORY: Final = "what was active in the window is read from its series ALERTS, which hold no values and no annotations"
NO_HISTORY: Final = "its series ALERTS have nothing in the window, so what was active then is not known"
UNREAD_RESOLVED: Final = "its series ALERTS were not read, so what fired in the window and fires no more is not known: {}"
UNREAD_HISTORY: Final = "its series ALERTS were not read, so what was active in the window is not known: {}"
_NO_STARTS: Final = "its series ALERTS_FOR_STATE were not read, so since when alerts are active is not known: {}"
# Evaluations that fail to come for longer than that are missing; a single one may be late.
_INTERVALS: Final = 3
_LEAST_HOLE_S: Final = 120.0

_Key = frozenset[tuple[str, str]]
_Times = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Life:
    """When an alert was seen firing, and when pending, in epoch seconds."""

    firing: _Times = ()
    pending: _Times = ()


def past_alerts(ask: Callable[[str], SeriesPage], window: TimeWindow) -> AlertPage | None:
    """Return the alerts that were active in a window, as ``ask`` answers PromQL for its last moment; None where there are none.

    An alert that fired is firing, with the times at which it did. Nothing is known of the times at which no alert at all was
    seen: then ``unknown`` says so, since rules that are not evaluated write nothing either.

    Raises:
        BackendError: The series cannot be read.
    """
    # A range of samples as they were written: a range query would miss what lasted shorter than its step.
    span = f"[{int(window.duration.total_seconds() * 1000) - 1}ms]"
    found = ask(f"ALERTS{span}")
    lives = _lives(found.series, window)
    if not lives:
        return None
    since, notes = _starts(ask, span)
    usual_s = _usual_interval(lives)
    return AlertPage(
        alerts=tuple(_alert(key, life, since.get(key), window, usual_s) for key, life in lives.items()),
        as_of=window.end,
        live=True,
        window=window,
        unknown=_unknown(lives, window, usual_s),
        partial_reasons=(*found.partial_reasons, *_left_out(found)),
        notes=(FROM_HISTORY, *found.notes, *notes),
    )


def with_lasting(past: AlertPage, now: AlertPage) -> AlertPage:
    """Return the alerts of a window that has passed; those that have lasted since as they are now, with value and annotations.

    One that came and went, or was in another state in the window than it is in now, stays as it was there.
    """
    window = past.window
    lasting = {
        frozenset(alert.labels.items()): alert
        for alert in now.alerts
        if window is not None and alert.active_at is not None and alert.active_at < window.end
    }
    kept: list[Alert] = []
    for alert in past.alerts:
        lasts = lasting.pop(frozenset(alert.labels.items()), None)
        is_same = lasts is not None and lasts.state == alert.state and alert.seen is not None and alert.seen.spells == 1
        kept.append(lasts if lasts is not None and is_same and alert.ends_at is None else alert)
    return replace(
        past,
        alerts=(*kept, *lasting.values()),
        as_of=now.as_of,
        partial_reasons=(*past.partial_reasons, *now.partial_reasons),
        notes=tuple(dict.fromkeys((*past.notes, *now.notes))),
    )


def fired_within(past: AlertPage, now: AlertPage) -> tuple[Alert, ...]:
    """Return what fired in a window that lasts until now and is not in the list of now, with the times at which it fired.

    It is resolved where it was not seen any more, or the server evaluates its rule. Else its list may not know it: the series of
    a VictoriaMetrics are written by others.
    """
    active = [frozenset(alert.labels.items()) for alert in now.alerts if alert.state == "firing"]
    evaluated = {alert.alert_name for alert in (*now.alerts, *now.inactive)}
    return tuple(
        replace(alert, state="resolved", ends_at=alert.seen.last_at)
        if alert.ends_at is not None or alert.alert_name in evaluated
        else alert
        for alert in past.alerts
        # What writes the series to another place may have put labels beside those that the list has.
        if alert.state == "firing" and alert.seen is not None and not any(one <= alert.labels.items() for one in active)
    )


def _lives(series: Sequence[Series], window: TimeWindow) -> dict[_Key, _Life]:
    times: dict[_Key, dict[str, _Times]] = {}
    start, end = window.start.timestamp(), window.end.timestamp()
    for one in series:
        labels = dict(one.labels)
        state = labels.pop("alertstate", "")
        inside = tuple(at for at, _ in one.points if start <= at < end)
        if inside and state in ("firing", "pending") and labels.get("alertname"):
            times.setdefault(frozenset(labels.items()), {})[state] = inside
    return {key: _Life(firing=of.get("firing", ()), pending=of.get("pending", ())) for key, of in times.items()}


def _starts(ask: Callable[[str], SeriesPage], span: str) -> tuple[Mapping[_Key, float], tuple[str, ...]]:
    """Return since when each alert was active, the first time of several, and what is not known of it."""
    try:
        page = ask(f"min_over_time(ALERTS_FOR_STATE{span})")
    except BackendError as exc:
        return {}, (_NO_STARTS.format(exc.message),)
    starts: dict[_Key, float] = {}
    for one in page.series:
        try:
            starts[frozenset(one.labels.items())] = float(one.points[-1][1])
        except ValueError:
            continue
    return starts, ()


def _alert(key: _Key, life: _Life, since_s: float | None, window: TimeWindow, usual_s: float) -> Alert:
    labels = dict(sorted(key))
    times = life.firing or life.pending
    every = sorted({*life.firing, *life.pending})
    still = window.end.timestamp() - every[-1] <= _hole(usual_s)
    return Alert(
        alert_name=labels["alertname"],
        state="firing" if life.firing else "pending",
        service=service_of(labels),
        severity=severity_of(labels),
        value=None,
        value_text=None,
        active_at=_start(since_s, every[0]),
        ends_at=None if still else _instant(every[-1]),
        labels=labels,
        seen=Seen(
            first_at=_instant(times[0]),
            last_at=_instant(times[-1]),
            spells=1 + sum(1 for earlier, later in pairwise(every) if later - earlier > _hole(usual_s)),
        ),
    )


def _start(since_s: float | None, first_s: float) -> datetime | None:
    """Return since when an alert was active: what is later than it was first seen, or no time at all, is not believed."""
    # The alert's start is written in whole seconds, its samples to the millisecond.
    return None if since_s is None or not 0 < since_s <= first_s + 1 else _instant(since_s)


def _usual_interval(lives: Mapping[_Key, _Life]) -> float:
    apart = [later - earlier for life in lives.values() for earlier, later in _neighbours(life)]
    return median(apart) if apart else _LEAST_HOLE_S / _INTERVALS


def _neighbours(life: _Life) -> Iterator[tuple[float, float]]:
    return pairwise(sorted({*life.firing, *life.pending}))


def _hole(usual_s: float) -> float:
    return max(_INTERVALS * usual_s, _LEAST_HOLE_S)


def _unknown(lives: Mapping[_Key, _Life], window: TimeWindow, usual_s: float) -> str | None:
    """Return the longest time without a sample of any alert; None where some alert was active all the time, as Watchdog is."""
    times = sorted({at for life in lives.values() for at in (*life.firing, *life.pending)})
    ends = [window.start.timestamp(), *times, window.end.timestamp()]
    start, end = max(pairwise(ends), key=lambda pair: pair[1] - pair[0])
    if end - start <= _hole(usual_s):
        return None
    return (
        f"its series ALERTS have no sample between {format_instant(_instant(start))} and {format_instant(_instant(end))}, "
        "so whether its rules were evaluated then is not known"
    )


def _left_out(page: SeriesPage) -> tuple[str, ...]:
    if page.total is None or page.total <= len(page.series):
        return ()
    return (f"of {page.total:,} series ALERTS the first {len(page.series):,} were read",)


def _instant(at_s: float) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)
