"""The sources that the settings name: each with a name of its own, its place, what it covers, and how its server is reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from groundwire.domain.errors import UsageError
from groundwire.domain.source_scope import SourceScope
from groundwire.settings import DEMO, Place, PlaceKind, ServerTable, Settings, SourceTable

if TYPE_CHECKING:
    from groundwire.adapters.servers.api import HttpOptions


class MissingVariableError(Exception):
    """A table names an environment variable that is not set."""


@dataclass(frozen=True, slots=True)
class Configured:
    """One source. ``table`` is None where the settings give nothing but its place."""

    name: str
    place: Place
    table: SourceTable | None

    @property
    def scope(self) -> SourceScope | None:
        if self.table is None or not (self.table.services or self.table.labels):
            return None
        return SourceScope(services=self.table.services, labels=self.table.labels)


def configured(kind: str, items: Iterable[str | SourceTable], read: Callable[[str], Place]) -> list[Configured]:
    """Return the sources of one setting, no two of which are called alike.

    Raises:
        UsageError: Two tables have the same name.
    """
    found = [(read(item), None) if isinstance(item, str) else (item.where, item) for item in items]
    given = [table.name for _, table in found if table is not None and table.name is not None]
    twice = [name for name, count in Counter(given).items() if count > 1]
    if twice:
        raise UsageError(f"two of [[{kind}]] are named {twice[0]!r}", hint="Give each source a name of its own.")
    short = [table.name if table is not None and table.name is not None else _short_name(place) for place, table in found]
    return [
        Configured(_told_apart(short, index, is_given=table is not None and table.name is not None), place, table)
        for index, (place, table) in enumerate(found)
    ]


def server_of(source: Configured, settings: Settings) -> tuple[str, HttpOptions]:
    """Return the URL of a source's server, with the user's name and password if it has them, and how it is reached.

    Raises:
        MissingVariableError: An environment variable that its table names is not set.
    """
    from groundwire.adapters.servers.api import HttpOptions

    table = source.table
    if not isinstance(table, ServerTable):
        return source.place.target, HttpOptions()
    secrets = {key: _secret(key, variable, settings) for key, variable in table.env_names()}
    headers = {name: secrets[f"headers_env.{name}"] for name in table.headers_env}
    if table.token_env is not None:
        headers["Authorization"] = f"Bearer {secrets['token_env']}"
    if table.tenant is not None and source.place.kind is PlaceKind.SERVER:
        headers["X-Scope-OrgID"] = table.tenant
    url = source.place.target
    if table.username is not None:
        url = _with_user(url, table.username, secrets["password_env"])
    return url, HttpOptions(headers=headers, ca_file=table.ca_file)


def _secret(key: str, variable: str, settings: Settings) -> str:
    value = settings.variable(variable)
    if value is None:
        raise MissingVariableError(f"the environment variable {variable}, which {key} names, is not set")
    # A secret read from a file into a variable often ends in a line break.
    return value.strip()


def _with_user(url: str, username: str, password: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{quote(username, safe='')}:{quote(password, safe='')}@{rest.rpartition('@')[2]}"


def _told_apart(names: Sequence[str], index: int, *, is_given: bool) -> str:
    name = names[index]
    return name if is_given or names.count(name) == 1 else f"{name} ({names[: index + 1].count(name)})"


def _short_name(place: Place) -> str:
    if place.kind is PlaceKind.DEMO:
        return DEMO
    if place.kind is PlaceKind.JOURNALD and not place.target:
        return "journald"
    if not place.is_server:
        return "/".join(Path(place.target).absolute().parts[-2:]).lstrip("/") or place.target
    try:
        parts = urlsplit(place.target)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "server"  # what is wrong with it is said where it is read
    return f"{parts.hostname or 'server'}{port}"
