"""What the row says of servers of metrics and alerts in every situation: the tables of docs/backends.md, cell by cell."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.incident import TimeWindow
from groundwire.ports import MetricBackend
from groundwire.tools.query_metrics import QueryMetrics
from tests.acceptance.gateway import open_session
from tests.acceptance.incident import WINDOW
from tests.acceptance.situations import (
    REFUSED,
    UNREACHABLE,
    Answer,
    Situation,
    documented,
    everywhere,
    no_such_host,
    rows_of,
    said_by_the_row,
    url_of,
)

START: Final = int(WINDOW.start.timestamp())
ISO: Final = WINDOW.start.isoformat()

_HTML: Final = b"<html><head><title>Sign in</title></head><body>...</body></html>"
_OPTIONS: Final = HttpOptions(read_timeout_s=0.3, pause=lambda seconds: None)


def _json(value: Any, **more: Any) -> Answer:
    return Answer(body=json.dumps(value).encode(), **more)


def _shared(refusal: bytes) -> list[Situation]:
    return [
        UNREACHABLE,
        REFUSED,
        everywhere("HTTP 400", Answer(body=refusal, status=400)),
        everywhere("HTTP 401", Answer(body=b"", status=401)),
        everywhere("HTTP 404", Answer(body=b"404 page not found\n", status=404, content_type="text/plain")),
        everywhere("HTTP 500", Answer(body=b"no space left on device", status=500, content_type="text/plain")),
        everywhere("HTTP 503, twice", Answer(body=b"no healthy upstream", status=503, content_type="text/plain")),
        everywhere("HTML instead of JSON", Answer(body=_HTML, content_type="text/html")),
        everywhere("JSON of another shape", Answer(body=b'{"x": 1}')),
    ]


# --- Prometheus ----------------------------------------------------------------------------------------------------


def _prometheus_alert(name: str, **more: Any) -> dict[str, Any]:
    return {"labels": {"alertname": name}, "annotations": {}, "state": "firing", "activeAt": ISO, "value": "1e+00", **more}


def _series(number: int, *values: list[Any]) -> dict[str, Any]:
    return {"metric": {"__name__": "up", "pod": f"p{number:04}"}, "values": list(values or [[START, "1"]])}


def _prometheus(name: str, alerts: list[Any], series: list[Any], *, rules: int = 1, **more: Any) -> Situation:
    """Return a Prometheus with these alerts and series; ``more`` is of the answers, or of the envelope in them."""
    of_answer = {key: more.pop(key) for key in ("ahead_s", "stall_s") if key in more}

    def success(data: Any) -> Answer:
        return _json({"status": "success", "data": data, **more}, **of_answer)

    rule = {"type": "alerting", "name": "Down", "state": "inactive", "health": "ok"}
    return Situation(
        name=name,
        answers={
            "/api/v1/alerts": success({"alerts": alerts}),
            "/api/v1/rules": success({"groups": [{"rules": [rule] * rules}]}),
            "/api/v1/query_range": success({"resultType": "matrix", "result": series}),
        },
    )


def _with_body(situation: Situation, change: Callable[[bytes], bytes]) -> Situation:
    answers = {path: Answer(body=change(answer.body)) for path, answer in situation.answers.items()}
    return Situation(name=situation.name, answers=answers)


_LONG: Final = "x" * 5_000_000
_POINTS: Final = [[START + 15 * number, "0.123456789012345"] for number in range(240)]
PROMETHEUS: Final = [
    *_shared(b'{"status":"error","errorType":"bad_data","error":"invalid parameter query"}'),
    everywhere("HTTP 422", _json({"status": "error", "errorType": "execution", "error": "many-to-many matching"}, status=422)),
    everywhere("an error in a 200", _json({"status": "error", "errorType": "timeout", "error": "query timed out"})),
    _prometheus("times out in the middle of the body", [_prometheus_alert("Down")], [_series(1)], stall_s=1.0),
    _prometheus("empty", [], []),
    _prometheus("empty, without alerting rules", [], [], rules=0),
    _prometheus("partial: warnings", [_prometheus_alert("Down")], [_series(1)], warnings=["store eu-2 did not answer"]),
    _prometheus("partial: `isPartial`", [_prometheus_alert("Down")], [_series(1)], isPartial=True),
    _prometheus(
        "cut: 24 MB",
        [_prometheus_alert(f"Down{n:05}{'x' * 1200}") for n in range(15000)],
        [_series(n, *_POINTS) for n in range(3000)],
    ),
    _prometheus("3,000 of them", [_prometheus_alert(f"Down{n:04}") for n in range(3000)], [_series(n) for n in range(3000)]),
    _prometheus(
        "twice, and out of order",
        [_prometheus_alert("Down"), _prometheus_alert("Down")],
        [_series(1, [START + 60, "2"], [START, "1"], [START, "1"]), _series(1, [START, "1"])],
    ),
    _with_body(
        _prometheus("one byte that is no text", [_prometheus_alert("D?wn")], [_series(1)]),
        lambda body: body.replace(b"D?wn", b"D\xfewn").replace(b"p0001", b"p\xfe001"),
    ),
    _prometheus(
        "an entry of 5 MB",
        [_prometheus_alert("Down", annotations={"note": _LONG})],
        [{"metric": {"__name__": "up", "note": _LONG}, "values": [[START, "1"]]}],
    ),
    _prometheus("a clock an hour behind", [_prometheus_alert("Down")], [_series(1)], ahead_s=-3600),
    _prometheus("one entry that cannot be read", [_prometheus_alert("Down"), {"labels": 5}], [_series(1), {"metric": 5}]),
]

# --- Alertmanager --------------------------------------------------------------------------------------------------


def _alert(name: str, **more: Any) -> dict[str, Any]:
    status = {"state": "active", "silencedBy": [], "inhibitedBy": []}
    return {
        "labels": {"alertname": name},
        "annotations": {},
        "startsAt": ISO,
        "updatedAt": ISO,
        "endsAt": "0001-01-01T00:00:00Z",
        "fingerprint": name,
        "status": status,
        **more,
    }


def _alertmanager(name: str, alerts: list[Any], *, groups: Answer | None = None, **of_answer: Any) -> Situation:
    return Situation(
        name=name,
        answers={"/api/v2/alerts": _json(alerts, **of_answer), "/api/v2/alerts/groups": groups or _json([])},
    )


ALERTMANAGER: Final = [
    *_shared(b'"bad matcher format: x"'),
    _alertmanager("times out in the middle of the body", [_alert("Down")], stall_s=1.0),
    _alertmanager("empty", []),
    _alertmanager("partial: no groups", [_alert("Down")], groups=Answer(body=b'"loading"', status=500)),
    _alertmanager("cut: 24 MB", [_alert(f"Down{n:05}{'x' * 1200}") for n in range(15000)]),
    _alertmanager("3,000 of them", [_alert(f"Down{n:04}") for n in range(3000)]),
    _alertmanager("twice, and out of order", [_alert("Down"), _alert("Down")]),
    _with_body(_alertmanager("one byte that is no text", [_alert("D?wn")]), lambda body: body.replace(b'"D?wn"', b'"D\xfewn"')),
    _alertmanager("an entry of 5 MB", [_alert("Down", annotations={"note": _LONG})]),
    _alertmanager("a clock an hour behind", [_alert("Down")], ahead_s=-3600),
    _alertmanager("one entry that cannot be read", [_alert("Down"), {"labels": 5}]),
]


def _row(
    situation: Situation,
    make: Callable[[str], MetricBackend],
    params: dict[str, Any],
    db: Path,
    *,
    has_passed: bool = False,
) -> str:
    now = datetime.now(UTC)
    window = WINDOW if has_passed or params else TimeWindow(start=now - timedelta(hours=1), end=now)
    with url_of(situation) as url, open_session(db, tools=[QueryMetrics([make(url)])], window=window) as session:
        call = session.recorder.ask("query_metrics", params)
        assert len(call.refs) == call.invocation.returned_count
        return said_by_the_row(call, url)


@pytest.fixture(autouse=True)
def _names_and_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", no_such_host(socket.getaddrinfo))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize(("asked", "params"), [("alerts", {}), ("series", {"promql": "up", "step": "15s"})])
@pytest.mark.parametrize("situation", PROMETHEUS, ids=lambda situation: situation.name)
def test_a_row_says_of_prometheus_what_the_table_says(
    situation: Situation, asked: str, params: dict[str, Any], tmp_path: Path
) -> None:
    said = _row(situation, lambda url: PrometheusMetrics("prom", url, _OPTIONS), params, tmp_path / "t.db")
    assert said == documented("Prometheus and VictoriaMetrics", situation.name, asked)


def _past(name: str, *alerts: dict[str, Any], refusal: Answer | None = None) -> Situation:
    """Return a Prometheus that has nothing active now, with what it wrote of its alerts, or the refusal to tell it."""
    rule = {"type": "alerting", "name": "Down", "state": "inactive", "health": "ok"}
    series = {"resultType": "matrix", "result": list(alerts)}
    return Situation(
        name=name,
        answers={
            "/api/v1/alerts": _json({"status": "success", "data": {"alerts": []}}),
            "/api/v1/rules": _json({"status": "success", "data": {"groups": [{"rules": [rule]}]}}),
            "/api/v1/query": refusal or _json({"status": "success", "data": series}),
        },
    )


def _written(name: str, first_s: int, last_s: int) -> dict[str, Any]:
    labels = {"__name__": "ALERTS", "alertname": name, "alertstate": "firing"}
    return {"metric": labels, "values": [[START + second, "1"] for second in range(first_s, last_s, 60)]}


PAST: Final = [
    _past("a window that has passed", _written("Down", 600, 1200), _written("Watchdog", 0, 3600)),
    _past("it has passed, nothing but Watchdog fired", _written("Watchdog", 0, 3600)),
    _past("it has passed, with half an hour without any alert", _written("Watchdog", 0, 1800)),
    _past("it has passed, no `ALERTS`"),
    _past(
        "it has passed, `ALERTS` is refused",
        refusal=_json({"status": "error", "errorType": "execution", "error": "too many samples"}, status=422),
    ),
]


@pytest.mark.parametrize("situation", PAST, ids=lambda situation: situation.name)
def test_a_row_says_of_a_window_that_has_passed_what_the_table_says(situation: Situation, tmp_path: Path) -> None:
    said = _row(situation, lambda url: PrometheusMetrics("prom", url, _OPTIONS), {}, tmp_path / "t.db", has_passed=True)
    assert said == documented("Prometheus and VictoriaMetrics", situation.name, "alerts")


def test_an_alertmanager_says_of_a_window_that_has_passed_that_it_does_not_know_it(tmp_path: Path) -> None:
    empty = _alertmanager("a window that has passed", [])
    said = _row(empty, lambda url: AlertmanagerAlerts("am", url, _OPTIONS), {}, tmp_path / "t.db", has_passed=True)
    assert said == documented("Alertmanager", "a window that has passed", "alerts")


@pytest.mark.parametrize("situation", ALERTMANAGER, ids=lambda situation: situation.name)
def test_a_row_says_of_alertmanager_what_the_table_says(situation: Situation, tmp_path: Path) -> None:
    said = _row(situation, lambda url: AlertmanagerAlerts("am", url, _OPTIONS), {}, tmp_path / "t.db")
    assert said == documented("Alertmanager", situation.name, "alerts")


def test_series_asked_of_an_alertmanager_are_not_configured(tmp_path: Path) -> None:
    said = _row(ALERTMANAGER[10], lambda url: AlertmanagerAlerts("am", url, _OPTIONS), {"promql": "up"}, tmp_path / "t.db")
    assert said == documented("Alertmanager", "asked for series", "alerts")


def test_the_tables_say_nothing_that_is_not_tested() -> None:
    assert set(rows_of("Prometheus and VictoriaMetrics")) == {situation.name for situation in (*PROMETHEUS, *PAST)}
    more = {"asked for series", "a window that has passed"}
    assert set(rows_of("Alertmanager")) == more | {situation.name for situation in ALERTMANAGER}
