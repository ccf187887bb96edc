"""Rows of what another tool was measured to get wrong, about metrics and alerts: each as it must be here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from groundwire.adapters.metrics.alertmanager import AlertmanagerAlerts
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.invocation import RecordedCall
from groundwire.ports import MetricBackend
from groundwire.tools.query_metrics import QueryMetrics
from tests.acceptance.gateway import open_session
from tests.acceptance.incident import WINDOW
from tests.acceptance.situations import Answer, Situation, url_of

START = int(WINDOW.start.timestamp())
OPTIONS = HttpOptions(read_timeout_s=0.3)
UP = {"promql": "up", "step": "15s"}

Ask = Callable[[dict[str, Any] | str], RecordedCall]


def _prometheus(url: str) -> MetricBackend:
    return PrometheusMetrics("prom", url, OPTIONS)


def _alertmanager(url: str) -> MetricBackend:
    return AlertmanagerAlerts("am", url, OPTIONS)


@contextmanager
def _session(situation: Situation, folder: Path, make: Callable[[str], MetricBackend] = _prometheus) -> Iterator[Ask]:
    with url_of(situation) as url, open_session(folder / "t.db", tools=[QueryMetrics([make(url)])]) as session:
        yield lambda params: session.recorder.ask("query_metrics", params)


def _matrix(*series: dict[str, Any], **more: Any) -> Answer:
    said = {"status": "success", "data": {"resultType": "matrix", "result": list(series)}, **more}
    return Answer(body=json.dumps(said).encode())


def _up(pod: str) -> dict[str, Any]:
    return {"metric": {"__name__": "up", "pod": pod}, "values": [[START, "1"]]}


def _answering(answer: Answer, path: str = "/api/v1/query_range") -> Situation:
    return Situation(name="answers", answers={path: answer})


def an_empty_vector_is_an_answer_and_no_error(tmp_path: Path) -> None:
    vector = Answer(body=b'{"status":"success","data":{"resultType":"vector","result":[]}}')
    with _session(_answering(vector, "/api/v1/query"), tmp_path) as ask:
        call = ask({"promql": "up == 0", "step": "instant"})
    assert (call.invocation.status, call.invocation.success, call.invocation.error_type) == ("no_evidence", True, None)
    assert (call.invocation.returned_count, call.invocation.total_count, call.invocation.partial) == (0, 0, False)
    # An empty answer carries what was asked.
    assert call.invocation.scope is not None
    assert call.invocation.scope["filter"] == {"promql": "up == 0", "step": "instant"}


def three_thousand_series_are_evidence_and_counted(tmp_path: Path) -> None:
    with _session(_answering(_matrix(*[_up(f"p{n}") for n in range(3000)])), tmp_path) as ask:
        call = ask(UP)
    assert (call.invocation.status, call.invocation.returned_count, call.invocation.total_count) == ("evidence", 100, 3000)
    assert len(call.refs) == 100


def warnings_make_the_row_partial_with_or_without_series(tmp_path: Path) -> None:
    for series, status in (([_up("p1")], "evidence"), ([], "no_evidence")):
        folder = tmp_path / status
        folder.mkdir()
        with _session(_answering(_matrix(*series, warnings=["store eu-2 did not answer"])), folder) as ask:
            call = ask(UP)
        assert (call.invocation.status, call.invocation.partial) == (status, True)
        assert list(call.invocation.partial_reasons) == ["prom: warning: store eu-2 did not answer"]


def the_same_call_after_a_timeout_is_asked_again(tmp_path: Path) -> None:
    answers = {"/api/v1/query_range": Answer(body=_matrix(_up("p1")).body, stall_s=0.8)}
    situation = Situation(name="slow, then well", answers=answers)
    with _session(situation, tmp_path) as ask:
        first = ask(UP)
        answers["/api/v1/query_range"] = _matrix(_up("p1"))
        second = ask(UP)
    assert (first.invocation.status, first.invocation.error_type) == ("failed", "timeout")
    assert (second.invocation.status, second.invocation.returned_count) == ("evidence", 1)
    assert situation.asked == ["/api/v1/query_range"] * 2


def arguments_that_cannot_be_read_ask_nothing(tmp_path: Path) -> None:
    situation = _answering(_matrix(_up("p1")))
    with _session(situation, tmp_path) as ask:
        for arguments in ("{promql: up", '{"promql": ["up"]}', '"up"', '{"prom_ql": "up"}', '{"step": "60s"}'):
            call = ask(arguments)
            assert (call.invocation.status, call.invocation.error_type) == ("failed", "invalid_params"), arguments
            assert call.invocation.error_message
    assert situation.asked == []


def one_invalid_byte_costs_that_byte_and_nothing_else(tmp_path: Path) -> None:
    body = _matrix(_up("p?1"), _up("p2")).body.replace(b"p?1", b"p\xff1")
    with _session(_answering(Answer(body=body)), tmp_path) as ask:
        call = ask(UP)
    assert (call.invocation.status, call.invocation.returned_count) == ("evidence", 2)
    assert [item["labels"]["pod"] for item in call.output["series"]] == ["p\ufffd1", "p2"]


def victoria_metrics_without_vmalert_is_unknown_and_not_no_alerts(tmp_path: Path) -> None:
    empty = {
        "/api/v1/alerts": Answer(body=b'{"status":"success","data":{"alerts":[]}}'),
        "/api/v1/rules": Answer(body=b'{"status":"success","data":{"groups":[]}}'),
    }
    with _session(Situation(name="no vmalert", answers=empty), tmp_path) as ask:
        call = ask({})
    assert (call.invocation.status, call.invocation.partial) == ("no_evidence", True)


def pending_stands_apart_and_texts_become_numbers(tmp_path: Path) -> None:
    alerts = [
        {"labels": {"alertname": name}, "annotations": {}, "state": state, "activeAt": WINDOW.start.isoformat(), "value": value}
        for name, state, value in (("A", "firing", "5e+01"), ("B", "pending", "NaN"))
    ]
    body = json.dumps({"status": "success", "data": {"alerts": alerts}}).encode()
    with _session(_answering(Answer(body=body), "/api/v1/alerts"), tmp_path) as ask:
        found = ask({}).output["alerts"]
    assert [(item["alert_name"], item["state"], item["value"], item.get("value_text")) for item in found] == [
        ("A", "firing", 50, None),
        ("B", "pending", None, "NaN"),
    ]


def an_error_that_is_a_bare_json_string_is_said(tmp_path: Path) -> None:
    refused = Situation(name="refuses", otherwise=Answer(body=b'"bad matcher format: nope"\n', status=400))
    with _session(refused, tmp_path, _alertmanager) as ask:
        call = ask({})
    assert call.invocation.error_message == "am: HTTP 400 Bad Request: bad matcher format: nope"


def a_silenced_alert_is_suppressed_and_not_gone(tmp_path: Path) -> None:
    alert = {
        "labels": {"alertname": "DiskSlow"},
        "annotations": {},
        "startsAt": WINDOW.start.isoformat(),
        "status": {"state": "suppressed", "silencedBy": ["5f2a"], "inhibitedBy": []},
    }
    with _session(_answering(Answer(body=json.dumps([alert]).encode()), "/api/v2/alerts"), tmp_path, _alertmanager) as ask:
        call = ask({})
    assert (call.invocation.status, call.output["alerts"][0]["state"]) == ("evidence", "suppressed")
    assert call.output["alerts"][0]["suppressed_by"] == ["silence 5f2a"]
