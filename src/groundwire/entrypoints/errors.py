"""Exit codes, and errors as people and programs read them: one sentence on stderr, or one JSON object on stdout."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final

import click

from groundwire.domain.errors import GroundwireError, Interruption, UsageError
from groundwire.domain.names import Decision
from groundwire.domain.visible import visible
from groundwire.entrypoints.output import emit_json

FAILURE: Final = 1
USAGE: Final = 2
FAULT: Final = 5
INTERRUPTED: Final = 130
OF_DECISION: Final[Mapping[Decision, int]] = {Decision.PASS: 0, Decision.LOW_CONFID: 3, Decision.REJECT: 4}

_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")


def wants_json(words: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON, also one that does not parse."""
    ours = words[: words.index("--")] if "--" in words else words
    return "--json" in ours


def report(error: GroundwireError, *, as_json: bool) -> int:
    """Report an error raised on purpose and return its exit code; its type is its class in the words of JSON."""
    name = _WORD.sub("_", type(error).__name__.removesuffix("Error")).lower()
    _say(name, error.message, error.hint, as_json=as_json)
    return USAGE if isinstance(error, UsageError) else FAILURE


def report_usage(error: click.ClickException, *, as_json: bool) -> int:
    """Report a command line that does not parse, and how to see what does."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    path = ctx.command_path if ctx is not None else "groundwire"
    _say("usage", error.format_message(), f"See: {path} --help", as_json=as_json)
    return USAGE if isinstance(error, click.UsageError) else FAILURE


def report_interrupted(cause: BaseException | None, *, as_json: bool) -> int:
    """Report that a person ended the run, and where to see what it left behind, as far as ``cause`` says so."""
    message, hint = "interrupted; what was recorded until then is kept", None
    if isinstance(cause, Interruption) and cause.session_id is None:
        message = "interrupted before a session was opened; nothing was recorded"
    elif isinstance(cause, Interruption):
        from groundwire.rendering.header import short_id

        hint = f"See it with: groundwire trace {short_id(str(cause.session_id))}"
    _say("interrupted", message, hint, as_json=as_json)
    return INTERRUPTED


def report_difference(what: str, *, as_json: bool) -> None:
    """Report that a replay left its recording; JSON says it in the answer."""
    if not as_json:
        _say("replay", what, "Record again with --record, or replay over what the recording was made of.", as_json=False)


def report_unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report what nobody expected; an exception hook, after which the interpreter exits with 1."""
    _say_unexpected(kind, error, as_json=False)


def report_unexpected_as_json(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report what nobody expected as JSON; an exception hook."""
    _say_unexpected(kind, error, as_json=True)


def _say_unexpected(kind: type[BaseException], error: BaseException, *, as_json: bool) -> None:
    if issubclass(kind, KeyboardInterrupt):
        report_interrupted(error, as_json=as_json)
        return
    hint = "This is a fault of Groundwire. Run it again as: groundwire --debug ..., to see where it happened."
    _say("internal", f"something unexpected happened: {kind.__name__}: {error}", hint, as_json=as_json)


def _say(name: str, message: str, hint: str | None, *, as_json: bool) -> None:
    if as_json:
        emit_json({"error": {"type": name, "message": message, "hint": hint}})
        return
    text = message if not hint else f"{visible(message)}\n{visible(hint)}"
    sys.stderr.write(f"groundwire: {text if hint else visible(message)}\n")
