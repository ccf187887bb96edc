"""Servers of logs as the settings name them: the adapter that each gets, its credentials, and the doctor's word about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.domain.errors import UsageError
from groundwire.domain.incident import TimeWindow
from tests.acceptance.servers import StubServer, stub_server
from tests.configured_app import app_of

WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))
KINDS = ("loki", "elasticsearch", "opensearch", "victorialogs")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with stub_server() as stub:
        stub.put("/loki/api/v1/status/buildinfo", {"version": "3.1.0"})
        stub.put("/", {"version": {"number": "8.15.0"}})
        stub.put_raw("/health", b"OK", content_type="text/plain")
        stub.put_raw("/metrics", b'vm_app_version{version="x", short_version="v1.29.0"} 1\n', content_type="text/plain")
        yield stub


@pytest.mark.parametrize("kind", KINDS)
def test_the_doctor_says_the_version_of_a_server_of_logs(tmp_path: Path, server: StubServer, kind: str) -> None:
    version = {"loki": "3.1.0", "victorialogs": "v1.29.0"}.get(kind, "Elasticsearch 8.15.0")
    server.put("/*/_field_caps", {"fields": {"@timestamp": {"date": {"type": "date", "searchable": True, "aggregatable": True}}}})
    with app_of(tmp_path, f'[[logs]]\nname = "prod"\nplace = "{kind}+{server.url}"\n') as app:
        checks = {check.name: check for check in app.doctor().checks}
    assert checks["logs prod"].details["version"] == version


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_is_not_there_is_no_empty_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with app_of(tmp_path, f'logs = ["{kind}+http://127.0.0.1:1"]\n') as app:
        report = app.call("query_logs", "{}", session_id=None, window=WINDOW)
    assert (report.invocation.status, report.invocation.error_type) == ("failed", "unavailable")
    assert "127.0.0.1:1: cannot reach http://127.0.0.1:1" in str(report.invocation.error_message)


def test_a_tenant_goes_to_loki_by_its_header(tmp_path: Path, server: StubServer) -> None:
    with app_of(tmp_path, f'[[logs]]\nplace = "loki+{server.url}"\ntenant = "shop"\n') as app:
        app.call("query_logs", "{}", session_id=None, window=WINDOW)
    assert {asked.get("x-scope-orgid") for asked in server.headers} == {"shop"}


def test_a_tenant_goes_to_victorialogs_as_its_two_numbers(tmp_path: Path, server: StubServer) -> None:
    with app_of(tmp_path, f'[[logs]]\nplace = "victorialogs+{server.url}"\ntenant = "12:34"\n') as app:
        app.call("query_logs", "{}", session_id=None, window=WINDOW)
    assert {(asked.get("accountid"), asked.get("projectid")) for asked in server.headers} == {("12", "34")}


def test_index_and_fields_go_to_elasticsearch_and_an_unknown_field_is_refused(tmp_path: Path, server: StubServer) -> None:
    table = f'[[logs]]\nplace = "elasticsearch+{server.url}"\nindex = "shop-*"\n'
    with app_of(tmp_path, f'{table}fields = {{service = "svc"}}\n') as app:
        app.call("query_logs", "{}", session_id=None, window=WINDOW)
    assert any("shop-*" in path or "shop-%2A" in path for path in server.asked)
    with (
        app_of(tmp_path, f'{table}fields = {{servis = "svc"}}\n') as app,
        pytest.raises(UsageError, match=r"fields of a source in \[\[logs\]\] name 'servis'") as raised,
    ):
        app.call("query_logs", "{}", session_id=None, window=WINDOW)
    assert "service" in str(raised.value.hint)
