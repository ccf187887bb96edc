"""A whole diagnosis with a model over the wire, recorded, and replayed without a server, a key or the SDKs' client."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

import json
from pathlib import Path

import pytest

from groundwire.bootstrap import build
from groundwire.domain.names import Decision, StepKind
from groundwire.domain.reports import Trace
from groundwire.settings import Settings, load_settings
from tests.scenarios.shop_turns import COUNTED, EXHAUSTED, FIRING
from tests.unit.sessions import Silent
from tests.wire import script
from tests.wire.server import WireServer

KEY = "sk-wire-0123456789abcdef"
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


def test_the_demo_asks_no_model(server: WireServer, tmp_path: Path) -> None:
    environ = {"GROUNDWIRE_MODEL": f"openai-compatible:m@{server.openai_url}"}
    app = build(settings_for(tmp_path, environ))
    try:
        assert app.demo(Silent()).decision is Decision.PASS
    finally:
        app.close()
    assert server.requests == []
