"""Shows an answer and returns the exit code that its decision has."""

from __future__ import annotations

from groundwire.domain.answer import Answer
from groundwire.entrypoints.errors import OF_DECISION
from groundwire.entrypoints.output import columns, emit_decision, emit_json
from groundwire.rendering import answer_json, render_text


def present_answer(answer: Answer, *, as_json: bool) -> int:
    """Write an answer to stdout."""
    if as_json:
        emit_json(answer_json(answer))
    else:
        emit_decision(render_text(answer, width=columns()), answer.decision)
    return OF_DECISION[answer.decision]
