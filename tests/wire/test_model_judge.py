"""A model as the second opinion, over the wire: each way that it can answer, and the row that it leaves."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

from pathlib import Path

import pytest

from groundwire.bootstrap import build
from groundwire.domain.names import StepKind, StepRole
from groundwire.settings import load_settings
from tests.unit.sessions import Silent
from tests.wire import script
from tests.wire.script import Turn
from tests.wire.server import WireServer

KEY = "sk-wire-0123456789abcdef"
WHY = "Why are requests to order-service failing?"
PASS = '{"decision": "PASS", "claims": [], "missing_evidence": []}'
CASES: dict[str, tuple[Turn, tuple[str, str | None]]] = {
    "passes": (script.text(PASS), ("PASS", None)),
    "fenced": (script.text(f"My opinion:\n```json\n{PASS}\n```"), ("PASS", None)),
    "lowers": (script.text(PASS.replace("PASS", "LOW_CONFID")), ("LOW_CONFID", "judge_low_confidence")),
    "rejects": (script.text(PASS.replace("PASS", "REJECT")), ("REJECT", "judge_rejected")),
    "is unreachable": (script.error(503, "overloaded"), ("LOW_CONFID", "verifier_unavailable")),
    "drops the line": (script.drop(), ("LOW_CONFID", "verifier_unavailable")),
    "is rate-limited": (script.error(429, "slow down", headers={"Retry-After": "60"}), ("LOW_CONFID", "verifier_unavailable")),
    "refuses the key": (script.error(401, "bad key"), ("LOW_CONFID", "verifier_unavailable")),
    "times out": (script.hang(4, script.text(PASS)), ("LOW_CONFID", "verifier_unavailable")),
    "stops at its length limit": (script.cut(PASS[:30]), ("LOW_CONFID", "verifier_invalid_json")),
    "answers in prose": (script.text("It all looks right to me."), ("LOW_CONFID", "verifier_invalid_json")),
    "invents a decision": (script.text('{"decision": "SURE"}'), ("LOW_CONFID", "verifier_invalid_schema")),
    "refuses": (script.refusal("I cannot judge this."), ("LOW_CONFID", "verifier_missing")),
    "is filtered away": (script.filtered(), ("LOW_CONFID", "verifier_missing")),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_each_way_a_judge_answers_has_its_decision_and_its_row(
    server: WireServer, tmp_path: Path, provider: str, case: str
) -> None:
    turn, expected = CASES[case]
    server.play(KEY, [turn] * 6)
    environ = {"GROUNDWIRE_JUDGE_API_KEY": KEY, "GROUNDWIRE_JUDGE_BASE_URL": server.url, "GROUNDWIRE_JUDGE_TIMEOUT_S": "2"}
    sources = {"db": str(tmp_path / "gw.db"), "logs": ("demo",), "alerts": ("demo",), "runbooks": ("demo",)}
    app = build(load_settings({**sources, "judge_model": f"{provider}:m"}, environ=environ))
    try:
        answer = app.diagnose(WHY, services=(), window=None, progress=Silent())
        trace = app.trace(answer.session_id)
    finally:
        app.close()
    assert (answer.decision, answer.degraded_reason) == expected
    (evaluation,) = trace.evaluations
    assert (evaluation.decision, evaluation.degraded_reason) == expected
    assert evaluation.grounding["judge"] == f"model:{provider}:m"
    assert KEY not in repr(trace)


@pytest.mark.parametrize("case", ["passes", "is unreachable", "refuses the key"])
def test_a_judge_asked_about_an_answer_from_elsewhere_leaves_a_step_and_the_session_as_it_was(
    server: WireServer, tmp_path: Path, case: str
) -> None:
    server.play(KEY, [CASES[case][0]] * 2)
    environ = {"GROUNDWIRE_JUDGE_API_KEY": KEY, "GROUNDWIRE_JUDGE_BASE_URL": server.url, "GROUNDWIRE_JUDGE_TIMEOUT_S": "2"}
    sources = {"db": str(tmp_path / "gw.db"), "logs": ("demo",), "alerts": ("demo",), "runbooks": ("demo",)}
    plain = build(load_settings(sources, environ={}))
    judged = build(load_settings({**sources, "judge_model": "openai:m"}, environ=environ))
    try:
        before = plain.diagnose(WHY, services=(), window=None, progress=Silent())
        judged.verify(before.session_id, "Nothing is wrong [i1].")
        trace = plain.trace(before.session_id)
        assert [step.kind for step in trace.steps if step.role is StepRole.VERIFIER] == [StepKind.HELPER]
        assert trace.session.step_count == before.step_count
        assert plain.show(before.session_id).decision == before.decision
        assert plain.audit(before.session_id).faults == ()
    finally:
        plain.close()
        judged.close()
