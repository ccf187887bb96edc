"""What a Prometheus-compatible server's answers mean, over a transport in memory."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from groundwire.adapters.metrics.alert_fields import ShapeError
from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.metrics.prometheus_answers import query_series
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendMalformedError,
    BackendRejectedError,
    BackendUnavailableError,
    UsageError,
)
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import SeriesPage, SeriesRequest

START = datetime(2026, 11, 12, 9, 15, tzinfo=UTC)
EMPTY: dict[str, Any] = {"status": "success", "data": {"alerts": []}}
NO_RULES = "it has no alert rules, so that its list of alerts is empty does not mean that nothing is wrong"


class _Server(httpx.MockTransport):
    """Answers each path with the given JSON, bytes or response, and 404 to others; keeps the requests."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.requests: list[httpx.Request] = []
        self._answers = answers
        super().__init__(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.get(request.url.path)
        if isinstance(answer, httpx.Response):
            return answer
        if isinstance(answer, bytes):
            return httpx.Response(200, content=answer)
        return httpx.Response(404, text="404 page not found\n") if answer is None else httpx.Response(200, json=answer)


def _prometheus(answers: Mapping[str, Any], **options: Any) -> PrometheusMetrics:
    return PrometheusMetrics("prom", "http://prom.test:9090", HttpOptions(transport=_Server(answers)), **options)


def _rules(*rules: dict[str, Any]) -> dict[str, Any]:
    return {"status": "success", "data": {"groups": [{"name": "shop", "rules": list(rules)}]}}


def _query(source: PrometheusMetrics, *, limit: int = 100) -> SeriesPage:
    window = TimeWindow(start=START, end=START + timedelta(hours=1))
    return source.query(
        SeriesRequest(promql="up", window=window, step=timedelta(minutes=1), limit=limit, deadline=Deadline.after(10))
    )


def _matrix(*result: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"/api/v1/query_range": {"status": "success", "data": {"resultType": "matrix", "result": list(result)}, **more}}


def test_an_empty_matrix_is_an_answer_without_series() -> None:
    page = _query(_prometheus(_matrix()))
    assert (page.series, page.total, page.partial_reasons) == ((), 0, ())


def test_of_three_thousand_series_the_limit_comes_back_and_all_are_counted() -> None:
    result = [{"metric": {"__name__": "up", "pod": str(n)}, "values": [[1794474900, "1"]]} for n in range(3000)]
    page = _query(_prometheus(_matrix(*result)))
    assert (len(page.series), page.total) == (100, 3000)
    assert page.partial_reasons == ()


def test_warnings_and_infos_of_the_server_make_its_answer_partial() -> None:
    page = _query(_prometheus(_matrix(warnings=["store 2 is down"], infos=["not a counter"])))
    assert page.partial_reasons == ("warning: store 2 is down", "info: not a counter")


def test_a_series_without_a_name_goes_by_the_query_and_values_stay_as_written() -> None:
    page = _query(_prometheus(_matrix({"metric": {"service": "shop"}, "values": [[1.5, "NaN"], [1, "+Inf"]]})))
    assert page.series[0].metric == "up"
    assert page.series[0].labels == {"service": "shop"}
    assert page.series[0].points == ((1.0, "+Inf"), (1.5, "NaN"))


def test_a_broken_series_and_a_native_histogram_do_not_cost_the_others() -> None:
    good = {"metric": {"__name__": "up"}, "values": [[1, "1"]]}
    page = _query(_prometheus(_matrix(good, {"metric": {}, "values": [[1, 2]]}, {"metric": {}, "histograms": [[1, {}]]})))
    assert (len(page.series), page.total) == (1, 1)
    assert page.partial_reasons == (
        "series 1 cannot be read: a point of it is not a time and a text",
        "1 series hold native histograms, which are not read: ask for histogram_quantile(...)",
    )


def test_a_range_query_leaves_the_end_of_the_half_open_window_out() -> None:
    server = _Server(_matrix())
    _query(PrometheusMetrics("prom", "http://prom.test/api/v1/alerts", HttpOptions(transport=server, read_timeout_s=5)))
    params = server.requests[0].url.params
    assert (params["query"], params["step"], params["timeout"]) == ("up", "60.000", "5000ms")
    assert (params["start"], params["end"]) == ("1794474900.000", "1794478499.999")


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (
            400,
            b'{"status":"error","errorType":"bad_data","error":"1:4: parse error: unexpected end of input"}',
            "prom: HTTP 400 Bad Request: bad_data: 1:4: parse error: unexpected end of input",
        ),
        (
            422,
            b'{"status":"error","errorType":"execution","error":"too many samples"}',
            "prom: HTTP 422 Unprocessable Entity: execution: too many samples",
        ),
        (401, b"", "prom: HTTP 401 Unauthorized"),
        (403, b'{"message":"forbidden for tenant"}', "prom: HTTP 403 Forbidden: forbidden for tenant"),
        (404, b"404 page not found\n", "prom: HTTP 404 Not Found: 404 page not found"),
        (429, b"slow\n\n  down", "prom: HTTP 429 Too Many Requests: slow down"),
        (200, b'{"status":"error","errorType":"bad_data","error":"no"}', "prom: bad_data: no"),
        (200, b'{"status":"error"}', "prom: the query was refused without a reason"),
    ],
)
def test_a_refusal_comes_with_the_servers_own_words(status: int, body: bytes, message: str) -> None:
    with pytest.raises(BackendRejectedError) as raised:
        _query(_prometheus({"/api/v1/query_range": httpx.Response(status, content=body)}))
    assert raised.value.message == message


