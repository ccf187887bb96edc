"""What a person gives: a question, a window, parameters, a draft; refused in one sentence where it cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from groundwire.domain.errors import UsageError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.times import parse_duration, parse_instant

_LONGEST_QUESTION: Final = 100_000
_LONGEST_DRAFT: Final = 5_000_000
_STDIN: Final = "-"


def read_question(given: str | None) -> str:
    """Return the question as given, or from stdin when it is ``-`` or not given and stdin is no terminal.

    Raises:
        UsageError: There is none, or it has more than 100,000 characters.
    """
    hint = 'Write it in quotes: groundwire diagnose "Why is checkout failing?", or pipe it in.'
    if given is None and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("there is no question", hint=hint)
    text = _read_stdin(_LONGEST_QUESTION, "question") if given in (None, _STDIN) else str(given)
    if len(text) > _LONGEST_QUESTION:
        raise UsageError(f"the question has {len(text):,} characters; at most {_LONGEST_QUESTION:,} are taken")
    if not text.strip():
        raise UsageError("the question is empty", hint=hint)
    return make_storable(text.strip())


def read_draft(source: str) -> str:
    """Return a draft from a file, or from stdin when ``source`` is ``-``.

    Raises:
        UsageError: It cannot be read, is empty, or is longer than 5 MB.
    """
    if source == _STDIN:
        text = _read_stdin(_LONGEST_DRAFT, "draft")
    else:
        try:
            with Path(source).expanduser().open("rb") as file:
                text = _decoded(file.read(_LONGEST_DRAFT + 1), "draft", _LONGEST_DRAFT)
        except (OSError, ValueError) as exc:
            reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
            raise UsageError(f"cannot read the draft from {source!r}: {reason}") from exc
    if not text.strip():
        raise UsageError("the draft is empty", hint="It is JSON with claims, or Markdown that cites refs like [i2.logs.3].")
    return make_storable(text)


def window_of(*, last: str | None, since: str | None, until: str | None, now: datetime) -> TimeWindow | None:
    """Return the window that the flags give, or None when they give none; relative times count from ``now``.

    Raises:
        UsageError: Two of them contradict each other, or one is no time.
    """
    if last is not None and (since is not None or until is not None):
        other = "--since" if since is not None else "--until"
        raise UsageError(f"--last and {other} are two windows that contradict each other", hint="Give one of them.")
    if until is not None and since is None:
        raise UsageError("--until needs --since: a window has a start", hint="Give --since too, or --last 30m alone.")
    if last is None and since is None:
        return None
    end = _instant("--until", until, now) if until is not None else now
    try:
        start = now - parse_duration(last) if last is not None else _instant("--since", str(since), now)
    except ValueError as exc:
        raise UsageError(f"--last: {exc}") from exc
    try:
        return TimeWindow(start=start, end=end)
    except ValueError as exc:
        raise UsageError(f"--since is not before --until: {exc}") from exc


def cleaned_services(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the services without blanks around them and without repeats.

    Raises:
        UsageError: One of them is empty.
    """
    services = tuple(dict.fromkeys(make_storable(service.strip()) for service in given))
    if "" in services:
        raise UsageError("--service is empty; name a service, or leave it out to look at all of them")
    return services


def refuse_model_beside_replay(model: str | None, replay: str | None) -> None:
    """Refuse two flags of which one would be ignored; a model in the settings is no such flag.

    Raises:
        UsageError: Both are given.
    """
    if model is not None and replay is not None:
        raise UsageError("--model and --replay contradict each other", hint="A replay asks no model: leave one of them out.")


def _instant(flag: str, text: str, now: datetime) -> datetime:
    try:
        return parse_instant(text, relative_to=now)
    except ValueError as exc:
        raise UsageError(f"{flag}: {exc}") from exc


def _read_stdin(longest: int, noun: str) -> str:
    if sys.stdin is None:
        raise UsageError(f"cannot read the {noun} from stdin: it is closed")
    return _decoded(sys.stdin.buffer.read(longest * 4 + 1), noun, longest * 4)


def _decoded(raw: bytes, noun: str, longest: int) -> str:
    if len(raw) > longest:
        raise UsageError(f"the {noun} is longer than {longest:,} bytes")
    return raw.decode("utf-8-sig", errors="replace")


def _refuse_constant(name: str) -> Mapping[str, Any]:
    raise ValueError(f"{name} is no number of JSON")


def _shown(text: str) -> str:
    shown = mask_text(text)
    return repr(shown if len(shown) <= 60 else shown[:57] + "...")
