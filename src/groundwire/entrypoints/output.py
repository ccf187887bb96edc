"""Results on stdout: text as wide as the terminal, or one JSON object; nothing else is ever written there."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from groundwire.domain.errors import GroundwireError
from groundwire.domain.names import Decision
from groundwire.rendering.json_text import json_text

_WIDEST: Final = 100
_COLOURS: Final[Mapping[Decision, str]] = {Decision.PASS: "green", Decision.LOW_CONFID: "yellow", Decision.REJECT: "red"}


def columns() -> int:
    """Return how wide a text may be: the terminal's width and at most 100, or 80 where there is no terminal."""
    return min(shutil.get_terminal_size(fallback=(80, 24)).columns, _WIDEST)


def emit_json(value: Mapping[str, Any]) -> None:
    """Write one JSON object."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    emit(json_text(value, ascii_only=encoding != "utf8"))


def emit_decision(text: str, decision: Decision) -> None:
    """Write a text that begins with a decision; that word is coloured on a terminal that welcomes colour."""
    from groundwire.settings import wants_colour

    if sys.stdout is not None and sys.stdout.isatty() and wants_colour():
        text = click.style(decision.value, fg=_COLOURS[decision], bold=True) + text.removeprefix(decision.value)
    emit(text)


def emit(text: str) -> None:
    """Write a text and a newline; a reader that has seen enough and went away is no error.

    Raises:
        GroundwireError: stdout cannot be written.
    """
    if sys.stdout is None:
        raise GroundwireError("cannot write the result: stdout is closed")
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_the_rest()
    except OSError as exc:
        _discard_the_rest()
        raise GroundwireError(f"cannot write the result: {exc.strerror or exc}") from exc


def _discard_the_rest() -> None:
    """Lead stdout nowhere, so that the interpreter's own flush at the end does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
