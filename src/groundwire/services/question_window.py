"""The window of a question: from a flag, a time in its text, an alert's onset, the newest saved record, or the last hour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from groundwire.domain.errors import UsageError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Alert
from groundwire.domain.names import WindowSource
from groundwire.domain.times import as_utc, shifted

_BEFORE_ONSET: Final = timedelta(minutes=30)
_AFTER_ONSET: Final = timedelta(minutes=15)
_DEFAULT: Final = timedelta(hours=1)
_SEVERITIES: Final = ("page", "critical", "fatal", "error", "high", "major", "warning")

_CLOCK: Final = r"\d{1,2}:\d{2}(?::\d{2})?"
_INSTANT: Final = rf"(?:\d{{4}}-\d{{2}}-\d{{2}}[T ])?{_CLOCK}(?:Z| ?UTC|[+-]\d{{2}}:?\d{{2}})?"
_BETWEEN: Final = re.compile(rf"\b(?:between|from) (?P<a>{_INSTANT}) (?:and|to|until|till) (?P<b>{_INSTANT})", re.IGNORECASE)
_DASHED: Final = re.compile(rf"(?<![\d:-])(?P<a>{_CLOCK}) ?[-–] ?(?P<b>{_CLOCK})(?![\d:])")
_SINCE: Final = re.compile(rf"\b(?:since|after) (?P<a>{_INSTANT})", re.IGNORECASE)
_AT: Final = re.compile(rf"(?<![\d:.-])(?P<a>{_INSTANT})(?![\d:])", re.IGNORECASE)
_LAST: Final = re.compile(
    r"\b(?:last|past|previous) (?P<n>\d{1,4}|few|couple of)? ?(?P<unit>minutes?|mins?|m|hours?|hrs?|h|days?|d)\b", re.IGNORECASE
)
_DATE: Final = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_DAY: Final = timedelta(days=1)
_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": _DAY}


def window_of(
    *, flag: TimeWindow | None, text: str, alerts: Sequence[Alert], newest_record: datetime | None, now: datetime
) -> tuple[TimeWindow, WindowSource]:
    """Return the window of the first source that applies.

    ``newest_record`` is given only where all log sources are saved files; a time of day without a date is of its day, or of
    today's.

    Raises:
        UsageError: The text names a time that makes no window (an impossible date, an end before its start).
    """
    if flag is not None:
        return flag, WindowSource.FLAG
    end = _end_of(newest_record) if newest_record is not None else now
    try:
        from_text = _window_in(text, end)
    except (ValueError, OverflowError) as exc:
        raise UsageError(
            f"the time in the question makes no window: {exc}", hint="Say the window with --since and --until instead."
        ) from exc
    if from_text is not None:
        return from_text, WindowSource.QUESTION
    onset = _onset(alerts)
    if onset is not None and onset < now:
        return TimeWindow(start=shifted(onset, -_BEFORE_ONSET), end=min(onset + _AFTER_ONSET, now)), WindowSource.ALERT
    if newest_record is not None:
        return TimeWindow(start=shifted(end, -_DEFAULT), end=end), WindowSource.NEWEST_RECORD
    return TimeWindow(start=now - _DEFAULT, end=now), WindowSource.DEFAULT


def _end_of(newest: datetime) -> datetime:
    """Windows are half-open: the end is the first whole second after the newest record."""
    return shifted(as_utc(newest).replace(microsecond=0), timedelta(seconds=1))


def _onset(alerts: Sequence[Alert]) -> datetime | None:
    """Return when the most severe of the alerts became active; of several, the earliest."""
    dated = [alert for alert in alerts if alert.active_at is not None]
    if not dated:
        return None
    best = min(dated, key=lambda alert: (_rank(alert), alert.active_at))
    return best.active_at


def _rank(alert: Alert) -> int:
    severity = (alert.severity or "").lower()
    return _SEVERITIES.index(severity) if severity in _SEVERITIES else len(_SEVERITIES)


def _window_in(text: str, end: datetime) -> TimeWindow | None:
    last = _LAST.search(text)
    if last is not None:
        count = int(last["n"]) if (last["n"] or "").isdigit() else (3 if last["n"] else 1)
        if count == 0:
            raise ValueError(f"{last[0]!r} is no time at all")
        return TimeWindow(start=shifted(end, -count * _UNITS[last["unit"][0].lower()]), end=end)
    date = _DATE.search(text)
    day = date[1] if date else end.date().isoformat()
    spanned = _BETWEEN.search(text) or _DASHED.search(text)
    if spanned is not None:
        start, stop = _instant(spanned["a"], day), _instant(spanned["b"], day)
        if stop <= start and not date:
            start = shifted(start, -_DAY)  # "between 23:50 and 00:10"
        if start > end and not date:
            start, stop = shifted(start, -_DAY), shifted(stop, -_DAY)
        return TimeWindow(start=start, end=shifted(stop, _precision(spanned["b"])))
    since = _SINCE.search(text)
    if since is not None:
        start = _not_ahead(_instant(since["a"], day), end, date is not None)
        return TimeWindow(start=start, end=max(end, shifted(start, _AFTER_ONSET)))
    at = _AT.search(text)
    if at is not None:
        moment = _not_ahead(_instant(at["a"], day), end, date is not None)
        return TimeWindow(start=shifted(moment, -_BEFORE_ONSET), end=shifted(moment, _AFTER_ONSET))
    if date is not None:
        start = datetime.fromisoformat(date[1]).replace(tzinfo=UTC)
        return TimeWindow(start=start, end=shifted(start, _DAY))
    return None


def _instant(text: str, day: str) -> datetime:
    written = text.strip().replace(" UTC", "Z").replace("UTC", "Z").replace("utc", "Z")
    if not re.match(r"\d{4}-", written):
        clock = written if re.match(r"\d{2}:", written) else f"0{written}"
        written = f"{day}T{clock}"
    return as_utc(datetime.fromisoformat(written))


def _not_ahead(moment: datetime, end: datetime, has_date: bool) -> datetime:
    """A time of day that is still to come was meant of the day before."""
    return shifted(moment, -_DAY) if moment > end and not has_date else moment


def _precision(text: str) -> timedelta:
    """A minute that is named as an end belongs to the window as a whole."""
    return timedelta(seconds=1) if text.count(":") == 2 else timedelta(minutes=1)
