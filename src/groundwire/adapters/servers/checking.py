"""One small request to a server, for how long it takes and what time the server thinks it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from groundwire.adapters.servers.api import Body, ServerApi
from groundwire.adapters.servers.clock import clock_difference
from groundwire.domain.deadline import Deadline
from groundwire.domain.source_check import SourceCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The answer to one request. ``clock_difference_s`` is by how much the server is ahead of us; None where it does not say."""

    body: Body
    latency_ms: float
    clock_difference_s: float | None

    def check(self, version: Any = None, *, missing: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> SourceCheck:
        """Return what this says of the server; a ``version`` that is no text is none."""
        return SourceCheck(
            version=version if isinstance(version, str) and version else None,
            latency_ms=self.latency_ms,
            clock_difference_s=self.clock_difference_s,
            missing=missing,
            notes=notes,
        )


def probe(
    api: ServerApi,
    path: str,
    deadline: Deadline,
    *,
    params: Mapping[str, str] | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Probe:
    """Return the answer to ``GET path`` and what it tells of the server. Choose a path that costs the server nothing.

    Raises:
        BackendError: The server did not answer with a 2xx.
    """
    started = time.monotonic()
    body = api.fetch("GET", path, deadline, params=params)
    latency_ms = (time.monotonic() - started) * 1000
    difference = clock_difference(body.date, now())
    return Probe(body=body, latency_ms=latency_ms, clock_difference_s=None if difference is None else difference.total_seconds())
