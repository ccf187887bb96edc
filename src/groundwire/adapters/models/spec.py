"""How a person names a model: ``openai:NAME``, ``anthropic:NAME`` or ``openai-compatible:NAME@URL``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from groundwire.domain.errors import UsageError

FORMS: Final = "openai:NAME, anthropic:NAME or openai-compatible:NAME@URL"

_NAMED_AT: Final = re.compile(r"(?P<name>.+?)@(?P<url>https?://.*)", re.DOTALL | re.IGNORECASE)

_OTHER_ADDRESS: Final = re.compile(r"[^@]+@[a-z][a-z0-9+.-]*:/", re.IGNORECASE)


class Provider(StrEnum):
    """Whose protocol is spoken."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMPATIBLE = "openai-compatible"


_PUBLIC: Final = {Provider.OPENAI: "https://api.openai.com/v1", Provider.ANTHROPIC: "https://api.anthropic.com"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """A model and where it is asked. ``label`` names it for people: it holds no address."""

    provider: Provider
    name: str
    base_url: str

    @property
    def label(self) -> str:
        return f"{self.provider.value}:{self.name}"

    @property
    def server(self) -> str:
        """The host that requests go to, with its port where the URL has one."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def parse_spec(text: str, *, base_url: str | None = None, setting: str = "model") -> ModelSpec:
    """Return the model that ``text`` names; ``base_url`` stands in for the provider's public address, or for a missing ``@URL``.

    ``setting`` is ``model`` or ``judge``: which of them an error is about.

    Raises:
        UsageError: It names no provider of ours, no model, or an address that cannot be used.
    """
    known, _, rest = text.strip().partition(":")
    where = "--model" if setting == "model" else f"{setting}_model"
    if known not in set(Provider):
        raise UsageError(f"{where} takes {FORMS}, and {known!r} is none of these providers")
    provider = Provider(known)
    named = _NAMED_AT.fullmatch(rest) if provider is Provider.COMPATIBLE else None
    name, url = (named["name"], named["url"]) if named else (rest, base_url or _PUBLIC.get(provider))
    if not name.strip() or not name.isprintable():
        raise UsageError(f"{where} {known}: names no model", hint=f"It takes {FORMS}.")
    if url is None or _OTHER_ADDRESS.match(name):
        # What follows the @ is not shown: it may hold a password.
        bare, at, _ = name.partition("@")
        what = " (what follows its @ is no http or https URL)" if at else ""
        raise UsageError(
            f"{where} {provider.value}:{bare} does not say where the server is{what}",
            hint=f"Write {provider.value}:{bare}@http://localhost:8000/v1, or set {setting}_base_url.",
        )
    return ModelSpec(provider=provider, name=name.strip(), base_url=_checked(provider, url.strip(), setting))


def _checked(provider: Provider, url: str, setting: str) -> str:
    """Return the address as the provider's SDK wants it: OpenAI's ends in a path, Anthropic's before its ``/v1``."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or not url.isprintable() or " " in url:
        raise UsageError(f"the address of the {setting} is no http or https URL", hint="Such as http://localhost:8000/v1.")
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError(
            f"the address of the {setting} holds more than a server and a path",
            hint=f"A key belongs into GROUNDWIRE_{setting.upper()}_API_KEY, where it is neither stored nor shown.",
        )
    url = url.rstrip("/")
    if provider is Provider.ANTHROPIC:
        return url.removesuffix("/v1")
    return url if parts.path.strip("/") else f"{url}/v1"
