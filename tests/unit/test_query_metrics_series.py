"""The tool's series: points, steps, limits, and what happens beside alerts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendRejectedError, NotConfiguredError, ToolError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import Alert, AlertPage, Series, SeriesPage, SeriesRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import CallContext, MetricBackend
from groundwire.tools.query_metrics import QueryMetrics

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
FIRING = Alert(
    alert_name="PoolFull",
    state="firing",
    service="shop",
    severity="critical",
    value=50,
    value_text=None,
    active_at=NOW - timedelta(minutes=15),
    ends_at=None,
    labels={"alertname": "PoolFull", "service": "shop"},
)


class FixedSeries:
    """A source with these series, or this fault, and one firing alert unless it has none."""

    def __init__(
        self, *series: Series, name: str = "prom", error: ToolError | None = None, has_alerts: bool = True, alerts: int = 1
    ) -> None:
        self.name = name
        self.requests: list[SeriesRequest] = []
        self._series = series
        self._error = error
        self._has_alerts = has_alerts
        self._alerts = (FIRING,) * alerts

    def describe(self) -> SourceDescription:
        return SourceDescription(name=self.name, kind=SourceKind.METRICS, backend="fixed", live=True)

    def alerts(self, deadline: Deadline, window: TimeWindow | None = None) -> AlertPage:
        if not self._has_alerts:
            raise NotConfiguredError(f"{self.name} has no alerts")
        return AlertPage(alerts=self._alerts, as_of=NOW, live=True)

    def query(self, request: SeriesRequest) -> SeriesPage:
        self.requests.append(request)
        if self._error is not None:
            raise self._error
        return SeriesPage(series=self._series[: request.limit], total=len(self._series))


def series(*values: str, metric: str = "pool_active", **labels: str) -> Series:
    return Series(metric=metric, labels=labels, points=tuple((1000.0 + 15 * n, text) for n, text in enumerate(values)))


def run(*sources: MetricBackend, window: timedelta = timedelta(hours=1), **params: Any) -> Mapping[str, Any]:
    context = CallContext(window=TimeWindow(start=NOW - window, end=NOW), deadline=Deadline.after(10), earlier_calls=lambda: ())
    return QueryMetrics(sources).run({"promql": "pool_active", **params}, context)


def test_a_series_comes_with_its_points_and_no_alerts_that_nobody_asked_for() -> None:
    output = run(FixedSeries(series("12", "50", service="shop")))
    assert output["series"] == [
        {
            "metric": "pool_active",
            "labels": {"service": "shop"},
            "points": [[1000.0, 12.0], [1015.0, 50.0]],
            "source": "prom",
        }
    ]
    assert output["alerts"] == []
    assert (output["evidence_status"], output["returned_count"], output["total_count"]) == ("evidence", 1, 1)
    assert [source["kind"] for source in output["sources"]] == ["metrics"]
    assert output["scope"]["filter"] == {"promql": "pool_active", "step": "15s"}


def test_values_that_are_not_finite_are_null_with_their_words_by_index() -> None:
    item = run(FixedSeries(series("1", "NaN", "+Inf", "-Inf", "2")))["series"][0]
    assert [value for _, value in item["points"]] == [1.0, None, None, None, 2.0]
    assert item["value_text"] == {"1": "NaN", "2": "+Inf", "3": "-Inf"}


def test_alerts_stand_beside_the_series_where_they_are_asked_for_too() -> None:
    output = run(FixedSeries(series("1")), service="shop")
    assert (len(output["alerts"]), len(output["series"])) == (1, 1)
    assert (output["returned_count"], output["total_count"]) == (2, 2)
    assert [source["kind"] for source in output["sources"]] == ["alerts", "metrics"]


def test_no_series_is_an_answer_without_evidence_and_no_failure() -> None:
    output = run(FixedSeries())
    assert (output["evidence_status"], output["error"], output["total_count"]) == ("no_evidence", None, 0)


def test_beyond_the_limit_data_is_returned_and_all_are_counted() -> None:
    output = run(FixedSeries(*(series("1", pod=str(n)) for n in range(3000))), limit=7)
    assert (output["evidence_status"], output["returned_count"], output["total_count"]) == ("evidence", 7, 3000)
    assert output["partial"] is False


def test_more_series_than_any_call_returns_make_the_answer_partial_with_their_number() -> None:
    many = [series("1", pod=str(n)) for n in range(3000)]
    output = run(FixedSeries(*many), limit=1000)
    assert output["returned_count"] == 1000
    assert output["partial_reasons"] == ["of 3,000 series the first 1,000 are returned, the most that one call returns"]
    assert run(FixedSeries(*many[:1000]), limit=1000)["partial"] is False


def test_the_limit_holds_over_all_sources_together() -> None:
    output = run(FixedSeries(series("1"), series("2"), name="a"), FixedSeries(series("3"), name="b"), limit=2)
    assert [item["source"] for item in output["series"]] == ["a", "a"]
    assert output["total_count"] == 3


def test_a_refused_query_is_failed_in_the_servers_words_also_when_no_alert_fires() -> None:
    error = BackendRejectedError("prom", "bad_data: 1:4: parse error")
    for service in (None, "shop"):
        output = run(FixedSeries(error=error, alerts=0), service=service)
        assert output["evidence_status"] == "failed"
        assert output["error"] == {"type": "rejected", "message": "prom: bad_data: 1:4: parse error"}


def test_a_refused_query_beside_alerts_that_were_found_is_a_partial_answer() -> None:
    output = run(FixedSeries(error=BackendRejectedError("prom", "parse error")), service="shop")
    assert (output["evidence_status"], output["partial"]) == ("evidence", True)
    assert output["partial_reasons"] == ["one source failed: prom: parse error"]


def test_a_query_that_no_source_can_answer_is_not_configured() -> None:
    with pytest.raises(NotConfiguredError, match="no source can answer: file has no series"):
        run(FixedSeries(name="file", error=NotConfiguredError("file has no series")), service="shop")


def test_a_source_without_series_is_left_out_where_another_has_them() -> None:
    output = run(FixedSeries(name="file", error=NotConfiguredError("no series")), FixedSeries(series("1")))
    assert [source["name"] for source in output["sources"]] == ["prom"]
    assert output["partial"] is False


def test_alerts_that_no_source_has_are_said_not_to_have_been_looked_at() -> None:
    output = run(FixedSeries(series("1"), has_alerts=False), service="shop")
    assert output["evidence_status"] == "evidence"
    assert output["partial_reasons"] == ["no configured source has alerts"]


@pytest.mark.parametrize(
    ("window", "step"),
    [
        (timedelta(minutes=5), timedelta(seconds=15)),
        (timedelta(hours=1), timedelta(seconds=15)),
        (timedelta(hours=2), timedelta(seconds=30)),
        (timedelta(days=1), timedelta(minutes=10)),
        (timedelta(days=1000), timedelta(days=4)),
    ],
)
def test_the_default_step_gives_at_most_250_points(window: timedelta, step: timedelta) -> None:
    source = FixedSeries()
    run(source, window=window)
    assert source.requests[0].step == step
    assert window / step <= 250


def test_a_given_step_is_taken() -> None:
    source = FixedSeries()
    run(source, step="5m", since="-2h", limit=3)
    request = source.requests[0]
    assert (request.step, request.limit, request.promql) == (timedelta(minutes=5), 3, "pool_active")
    assert request.window == TimeWindow(start=NOW - timedelta(hours=2), end=NOW)
