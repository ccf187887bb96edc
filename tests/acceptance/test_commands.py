"""The commands as a user and a script meet them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from groundwire.entrypoints.group import groundwire as group
from tests.acceptance.command import FAULT, LOW_CONFID, PASS, REJECT, USAGE, Groundwire, Result
from tests.acceptance.conftest import once
from tests.acceptance.incident import CAUSE, IN_WINDOW, WHY, Incident, firing, prometheus_alerts, write_incident

COMMANDS = ("demo", "diagnose", "sessions", "show", "trace", "evidence", "audit", "replay", "verify", "call", "doctor")
ANSWER_KEYS = {
    "session_id", "question", "question_kind", "decision", "degraded_reason", "final_output", "claims", "evidence", "coverage",
    "window", "step_count", "tool_call_count",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A database with one diagnosis that passed, made by the command."""

    groundwire: Groundwire
    incident: Incident
    session_id: str
    answer: dict[str, Any]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, plugins: Path) -> Recorded:
    def make(folder: Path) -> Any:
        incident = write_incident(folder / "incident")
        result = Groundwire(folder, plugins).run("diagnose", WHY, *incident.flags, *IN_WINDOW, "--json")
        assert (result.code, result.stderr) == (PASS, ""), result.stdout
        return result.json

    folder, answer = once(tmp_path_factory, "recorded", make)
    incident = Incident(
        logs=folder / "incident/logs", alerts=folder / "incident/alerts.json", runbooks=folder / "incident/runbooks"
    )
    return Recorded(groundwire=Groundwire(folder, plugins), incident=incident, session_id=answer["session_id"], answer=answer)


def test_diagnose_json_is_one_object_with_the_keys_of_the_contract(recorded: Recorded) -> None:
    answer = recorded.answer
    assert set(answer) >= ANSWER_KEYS
    assert set(answer["coverage"]) == {"found", "empty", "deduped", "failed", "partial", "not_available"}
    assert answer["window"] == {"start": "2026-11-20T10:00:00Z", "end": "2026-11-20T11:00:00Z", "source": "flag"}
    for claim in answer["claims"]:
        assert set(claim) >= {"id", "text", "kind", "role", "verdict", "reason", "refs"}
    refs = {item["ref_id"] for item in answer["evidence"]}
    for item in answer["evidence"]:
        assert set(item) >= {"ref_id", "raw_path", "text", "level", "trust", "tool_name"}
    assert {ref for claim in answer["claims"] for ref in claim["refs"]} <= refs
    session = recorded.groundwire.db.session(recorded.session_id)
    assert (answer["decision"], answer["final_output"]) == (session["decision"], session["final_output"])
    assert answer["tool_call_count"] == len(recorded.groundwire.db.calls(recorded.session_id))


def test_every_statement_of_the_answer_points_at_what_it_rests_on(recorded: Recorded) -> None:
    material = [claim for claim in recorded.answer["claims"] if claim["kind"] in ("symptom", "cause", "observation", "absence")]
    assert material
    assert all(claim["refs"] and claim["verdict"] == "supported" for claim in material)


def test_the_terminal_answer_is_good_to_read_at_80_columns(recorded: Recorded) -> None:
    shown = recorded.groundwire.run("show", recorded.session_id[-6:])
    assert shown.code == PASS
    assert shown.stdout.rstrip("\n") == recorded.answer["final_output"]
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert shown.stdout.startswith("PASS: ")
    assert "\x1b" not in shown.stdout
    assert "checkout.log:22, 2026-11-20T10:20:05Z" in shown.stdout  # source and time beside the footnote


def test_sessions_lists_the_rows_newest_first(recorded: Recorded, here: Callable[..., Result]) -> None:
    (row, *_) = here(recorded.groundwire, "sessions", "--json").json["sessions"]
    assert set(row) >= {"id", "question", "decision", "status", "window_start", "tool_call_count", "owner"}


def test_evidence_of_a_whole_call_and_of_its_summary(recorded: Recorded, here: Callable[..., Result]) -> None:
    for ref, path in (("i2", "$"), ("i2.summary", "$.summary")):
        shown = here(recorded.groundwire, "evidence", recorded.session_id[:18], ref, "--json").json
        assert (shown["ref_id"], shown["raw_path"]) == (ref, path)
    assert shown["item"]["by_level"] == {"ERROR": 3}


