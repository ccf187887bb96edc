"""The tool ``query_logs`` over scripted sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError, InvalidParamsError, NotConfiguredError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.logs import LogCounts, LogPage, LogRecord, LogRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import CallContext
from groundwire.tools.query_logs import QueryLogs

NINE = datetime(2026, 11, 12, 9, 0, tzinfo=UTC)
WINDOW = TimeWindow(start=NINE, end=NINE + timedelta(hours=1))


class ScriptedLogs:
    """Answers what it was given, and remembers what it was asked."""

    def __init__(self, name: str, page: LogPage | Exception, *, live: bool = False, services: tuple[str, ...] = ()) -> None:
        self.name = name
        self.asked: list[LogRequest] = []
        self._page = page
        self._live = live
        self._services = services

    def describe(self) -> SourceDescription:
        return SourceDescription(
            name=self.name, kind=SourceKind.LOGS, backend="scripted", live=self._live, services=self._services
        )

    def search(self, request: LogRequest) -> LogPage:
        self.asked.append(request)
        if isinstance(self._page, Exception):
            raise self._page
        return self._page


def record(minute: int, message: str = "m", fields: Mapping[str, Any] | None = None) -> LogRecord:
    return LogRecord(
        timestamp=NINE + timedelta(minutes=minute),
        level=Level.ERROR,
        service="order-service",
        instance=None,
        message=message,
        source=f"order-service.log:{minute}",
        fields=fields or {},
    )


def page(*records: LogRecord, total: int | None = None, partial_reasons: tuple[str, ...] = ()) -> LogPage:
    times = [record.timestamp for record in records if record.timestamp is not None]
    counts = LogCounts(
        total=len(records) if total is None else total,
        is_exact=not partial_reasons,
        by_level={"ERROR": len(records)},
        first_at=min(times, default=None),
        last_at=max(times, default=None),
    )
    return LogPage(
        records=records,
        matched=counts,
        in_scope=counts,
        histogram={time.replace(second=0): 1 for time in times},
        partial_reasons=partial_reasons,
    )


def context() -> CallContext:
    return CallContext(window=WINDOW, deadline=Deadline.after(5), earlier_calls=lambda: ())


def run(*backends: ScriptedLogs, **params: Any) -> dict[str, Any]:
    return QueryLogs(backends).run(params, context())


def test_the_parameters_reach_every_source() -> None:
    first, second = ScriptedLogs("a", page()), ScriptedLogs("b", page())
    answer = run(first, second, service="order-service", query="pool -quiet", level="warning", since="-30m", limit=7)
    (asked,) = second.asked
    assert (asked.service, asked.min_level, asked.limit) == ("order-service", Level.WARN, 7)
    assert asked.window == TimeWindow(start=NINE + timedelta(minutes=30), end=WINDOW.end)
    assert [term.text for term in asked.query.terms] == ["pool", "quiet"]
    assert answer["scope"] == {
        "window": {"start": "2026-11-12T09:30:00Z", "end": "2026-11-12T10:00:00Z"},
        "filter": {"limit": 7, "query": "pool -quiet", "level": "WARN"},
        "labels": {"service": "order-service"},
    }


def test_pages_are_merged_newest_first_and_cut_at_the_limit() -> None:
    answer = run(ScriptedLogs("a", page(record(9), record(1), total=40)), ScriptedLogs("b", page(record(5), record(3))), limit=3)
    assert [item["source"] for item in answer["logs"]] == ["order-service.log:9", "order-service.log:5", "order-service.log:3"]
    assert (answer["returned_count"], answer["total_count"], answer["evidence_status"]) == (3, 42, "evidence")
    assert [source["returned_count"] for source in answer["sources"]] == [1, 2]
    assert answer["partial"] is False  # fewer than there are is said by the total


def test_an_item_has_the_keys_of_the_contract() -> None:
    (item,) = run(ScriptedLogs("a", page(record(9, "failed", {"logger": "a.B", "status": 503}))))["logs"]
    assert item == {
        "timestamp": "2026-11-12T09:09:00Z",
        "level": "ERROR",
        "service": "order-service",
        "instance": None,
        "message": "failed",
        "source": "order-service.log:9",
        "fields": {"logger": "a.B", "status": 503},
    }


def test_the_summary_is_over_all_sources() -> None:
    summary = run(ScriptedLogs("a", page(record(9), record(1))), ScriptedLogs("b", page(record(9))))["summary"]
    assert summary == {
        "total": 3,
        "by_level": {"ERROR": 3},
        "first_at": "2026-11-12T09:01:00Z",
        "last_at": "2026-11-12T09:09:00Z",
        "total_is_exact": True,
        "histogram": [{"start": "2026-11-12T09:01:00Z", "count": 1}, {"start": "2026-11-12T09:09:00Z", "count": 2}],
        "bucket_ms": 60_000,
        "in_scope": {
            "total": 3,
            "by_level": {"ERROR": 3},
            "first_at": "2026-11-12T09:01:00Z",
            "last_at": "2026-11-12T09:09:00Z",
            "total_is_exact": True,
        },
        "undated_count": 0,
    }


def test_a_scope_that_was_not_counted_whole_says_so_and_holds_at_least_what_matched() -> None:
    some = LogCounts(total=1, is_exact=False, by_level={"INFO": 1})
    summary = run(ScriptedLogs("a", replace(page(record(9), record(1)), in_scope=some)), ScriptedLogs("b", page()))["summary"]
    assert summary["total_is_exact"] is True
    assert summary["in_scope"]["total_is_exact"] is False
    assert (summary["in_scope"]["total"], summary["in_scope"]["by_level"]) == (3, {"ERROR": 2, "INFO": 1})


def test_nothing_found_is_no_evidence_and_an_empty_list() -> None:
    answer = run(ScriptedLogs("a", page()))
    assert (answer["evidence_status"], answer["logs"], answer["error"], answer["total_count"]) == ("no_evidence", [], None, 0)


def test_a_service_that_no_source_knows_is_answered_with_near_names() -> None:
    answer = run(ScriptedLogs("a", page(), services=("order-service", "Payment-Service")), service="orders-service")
    assert answer["evidence_status"] == "no_evidence"
    assert answer["sources"][0]["notes"] == ["nothing here is named 'orders-service'; near to it are order-service"]
    part = run(ScriptedLogs("a", page(), services=("Payment-Service",)), service="payment")
    assert part["sources"][0]["notes"] == ["nothing here is named 'payment'; near to it are Payment-Service"]
    known = run(ScriptedLogs("a", page(), services=("Payment-Service",)), service="payment-service")
    assert known["sources"][0]["notes"] == []


def test_a_source_that_answered_in_part_makes_the_answer_partial() -> None:
    answer = run(ScriptedLogs("a", page(partial_reasons=("x.log cannot be read: Permission denied",))))
    assert answer["partial_reasons"] == ["a: x.log cannot be read: Permission denied"]
    assert answer["summary"]["total_is_exact"] is False


def test_one_failed_source_of_two_is_partial_and_all_failed_is_failed() -> None:
    failing = ScriptedLogs("a", BackendUnavailableError("a", "no such folder"))
    some = run(failing, ScriptedLogs("b", page(record(1))))
    assert (some["evidence_status"], some["partial"], some["total_count"]) == ("evidence", True, 1)
    # What the other one has is the least that there is.
    assert (some["summary"]["total"], some["summary"]["total_is_exact"]) == (1, False)
    none = run(failing)
    assert (none["evidence_status"], none["total_count"], none["logs"]) == ("failed", None, [])
    assert none["error"] == {"type": "unavailable", "message": "a: no such folder"}


@pytest.mark.parametrize("live", [True, False])
def test_a_source_says_whether_it_is_live(live: bool) -> None:
    assert run(ScriptedLogs("a", page(), live=live))["sources"][0]["live"] is live


def test_a_long_message_is_cut_visibly_and_many_fields_are_left_out() -> None:
    fields = {"trace": "y" * 20_000, **{f"f{n}": n for n in range(100)}}
    (item,) = run(ScriptedLogs("a", page(record(1, "x" * 20_000, fields))))["logs"]
    assert item["message"] == "x" * 16_384 + " [cut: 3616 more characters]"
    assert item["fields"]["trace"].endswith("more characters]")
    assert item["fields"]["[left out]"] == "100 more fields"


@pytest.mark.parametrize(
    ("params", "part"),
    [
        ({"levels": "error"}, "has no parameter levels"),
        ({"level": "loud"}, "level takes one of trace, debug"),
        ({"query": '"open'}, "query: the quotation mark"),
        ({"query": ""}, "query is empty"),
        ({"limit": 501}, "limit takes a whole number from 1 to 500"),
        ({"since": "2026-11-12T10:00:00Z", "until": "2026-11-12T09:00:00Z"}, "is not before until"),
        ({"service": 7}, "service takes text"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_and_nothing_is_asked(params: dict[str, Any], part: str) -> None:
    backend = ScriptedLogs("a", page())
    with pytest.raises(InvalidParamsError, match=part):
        run(backend, **params)
    assert backend.asked == []


def test_without_sources_nothing_was_looked_at() -> None:
    with pytest.raises(NotConfiguredError):
        run()
