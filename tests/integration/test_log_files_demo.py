"""The story that the log source shipped with Groundwire tells."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.adapters.logs.demo import DEMO_FILES, DemoLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.ports import CallContext
from groundwire.tools.query_logs import QueryLogs

WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, 15, tzinfo=UTC), end=datetime(2026, 11, 12, 10, 15, tzinfo=UTC))


def context() -> CallContext:
    """A fresh one a call: a deadline that began with the import would pass while other tests run."""
    return CallContext(window=WINDOW, deadline=Deadline.after(30), earlier_calls=lambda: ())


@pytest.mark.parametrize("query", ["HikariCP connection pool exhaustion", "HikariCP connection-pool exhaustion"])
def test_pool_exhaustion_of_the_order_service_is_found_with_its_concrete_terms(query: str) -> None:
    answer = QueryLogs([DemoLogs()]).run({"service": "order-service", "query": query}, context())
    assert answer["evidence_status"] == "evidence"
    assert {item["service"] for item in answer["logs"]} == {"order-service"}
    terms = (
        "HikariPool",
        "active=50/50",
        "waiting",
        "request timed out after 30000ms",
        "HikariCP",
        "connection pool",
        "exhausted",
    )
    assert any(all(term in item["message"] for term in terms) and item["level"] == "ERROR" for item in answer["logs"])


@pytest.mark.parametrize("params", [{"service": "billing-service"}, {"query": "kafka rebalance"}])
def test_what_it_has_nothing_on_is_no_evidence(params: dict[str, str]) -> None:
    answer = QueryLogs([DemoLogs()]).run(params, context())
    assert (answer["evidence_status"], answer["logs"]) == ("no_evidence", [])


def test_the_errors_begin_when_they_should_and_never_end() -> None:
    summary = QueryLogs([DemoLogs()]).run({"service": "order-service", "level": "error"}, context())["summary"]
    assert summary["first_at"].startswith("2026-11-12T09:49:30")
    assert summary["last_at"].startswith("2026-11-12T10:14:0")


def test_every_line_is_read_and_nothing_is_assumed() -> None:
    (source,) = QueryLogs([DemoLogs()]).run({}, context())["sources"]
    assert (source["partial_reasons"], source["notes"]) == ([], [])


def test_no_placeholder_is_in_it() -> None:
    for path in DEMO_FILES.iterdir():
        text = path.read_text().lower()
        assert not any(word in text for word in ("generic-service", "placeholder", "lorem", "example.com", "todo"))
