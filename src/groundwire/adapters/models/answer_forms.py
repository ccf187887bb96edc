"""How JSON of a schema is asked for: in the provider's own way, and where a gateway refuses it, in plainer ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, Final

from pydantic_ai.exceptions import ModelContextWindowExceededError, ModelHTTPError

from groundwire.adapters.models.spec import Provider


class AnswerForm(Enum):
    """A way to ask for JSON, the strictest first."""

    NATIVE = auto()
    OBJECT_OF_SCHEMA = auto()
    """``json_object`` with the schema beside it, as llama.cpp and its relatives take it."""
    OBJECT = auto()
    PROMPTED = auto()


_COMMON: Final = (AnswerForm.NATIVE, AnswerForm.OBJECT, AnswerForm.PROMPTED)
FORMS_OF: Final[Mapping[Provider, tuple[AnswerForm, ...]]] = {
    Provider.OPENAI: _COMMON,
    Provider.COMPATIBLE: tuple(AnswerForm),
    Provider.ANTHROPIC: (AnswerForm.NATIVE, AnswerForm.PROMPTED),
}


def is_about_the_form(exc: ModelHTTPError, provider: Provider) -> bool:
    """Return whether a plainer form may be taken: gateways answer 400, 422 or 500 and name any parameter they like."""
    if isinstance(exc, ModelContextWindowExceededError):
        return False
    return exc.status_code in (400, 422) or (provider is Provider.COMPATIBLE and exc.status_code in (500, 501))


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """Return what the system's text says of the schema; also beside a native form, which some gateways silently leave out."""
    return (
        "Answer with one JSON object and nothing else: no prose before or after it, no code fence."
        f" It has to fit this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


def extra_body(form: AnswerForm, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what goes into the request beside the messages."""
    if form is AnswerForm.OBJECT_OF_SCHEMA:
        return {"response_format": {"type": "json_object", "schema": dict(schema)}}
    return {"response_format": {"type": "json_object"}} if form is AnswerForm.OBJECT else None
