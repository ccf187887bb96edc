"""What is asked of a Prometheus beyond a plain range query, and answers that are large, double, mixed or in part."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.metrics.prometheus_answers import query_series
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import SeriesPage, SeriesRequest
from groundwire.ports import CallContext
from groundwire.tools.query_metrics import QueryMetrics

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
WINDOW = TimeWindow(start=NOW - timedelta(hours=1), end=NOW)


def _server(answer: Callable[[httpx.Request], Any]) -> PrometheusMetrics:
    def respond(request: httpx.Request) -> httpx.Response:
        said = answer(request)
        return said if isinstance(said, httpx.Response) else httpx.Response(200, json={"status": "success", "data": said})

    return PrometheusMetrics("prom", "http://prom.test", HttpOptions(transport=httpx.MockTransport(respond)), now=lambda: NOW)


def _query(source: PrometheusMetrics, *, step: timedelta | None = timedelta(minutes=1), limit: int = 100) -> SeriesPage:
    return source.query(SeriesRequest(promql="up", window=WINDOW, step=step, limit=limit, deadline=Deadline.after(10)))


def _tool(source: PrometheusMetrics, **params: Any) -> dict[str, Any]:
    return QueryMetrics([source]).run(params, CallContext(window=WINDOW, deadline=Deadline.after(10), earlier_calls=lambda: ()))


def test_an_instant_query_asks_for_the_last_moment_inside_the_window() -> None:
    asked: list[httpx.URL] = []

    def answer(request: httpx.Request) -> Any:
        asked.append(request.url)
        return {"resultType": "vector", "result": [{"metric": {"__name__": "up", "job": "shop"}, "value": [1794478499.999, "1"]}]}

    output = _tool(_server(answer), promql="up", step="instant")
    assert asked[0].path == "/api/v1/query"
    # 2026-11-12 10:15 UTC is 1794478500.
    assert asked[0].params["time"] == "1794478499.999"
    assert output["series"][0]["points"] == [[1794478499.999, 1.0]]
    assert output["scope"]["filter"]["step"] == "instant"


@pytest.mark.parametrize(
    ("data", "points"),
    [
        ({"resultType": "scalar", "result": [1794478499.0, "3"]}, ((1794478499.0, "3"),)),
        ({"resultType": "string", "result": [1794478499.0, "red"]}, ((1794478499.0, "red"),)),
        ({"resultType": "matrix", "result": [{"metric": {}, "values": [[5, "1"], [6, "2"]]}]}, ((5.0, "1"), (6.0, "2"))),
    ],
)
def test_an_instant_query_may_answer_a_number_a_text_or_a_range(data: Any, points: Any) -> None:
    page = _query(_server(lambda request: data), step=None)
    assert (page.series[0].metric, page.series[0].points) == ("up", points)


def test_a_part_of_the_storage_that_did_not_answer_makes_the_answer_partial() -> None:
    body = {"status": "success", "isPartial": True, "data": {"resultType": "matrix", "result": []}}
    page = _query(_server(lambda request: httpx.Response(200, json=body)))
    assert page.partial_reasons == ("it says that a part of its storage did not answer",)


def test_points_out_of_order_are_sorted_and_those_that_came_twice_are_one() -> None:
    values = [[60, "2"], [0, "1"], [60, "2"], [120, "3"]]
    found = query_series({"resultType": "matrix", "result": [{"metric": {}, "values": values}]}, "up", 10)
    assert found.series[0].points == ((0.0, "1"), (60.0, "2"), (120.0, "3"))
    assert found.reasons == ()


def test_two_values_at_one_time_and_a_series_that_came_twice_are_said() -> None:
    double = {"metric": {"__name__": "up"}, "values": [[60, "2"], [60, "3"]]}
    found = query_series({"resultType": "matrix", "result": [double, double]}, "up", 10)
    assert found.series[0].points == ((60.0, "3"),)
    assert found.reasons == (
        "2 series have two values at one time, of which the last is kept",
        "1 series came twice, with the same name and labels",
    )


def test_a_series_that_is_partly_a_native_histogram_keeps_its_numbers_and_says_so() -> None:
    # As the documentation of the HTTP API, "Native histograms", has it: boundary rule, ends and count of each bucket.
    buckets = [[3, "-0.001", "0.001", "2"], [0, "0.7071067811865475", "1", "3"]]
    histogram = {"count": "5", "sum": "2.5", "buckets": buckets}
    whole = {"metric": {"__name__": "t"}, "histograms": [[60, histogram], [120, histogram]]}
    mixed = {"metric": {"__name__": "t"}, "values": [[60, "2"]], "histograms": [[120, histogram]]}
    alone = {"metric": {"__name__": "t"}, "histogram": [120, histogram]}
    said = "1 series hold native histograms, which are not read: ask for histogram_quantile(...)"
    found = query_series({"resultType": "matrix", "result": [mixed]}, "t", 10)
    assert (found.series[0].points, found.total, found.reasons) == (((60.0, "2"),), 1, (said,))
    found = query_series({"resultType": "matrix", "result": [whole]}, "t", 10)
    assert (found.series, found.total, found.reasons) == ((), 0, (said,))
    found = query_series({"resultType": "vector", "result": [alone]}, "t", 10, is_instant=True)
    assert (found.series, found.total, found.reasons) == ((), 0, (said,))


def test_texts_of_5_mb_are_cut_and_a_value_of_5_mb_is_no_number() -> None:
    metric = {"__name__": "up", "note": "x" * 5_000_000}
    found = query_series({"resultType": "matrix", "result": [{"metric": metric, "values": [[60, "9" * 5_000_000]]}]}, "up", 10)
    assert found.series[0].labels["note"].endswith("xxx… (cut, of 5,000,000 characters)")
    assert len(found.series[0].labels["note"]) < 21_000
    assert found.series[0].points == ((60.0, "9" * 64 + "…"),)


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("Thu, 12 Nov 2026 11:15:00 GMT", "its clock is 60 min ahead of the one here, so its times may be wrong by that"),
        ("Thu, 12 Nov 2026 09:15:00 GMT", "its clock is 60 min behind the one here, so its times may be wrong by that"),
        ("Thu, 12 Nov 2026 10:14:30 GMT", None),
        ("yesterday", None),
    ],
)
def test_a_clock_that_is_off_makes_a_window_doubtful_and_the_state_of_an_alert_not(date: str, said: str | None) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        alert = {"labels": {"alertname": "X"}, "annotations": {}, "state": "firing", "activeAt": "2026-11-12T10:00:00Z"}
        data = {"alerts": [alert]} if request.url.path.endswith("alerts") else {"resultType": "matrix", "result": []}
        return httpx.Response(200, json={"status": "success", "data": data}, headers={"Date": date})

    page = _server(answer).alerts(Deadline.after(10))
    assert (page.partial_reasons, page.notes) == ((), () if said is None else (said,))
    assert _query(_server(answer)).partial_reasons == (() if said is None else (said,))


def _rules(request: httpx.Request) -> Any:
    if request.url.path == "/api/v1/alerts":
        return {"alerts": [{"labels": {"alertname": "Firing"}, "annotations": {}, "state": "firing"}]}
    rules = [
        {"type": "alerting", "name": "DiskFull", "state": "inactive", "health": "ok", "labels": {"service": "shop"}},
        {"type": "alerting", "name": "Firing", "state": "firing", "health": "ok", "labels": {}},
        {"type": "alerting", "name": "Broken", "state": "inactive", "health": "err", "lastError": "many-to-many"},
        {"type": "alerting", "name": "Fresh", "state": "inactive", "health": "unknown"},
    ]
    return {"groups": [{"name": "g", "rules": rules}]}


def test_rules_under_which_nothing_is_active_are_told_where_they_are_asked_for_and_nowhere_else() -> None:
    names = {item["alert_name"] for item in _tool(_server(_rules))["alerts"]}
    assert names == {"Firing"}
    inactive = _tool(_server(_rules), state="inactive")["alerts"]
    assert {item["alert_name"] for item in inactive} == {"DiskFull", "Broken", "Fresh"}
    named = _tool(_server(_rules), alert_name="diskfull")["alerts"]
    assert [(item["alert_name"], item["state"], item["service"]) for item in named] == [("DiskFull", "inactive", "shop")]
    assert _tool(_server(_rules), service="shop")["evidence_status"] == "no_evidence"


def test_a_rule_that_fails_or_was_never_evaluated_makes_the_answer_partial_also_where_others_fire() -> None:
    assert _tool(_server(_rules))["partial_reasons"] == [
        "prom: the alerting rule Broken: many-to-many, so it cannot fire",
        "prom: the alerting rule Fresh has not been evaluated yet",
    ]


def test_its_metrics_are_listed_with_their_kinds_and_those_of_an_old_incident_too() -> None:
    def answer(request: httpx.Request) -> Any:
        path = request.url.path
        if path == "/api/v1/metadata":
            return {"up": [{"type": "gauge", "help": "1 while the target answers", "unit": ""}]}
        # Nothing was written in the last hour.
        return [] if "start" in request.url.params else ["up", "http_requests_total"] if "__name__" in path else ["shop"]

    description = _server(answer).describe()
    assert description.services == ("shop",)
    assert description.metrics == ("http_requests_total", "up")
    assert description.metric_kinds == {"up": "gauge"}
