"""The commands by name with their short helps, and the front page: known without loading any of them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Listing(NamedTuple):
    """A command: ``module`` below ``groundwire.entrypoints.commands`` holds it under its own name."""

    name: str
    module: str
    short_help: str


COMMANDS: Final = (
    Listing("demo", "diagnosing", "Diagnose the incident that ships with Groundwire."),
    Listing("diagnose", "diagnosing", "Answer a question about an incident from recorded evidence."),
    Listing("sessions", "history", "List the recorded sessions, newest first."),
    Listing("show", "history", "Show the answer of a session again."),
    Listing("trace", "history", "Show every recorded call of a session with its refs."),
    Listing("evidence", "history", "Show the raw item that a ref stands for."),
    Listing("explain", "history", "Show how one claim was checked: facts, fields and values."),
    Listing("audit", "checking", "Check that a session is as it was recorded."),
    Listing("replay", "checking", "Decide again from the stored outputs and compare."),
    Listing("verify", "checking", "Hold an answer written elsewhere against a session's evidence."),
    Listing("call", "calling", "Make one recorded tool call by hand."),
    Listing("doctor", "checking", "Check the settings, the store, every source and every model."),
)

_WIDTH: Final = max(len(listing.name) for listing in COMMANDS)


def front_page() -> str:
    """Return what ``groundwire --help`` says, in at most 80 columns."""
    listed = "\n".join(f"  {listing.name.ljust(_WIDTH)}  {listing.short_help}" for listing in COMMANDS)
    return _PAGE.format(commands=listed)


_PAGE: Final = """\
Usage: groundwire [OPTIONS] COMMAND [ARGS]...

  Diagnose an incident from logs, alerts and runbooks. Every statement is
  checked against recorded evidence, and what cannot be checked is not shown.

  groundwire demo
  groundwire diagnose "Why is checkout failing?" --logs /var/log/shop

Options:
  --debug     Show a traceback when something unexpected happens.
  --version   Show the version and exit.
  -h, --help  Show this page and exit.

Commands:
{commands}

Each command takes --json, and --help shows its options with an example.
A session id can be shortened, and "last" is the newest.

Exit codes: 0 PASS or done, 3 LOW_CONFID, 4 REJECT, 5 fault or difference,
1 failure, 2 usage, 130 interrupted.
"""
