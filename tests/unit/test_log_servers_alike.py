"""A query means the same whether a log server's scope is read whole, or the server is asked for a part of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


WORDS = st.sampled_from(
    ["timeout", "pool", "orders", "cart", "t042", "503", "query", "exhausted", "a/b", 'say "hi"', "größe", "\\n"]
)
MESSAGES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
LEVELS = st.sampled_from(["info", "ERROR", "warn", "3", "odd", "unknown"])
SHAPES: tuple[Callable[[str, str], str], ...] = (
    lambda message, level: message,
    lambda message, level: f"2026-11-12T10:00:01Z {level.upper()} {message}",
    lambda message, level: json.dumps({"msg": message, "level": level, "service": "orders", "status": 503}),
    lambda message, level: json.dumps({"message": message, "tags": [message, None], "n": {"path": message}}),
    lambda message, level: f"level={level} msg={json.dumps(message)} code=50",
)
LABELS = st.fixed_dictionaries(
    {"env": st.just("prod")},
    optional={
        "app": st.sampled_from(["orders", "cart", "Orders"]),
        "service_name": st.sampled_from(["orders", "unknown_service", "varlogs"]),
        "pod": st.sampled_from(["orders", "cart-0"]),
        "job": st.just("varlogs"),
        "level": LEVELS,
        "severity": LEVELS,
    },
)
OWN = st.fixed_dictionaries({}, optional={"detected_level": LEVELS, "trace_id": st.just("t042"), "user": WORDS})
TERMS = st.sampled_from(
    [
        "timeout",
        "pool",
        '"a/b"',
        "-cart",
        "trace_id:t042",
        "status:503",
        "level:error",
        "service:orders",
        "code:50",
        "-app:cart",
        "größe",
    ]
)


@st.composite
def worlds(draw: st.DrawFn) -> list[Kept]:
    streams = draw(st.lists(LABELS, min_size=1, max_size=3))
    texts = st.tuples(st.sampled_from(SHAPES), MESSAGES, LEVELS).map(lambda parts: parts[0](parts[1], parts[2]))
    entries = draw(st.lists(st.tuples(st.sampled_from(streams), texts, OWN), max_size=8))
    # No two at once: which of them is the newer is nobody's to say.
    return [Kept(ns(START) + (7 * index - 1) * 61_000_000_001, *entry) for index, entry in enumerate(entries)]


@settings(max_examples=50, deadline=None)
@given(
    worlds(),
    st.lists(TERMS, max_size=2).map(" ".join),
    st.sampled_from([None, "orders", "cart-0", "varlogs"]),
    st.sampled_from([None, Level.WARN, Level.ERROR]),
)
def test_a_part_finds_what_the_whole_finds_whatever_is_kept(
    kept: list[Kept], query: str, service: str | None, min_level: Level | None
) -> None:
    makers: tuple[Callable[[int], LogBackend], ...] = (
        lambda up_to: LokiLogs("l", "http://l.test", HttpOptions(transport=MadeLoki(kept)), whole_up_to=up_to),
        lambda up_to: VictoriaLogs("l", "http://l.test", HttpOptions(transport=MadeVictoriaLogs(kept)), whole_up_to=up_to),
    )
    for make in makers:
        whole, part = (_ask(make(up_to), query, service, min_level) for up_to in (20_000, -1))
        assert (part.matched.total, part.histogram) == (whole.matched.total, whole.histogram)
        assert [(r.timestamp, r.level, r.message) for r in part.records] == [
            (r.timestamp, r.level, r.message) for r in whole.records
        ]
        assert part.in_scope.total == whole.in_scope.total or not part.in_scope.is_exact
        assert (part.in_scope.total > 0) == (whole.in_scope.total > 0)
