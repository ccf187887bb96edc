"""A whole diagnosis with a model over the wire, recorded, and replayed without a server, a key or the SDKs' client."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

import json
from pathlib import Path

import pytest

from groundwire.bootstrap import build
from groundwire.domain.names import Decision, DegradedReason, StepKind, StepRole
from groundwire.domain.reports import Trace
from groundwire.settings import Settings, load_settings
from tests.scenarios.shop_turns import COUNTED, EXHAUSTED, FIRING
from tests.unit.sessions import Silent
from tests.wire import script
from tests.wire.server import WireServer

KEY = "sk-wire-0123456789abcdef"
JUDGE_KEY = "sk-wire-judge-0123456789"
PASSED = '{"decision": "PASS", "claims": [], "missing_evidence": []}'
JUDGED = script.text(PASSED.replace("PASS", "LOW_CONFID"))
WHY = "Why are requests to order-service failing?"
TURNS = (
    script.tool_calls([("query_metrics", {"service": "order-service"})]),
    script.tool_calls([("query_logs", {"service": "order-service", "level": "error", "limit": 100})]),
    script.tool_calls([("submit_draft", {"claims": [FIRING, COUNTED, EXHAUSTED]})]),
)


def settings_for(folder: Path, environ: dict[str, str], **more: str) -> Settings:
    sources = {"db": str(folder / "gw.db"), "logs": ("demo",), "alerts": ("demo",), "runbooks": ("demo",)}
    return load_settings(sources | more, environ=environ)


def diagnosed(settings: Settings) -> Trace:
    app = build(settings)
    try:
        answer = app.diagnose(WHY, services=(), window=None, progress=Silent())
        return app.trace(answer.session_id)
    finally:
        app.close()


@pytest.mark.parametrize("provider", ["openai", "anthropic", "openai-compatible"])
def test_a_model_over_the_wire_makes_a_confirmed_diagnosis_that_replays(
    server: WireServer, tmp_path: Path, provider: str
) -> None:
    server.play(KEY, TURNS)
    file = tmp_path / "model.jsonl"
    environ = {"GROUNDWIRE_MODEL_API_KEY": KEY, "GROUNDWIRE_MODEL_BASE_URL": server.url}
    live = diagnosed(settings_for(tmp_path, environ, model=f"{provider}:m", record=str(file)))
    asked = len(server.requests)
    replayed = diagnosed(settings_for(tmp_path, {}, replay=str(file)))

    for trace in (live, replayed):
        assert (trace.session.decision, trace.session.degraded_reason) == (Decision.PASS, None)
        assert (trace.session.model, trace.session.investigator) == (f"{provider}:m", "model")
        assert [step.input_tokens for step in trace.steps if step.kind is StepKind.MODEL] == [100] * 3
    assert asked == len(server.requests) == 3
    assert server.faults == []
    assert KEY not in file.read_text(encoding="utf-8") + json.dumps([str(step) for step in live.steps])
    assert KEY.encode() not in (tmp_path / "gw.db").read_bytes()


def test_a_replay_of_another_question_or_of_a_cut_recording_is_a_difference(server: WireServer, tmp_path: Path) -> None:
    server.play(KEY, TURNS)
    file = tmp_path / "model.jsonl"
    environ = {"GROUNDWIRE_MODEL_API_KEY": KEY, "GROUNDWIRE_MODEL_BASE_URL": server.url}
    diagnosed(settings_for(tmp_path, environ, model="openai:m", record=str(file)))

    def difference(question: str = WHY) -> str | None:
        app = build(settings_for(tmp_path, {}, replay=str(file)))
        try:
            return app.diagnose(question, services=(), window=None, progress=Silent()).replay_difference
        finally:
            app.close()

    assert difference() is None
    other = difference("Why is order-service failing?")
    assert other == "the replay of 'model.jsonl': request 1 differs: message 2, of the user, is not the recorded one"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:-1]), encoding="utf-8")
    assert difference() == "the replay of 'model.jsonl': the recording ends after 2 requests, and this is request 3"
    file.write_text("".join([*lines, lines[-1]]), encoding="utf-8")
    assert difference() == "the replay of 'model.jsonl': of 4 recorded requests only 3 were made"


def test_a_refused_key_is_a_step_in_the_providers_words_and_no_diagnosis(server: WireServer, tmp_path: Path) -> None:
    server.play(KEY, [script.error(401, f"Incorrect API key provided: {KEY}")] * 9)
    environ = {"OPENAI_API_KEY": KEY, "GROUNDWIRE_MODEL_BASE_URL": server.openai_url}
    trace = diagnosed(settings_for(tmp_path, environ, model="openai:m"))

    assert trace.session.decision is Decision.LOW_CONFID
    said = " ".join(step.error_message or "" for step in trace.steps)
    assert "HTTP 401: Incorrect API key provided: [masked:" in said
    assert KEY not in str(trace)


def test_the_limits_of_the_settings_hold_and_money_is_counted_from_the_servers_tokens(server: WireServer, tmp_path: Path) -> None:
    server.play(KEY, TURNS)
    environ = {
        "GROUNDWIRE_MODEL_API_KEY": KEY,
        "GROUNDWIRE_MODEL_BASE_URL": server.url,
        "GROUNDWIRE_MODEL_MAX_TOOL_CALLS": "2",
        "GROUNDWIRE_MODEL_MAX_COST": "90",
        "GROUNDWIRE_MODEL_PRICES": '{"m": {"input": 5000, "output": 0}}',
    }
    trace = diagnosed(settings_for(tmp_path, environ, model="openai:m"))
    assert trace.session.decision is Decision.PASS
    said = "\n".join(step.request_summary for step in trace.steps)
    assert "the limit of 2 tool calls is reached" in said
    assert "cost so far 1.5" in said


def judged_recording(server: WireServer, folder: Path, **more: str) -> tuple[Trace, Path]:
    """Record a diagnosis whose judge is another provider's model, with a key of its own, and lowers the decision."""
    server.play(KEY, TURNS)
    server.play(JUDGE_KEY, [JUDGED])
    environ = {
        "OPENAI_API_KEY": KEY,
        "GROUNDWIRE_MODEL_BASE_URL": server.openai_url,
        "GROUNDWIRE_JUDGE_MODEL": "anthropic:j",
        "GROUNDWIRE_JUDGE_API_KEY": JUDGE_KEY,
        "GROUNDWIRE_JUDGE_BASE_URL": server.url,
    }
    file = folder / "models.jsonl"
    return diagnosed(settings_for(folder, environ, record=str(file), **more)), file


