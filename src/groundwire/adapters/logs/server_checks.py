"""How a server of logs is: version, latency, clock, and what a search would miss in it.

Source:
    Loki 3.x ``/loki/api/v1/status/buildinfo``; Elasticsearch 7 to 9 and OpenSearch 1 to 3 ``GET /`` and ``/_cluster/health``;
    VictoriaLogs ``/health`` and the line ``vm_app_version`` of ``/metrics``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from groundwire.adapters.servers.api import ServerApi
from groundwire.adapters.servers.checking import Probe, probe
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendRejectedError
from groundwire.domain.source_check import SourceCheck

Now = Callable[[], datetime]
ServerCheck = Callable[[ServerApi, Deadline, Now], SourceCheck]

_APP_VERSION: Final = re.compile(r'^vm_app_version\{[^}\n]*short_version="([^"\n]+)"', re.MULTILINE)
_MOST_METRICS: Final = 1024 * 1024


def check_loki(api: ServerApi, deadline: Deadline, now: Now) -> SourceCheck:
    """Return how a Loki is.

    Raises:
        BackendError: It does not answer, or answers something else.
    """
    try:
        asked = probe(api, "/loki/api/v1/status/buildinfo", deadline, now=now)
    except BackendRejectedError as exc:
        return _unversioned(exc)
    return asked.check(_object_of(api, asked).get("version"))


def check_elasticsearch(api: ServerApi, deadline: Deadline, now: Now) -> SourceCheck:
    """Return how an Elasticsearch or OpenSearch is; a red cluster cannot search all that it has.

    Raises:
        BackendError: It does not answer, or answers something else.
    """
    try:
        asked = probe(api, "/", deadline, now=now)
    except BackendRejectedError as exc:
        return _unversioned(exc)
    said = _object_of(api, asked).get("version")
    version: Mapping[str, Any] = said if isinstance(said, Mapping) else {}
    name = "OpenSearch" if version.get("distribution") == "opensearch" else "Elasticsearch"
    number = version.get("number")
    return asked.check(f"{name} {number}" if isinstance(number, str) else None, missing=_cluster_gaps(api, deadline))


def check_victorialogs(api: ServerApi, deadline: Deadline, now: Now) -> SourceCheck:
    """Return how a VictoriaLogs is.

    Raises:
        BackendError: It does not answer.
    """
    asked = probe(api, "/health", deadline, now=now)
    try:
        metrics = api.fetch("GET", "/metrics", deadline, limit=_MOST_METRICS).content.decode("utf-8", "replace")
    except BackendError as exc:
        return asked.check(missing=_no_version(exc))
    version = _APP_VERSION.search(metrics)
    return asked.check(None if version is None else version[1])


def _unversioned(exc: BackendError) -> SourceCheck:
    # What a search is allowed is another matter, and the description of the source says that.
    return SourceCheck(missing=_no_version(exc))


def _no_version(exc: BackendError) -> tuple[str, ...]:
    return (f"it does not say its version ({exc.backend_message})",)


def _cluster_gaps(api: ServerApi, deadline: Deadline) -> tuple[str, ...]:
    try:
        health = api.get("/_cluster/health", {}, deadline).value
    except BackendError:
        return ()  # whoever may search need not be allowed to see this
    is_red = isinstance(health, Mapping) and health.get("status") == "red"
    return ("its cluster is red, so that a part of the documents cannot be searched",) if is_red else ()


def _object_of(api: ServerApi, asked: Probe) -> Mapping[str, Any]:
    body = api.json_of(asked.body)
    if not isinstance(body.value, Mapping):
        raise api.malformed("answered something else than an object about itself", body.start)
    return body.value
