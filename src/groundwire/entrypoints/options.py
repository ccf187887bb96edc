"""Options that several commands share, each declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from groundwire.entrypoints.surface import App, Surroundings

_Command = TypeVar("_Command", bound=Callable[..., Any])

DECISION_CODES: Final = "0 PASS, 3 LOW_CONFID, 4 REJECT, 1 failure, 2 usage, 130 interrupted."
REPLAY_CODES: Final = "0 PASS, 3 LOW_CONFID, 4 REJECT, 5 --replay differs, 1 failure,\n  2 usage, 130 interrupted."
PLAIN_CODES: Final = "0 done, 1 failure, 2 usage, 130 interrupted."
CHECK_CODES: Final = "0 as recorded, 5 fault or difference, 1 failure, 2 usage, 130 interrupted."

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
progress_option = click.option(
    "--progress", "tell_progress", is_flag=True, help="Tell the progress in lines on stderr, also without a terminal."
)
session_argument = click.argument("session_id", metavar="ID")

_STORE = (
    click.option("--db", metavar="PATH|URL", help="Where sessions are kept: a file, or a database URL."),
    click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings file instead of ./groundwire.toml."),
)
_SOURCES = (
    click.option(
        "--logs", multiple=True, metavar="DIR|URL", help="Folder or file of logs, log server, journald, or demo; can be repeated."
    ),
    click.option("--alerts", multiple=True, metavar="FILE|URL", help="Saved alerts, alert URL, or demo; can be repeated."),
    click.option("--metrics", multiple=True, metavar="URL", help="Prometheus; can be repeated."),
    click.option("--runbooks", multiple=True, metavar="DIR", help="Folder of Markdown, or demo; can be repeated."),
    click.option("--timezone", metavar="ZONE", help="Zone of log times that name none, such as Europe/Berlin."),
)
_MODEL = (
    click.option("--model", metavar="SPEC", help="Investigate with openai:NAME, anthropic:NAME or openai-compatible:NAME@URL."),
    click.option("--record", metavar="FILE", help="Write what the model is asked and answers to a file."),
    click.option("--replay", metavar="FILE", help="Let such a file answer in the model's place."),
)
_WINDOW = (
    click.option("--last", metavar="DURATION", help="Look at the time until now, such as 30m, 1h30m or 2d."),
    click.option("--since", metavar="TIME", help="Start: ISO 8601 (UTC without a zone), epoch seconds, or -30m."),
    click.option("--until", metavar="TIME", help="End, written like --since; now when left out."),
)


def _all_of(options: tuple[Callable[[Any], Any], ...]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


store_options = _all_of(_STORE)
"""Where sessions are kept, and the settings file."""

source_options = _all_of((*_SOURCES, *_STORE))
"""What to look at, and the store options."""

model_options = _all_of(_MODEL)
"""The language model that investigates, and its recording."""

window_options = _all_of(_WINDOW)
"""The span of time to look at."""


def notes(*example: str, codes: str) -> str:
    """Return the end of a command's help: an example, a line for each part of it, and the exit codes."""
    lines = " \\\n    ".join(example)
    return f"\b\nExample:\n  {lines}\n\n\b\nExit codes:\n  {codes}"


@contextmanager
def opened_app(surroundings: Surroundings, flags: dict[str, Any]) -> Iterator[App]:
    """Give the application that the flags, the environment and the settings file describe; it is closed afterwards."""
    from groundwire.settings import load_settings

    config = flags.pop("config", None)
    app = surroundings.build_app(load_settings(flags, config=config))
    try:
        yield app
    finally:
        app.close()
