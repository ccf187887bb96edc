"""What is said of alerts of a window that has passed: what fired then, that nothing did, or that nobody knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command import LOW_CONFID, PASS, Groundwire
from tests.acceptance.incident import IN_WINDOW, WINDOW
from tests.acceptance.situations import Answer, Situation, url_of

START = int(WINDOW.start.timestamp())
HEALTHY = "Is checkout healthy?"
FIRES_NOW = {
    "labels": {"alertname": "DiskFull", "service": "checkout", "severity": "critical"},
    "annotations": {},
    "state": "firing",
    "activeAt": "2026-11-21T09:00:00Z",
    "value": "1e+00",
}


def _success(data: Any) -> Answer:
    return Answer(body=json.dumps({"status": "success", "data": data}).encode())


def _written(name: str, minutes: range) -> dict[str, Any]:
    labels = {"__name__": "ALERTS", "alertname": name, "alertstate": "firing", "service": "checkout", "severity": "critical"}
    return {"metric": labels, "values": [[START + 60 * minute, "1"] for minute in minutes]}


def _prometheus(*written: dict[str, Any]) -> Situation:
    """Return a Prometheus under which something fires since the day after the window."""
    rules = [{"type": "alerting", "name": "DiskFull", "state": "firing", "health": "ok"}]
    return Situation(
        name="a window that has passed",
        answers={
            "/api/v1/alerts": _success({"alerts": [FIRES_NOW]}),
            "/api/v1/rules": _success({"groups": [{"rules": rules}]}),
            "/api/v1/label/service/values": _success(["checkout"]),
            "/api/v1/label/__name__/values": _success(["ALERTS"]),
            "/api/v1/query": _success({"resultType": "matrix", "result": list(written)}),
        },
    )


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "quiet"
    folder.mkdir()
    (folder / "checkout.log").write_text("2026-11-20T10:30:00Z INFO served a request\n2026-11-20T10:59:59Z INFO served one\n")
    return folder


def _ask(groundwire: Groundwire, question: str, logs: Path, *flags: str, server: Situation) -> tuple[int, dict[str, Any]]:
    with url_of(server) as url:
        words = ("diagnose", question, "--logs", str(logs), *flags, url, *IN_WINDOW, "--json")
        result = groundwire.run(*words, env={"NO_PROXY": "127.0.0.1"})
    return result.code, result.json


def _texts(answer: dict[str, Any]) -> list[str]:
    return [claim["text"] for claim in answer["claims"]]


def test_what_fired_then_is_told_and_what_fires_now_is_not(groundwire: Groundwire, logs: Path) -> None:
    server = _prometheus(_written("PoolFull", range(10, 20)))
    code, answer = _ask(groundwire, HEALTHY, logs, "--metrics", server=server)
    said = "PoolFull (severity critical) was firing for checkout between 2026-11-20 10:10:00 UTC and 2026-11-20 10:19:00 UTC."
    assert said in _texts(answer)
    assert "DiskFull" not in answer["final_output"]
    assert code == PASS, answer["final_output"]
    assert "Trouble was found." in answer["final_output"]


def test_one_that_came_and_went_is_told_so(groundwire: Groundwire, logs: Path) -> None:
    written = _written("PoolFull", range(10, 20))
    written["values"] += _written("PoolFull", range(40, 45))["values"]
    code, answer = _ask(groundwire, "Which alerts fired?", logs, "--metrics", server=_prometheus(written))
    said = "between 2026-11-20 10:10:00 UTC and 2026-11-20 10:44:00 UTC, in 2 spells."
    assert [text for text in _texts(answer) if text.startswith("PoolFull")] == [
        f"PoolFull (severity critical) was firing for checkout {said}"
    ]
    assert code == PASS, answer["final_output"]


def test_that_saved_logs_end_early_does_not_unsay_which_alerts_fired(groundwire: Groundwire, logs: Path) -> None:
    (logs / "checkout.log").write_text("2026-11-20T10:30:00Z INFO served a request\n")
    server = _prometheus(_written("PoolFull", range(10, 20)))
    assert _ask(groundwire, "Which alerts fired?", logs, "--metrics", server=server)[0] == PASS
    assert _ask(groundwire, HEALTHY, logs, "--metrics", server=server)[0] == PASS


def test_that_nothing_fired_then_is_told_where_rules_were_evaluated_all_the_time(groundwire: Groundwire, logs: Path) -> None:
    server = _prometheus(_written("Watchdog", range(60)))
    code, answer = _ask(groundwire, HEALTHY, logs, "--metrics", server=server)
    assert "No alert was firing for checkout in the window." in _texts(answer)
    assert code == PASS, answer["final_output"]


@pytest.mark.parametrize("minutes", [range(0), range(30), range(30, 60)])
def test_where_nobody_knows_what_fired_then_it_is_not_said_that_nothing_did(
    groundwire: Groundwire, logs: Path, minutes: range
) -> None:
    server = _prometheus(*([_written("Watchdog", minutes)] if minutes else []))
    code, answer = _ask(groundwire, HEALTHY, logs, "--metrics", server=server)
    assert (code, answer["decision"], answer["degraded_reason"]) == (LOW_CONFID, "LOW_CONFID", "coverage_gap")
    assert not any("alert" in text for text in _texts(answer))
    assert "not known" in " ".join(item["text"] for item in answer["coverage"]["partial"])
    assert "DiskFull" not in " ".join(_texts(answer))


def test_that_one_was_only_pending_answers_which_fired(groundwire: Groundwire, logs: Path) -> None:
    written = _written("PoolFull", range(10, 20))
    written["metric"]["alertstate"] = "pending"
    server = _prometheus(written, _written("Watchdog", range(60)))
    code, answer = _ask(groundwire, "Which alerts fired?", logs, "--metrics", server=server)
    assert [text for text in _texts(answer) if "PoolFull" in text] == [
        "PoolFull (severity critical) was pending for checkout between 2026-11-20 10:10:00 UTC and 2026-11-20 10:19:00 UTC."
    ]
    assert code == PASS, answer["final_output"]


def test_which_alerts_fired_is_not_answered_from_logs_where_nobody_knows(groundwire: Groundwire, logs: Path) -> None:
    (logs / "checkout.log").write_text("2026-11-20T10:30:00Z ERROR no connection\n2026-11-20T10:59:59Z INFO served one\n")
    code, answer = _ask(groundwire, "Which alerts fired?", logs, "--metrics", server=_prometheus())
    assert (code, answer["degraded_reason"]) == (LOW_CONFID, "question_not_answered")
    assert "not known" in " ".join(answer["missing"])
    assert "states the cause" not in " ".join(answer["missing"])


def test_that_nothing_fired_for_a_service_that_nobody_lists_is_no_answer(groundwire: Groundwire, logs: Path) -> None:
    server = _prometheus(_written("Watchdog", range(60)))
    code, answer = _ask(groundwire, "Which alerts fired for chekcout?", logs, "--metrics", server=server)
    assert (code, answer["subjects"]) == (LOW_CONFID, ["chekcout"])
    assert not any("No alert" in text for text in _texts(answer))
    assert "no source lists a service 'chekcout'" in " ".join(answer["missing"])


def test_an_alertmanager_that_is_empty_now_is_no_word_on_what_has_passed(groundwire: Groundwire, logs: Path) -> None:
    version = Answer(body=json.dumps({"versionInfo": {"version": "0.25.0"}}).encode())
    server = Situation(name="empty", answers={"/api/v2/status": version, "/api/v2/alerts": Answer(body=b"[]")})
    code, answer = _ask(groundwire, HEALTHY, logs, "--alerts", server=server)
    assert (code, answer["decision"]) == (LOW_CONFID, "LOW_CONFID")
    assert not any("alert" in text for text in _texts(answer))
    assert "knows what is active now" in answer["coverage"]["partial"][0]["text"]


def test_the_other_of_two_sources_does_not_speak_for_an_alertmanager(groundwire: Groundwire, logs: Path) -> None:
    manager = Situation(
        name="empty",
        answers={"/api/v2/status": Answer(body=b'{"versionInfo": {"version": "0.25.0"}}'), "/api/v2/alerts": Answer(body=b"[]")},
    )
    server = _prometheus(_written("Watchdog", range(60)))
    with url_of(manager) as alerts:
        code, answer = _ask(groundwire, HEALTHY, logs, "--alerts", alerts, "--metrics", server=server)
    assert code == LOW_CONFID
    assert not any("No alert" in text for text in _texts(answer))
