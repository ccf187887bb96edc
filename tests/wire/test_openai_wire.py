"""Chat completions as the OpenAI SDK reads them."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

import json
from collections.abc import Iterator

import openai
import pytest
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageFunctionToolCall, ChatCompletionMessageParam

from tests.wire import script
from tests.wire.server import WireServer

LONG = "The pool of the checkout database was full from 10:02 on - größer wurde sie nicht. ☂"
HELLO: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hello"}]


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[openai.OpenAI]:
    """One client for all tests: reading the certificates costs more than most of them."""
    with openai.OpenAI(base_url="http://127.0.0.1:9", api_key="k", max_retries=0, timeout=5) as made:
        yield made


@pytest.fixture
def client(server: WireServer, elsewhere: openai.OpenAI) -> openai.OpenAI:
    return elsewhere.with_options(base_url=server.openai_url)


def streamed(client: openai.OpenAI) -> list[ChatCompletionChunk]:
    options: openai.types.chat.ChatCompletionStreamOptionsParam = {"include_usage": True}
    with client.chat.completions.create(model="m", messages=HELLO, stream=True, stream_options=options) as stream:
        return list(stream)


def text_of(chunks: list[ChatCompletionChunk]) -> str:
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


def finish_of(chunks: list[ChatCompletionChunk]) -> str | None:
    return [choice.finish_reason for chunk in chunks for choice in chunk.choices][-1]


def test_text_usage_and_finish_reason_arrive_whole_and_streamed(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.text(LONG, usage=(321, 45))] * 2)
    answer = client.chat.completions.create(model="m", messages=HELLO)
    chunks = streamed(client)

    assert (answer.choices[0].message.content, answer.choices[0].finish_reason, answer.model) == (LONG, "stop", "m")
    assert (text_of(chunks), finish_of(chunks)) == (LONG, "stop")
    assert len(chunks) > 5
    for usage in (answer.usage, chunks[-1].usage):
        assert usage is not None
        assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (321, 45, 366)


def test_several_calls_of_one_turn_arrive_with_their_arguments_as_written(server: WireServer, client: openai.OpenAI) -> None:
    calls: list[tuple[str, script.Arguments]] = [
        ("query_logs", {"service": "checkout", "query": '"pool full"'}),
        ("nope", "{bro"),
    ]
    server.play("k", [script.tool_calls(calls, text="looking", ids=["a", "b"])] * 2)
    whole = client.chat.completions.create(model="m", messages=HELLO).choices[0]
    pieces: dict[int, list[str]] = {}
    for chunk in streamed(client):
        for call in chunk.choices[0].delta.tool_calls or [] if chunk.choices else []:
            assert call.function is not None
            pieces.setdefault(call.index, [call.id or "", call.function.name or "", ""])[2] += call.function.arguments or ""
    expected = [["a", "query_logs", json.dumps(calls[0][1])], ["b", "nope", "{bro"]]

    assert (whole.finish_reason, whole.message.content) == ("tool_calls", "looking")
    made = [call for call in whole.message.tool_calls or [] if isinstance(call, ChatCompletionMessageFunctionToolCall)]
    assert [[call.id, call.function.name, call.function.arguments] for call in made] == expected
    assert list(pieces.values()) == expected


def test_ids_of_calls_are_made_up_where_the_script_gives_none(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.tool_calls([("a", {}), ("b", {})])] * 2)
    ids = [
        call.id
        for _ in range(2)
        for call in client.chat.completions.create(model="m", messages=HELLO).choices[0].message.tool_calls or []
    ]

    assert len(set(ids)) == 4


@pytest.mark.parametrize(
    ("turn", "content", "finish"),
    [
        (script.cut("The cause is"), "The cause is", "length"),
        (script.cut("x", finish="odd_word"), "x", "odd_word"),
        (script.filtered("par"), "par", "content_filter"),
        (script.json({"decision": "PASS"}), '{"decision": "PASS"}', "stop"),
    ],
)
def test_why_an_answer_ended_arrives(
    server: WireServer, client: openai.OpenAI, turn: script.Turn, content: str, finish: str
) -> None:
    server.play("k", [turn] * 2)
    choice = client.chat.completions.create(model="m", messages=HELLO).choices[0]
    chunks = streamed(client)

    assert (choice.message.content, choice.finish_reason) == (content, finish)
    assert (text_of(chunks), finish_of(chunks)) == (content, finish)


def test_a_refusal_is_no_content(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.refusal("I cannot help with that.")] * 2)
    message = client.chat.completions.create(model="m", messages=HELLO).choices[0].message
    refused = "".join(choice.delta.refusal or "" for chunk in streamed(client) for choice in chunk.choices)

    assert (message.content, message.refusal) == (None, "I cannot help with that.")
    assert refused == "I cannot help with that."


def test_usage_may_be_left_out(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.text("x", usage=None)] * 2)

    assert client.chat.completions.create(model="m", messages=HELLO).usage is None
    assert all(chunk.usage is None for chunk in streamed(client))


@pytest.mark.parametrize(
    ("status", "raised", "code"),
    [
        (400, openai.BadRequestError, None),
        (401, openai.AuthenticationError, "invalid_api_key"),
        (404, openai.NotFoundError, "model_not_found"),
        (429, openai.RateLimitError, "rate_limit_exceeded"),
        (503, openai.InternalServerError, None),
    ],
)
def test_errors_arrive_with_the_provider_s_words_and_headers(
    server: WireServer, client: openai.OpenAI, status: int, raised: type[openai.APIStatusError], code: str | None
) -> None:
    server.play("k", [script.error(status, "in its own words", headers={"retry-after": "7"})] * 2)
    for stream in (False, True):
        with pytest.raises(raised, match="in its own words") as caught:
            client.chat.completions.create(model="m", messages=HELLO, stream=stream)
        assert caught.value.code == code
        assert caught.value.response.headers["retry-after"] == "7"


def test_a_gateway_s_own_error_page_arrives_as_it_is(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.error(502, b"<html>Bad Gateway</html>"), script.error(422, {"detail": "no such field"})])

    with pytest.raises(openai.InternalServerError) as page:
        client.chat.completions.create(model="m", messages=HELLO)
    with pytest.raises(openai.UnprocessableEntityError) as caught:
        client.chat.completions.create(model="m", messages=HELLO)
    assert page.value.response.text == "<html>Bad Gateway</html>"
    assert caught.value.body == {"detail": "no such field"}


def test_a_refused_parameter_is_named(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [], refuse={"response_format": "json_object"})

    with pytest.raises(openai.BadRequestError, match="'response_format' does not support") as caught:
        client.chat.completions.create(model="m", messages=HELLO, response_format={"type": "json_object"})
    assert caught.value.param == "response_format"


def test_an_error_in_the_middle_of_a_stream_arrives_after_what_came_before(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.late_error(LONG, 503, "the engine died")])
    seen: list[ChatCompletionChunk] = []

    with (
        pytest.raises(openai.APIError, match="the engine died"),
        client.chat.completions.create(model="m", messages=HELLO, stream=True) as stream,
    ):
        seen.extend(stream)
    assert text_of(seen)
    assert LONG.startswith(text_of(seen))


def test_an_answer_that_is_no_json_is_seen(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.malformed(b'{"id": "x", "choi'), script.malformed(b'data: {"id":\n\n')])

    with pytest.raises(json.JSONDecodeError):
        client.chat.completions.create(model="m", messages=HELLO)
    with pytest.raises(json.JSONDecodeError):
        streamed(client)


@pytest.mark.parametrize("turn", [script.drop(), script.drop(script.text(LONG)), script.drop(script.text(LONG), after_bytes=0)])
def test_a_connection_that_is_dropped_is_seen(server: WireServer, client: openai.OpenAI, turn: script.Turn) -> None:
    server.play("k", [turn] * 2)

    with pytest.raises(openai.APIConnectionError):
        client.chat.completions.create(model="m", messages=HELLO)
    with pytest.raises(openai.APIConnectionError):
        streamed(client)


def test_a_stream_that_ends_tidily_in_the_middle_only_lacks_its_finish_reason(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [script.drop(script.text(LONG), tidy=True)])
    chunks = streamed(client)

    assert LONG.startswith(text_of(chunks))
    assert text_of(chunks) != LONG
    assert finish_of(chunks) is None


def test_slow_bytes_arrive_and_silence_times_out(server: WireServer, client: openai.OpenAI) -> None:
    slow = script.slow(script.text("hello"), bytes_per_write=64, pause_s=0.005)
    server.play("k", [slow, slow, script.hang(30), script.hang(0.02, script.text("late"))])

    assert client.chat.completions.create(model="m", messages=HELLO).choices[0].message.content == "hello"
    assert text_of(streamed(client)) == "hello"
    with pytest.raises(openai.APITimeoutError):
        client.chat.completions.create(model="m", messages=HELLO, timeout=0.2)
    assert client.chat.completions.create(model="m", messages=HELLO).choices[0].message.content == "late"


def test_models_are_listed(server: WireServer, client: openai.OpenAI) -> None:
    server.play("k", [])

    assert [model.id for model in client.models.list()] == ["scripted"]
