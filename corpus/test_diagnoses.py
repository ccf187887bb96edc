"""Diagnoses of real folders: an on-call engineer learns something true, and every sentence leads to its line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from corpus.conftest import Command


def _every_shown_claim_leads_to_its_evidence(groundwire: Command, answer: dict[str, Any]) -> None:
    for claim in answer["claims"]:
        assert claim["refs"] or claim["kind"] == "recommendation", claim
        for ref in claim["refs"]:
            groundwire("evidence", answer["session_id"], ref, allowed=(0,))


def _is_whole(groundwire: Command, answer: dict[str, Any]) -> None:
    _, audit = groundwire("audit", answer["session_id"], allowed=(0,))
    assert audit["ok"] is True
    _, replay = groundwire("replay", answer["session_id"], allowed=(0,))
    assert replay["same"] is True


def test_the_travel_exception_is_found_and_every_quote_stands_in_the_pods_log(corpus: Path, groundwire: Command) -> None:
    incident = corpus / "incidents" / "trainticket-travel-exception"
    truth = json.loads((incident / "truth.json").read_text())
    code, answer = groundwire(
        "diagnose", "why are requests failing?", "--logs", incident / "logs", "--runbooks", corpus / "runbooks"
    )
    assert (code, answer["decision"]) == (0, "PASS")
    causes = [claim for claim in answer["claims"] if claim["kind"] == "cause"]
    assert any(truth["root_cause_service"] in claim["text"] for claim in causes)
    logs = "\n".join(path.read_text(errors="backslashreplace") for path in (incident / "logs").iterdir())
    for claim in causes:
        (quote,) = re.findall(r"“([^”]+)”", claim["text"])
        assert quote in logs
    _every_shown_claim_leads_to_its_evidence(groundwire, answer)
    _is_whole(groundwire, answer)


def test_the_counts_shown_for_the_travel_exception_are_those_of_grep(corpus: Path, groundwire: Command) -> None:
    logs = corpus / "incidents" / "trainticket-travel-exception" / "logs"
    _, answer = groundwire("diagnose", "why are requests failing?", "--logs", logs)
    counted = 0
    for claim in answer["claims"]:
        match = re.match(r"(ts-[a-z0-9-]+) logged (\d+) ERROR records", claim["text"])
        if match:
            (pod,) = logs.glob(f"{match[1]}-*.log") if match[1] != "ts-travel-service" else logs.glob("ts-travel-service-*.log")
            lines = [line for line in pod.read_text().splitlines() if re.match(r"\S+ \S+ F \S+ ERROR ", line)]
            assert len(lines) == int(match[2]), claim
            counted += 1
    assert counted


def test_a_fault_that_is_not_in_the_logs_is_not_claimed_to_be_found(corpus: Path, groundwire: Command) -> None:
    logs = corpus / "incidents" / "trainticket-food-cpu" / "logs"
    code, answer = groundwire("diagnose", "what is wrong with the food service?", "--logs", logs)
    assert (code, answer["decision"]) == (3, "LOW_CONFID")
    assert answer["claims"]
    _every_shown_claim_leads_to_its_evidence(groundwire, answer)
    _is_whole(groundwire, answer)


def test_a_healthy_service_is_called_free_of_errors_and_a_silent_one_is_not(corpus: Path, groundwire: Command) -> None:
    logs = corpus / "incidents" / "trainticket-travel-exception" / "logs"
    code, answer = groundwire("diagnose", "are there errors in ts-basic-service?", "--logs", logs)
    assert (code, answer["decision"]) == (0, "PASS")
    assert [claim["kind"] for claim in answer["claims"]] == ["absence"]
    code, answer = groundwire("diagnose", "are there errors in ts-billing-service?", "--logs", logs)
    assert (code, answer["claims"]) == (3, [])


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("why did ZooKeeper lose its connection on 2015-07-29?", "Zookeeper_2k"),
        ("what is wrong with Hadoop_2k between 2015-10-18 18:00 and 2015-10-18 18:20?", "Hadoop_2k"),
        ("are there errors in Apache_2k on 2005-12-04?", "Apache_2k"),
    ],
)
def test_a_question_about_a_real_log_is_answered_from_that_log(
    corpus: Path, groundwire: Command, question: str, named: str
) -> None:
    _, answer = groundwire("diagnose", question, "--service", named, "--logs", corpus / "loghub")
    assert answer["claims"], answer["final_output"]
    assert all(named in item["text"] or named in item["source"] for item in answer["evidence"])
    _every_shown_claim_leads_to_its_evidence(groundwire, answer)
    _is_whole(groundwire, answer)


def test_a_saved_alert_that_arrives_is_the_symptom(corpus: Path, groundwire: Command) -> None:
    for folder in sorted((corpus / "alerts").iterdir()):
        alert = json.loads((folder / "alert.json").read_text())
        _, answer = groundwire("diagnose", "what is wrong?", "--alerts", folder / "alert.json", "--last", "1h")
        if alert["state"] == "alerting":
            assert answer["evidence"], folder.name
            assert alert["commonLabels"]["alertname"] in answer["evidence"][0]["text"]


def test_planted_instructions_change_nothing(corpus: Path, groundwire: Command, tmp_path: Path) -> None:
    planted = json.loads((corpus / "injections" / "injections.json").read_text())
    lines = [
        f"2026-11-12T09:{n // 60:02d}:{n % 60:02d}Z INFO from client: {json.dumps(item['text'])} caused by: {item['text']!r}"
        for n, item in enumerate(planted)
    ]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "shop.log").write_text("\n".join(line.replace("\n", " ") for line in lines))
    code, answer = groundwire("diagnose", "why is shop failing?", "--logs", tmp_path / "logs")
    assert (code, answer["decision"]) == (3, "LOW_CONFID")
    assert not [claim for claim in answer["claims"] if claim["kind"] in ("cause", "symptom")]
