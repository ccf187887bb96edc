"""Whose key is whose: where the providers' own tools look for one, and which setting it fills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from groundwire.settings.declared import Settings

_PROVIDER_KEYS: Final = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


def missing_keys(settings: Settings) -> Iterator[tuple[str, str]]:
    """Return each setting of a key that is not set, with the variable in which the provider's own key may stand.

    No other server is ever sent one of these. A judge at the place where the model is asked is given the model's key.
    """
    if settings.model_api_key is None and (variable := _PROVIDER_KEYS.get(_provider(settings.model))):
        yield "model_api_key", variable
    if settings.judge_api_key is None and (variable := _PROVIDER_KEYS.get(_provider(settings.judge_model))):
        is_beside_the_model = _provider(settings.judge_model) == _provider(settings.model) and (
            settings.judge_base_url in (None, settings.model_base_url)
        )
        if not is_beside_the_model or settings.model_api_key is None:
            yield "judge_api_key", variable


def _provider(spec: str | None) -> str:
    return (spec or "").partition(":")[0].strip()
