"""One line to a provider: an event loop, an HTTP client on it, and pydantic-ai's model over both."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine
from functools import cache
from typing import Any, Final, TypeVar

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.anthropic import AnthropicModelProfile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from groundwire.adapters.models.spec import ModelSpec, Provider

_Result = TypeVar("_Result")

_GATEWAY: Final = OpenAIModelProfile(
    openai_chat_supports_max_completion_tokens=False, openai_chat_supports_multiple_system_messages=False
)

_ANTHROPIC: Final = AnthropicModelProfile(supports_json_schema_output=True)
"""Known models that take no schema are told apart by their answer: names newer than the SDK are none that it knows."""


class Connection:
    """Serves one request at a time, from whichever thread; what one loop opened no other loop can use."""

    def __init__(self, spec: ModelSpec, api_key: str | None) -> None:
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._client = httpx2.AsyncClient(verify=_trust(is_https=spec.base_url.startswith("https:")), follow_redirects=False)
        self.model = _model(spec, api_key, self._client)

    def run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        return self._runner.run(work)

    def close(self) -> None:
        try:
            self._runner.run(self._client.aclose())
        finally:
            self._runner.close()


@cache
def _trust(*, is_https: bool) -> ssl.SSLContext:
    """Return the certificates, loaded once (20 to 80 ms); without TLS none are needed, and an empty context trusts nobody."""
    return httpx2.create_ssl_context() if is_https else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _model(spec: ModelSpec, api_key: str | None, client: httpx2.AsyncClient) -> Model[Any]:
    """Return the model. Address and key are always given: left out, the SDKs look for them in places of their own."""
    if spec.provider is Provider.ANTHROPIC:
        anthropic = AnthropicProvider(base_url=spec.base_url, api_key=api_key or "", http_client=client)
        return AnthropicModel(spec.name, provider=anthropic, profile=_ANTHROPIC)
    if spec.provider is Provider.OPENAI:
        return OpenAIChatModel(
            spec.name, provider=OpenAIProvider(base_url=spec.base_url, api_key=api_key or "", http_client=client)
        )
    gateway = OpenAICompatibleProvider("gateway", base_url=spec.base_url, api_key=api_key, http_client=client)
    return OpenAIChatModel(spec.name, provider=gateway, profile=_GATEWAY)
