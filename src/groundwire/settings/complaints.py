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
from groundwire.settings.formats import FORMAT_EXAMPLE
from groundwire.settings.names import LISTS, SECRETS, variable_of
from groundwire.settings.tables import ACCEPTED, SECRET_NAMES, SOURCE_VALUE, TABLES
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
    given_as_flag, given_as_variable = is_flag(name), is_variable(name)
    if "table" in first["loc"]:
        where = f"--{name}" if given_as_flag else variable_of(name) if given_as_variable else f"{str(path)!r}"
        return _table_error(name, first, where)
    if given_as_flag:
        where = f"--{name.replace('_', '-')}"
    elif given_as_variable:
        where = variable_of(name)
    else:
        where = f"{name} in {str(path)!r}"
    given = "[masked]" if name in SECRETS else _shown(first["input"])
    return UsageError(f"{where} cannot be {given}: {_accepted(name, first)}")


def _table_error(name: str, error: Mapping[str, Any], where: str) -> UsageError:
    """Return one sentence about a table of a source; what was given is not repeated where it could be a secret."""
    number, keys = int(error["loc"][1]) + 1, [str(key) for key in error["loc"][3:]]
    table = f"[[{'knowledge' if name == 'runbooks' else name}]] {number} in {where}"
    if error["type"] == "extra_forbidden" and len(keys) == 1:
        return _unknown_key(name, table, keys[0])
    key, given, accepted = keys[0] if keys else "", error["input"], ""
    if error["type"] == SOURCE_VALUE:
        key, accepted = error["ctx"]["field"], error["ctx"]["said"]
        given = error["input"].get(key, given) if isinstance(error["input"], Mapping) else given
    elif error["type"] == "missing":
        return UsageError(f"{table} has no {key}: {ACCEPTED.get(key, 'it is needed')}")
    elif error["type"] == "value_error":
        accepted = str(error["msg"]).removeprefix("Value error, ")
    shown = "[masked]" if key.endswith("_env") else _shown(given)
    return UsageError(f"{table}: {key} cannot be {shown}: {accepted or ACCEPTED.get(key, 'it takes a text')}")


def _unknown_key(name: str, table: str, key: str) -> UsageError:
    if key.lower() in SECRET_NAMES:
        return UsageError(
            f"{table} sets {key!r}, and a secret has no place in settings",
            hint=f"Put it into an environment variable, and the name of that here: {SECRET_NAMES[key.lower()]}.",
        )
    keys = list(TABLES[name].model_fields)
    close = difflib.get_close_matches(key, keys, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"It takes {', '.join(keys)}."
    return UsageError(f"{table} sets {key!r}, which it does not take", hint=hint)


def _shown(value: Any) -> str:
    """Return what was given as it is shown: masked, and cut to 80 characters."""
    given = mask_text(repr(value))
    return given if len(given) <= 80 else given[:77] + "..."


def _accepted(name: str, error: Mapping[str, Any]) -> str:
    if error["type"] == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if name == "model_prices":
        model = next(iter(error["loc"][1:]), None)
        who = "it takes a table of models, each with" if model is None else f"the price of {mask_text(repr(model))} takes"
        return f"{who} an input and an output from 0 to {DEAREST}, such as {PRICES_EXAMPLE}"
    if name == "log_formats":
        keys = ".".join(str(part) for part in error["loc"][2:])
        which = f"entry {error['loc'][1] + 1}, {keys or 'which'}: {error['msg']}; " if len(error["loc"]) > 1 else ""
        return f"{which}it takes tables such as {FORMAT_EXAMPLE}"
    if error["type"] == "literal_error":
        return f"it takes {error['ctx']['expected']}"
    bounds = {type(bound).__name__: bound for bound in Settings.model_fields[name].metadata}
    if "Ge" in bounds and "Le" in bounds:
        number = "whole number" if Settings.model_fields[name].annotation in (int, int | None) else "number"
        return f"it takes a {number} from {bounds['Ge'].ge:.12g} to {bounds['Le'].le:.12g}"
    return "it takes a list of texts or tables" if name in LISTS else "it takes a text"
