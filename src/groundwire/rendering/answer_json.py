"""An answer as one JSON object: the same claims as the text shows, and no more."""

from __future__ import annotations

from typing import Any

from groundwire.domain.answer import Answer, ShownClaim
from groundwire.domain.names import Decision
from groundwire.rendering.answer_text import render_text, shown_claims
from groundwire.rendering.json_text import plain


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the object that ``diagnose``, ``demo`` and ``show`` print; ``final_output`` is the text at 80 columns.

    Under REJECT, counts, notes and what is missing are empty, for they depend on the withheld draft.
    """
    is_rejected = answer.decision is Decision.REJECT
    fields = {
        "session_id": answer.session_id,
        "question": answer.question,
        "question_kind": answer.question_kind,
        "subjects": answer.subjects,
        "decision": answer.decision,
        "degraded_reason": answer.degraded_reason,
        "final_output": render_text(answer),
        "claims": [_claim(shown) for shown in shown_claims(answer)],
        "evidence": [item.to_json() for item in answer.evidence],
        "coverage": answer.coverage.to_json(),
        "window": {**answer.window.to_json(), "source": answer.window_source},
        "hidden_count": None if is_rejected else answer.hidden_count,
        "held_count": None if is_rejected else answer.held_count,
        "checked_count": None if is_rejected else answer.checked_count,
        "missing": () if is_rejected else answer.missing,
        "next_steps": answer.next_steps,
        "notes": () if is_rejected else answer.notes,
        "limit": answer.limit,
        "step_count": answer.step_count,
        "tool_call_count": answer.tool_call_count,
        "model": answer.model,
        "judge": answer.judge,
        "usage": None if answer.usage is None else answer.usage.to_json(),
        "replay_difference": answer.replay_difference,
    }
    rendered: dict[str, Any] = plain(fields)
    return rendered


def _claim(shown: ShownClaim) -> dict[str, Any]:
    claim = shown.claim
    return {
        "id": claim.id,
        "text": claim.text,
        "kind": claim.kind,
        "role": claim.role,
        "verdict": shown.verdict,
        "reason": shown.reason,
        "refs": list(claim.refs),
    }
