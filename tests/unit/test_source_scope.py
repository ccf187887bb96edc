"""A call goes to the sources that cover what it asks about, and the others are named as not asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, NotConfiguredError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.knowledge import KnowledgePage, KnowledgeRequest
from groundwire.domain.logs import LogCounts, LogPage, LogRequest
from groundwire.domain.metrics import AlertPage, SeriesPage, SeriesRequest
from groundwire.domain.names import RelevanceLevel
from groundwire.domain.source_scope import SourceScope, asked_sources
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.evidence.coverage import assumptions
from groundwire.ports import CallContext, Tool
from groundwire.tools.lookup_knowledge import LookupKnowledge
from groundwire.tools.query_logs import QueryLogs
from groundwire.tools.query_metrics import QueryMetrics
from tests.unit.rows import alerts_output, logs_output, row

AT = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=AT.replace(hour=9), end=AT)
CONTEXT = CallContext(window=WINDOW, deadline=Deadline.after(10), earlier_calls=list)
PAY = SourceScope(services=("payments", "ledger-*"))
EU = SourceScope(labels={"cluster": "eu-1"})


class _Source:
    """A source of every kind that has nothing, and counts how often it is asked."""

    def __init__(self, name: str, *, fails: bool = False) -> None:
        self.name = name
        self.asked = 0
        self._fails = fails

    def describe(self) -> SourceDescription:
        return SourceDescription(name=self.name, kind=SourceKind.LOGS, backend="fake", live=True)

    def search(self, request: LogRequest) -> LogPage:
        self._ask()
        return LogPage(records=(), matched=LogCounts(), in_scope=LogCounts(total=1))

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        self._ask()
        return AlertPage(alerts=(), as_of=AT, live=True)

    def query(self, request: SeriesRequest) -> SeriesPage:
        self._ask()
        return SeriesPage(series=(), total=0)

    def lookup(self, request: KnowledgeRequest) -> KnowledgePage:
        self._ask()
        return KnowledgePage(blocks=(), l0_count=0, l1_count=0, relevance_level=RelevanceLevel.NONE)

    def _ask(self) -> None:
        self.asked += 1
        if self._fails:
            raise BackendTimeoutError(self.name, after_s=1)


def _statuses(output: Mapping[str, Any]) -> dict[str, str]:
    return {source["name"]: source["status"] for source in output["sources"]}


@pytest.mark.parametrize(
    ("service", "covers"),
    [
        (None, True),
        ("payments", True),
        ("Payments", True),
        ("payments-7d9f8c6b54-x2v4q", True),
        ("ledger-eu", True),
        ("paymentsx", False),
        ("pay", False),
        ("checkout", False),
    ],
)
def test_a_source_of_services_is_asked_for_these_their_instances_and_when_no_service_is_asked(
    service: str | None, covers: bool
) -> None:
    source = _Source("pay")
    everywhere = _Source("all")
    params = {} if service is None else {"service": service}
    output = QueryLogs([source, everywhere], {"pay": PAY}).run(params, CONTEXT)
    assert (source.asked == 1) is covers
    assert everywhere.asked == 1
    assert _statuses(output) == {"all": "no_evidence", "pay": "no_evidence" if covers else "not_asked"}
    assert output["partial"] is False


@pytest.mark.parametrize(
    ("query", "covers"),
    [
        ("", True),
        ("cluster:eu-1 timeout", True),
        ("cluster:eu", True),
        ("cluster:us-1", False),
        ("-cluster:eu-1", True),
        ("eu-2", True),
    ],
)
def test_a_source_of_labels_is_left_out_by_a_field_of_the_query_that_says_another(query: str, covers: bool) -> None:
    output = QueryLogs([_Source("eu"), _Source("all")], {"eu": EU}).run({"query": query} if query else {}, CONTEXT)
    assert _statuses(output)["eu"] == ("no_evidence" if covers else "not_asked")


@pytest.mark.parametrize(
    ("promql", "asked"),
    [
        ("up", {"eu", "pay"}),
        ('up{cluster="eu-1"}', {"eu", "pay"}),
        ("up{cluster = 'us-1'}", {"pay"}),
        ('up{cluster="us-1"} / on() up{cluster="eu-1"}', {"eu", "pay"}),
        ('up{cluster!="eu-1", zone=~"us-1"}', {"eu", "pay"}),
        ('rate(http_total{service="checkout"}[5m])', {"eu"}),
        ('http_total{service="payments", cluster="us-1"}', {"pay"}),
    ],
)
def test_an_expression_is_asked_where_its_labels_may_be(promql: str, asked: set[str]) -> None:
    tool = QueryMetrics([_Source("eu"), _Source("pay")], {"eu": EU, "pay": PAY})
    statuses = _statuses(tool.run({"promql": promql}, CONTEXT))
    assert {name for name, status in statuses.items() if status != "not_asked"} == asked


def test_what_no_source_covers_was_not_looked_at_and_each_source_says_what_it_covers() -> None:
    tools: dict[str, Tool] = {
        "query_logs": QueryLogs([_Source("pay")], {"pay": PAY}),
        "query_metrics": QueryMetrics([_Source("pay")], {"pay": PAY}),
        "lookup_knowledge": LookupKnowledge([_Source("pay")], {"pay": PAY}),
    }
    for name, tool in tools.items():
        params = {"service": "checkout", **({"query": "pool"} if name == "lookup_knowledge" else {})}
        output = tool.run(params, CONTEXT)
        assert (output["evidence_status"], output["error"]["type"], output["total_count"]) == ("failed", "not_configured", None)
        assert output["error"]["message"] == (
            "no configured source covers what is asked: pay: checkout is not what it covers (payments, ledger-*)"
        )
        assert output["sources"][0]["not_asked"] == "checkout is not what it covers (payments, ledger-*)"


def test_a_source_that_is_not_asked_does_not_hide_that_all_that_were_asked_failed() -> None:
    output = QueryLogs([_Source("pay"), _Source("slow", fails=True)], {"pay": PAY}).run({"service": "checkout"}, CONTEXT)
    assert (output["evidence_status"], output["error"]["type"]) == ("failed", "timeout")
    assert _statuses(output) == {"slow": "failed", "pay": "not_asked"}


def test_one_source_that_fails_does_not_silence_the_rest() -> None:
    output = QueryLogs([_Source("well"), _Source("slow", fails=True)]).run({}, CONTEXT)
    assert (output["evidence_status"], output["partial"]) == ("no_evidence", True)
    assert _statuses(output) == {"well": "no_evidence", "slow": "failed"}


def test_without_any_source_a_call_is_not_configured_as_before() -> None:
    with pytest.raises(NotConfiguredError):
        QueryLogs([], {}).run({}, CONTEXT)


def _row(*sources: dict[str, str]) -> ToolInvocation:
    return replace(row(1, "query_logs", logs_output()), retrieval_details={"sources": list(sources)})


def test_the_answer_names_the_sources_that_no_call_asked() -> None:
    left_out = {"name": "pay", "status": "not_asked"}
    rows = [_row({"name": "all", "status": "evidence"}, left_out)]
    assert assumptions(rows) == ("Not asked, because they cover something else: pay.",)
    rows.append(_row({"name": "pay", "status": "no_evidence"}))
    assert assumptions(rows) == ()


def test_that_saved_alerts_were_not_asked_does_not_make_a_live_answer_a_saved_one() -> None:
    output = alerts_output(live=True)
    left_out = {**output["sources"][0], "name": "saved", "status": "not_asked", "live": False}
    made = row(1, "query_metrics", {**output, "sources": [*output["sources"], left_out]})
    assert made.backend == output["sources"][0]["name"]
    assert [source["name"] for source in asked_sources(made.retrieval_details)] == [output["sources"][0]["name"]]


@pytest.mark.parametrize(
    ("newest", "live", "said"),
    [
        ("2026-11-12T09:20:05Z", False, ("files: its records end at 2026-11-12 09:20:05 UTC, before the window does",)),
        ("2026-11-12T09:57:00Z", False, ()),
        ("2026-11-12T09:20:05Z", True, ()),
        # Then nothing is known of the window at all, which the next steps say.
        ("2026-11-12T08:20:05Z", False, ()),
    ],
)
def test_an_answer_notes_that_saved_records_end_inside_the_window(newest: str, live: bool, said: tuple[str, ...]) -> None:
    source = {"name": "files", "status": "no_evidence", "live": live, "newest_record": newest}
    made = replace(row(1, "query_logs", logs_output()), retrieval_details={"sources": [source]})
    assert assumptions([made]) == said
