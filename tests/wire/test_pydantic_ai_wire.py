"""What comes through the SDKs and pydantic-ai together, as the product meets it."""

# ruff: noqa: E402 - without the SDKs the module is skipped before it imports them
from __future__ import annotations

from tests.wire.sdks import require_sdks

require_sdks()

import asyncio
import time
from collections.abc import Iterator

import httpx2
import pytest
from pydantic_ai import Agent
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelOverloadedError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from tests.wire import script
from tests.wire.server import WireServer

SERVICE = {"type": "object", "properties": {"service": {"type": "string"}}}
OFFERED = ModelRequestParameters(function_tools=[ToolDefinition(name="query_logs", parameters_json_schema=SERVICE)])
SETTINGS = ModelSettings(max_tokens=500, timeout=5, max_retries=0)
STREAMED = [False, True]


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(params=["openai", "anthropic"])
def model(request: pytest.FixtureRequest, server: WireServer, runner: asyncio.Runner) -> Iterator[Model]:
    client = httpx2.AsyncClient(verify=False)
    if request.param == "openai":
        yield OpenAIChatModel("m", provider=OpenAIProvider(base_url=server.openai_url, api_key="k", http_client=client))
    else:
        yield AnthropicModel("m", provider=AnthropicProvider(base_url=server.url, api_key="k", http_client=client))
    runner.run(client.aclose())


async def asked(model: Model, stream: bool, settings: ModelSettings) -> ModelResponse:
    messages = [ModelRequest(parts=[UserPromptPart(content="hello")])]
    if not stream:
        return await model_request(model, messages, model_settings=settings, model_request_parameters=OFFERED)
    async with model_request_stream(model, messages, model_settings=settings, model_request_parameters=OFFERED) as answer:
        async for _ in answer:
            pass
        return answer.get()


def ask(runner: asyncio.Runner, model: Model, stream: bool = False, **settings: object) -> ModelResponse:
    return runner.run(asked(model, stream, ModelSettings(**{**SETTINGS, **settings})))  # type: ignore[typeddict-item]


def text_of(response: ModelResponse) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def test_an_agent_calls_its_tool_and_answers(server: WireServer, model: Model, runner: asyncio.Runner) -> None:
    called: list[str] = []
    agent = Agent(model)

    @agent.tool_plain
    def query_logs(service: str) -> str:
        called.append(service)
        return f"nothing in {service}"

    calls = [("query_logs", {"service": "checkout"}), ("query_logs", {"service": "payments"})]
    server.play("k", [script.tool_calls(calls, usage=(10, 5)), script.text("Nothing there.", usage=(30, 7))])
    result = runner.run(agent.run("why?", model_settings=SETTINGS))

    assert (result.output, sorted(called)) == ("Nothing there.", ["checkout", "payments"])
    assert (result.usage.requests, result.usage.input_tokens, result.usage.output_tokens) == (2, 40, 12)
    assert "nothing in payments" in str(server.requests[1].body["messages"])
    assert server.faults == []


@pytest.mark.parametrize("stream", STREAMED)
def test_text_usage_finish_reason_and_id_come_through(
    server: WireServer, model: Model, runner: asyncio.Runner, stream: bool
) -> None:
    server.play("k", [script.text("The pool was full.", usage=(321, 45))])
    response = ask(runner, model, stream)

    assert (text_of(response), response.finish_reason, response.model_name) == ("The pool was full.", "stop", "m")
    assert (response.usage.input_tokens, response.usage.output_tokens) == (321, 45)
    assert response.provider_response_id


@pytest.mark.parametrize("stream", STREAMED)
def test_calls_come_through_with_broken_arguments_and_invented_names(
    server: WireServer, model: Model, runner: asyncio.Runner, stream: bool
) -> None:
    server.play("k", [script.tool_calls([("query_logs", '{"service": "a'), ("nope", "not json")], text="so", ids=["a", "b"])])
    response = ask(runner, model, stream)
    calls = [(part.tool_call_id, part.tool_name, part.args) for part in response.parts if isinstance(part, ToolCallPart)]

    assert calls == [("a", "query_logs", '{"service": "a'), ("b", "nope", "not json")]
    assert (text_of(response), response.finish_reason) == ("so", "tool_call")


