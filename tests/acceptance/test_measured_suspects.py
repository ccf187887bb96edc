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
    assert asked == ['{__name__=~"cpu_usage_percent|memory_usage_percent",service="checkout"}']


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
