"""Messages as the Anthropic SDK reads them."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

import json
from collections.abc import Iterator

import anthropic
import httpx2
import pytest
from anthropic.types import Message, MessageParam, TextBlock, ToolUseBlock

from tests.wire import script
from tests.wire.server import WireServer

LONG = "The pool of the checkout database was full from 10:02 on - größer wurde sie nicht. ☂"
HELLO: list[MessageParam] = [{"role": "user", "content": "hello"}]


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[anthropic.Anthropic]:
    """One client for all tests: reading the certificates costs more than most of them."""
    with anthropic.Anthropic(base_url="http://127.0.0.1:9", api_key="k", max_retries=0, timeout=5) as made:
        yield made


@pytest.fixture
def client(server: WireServer, elsewhere: anthropic.Anthropic) -> anthropic.Anthropic:
    return elsewhere.with_options(base_url=server.url)


def whole(client: anthropic.Anthropic, timeout: float = 5) -> Message:
    return client.messages.create(model="m", max_tokens=99, messages=HELLO, timeout=timeout)


def streamed(client: anthropic.Anthropic) -> Message:
    with client.messages.stream(model="m", max_tokens=99, messages=HELLO) as stream:
        return stream.get_final_message()


def text_of(message: Message) -> str:
    return "".join(block.text for block in message.content if isinstance(block, TextBlock))


def test_text_usage_and_stop_reason_arrive_whole_and_streamed(server: WireServer, client: anthropic.Anthropic) -> None:
    server.play("k", [script.text(LONG, usage=(321, 45))] * 2)
    for message in (whole(client), streamed(client)):
        assert (text_of(message), message.stop_reason, message.model) == (LONG, "end_turn", "m")
        assert (message.usage.input_tokens, message.usage.output_tokens) == (321, 45)


def test_text_arrives_in_pieces(server: WireServer, client: anthropic.Anthropic) -> None:
    server.play("k", [script.text(LONG)])
    with client.messages.stream(model="m", max_tokens=99, messages=HELLO) as stream:
        pieces = list(stream.text_stream)

    assert "".join(pieces) == LONG
    assert len(pieces) > 5


def test_several_calls_of_one_turn_arrive_with_their_arguments(server: WireServer, client: anthropic.Anthropic) -> None:
    calls: list[tuple[str, script.Arguments]] = [
        ("query_logs", {"service": "checkout", "query": '"pool full"'}),
        ("nope", '{"a": 1}'),
    ]
    server.play("k", [script.tool_calls(calls, text="looking", ids=["a", "b"])] * 2)
    for message in (whole(client), streamed(client)):
        made = [(block.id, block.name, block.input) for block in message.content if isinstance(block, ToolUseBlock)]
        assert (message.stop_reason, text_of(message)) == ("tool_use", "looking")
        assert made == [("a", "query_logs", calls[0][1]), ("b", "nope", {"a": 1})]


def test_broken_arguments_arrive_as_written_where_nothing_reads_them_half(
    server: WireServer, client: anthropic.Anthropic
) -> None:
    server.play("k", [script.tool_calls([("query_logs", '{"service": "check')])] * 2)
    (block,) = whole(client).content
    with client.messages.create(model="m", max_tokens=99, messages=HELLO, stream=True) as stream:
        deltas = [event.delta for event in stream if event.type == "content_block_delta"]

    assert isinstance(block, ToolUseBlock)
    assert repr(block.input) == repr('{"service": "check')  # no dict, whatever the SDK's types say
    assert "".join(delta.partial_json for delta in deltas if delta.type == "input_json_delta") == '{"service": "check'


@pytest.mark.parametrize(
    ("turn", "content", "stop"),
    [
        (script.cut("The cause is"), "The cause is", "max_tokens"),
        (script.cut("x", finish="model_context_window_exceeded"), "x", "model_context_window_exceeded"),
        (script.filtered("par"), "par", "refusal"),
        (script.refusal("I cannot help with that."), "", "refusal"),
        (script.json({"decision": "PASS"}), '{"decision": "PASS"}', "end_turn"),
    ],
)
def test_why_an_answer_ended_arrives(
    server: WireServer, client: anthropic.Anthropic, turn: script.Turn, content: str, stop: str
) -> None:
    server.play("k", [turn] * 2)
    for message in (whole(client), streamed(client)):
        assert (text_of(message), message.stop_reason) == (content, stop)


def test_a_refusal_says_why(server: WireServer, client: anthropic.Anthropic) -> None:
    server.play("k", [script.refusal("I cannot help with that.")] * 2)
    for message in (whole(client), streamed(client)):
        assert message.stop_details is not None
        assert message.stop_details.explanation == "I cannot help with that."


@pytest.mark.parametrize(
    ("status", "raised", "kind"),
    [
        (400, anthropic.BadRequestError, "invalid_request_error"),
        (401, anthropic.AuthenticationError, "authentication_error"),
        (404, anthropic.NotFoundError, "not_found_error"),
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (529, anthropic.APIStatusError, "overloaded_error"),
    ],
)
def test_errors_arrive_with_the_provider_s_words_and_headers(
    server: WireServer, client: anthropic.Anthropic, status: int, raised: type[anthropic.APIStatusError], kind: str
) -> None:
    server.play("k", [script.error(status, "in its own words", headers={"retry-after": "7"})] * 2)
    for ask in (whole, streamed):
        with pytest.raises(raised, match="in its own words") as caught:
            ask(client)
        assert caught.value.body == {
            "type": "error",
            "error": {"type": kind, "message": "in its own words"},
            "request_id": "req_tests",
        }
        assert (caught.value.response.headers["retry-after"], caught.value.status_code) == ("7", status)


def test_a_refused_parameter_is_named(server: WireServer, client: anthropic.Anthropic) -> None:
    server.play("k", [], refuse={"tool_choice": "any"})

    with pytest.raises(anthropic.BadRequestError, match="tool_choice: Unsupported value"):
        client.messages.create(model="m", max_tokens=9, messages=HELLO, tools=[], tool_choice={"type": "any"})


def test_an_error_in_the_middle_of_a_stream_arrives_after_what_came_before(
    server: WireServer, client: anthropic.Anthropic
) -> None:
    server.play("k", [script.late_error(LONG, 529, "Overloaded")])
    seen: list[str] = []

    with (
        pytest.raises(anthropic.APIStatusError, match="overloaded_error"),
        client.messages.stream(model="m", max_tokens=9, messages=HELLO) as stream,
    ):
        seen.extend(stream.text_stream)
    assert seen
    assert LONG.startswith("".join(seen))


def test_an_answer_that_is_no_json_is_seen(server: WireServer, client: anthropic.Anthropic) -> None:
    server.play("k", [script.malformed(b'{"id": "x", "cont'), script.malformed(b'event: message_start\ndata: {"type":\n\n')])

    with pytest.raises(json.JSONDecodeError):
        whole(client)
    with pytest.raises(json.JSONDecodeError):
        streamed(client)


@pytest.mark.parametrize("turn", [script.drop(), script.drop(script.text(LONG)), script.drop(script.text(LONG), after_bytes=0)])
def test_a_connection_that_is_dropped_is_seen(server: WireServer, client: anthropic.Anthropic, turn: script.Turn) -> None:
    server.play("k", [turn] * 2)

    with pytest.raises(anthropic.APIConnectionError):
        whole(client)
    with pytest.raises((anthropic.APIConnectionError, httpx2.RemoteProtocolError)):
        streamed(client)


def test_a_stream_that_ends_tidily_in_the_middle_only_lacks_its_stop_reason(
    server: WireServer, client: anthropic.Anthropic
) -> None:
    server.play("k", [script.drop(script.text(LONG), tidy=True, after_bytes=1000)])
    message = streamed(client)

    assert message.stop_reason is None
    assert LONG.startswith(text_of(message))
    assert text_of(message) not in ("", LONG)


def test_slow_bytes_arrive_and_silence_times_out(server: WireServer, client: anthropic.Anthropic) -> None:
    slow = script.slow(script.text("hello"), bytes_per_write=64, pause_s=0.005)
    server.play("k", [slow, slow, script.hang(30), script.hang(0.02, script.text("late"))])

    assert text_of(whole(client)) == "hello"
    assert text_of(streamed(client)) == "hello"
    with pytest.raises(anthropic.APITimeoutError):
        whole(client, timeout=0.2)
    assert text_of(whole(client)) == "late"


def test_models_are_listed(server: WireServer, client: anthropic.Anthropic) -> None:
    server.play("k", [])

    assert [model.id for model in client.models.list()] == ["scripted"]
