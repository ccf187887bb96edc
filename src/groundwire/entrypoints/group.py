"""The command group: loads the module of a command when it is invoked, and turns every error into one sentence."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from groundwire import __version__
from groundwire.domain.errors import GroundwireError
from groundwire.entrypoints import errors
from groundwire.entrypoints.catalogue import COMMANDS, front_page
from groundwire.entrypoints.surface import Surroundings

_MODULES: Final = {listing.name: listing.module for listing in COMMANDS}


class LazyGroup(click.Group):
    """A group that knows the names of its commands and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        module = importlib.import_module(f"groundwire.entrypoints.commands.{_MODULES[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def get_help(self, ctx: click.Context) -> str:
        return front_page().rstrip("\n")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="groundwire", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, envvar="GROUNDWIRE_DEBUG", help="Show a traceback when something unexpected happens.")
def groundwire(*, debug: bool) -> None:
    """Diagnose an incident; see the front page."""
    if debug:
        sys.excepthook = sys.__excepthook__


def main(words: Sequence[str], surroundings: Surroundings | None = None) -> int:
    """Run a command and return its exit code; whatever goes wrong on purpose is reported as one sentence.

    What nobody expected goes to ``sys.excepthook``, which reports it as one sentence too unless ``--debug`` is given.
    """
    as_json = errors.wants_json(words)
    _take_any_text()
    sys.excepthook = errors.report_unexpected_as_json if as_json else errors.report_unexpected
    try:
        outcome: Any = groundwire.main(
            args=list(words), prog_name="groundwire", standalone_mode=False, obj=surroundings or Surroundings()
        )
    except GroundwireError as exc:
        return errors.report(exc, as_json=as_json)
    except click.exceptions.NoArgsIsHelpError as exc:
        exc.show()
        return errors.USAGE
    except click.ClickException as exc:
        return errors.report_usage(exc, as_json=as_json)
    except click.Abort as exc:
        return errors.report_interrupted(exc.__cause__, as_json=as_json)
    return outcome if isinstance(outcome, int) else 0


def _take_any_text() -> None:
    """Let stdout and stderr write what their encoding cannot, as escapes: no character ends a run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
