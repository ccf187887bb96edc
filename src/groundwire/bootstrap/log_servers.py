"""Servers of logs, each by the adapter for it, which is loaded only where the settings name such a server."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from groundwire.bootstrap.configured import Configured, MissingVariableError, server_of
from groundwire.bootstrap.unusable import UnusableSource
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import UsageError
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import Checkable, LogBackend
from groundwire.settings import LogTable, PlaceKind, Settings

if TYPE_CHECKING:
    from groundwire.adapters.servers.api import HttpOptions

_ADAPTERS = {
    PlaceKind.LOKI: ("groundwire.adapters.logs.loki", "LokiLogs"),
    PlaceKind.VICTORIALOGS: ("groundwire.adapters.logs.victorialogs", "VictoriaLogs"),
    PlaceKind.ELASTICSEARCH: ("groundwire.adapters.logs.elasticsearch", "ElasticsearchLogs"),
    PlaceKind.OPENSEARCH: ("groundwire.adapters.logs.elasticsearch", "ElasticsearchLogs"),
}


def log_server(source: Configured, settings: Settings) -> LogBackend:
    """Return the backend of a server of logs.

    Raises:
        UsageError: Its URL, a header, its certificates or its fields cannot be used.
    """
    try:
        url, options = server_of(source, settings)
    except MissingVariableError as exc:
        return UnusableSource(source.name, SourceKind.LOGS, str(exc))
    module_name, adapter = _ADAPTERS[source.place.kind]
    module = importlib.import_module(module_name)
    table = source.table if isinstance(source.table, LogTable) else None
    more: dict[str, Any] = {}
    if table is not None and table.tenant is not None:
        more["tenant"] = table.tenant
    if table is not None and table.index is not None:
        more["index"] = table.index
    if table is not None and table.fields:
        more["fields"] = _field_names(module.FieldNames, table)
    backend: LogBackend = getattr(module, adapter)(source.name, url, options, **more)
    return backend if isinstance(backend, Checkable) else _checked(backend, source.place.kind, url, options)


def _field_names(make: Callable[..., Any], table: LogTable) -> Any:
    try:
        return make(**table.fields)
    except TypeError as exc:
        known = ", ".join(make.__annotations__)
        unknown = ", ".join(name for name in table.fields if name not in make.__annotations__)
        raise UsageError(f"fields of {table.name or 'a source'} in [[logs]] name {unknown!r}", hint=f"It takes {known}.") from exc


def _checked(backend: LogBackend, kind: PlaceKind, url: str, options: HttpOptions) -> LogBackend:
    from groundwire.adapters.logs.server_checks import check_loki, check_victorialogs
    from groundwire.adapters.servers.api import ServerApi

    is_loki = kind is PlaceKind.LOKI
    check = check_loki if is_loki else check_victorialogs
    endpoints = ("/loki/api",) if is_loki else ("/select/logsql", "/select/vmui")
    api = ServerApi(backend.name, url, options, endpoints=endpoints)
    return CheckedLogs(backend.name, backend, lambda deadline: check(api, deadline, lambda: datetime.now(UTC)))


@dataclass(slots=True)
class CheckedLogs:
    """A backend beside the check of its server. Not frozen only because a port's name could be set."""

    name: str
    backend: LogBackend
    ask: Callable[[Deadline], SourceCheck]

    def describe(self) -> SourceDescription:
        return self.backend.describe()

    def search(self, request: LogRequest) -> LogPage:
        return self.backend.search(request)

    def check(self, deadline: Deadline) -> SourceCheck:
        return self.ask(deadline)
