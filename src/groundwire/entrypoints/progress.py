"""Progress on stderr: a spinner on a terminal, lines where they are asked for, nothing otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.ports import Progress
from groundwire.rendering.layout import shorten

if TYPE_CHECKING:
    from rich.status import Status

_COLUMNS = 70


class SilentProgress:
    """Says nothing."""

    def update(self, text: str) -> None:
        return


class LineProgress:
    """Writes a line for each step."""

    def update(self, text: str) -> None:
        sys.stderr.write(f"groundwire: {shorten(text, _COLUMNS)}\n")
        sys.stderr.flush()


class SpinnerProgress:
    """Turns a spinner beside the current step."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def update(self, text: str) -> None:
        from rich.text import Text

        self._status.update(Text(shorten(text, _COLUMNS)))  # as text: what stands in brackets is no markup


@contextmanager
def shown_progress(*, in_lines: bool) -> Iterator[Progress]:
    """Give a progress that fits where stderr leads; what it drew is gone afterwards."""
    if in_lines:
        yield LineProgress()
    elif not sys.stderr.isatty():
        yield SilentProgress()
    else:
        from rich.console import Console

        with Console(stderr=True).status("Starting") as status:
            yield SpinnerProgress(status)