def test_a_server_that_is_down_or_overloaded_is_unavailable_with_its_own_words() -> None:
    body = {"status": "error", "errorType": "timeout", "error": "query timed out in expression evaluation"}
    with pytest.raises(BackendUnavailableError) as raised:
        _query(_prometheus({"/api/v1/query_range": httpx.Response(503, json=body)}))
    assert raised.value.message == ("prom: HTTP 503 Service Unavailable: timeout: query timed out in expression evaluation")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html><body>Sign in</body></html>", "is not JSON, beginning '<html><body>Sign in</body></html>'"),
        (b"", r"is not JSON \(it is empty\)"),
        (b"[]", "something else than Prometheus does: it is a list, not an object with status and data"),
        (b'{"status":"success"}', "it is an object with status, not an object with status and data"),
        (b'{"status":"success","data":{"resultType":"vector","result":[]}}', "its data is vector, not a matrix"),
        (b'{"status":"success","data":{"resultType":"matrix","result":[5]}}', "series 0 cannot be read: it is a number"),
        (b'{"status":"success","data":' + b"9" * 5000 + b"}", "is not JSON"),
    ],
)
def test_an_answer_of_another_shape_is_malformed_and_kept(body: bytes, said: str) -> None:
    with pytest.raises(BackendMalformedError, match=said) as raised:
        _query(_prometheus({"/api/v1/query_range": body}))
    assert raised.value.answer == body.decode()[:2000]
    assert raised.value.message.startswith("prom: http://prom.test:9090 answered ")


def test_an_answer_beyond_16_mb_is_refused_with_the_reason() -> None:
    body = b'{"status":"success","data":"' + b"x" * (16 * 1024 * 1024) + b'"}'
    with pytest.raises(BackendMalformedError, match="answered with more than 16 MB, which is not read"):
        _query(_prometheus({"/api/v1/query_range": body}))


@pytest.mark.parametrize(
    ("answers", "reasons"),
    [
        # VictoriaMetrics without vmalert.
        ({"/api/v1/rules": {"status": "success", "data": {"groups": []}}}, (NO_RULES,)),
        ({"/api/v1/rules": _rules({"type": "recording", "name": "errors:rate5m", "health": "ok"})}, (NO_RULES,)),
        ({"/api/v1/rules": _rules({"type": "alerting", "name": "PoolFull", "health": "ok"})}, ()),
        (
            {"/api/v1/rules": _rules({"type": "alerting", "name": "PoolFull", "health": "err", "lastError": "many-to-many"})},
            ("the alerting rule PoolFull: many-to-many, so it cannot fire",),
        ),
        ({"/api/v1/status/buildinfo": {"status": "success", "data": {"version": "2.42.0", "goVersion": "go1.19"}}}, ()),
    ],
)
def test_an_empty_list_of_alerts_is_held_against_the_rules(answers: dict[str, Any], reasons: tuple[str, ...]) -> None:
    page = _prometheus({"/api/v1/alerts": EMPTY, **answers}).alerts(Deadline.after(10))
    assert (page.alerts, page.partial_reasons) == ((), reasons)


