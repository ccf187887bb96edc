"""``audit``, ``replay``, ``verify`` and ``doctor``: whether what is recorded, claimed or configured holds."""

from __future__ import annotations

from typing import Any

import click

from groundwire.entrypoints.errors import FAILURE, FAULT, OF_DECISION
from groundwire.entrypoints.inputs import read_draft
from groundwire.entrypoints.options import (
    CHECK_CODES,
    DECISION_CODES,
    PLAIN_CODES,
    json_option,
    notes,
    opened_app,
    session_argument,
    source_options,
    store_options,
)
from groundwire.entrypoints.output import columns, emit, emit_decision, emit_json
from groundwire.entrypoints.surface import Surroundings
from groundwire.rendering.reports_json import audit_json, doctor_json, replay_json, verify_json
from groundwire.rendering.reports_text import audit_text, doctor_text, replay_text, verify_text


@click.command(epilog=notes("groundwire audit last", codes=CHECK_CODES))
@session_argument
@store_options
@json_option
@click.pass_obj
def audit(surroundings: Surroundings, /, *, session_id: str, as_json: bool, **flags: Any) -> int:
    """Check that a session is as it was recorded.

    The chain of row hashes, the stored outputs, the counts, and every ref.
    """
    with opened_app(surroundings, flags) as app:
        report = app.audit(session_id)
    if as_json:
        emit_json(audit_json(report))
    else:
        emit(audit_text(report, width=columns()))
    return 0 if report.ok else FAULT


@click.command(epilog=notes("groundwire replay last", codes=CHECK_CODES))
@session_argument
@store_options
@json_option
@click.pass_obj
def replay(surroundings: Surroundings, /, *, session_id: str, as_json: bool, **flags: Any) -> int:
    """Decide again from the stored outputs and compare.

    No source is asked: the summary and the checks are made again from what is stored.
    """
    with opened_app(surroundings, flags) as app:
        report = app.replay(session_id)
    if as_json:
        emit_json(replay_json(report))
    else:
        emit(replay_text(report, width=columns()))
    return 0 if report.same else FAULT


@click.command(epilog=notes("groundwire verify last --draft answer.md", codes=DECISION_CODES))
@session_argument
@click.option("--draft", required=True, metavar="FILE|-", help='JSON with "claims", or Markdown that cites [i2.logs.3].')
@store_options
@json_option
@click.pass_obj
def verify(surroundings: Surroundings, /, *, session_id: str, draft: str, as_json: bool, **flags: Any) -> int:
    """Hold an answer written elsewhere against a session's evidence.

    An evaluation is added to the session; its own decision stays as it is.
    """
    text = read_draft(draft)
    with opened_app(surroundings, flags) as app:
        report = app.verify(session_id, text)
    if as_json:
        emit_json(verify_json(report))
    else:
        emit_decision(verify_text(report, width=columns()), report.decision)
    return OF_DECISION[report.decision]


@click.command(epilog=notes("groundwire doctor --logs /var/log/shop", codes=PLAIN_CODES))
@source_options
@json_option
@click.pass_obj
def doctor(surroundings: Surroundings, /, *, as_json: bool, **flags: Any) -> int:
    """Check the settings, the store, every source and every model.

    Fails when one of the checks does.
    """
    with opened_app(surroundings, flags) as app:
        report = app.doctor()
    if as_json:
        emit_json(doctor_json(report))
    else:
        emit(doctor_text(report, width=columns()))
    return 0 if report.ok else FAILURE
