"""Live sources against real connections on 127.0.0.1: refused, slow, trickling, broken, redirected, protected."""

from __future__ import annotations

import base64
import socket
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler

import pytest

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.detection import detect_alert_source
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import (
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
)
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import SeriesRequest
from groundwire.ports import CallContext
from groundwire.tools.query_metrics import QueryMetrics
from tests.loopback import serving

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
WINDOW = TimeWindow(start=NOW - timedelta(hours=1), end=NOW)
NO_ALERTS = b'{"status":"success","data":{"alerts":[]}}'
ONE_ALERT = (
    b'{"status":"success","data":{"alerts":[{"labels":{"alertname":"PoolFull","service":"shop"},"annotations":{},'
    b'"state":"firing","activeAt":"2026-11-12T10:00:00Z","value":"5e+01"}]}}'
)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _send(
    handler: BaseHTTPRequestHandler,
    body: bytes,
    *,
    status: int = 200,
    content_type: str = "application/json",
    location: str | None = None,
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(len(body)))
    if location is not None:
        handler.send_header("Location", location)
    handler.end_headers()
    handler.wfile.write(body)


def _series(source: PrometheusMetrics, deadline: Deadline) -> object:
    return source.query(SeriesRequest(promql="up", window=WINDOW, step=timedelta(seconds=15), limit=10, deadline=deadline))


def test_a_refused_connection_is_unavailable_in_the_words_of_the_system() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        source = PrometheusMetrics("prom", url)
        with pytest.raises(BackendUnavailableError) as raised:
            source.alerts(Deadline.after(5))
        assert raised.value.message.startswith(f"prom: cannot reach {url}: ")
        assert "Connection refused" in raised.value.message
        assert source.describe().problems == (raised.value.message,)
        with pytest.raises(BackendUnavailableError, match="Connection refused"):
            detect_alert_source("am", url).alerts(Deadline.after(5))