@pytest.mark.parametrize("data", [{}, {"version": "2.24.0"}, None])
def test_an_empty_list_from_a_server_that_does_not_say_that_it_has_rules_is_doubted(data: dict[str, str] | None) -> None:
    answers = {"/api/v1/alerts": EMPTY}
    if data is not None:
        answers["/api/v1/status/buildinfo"] = {"status": "success", "data": data}
    reasons = _prometheus(answers).alerts(Deadline.after(10)).partial_reasons
    assert len(reasons) == 1
    assert "VictoriaMetrics without vmalert" in reasons[0]


def test_services_are_those_of_the_label_service_or_else_of_job() -> None:
    jobs = {"status": "success", "data": ["node", "cart"]}
    none = {"status": "success", "data": []}
    others = ("service", "service_name", "app", "application")
    answers = {f"/api/v1/label/{label}/values": none for label in others} | {"/api/v1/label/job/values": jobs}
    assert _prometheus(answers).describe().services == ("cart", "node")


def test_alertmanagers_bare_string_is_its_message() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(400, content=b'"bad matcher format: foo{"\n'))
    with pytest.raises(BackendRejectedError) as raised:
        AlertmanagerAlerts("am", "http://am.test", HttpOptions(transport=transport)).alerts(Deadline.after(10))
    assert raised.value.message == "am: HTTP 400 Bad Request: bad matcher format: foo{"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://prom:abc", "Invalid port: 'abc'"),
        ("prom:9090", "is not the URL of a server"),
        ("ftp://prom", "is not the URL of a server"),
        ("http://", "is not the URL of a server"),
        (f"http://{'a' * 64}.example", "is not the URL of a server"),
        ("http://u:sesame-42@prom/api/v2/alerts?silenced=false", "http://prom/api/v2/alerts must not hold a query"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_at_once_without_its_password(url: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        PrometheusMetrics("prom", url)
    assert "sesame" not in f"{raised.value.message} {raised.value.hint}"


@pytest.mark.parametrize("headers", [{"X-Token": "a\nb"}, {"X-Token": "sésame"}, {"X Token": "a"}, {"": "a"}])
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(headers: dict[str, str]) -> None:
    with pytest.raises(UsageError) as raised:
        PrometheusMetrics("prom", "http://prom", HttpOptions(headers=headers))
    assert "sésame" not in raised.value.message


def test_a_secret_header_is_sent_and_never_shown() -> None:
    seen: list[str] = []

    def echo(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["authorization"])
        return httpx.Response(403, text=f"not allowed: {request.headers['authorization']}")

    source = PrometheusMetrics(
        "prom",
        "http://prom.test",
        HttpOptions(headers={"Authorization": "Bearer tok-123456"}, transport=httpx.MockTransport(echo)),
    )
    with pytest.raises(BackendRejectedError) as raised:
        _query(source)
    assert seen == ["Bearer tok-123456"]
    assert raised.value.message == "prom: HTTP 403 Forbidden: not allowed: ***"


@pytest.mark.parametrize("at", [1_764_500_000_000, -1e20, 10**400], ids=["milliseconds", "before the calendar", "no float"])
def test_a_point_at_no_time_of_the_calendar_cannot_be_read(at: float) -> None:
    data = {"resultType": "matrix", "result": [{"metric": {"__name__": "up"}, "values": [[at, "1"]]}]}
    with pytest.raises(ShapeError, match="which is no time in epoch seconds"):
        query_series(data, "up", 10)


def test_names_of_metrics_are_listed_bounded_whatever_the_server_sends() -> None:
    answers = {
        "/api/v1/label/service/values": {"status": "success", "data": ["cart"]},
        "/api/v1/label/__name__/values": {"status": "success", "data": [f"m{number:04}" for number in range(3000)] + ["a_total"]},
    }
    described = _prometheus(answers).describe()
    assert (described.metrics[0], len(described.metrics)) == ("a_total", 1000)
    assert described.services == ("cart",)


def test_a_server_that_lists_no_names_of_metrics_has_no_problem() -> None:
    described = _prometheus({"/api/v1/label/service/values": {"status": "success", "data": ["cart"]}}).describe()
    assert (described.services, described.metrics, described.problems) == (("cart",), (), ())
