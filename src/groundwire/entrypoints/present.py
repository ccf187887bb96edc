"""Shows an answer and returns the exit code of its decision, or that of a replay that left its recording."""

from __future__ import annotations

from groundwire.domain.answer import Answer
from groundwire.entrypoints.errors import FAULT, OF_DECISION, report_difference
from groundwire.entrypoints.output import columns, emit_decision, emit_json
from groundwire.rendering import answer_json, render_text


def present_answer(answer: Answer, *, as_json: bool) -> int:
    """Write an answer to stdout, and to stderr where its replay left the recording."""
    if as_json:
        emit_json(answer_json(answer))
    else:
        emit_decision(render_text(answer, width=columns()), answer.decision)
    if answer.replay_difference is None:
        return OF_DECISION[answer.decision]
    report_difference(answer.replay_difference, as_json=as_json)
    return FAULT
