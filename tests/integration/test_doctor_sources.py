"""The doctor asks every source side by side: version, latency, clock, what is missing, and each in its own words."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.detection import detect_alert_source
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions
from groundwire.bootstrap import build
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendUnavailableError
from groundwire.domain.reports import DoctorCheck
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import Checkable
from groundwire.services.source_checks import check_sources
from groundwire.settings import load_settings
from tests.acceptance.servers import StubServer, stub_server

NOW = datetime(2026, 11, 12, 10, 15, tzinfo=UTC)
IN_TIME = "Thu, 12 Nov 2026 10:15:00 GMT"
ONE_RULE = {"status": "success", "data": {"groups": [{"rules": [{"type": "recording"}, {"type": "alerting"}]}]}}
BUILD = {"status": "success", "data": {"version": "3.5.0", "goVersion": "go1.24.5"}}
AM_STATUS = {"cluster": {"status": "ready"}, "versionInfo": {"version": "0.28.1"}, "config": {"original": ""}}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _options(answers: dict[str, Any], date: str = IN_TIME) -> HttpOptions:
    def answer(request: httpx.Request) -> httpx.Response:
        said = answers.get(request.url.path)
        if said is None:
            return httpx.Response(404, text="404 page not found")
        return httpx.Response(200, json=said, headers={"date": date} if date else {})

    return HttpOptions(transport=httpx.MockTransport(answer))


def _prometheus(answers: dict[str, Any], date: str = IN_TIME) -> SourceCheck:
    return PrometheusMetrics("prom", "http://prom.test", _options(answers, date), now=lambda: NOW).check(Deadline.after(5))


def test_a_prometheus_says_its_version_latency_and_clock_and_misses_nothing() -> None:
    check = _prometheus({"/api/v1/status/buildinfo": BUILD, "/api/v1/rules": ONE_RULE})
    assert (check.version, check.clock_difference_s, check.missing) == ("3.5.0", 0.0, ())
    assert check.latency_ms is not None
    assert 0 <= check.latency_ms < 5000


@pytest.mark.parametrize(
    ("date", "difference"),
    [
        ("Thu, 12 Nov 2026 11:15:00 GMT", 3600.0),
        ("Thu, 12 Nov 2026 10:14:30 GMT", -30.0),
        ("", None),
        ("yesterday", None),
    ],
)
def test_the_clock_of_a_server_is_read_from_the_date_of_its_answer(date: str, difference: float | None) -> None:
    assert _prometheus({"/api/v1/status/buildinfo": BUILD, "/api/v1/rules": ONE_RULE}, date).clock_difference_s == difference


@pytest.mark.parametrize(
    ("answers", "version", "missing"),
    [
        (
            {
                "/api/v1/status/buildinfo": BUILD,
                "/api/v1/rules": {"status": "success", "data": {"groups": [{"rules": [{"type": "recording"}]}]}},
            },
            "3.5.0",
            ("it has no alert rules, so that no alert does not mean that nothing is wrong",),
        ),
        (
            {"/api/v1/query": {"status": "success", "data": {"resultType": "scalar", "result": [1, "1"]}}},
            None,
            (
                "it does not say its version",
                "it does not say which alert rules it has, so that no alert does not mean that nothing is wrong",
            ),
        ),
    ],
)
def test_what_a_prometheus_lacks_is_said(answers: dict[str, Any], version: str | None, missing: tuple[str, ...]) -> None:
    check = _prometheus(answers)
    assert (check.version, check.missing) == (version, missing)


@pytest.mark.parametrize("answers", [{}, {"/api/v1/status/buildinfo": ["x"]}, {"/api/v1/status/buildinfo": {"data": None}}])
def test_a_server_that_is_no_prometheus_is_an_error(answers: dict[str, Any]) -> None:
    with pytest.raises(BackendError):
        _prometheus(answers)


def test_an_alertmanager_says_its_version_and_that_its_cluster_is_not_ready() -> None:
    ready = AlertmanagerAlerts("am", "http://am.test", _options({"/api/v2/status": AM_STATUS}), now=lambda: NOW)
    assert ready.check(Deadline.after(5)).version == "0.28.1"
    assert ready.check(Deadline.after(5)).missing == ()
    settling = AM_STATUS | {"cluster": {"status": "settling"}}
    detected = detect_alert_source("am", "http://am.test", _options({"/api/v2/status": settling}))
    assert isinstance(detected, Checkable)
    assert detected.check(Deadline.after(5)).missing == ("its cluster is settling, so that alerts may be missing",)


class _Source:
    """A source that says what it is told to, after a while."""

    def __init__(
        self, description: SourceDescription, check: SourceCheck | BackendError | None = None, *, after_s: float = 0
    ) -> None:
        self.name = description.name
        self._description = description
        self._check = check
        self._after_s = after_s

    def describe(self) -> SourceDescription:
        time.sleep(self._after_s)
        return self._description


class _CheckedSource(_Source):
    def check(self, deadline: Deadline) -> SourceCheck:
        if isinstance(self._check, BackendError):
            raise self._check
        return self._check or SourceCheck()


LIVE = SourceDescription(name="loki", kind=SourceKind.LOGS, backend="loki", live=True, services=("a", "b"))


def _checked(*sources: _Source, within_s: float = 5) -> list[DoctorCheck]:
    return check_sources([(SourceKind.LOGS, source) for source in sources], within_s=within_s, now=NOW)


def test_a_check_is_a_sentence_for_people_and_values_for_programs() -> None:
    found = SourceCheck(version="3.1.0", latency_ms=12.34, clock_difference_s=0.0, missing=("no rules",), notes=("cluster of 3",))
    (check,) = _checked(_CheckedSource(LIVE, found))
    assert check.to_json() == {
        "name": "logs loki",
        "ok": True,
        "message": "version 3.1.0, 12 ms, clock as here, 2 services; missing: no rules; cluster of 3",
        "hint": None,
        "backend": "loki",
        "version": "3.1.0",
        "latency_ms": 12.3,
        "clock_difference_s": 0.0,
        "missing": ["no rules"],
    }


@pytest.mark.parametrize(
    ("seconds", "ok", "said"),
    [
        (1.0, True, "clock as here"),
        (30.0, True, "clock 30 s ahead of the one here"),
        (3600.0, False, "clock 60 min ahead of the one here"),
        (-7200.0, False, "clock 2 h behind the one here"),
    ],
)
def test_a_clock_that_is_more_than_a_minute_off_does_not_hold(seconds: float, ok: bool, said: str) -> None:
    (check,) = _checked(_CheckedSource(LIVE, SourceCheck(clock_difference_s=seconds)))
    assert (check.ok, said in check.message) == (ok, True)


def test_a_source_that_fails_says_why_once_and_the_others_are_asked() -> None:
    words = "cannot reach http://loki: refused"
    down = BackendUnavailableError("loki", words, hint="Is it running?")
    problem = replace(LIVE, services=(), problems=(f"loki: {words}",))
    failed, well = _checked(_CheckedSource(problem, down), _CheckedSource(replace(LIVE, name="well"), SourceCheck()))
    assert (failed.ok, failed.message, failed.hint) == (False, f"not usable; {words}", "Is it running?")
    assert well.ok


def test_sources_are_asked_side_by_side_and_one_that_hangs_is_left_behind() -> None:
    started = time.monotonic()
    slow, well = _checked(_Source(LIVE, after_s=5), _Source(replace(LIVE, name="well")), within_s=0.3)
    assert time.monotonic() - started < 3
    assert (slow.name, slow.ok, slow.message) == ("logs loki", False, "no answer within 0.3 s")
    assert well.ok


def test_records_of_a_time_to_come_are_noticed() -> None:
    saved = replace(LIVE, live=False, backend="files", newest_record=NOW + timedelta(hours=1))
    (check,) = _checked(_Source(saved))
    assert "its newest record is 60 min in the future" in check.message
    assert "zone" in str(check.hint)


@contextmanager
def _examined(folder: Path, flags: dict[str, Any]) -> Iterator[dict[str, DoctorCheck]]:
    app = build(load_settings({"db": str(folder / "gw.db"), **flags}, environ={}))
    try:
        yield {check.name: check for check in app.doctor().checks}
    finally:
        app.close()


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as stub:
        stub.become_prometheus()
        yield stub


def test_every_kind_of_source_is_examined(tmp_path: Path, server: StubServer) -> None:
    (tmp_path / "empty").mkdir()
    flags = {"logs": ("demo", str(tmp_path / "empty")), "alerts": ("demo",), "metrics": (server.url,), "runbooks": ("demo",)}
    with _examined(tmp_path, flags) as checks:
        name = f"metrics {server.url.removeprefix('http://')}"
        assert list(checks) == ["database", "logs demo", f"logs {tmp_path.name}/empty", "alerts demo", name, "knowledge demo"]
        assert {each for each, check in checks.items() if not check.ok} == {f"logs {tmp_path.name}/empty"}
        assert "the folder holds no log files" in checks[f"logs {tmp_path.name}/empty"].message
        assert checks[name].details["version"] == "3.5.0"
        assert abs(checks[name].details["clock_difference_s"]) <= 2
        assert "5 documents" in checks["knowledge demo"].message
        assert checks["logs demo"].details["latency_ms"] >= 0
