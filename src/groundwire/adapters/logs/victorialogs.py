"""Logs in VictoriaLogs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from groundwire.adapters.logs.entry import Span, epoch_ns, instant_of
from groundwire.adapters.logs.entry_labels import service_labels, weak_labels
from groundwire.adapters.logs.victorialogs_api import VictoriaLogsApi
from groundwire.adapters.logs.victorialogs_query import time_filter
from groundwire.adapters.logs.victorialogs_search import VictoriaLogsSearch
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, UsageError
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.sources import SourceDescription, SourceKind

_DESCRIBE_S: Final = 3.0
_SERVICES_OF: Final = timedelta(hours=1)
_MOST_FIELDS: Final = 3
_DEFAULTS: Final = HttpOptions()
_NUMBER: Final = re.compile(r"[0-9]{1,10}")
_UNKNOWN: Final = "unknown_service"


class VictoriaLogs:
    """A ``LogBackend`` over VictoriaLogs. ``url`` is its base URL; ``tenant`` is ``ACCOUNT`` or ``ACCOUNT:PROJECT``, two numbers.

    A scope of up to ``whole_up_to`` entries is read whole and searched here. Of a larger one, the server is asked for a part
    that loses nothing of what the query means. What was not read is among the partial reasons.

    Raises:
        UsageError: The URL, a header, the certificates or the tenant cannot be used.

    Source:
        VictoriaLogs 1.26: ``/select/logsql/query``, ``/field_names``, ``/field_values``, ``/hits``.
    """

    def __init__(
        self,
        name: str,
        url: str,
        options: HttpOptions = _DEFAULTS,
        *,
        tenant: str | None = None,
        whole_up_to: int = 20_000,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self._now = now
        self._whole_up_to = whole_up_to
        if tenant is not None:
            options = options.with_headers(_tenant_headers(tenant))
        self._api = VictoriaLogsApi(name, url, options, now)

    def describe(self) -> SourceDescription:
        """Return the services of the last hour, by the fields that name them."""
        end, deadline = self._now(), Deadline.after(_DESCRIBE_S)
        query = time_filter(Span(epoch_ns(end - _SERVICES_OF), epoch_ns(end) + 1))
        services: set[str] = set()
        newest: list[datetime] = []
        problems: tuple[str, ...] = ()
        try:
            fields = self._api.fields(query, deadline)
            for field in (service_labels(fields) or weak_labels(fields))[:_MOST_FIELDS]:
                services |= {value for value in self._api.values(query, field, deadline) if value not in {"", _UNKNOWN}}
            page = self._api.entries(query, 1, deadline)
            newest += [at for entry in page.entries if (at := instant_of(entry.at_ns)) is not None]
        except BackendError as exc:
            problems = (exc.message,)
        return SourceDescription(
            name=self.name,
            kind=SourceKind.LOGS,
            backend="victorialogs",
            live=True,
            services=tuple(sorted(services)),
            newest_record=max(newest, default=None),
            problems=problems,
        )

    def search(self, request: LogRequest) -> LogPage:
        """Return the newest entries that match, and counts over all of them as far as they are known.

        Raises:
            BackendError: Nothing could be read.
        """
        return VictoriaLogsSearch(self._api, request, whole_up_to=self._whole_up_to).run()


def _tenant_headers(tenant: str) -> dict[str, str]:
    account, _, project = tenant.partition(":")
    if not (_NUMBER.fullmatch(account) and _NUMBER.fullmatch(project or "0")):
        raise UsageError(
            f"tenant = {tenant!r} is none of VictoriaLogs",
            hint="It is one number or two, such as 12 or 12:34: the account and the project.",
        )
    return {"AccountID": account, "ProjectID": project or "0"}
