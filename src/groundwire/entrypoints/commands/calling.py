"""``call``: one tool call by hand, recorded like every other."""

from __future__ import annotations

from typing import Any

import click

from groundwire.domain.errors import UsageError
from groundwire.entrypoints.inputs import window_of
from groundwire.entrypoints.options import (
    json_option,
    notes,
    opened_app,
    source_options,
    window_options,
)
from groundwire.entrypoints.output import columns, emit, emit_json
from groundwire.entrypoints.surface import Surroundings
from groundwire.rendering.reports_json import call_json
from groundwire.rendering.reports_text import call_text

_EXAMPLE = """groundwire call query_logs --params '{"service": "checkout"}'"""
_CODES = "0 a row was written, 1 failure, 2 usage, 130 interrupted."


@click.command(epilog=notes(_EXAMPLE, "--logs /var/log/shop", codes=_CODES))
@click.argument("tool", metavar="TOOL")
@click.option("--params", metavar="JSON", default="{}", show_default=True, help="The parameters, as a JSON object.")
@click.option("--session", "session_id", metavar="ID", help="Record it in this session; a new one is opened otherwise.")
@window_options
@source_options
@json_option
@click.pass_obj
def call(
    surroundings: Surroundings,
    /,
    *,
    tool: str,
    params: str,
    session_id: str | None,
    last: str | None,
    since: str | None,
    until: str | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Make one recorded tool call by hand.

    TOOL is query_logs, query_metrics or lookup_knowledge. Parameters that do not fit are recorded as such, and nothing is
    asked. A window is that of the session which the call opens.
    """
    window = window_of(last=last, since=since, until=until, now=surroundings.now())
    if window is not None and session_id is not None:
        raise UsageError(
            "a session has a window already; --session takes neither --last nor --since",
            hint='Narrow the call instead: --params \'{"since": "-10m"}\'.',
        )
    with opened_app(surroundings, flags) as app:
        report = app.call(tool, params, session_id=session_id, window=window)
    if as_json:
        emit_json(call_json(report))
    else:
        emit(call_text(report, width=columns()))
    return 0
