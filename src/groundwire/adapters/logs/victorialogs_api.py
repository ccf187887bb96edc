"""The questions that VictoriaLogs is asked: which fields are there, which entries, and how many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from groundwire.adapters.logs.backwards import EntryPage
from groundwire.adapters.logs.victorialogs_answers import Hits, VictoriaShapeError, read_hits, read_lines, read_values
from groundwire.adapters.servers.api import HttpOptions, ServerApi
from groundwire.adapters.servers.clock import clock_doubt
from groundwire.domain.deadline import Deadline

PAGE: Final = 5000
_ROOT: Final = "/select/logsql"

Read = TypeVar("Read")


class VictoriaLogsApi:
    """One VictoriaLogs. Every error, text or JSON as it comes, and an answer of another shape is a ``BackendError``."""

    def __init__(self, backend: str, url: str, options: HttpOptions, now: Callable[[], datetime]) -> None:
        self._now = now
        self.clock_doubt: str | None = None
        """What is to be said of the server's clock, once it answered."""
        self._api = ServerApi(backend, url, options, endpoints=(_ROOT, "/select/vmui"))

    def fields(self, query: str, deadline: Deadline) -> list[str]:
        """Return the names of all fields of the entries that a query finds."""
        return self._ask("field_names", {"query": query}, read_values, deadline)

    def values(self, query: str, field: str, deadline: Deadline) -> list[str]:
        return self._ask("field_values", {"query": query, "field": field}, read_values, deadline)

    def hits(self, query: str, width: timedelta, field: str | None, deadline: Deadline) -> Hits:
        """Return counts in buckets of a width, and by a field's values."""
        params = {"query": query, "step": f"{int(width.total_seconds())}s"}
        return self._ask("hits", params | ({} if field is None else {"field": field}), read_hits, deadline)

    def entries(self, query: str, limit: int, deadline: Deadline) -> EntryPage:
        """Return the newest entries that a query finds, at most so many."""
        params = {"query": query, "limit": str(limit)}
        body = self._api.fetch("GET", f"{_ROOT}/query", deadline, params=params)
        if body.cut:
            return EntryPage(entries=(), is_full=True, is_cut=True)
        try:
            lines = read_lines(body.content)
        except VictoriaShapeError as exc:
            start = body.content[:2_000].decode("utf-8", errors="replace")
            raise self._api.malformed(f"answered something else than VictoriaLogs does: {exc}", start) from exc
        return EntryPage(entries=lines.entries, is_full=len(lines.entries) >= limit, doubts=lines.doubts, notes=lines.notes)

    def _ask(self, endpoint: str, params: Mapping[str, str], read: Callable[[Any], Read], deadline: Deadline) -> Read:
        body = self._api.fetch("GET", f"{_ROOT}/{endpoint}", deadline, params=params)
        self.clock_doubt = clock_doubt(body.date, self._now())
        answer = self._api.json_of(body)
        try:
            return read(answer.value)
        except VictoriaShapeError as exc:
            raise self._api.malformed(f"answered something else than VictoriaLogs does: {exc}", answer.start) from exc
