"""How an Elasticsearch or OpenSearch is: version, latency, clock, and what a diagnosis would miss in its index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from groundwire.adapters.logs.elastic_layout import Layout
from groundwire.adapters.logs.server_checks import check_elasticsearch
from groundwire.adapters.servers.api import ServerApi
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import NotConfiguredError
from groundwire.domain.source_check import SourceCheck


def check_elastic(
    api: ServerApi, read_layout: Callable[[], Layout], deadline: Deadline, now: Callable[[], datetime]
) -> SourceCheck:
    """Return how a server is, and what its index lacks.

    Raises:
        BackendError: It does not answer, or answers something else.
    """
    server = check_elasticsearch(api, deadline, now)
    try:
        layout = read_layout()
    except NotConfiguredError as exc:
        return replace(server, missing=(*server.missing, exc.message))
    lacks = [kind for kind, columns in (("level", layout.level), ("service", layout.service)) if not columns]
    unnamed = tuple(f"its index has no field that names a {kind}: name it under fields" for kind in lacks)
    return replace(server, missing=(*server.missing, *unnamed), notes=(f"the time of its records is {layout.time}",))
