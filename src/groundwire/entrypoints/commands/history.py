"""``sessions``, ``show``, ``trace``, ``evidence`` and ``explain``: what was recorded, read again."""

from __future__ import annotations

from typing import Any

import click

from groundwire.entrypoints.options import (
    DECISION_CODES,
    PLAIN_CODES,
    json_option,
    notes,
    opened_app,
    session_argument,
    store_options,
)
from groundwire.entrypoints.output import columns, emit, emit_json
from groundwire.entrypoints.present import present_answer
from groundwire.entrypoints.surface import Surroundings
from groundwire.rendering.reports_json import evidence_json, explanation_json, sessions_json, trace_json
from groundwire.rendering.reports_text import evidence_text, explanation_text, sessions_text
from groundwire.rendering.trace_text import trace_text


@click.command(epilog=notes("groundwire sessions --limit 5", codes=PLAIN_CODES))
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many at most.")
@store_options
@json_option
@click.pass_obj
def sessions(surroundings: Surroundings, /, *, limit: int, as_json: bool, **flags: Any) -> int:
    """List the recorded sessions, newest first."""
    with opened_app(surroundings, flags) as app:
        recorded = app.sessions(limit)
    if as_json:
        emit_json(sessions_json(recorded))
    else:
        emit(sessions_text(recorded, width=columns()))
    return 0


@click.command(epilog=notes("groundwire show last", codes=DECISION_CODES))
@session_argument
@store_options
@json_option
@click.pass_obj
def show(surroundings: Surroundings, /, *, session_id: str, as_json: bool, **flags: Any) -> int:
    """Show the answer of a session again.

    ID is a session, whole or shortened to its start or end (4 characters or more), or "last".
    """
    with opened_app(surroundings, flags) as app:
        answer = app.show(session_id)
    return present_answer(answer, as_json=as_json)


@click.command(epilog=notes("groundwire trace last", codes=PLAIN_CODES))
@session_argument
@store_options
@json_option
@click.pass_obj
def trace(surroundings: Surroundings, /, *, session_id: str, as_json: bool, **flags: Any) -> int:
    """Show every recorded call of a session with its refs.

    Failed, empty and repeated calls are there too. The draft is shown as what it is: unverified.
    """
    with opened_app(surroundings, flags) as app:
        recorded = app.trace(session_id)
    if as_json:
        emit_json(trace_json(recorded))
    else:
        emit(trace_text(recorded, width=columns()))
    return 0


@click.command(epilog=notes("groundwire evidence last i2.logs.3", codes=PLAIN_CODES))
@session_argument
@click.argument("ref", metavar="REF")
@store_options
@json_option
@click.pass_obj
def evidence(surroundings: Surroundings, /, *, session_id: str, ref: str, as_json: bool, **flags: Any) -> int:
    """Show the raw item that a ref stands for.

    REF is one entry (i2.logs.3), or a whole call (i2, i2.summary).
    """
    with opened_app(surroundings, flags) as app:
        item = app.evidence(session_id, ref)
    if as_json:
        emit_json(evidence_json(item))
    else:
        emit(evidence_text(item, width=columns()))
    return 0


@click.command(epilog=notes("groundwire explain last c2", codes=PLAIN_CODES))
@session_argument
@click.argument("claim", metavar="CLAIM")
@store_options
@json_option
@click.pass_obj
def explain(surroundings: Surroundings, /, *, session_id: str, claim: str, as_json: bool, **flags: Any) -> int:
    """Show how one claim was checked: facts, fields and values.

    CLAIM is the id of a claim (c2). It may be one that the answer does not show, and is shown as what it is: of the draft.
    """
    with opened_app(surroundings, flags) as app:
        explanation = app.explain(session_id, claim)
    if as_json:
        emit_json(explanation_json(explanation))
    else:
        emit(explanation_text(explanation, width=columns()))
    return 0
