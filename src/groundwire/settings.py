"""Settings: a flag wins over the environment, the environment over ``groundwire.toml``, the file over the defaults.

No other module reads the environment.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from groundwire.domain.errors import UsageError
from groundwire.domain.masking import mask_text

CONFIG_FILE: Final = "groundwire.toml"
ENV_PREFIX: Final = "GROUNDWIRE_"
DEMO: Final = "demo"
"""Names the built-in source of its kind, wherever a folder or a file can be named."""

_PATHS: Final = ("db", "logs", "alerts", "runbooks", "record", "replay")
_LISTS: Final = ("logs", "alerts", "metrics", "runbooks")
_SECRETS: Final = ("model_api_key",)
_PROVIDER_KEYS: Final = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""Where the providers' own tools look for a key; no other server is ever sent one of these."""
_DEAREST: Final = 100_000
_PRICES_EXAMPLE: Final = '{"NAME": {"input": 2.5, "output": 10}}'


def _as_list(value: object) -> object:
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
        raise ValueError(f"it takes JSON, such as {_PRICES_EXAMPLE}") from exc


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


def _default_db() -> str:
    return str(platformdirs.user_data_path("groundwire", appauthor=False) / "groundwire.db")


class ModelPrice(BaseModel):
    """What a model costs, in one currency of the user's choice, for a million tokens it reads and a million it writes."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    input: float = Field(ge=0, le=_DEAREST)
    output: float = Field(ge=0, le=_DEAREST)


_Text = Annotated[str, AfterValidator(_is_usable)]
_List = Annotated[tuple[_Text, ...], NoDecode, BeforeValidator(_as_list)]
_Prices = Annotated[Mapping[str, ModelPrice], NoDecode, BeforeValidator(_as_table)]


class Settings(BaseSettings):
    """Everything that can be set, as plain values; :func:`load_settings` reads them from outside.

    Sources are named as the user named them: a path, a URL, or ``demo``. Times are seconds.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=ENV_PREFIX, env_ignore_empty=True)

    db: _Text = Field(default_factory=_default_db, repr=False, description="Where sessions are kept: a file, or a database URL.")
    logs: _List = Field(default=(), description="Folders or files of logs, or demo.")
    alerts: _List = Field(default=(), repr=False, description="Saved alert answers (files), alert URLs, or demo.")
    metrics: _List = Field(default=(), repr=False, description="Prometheus URLs.")
    runbooks: _List = Field(default=(), description="Folders of Markdown runbooks, or demo.")
    timezone: Annotated[str, AfterValidator(_is_zone)] = Field(default="UTC", description="Zone of log times that name none.")
    year: int | None = Field(default=None, ge=1970, le=2200, description="Year of log times that name none.")
    call_timeout_s: float = Field(default=30.0, ge=1, le=600, description="How long one tool call may take.")
    busy_timeout_s: float = Field(default=10.0, ge=0.1, le=600, description="How long to wait for a locked database.")
    investigator: _Text = Field(default="playbook", description="The built-in playbook, or an installed investigator by name.")
    model: _Text | None = Field(default=None, repr=False, description="The model that investigates; none by default.")
    model_api_key: SecretStr | None = Field(default=None, repr=False, description="The key of the model's server.")
    model_base_url: _Text | None = Field(default=None, repr=False, description="Where the model is asked instead.")
    model_timeout_s: float = Field(default=120.0, ge=1, le=3600, description="How long one request to a model may take.")
    model_max_tokens: int = Field(default=8000, ge=16, le=200_000, description="How long one answer of a model may be.")
    model_tools: Literal["native", "prompted"] = Field(
        default="native", description="Whether a model calls tools in its server's own way, or as JSON in its text."
    )
    model_max_context: int = Field(
        default=80_000, ge=4000, le=10_000_000, description="How many characters of a conversation are sent at once."
    )
    model_max_requests: int = Field(default=12, ge=2, le=1000, description="How often one diagnosis may ask its model.")
    model_max_tool_calls: int = Field(default=24, ge=1, le=1000, description="How many tool calls a model may make.")
    model_max_total_tokens: int = Field(
        default=200_000, ge=1000, le=100_000_000, description="How many tokens one diagnosis may send and be sent."
    )
    model_max_seconds: float = Field(default=240.0, ge=1, le=86_400, description="How long a model may investigate.")
    model_max_cost: float | None = Field(default=None, ge=0.0001, le=100_000, description="What one diagnosis may cost.")
    model_prices: _Prices = Field(default_factory=dict, description="What models cost for a million tokens.")
    record: _Text | None = Field(default=None, description="File that what the model is asked and answers is written to.")
    replay: _Text | None = Field(default=None, description="Recording that answers in the model's place.")
    judge: _Text | None = Field(default=None, description="An installed second opinion by name; none by default.")
    judge_model: _Text | None = Field(
        default=None, repr=False, description="The model that gives a second opinion; none by default."
    )
    judge_timeout_s: float = Field(default=60.0, ge=1, le=600, description="How long the second opinion may take.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


def load_settings(
    overrides: Mapping[str, Any], *, config: Path | None = None, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Return the settings that flags (``overrides``), environment and settings file give together.

    An override of None or of no items was not given. ``config`` must exist when it, or ``GROUNDWIRE_CONFIG``, names a file;
    ``groundwire.toml`` in the current folder need not. Paths in the file count from the file's own folder.

    Raises:
        UsageError: A file cannot be read, a key is unknown, or a value does not fit.
    """
    flags = {name: value for name, value in overrides.items() if value is not None and value != ()}
    config = config or (Path(environ[f"{ENV_PREFIX}CONFIG"]) if environ.get(f"{ENV_PREFIX}CONFIG") else None)
    path = config or Path(CONFIG_FILE)
    from_file = _read_file(path, must_exist=config is not None)

    class Layered(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            environment = EnvSettingsSource(settings_cls)
            environment.env_vars = {
                name.lower(): value for name, value in environ.items() if name.startswith(ENV_PREFIX) and value
            }
            return init_settings, environment, InitSettingsSource(settings_cls, from_file)

    try:
        layered = Layered(**flags)
    except ValidationError as exc:
        raise _usage_error(exc, flags, environ, path) from exc
    values = {name: _expanded(name, value) for name, value in layered.model_dump(exclude_unset=True).items()}
    variable = _PROVIDER_KEYS.get((layered.model or layered.judge_model or "").partition(":")[0].strip(), "")
    if layered.model_api_key is None and environ.get(variable):
        values["model_api_key"] = SecretStr(environ[variable])
    return Settings(**values)


def wants_colour(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether colour is welcome on a terminal: ``NO_COLOR`` is unset or empty."""
    return not environ.get("NO_COLOR")


def _read_file(path: Path, *, must_exist: bool) -> dict[str, Any]:
    path = path.expanduser()
    try:
        values = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError as exc:
        if not must_exist:
            return {}
        raise UsageError(f"cannot read settings from {str(path)!r}: no such file", hint="Name it with --config.") from exc
    except OSError as exc:
        raise UsageError(f"cannot read settings from {str(path)!r}: {exc.strerror or exc}") from exc
    except UnicodeDecodeError as exc:
        raise UsageError(f"cannot read settings from {str(path)!r}: it is not UTF-8 text") from exc
    except tomllib.TOMLDecodeError as exc:
        raise UsageError(f"cannot read settings from {str(path)!r}: not TOML: {exc}") from exc
    return {
        key: _from_folder(key, [value] if key in _LISTS and isinstance(value, str) else value, path.parent)
        for key, value in values.items()
    }


def _from_folder(key: str, value: Any, folder: Path) -> Any:
    """Return a value of the file, its paths counted from ``folder``; what does not fit is left for the validation to say."""
    if isinstance(value, list):
        return [_from_folder(key, item, folder) if isinstance(item, str) else item for item in value]
    is_path = key in _PATHS and isinstance(value, str) and value.strip() and "://" not in value and value != DEMO
    return str(folder / Path(value).expanduser()) if is_path else value


def _expanded(name: str, value: Any) -> Any:
    if name not in _PATHS:
        return value
    if isinstance(value, tuple):
        return tuple(_expanded(name, item) for item in value)
    return value if "://" in value or not value.startswith("~") else str(Path(value).expanduser())


def _usage_error(exc: ValidationError, flags: Mapping[str, Any], environ: Mapping[str, str], path: Path) -> UsageError:
    """Return one sentence about the first thing that does not fit: where it was set, what was given, what is accepted."""
    first = exc.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else "settings"
    if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
        close = difflib.get_close_matches(name, Settings.model_fields, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"It takes {', '.join(Settings.model_fields)}."
        return UsageError(f"{str(path)!r} sets {name!r}, which is no setting of Groundwire", hint=hint)
    variable = f"{ENV_PREFIX}{name.upper()}"
    if name in flags:
        where = f"--{name.replace('_', '-')}"
    elif environ.get(variable):
        where = variable
    else:
        where = f"{name} in {str(path)!r}"
    given = "[masked]" if name in _SECRETS else mask_text(repr(first["input"]))
    given = given if len(given) <= 80 else given[:77] + "..."
    return UsageError(f"{where} cannot be {given}: {_accepted(name, first)}")


def _accepted(name: str, error: Mapping[str, Any]) -> str:
    if error["type"] == "value_error":
        return str(error["msg"]).removeprefix("Value error, ")
    if name == "model_prices":
        model = next(iter(error["loc"][1:]), None)
        who = "it takes a table of models, each with" if model is None else f"the price of {mask_text(repr(model))} takes"
        return f"{who} an input and an output from 0 to {_DEAREST}, such as {_PRICES_EXAMPLE}"
    bounds = {type(bound).__name__: bound for bound in Settings.model_fields[name].metadata}
    if error["type"] == "literal_error":
        return f"it takes {error['ctx']['expected']}"
    if "Ge" in bounds and "Le" in bounds:
        number = "whole number" if Settings.model_fields[name].annotation in (int, int | None) else "number"
        return f"it takes a {number} from {bounds['Ge'].ge:.12g} to {bounds['Le'].le:.12g}"
    return "it takes a list of texts" if name in _LISTS else "it takes a text"
