"""What every source of alerts and series does alike: live and saved, in every shape that it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.demo import DemoAlerts
from groundwire.adapters.metrics.detection import detect_alert_source
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.metrics.snapshot import SavedAlerts
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, NotConfiguredError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.metrics import ALERT_STATES, SeriesRequest
from groundwire.ports import MetricBackend
from tests.integration.monitoring import Monitoring

ANSWERS = Path(__file__).parent.parent / "fixtures" / "server_answers"
STARTED = datetime(2026, 11, 12, 9, 52, tzinfo=UTC)
WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, 45, tzinfo=UTC), end=datetime(2026, 11, 12, 10, 15, tzinfo=UTC))

Route = Callable[[str], bytes | None]
"""What the server behind a path answers; None is a 404."""


@dataclass(frozen=True)
class Kind:
    """How a backend of one kind is made over the answers of a server, and which of the answers it reads."""

    make: Callable[[Route, Path], MetricBackend]
    alerts_path: str
    alerts_file: str


def _server(route: Route) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        body = route(request.url.path)
        return httpx.Response(404, text="404 page not found\n") if body is None else httpx.Response(200, content=body)

    return httpx.MockTransport(answer)


def _saved(route: Route, folder: Path) -> MetricBackend:
    file = folder / "alerts.json"
    file.write_bytes(route("file") or b"")
    return SavedAlerts("alerts.json", file)


KINDS = {
    "Prometheus": Kind(
        lambda route, _: PrometheusMetrics("prom", "http://prom.test", HttpOptions(transport=_server(route))),
        "/api/v1/alerts",
        "prometheus_alerts.json",
    ),
    "Alertmanager": Kind(
        lambda route, _: AlertmanagerAlerts("am", "http://am.test", HttpOptions(transport=_server(route))),
        "/api/v2/alerts",
        "alertmanager_alerts.json",
    ),
    "detected Prometheus": Kind(
        lambda route, _: detect_alert_source("prom", "http://prom.test", HttpOptions(transport=_server(route))),
        "/api/v1/alerts",
        "prometheus_alerts.json",
    ),
    "saved Prometheus answer": Kind(_saved, "file", "prometheus_alerts.json"),
    "saved Alertmanager answer": Kind(_saved, "file", "alertmanager_alerts.json"),
    "saved webhook": Kind(_saved, "file", "alert_webhook.json"),
    "saved notification": Kind(_saved, "file", "alert_notification.json"),
}


RUNNING: dict[str, Callable[[Monitoring], MetricBackend]] = {
    "running Prometheus": lambda servers: PrometheusMetrics("prom", servers.prometheus),
    "running Alertmanager": lambda servers: AlertmanagerAlerts("am", servers.alertmanager),
    "running server, detected": lambda servers: detect_alert_source("am", servers.alertmanager),
    "running VictoriaMetrics with vmalert": lambda servers: PrometheusMetrics("vm", servers.victoria_metrics_with_rules),
}
"""Servers that the tests start. They answer what the recorded answers hold, at other times."""


@dataclass(frozen=True)
class Case:
    """A backend with what it must answer: when its alert began, where that is known, and when its series did."""

    backend: MetricBackend
    alert_started: datetime | None
    series_started: datetime


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture(params=[*KINDS, *RUNNING])
def case(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    if request.param in RUNNING:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        servers = request.getfixturevalue("monitoring")
        return Case(RUNNING[request.param](servers), None, servers.start)
    kind = KINDS[request.param]
    files = {
        kind.alerts_path: kind.alerts_file,
        "/api/v1/label/service/values": "prometheus_services.json",
        "/api/v1/query_range": "prometheus_query_range.json",
    }
    recorded = kind.make(lambda path: (ANSWERS / files[path]).read_bytes() if path in files else None, tmp_path)
    return Case(recorded, STARTED, WINDOW.start)


@pytest.fixture
def backend(case: Case) -> MetricBackend:
    return case.backend


def _deadline() -> Deadline:
    return Deadline.after(10)


def test_an_alert_is_found_with_its_fields(case: Case) -> None:
    page = case.backend.alerts(_deadline())
    alert = next(alert for alert in page.alerts if alert.alert_name == "CheckoutErrorsHigh")
    assert (alert.state, alert.service, alert.severity, alert.ends_at) == ("firing", "checkout", "critical", None)
    assert alert.active_at is not None
    if case.alert_started is None:
        assert timedelta() <= page.as_of - alert.active_at < timedelta(hours=1)
    else:
        assert alert.active_at.replace(microsecond=0) == case.alert_started
    assert alert.annotations["summary"] == "4% of checkouts fail"
    assert page.partial_reasons == ()


def test_every_alert_has_a_known_state_and_aware_times(backend: MetricBackend) -> None:
    page = backend.alerts(_deadline())
    assert page.as_of.utcoffset() == timedelta()
    for alert in page.alerts:
        assert alert.state in ALERT_STATES
        assert alert.active_at is not None
        assert alert.active_at.utcoffset() == timedelta()
        assert alert.active_at <= page.as_of


def test_a_source_describes_itself_as_it_answers(backend: MetricBackend) -> None:
    description = backend.describe()
    assert description.name == backend.name
    assert description.live is backend.alerts(_deadline()).live
    assert "checkout" in description.services
    assert description.problems == ()


def test_a_query_gives_series_or_says_that_there_are_none_here(case: Case) -> None:
    window = TimeWindow(start=case.series_started, end=case.series_started + timedelta(seconds=30))
    request = SeriesRequest(promql="pool_active", window=window, step=timedelta(seconds=15), limit=1, deadline=_deadline())
    try:
        page = case.backend.query(request)
    except NotConfiguredError as exc:
        assert case.backend.name in exc.message
        return
    assert (len(page.series), page.total) == (1, 2)
    assert page.series[0].metric == "pool_active"
    first = case.series_started.timestamp()
    assert page.series[0].points == ((first, "12"), (first + 15, "50"))
    assert page.partial_reasons == ()


@pytest.mark.parametrize(
    "body", [b"", b"<html><title>Sign in</title></html>", b'{"x": 1}', b'"no"', b"[[[", b"\xff\xfe\x00", b"[" * 100_000]
)
def test_an_answer_of_another_shape_is_malformed_and_described_as_a_problem(kind: Kind, body: bytes, tmp_path: Path) -> None:
    backend = kind.make(lambda path: body if path == kind.alerts_path else None, tmp_path)
    with pytest.raises(BackendMalformedError) as raised:
        backend.alerts(_deadline())
    assert raised.value.message.startswith(f"{backend.name}: ")
    assert "\n" not in raised.value.message
    assert len(raised.value.message) < 600
    assert len(backend.describe().problems) == 1


@pytest.mark.parametrize("kind", [name for name in KINDS if name != "saved notification"], indirect=True)
def test_one_unreadable_alert_does_not_cost_the_others(kind: Kind, tmp_path: Path) -> None:
    good = (ANSWERS / kind.alerts_file).read_bytes()
    # The second alert loses its name; the first stays as it is.
    broken = b'"alertname"'.join(good.split(b'"alertname"')[:2]) + b'"other"' + good.split(b'"alertname"')[2]
    page = kind.make(lambda path: broken if path == kind.alerts_path else None, tmp_path).alerts(_deadline())
    assert [alert.alert_name for alert in page.alerts] == ["CheckoutErrorsHigh"]
    assert page.partial_reasons == ("alert 1 cannot be read: it has no label alertname",)


def test_a_byte_that_is_no_text_costs_that_byte_alone(kind: Kind, tmp_path: Path) -> None:
    broken = (ANSWERS / kind.alerts_file).read_bytes().replace(b"4% of", b"4\xff of")
    page = kind.make(lambda path: broken if path == kind.alerts_path else None, tmp_path).alerts(_deadline())
    assert page.alerts[0].annotations["summary"] == "4\ufffd of checkouts fail"
    assert "bytes that are no text are shown as U+FFFD" in page.notes


def test_a_server_that_answers_404_to_everything_is_an_error_in_its_own_words() -> None:
    for kind in (KINDS["Prometheus"], KINDS["Alertmanager"], KINDS["detected Prometheus"]):
        backend = kind.make(lambda _: None, Path())
        with pytest.raises(BackendError, match="HTTP 404 Not Found: 404 page not found"):
            backend.alerts(_deadline())
        assert "404 page not found" in backend.describe().problems[0]


def test_the_demo_has_one_failing_service_one_pending_alert_and_a_heartbeat() -> None:
    page = DemoAlerts().alerts(_deadline())
    assert page.as_of == datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
    assert {(alert.alert_name, alert.state, alert.service) for alert in page.alerts} == {
        ("OrderServiceHighErrorRate", "firing", "order-service"),
        ("ApiGatewayLatencyHigh", "pending", "api-gateway"),
        ("Watchdog", "firing", None),
    }
    failing = next(alert for alert in page.alerts if alert.service == "order-service")
    assert (failing.value, failing.severity) == (0.23, "critical")
    assert failing.active_at == datetime(2026, 11, 12, 9, 52, tzinfo=UTC)
    assert DemoAlerts().describe().newest_record == page.as_of
