"""A `LanguageModel` over pydantic-ai's direct model requests."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from groundwire.adapters.models.answer_forms import FORMS_OF, AnswerForm, extra_body, is_about_the_form, schema_in_words
from groundwire.adapters.models.connection import Connection
from groundwire.adapters.models.faults import fault_of, retry_after_s, words_of
from groundwire.adapters.models.history import Said, to_history
from groundwire.adapters.models.replies import holds_more_than, to_reply
from groundwire.adapters.models.secrecy import shown
from groundwire.adapters.models.spec import ModelSpec
from groundwire.domain.deadline import Deadline
from groundwire.domain.model import ModelFault, ModelMessage, ModelReply, ToolOffer

_LONGEST_RATE_WAIT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the caller asks for, whichever way it is sent."""

    messages: Sequence[ModelMessage]
    tools: Sequence[ToolOffer]
    schema: Mapping[str, Any] | None

    @property
    def words(self) -> str | None:
        return None if self.schema is None else schema_in_words(self.schema)

    def parameters(self, form: AnswerForm) -> ModelRequestParameters:
        offered = [
            ToolDefinition(
                name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters), strict=False
            )
            for tool in self.tools
        ]
        if self.schema is None or form is not AnswerForm.NATIVE:
            return ModelRequestParameters(function_tools=offered)
        answer = OutputObjectDefinition(json_schema=dict(self.schema), name="answer")
        return ModelRequestParameters(function_tools=offered, output_mode="native", output_object=answer)


class ProviderModel:
    """Asks the provider itself: no retries but one after a short rate limit, nothing streamed, one deadline over all of it.

    Each request has a connection to itself, so that threads may ask at once; they are kept open until `close`.

    Source:
        pydantic-ai 2.68, "Direct model requests"; OpenAI chat completions; Anthropic messages.
    """

    def __init__(self, spec: ModelSpec, *, api_key: str | None, timeout_s: float, max_tokens: int) -> None:
        self.name = spec.label
        self._spec = spec
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._max_tokens = max_tokens
        self._forms = FORMS_OF[spec.provider]
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
            response = connection.run(self._answer(connection, _Wanted(messages, tools, schema), allowed_s))
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
        return self._reply(response, begun)

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

    async def _answer(self, connection: Connection, wanted: _Wanted, allowed_s: float) -> ModelResponse:
        ends_at = asyncio.get_running_loop().time() + allowed_s
        # The SDKs' own timeouts are of the silence between two reads, which bytes that trickle never end.
        async with asyncio.timeout_at(ends_at):
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

    async def _asked(self, connection: Connection, wanted: _Wanted, form: AnswerForm, ends_at: float) -> ModelResponse:
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

    def _settings(self, wanted: _Wanted, form: AnswerForm, left_s: float) -> ModelSettings:
        settings = ModelSettings(max_tokens=self._max_tokens, max_retries=0, timeout=left_s, request_timeout=left_s)
        body = None if wanted.schema is None else extra_body(form, wanted.schema)
        if body is not None:
            settings["extra_body"] = body
        return settings

    def _reply(self, response: ModelResponse, begun: float) -> ModelReply:
        reply = to_reply(response, provider_name=self._spec.server, duration_ms=_since(begun), api_key=self._api_key)
        if holds_more_than(response, reply):
            self._originals[reply.text, reply.tool_calls] = response
        return reply

    def _fault(self, fault: ModelFault, said: str, begun: float) -> ModelReply:
        return ModelReply(
            provider_name=self._spec.server,
            duration_ms=_since(begun),
            fault=fault,
            error_message=shown(said, api_key=self._api_key) or fault.value,
        )


def _since(begun: float) -> float:
    return (time.monotonic() - begun) * 1000
