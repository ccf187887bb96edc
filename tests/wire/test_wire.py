"""The scripted server itself: which turn answers which request, and that no test can hang on it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.wire import script
from tests.wire.server import WireServer, wire_server

HELLO = [{"role": "user", "content": "hello"}]
CALL = {"id": "c1", "type": "function", "function": {"name": "query_logs", "arguments": "{}"}}
USE = {"type": "tool_use", "id": "c1", "name": "query_logs", "input": {}}


def post(server: WireServer, path: str, key: str, **body: Any) -> tuple[int, Any]:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = Request(server.url + path, json.dumps(body).encode(), headers)
    try:
        with urlopen(request, timeout=5) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def complete(server: WireServer, key: str, **body: Any) -> tuple[int, Any]:
    return post(server, "/v1/chat/completions", key, model="m", **{"messages": HELLO, **body})


def said(answer: Mapping[str, Any]) -> str:
    return str(answer["choices"][0]["message"]["content"])


def test_turns_are_answered_in_order_and_a_script_at_its_end_says_so(server: WireServer) -> None:
    played = server.play("k", [script.text("one"), script.text("two")])

    assert said(complete(server, "k")[1]) == "one"
    assert played.left == 1
    assert said(complete(server, "k")[1]) == "two"
    status, answer = complete(server, "k")

    assert status == 500
    assert answer["error"]["message"] == "the script of the key 'k' has only 2 turns"
    assert server.faults == ["the script of the key 'k' has only 2 turns"]


def test_a_key_without_a_script_is_no_key(server: WireServer) -> None:
    assert complete(server, "stranger")[0] == 401

    server.play("*", [script.text("hi")])

    assert said(complete(server, "stranger")[1]) == "hi"


def test_every_request_is_recorded_with_its_headers_and_its_body(server: WireServer) -> None:
    server.play("k", [script.text("one")])
    complete(server, "k", temperature=0)
    (recorded,) = server.requests_of("k")

    assert (recorded.path, recorded.headers["authorization"]) == ("/v1/chat/completions", "Bearer k")
    assert recorded.body == {"model": "m", "messages": HELLO, "temperature": 0}


def test_fifty_scripts_play_side_by_side(server: WireServer) -> None:
    keys = [f"session-{number}" for number in range(50)]
    for key in keys:
        server.play(key, [script.text(f"{key} turn {turn}") for turn in range(4)])

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda key: [said(complete(server, key)[1]) for _ in range(4)], keys))

    assert answers == [[f"{key} turn {turn}" for turn in range(4)] for key in keys]
    assert server.cpu_s > 0


def test_a_callable_answers_with_what_was_sent(server: WireServer) -> None:
    def echo(request: dict[str, Any]) -> script.Message:
        return script.text(request["messages"][-1]["content"].upper())

    server.play("k", [echo, script.slow(echo)])

    assert [said(complete(server, "k")[1]) for _ in range(2)] == ["HELLO", "HELLO"]


def test_an_assertion_inside_a_callable_reaches_the_test() -> None:
    def check(request: dict[str, Any]) -> script.Message:
        assert request["messages"] == [], "the prompt is not what it should be"
        return script.text("never")

    def run() -> None:
        with wire_server() as server:
            server.play("k", [check])
            assert complete(server, "k")[0] == 500

    with pytest.raises(AssertionError, match="the prompt is not what it should be"):
        run()


@pytest.mark.parametrize(
    ("path", "messages", "words"),
    [
        ("/v1/chat/completions", [*HELLO, {"role": "assistant", "tool_calls": [CALL]}], "did not have response messages: c1"),
        ("/v1/chat/completions", [*HELLO, {"role": "assistant", "tool_calls": [CALL]}, *HELLO], "response messages: c1"),
        ("/v1/chat/completions", [*HELLO, {"role": "tool", "tool_call_id": "c1", "content": "x"}], "must be a response to"),
        ("/v1/messages", [*HELLO, {"role": "assistant", "content": [USE]}], "without `tool_result` blocks immediately after: c1"),
        ("/v1/messages", [*HELLO, {"role": "assistant", "content": [USE | {"input": "{"}]}], "should be a valid dictionary"),
        (
            "/v1/messages",
            [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c9"}]}],
            "unexpected `tool_use_id`",
        ),
        ("/v1/messages", [], "at least one message"),
    ],
)
def test_a_history_that_the_provider_would_refuse_is_refused(
    server: WireServer, path: str, messages: list[object], words: str
) -> None:
    played = server.play("k", [script.text("one")])
    status, answer = post(server, path, "k", model="m", max_tokens=9, messages=messages)

    assert status == 400
    assert words in answer["error"]["message"]
    assert played.left == 1


def test_a_history_with_every_call_answered_is_taken(server: WireServer) -> None:
    server.play("k", [script.text("one"), script.text("two")])
    calls = [CALL, CALL | {"id": "c2"}]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "x"} for call in reversed(calls)]
    uses = [USE, USE | {"id": "c2"}]
    blocks = [{"type": "tool_result", "tool_use_id": use["id"], "content": "x"} for use in uses]
    turn = [{"role": "assistant", "content": uses}, {"role": "user", "content": blocks}]

    assert complete(server, "k", messages=[*HELLO, {"role": "assistant", "tool_calls": calls}, *results])[0] == 200
    assert post(server, "/v1/messages", "k", model="m", max_tokens=9, messages=[*HELLO, *turn])[0] == 200


@pytest.mark.parametrize(
    ("refuse", "sent", "status"),
    [
        ({"response_format": "json_schema"}, {"response_format": {"type": "json_schema"}}, 400),
        ({"response_format": "json_schema"}, {"response_format": {"type": "text"}}, 200),
        ({"response_format": True}, {"response_format": {"type": "text"}}, 400),
        ({"tool_choice": "required"}, {"tool_choice": "required"}, 400),
        ({"tool_choice": "required"}, {"tool_choice": "auto"}, 200),
        ({"tools": True}, {}, 200),
        ({}, {"response_format": {"type": "json_object"}}, 400),
        ({}, {"response_format": {"type": "json_object"}, "messages": [{"role": "user", "content": "as JSON"}]}, 200),
    ],
)
def test_a_gateway_refuses_parameters_that_it_does_not_know(
    server: WireServer, refuse: dict[str, object], sent: dict[str, object], status: int
) -> None:
    played = server.play("k", [script.text("one")], refuse=refuse)

    assert complete(server, "k", **sent)[0] == status
    assert played.left == (1 if status == 400 else 0)


def test_an_unknown_path_is_not_found(server: WireServer) -> None:
    assert post(server, "/v1/responses", "k") == (404, {"detail": "Not Found"})


def test_no_wait_of_the_server_outlives_its_block() -> None:
    begun = time.monotonic()
    with wire_server() as server, ThreadPoolExecutor(2) as pool:
        server.play("k", [script.hang(60), script.slow(script.text("never ends"), bytes_per_write=1, pause_s=60)])
        waits = [pool.submit(complete, server, "k") for _ in range(2)]
        while len(server.requests) < 2:
            time.sleep(0.01)
        server.stopping.set()

    assert all(wait.exception() is not None for wait in waits)
    assert time.monotonic() - begun < 5
