"""What every answer says first and last: the question, the window in UTC and local time, what was checked, how to see more."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from groundwire.domain.answer import Answer, Coverage, CoverageItem
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import WindowSource
from groundwire.rendering.layout import shorten, wrap

_LABEL: Final = 10
_QUESTION_COLUMNS: Final = 400
_MOST_CALLS: Final = 8

_WINDOW_SOURCES: Final[Mapping[WindowSource, str]] = {
    WindowSource.FLAG: "as given by flag",
    WindowSource.QUESTION: "from the time in the question",
    WindowSource.ALERT: "around the start of the alert",
    WindowSource.NEWEST_RECORD: "the last hour of the saved records",
    WindowSource.DEFAULT: "the last hour, by default",
}

_COVERAGE: Final = (
    ("found", "found in"),
    ("empty", "empty"),
    ("deduped", "repeated"),
    ("failed", "failed"),
    ("partial", "in part"),
    ("not_available", "not available"),
)


def short_id(session_id: str) -> str:
    """Return the part of a session id that a person types: its last group, which every command takes for the whole."""
    return session_id[-12:]


def labelled(label: str, text: str, width: int) -> list[str]:
    """Return a label and its text, wrapped beside it."""
    return wrap(text, width, first=label.ljust(_LABEL))


def head(answer: Answer, width: int, local_zone: tzinfo | None) -> list[str]:
    """Return the lines of question, subjects and window."""
    lines = labelled("Question", shorten(answer.question, _QUESTION_COLUMNS), width)
    if answer.subjects:
        lines += labelled("About", ", ".join(answer.subjects), width)
    return lines + window_lines(answer.window, width, local_zone, source=answer.window_source)


def window_lines(window: TimeWindow, width: int, local_zone: tzinfo | None, *, source: WindowSource) -> list[str]:
    """Return the window in UTC, in local time (of the machine when ``local_zone`` is None) and where it came from."""
    lines = labelled("Window", f"{_span(window.start.astimezone(UTC), window.end.astimezone(UTC))} UTC", width)
    start, end = window.start.astimezone(local_zone), window.end.astimezone(local_zone)
    if not start.utcoffset() and not end.utcoffset():
        local = "local time is UTC"
    else:
        local = f"{_span(start, end)} local time ({_offset(start)})"
    return lines + labelled("", f"{local}; {_WINDOW_SOURCES[source]}", width)


def _span(start: datetime, end: datetime) -> str:
    same_day = start.date() == end.date()
    return f"{start:%Y-%m-%d %H:%M:%S} to {end:%H:%M:%S}" if same_day else f"{start:%Y-%m-%d %H:%M:%S} to {end:%Y-%m-%d %H:%M:%S}"


def _offset(moment: datetime) -> str:
    minutes = round((moment.utcoffset() or timedelta()).total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def coverage_lines(coverage: Coverage, width: int) -> list[str]:
    """Return what was checked and with which outcome, a line for each outcome that there is."""
    groups = [(words, getattr(coverage, name)) for name, words in _COVERAGE if getattr(coverage, name)]
    if not groups:
        return labelled("Checked:", "nothing; no call was made", width)
    labels = ["Checked:"] + [""] * (len(groups) - 1)
    lines: list[str] = []
    for label, (words, items) in zip(labels, groups, strict=True):
        separator = " " if words == "found in" else ": "
        lines += wrap(f"{words}{separator}{_calls(items)}", width, first=label.ljust(_LABEL), rest=" " * (_LABEL + 2))
    return lines


def _calls(items: tuple[CoverageItem, ...]) -> str:
    texts = [f"{item.ref} {item.text}".strip() for item in items[:_MOST_CALLS]]
    if len(items) > _MOST_CALLS:
        texts.append(f"and {len(items) - _MOST_CALLS} more")
    return "; ".join(texts)


def model_lines(answer: Answer, width: int) -> list[str]:
    """Return which language models were asked and what they took; nothing where none was."""
    if answer.usage is None:
        return []
    judge = None if answer.judge is None else f"second opinion by {answer.judge}"
    who = ", ".join(name for name in (answer.model, judge) if name) or "a language model"
    return labelled("Model:", f"{who}: {answer.usage.in_words()}", width)


def more_lines(session_id: str, ref_id: str | None, width: int) -> list[str]:
    """Return the commands that show what lies behind an answer."""
    name = short_id(session_id)
    lines = labelled("See more:", f"groundwire trace {name}", width)
    return lines + (labelled("", f"groundwire evidence {name} {ref_id}", width) if ref_id else [])
