"""The kinds of value that settings have, each read from a text where it comes as one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode

DEAREST: Final = 100_000
PRICES_EXAMPLE: Final = '{"NAME": {"input": 2.5, "output": 10}}'


class ModelPrice(BaseModel):
    """What a model costs, in one currency of the user's choice, for a million tokens it reads and a million it writes."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    input: float = Field(ge=0, le=DEAREST)
    output: float = Field(ge=0, le=DEAREST)


def as_list(value: object) -> object:
    """Return the items of a text: JSON when it starts with a bracket, otherwise separated by commas."""
    if not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return [item.strip() for item in value.split(",") if item.strip()]
    try:
        return json.loads(value)
    except ValueError as exc:
        raise ValueError('a list that starts with [ must be JSON, such as ["/var/log/shop", "/srv/logs"]') from exc


def _as_table(value: object) -> object:
    """Return what a text holds as JSON."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as exc:
        raise ValueError(f"it takes JSON, such as {PRICES_EXAMPLE}") from exc


def _is_usable(text: str) -> str:
    if not text.strip() or "\x00" in text:
        raise ValueError("it must not be empty or hold a NUL")
    return text


def _is_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError) as exc:
        raise ValueError("it takes an IANA time zone, such as UTC or Europe/Berlin") from exc
    return name


SomeText = Annotated[str, AfterValidator(_is_usable)]
ZoneName = Annotated[str, AfterValidator(_is_zone)]
Prices = Annotated[Mapping[str, ModelPrice], NoDecode, BeforeValidator(_as_table)]
