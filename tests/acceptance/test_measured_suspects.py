"""What the built-in investigator makes of series: which are asked for, what they say, and what they cannot say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command import LOW_CONFID, Groundwire
from tests.acceptance.incident import IN_WINDOW, WINDOW
from tests.acceptance.situations import Answer, Situation, url_of
from tests.integration.monitoring import prometheus_over

START = int(WINDOW.start.timestamp())
QUIET = [1.2, 1.1, 1.3, 1.0, 1.2, 1.1] * 10
BUSY = [*QUIET[:50], 99.5, 98.2, *QUIET[52:]]
METRICS = ["cpu_usage_percent", "memory_usage_percent", "queue_depth"]


def _series(metric: str, service: str, values: list[float]) -> dict[str, Any]:
    points = [[START + 60 * place, str(value)] for place, value in enumerate(values)]
    return {"metric": {"__name__": metric, "service": service, "pod": f"{service}-5d4f-x1"}, "values": points}


def _prometheus(*series: dict[str, Any]) -> Situation:
    def success(data: Any) -> Answer:
        return Answer(body=json.dumps({"status": "success", "data": data}).encode())

    return Situation(
        name="an incident",
        answers={
            "/api/v1/alerts": success({"alerts": []}),
            "/api/v1/rules": success({"groups": [{"rules": [{"type": "alerting", "name": "R", "health": "ok"}]}]}),
            "/api/v1/label/service/values": success(["cart", "checkout"]),
            "/api/v1/label/__name__/values": success(METRICS),
            "/api/v1/query_range": success({"resultType": "matrix", "result": list(series)}),
        },
    )


@pytest.fixture
def quiet_logs(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "quiet"
    folder.mkdir()
    for service in ("cart", "checkout"):
        (folder / f"{service}.log").write_text("2026-11-20T10:30:00Z INFO served a request\n")
    yield folder


def _diagnose(groundwire: Groundwire, question: str, logs: Path, *series: dict[str, Any]) -> dict[str, Any]:
    with url_of(_prometheus(*series)) as url:
        words = ("diagnose", question, "--logs", str(logs), "--metrics", url, *IN_WINDOW, "--json")
        result = groundwire.run(*words, env={"NO_PROXY": "127.0.0.1"})
    assert result.code == LOW_CONFID, result.stderr
    answer: dict[str, Any] = result.json
    return answer


def _texts(answer: dict[str, Any], kind: str) -> list[str]:
    return [claim["text"] for claim in answer["claims"] if claim["kind"] == kind]


def test_a_suspect_that_used_all_of_its_cpu_is_said_to_and_it_stays_a_hypothesis_that_this_is_why(
    groundwire: Groundwire, quiet_logs: Path
) -> None:
    answer = _diagnose(
        groundwire,
        "Why is checkout slow?",
        quiet_logs,
        _series("cpu_usage_percent", "checkout", BUSY),
        _series("memory_usage_percent", "checkout", [40.1, *[40.0] * 59]),
    )
    at = datetime.fromtimestamp(START + 50 * 60, WINDOW.start.tzinfo).strftime("%H:%M:%S")
    said = f"cpu_usage_percent of checkout peaked at 99.5 at 2026-11-20 {at} UTC; its median was 1.2"
    assert _texts(answer, "symptom") == [f"{said}."]
    assert _texts(answer, "hypothesis") == [f"{said}; this may be the cause."]
    assert "memory_usage_percent of checkout was at most 40.1." in _texts(answer, "observation")
    assert _texts(answer, "cause") == []
    calls = groundwire.db.calls(answer["session_id"])
    asked = [call["input_params"]["promql"] for call in calls if "promql" in call["input_params"]]
    names = '__name__=~"cpu_usage_percent|memory_usage_percent"'
    assert asked == [f'{{{names},service="checkout"}} or {{{names},pod=~"checkout-.*"}}']


def test_without_a_suspect_the_one_that_uses_more_than_usual_becomes_one(groundwire: Groundwire, quiet_logs: Path) -> None:
    answer = _diagnose(
        groundwire,
        "What is wrong?",
        quiet_logs,
        _series("cpu_usage_percent", "cart", QUIET),
        _series("cpu_usage_percent", "checkout", BUSY),
    )
    assert [text.split(" peaked")[0] for text in _texts(answer, "symptom")] == ["cpu_usage_percent of checkout"]
    calls = groundwire.db.calls(answer["session_id"])
    assert {"service": "checkout", "level": "error", "limit": 100} in [call["input_params"] for call in calls]


def test_what_is_as_usual_is_no_symptom(groundwire: Groundwire, quiet_logs: Path) -> None:
    answer = _diagnose(groundwire, "Why is checkout slow?", quiet_logs, _series("cpu_usage_percent", "checkout", QUIET))
    assert _texts(answer, "symptom") + _texts(answer, "hypothesis") == []
    assert "cpu_usage_percent of checkout was at most 1.3." in _texts(answer, "observation")


def test_whether_a_service_is_healthy_is_asked_of_its_measurements_too(groundwire: Groundwire, quiet_logs: Path) -> None:
    busy = _diagnose(groundwire, "Is checkout healthy?", quiet_logs, _series("cpu_usage_percent", "checkout", BUSY))
    assert [text.split(" at ")[0] for text in _texts(busy, "symptom")] == ["cpu_usage_percent of checkout peaked"]
    quiet = _diagnose(groundwire, "Is checkout healthy?", quiet_logs, _series("cpu_usage_percent", "checkout", QUIET))
    assert _texts(quiet, "symptom") == []
    assert "cpu_usage_percent of checkout was at most 1.3." in _texts(quiet, "observation")


def test_that_a_service_went_on_after_its_errors_is_told(groundwire: Groundwire, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    lines = ["2026-11-20T10:30:00Z ERROR no connection to the pool", "2026-11-20T10:45:00Z INFO served a request"]
    (folder / "checkout.log").write_text("\n".join(lines) + "\n")
    answer = _diagnose(groundwire, "Why does checkout fail?", folder)
    assert "checkout went on logging until 2026-11-20 10:45:00 UTC." in _texts(answer, "observation")
    assert "its records end at 2026-11-20 10:45:00 UTC, before the window does" in " ".join(answer["final_output"].split())
    (folder / "checkout.log").write_text(lines[0] + "\n")
    assert not any("went on" in text for text in _texts(_diagnose(groundwire, "Why does checkout fail?", folder), "observation"))


def _counters(busy: range) -> str:
    """Return the counters of two pods of a cluster over the window; one of them is busy in some of the minutes."""
    lines: list[str] = []
    for service in ("cart", "checkout"):
        cpu_s, quick, slow = 0.0, 0, 0
        for minute in range(60):
            is_busy = service == "checkout" and minute in busy
            cpu_s += 57 if is_busy else 0.6
            quick, slow = (quick, slow + 10) if is_busy else (quick + 10, slow)
            pod, at = f'pod="{service}-7d9f8b6c5d-x2x4z"', START + 60 * minute
            lines.append(f'container_cpu_usage_seconds_total{{service="kubelet",{pod}}} {cpu_s:.1f} {at}')
            for le, count in (("0.1", quick), ("1", quick + slow), ("+Inf", quick + slow)):
                lines.append(f'http_request_duration_seconds_bucket{{service="{service}",{pod},le="{le}"}} {count} {at}')
    return "\n".join([*sorted(lines), "# EOF"]) + "\n"


def test_counters_and_histograms_of_a_cluster_are_asked_for_through_functions(
    groundwire: Groundwire, quiet_logs: Path, tmp_path: Path
) -> None:
    metrics = tmp_path / "metrics.om"
    metrics.write_text(_counters(range(40, 50)))
    with prometheus_over(metrics) as url:
        flags = ("--logs", str(quiet_logs), "--metrics", url, *IN_WINDOW, "--json")
        asked = groundwire.run("diagnose", "Why is checkout slow?", *flags, env={"NO_PROXY": "127.0.0.1"}).json
        wide = groundwire.run("diagnose", "What is wrong?", *flags, env={"NO_PROXY": "127.0.0.1"}).json
    cpu, latency = _texts(asked, "symptom")
    # 57 s of every minute are 0.95 of a CPU; the 95th of a hundred between 0.1 and 1 s is at 0.955 s.
    assert cpu.startswith("cpu_usage_cores of checkout-7d9f8b6c5d-x2x4z peaked at 0.95 at 2026-11-20 10:4")
    assert latency.startswith("http_request_duration_p95_seconds of checkout peaked at 0.955 at 2026-11-20 10:4")
    assert [text.split(" peaked")[0] for text in _texts(wide, "symptom")] == ["cpu_usage_cores of checkout-7d9f8b6c5d-x2x4z"]
    suspects = {call["input_params"].get("service") for call in groundwire.db.calls(wide["session_id"])}
    assert suspects == {None, "checkout"}
