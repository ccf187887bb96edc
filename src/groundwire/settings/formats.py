"""A line format of the user's own: a table ``[[log_formats]]``."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode

from groundwire.settings.values import SomeText

FORMAT_EXAMPLE: Final = (
    r"""{name = "till", pattern = '(?P<time>\S+ \S+) (?P<level>\w+) (?P<message>.*)', time_format = "%d/%m/%Y %H:%M:%S"}"""
)


class LogFormatTable(BaseModel):
    """A pattern in the syntax of RE2, and how its group ``time`` is written: as ``strptime`` says it, ``epoch``, or ISO 8601."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(pattern=r"\A[\w.-]{1,60}\z")
    pattern: Annotated[SomeText, Field(max_length=2000)]
    time_format: Annotated[SomeText, Field(max_length=100)] | None = None


def _as_tables(value: object) -> Any:
    """Return what a text holds as JSON."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as exc:
        raise ValueError("it takes a list of tables as JSON, each with a name and a pattern") from exc


LogFormats = Annotated[tuple[LogFormatTable, ...], NoDecode, BeforeValidator(_as_tables)]