def outcome(trace: Trace) -> tuple[object, ...]:
    return trace.session.decision, trace.session.degraded_reason, trace.evaluations[0].grounding["judge"]


@pytest.mark.parametrize(
    "configured", [{}, {"GROUNDWIRE_JUDGE_MODEL": "anthropic:j"}, {"GROUNDWIRE_JUDGE_MODEL": "openai:other"}]
)
def test_a_recording_with_a_judge_replays_both_without_a_key_or_a_server(
    server: WireServer, tmp_path: Path, configured: dict[str, str]
) -> None:
    live, file = judged_recording(server, tmp_path, model="openai:m")
    asked = len(server.requests)
    replayed = diagnosed(settings_for(tmp_path, configured, replay=str(file)))

    for trace in (live, replayed):
        assert outcome(trace) == (Decision.LOW_CONFID, DegradedReason.JUDGE_LOW_CONFIDENCE, "model:anthropic:j")
        assert [step.role for step in trace.steps if step.kind is StepKind.MODEL] == [*[StepRole.EXECUTOR] * 3, StepRole.VERIFIER]
    assert asked == len(server.requests) == 4
    assert [len(server.requests_of(key)) for key in (KEY, JUDGE_KEY)] == [3, 1]
    kept = file.read_bytes() + (tmp_path / "gw.db").read_bytes()
    assert KEY.encode() not in kept
    assert JUDGE_KEY.encode() not in kept


def test_a_judge_alone_can_be_recorded_and_replayed_beside_the_playbook(server: WireServer, tmp_path: Path) -> None:
    live, file = judged_recording(server, tmp_path)
    replayed = diagnosed(settings_for(tmp_path, {}, replay=str(file)))
    for trace in (live, replayed):
        assert outcome(trace) == (Decision.LOW_CONFID, DegradedReason.JUDGE_LOW_CONFIDENCE, "model:anthropic:j")
        assert (trace.session.investigator, trace.session.model) == ("playbook", None)
    assert len(server.requests) == 1


def test_a_recording_without_a_judge_replays_without_one_and_fails_closed_where_one_is_wanted(
    server: WireServer, tmp_path: Path
) -> None:
    server.play(KEY, TURNS)
    file = tmp_path / "models.jsonl"
    environ = {"OPENAI_API_KEY": KEY, "GROUNDWIRE_MODEL_BASE_URL": server.openai_url}
    diagnosed(settings_for(tmp_path, environ, model="openai:m", record=str(file)))
    assert outcome(diagnosed(settings_for(tmp_path, {}, replay=str(file)))) == (Decision.PASS, None, None)

    wanted = diagnosed(settings_for(tmp_path, {"GROUNDWIRE_JUDGE_MODEL": "anthropic:j"}, replay=str(file)))
    assert outcome(wanted) == (Decision.LOW_CONFID, DegradedReason.VERIFIER_UNAVAILABLE, "model:anthropic:j")
    assert "the recording holds no answer to the judge's request" in (wanted.evaluations[0].verifier_output or "")
    assert len(server.requests) == 3


def test_what_it_cost_stands_in_the_rows_and_audits_when_the_prices_are_others(server: WireServer, tmp_path: Path) -> None:
    server.play(KEY, TURNS)
    server.play(JUDGE_KEY, [script.text(PASSED)])
    environ = {
        "OPENAI_API_KEY": KEY,
        "GROUNDWIRE_MODEL_BASE_URL": server.openai_url,
        "GROUNDWIRE_MODEL_MAX_COST": "90",
        "GROUNDWIRE_MODEL_PRICES": '{"m": {"input": 5000, "output": 0}, "anthropic:j": {"input": 1000, "output": 0}}',
        "GROUNDWIRE_JUDGE_MODEL": "anthropic:j",
        "GROUNDWIRE_JUDGE_API_KEY": JUDGE_KEY,
        "GROUNDWIRE_JUDGE_BASE_URL": server.url,
    }
    asked = diagnosed(settings_for(tmp_path, environ, model="openai:m"))
    app = build(settings_for(tmp_path, {}))
    try:
        answer, audit = app.show(asked.session.id), app.audit(asked.session.id)
    finally:
        app.close()
    assert answer.usage is not None
    assert (answer.model, answer.judge) == ("openai:m", "anthropic:j")
    assert answer.usage.cost == pytest.approx(3 * 0.5 + 0.1)
    assert "second opinion by anthropic:j: 4 requests" in " ".join((asked.session.final_output or "").split())
    assert audit.faults == ()


def test_the_demo_asks_no_model_and_no_judge(server: WireServer, tmp_path: Path) -> None:
    spec = f"openai-compatible:m@{server.openai_url}"
    environ = {"GROUNDWIRE_MODEL": spec, "GROUNDWIRE_JUDGE_MODEL": spec}
    app = build(settings_for(tmp_path, environ))
    try:
        assert app.demo(Silent()).decision is Decision.PASS
    finally:
        app.close()
    assert server.requests == []