def test_audit_and_replay_find_a_session_as_it_was_recorded(recorded: Recorded, here: Callable[..., Result]) -> None:
    audit = here(recorded.groundwire, "audit", recorded.session_id, "--json")
    assert (audit.code, audit.json["ok"], audit.json["faults"]) == (0, True, [])
    assert audit.json["rows"] == recorded.answer["tool_call_count"]
    replay = here(recorded.groundwire, "replay", recorded.session_id, "--json")
    assert replay.code == 0
    assert replay.json == {
        "session_id": recorded.session_id, "same": True, "decision": "PASS", "recorded_decision": "PASS", "differences": [],
    }  # fmt: skip


def test_audit_finds_what_was_changed_afterwards_and_replay_decides_otherwise(
    groundwire: Groundwire, incident: Incident, here: Callable[..., Result]
) -> None:
    answer = here(groundwire, "diagnose", WHY, *incident.flags, *IN_WINDOW, "--json").json
    calls = groundwire.db.calls(answer["session_id"])
    groundwire.db.change("UPDATE tool_invocation SET error_message = 'never mind' WHERE id = ?", calls[0]["id"])
    groundwire.db.change("DELETE FROM tool_output WHERE invocation_id = ?", calls[1]["id"])
    groundwire.db.change("UPDATE diagnosis_session SET tool_call_count = 99")
    audit = groundwire.run("audit", "last", "--json")
    assert (audit.code, audit.json["ok"]) == (FAULT, False)
    kinds = {(fault["kind"], fault["invocation_id"]) for fault in audit.json["faults"]}
    assert {("chain", calls[0]["id"]), ("output", calls[1]["id"]), ("count", None)} <= kinds
    replay = groundwire.run("replay", "last", "--json")
    assert (replay.code, replay.json["same"], replay.json["recorded_decision"]) == (FAULT, False, "PASS")
    assert replay.json["decision"] != "PASS"
    assert replay.json["differences"]


@pytest.mark.parametrize(
    ("draft", "code", "verdicts"),
    [
        (
            {"answer": "a", "claims": [{"text": "checkout logged 3 ERROR records.", "refs": ["i2.summary"]}]},
            LOW_CONFID,
            ["supported"],
        ),
        (
            {"answer": "a", "claims": [{"text": "checkout logged 9 ERROR records.", "refs": ["i2.summary"]}]},
            REJECT,
            ["contradicted"],
        ),
        (
            f"checkout logged 3 ERROR records. [i2.summary]\n\nIts log says “{CAUSE}”. [i2.logs.2]\n",
            None,
            ["supported", "supported"],
        ),
        ("checkout logged “zebrafish”. [i2.logs.0]", LOW_CONFID, None),
    ],
    ids=["json", "json contradicted", "markdown", "markdown unsupported"],
)
def test_verify_holds_an_answer_written_elsewhere_against_the_evidence(
    draft: Any, code: int | None, verdicts: list[str] | None, recorded: Recorded, tmp_path: Path, here: Callable[..., Result]
) -> None:
    text = draft if isinstance(draft, str) else json.dumps(draft)
    before = recorded.groundwire.db.session(recorded.session_id)
    count = len(recorded.groundwire.db.evaluations(recorded.session_id))
    place = tmp_path / "draft"
    place.write_text(text)
    result = here(recorded.groundwire, "verify", recorded.session_id, "--draft", str(place), "--json")
    assert set(result.json) >= {"session_id", "decision", "degraded_reason", "claims"}
    assert result.code == {"PASS": PASS, "LOW_CONFID": LOW_CONFID, "REJECT": REJECT}[result.json["decision"]]
    if code is not None:
        assert result.code == code
    for claim in result.json["claims"]:
        assert set(claim) >= {"id", "text", "kind", "role", "verdict", "reason", "refs", "facts"}
    if verdicts is not None:
        assert [claim["verdict"] for claim in result.json["claims"]] == verdicts
    assert recorded.groundwire.db.session(recorded.session_id) == before
    assert len(recorded.groundwire.db.evaluations(recorded.session_id)) > count


