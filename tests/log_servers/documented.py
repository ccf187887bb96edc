"""The names of parameters and answers in the documentation of Loki and VictoriaLogs, as far as they are sent and read.

Looked up in ``docs/sources/reference/loki-http-api.md`` of grafana/loki and ``docs/victorialogs/querying/README.md`` of
VictoriaMetrics/VictoriaLogs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import httpx

LOKI: Final[Mapping[str, frozenset[str]]] = {
    # "Query streams" also wants a match[]; Loki's own tests of its parser have it left out for all streams.
    "/loki/api/v1/series": frozenset({"match[]", "start", "end", "since"}),
    "/loki/api/v1/query": frozenset({"query", "limit", "time", "direction"}),
    "/loki/api/v1/query_range": frozenset({"query", "limit", "start", "end", "since", "step", "interval", "direction"}),
    "/loki/api/v1/status/buildinfo": frozenset(),
}
LOKI_STATISTICS: Final = frozenset(
    {"totalChunksMatched", "headChunkLines", "decompressedLines", "totalChunksRef", "totalLinesProcessed"}
)
VICTORIALOGS: Final[Mapping[str, frozenset[str]]] = {
    "/select/logsql/query": frozenset({"query", "start", "end", "limit", "offset", "timeout", "format"}),
    "/select/logsql/hits": frozenset(
        {"query", "start", "end", "step", "offset", "field", "fields_limit", "ignore_pipes"},
    ),
    "/select/logsql/field_names": frozenset({"query", "start", "end", "filter", "ignore_pipes"}),
    "/select/logsql/field_values": frozenset({"query", "start", "end", "field", "filter", "limit", "ignore_pipes"}),
}


def check_documented(request: httpx.Request, paths: Mapping[str, frozenset[str]]) -> None:
    """Fail where a path, or a parameter of it, is not documented."""
    path = next((path for path in paths if request.url.path.endswith(path)), None)
    assert path is not None and request.method == "GET", f"{request.method} {request.url.path}"
    unknown = set(request.url.params) - paths[path]
    assert not unknown, f"{path} has no {sorted(unknown)}"
