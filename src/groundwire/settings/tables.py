"""A source that is more than its place: a table ``[[logs]]``, ``[[metrics]]``, ``[[alerts]]`` or ``[[knowledge]]``.

A secret never stands in a table: it names the environment variable that holds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import NoDecode

from groundwire.settings.places import Place, PlaceKind, log_place_of, place_of, with_path
from groundwire.settings.values import SomeText, ZoneName, as_list

SOURCE_VALUE: Final = "source_value"
"""The type of an error about one key of a table; its context holds ``field``."""

_SERVER_KEYS: Final = ("token_env", "username", "password_env", "headers_env", "ca_file")
_KEYS_OF: Final[Mapping[PlaceKind, tuple[str, ...]]] = {
    PlaceKind.DEMO: (),
    PlaceKind.FILES: ("zone", "year"),
    PlaceKind.JOURNALD: (),
    PlaceKind.SERVER: (*_SERVER_KEYS, "tenant"),
    PlaceKind.LOKI: (*_SERVER_KEYS, "tenant"),
    PlaceKind.ELASTICSEARCH: (*_SERVER_KEYS, "index", "fields"),
    PlaceKind.OPENSEARCH: (*_SERVER_KEYS, "index", "fields"),
    PlaceKind.VICTORIALOGS: (*_SERVER_KEYS, "tenant"),
}
_ENV_NAME: Final = re.compile(r"[A-Z_][A-Z0-9_]*")


def _is_env_name(text: str) -> str:
    if _ENV_NAME.fullmatch(text) is None:
        raise ValueError("it takes the name of an environment variable in capitals, such as LOKI_TOKEN, not the secret itself")
    return text


def _as_texts(value: object) -> object:
    return [value] if isinstance(value, str) else value


EnvName = Annotated[str, AfterValidator(_is_env_name)]
Texts = Annotated[tuple[SomeText, ...], BeforeValidator(_as_texts)]


class SourceTable(BaseModel):
    """What every source has. ``services`` (with ``*`` for any letters) and ``labels`` are what it covers; all where empty."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: SomeText = Field(repr=False)
    name: SomeText | None = None
    services: Texts = ()
    labels: Mapping[str, SomeText] = {}

    @property
    def where(self) -> Place:
        return place_of(self.place)

    def env_names(self) -> Iterator[tuple[str, str]]:
        """Return each key that names an environment variable, with the name."""
        yield from ()

    def with_paths(self, change: Callable[[str], str]) -> Self:
        """Return the same source with ``change`` made to the paths in it."""
        return self.model_copy(update={"place": with_path(self.place, change)})

    @model_validator(mode="after")
    def _fits_its_place(self) -> Self:
        try:
            kind = self.where.kind
        except ValueError as exc:
            raise PydanticCustomError(SOURCE_VALUE, "{said}", {"field": "place", "said": str(exc)}) from exc
        common = SourceTable.model_fields
        for key in type(self).model_fields:
            if key not in common and key in self.model_fields_set and key not in _KEYS_OF[kind]:
                keys = ", ".join(_KEYS_OF[kind]) or "none of that kind"
                said = f"a place of the kind {kind} has no use for it (it takes {keys})"
                raise PydanticCustomError(SOURCE_VALUE, "{said}", {"field": key, "said": said})
        return self


class ServerTable(SourceTable):
    """How a server is reached and who asks it."""

    token_env: EnvName | None = None
    username: SomeText | None = Field(default=None, repr=False)
    password_env: EnvName | None = None
    headers_env: Mapping[str, EnvName] = {}
    ca_file: SomeText | None = None
    tenant: SomeText | None = None

    def env_names(self) -> Iterator[tuple[str, str]]:
        for key, name in (("token_env", self.token_env), ("password_env", self.password_env)):
            if name is not None:
                yield key, name
        for header, name in self.headers_env.items():
            yield f"headers_env.{header}", name

    def with_paths(self, change: Callable[[str], str]) -> Self:
        changed = super().with_paths(change)
        return changed if self.ca_file is None else changed.model_copy(update={"ca_file": change(self.ca_file)})

    @model_validator(mode="after")
    def _is_one_identity(self) -> Self:
        if (self.username is None) is not (self.password_env is None):
            field, other = ("password_env", "username") if self.username is None else ("username", "password_env")
            raise PydanticCustomError(SOURCE_VALUE, "{said}", {"field": field, "said": f"it needs {other} beside it"})
        names = [name for name, given in (("token_env", self.token_env), ("username", self.username)) if given is not None]
        names += ["headers_env"] if any(header.lower() == "authorization" for header in self.headers_env) else []
        if len(names) > 1:
            said = f"{' and '.join(names)} are several identities; a source has one"
            raise PydanticCustomError(SOURCE_VALUE, "{said}", {"field": names[-1], "said": said})
        return self


