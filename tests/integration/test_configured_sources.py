"""From the settings file to what is asked: credentials go to their server alone, and a source that fails fails alone."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.servers.address import ServerAddress
from groundwire.bootstrap.app import App
from groundwire.bootstrap.configured import configured, server_of
from groundwire.domain.errors import UsageError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.reports import CallReport
from groundwire.settings import load_settings, place_of
from tests.acceptance.servers import Answer, StubServer, stub_server
from tests.certificates import Authority
from tests.configured_app import app_of
from tests.loopback import serving

SECRET = "h4nter2:Se/cret"
SERVERS = [
    ("metrics", ""),
    ("alerts", ""),
    ("logs", "loki+"),
    ("logs", "elasticsearch+"),
    ("logs", "opensearch+"),
    ("logs", "victorialogs+"),
]
WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as stub:
        stub.become_prometheus()
        yield stub


def call(app: App, tool: str, **params: str) -> CallReport:
    return app.call(tool, json.dumps(params), session_id=None, window=WINDOW)


def _sources(report: CallReport) -> list[dict[str, Any]]:
    assert report.invocation.retrieval_details is not None
    return list(report.invocation.retrieval_details["sources"])


@pytest.mark.parametrize(
    ("keys", "header", "value"),
    [
        ('token_env = "SECRET"', "authorization", f"Bearer {SECRET}"),
        (
            'username = "ops"\npassword_env = "SECRET"',
            "authorization",
            f"Basic {base64.b64encode(f'ops:{SECRET}'.encode()).decode()}",
        ),
        ('headers_env = {X-Api-Key = "SECRET"}', "x-api-key", SECRET),
    ],
    ids=["token", "user", "header"],
)
@pytest.mark.parametrize(("kind", "prefix"), SERVERS)
def test_credentials_are_sent_to_their_server_and_stand_in_no_row(
    tmp_path: Path, server: StubServer, kind: str, prefix: str, keys: str, header: str, value: str
) -> None:
    echo = json.dumps({"status": "error", "error": f"no access for {SECRET}"}).encode()
    server.answers.clear()
    server.otherwise = lambda params: Answer(echo, 403)
    content = f'[[{kind}]]\nname = "prod"\nplace = "{prefix}{server.url}/behind"\n{keys}\n'
    with app_of(tmp_path, content, {"SECRET": f"{SECRET}\n"}) as app:
        report = call(app, "query_logs" if kind == "logs" else "query_metrics")
        checks = [check.to_json() for check in app.doctor().checks]
    assert {asked.get(header) for asked in server.headers} == {value}
    assert all(path.startswith("/behind/") for path in server.asked)
    assert (report.invocation.status, report.invocation.error_type) == ("failed", "rejected")
    assert "no access for ***" in str(report.invocation.error_message)
    assert SECRET not in json.dumps([report.output, report.invocation.error_message, checks])
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("gw.db*"))


def test_a_tenant_of_metrics_goes_to_their_server(tmp_path: Path, server: StubServer) -> None:
    with app_of(tmp_path, f'[[metrics]]\nplace = "{server.url}"\ntenant = "shop"\n') as app:
        call(app, "query_metrics")
    assert {asked.get("x-scope-orgid") for asked in server.headers} == {"shop"}


@pytest.mark.parametrize(("kind", "prefix"), SERVERS)
def test_the_authority_that_a_table_names_is_the_one_that_is_trusted(tmp_path: Path, kind: str, prefix: str) -> None:
    authority = Authority(tmp_path / "authority")
    with serving(lambda handler: handler.send_error(403, "not for you"), tls=authority.server("IP:127.0.0.1")) as url:
        said = []
        for keys in ("", 'ca_file = "authority/ca.pem"\n'):
            with app_of(tmp_path, f'[[{kind}]]\nname = "prod"\nplace = "{prefix}{url}"\n{keys}') as app:
                report = call(app, "query_logs" if kind == "logs" else "query_metrics")
                said.append((report.invocation.error_type, str(report.invocation.error_message)))
    assert [kind for kind, _ in said] == ["unavailable", "rejected"]
    assert "certificate verify failed" in said[0][1]


def test_what_a_server_is_asked_with_shows_no_secret(tmp_path: Path) -> None:
    (tmp_path / "gw.toml").write_text(
        '[[metrics]]\nplace = "http://prom"\nusername = "ops"\npassword_env = "SECRET"\nheaders_env = {X-Api-Key = "SECRET"}\n'
    )
    settings = load_settings({}, config=tmp_path / "gw.toml", environ={"SECRET": SECRET})
    (source,) = configured("metrics", settings.metrics, place_of)
    url, options = server_of(source, settings)
    flag = configured("metrics", ("http://ops:h4nter2@prom",), place_of)
    shown = repr([source, flag, options, ServerAddress.parse(url, options.headers, endpoints=())])
    assert options.headers == {"X-Api-Key": SECRET}
    assert "h4nter2" not in shown


def test_a_variable_that_is_not_set_fails_its_own_source_and_silences_no_other(tmp_path: Path, server: StubServer) -> None:
    content = (
        f'[[metrics]]\nname = "eu"\nplace = "{server.url}"\ntoken_env = "EU_TOKEN"\n'
        f'[[metrics]]\nname = "us"\nplace = "{server.url}"\n'
    )
    with app_of(tmp_path, content) as app:
        report = call(app, "query_metrics")
        checks = {check.name: check for check in app.doctor().checks}
    said = "eu: the environment variable EU_TOKEN, which token_env names, is not set"
    assert [(source["name"], source["status"]) for source in _sources(report)] == [("eu", "failed"), ("us", "no_evidence")]
    # The window has passed, and what the other one wrote of its alerts is not there.
    assert report.invocation.partial_reasons[-1] == f"one source failed: {said}"
    assert not checks["metrics eu"].ok
    assert "EU_TOKEN, which token_env names, is not set" in checks["metrics eu"].message


def test_a_call_goes_to_the_folder_that_covers_its_service(tmp_path: Path) -> None:
    for name in ("checkout", "payments"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.log").write_text(f"2026-11-12T09:30:00Z ERROR {name} failed\n")
    content = "".join(
        f'[[logs]]\nname = "{name}-logs"\nplace = "{name}"\nservices = ["{name}"]\n' for name in ("checkout", "payments")
    )
    with app_of(tmp_path, content) as app:
        one, both, none = (
            call(app, "query_logs", service="payments"),
            call(app, "query_logs"),
            call(app, "query_logs", service="x"),
        )
    assert [(source["name"], source["status"]) for source in _sources(one)] == [
        ("payments-logs", "evidence"),
        ("checkout-logs", "not_asked"),
    ]
    assert one.invocation.backend == "payments-logs"
    assert [source["status"] for source in _sources(both)] == ["evidence", "evidence"]
    assert (none.invocation.status, none.invocation.error_type) == ("failed", "not_configured")
    assert [source["status"] for source in _sources(none)] == ["not_asked", "not_asked"]


def test_a_source_has_its_own_zone_and_year(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "app.log").write_text("Nov 12 10:30:00 web1 checkout[7]: failed\n")
    content = '[[logs]]\nplace = "a"\nzone = "Europe/Berlin"\nyear = 2026\n'
    with app_of(tmp_path, content) as app:
        report = call(app, "query_logs")
    assert [item["timestamp"] for item in report.output["logs"]] == ["2026-11-12T09:30:00Z"]


def test_services_that_only_the_settings_name_are_known_to_a_question(tmp_path: Path, server: StubServer) -> None:
    content = f'[[metrics]]\nname = "eu"\nplace = "{server.url}"\nservices = ["billing", "pay-*"]\n'
    with app_of(tmp_path, content) as app:
        listing = app._sources.catalog.listing()
    assert listing.services == ("billing", "checkout", "payments")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[[logs]]\nname = "a"\nplace = "."\n[[logs]]\nname = "a"\nplace = "."\n', r"two of \[\[logs\]\] are named 'a'"),
        (
            '[[alerts]]\nname = "p"\nplace = "http://p"\nservices = ["x"]\n[[metrics]]\nname = "p"\nplace = "http://p"\n',
            "two sources that cover different things are both called 'p'",
        ),
        ('[[metrics]]\nplace = "alerts.json"\n', "--metrics takes the URL of a Prometheus, not"),
        ('[[metrics]]\nplace = "http://[::1"\n', "a server's URL cannot be read: Invalid port"),
        ('[[logs]]\nplace = "nowhere"\n', "cannot read --logs .*nowhere': no such file or folder"),
    ],
)
def test_sources_that_cannot_be_told_apart_or_found_are_refused(tmp_path: Path, content: str, said: str) -> None:
    with app_of(tmp_path, content) as app, pytest.raises(UsageError, match=said):
        call(app, "query_logs")
