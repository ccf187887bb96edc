"""Everything that can be set, in one class."""

from __future__ import annotations

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from groundwire.settings.model import JudgeSettings, ModelSettings
from groundwire.settings.names import ENV_PREFIX
from groundwire.settings.sources import SourceSettings


# pydantic lists the fields of the last base first: this is the order of the documents, read backwards.
class Settings(JudgeSettings, ModelSettings, SourceSettings, BaseSettings):
    """Everything that can be set, as plain values; :func:`groundwire.settings.load_settings` reads them from outside.

    Sources are named as the user named them: a path, a URL, or ``demo``. Times are seconds.
    """

    model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=ENV_PREFIX, env_ignore_empty=True)

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
