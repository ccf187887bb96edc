"""The parameters of a call: as the tool takes them, as the row keeps them, as a person sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from groundwire.domain.errors import InvalidParamsError
from groundwire.domain.masking import clean_value

Params = Mapping[str, Any] | str
"""An object, or the text that a caller wrote in its place."""


def parsed_params(params: Params) -> Mapping[str, Any]:
    """Return the parameters as a JSON object.

    Raises:
        InvalidParamsError: They are no such object.
    """
    if isinstance(params, Mapping):
        return params
    try:
        parsed = orjson.loads(params)
    except (orjson.JSONDecodeError, UnicodeEncodeError) as exc:
        raise InvalidParamsError(f"the parameters are not JSON: {exc}") from exc
    if not isinstance(parsed, dict):
        raise InvalidParamsError(f"the parameters must be one JSON object, not {type(parsed).__name__}")
    return parsed


def storable_params(params: Params) -> tuple[dict[str, Any], bytes]:
    """Return the parameters as they can be stored, and as JSON; text that is no JSON object is kept under ``raw``."""
    try:
        cleaned: dict[str, Any] = clean_value(dict(parsed_params(params)))
        return cleaned, orjson.dumps(cleaned, option=orjson.OPT_SORT_KEYS)
    except (InvalidParamsError, TypeError):
        cleaned = {"raw": clean_value(str(params))[:2000]}
        return cleaned, orjson.dumps(cleaned)


def shown_params(params: Mapping[str, Any]) -> str:
    """Return the parameters in a line for a person who watches."""
    return " ".join(f"{key}={value}" for key, value in params.items())[:120]