@pytest.mark.parametrize("stream", STREAMED)
@pytest.mark.parametrize(
    ("turn", "content", "finish"),
    [
        (script.cut("The cause is"), "The cause is", "length"),
        (script.tool_calls([("query_logs", '{"serv')], finish="length"), "", "length"),
        (script.refusal("I cannot."), "", "content_filter"),
        (script.filtered("par"), "par", "content_filter"),
        (script.text(""), "", "stop"),
    ],
)
def test_why_an_answer_ended_comes_through(
    server: WireServer, model: Model, runner: asyncio.Runner, stream: bool, turn: script.Turn, content: str, finish: str
) -> None:
    server.play("k", [turn])
    response = ask(runner, model, stream)

    assert (text_of(response), response.finish_reason) == (content, finish)


@pytest.mark.parametrize(
    ("status", "raised"),
    [(400, ModelRequestRejectedError), (429, ModelRateLimitError), (529, ModelOverloadedError), (500, ModelHTTPError)],
)
def test_errors_come_through_with_words_and_headers(
    server: WireServer, model: Model, runner: asyncio.Runner, status: int, raised: type[Exception]
) -> None:
    server.play("k", [script.error(status, "in its own words", headers={"retry-after": "7"})])

    with pytest.raises(raised, match="in its own words") as caught:
        ask(runner, model)
    assert isinstance(caught.value, ModelHTTPError)
    assert (caught.value.status_code, (caught.value.headers or {})["retry-after"]) == (status, "7")
    assert len(server.requests) == 1


@pytest.mark.parametrize("stream", STREAMED)
def test_a_malformed_answer_comes_through_as_one(server: WireServer, model: Model, runner: asyncio.Runner, stream: bool) -> None:
    server.play("k", [script.malformed(b"{", content_type="application/json"), script.malformed(b'{"hello": 1}')])

    with pytest.raises((ModelAPIError, UnexpectedModelBehavior)):
        ask(runner, model, stream)
    with pytest.raises((UnexpectedModelBehavior, TypeError)):  # TypeError: a message of Anthropic's without content
        ask(runner, model, stream)


@pytest.mark.parametrize("stream", STREAMED)
@pytest.mark.parametrize("turn", [script.drop(), script.drop(script.text("a long answer that never ends"))])
def test_a_dropped_connection_comes_through(
    server: WireServer, model: Model, runner: asyncio.Runner, stream: bool, turn: script.Turn
) -> None:
    server.play("k", [turn])

    with pytest.raises(ModelConnectionError):
        ask(runner, model, stream)


def test_a_stream_that_ends_tidily_has_no_finish_reason_of_the_provider(
    server: WireServer, model: Model, runner: asyncio.Runner
) -> None:
    whole = "a long answer that ends nowhere " * 9
    server.play("k", [script.drop(script.text(whole), tidy=True)])
    response = ask(runner, model, stream=True)

    assert whole.startswith(text_of(response))
    assert text_of(response) not in ("", whole)
    assert "finish_reason" not in (response.provider_details or {})


@pytest.mark.parametrize("stream", STREAMED)
def test_a_time_out_is_of_silence_and_only_the_deadline_is_of_the_whole(
    server: WireServer, model: Model, runner: asyncio.Runner, stream: bool
) -> None:
    trickle = script.slow(script.text("hello"), bytes_per_write=40, pause_s=0.1)
    server.play("k", [script.hang(30), trickle])

    with pytest.raises(ModelTimeoutError):
        ask(runner, model, stream, timeout=0.2)
    begun = time.monotonic()
    with pytest.raises(ModelRequestTimeout):
        ask(runner, model, stream, timeout=0.2, request_timeout=0.4)
    assert time.monotonic() - begun < 2
