"""A query means the same whether a log server's scope is read whole, or the server is asked for a part of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.ports import LogBackend
from tests.log_servers.kept import Kept, ns
from tests.log_servers.loki import MadeLoki
from tests.log_servers.victorialogs import MadeVictoriaLogs

START = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=START, end=START + timedelta(hours=1))
ORDERS = {"app": "orders", "pod": "orders-7d9f8-x2v4q", "level": "error"}
CART = {"app": "cart", "pod": "cart-0"}
SYSTEM = {"job": "varlogs", "host": "node-1"}
TEXTS: list[tuple[dict[str, str], str, dict[str, str]]] = [
    (ORDERS, "pool exhausted after 30000ms", {"trace_id": "t042"}),
    (ORDERS, json.dumps({"msg": "Timed out", "error": None, "status": 503, "path": "/api/orders"}), {"trace_id": "t043"}),
    (ORDERS, "java.sql.SQLException: connectionPool timeout\n\tat com.zaxxer.hikari.Pool.get(Pool.java:1)", {}),
    ({**ORDERS, "level": "info"}, "GET /cart 200", {"trace_id": "t044"}),
    ({**ORDERS, "level": "weird"}, "ERROR strange level of the label", {}),
    (CART, 'level=warn msg="cart of orders is slow" status=50', {"detected_level": "warn"}),
    (CART, '2026-11-12T10:00:01Z INFO "quoted \\"phrase\\"" timeout', {"detected_level": "info"}),
    (CART, "WARN no label names this level", {}),
    (SYSTEM, json.dumps({"service": "orders", "message": "orders from the system's own log: timeout"}), {}),
    (SYSTEM, "cron: timeout of orders", {}),
    (SYSTEM, "kernel: oom", {"service_name": "unknown_service"}),
]
KEPT = [Kept(ns(START + timedelta(minutes=4 * index, seconds=index)), *entry) for index, entry in enumerate(TEXTS)]
QUERIES = (
    "",
    "exhaustion",
    "connection-pool",
    "timeout",
    "error",
    "orders",
    "t042",
    "t04",
    "trace_id:t043",
    "status:50",
    "status:503",
    '"timed out"',
    "null",
    "-timeout",
    "timeout -cron",
    "cart",
    "node-1",
    "path:/api",
    "level:error",
    "-level:error",
    "service:orders",
    "pod:orders",
    '"say nothing"',
    "orders-7d9f8",
    "/cart",
    "Hikari timeout",
    "app:orders",
)


def _loki(whole_up_to: int) -> LogBackend:
    server = MadeLoki(KEPT, most_entries=3, categorized=whole_up_to > 0)
    return LokiLogs("logs", "http://logs.test", HttpOptions(transport=server), whole_up_to=whole_up_to)


def _victorialogs(whole_up_to: int) -> LogBackend:
    return VictoriaLogs("logs", "http://logs.test", HttpOptions(transport=MadeVictoriaLogs(KEPT)), whole_up_to=whole_up_to)


def _ask(backend: LogBackend, query: str, service: str | None, min_level: Level | None) -> LogPage:
    return backend.search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=min_level,
            window=WINDOW,
            limit=5,
            deadline=Deadline.after(30),
        )
    )


@pytest.mark.parametrize("min_level", [None, Level.WARN, Level.ERROR])
@pytest.mark.parametrize("service", [None, "orders", "Cart", "cart-0", "varlogs", "nobody"])
@pytest.mark.parametrize("make", [_loki, _victorialogs])
def test_a_part_finds_what_the_whole_finds(
    make: Callable[[int], LogBackend], service: str | None, min_level: Level | None
) -> None:
    for query in QUERIES:
        whole, part = (_ask(make(whole_up_to), query, service, min_level) for whole_up_to in (20_000, 0))
        assert [(r.timestamp, r.level, r.service, r.message) for r in part.records] == [
            (r.timestamp, r.level, r.service, r.message) for r in whole.records
        ], query
        assert part.matched.total == whole.matched.total, query
        assert (part.matched.first_at, part.matched.last_at) == (whole.matched.first_at, whole.matched.last_at), query
        assert sum(part.histogram.values()) == part.matched.total, query
        assert part.histogram == whole.histogram, query
        assert whole.matched.is_exact and whole.partial_reasons == ()


def test_both_servers_and_every_way_count_what_was_written() -> None:
    for make in (_loki, _victorialogs):
        for whole_up_to in (20_000, 0):
            page = _ask(make(whole_up_to), "", None, None)
            assert (page.matched.total, page.in_scope.total) == (11, 11)
            # The SQL exception, and the line that names its service itself.
            of_orders = _ask(make(whole_up_to), "timeout", "orders", None)
            assert [record.service for record in of_orders.records] == ["orders"] * of_orders.matched.total
            assert of_orders.matched.total == 2
