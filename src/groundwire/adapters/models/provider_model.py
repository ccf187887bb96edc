"""A `LanguageModel` over pydantic-ai's direct model requests."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.settings import ModelSettings

from groundwire.adapters.models.answer_forms import FORMS_OF, AnswerForm, extra_body, is_about_the_form
from groundwire.adapters.models.connection import Connection
from groundwire.adapters.models.faults import fault_of, is_about_tools, retry_after_s, words_of
from groundwire.adapters.models.history import Said, to_history
from groundwire.adapters.models.prompted_tools import with_calls
from groundwire.adapters.models.replies import holds_more_than, to_reply
from groundwire.adapters.models.secrecy import shown
from groundwire.adapters.models.spec import ModelSpec
from groundwire.adapters.models.wanted import Wanted, native, prompted
from groundwire.domain.deadline import Deadline
from groundwire.domain.model import ModelFault, ModelMessage, ModelReply, ToolOffer

_LONGEST_RATE_WAIT_S: Final = 10.0


class ProviderModel:
    """Asks the provider itself: no retries but one after a short rate limit, nothing streamed, one deadline over all of it.

    Each request has a connection to itself, so that threads may ask at once; they are kept open until `close`.
    ``prompts_tools``: tools are asked for in words from the start, not only once the server refused its own.

    Source:
        pydantic-ai 2.68, "Direct model requests"; OpenAI chat completions; Anthropic messages.
    """

    def __init__(
        self, spec: ModelSpec, *, api_key: str | None, timeout_s: float, max_tokens: int, prompts_tools: bool = False
    ) -> None:
        self.name = spec.label
        self._spec = spec
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._max_tokens = max_tokens
        self._forms = FORMS_OF[spec.provider]
        self._prompts_tools = prompts_tools
        self._has_taken_tools = False
        self._last_described: tuple[ToolOffer, ...] = ()
        self._idle: deque[Connection] = deque()
        self._is_closed = False
        self._originals: dict[Said, ModelResponse] = {}

    def request(
        self,
        messages: Sequence[ModelMessage],
        *,
        tools: Sequence[ToolOffer],
        schema: Mapping[str, Any] | None,
        deadline: Deadline,
    ) -> ModelReply:
        begun = time.monotonic()
        allowed_s = min(self._timeout_s, deadline.remaining_s)
        if allowed_s <= 0:
            return self._fault(ModelFault.TIMEOUT, f"no time was left of {deadline.after_s:g} s", begun)
        connection = self._connection()
        try:
            response, wanted = connection.run(self._answer(connection, messages, tools, schema, allowed_s))
        except TimeoutError:
            return self._fault(ModelFault.TIMEOUT, f"no whole answer within {allowed_s:.3g} s", begun)
        except Exception as exc:  # noqa: BLE001 - an answer of the wrong shape surfaces as whatever the SDK stumbles over
            fault = fault_of(exc)
            said = f"no whole answer within {allowed_s:.3g} s" if fault is ModelFault.TIMEOUT else words_of(exc)
            return self._fault(fault, said, begun)
        finally:
            self._idle.append(connection)
            if self._is_closed:
                self.close()
        return self._reply(response, begun, holds_calls=wanted.holds_calls)

    def close(self) -> None:
        """Close every connection; one that a thread still uses is closed as soon as that request ends."""
        self._is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _connection(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return Connection(self._spec, self._api_key)

    async def _answer(
        self,
        connection: Connection,
        messages: Sequence[ModelMessage],
        tools: Sequence[ToolOffer],
        schema: Mapping[str, Any] | None,
        allowed_s: float,
    ) -> tuple[ModelResponse, Wanted]:
        """Return the answer and what it answers; a server that takes no tools is asked for their calls in words from then on."""
        ends_at = asyncio.get_running_loop().time() + allowed_s
        # The SDKs' own timeouts are of the silence between two reads, which bytes that trickle never end.
        async with asyncio.timeout_at(ends_at):
            if not self._prompts_tools:
                wanted = native(messages, tools, schema)
                try:
                    response = await self._in_some_form(connection, wanted, ends_at)
                except ModelHTTPError as exc:
                    if not tools or self._has_taken_tools or not is_about_tools(exc):
                        raise
                    refusal = exc
                else:
                    self._has_taken_tools = self._has_taken_tools or bool(tools)
                    return response, wanted
            wanted = prompted(messages, tools, schema, described=self._described(tools))
            try:
                response = await self._in_some_form(connection, wanted, ends_at)
            except ModelHTTPError as exc:
                raise exc if self._prompts_tools else refusal from None
            self._prompts_tools = True
            return response, wanted

    def _described(self, tools: Sequence[ToolOffer]) -> Sequence[ToolOffer]:
        """Return the tools to describe: those of the requests before, where all of ``tools`` are among them.

        A text that stays the same need not be read again by a server that keeps what it has read.
        """
        described = self._last_described
        if not all(tool in described for tool in tools):
            described = self._last_described = tuple(tools)
        return described

    async def _in_some_form(self, connection: Connection, wanted: Wanted, ends_at: float) -> ModelResponse:
        if wanted.schema is None:
            return await self._asked(connection, wanted, AnswerForm.PROMPTED, ends_at)
        forms = self._forms
        for index, form in enumerate(forms):
            try:
                response = await self._asked(connection, wanted, form, ends_at)
            except ModelHTTPError as exc:
                if index + 1 == len(forms) or not is_about_the_form(exc, self._spec.provider):
                    raise
                continue
            if index:
                self._forms = forms[index:]
            return response
        raise AssertionError("there is always a last form")

    async def _asked(self, connection: Connection, wanted: Wanted, form: AnswerForm, ends_at: float) -> ModelResponse:
        """Return the answer; a rate limit that is soon over is waited for, once."""
        history = to_history(wanted.messages, added_instructions=wanted.words, originals=self._originals)
        params = wanted.parameters(form)
        clock = asyncio.get_running_loop()
        for may_wait in (True, False):
            settings = self._settings(wanted, form, max(0.001, ends_at - clock.time()))
            try:
                return await model_request(connection.model, history, model_settings=settings, model_request_parameters=params)
            except ModelHTTPError as exc:
                wait_s = retry_after_s(exc) if exc.status_code == 429 and may_wait else None
                if wait_s is None or wait_s > min(_LONGEST_RATE_WAIT_S, ends_at - clock.time()):
                    raise
                await asyncio.sleep(wait_s)
        raise AssertionError("the second attempt returns or raises")

    def _settings(self, wanted: Wanted, form: AnswerForm, left_s: float) -> ModelSettings:
        settings = ModelSettings(max_tokens=self._max_tokens, max_retries=0, timeout=left_s, request_timeout=left_s)
        body = None if wanted.schema is None else extra_body(form, wanted.schema)
        if body is not None:
            settings["extra_body"] = body
        return settings

    def _reply(self, response: ModelResponse, begun: float, *, holds_calls: bool) -> ModelReply:
        reply = to_reply(response, provider_name=self._spec.server, duration_ms=_since(begun), api_key=self._api_key)
        if holds_more_than(response, reply):
            self._originals[reply.text, reply.tool_calls] = response
        return with_calls(reply) if holds_calls else reply

    def _fault(self, fault: ModelFault, said: str, begun: float) -> ModelReply:
        return ModelReply(
            provider_name=self._spec.server,
            duration_ms=_since(begun),
            fault=fault,
            error_message=shown(said, api_key=self._api_key) or fault.value,
        )


def _since(begun: float) -> float:
    return (time.monotonic() - begun) * 1000
