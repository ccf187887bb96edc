"""Reads the parameters of a call and refuses what does not fit: no tool runs with guessed or empty ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from groundwire.domain.errors import InvalidParamsError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.times import format_instant, parse_instant

_LONGEST_TEXT = 2000


class Params:
    """The parameters of one call; null counts as not given.

    Raises:
        InvalidParamsError: A key is none of ``accepted``, or, from each method, the value does not fit: the message
            names the parameter, what was given and what is accepted.
    """

    def __init__(self, tool_name: str, params: Mapping[str, Any], accepted: tuple[str, ...]) -> None:
        unknown = sorted(str(key) for key in params if key not in accepted)
        if unknown:
            raise InvalidParamsError(f"{tool_name} has no parameter {', '.join(unknown)}; it takes {', '.join(accepted)}")
        self._params = params

    def text(self, name: str) -> str | None:
        """Return a stripped, non-empty text of at most 2,000 characters, or None."""
        value = self._params.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise InvalidParamsError(f"{name} takes text, not {_shown(value)}")
        if not value.strip():
            raise InvalidParamsError(f"{name} is empty; leave it out or say what to look for")
        if len(value) > _LONGEST_TEXT:
            raise InvalidParamsError(f"{name} takes at most {_LONGEST_TEXT} characters, not {len(value)}")
        return value.strip()

    def required_text(self, name: str) -> str:
        """Return a text as :meth:`text` does; it must be given."""
        value = self.text(name)
        if value is None:
            raise InvalidParamsError(f"{name} is required")
        return value

    def count(self, name: str, *, default: int, most: int) -> int:
        """Return a whole number from 1 to ``most``."""
        value = self._params.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise InvalidParamsError(f"{name} takes a whole number from 1 to {most}, not {_shown(value)}")
        return value

    def window(self, session_window: TimeWindow) -> TimeWindow:
        """Return the window of ``since`` and ``until``; each is the session's where not given, relative to its end."""
        since = self._instant("since", relative_to=session_window.end) or session_window.start
        until = self._instant("until", relative_to=session_window.end) or session_window.end
        if since >= until:
            raise InvalidParamsError(f"since ({format_instant(since)}) is not before until ({format_instant(until)})")
        return TimeWindow(start=since, end=until)

    def _instant(self, name: str, *, relative_to: datetime) -> datetime | None:
        text = self.text(name)
        if text is None:
            return None
        try:
            return parse_instant(text, relative_to=relative_to)
        except ValueError as exc:
            raise InvalidParamsError(f"{name}: {exc}") from exc


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
