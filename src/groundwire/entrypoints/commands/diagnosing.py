"""``demo`` and ``diagnose``: a question in, a checked answer out."""

from __future__ import annotations

from typing import Any

import click

from groundwire.entrypoints.inputs import cleaned_services, read_question, refuse_model_beside_replay, window_of
from groundwire.entrypoints.options import (
    DECISION_CODES,
    REPLAY_CODES,
    json_option,
    model_options,
    notes,
    opened_app,
    progress_option,
    source_options,
    store_options,
    window_options,
)
from groundwire.entrypoints.present import present_answer
from groundwire.entrypoints.progress import shown_progress
from groundwire.entrypoints.surface import Surroundings


@click.command(epilog=notes("groundwire demo", codes=DECISION_CODES))
@store_options
@json_option
@progress_option
@click.pass_obj
def demo(surroundings: Surroundings, /, *, as_json: bool, tell_progress: bool, **flags: Any) -> int:
    """Diagnose the incident that ships with Groundwire.

    Needs no sources, no server and no network. The session is recorded like any other.
    """
    with opened_app(surroundings, flags) as app, shown_progress(in_lines=tell_progress) as progress:
        answer = app.demo(progress)
    return present_answer(answer, as_json=as_json)


@click.command(
    epilog=notes('groundwire diagnose "Why is checkout failing?"', "--logs /var/log/shop --last 1h", codes=REPLAY_CODES)
)
@click.argument("question", required=False)
@click.option("--service", "services", multiple=True, metavar="NAME", help="Service that is asked about; can be repeated.")
@window_options
@model_options
@source_options
@json_option
@progress_option
@click.pass_obj
def diagnose(
    surroundings: Surroundings,
    /,
    *,
    question: str | None,
    services: tuple[str, ...],
    last: str | None,
    since: str | None,
    until: str | None,
    as_json: bool,
    tell_progress: bool,
    **flags: Any,
) -> int:
    """Answer a question about an incident from recorded evidence.

    QUESTION is read from stdin when it is left out or "-": a pasted alert or page will do. Without a window the time in the
    question, the alert or the newest record decides, and the answer says which.
    """
    refuse_model_beside_replay(flags["model"], flags["replay"])
    text, asked = read_question(question), cleaned_services(services)
    window = window_of(last=last, since=since, until=until, now=surroundings.now())
    with opened_app(surroundings, flags) as app, shown_progress(in_lines=tell_progress) as progress:
        answer = app.diagnose(text, services=asked, window=window, progress=progress)
    return present_answer(answer, as_json=as_json)