class LogTable(ServerTable):
    """A source of logs."""

    zone: ZoneName | None = None
    year: int | None = Field(default=None, ge=1970, le=2200)
    index: SomeText | None = None
    fields: Mapping[str, SomeText] = {}

    @property
    def where(self) -> Place:
        return log_place_of(self.place)


class MetricTable(ServerTable):
    """A source of series and alerts."""


class AlertTable(ServerTable):
    """A source of alerts."""


class KnowledgeTable(SourceTable):
    """A collection of runbooks."""


def _form_of(value: Any) -> str:
    return "table" if isinstance(value, Mapping | BaseModel) else "text"


def _is_log_place(text: str) -> str:
    log_place_of(text)
    return text


LogText = Annotated[SomeText, AfterValidator(_is_log_place)]
_FORM: Final = Discriminator(_form_of)
_Text = Annotated[SomeText, Tag("text")]
LogSource = Annotated[Annotated[LogText, Tag("text")] | Annotated[LogTable, Tag("table")], _FORM]
MetricSource = Annotated[_Text | Annotated[MetricTable, Tag("table")], _FORM]
AlertSource = Annotated[_Text | Annotated[AlertTable, Tag("table")], _FORM]
KnowledgeSource = Annotated[_Text | Annotated[KnowledgeTable, Tag("table")], _FORM]
LogPlaces = Annotated[tuple[LogSource, ...], NoDecode, BeforeValidator(as_list)]
MetricPlaces = Annotated[tuple[MetricSource, ...], NoDecode, BeforeValidator(as_list)]
AlertPlaces = Annotated[tuple[AlertSource, ...], NoDecode, BeforeValidator(as_list)]
KnowledgePlaces = Annotated[tuple[KnowledgeSource, ...], NoDecode, BeforeValidator(as_list)]

ACCEPTED: Final[Mapping[str, str]] = {
    "place": "it takes what would stand in the list without a table, such as /var/log/shop or http://prometheus:9090",
    "name": "it takes a text",
    "services": "it takes a list of texts",
    "labels": 'it takes a table of texts, such as {cluster = "eu-1"}',
    "fields": 'it takes a table of texts, such as {service = "kubernetes.labels.app"}',
    "headers_env": 'it takes a table of headers, each with the name of an environment variable, such as {X-Api-Key = "LOGS_KEY"}',
    "token_env": "it takes the name of an environment variable, such as LOKI_TOKEN",
    "password_env": "it takes the name of an environment variable, such as LOKI_PASSWORD",
    "year": "it takes a whole number from 1970 to 2200",
}
"""What each key of a table takes, where pydantic's own words would not say it."""

SECRET_NAMES: Final[Mapping[str, str]] = {
    "token": 'token_env = "NAME"',
    "bearer_token": 'token_env = "NAME"',
    "password": 'username = "..." and password_env = "NAME"',
    "api_key": 'headers_env = {Authorization = "NAME"}, where the variable holds "ApiKey ..."',
    "authorization": 'headers_env = {Authorization = "NAME"}',
    "headers": 'headers_env = {X-Some-Header = "NAME"}',
}
"""Keys under which people would write a secret, each with what to write instead."""

TABLES: Final[Mapping[str, type[SourceTable]]] = {
    "logs": LogTable,
    "metrics": MetricTable,
    "alerts": AlertTable,
    "runbooks": KnowledgeTable,
}
