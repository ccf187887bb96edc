"""How an Elasticsearch or OpenSearch is: version, latency, clock, and what a diagnosis would miss in its index.

Source:
    OpenSearch API specification, ``info``; Elasticsearch "Cluster info", 7 to 9. Neither sends its time; a proxy before it may.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from groundwire.adapters.logs.elastic_layout import Layout
from groundwire.adapters.servers.api import ServerApi
from groundwire.adapters.servers.checking import probe
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError, NotConfiguredError
from groundwire.domain.source_check import SourceCheck


def check_elastic(
    api: ServerApi, index_path: str, read_layout: Callable[[], Layout], deadline: Deadline, now: Callable[[], datetime]
) -> SourceCheck:
    """Return how a server is, and what its index lacks.

    Raises:
        BackendError: It does not answer, or answers something else.
    """
    missing: list[str] = []
    version: str | None = None
    try:
        asked = probe(api, "/", deadline, now=now)
        version = _version(api.json_of(asked.body).value)
    except BackendRejectedError:
        # A reader of logs need not be allowed to ask the cluster; the fields of the index it must.
        asked = probe(api, f"{index_path}/_field_caps", deadline, params={"fields": "@timestamp"}, now=now)
    if version is None:
        missing.append("it does not say its version")
    try:
        layout = read_layout()
    except NotConfiguredError as exc:
        return asked.check(version, missing=(*missing, exc.message))
    lacks = [kind for kind, columns in (("level", layout.level), ("service", layout.service)) if not columns]
    missing += [f"its index has no field that names a {kind}: name it under fields" for kind in lacks]
    return asked.check(version, missing=tuple(missing), notes=(f"the time of its records is {layout.time}",))


def _version(answer: Any) -> str | None:
    said = answer.get("version") if isinstance(answer, dict) else None
    if not isinstance(said, dict) or not isinstance(said.get("number"), str):
        return None
    name = "OpenSearch" if said.get("distribution") == "opensearch" else "Elasticsearch"
    return f"{name} {said['number']}"
