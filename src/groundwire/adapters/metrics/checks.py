"""How a Prometheus or an Alertmanager is: version, latency, clock, and what a diagnosis would miss in it.

Source:
    Prometheus 2.42 and 3.x, VictoriaMetrics 1.79 ``/api/v1/status/buildinfo``, ``/rules``; Alertmanager 0.25 ``/api/v2/status``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from groundwire.adapters.servers.api import ServerApi
from groundwire.adapters.servers.checking import Probe, probe
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendRejectedError
from groundwire.domain.source_check import SourceCheck

Now = Callable[[], datetime]


def check_prometheus(api: ServerApi, deadline: Deadline, now: Now) -> SourceCheck:
    """Return how a server with the API of Prometheus is.

    Raises:
        BackendError: It does not answer, or answers something else.
    """
    missing: list[str] = []
    version: Any = None
    try:
        asked = probe(api, "/api/v1/status/buildinfo", deadline, now=now)
        version = _object_at(api, asked, "data").get("version")
    except BackendRejectedError:
        # Not every server that speaks PromQL has this; this one all have, and it touches no series.
        asked = probe(api, "/api/v1/query", deadline, params={"query": "1"}, now=now)
        _object_at(api, asked, "data")
    if not version:
        missing.append("it does not say its version")
    return asked.check(version, missing=(*missing, *_missing_rules(api, deadline)))


def check_alertmanager(api: ServerApi, deadline: Deadline, now: Now) -> SourceCheck:
    """Return how an Alertmanager is; one whose cluster is not ready may lack alerts that others have.

    Raises:
        BackendError: It does not answer, or answers something else.
    """
    asked = probe(api, "/api/v2/status", deadline, now=now)
    status = _object_at(api, asked)
    cluster = status.get("cluster")
    state = cluster.get("status") if isinstance(cluster, Mapping) else None
    missing = (f"its cluster is {state}, so that alerts may be missing",) if state == "settling" else ()
    info = status.get("versionInfo")
    return asked.check(info.get("version") if isinstance(info, Mapping) else None, missing=missing)


def _missing_rules(api: ServerApi, deadline: Deadline) -> tuple[str, ...]:
    try:
        answer = api.get("/api/v1/rules", {"type": "alert"}, deadline).value
    except BackendError:
        return ("it does not say which alert rules it has, so that no alert does not mean that nothing is wrong",)
    data = answer.get("data") if isinstance(answer, Mapping) else None
    groups = data.get("groups") if isinstance(data, Mapping) else None
    rules = [rule for group in groups or () if isinstance(group, Mapping) for rule in group.get("rules") or ()]
    if any(isinstance(rule, Mapping) and rule.get("type") == "alerting" for rule in rules):
        return ()
    return ("it has no alert rules, so that no alert does not mean that nothing is wrong",)


def _object_at(api: ServerApi, asked: Probe, *path: str) -> Mapping[str, Any]:
    body = api.json_of(asked.body)
    value: Any = body.value
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping):
        raise api.malformed("answered something else than an object about itself", body.start)
    return value
