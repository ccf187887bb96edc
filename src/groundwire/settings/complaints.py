"""What is said of a value that does not fit: where it was set, what was given, what is accepted."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from groundwire.domain.errors import UsageError
from groundwire.domain.masking import mask_text
from groundwire.settings.declared import Settings
from groundwire.settings.names import LISTS, SECRETS, variable_of
from groundwire.settings.values import DEAREST, PRICES_EXAMPLE


def usage_error(
    exc: ValidationError, path: Path, *, is_flag: Callable[[str], bool], is_variable: Callable[[str], bool]
) -> UsageError:
    """Return one sentence about the first thing that does not fit.

    ``is_flag`` and ``is_variable`` tell whether a setting was given so; the rest stands in the file at ``path``.
    """
    first = exc.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
        close = difflib.get_close_matches(name, Settings.model_fields, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"It takes {', '.join(Settings.model_fields)}."
        return UsageError(f"{str(path)!r} sets {name!r}, which is no setting of Groundwire", hint=hint)
    if is_flag(name):
        where = f"--{name.replace('_', '-')}"
    elif is_variable(name):
        where = variable_of(name)
    else:
        where = f"{name} in {str(path)!r}"
    given = "[masked]" if name in SECRETS else mask_text(repr(first["input"]))
    given = given if len(given) <= 80 else given[:77] + "..."
    return UsageError(f"{where} cannot be {given}: {_accepted(name, first)}")


def _accepted(name: str, error: Mapping[str, Any]) -> str:
    if error["type"] == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if name == "model_prices":
        model = next(iter(error["loc"][1:]), None)
        who = "it takes a table of models, each with" if model is None else f"the price of {mask_text(repr(model))} takes"
        return f"{who} an input and an output from 0 to {DEAREST}, such as {PRICES_EXAMPLE}"
    if error["type"] == "literal_error":
        return f"it takes {error['ctx']['expected']}"
    bounds = {type(bound).__name__: bound for bound in Settings.model_fields[name].metadata}
    if "Ge" in bounds and "Le" in bounds:
        number = "whole number" if Settings.model_fields[name].annotation in (int, int | None) else "number"
        return f"it takes a {number} from {bounds['Ge'].ge:.12g} to {bounds['Le'].le:.12g}"
    return "it takes a list of texts" if name in LISTS else "it takes a text"
