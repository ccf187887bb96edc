"""Everything that can be set, in one class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import PrivateAttr, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from groundwire.settings.model import JudgeSettings, ModelSettings
from groundwire.settings.names import ENV_PREFIX
from groundwire.settings.sources import SourceSettings
from groundwire.settings.tables import ServerTable


# pydantic lists the fields of the last base first: this is the order of the documents, read backwards.
class Settings(JudgeSettings, ModelSettings, SourceSettings, BaseSettings):
    """Everything that can be set, as plain values; :func:`groundwire.settings.load_settings` reads them from outside.

    Sources are named as the user named them: a path, a URL, or ``demo``, or as a table with that as its ``place``. Times are
    seconds.
    """

    _variables: Mapping[str, SecretStr] = PrivateAttr(default_factory=dict)

    model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=ENV_PREFIX, env_ignore_empty=True)

    def env_names(self) -> set[str]:
        """Return the environment variables that the tables of sources name."""
        tables = (item for item in (*self.logs, *self.alerts, *self.metrics) if isinstance(item, ServerTable))
        return {name for table in tables for _, name in table.env_names()}

    def with_variables(self, variables: Mapping[str, SecretStr]) -> Self:
        """Return the same settings with the values of the environment variables that tables name."""
        copy = self.model_copy()
        copy._variables = variables
        return copy

    def variable(self, name: str) -> str | None:
        """Return the value of an environment variable that a table names; None where it is not set."""
        value = self._variables.get(name)
        return None if value is None else value.get_secret_value()

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