def test_a_deadline_that_has_passed_asks_nothing() -> None:
    asked: list[str] = []

    def note(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        _send(handler, NO_ALERTS)

    with serving(note) as url:
        with pytest.raises(BackendTimeoutError):
            PrometheusMetrics("prom", url).alerts(Deadline.after(0))
        assert asked == []


def test_a_gateways_503_page_is_unavailable_with_its_title() -> None:
    page = b"<html><head><title>503 Service Temporarily Unavailable</title></head><body>nginx</body></html>"
    with serving(lambda handler: _send(handler, page, status=503, content_type="text/html")) as url:
        with pytest.raises(BackendUnavailableError) as raised:
            PrometheusMetrics("prom", url).alerts(Deadline.after(5))
        assert raised.value.message == "prom: HTTP 503 Service Unavailable: 503 Service Temporarily Unavailable"


def test_a_body_that_is_not_what_its_encoding_says_is_malformed() -> None:
    def mislabel(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        handler.wfile.write(b"not gzip")

    with serving(mislabel) as url, pytest.raises(BackendMalformedError, match="cannot be decompressed"):
        PrometheusMetrics("prom", url).alerts(Deadline.after(5))


def test_warnings_make_an_answer_partial_and_do_not_lose_it() -> None:
    body = (
        b'{"status":"success","warnings":["store eu-2 did not answer"],"infos":["metric might not be a counter"],'
        b'"data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1794476700,"1"]]}]}}'
    )
    with serving(lambda handler: _send(handler, body)) as url:
        context = CallContext(window=WINDOW, deadline=Deadline.after(5), earlier_calls=lambda: ())
        output = QueryMetrics([PrometheusMetrics("prom", url)]).run({"promql": "up"}, context)
    assert output["evidence_status"] == "evidence"
    assert output["partial"] is True
    assert output["partial_reasons"] == ["prom: warning: store eu-2 did not answer", "prom: info: metric might not be a counter"]
    assert output["series"][0]["points"] == [[1794476700.0, 1.0]]


def test_an_invalid_byte_does_not_lose_the_answer() -> None:
    with serving(lambda handler: _send(handler, ONE_ALERT.replace(b"shop", b"sh\xfep"))) as url:
        page = PrometheusMetrics("prom", url).alerts(Deadline.after(5))
    assert page.alerts[0].service == "sh\ufffdp"
    assert page.notes == ("bytes that are no text are shown as U+FFFD",)


def test_a_redirect_within_the_server_is_followed_and_one_to_another_is_not() -> None:
    def redirect(handler: BaseHTTPRequestHandler) -> None:
        if handler.path.startswith("/moved/api"):
            _send(handler, ONE_ALERT)
        elif handler.path.startswith("/away"):
            _send(handler, b"", status=302, location="http://login.invalid/?secret=1")
        elif handler.path.startswith("/round"):
            _send(handler, b"", status=302, location=handler.path)
        else:
            _send(handler, b"", status=308, location=f"/moved{handler.path}")

    with serving(redirect) as url:
        assert PrometheusMetrics("prom", url).alerts(Deadline.after(5)).alerts[0].alert_name == "PoolFull"
        with pytest.raises(BackendRejectedError) as raised:
            PrometheusMetrics("prom", f"{url}/away").alerts(Deadline.after(5))
        assert raised.value.message == (f"prom: {url}/away redirects to http://login.invalid, which is not followed (HTTP 302)")
        with pytest.raises(BackendRejectedError, match="redirects more than 3 times"):
            PrometheusMetrics("prom", f"{url}/round").alerts(Deadline.after(5))


def test_credentials_of_the_url_are_sent_and_never_shown() -> None:
    seen: list[str | None] = []

    def echo(handler: BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers["Authorization"])
        _send(handler, b'{"error":"bad password hunter2-secret"}', status=401)

    with serving(echo) as url:
        source = PrometheusMetrics("prom", url.replace("http://", "http://ops:hunter2-secret@"))
        with pytest.raises(BackendRejectedError) as raised:
            source.alerts(Deadline.after(5))
        description = source.describe()
    assert seen[0] == "Basic " + base64.b64encode(b"ops:hunter2-secret").decode()
    assert raised.value.message == "prom: HTTP 401 Unauthorized: bad password ***"
    assert "hunter2" not in str(description)


def test_a_url_is_found_out_to_be_an_alertmanagers_or_a_prometheuss() -> None:
    def alertmanager(handler: BaseHTTPRequestHandler) -> None:
        if handler.path == "/am/api/v2/status":
            _send(handler, b'{"versionInfo":{"version":"0.27.0"},"cluster":{"status":"disabled"}}')
        elif handler.path.startswith("/am/api/v2/alerts?active=true&silenced=true&inhibited=true"):
            _send(handler, b"[]")
        elif handler.path == "/api/v1/alerts":
            _send(handler, ONE_ALERT)
        else:
            _send(handler, b"404 page not found", status=404, content_type="text/plain")

    with serving(alertmanager) as url:
        found = detect_alert_source("alerts", f"{url}/am")
        assert found.alerts(Deadline.after(5)).alerts == ()
        assert found.describe().backend == "alertmanager"
        assert detect_alert_source("alerts", url).alerts(Deadline.after(5)).alerts[0].alert_name == "PoolFull"
        assert detect_alert_source("alerts", url).describe().backend == "prometheus"
        assert isinstance(detect_alert_source("alerts", f"{url}/am/api/v2/alerts"), AlertmanagerAlerts)
        assert isinstance(detect_alert_source("alerts", f"{url}/api/v1/alerts"), PrometheusMetrics)


def test_a_name_that_does_not_resolve_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(BackendUnavailableError) as raised:
        PrometheusMetrics("prom", "http://prometheus:9090").alerts(Deadline.after(5))
    assert raised.value.message == "prom: cannot reach http://prometheus:9090: [Errno -2] Name or service not known"


def test_an_answer_over_tls_from_a_server_without_tls_is_unavailable() -> None:
    with serving(lambda handler: _send(handler, NO_ALERTS)) as url:
        source = PrometheusMetrics("prom", url.replace("http://", "https://"))
        with pytest.raises(BackendUnavailableError, match="SSL"):
            _series(source, Deadline.after(5))