def test_call_exits_0_whenever_a_row_was_written(groundwire: Groundwire, here: Callable[..., Result]) -> None:
    result = here(groundwire, "call", "query_logs", "--params", '{"level": "loudest"}', "--json")
    assert result.code == 0
    answer = result.json
    (row,) = groundwire.db.calls(answer["session_id"])
    assert (row["success"], row["error_type"]) == (False, "invalid_params")
    assert set(answer) >= {"session_id", "invocation", "output"}
    assert answer["invocation"]["id"] == row["id"]
    assert answer["output"]["error"]["type"] == "invalid_params"


def test_parameters_that_are_not_json_are_a_recorded_failure(groundwire: Groundwire, here: Callable[..., Result]) -> None:
    result = here(groundwire, "call", "query_logs", "--params", "{service: checkout}", "--json")
    assert result.code == 0
    (row,) = groundwire.db.calls(result.json["session_id"])
    assert (row["success"], row["error_type"]) == (False, "invalid_params")
    assert "service: checkout" in json.dumps(row["input_params"])


def test_an_unknown_tool_is_a_usage_error_and_writes_nothing(groundwire: Groundwire, here: Callable[..., Result]) -> None:
    result = here(groundwire, "call", "restart_pods", "--json")
    assert result.code == USAGE
    assert set(result.json["error"]) == {"type", "message", "hint"}
    assert not groundwire.db.path.exists() or groundwire.db.value("SELECT count(*) FROM tool_invocation") == 0


def test_a_question_may_come_on_stdin_as_a_pasted_alert(groundwire: Groundwire, incident: Incident) -> None:
    pasted = json.dumps(prometheus_alerts(firing())).encode()
    result = groundwire.run("diagnose", "--json", *incident.flags, stdin=pasted)
    assert result.code == PASS, result.stdout + result.stderr
    session = groundwire.db.session(result.json["session_id"])
    assert (session["question_kind"], session["subjects"], session["window_source"]) == ("diagnose", ["checkout"], "alert")
    # From half an hour before the onset at 10:21 to a quarter of an hour after it.
    assert (session["window_start"][:19], session["window_end"][:19]) == ("2026-11-20T09:51:00", "2026-11-20T10:36:00")


def test_a_flag_wins_over_the_environment_and_the_environment_over_the_file(groundwire: Groundwire, incident: Incident) -> None:
    (groundwire.folder / "groundwire.toml").write_text('logs = ["nowhere"]\n')
    other = groundwire.folder / "other.db"
    kept = groundwire.run("call", "query_logs", "--db", str(other), "--json", env={"GROUNDWIRE_LOGS": str(incident.logs)})
    assert kept.code == 0, kept.stderr
    assert kept.json["invocation"]["status"] == "evidence"
    assert other.exists()
    assert not groundwire.db.path.exists()


def test_doctor_says_what_is_there_and_fails_when_a_source_does_not_hold(
    groundwire: Groundwire, incident: Incident, here: Callable[..., Result]
) -> None:
    good = groundwire.run("doctor", *incident.flags, "--json")
    assert (good.code, good.json["ok"]) == (0, True)
    for check in good.json["checks"]:
        assert set(check) >= {"name", "ok", "message", "hint"}
    incident.alerts.write_text("not json")
    bad = here(groundwire, "doctor", *incident.flags, "--json")
    assert (bad.code, bad.json["ok"]) == (1, False)
    assert any("not JSON" in check["message"] for check in bad.json["checks"] if not check["ok"])


def test_the_demo_is_a_verified_diagnosis(groundwire: Groundwire) -> None:
    """It needs no source, server or key, and finds the connection pool of order-service exhausted."""
    result = groundwire.run("demo", "--json")
    assert set(result.json) >= ANSWER_KEYS
    session = groundwire.db.session(result.json["session_id"])
    assert session["decision"] == result.json["decision"]
    said = " ".join(claim["text"] for claim in result.json["claims"])
    assert "order-service" in said
    assert "request timed out after 30000ms" in said
    assert (result.json["decision"], result.code) == ("PASS", PASS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_a_help_with_an_example_and_says_its_exit_codes(name: str) -> None:
    shown = CliRunner().invoke(group, [name, "--help"]).output
    assert f"groundwire {name}" in shown.partition("Example")[2]
    assert "--json" in shown
    assert "--db" in shown
