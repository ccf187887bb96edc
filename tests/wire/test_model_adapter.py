"""The models that the product asks, over the wire: what a provider does well, and everything that it does wrong."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

import gc
import json
import socket
import stat
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.models.building import make_language_model
from groundwire.adapters.models.provider_model import ProviderModel
from groundwire.adapters.models.recorded import RecordedModel, Recording
from groundwire.adapters.models.replayed import Replay
from groundwire.adapters.models.traffic import Asker
from groundwire.domain.deadline import Deadline
from groundwire.domain.marking import Marking
from groundwire.domain.model import MessageRole, ModelFault, ModelMessage, ModelReply, ToolCall, ToolOffer
from groundwire.ports import LanguageModel
from tests.wire import script
from tests.wire.server import WireServer

KEY = "sk-wire-0123456789abcdef"
PROVIDERS = ["openai", "anthropic", "openai-compatible"]
SYSTEM = ModelMessage(role=MessageRole.SYSTEM, text="Be strict.")
QUESTION = ModelMessage(role=MessageRole.USER, text="Why is checkout failing?")
OFFER = ToolOffer(
    name="query_logs",
    description="Returns log lines.",
    parameters={"type": "object", "properties": {"service": {"type": "string"}}, "additionalProperties": False},
)
SCHEMA = {
    "type": "object",
    "properties": {"decision": {"type": "string", "enum": ["PASS", "REJECT"]}},
    "required": ["decision"],
    "additionalProperties": False,
}
Make = Callable[..., ProviderModel]


@pytest.fixture
def make(server: WireServer) -> Iterator[Make]:
    made: list[ProviderModel] = []

    def make_one(provider: str, *, key: str | None = KEY, timeout_s: float = 10.0, url: str | None = None) -> ProviderModel:
        url = url or (server.url if provider == "anthropic" else server.openai_url)
        spec = f"{provider}:m@{url}" if provider == "openai-compatible" else f"{provider}:m"
        made.append(make_language_model(spec, api_key=key, base_url=url, timeout_s=timeout_s, max_tokens=500))
        return made[-1]

    yield make_one
    for model in made:
        model.close()


@pytest.fixture(params=PROVIDERS)
def model(request: pytest.FixtureRequest, make: Make) -> ProviderModel:
    return make(request.param)


def ask(
    model: LanguageModel,
    *more: ModelMessage,
    tools: tuple[ToolOffer, ...] = (),
    schema: dict[str, Any] | None = None,
    seconds: float = 20.0,
) -> ModelReply:
    return model.request((SYSTEM, QUESTION, *more), tools=tools, schema=schema, deadline=Deadline.after(seconds))


def assistant(reply: ModelReply) -> ModelMessage:
    return ModelMessage(role=MessageRole.ASSISTANT, text=reply.text, tool_calls=reply.tool_calls)


def result(call: ToolCall, text: str) -> ModelMessage:
    return ModelMessage(role=MessageRole.TOOL, text=text, tool_call_id=call.id, tool_name=call.name)


def test_text_tokens_the_response_id_and_the_reason_for_the_end_come_back(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.text("The pool is empty.", usage=(70, 8))])
    reply = ask(model)

    assert (reply.text, reply.finish_reason, reply.fault) == ("The pool is empty.", "stop", None)
    assert (reply.input_tokens, reply.output_tokens, reply.model) == (70, 8, "m")
    assert reply.response_id in ("chatcmpl-000001", "msg_000001")
    assert reply.provider_name == server.url.removeprefix("http://")
    assert reply.duration_ms > 0
    sent = server.requests[0].body
    assert "Be strict." in str(sent.get("system") or sent["messages"][0])
    assert not sent.get("stream")


def test_a_conversation_with_tools_goes_there_and_back(server: WireServer, model: ProviderModel) -> None:
    calls = [("query_logs", {"service": "checkout"}), ("query_logs", {"service": "café"})]
    server.play(KEY, [script.tool_calls(calls, text="Looking."), script.text("Nothing there.")])
    first = ask(model, tools=(OFFER,))
    asked, other = first.tool_calls
    second = ask(model, assistant(first), result(asked, "i1: nothing"), result(other, "i2: failed"), tools=(OFFER,))

    assert (first.text, first.finish_reason) == ("Looking.", "tool_call")
    assert [json.loads(call.arguments) for call in first.tool_calls] == [given for _, given in calls]
    assert (second.text, second.fault) == ("Nothing there.", None)
    sent = json.dumps(server.requests[1].body["messages"], ensure_ascii=False)
    assert sent.index("i1: nothing") < sent.index("i2: failed")
    assert "query_logs" in str(server.requests[0].body["tools"])
    assert server.faults == []


@pytest.mark.parametrize("raw", ['{"service": "check', "service=checkout", "", "[1]"])
@pytest.mark.parametrize("provider", ["openai", "openai-compatible"])
def test_arguments_come_back_as_they_were_written(server: WireServer, make: Make, provider: str, raw: str) -> None:
    server.play(KEY, [script.tool_calls([("query_logs", raw), ("no_such_tool", "{}")]), script.text("So be it.")])
    model = make(provider)
    reply = ask(model, tools=(OFFER,))
    answered = ask(model, assistant(reply), *(result(call, "refused") for call in reply.tool_calls), tools=(OFFER,))

    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("query_logs", raw), ("no_such_tool", "{}")]
    assert answered.text == "So be it."


def test_broken_arguments_that_a_gateway_passes_on_stay_text(server: WireServer, make: Make) -> None:
    server.play(KEY, [script.tool_calls([("query_logs", '{"service": "check')]), script.text("So be it.")])
    model = make("anthropic")
    reply = ask(model, tools=(OFFER,))

    assert [call.arguments for call in reply.tool_calls] == ['{"service": "check']
    assert ask(model, assistant(reply), result(reply.tool_calls[0], "refused"), tools=(OFFER,)).text == "So be it."


def test_calls_without_words_go_back_with_empty_text_or_none_and_never_null(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.tool_calls([("query_logs", {"service": "a"})]), script.text("Done.")])
    reply = ask(model, tools=(OFFER,))

    assert ask(model, assistant(reply), result(reply.tool_calls[0], "nothing"), tools=(OFFER,)).text == "Done."
    (said,) = [message for message in server.requests[-1].body["messages"] if message["role"] == "assistant"]
    assert said["content"] == "" or [part["type"] for part in said["content"]] == ["tool_use"]


@pytest.mark.parametrize("thought", ["reasoning_content", "reasoning"])
def test_calls_behind_thinking_go_back_whole_and_with_text_that_is_not_null(server: WireServer, make: Make, thought: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "query_logs", "arguments": "{}"}}
    said = {"role": "assistant", "content": None, thought: "Logs first.", "tool_calls": [call]}
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls"}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    server.play(KEY, [script.malformed(json.dumps(body).encode(), content_type="application/json"), script.text("Done.")])
    model = make("openai-compatible")
    reply = ask(model, tools=(OFFER,))

    assert ask(model, assistant(reply), result(reply.tool_calls[0], "nothing"), tools=(OFFER,)).text == "Done."
    (sent,) = [message for message in server.requests[-1].body["messages"] if message["role"] == "assistant"]
    assert (sent["content"], sent[thought]) == ("", "Logs first.")


def test_calls_that_share_an_id_are_told_apart(server: WireServer, model: ProviderModel) -> None:
    calls = [("query_logs", {"service": "a"}), ("query_logs", {"service": "b"})]
    server.play(KEY, [script.tool_calls(calls, ids=["call_1", "call_1"]), script.text("Both.")])
    reply = ask(model, tools=(OFFER,))
    results = [result(call, "nothing") for call in reply.tool_calls]

    assert len({call.id for call in reply.tool_calls}) == 2
    assert ask(model, assistant(reply), *results, tools=(OFFER,)).text == "Both."


@pytest.mark.parametrize(
    ("turn", "finish"),
    [
        (script.cut("The pool is"), "length"),
        (script.tool_calls([("query_logs", '{"service": "ch')], finish="length"), "length"),
        (script.cut("What?", finish="a_word_of_tomorrow"), "unknown"),
    ],
)
def test_why_an_answer_ended_is_told(server: WireServer, model: ProviderModel, turn: script.Message, finish: str) -> None:
    server.play(KEY, [turn])
    reply = ask(model, tools=(OFFER,))

    assert (reply.finish_reason, reply.fault, reply.text) == (finish, None, turn.text or "")


def test_a_refusal_is_one_and_keeps_its_words(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.refusal("I will not help with that.")])
    reply = ask(model)

    assert (reply.text, reply.finish_reason, reply.fault) == ("", "refusal", None)
    assert reply.error_message == "I will not help with that."


def test_a_content_filter_is_told(server: WireServer, make: Make) -> None:
    server.play(KEY, [script.filtered("The pool")])
    assert ask(make("openai")).finish_reason == "content_filter"


def test_a_finish_reason_that_was_not_given_is_not_made_up(server: WireServer, make: Make) -> None:
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hm."}}],
    }
    server.play(KEY, [script.malformed(json.dumps(body).encode())])
    reply = ask(make("openai-compatible"))
    assert (reply.text, reply.finish_reason) == ("Hm.", "unknown")


def test_tokens_that_were_not_counted_are_unknown(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.text("Hm.", usage=None)])
    reply = ask(model)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("Hm.", None, None)


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (400, ModelFault.REJECTED),
        (401, ModelFault.REJECTED),
        (403, ModelFault.REJECTED),
        (404, ModelFault.REJECTED),
        (429, ModelFault.RATE_LIMITED),
        (500, ModelFault.UNAVAILABLE),
        (503, ModelFault.UNAVAILABLE),
        (529, ModelFault.UNAVAILABLE),
    ],
)
def test_a_refused_request_is_a_fault_in_the_servers_words(
    server: WireServer, model: ProviderModel, status: int, fault: ModelFault
) -> None:
    server.play(KEY, [script.error(status, f"not for {KEY}, password=hunter2secret")])
    reply = ask(model)

    assert (reply.fault, reply.text, reply.tool_calls) == (fault, "", ())
    assert reply.error_message is not None
    assert reply.error_message.startswith(f"HTTP {status}: not for [masked:key]")
    assert KEY not in repr(reply)
    assert "hunter2secret" not in repr(reply)
    assert len(server.requests) == 1


def test_a_page_of_html_is_a_bounded_fault(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.error(502, b"<html>" + b"bad gateway " * 5_000)])
    reply = ask(model)
    assert reply.fault is ModelFault.UNAVAILABLE
    assert "bad gateway" in (reply.error_message or "")
    assert len(reply.error_message or "") <= 1_000


def test_a_short_rate_limit_is_waited_for_once(server: WireServer, model: ProviderModel) -> None:
    limited = script.error(429, "slow down", headers={"retry-after": "0.1"})
    server.play(KEY, [limited, script.text("Now."), limited, limited])
    begun = time.monotonic()
    assert ask(model).text == "Now."
    assert time.monotonic() - begun >= 0.1
    assert ask(model).fault is ModelFault.RATE_LIMITED
    assert len(server.requests) == 4


@pytest.mark.parametrize("wait", ["3600", "5", "soon", "-1", "nan"])
def test_a_long_or_unreadable_rate_limit_is_not_waited_for(server: WireServer, model: ProviderModel, wait: str) -> None:
    server.play(KEY, [script.error(429, "slow down", headers={"retry-after": wait})])
    reply = ask(model, seconds=2)
    assert (reply.fault, len(server.requests)) == (ModelFault.RATE_LIMITED, 1)


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"null", b"[]", b'"text"', b'{"hello": 1}', b'{"content": 3, "choices": 3}', b"\xff\xfe"],
)
def test_an_answer_that_is_none_of_the_protocol_is_malformed(server: WireServer, model: ProviderModel, body: bytes) -> None:
    server.play(KEY, [script.malformed(body, content_type="application/json"), script.text("Again.")])
    reply = ask(model)

    assert (reply.fault, reply.text) == (ModelFault.MALFORMED, "")
    assert reply.error_message
    assert ask(model).text == "Again."


@pytest.mark.parametrize("turn", [script.drop(), script.drop(script.text("a long answer that never ends"))])
def test_a_dropped_connection_is_unavailable(server: WireServer, model: ProviderModel, turn: script.Turn) -> None:
    server.play(KEY, [turn, script.text("Again.")])
    assert ask(model).fault is ModelFault.UNAVAILABLE
    assert ask(model).text == "Again."


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_is_not_there_is_unavailable(make: Make, provider: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        reply = ask(make(provider, url=url))
    assert reply.fault is ModelFault.UNAVAILABLE
    assert "cannot reach the model: " in (reply.error_message or "")


@pytest.mark.parametrize(
    "turn", [script.hang(30), script.slow(script.text("hello"), bytes_per_write=4, pause_s=0.05)], ids=["silence", "trickle"]
)
def test_the_deadline_is_of_the_whole_answer(server: WireServer, model: ProviderModel, turn: script.Turn) -> None:
    server.play(KEY, [turn, script.text("Again.")])
    begun = time.monotonic()
    reply = ask(model, seconds=0.4)

    assert (reply.fault, reply.error_message) == (ModelFault.TIMEOUT, "no whole answer within 0.4 s")
    assert time.monotonic() - begun < 2
    assert ask(model).text == "Again."


def test_the_setting_bounds_a_request_too_and_no_time_left_asks_nothing(server: WireServer, make: Make) -> None:
    server.play(KEY, [script.hang(30)])
    assert ask(make("openai", timeout_s=0.3)).fault is ModelFault.TIMEOUT
    assert ask(make("openai"), seconds=0).fault is ModelFault.TIMEOUT
    assert len(server.requests) == 1


def test_a_redirect_takes_the_key_nowhere(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.error(307, "elsewhere", headers={"location": f"{server.url}/elsewhere"})])
    reply = ask(model)
    assert "elsewhere" in (reply.error_message or "")
    assert (reply.fault is None, len(server.requests)) == (False, 1)


@pytest.mark.parametrize(
    ("refuse", "sent"),
    [
        ({}, ["json_schema"]),
        ({"response_format": "json_schema"}, ["json_schema", "json_object"]),
        ({"response_format": True}, ["json_schema", "json_object", "json_object", None]),
    ],
)
def test_json_is_asked_for_as_the_gateway_takes_it_and_that_is_remembered(
    server: WireServer, make: Make, refuse: dict[str, object], sent: list[str | None]
) -> None:
    server.play(KEY, [script.json({"decision": "PASS"}), script.json({"decision": "REJECT"})], refuse=refuse)
    model = make("openai-compatible")
    replies = [ask(model, schema=SCHEMA), ask(model, schema=SCHEMA)]
    formats = [(request.body.get("response_format") or {}).get("type") for request in server.requests]

    assert [json.loads(reply.text)["decision"] for reply in replies] == ["PASS", "REJECT"]
    assert formats == [*sent, sent[-1]]
    assert '"enum": ["PASS", "REJECT"]' in server.requests[-1].body["messages"][0]["content"]


@pytest.mark.parametrize(("provider", "name"), [("openai", "response_format"), ("anthropic", "output_config")])
def test_a_provider_that_refuses_a_schema_is_asked_in_words(server: WireServer, make: Make, provider: str, name: str) -> None:
    server.play(KEY, [script.json({"decision": "PASS"})], refuse={name: True})
    reply = ask(make(provider), schema=SCHEMA)
    assert (json.loads(reply.text), reply.fault) == ({"decision": "PASS"}, None)
    assert server.requests[0].body.get(name)
    assert not server.requests[-1].body.get(name)


def test_a_gateway_that_breaks_over_a_schema_is_asked_in_words(server: WireServer, make: Make) -> None:
    broken = script.error(500, "grammar")
    server.play(KEY, [broken, script.error(422, "no"), script.error(400, "no"), script.json({"decision": "PASS"})])
    assert json.loads(ask(make("openai-compatible"), schema=SCHEMA).text) == {"decision": "PASS"}


def test_what_is_refused_in_every_form_is_rejected_and_nothing_is_learnt(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.text("x")], refuse={"messages": True})
    first = ask(model, schema=SCHEMA)
    once = len(server.requests)
    ask(model, schema=SCHEMA)
    assert first.fault is ModelFault.REJECTED
    assert "does not support" in (first.error_message or "")
    assert len(server.requests) == 2 * once


def test_a_conversation_that_is_too_long_is_sent_once(server: WireServer, make: Make) -> None:
    server.play(KEY, [script.error(400, "This model's maximum context length is 4096 tokens, and there are 9000.")])
    reply = ask(make("openai-compatible"), schema=SCHEMA)
    assert (reply.fault, len(server.requests)) == (ModelFault.REJECTED, 1)


def test_a_gateway_without_a_key_gets_none(server: WireServer, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.play("*", [script.text("Hm.")])
    assert ask(make("openai-compatible", key=None)).text == "Hm."
    assert KEY not in str(server.requests[0].headers)


def test_threads_may_ask_one_model_at_once(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.hang(0.2, script.text("Hm."))] * 8)
    begun = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: ask(model), range(8)))
    assert [reply.text for reply in replies] == ["Hm."] * 8
    assert time.monotonic() - begun < 1.5


def test_a_model_that_is_closed_in_the_middle_of_a_request_leaves_nothing_open(server: WireServer, model: ProviderModel) -> None:
    server.play(KEY, [script.text("One."), script.hang(0.3, script.text("Two."))])
    assert ask(model).text == "One."
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(ask, model)
        time.sleep(0.1)
        model.close()
        assert late.result().text == "Two."
    gc.collect()


def marked(marking: Marking, first: ModelReply, text: str) -> tuple[ModelMessage, ...]:
    rules = ModelMessage(role=MessageRole.USER, text=marking.describe())
    return (rules, assistant(first), result(first.tool_calls[0], marking.mark(text)))


def test_a_recorded_conversation_is_replayed_with_other_marks_and_without_a_server(
    server: WireServer, model: ProviderModel, tmp_path: Path
) -> None:
    then, now = Marking(), Marking()
    quoted = then.mark_inside("pool is empty")
    turns: list[script.Turn] = [script.tool_calls([("query_logs", {"service": "a"})]), script.text(f"It says {quoted}.")]
    turns.append(script.error(503, "ouch"))
    server.play(KEY, turns)
    path = tmp_path / "traffic.jsonl"
    recording = Recording(path, {Asker.INVESTIGATOR: model.name})
    recorded = RecordedModel(model, recording)
    first = ask(recorded, tools=(OFFER,))
    live = [ask(recorded, *marked(then, first, "pool is empty"), tools=(OFFER,)), ask(recorded, schema=SCHEMA)]
    recording.close()
    replayed = Replay(path).investigator
    assert replayed is not None
    again = ask(replayed, tools=(OFFER,))

    assert (again, replayed.name) == (first, model.name)
    second = ask(replayed, *marked(now, again, "pool is empty"), tools=(OFFER,))
    assert (live[0].text, second.text) == (f"It says {quoted}.", f"It says {now.mark_inside('pool is empty')}.")
    assert ask(replayed, schema=SCHEMA) == live[1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="utf-8")
    assert KEY not in text
    assert "authorization" not in text.lower()
    assert then.token not in text
