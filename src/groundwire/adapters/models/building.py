"""From the words of a setting to a model that can be asked; the SDKs are loaded here and nowhere before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.adapters.models.spec import ModelSpec, Provider, parse_spec
from groundwire.domain.errors import UsageError

if TYPE_CHECKING:
    from groundwire.adapters.models.provider_model import ProviderModel

_VARIABLES = {Provider.OPENAI: "OPENAI_API_KEY", Provider.ANTHROPIC: "ANTHROPIC_API_KEY"}


def make_language_model(
    spec: str,
    *,
    api_key: str | None,
    base_url: str | None,
    timeout_s: float,
    max_tokens: int,
    setting: str = "model",
    prompts_tools: bool = False,
) -> ProviderModel:
    """Return the model that ``spec`` names; nothing is sent yet. ``setting`` is ``model`` or ``judge``: whose key it takes.
    ``prompts_tools``: it is offered no tools but in words.

    Raises:
        UsageError: The spec or the key cannot be used, or the packages that speak to providers are not installed.
    """
    parsed = parse_spec(spec, base_url=base_url, setting=setting)
    key = _checked_key(parsed, api_key, setting)
    try:
        from groundwire.adapters.models.provider_model import ProviderModel
    except ModuleNotFoundError as exc:
        if exc.name is None or exc.name.startswith("groundwire"):
            raise
        raise UsageError(
            f"{parsed.label} needs packages that are not installed: no module named {exc.name!r}",
            hint='Install them with: pip install "groundwire[models]"',
        ) from exc
    return ProviderModel(parsed, api_key=key, timeout_s=timeout_s, max_tokens=max_tokens, prompts_tools=prompts_tools)


def _checked_key(spec: ModelSpec, api_key: str | None, setting: str) -> str | None:
    key = (api_key or "").strip()
    variable = _VARIABLES.get(spec.provider)
    if not key and variable is not None:
        raise UsageError(f"{spec.label} needs an API key", hint=f"Set {variable}, or GROUNDWIRE_{setting.upper()}_API_KEY.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"the API key of the {setting} holds characters that no key has", hint="It is not shown here.")
    return key or None
