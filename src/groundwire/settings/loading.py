"""Reads the settings from flags, environment and settings file together: the only place where the environment is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, InitSettingsSource, PydanticBaseSettingsSource

from groundwire.settings.complaints import usage_error
from groundwire.settings.declared import Settings
from groundwire.settings.file import expanded, read_file
from groundwire.settings.keys import missing_keys
from groundwire.settings.names import CONFIG_FILE, ENV_PREFIX, variable_of


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
    from_file = read_file(path, must_exist=config is not None)

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
        raise usage_error(
            exc, path, is_flag=flags.__contains__, is_variable=lambda name: bool(environ.get(variable_of(name)))
        ) from exc
    values = {name: expanded(name, getattr(layered, name)) for name in layered.model_fields_set}
    values |= {name: SecretStr(environ[variable]) for name, variable in missing_keys(layered) if environ.get(variable)}
    settings = Settings(**values)
    return settings.with_variables({name: SecretStr(environ[name]) for name in settings.env_names() if environ.get(name)})


def wants_colour(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether colour is welcome on a terminal: ``NO_COLOR`` is unset or empty."""
    return not environ.get("NO_COLOR")
