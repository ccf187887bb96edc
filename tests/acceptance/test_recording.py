"""Recording: one row a call, whatever happens, and refs that resolve."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundwire.bootstrap import build
from groundwire.settings import Settings
from tests.acceptance.command import INTERRUPTED, LOW_CONFID, ROOT, Groundwire
from tests.acceptance.conftest import once
from tests.acceptance.database import Database, Row, at_path, chain_faults
from tests.acceptance.gateway import Alive, open_session, raising
from tests.acceptance.incident import CAUSE, IN_WINDOW, Incident, firing, write_incident
from tests.acceptance.scripted import SCRIPT
from tests.acceptance.servers import Answer, StubServer, closed_port, stub_server

TEN = 1795168800  # 2026-11-20T10:00:00Z
CHECKOUT_ERRORS = {"service": "checkout", "level": "error"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tour:
    """A session that holds a call of every kind, made by the command; ``calls`` are its rows by the name given here."""

    groundwire: Groundwire
    session_id: str
    calls: dict[str, Row]
    trace: dict[str, Any]

    def output(self, name: str) -> Any:
        return self.groundwire.db.output(self.calls[name]["id"])

    def refs(self, name: str) -> list[dict[str, Any]]:
        refs: list[dict[str, Any]] = self.calls[name]["retrieval_details"]["evidence_refs"]
        return refs

    def entry(self, name: str) -> dict[str, Any]:
        """Return the verifier-facing entry that a call is part of."""
        row = self.calls[name]
        (entry,) = [each for each in self.trace["entries"] if row["id"] in each["source_invocation_ids"]]
        assert isinstance(entry, dict)
        return entry


def _query_range(params: Any) -> Answer:
    match params["query"]:
        case "sum(":
            said: dict[str, Any] = {
                "status": "error",
                "errorType": "bad_data",
                "error": "1:5: parse error: unclosed left parenthesis",
            }
            return Answer(json.dumps(said).encode(), 400)
        case "nothing":
            result: list[dict[str, Any]] = []
        case _:
            values = [[TEN, "2"], [TEN + 60, "7.5"], [TEN + 120, "NaN"], [TEN + 180, "3"]]
            result = [{"metric": {"__name__": "checkout_errors_total", "service": "checkout"}, "values": values}]
    return Answer(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}).encode())


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory, plugins: Path) -> Tour:
    folder, made = once(tmp_path_factory, "tour", lambda folder: _make_tour(folder, plugins))
    groundwire = Groundwire(folder, plugins)
    calls = groundwire.db.calls(made["session_id"])
    return Tour(
        groundwire=groundwire,
        session_id=made["session_id"],
        calls=dict(zip(made["names"], calls, strict=True)),
        trace=made["trace"],
    )


def _make_tour(folder: Path, plugins: Path) -> dict[str, Any]:
    groundwire, incident = Groundwire(folder, plugins), write_incident(folder / "incident")
    logs = str(incident.logs)
    before = {"service": "checkout", "since": "2026-11-20T09:00:00Z", "until": "2026-11-20T10:00:00Z"}
    named: list[tuple[str, list[Any]]] = [
        ("log hits", ["ask", "query_logs", CHECKOUT_ERRORS]),
        ("no log", ["ask", "query_logs", {"service": "payments", "query": "nosuchword"}]),
        ("alerts", ["ask", "query_metrics", {"alert_name": "CheckoutErrors"}]),
        ("series", ["ask", "query_metrics", {"promql": "checkout_errors_total"}]),
        ("blocks", ["ask", "lookup_knowledge", {"query": "CheckoutErrors"}]),
        ("same words", ["ask", "lookup_knowledge", {"query": "checkouterrors"}]),
        ("same blocks", ["ask", "lookup_knowledge", {"query": "five percent orders customers checkout"}]),
        ("no block", ["ask", "lookup_knowledge", {"query": "zzyzx quokka"}]),
        ("refused", ["ask", "query_metrics", {"promql": "sum("}]),
        ("unfit", ["ask", "query_logs", {"nope": 1}]),
        ("", ["move", logs, f"{logs}.away"]),
        ("unreadable", ["ask", "query_logs", {"service": "checkout"}]),
        ("", ["move", f"{logs}.away", logs]),
        ("no alert", ["ask", "query_metrics", {"service": "nobody"}]),
        ("old log", ["ask", "query_logs", before]),
        ("no series", ["ask", "query_metrics", {"promql": "nothing"}]),
    ]
    with stub_server() as prometheus:
        prometheus.become_prometheus(firing())
        prometheus.answers["/api/v1/query_range"] = _query_range
        script = {"do": [step for _, step in named], "draft": {"claims": []}}
        flags = ("--logs", logs, "--runbooks", str(incident.runbooks), "--metrics", prometheus.url, *IN_WINDOW)
        result = groundwire.run_script(script, *flags)
    assert result.code == LOW_CONFID, result.stderr
    session_id = result.json["session_id"]
    trace = groundwire.run("trace", session_id, "--json").json
    return {"session_id": session_id, "names": [name for name, _ in named if name], "trace": trace}


# E1: a finished call has one row.


def test_e1_a_finished_call_of_each_tool_has_one_row_with_its_columns(tour: Tour) -> None:
    for name, call in tour.calls.items():
        assert call["session_id"] == tour.session_id
        assert call["tool_name"] in ("query_logs", "query_metrics", "lookup_knowledge")
        assert call["status"] in ("evidence", "no_evidence", "deduped", "failed"), name
        assert call["success"] is (call["status"] != "failed"), name
        assert call["duration_ms"] >= 0
        assert call["output_state"] in ("present", "empty", "none"), name
        assert (call["output_preview"] is None) is (call["output_state"] == "none"), name
    assert [call["seq"] for call in tour.calls.values()] == list(range(1, len(tour.calls) + 1))
    assert tour.calls["log hits"]["input_params"] == CHECKOUT_ERRORS
    assert {call["tool_name"] for call in tour.calls.values()} == {"query_logs", "query_metrics", "lookup_knowledge"}


def test_e1_the_row_says_whether_there_is_an_output(tour: Tour) -> None:
    states = {name: call["output_state"] for name, call in tour.calls.items()}
    assert (states["log hits"], states["no log"], states["same words"], states["unfit"]) == ("present", "empty", "none", "none")
    for name, call in tour.calls.items():
        raw = tour.groundwire.db.raw_output(call["id"])
        assert (raw is None) is (call["output_state"] == "none"), name
        if raw is not None:
            assert call["output_sha256"] == hashlib.sha256(raw).hexdigest()
            assert call["output_bytes"] == len(raw)
            assert raw.decode().startswith(call["output_preview"])
            assert call["output_truncated"] is (len(call["output_preview"]) < len(raw.decode()))


def test_e1_the_rows_chain_by_hashes_that_anybody_can_compute(tour: Tour) -> None:
    assert chain_faults(list(tour.calls.values())) == []


def test_e1_the_scope_says_what_was_really_asked(tour: Tour) -> None:
    scope = tour.calls["old log"]["scope"]
    assert scope["window"] == {"start": "2026-11-20T09:00:00Z", "end": "2026-11-20T10:00:00Z"}
    assert scope["labels"] == {"service": "checkout"}
    assert tour.calls["log hits"]["scope"]["window"] == {"start": "2026-11-20T10:00:00Z", "end": "2026-11-20T11:00:00Z"}


# E2: knowledge rows.


def test_e2_lookup_rows_carry_layer_counts_relevance_dedup_and_details(tour: Tour) -> None:
    found, repeated, nothing = tour.calls["blocks"], tour.calls["same words"], tour.calls["no block"]
    # The runbook has one title and three sections: Meaning, Diagnosis, Mitigation.
    assert (found["retrieval_layer"], found["relevance_level"], found["dedup_reason"]) == ("L1", "high", None)
    assert found["l0_count"] >= 1
    assert found["l1_count"] >= 1
    assert len(found["retrieval_details"]["evidence_refs"]) == found["returned_count"] > 0
    assert found["retrieval_details"]["sources"][0]["name"] == found["backend"]
    assert (repeated["dedup_reason"], nothing["retrieval_layer"], nothing["relevance_level"]) == ("repeat_query", "none", "none")
    assert (nothing["l0_count"], nothing["l1_count"]) == (0, 0)


def test_e2_the_columns_of_knowledge_are_null_for_the_other_tools(tour: Tour) -> None:
    columns = ("retrieval_layer", "l0_count", "l1_count", "relevance_level", "dedup_reason", "dedup_of")
    for call in tour.calls.values():
        if call["tool_name"] != "lookup_knowledge":
            assert [call[column] for column in columns] == [None] * 6


def test_e2_no_other_code_constructs_a_row() -> None:
    """The start and the completion of a row are made by the recorder and its outcome; only stores put them together."""
    makers: dict[str, set[str]] = {"InvocationStart(": set(), "InvocationCompletion(": set(), "ToolInvocation(": set()}
    for path in sorted((ROOT / "src" / "groundwire").rglob("*.py")):
        text = path.read_text()
        for constructor, places in makers.items():
            if any(constructor in line and "class " not in line for line in text.splitlines()):
                places.add(path.relative_to(ROOT / "src" / "groundwire").as_posix())
    # domain/completion makes the row of a dead process; store/rows reads rows back.
    assert makers["InvocationStart("] <= {"services/recorder.py", "store/rows.py"}
    assert makers["InvocationCompletion("] <= {"services/outcome.py", "domain/completion.py"}
    assert makers["ToolInvocation("] <= {"domain/completion.py", "store/rows.py"}


# E3: failed calls say so.


def test_e3_an_execution_error_is_failed_in_the_backends_own_words(tour: Tour) -> None:
    row = tour.calls["refused"]
    assert (row["status"], row["success"], row["error_type"]) == ("failed", False, "rejected")
    assert "1:5: parse error: unclosed left parenthesis" in row["error_message"]


def test_e3_a_source_that_is_gone_and_parameters_that_do_not_fit_are_failed(tour: Tour) -> None:
    gone, unfit = tour.calls["unreadable"], tour.calls["unfit"]
    assert (gone["success"], gone["error_type"]) == (False, "unavailable")
    assert "logs" in gone["error_message"]
    assert (unfit["success"], unfit["error_type"]) == (False, "invalid_params")
    assert "nope" in unfit["error_message"]


def test_e3_a_call_that_times_out_is_failed_and_says_so(groundwire: Groundwire, server: StubServer) -> None:
    server.become_prometheus()
    server.hang("/api/v1/query_range")
    started = time.monotonic()
    answer = groundwire.call("query_metrics", {"promql": "up"}, "--metrics", server.url, env={"GROUNDWIRE_CALL_TIMEOUT_S": "1"})
    assert time.monotonic() - started < 8
    (row,) = groundwire.db.calls(answer["session_id"])
    assert (row["status"], row["success"], row["error_type"]) == ("failed", False, "timeout")
    assert "no answer within 1 s" in row["error_message"]
    assert 900 <= row["duration_ms"] <= 4000


@pytest.mark.parametrize(
    ("body", "content_type", "error_type", "words"),
    [
        (b"<html><body>Sign in to continue</body></html>", "text/html", "malformed", "not JSON"),
        (b'{"status":"success","data":{"alerts":', "application/json", "malformed", "not JSON"),
        (b"", "application/json", "malformed", "not JSON"),
        (b'["surprise"]', "application/json", "malformed", ""),
    ],
    ids=["html", "cut", "empty", "wrong shape"],
)
def test_e3_an_answer_that_cannot_be_parsed_is_failed_and_kept(
    body: bytes, content_type: str, error_type: str, words: str, groundwire: Groundwire, server: StubServer
) -> None:
    server.become_prometheus()
    server.put_raw("/api/v1/alerts", body, content_type=content_type)
    with closing(build(Settings(db=str(groundwire.db.path), alerts=(f"{server.url}/api/v1/alerts",)))) as app:
        app.call("query_metrics", {}, session_id=None, window=None)
    (row,) = groundwire.db.calls(groundwire.db.value("SELECT id FROM diagnosis_session"))
    assert (row["status"], row["success"], row["error_type"]) == ("failed", False, error_type)
    assert words in row["error_message"]
    if body:
        assert row["output_state"] == "present"
        assert body.decode()[:20] in groundwire.db.output(row["id"])["raw_answer"]


def test_e3_a_server_that_cannot_be_reached_is_failed(groundwire: Groundwire) -> None:
    with closing(build(Settings(db=str(groundwire.db.path), metrics=(f"http://127.0.0.1:{closed_port()}",)))) as app:
        app.call("query_metrics", {}, session_id=None, window=None)
    (row,) = groundwire.db.calls(groundwire.db.value("SELECT id FROM diagnosis_session"))
    assert (row["success"], row["error_type"]) == (False, "unavailable")
    assert "refused" in row["error_message"].lower()


@pytest.mark.parametrize(
    ("raised", "error_type", "words"),
    [
        (ZeroDivisionError("division by zero"), "internal", "division by zero"),
        (TimeoutError("gave up after 3 s"), "timeout", "gave up after 3 s"),
        (KeyError("labels"), "internal", "labels"),
        (RuntimeError(), "internal", "RuntimeError"),
    ],
    ids=["zero", "timeout", "key", "wordless"],
)
def test_e3_a_tool_that_raises_is_failed_with_a_message(
    raised: Exception, error_type: str, words: str, groundwire: Groundwire
) -> None:
    with open_session(groundwire.db.path, tools=[raising("query_logs", raised)]) as session:
        call = session.recorder.ask("query_logs", {})
        assert call.invocation.success is False
    (row,) = groundwire.db.calls(session.id)
    assert (row["status"], row["success"], row["error_type"]) == ("failed", False, error_type)
    assert words in row["error_message"]


def test_e3_a_tool_that_nothing_is_configured_for_is_failed(groundwire: Groundwire) -> None:
    with closing(build(Settings(db=str(groundwire.db.path)))) as app:
        app.call("query_logs", {}, session_id=None, window=None)
    (row,) = groundwire.db.calls(groundwire.db.value("SELECT id FROM diagnosis_session"))
    assert (row["success"], row["error_type"]) == (False, "not_configured")
    assert row["error_message"]


# E4: completed with nothing.


@pytest.mark.parametrize("name", ["no log", "no alert", "no series", "no block"])
def test_e4_a_call_that_completes_with_nothing_usable_keeps_that_it_completed(name: str, tour: Tour) -> None:
    row = tour.calls[name]
    assert (row["status"], row["success"], row["output_state"], row["error_message"]) == ("no_evidence", True, "empty", None)
    assert row["returned_count"] == 0
    assert row["retrieval_details"]["evidence_refs"] == []
    output = tour.output(name)
    assert output["evidence_status"] == "no_evidence"
    for key in ("logs", "alerts", "series", "evidence_blocks"):
        assert output.get(key, []) == []


@pytest.mark.parametrize("name", ["no log", "no alert"])
def test_e4_the_summary_calls_it_a_no_evidence_outcome_in_words(name: str, tour: Tour) -> None:
    entry = tour.entry(name)
    assert "no evidence" in entry["output_summary"]
    assert "direct" not in entry["output_summary"]
    assert (entry["evidence_level"], entry["success"], entry["no_hit_count"]) == ("none", True, 1)
    assert (entry["excerpts"], entry["refs"]) == ([], [])


def test_e4_a_filter_on_our_side_says_how_many_there_were(tour: Tour) -> None:
    assert tour.calls["no alert"]["retrieval_details"]["fetched_count"] == 1


# E5: repeats.


def test_e5_a_blocked_lookup_keeps_its_reason_and_points_at_the_call_it_repeats(tour: Tour) -> None:
    original = tour.calls["blocks"]["id"]
    for name, reason in (("same words", "repeat_query"), ("same blocks", "blocks_already_seen")):
        row = tour.calls[name]
        assert (row["status"], row["success"], row["dedup_reason"], row["dedup_of"]) == ("deduped", True, reason, original)
        assert (row["output_state"], row["returned_count"]) == ("none", 0)
        assert row["retrieval_details"]["evidence_refs"] == []


def test_e5_the_summary_calls_it_no_new_evidence_in_words(tour: Tour) -> None:
    entry = tour.entry("same words")
    assert "no new evidence" in entry["output_summary"]
    assert entry["deduped_count"] == 2
    assert tour.entry("blocks") is entry


def test_e5_a_repeat_after_a_failure_is_not_blocked(groundwire: Groundwire, incident: Incident) -> None:
    not_a_folder = groundwire.folder / "runbooks.txt"
    not_a_folder.write_text("no folder")
    asked = {"query": "CheckoutErrors"}
    first = groundwire.call("lookup_knowledge", asked, "--runbooks", str(not_a_folder))
    session = ("--session", first["session_id"])
    groundwire.call("lookup_knowledge", asked, "--runbooks", str(incident.runbooks), *session)
    groundwire.call("lookup_knowledge", asked, "--runbooks", str(incident.runbooks), *session)
    rows = groundwire.db.calls(first["session_id"])
    assert [row["status"] for row in rows] == ["failed", "evidence", "deduped"]
    assert (rows[2]["dedup_reason"], rows[2]["dedup_of"]) == ("repeat_query", rows[1]["id"])


def test_e5_other_tools_are_never_blocked(groundwire: Groundwire, incident: Incident) -> None:
    with closing(build(Settings(db=str(groundwire.db.path), logs=(str(incident.logs),)))) as app:
        session_id = app.call("query_logs", CHECKOUT_ERRORS, session_id=None, window=None).session_id
        app.call("query_logs", CHECKOUT_ERRORS, session_id=session_id, window=None)
    assert [row["status"] for row in groundwire.db.calls(session_id)] == ["evidence", "evidence"]


# E6: durable when the call returns.


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """What 200 processes left that were killed in random places, and by session the ids of the calls that had returned."""

    db: Database
    returned: dict[str, list[str]]


@pytest.fixture
def killed(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Killed:
    folder, returned = once(tmp_path_factory, "killed", _kill)
    for path in folder.glob("groundwire.db*"):
        shutil.copy(path, tmp_path)
    return Killed(db=Database(tmp_path / "groundwire.db"), returned=returned)


def _kill(folder: Path) -> Any:
    words = [str(folder / "groundwire.db"), str(folder / "logs"), "200", "20261130"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.acceptance.kill_driver", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_e6_every_row_whose_call_had_returned_is_there_and_whole(killed: Killed) -> None:
    db, returned = killed.db, killed.returned
    assert sum(len(ids) for ids in returned.values()) > 50  # the kills came in the middle of work
    for session_id, ids in returned.items():
        rows = {row["id"]: row for row in db.calls(session_id)}
        for invocation_id in ids:
            row = rows[invocation_id]
            assert row["status"] in ("evidence", "no_evidence", "failed")
            if row["output_state"] != "none":
                raw = db.raw_output(invocation_id)
                assert raw is not None
                assert hashlib.sha256(raw).hexdigest() == row["output_sha256"]
            for ref in row["retrieval_details"]["evidence_refs"]:
                message = at_path(db.output(invocation_id), ref["raw_path"])["message"]
                assert " ".join(message.split()) in ref["text"]


def test_e6_what_was_in_flight_is_running_and_no_row_is_half_there(killed: Killed) -> None:
    db, returned = killed.db, killed.returned
    assert db.value("PRAGMA integrity_check") == "ok"
    running = 0
    for row in db.rows("SELECT id FROM diagnosis_session"):
        calls = db.calls(row["id"])
        assert [call["seq"] for call in calls] == list(range(1, len(calls) + 1))
        assert chain_faults(calls) == []
        unfinished = [call for call in calls if call["status"] == "running"]
        running += len(unfinished)
        assert len(unfinished) <= 1
        for call in unfinished:
            assert call["id"] not in returned.get(row["id"], [])
            assert (call["success"], call["output_state"], call["completion_seq"]) == (None, None, None)
        acknowledged = set(returned.get(row["id"], []))
        finished = [call for call in calls if call["status"] != "running"]
        assert len([call for call in finished if call["id"] not in acknowledged]) <= 1  # completed, and killed before saying so
    assert running > 5


def test_e6_a_call_in_flight_is_shown_as_interrupted_and_readers_do_not_write(killed: Killed, groundwire: Groundwire) -> None:
    db = killed.db
    row = db.rows("SELECT * FROM tool_invocation WHERE status = 'running' ORDER BY id LIMIT 1")[0]
    shown = groundwire.run("trace", row["session_id"], "--json").json
    (call,) = [each for each in shown["invocations"] if each["id"] == row["id"]]
    assert (call["status"], call["success"], call["error_type"]) == ("failed", False, "interrupted")
    assert "interrupted" in call["error_message"]
    assert any("interrupted" in entry["output_summary"] for entry in shown["entries"])
    assert db.rows("SELECT * FROM tool_invocation WHERE id = ?", row["id"])[0] == row


def test_e6_a_later_writer_marks_what_is_dead_and_leaves_a_living_session_alone(killed: Killed, groundwire: Groundwire) -> None:
    db = killed.db
    dead = db.rows("SELECT id, session_id FROM tool_invocation WHERE status = 'running'")
    with Alive(db.path) as alive:
        groundwire.call("query_logs", {}, "--logs", "demo")
        assert db.value("SELECT status FROM tool_invocation WHERE id = ?", alive.invocation_id) == "running"
        assert db.session(alive.session_id)["status"] == "running"
    for each in dead:
        calls = db.calls(each["session_id"])
        (call,) = [call for call in calls if call["id"] == each["id"]]
        assert (call["status"], call["success"], call["error_type"]) == ("failed", False, "interrupted")
        assert call["error_message"]
        assert chain_faults(calls) == []
        session = db.session(each["session_id"])
        assert (session["status"], session["tool_call_count"]) == ("failed", len(calls))


def test_e6_a_killed_diagnosis_leaves_its_call_in_flight_visible(
    groundwire: Groundwire, incident: Incident, server: StubServer
) -> None:
    running = _start_hanging_diagnosis(groundwire, incident, server)
    (row,) = groundwire.db.rows("SELECT * FROM tool_invocation WHERE status = 'running'")
    live = groundwire.run("trace", row["session_id"], "--json").json
    assert [call["status"] for call in live["invocations"]] == ["evidence", "running"]
    running.kill()
    running.communicate()
    dead = groundwire.run("trace", row["session_id"], "--json").json
    assert [(call["status"], call["error_type"]) for call in dead["invocations"]] == [
        ("evidence", None),
        ("failed", "interrupted"),
    ]
    shown = groundwire.run("show", row["session_id"])
    assert shown.code != 0
    assert shown.is_one_sentence("interrupted")
    with closing(build(Settings(db=str(groundwire.db.path), logs=(str(incident.logs),)))) as app:
        app.call("query_logs", {}, session_id=None, window=None)
    assert [call["error_type"] for call in groundwire.db.calls(row["session_id"])] == [None, "interrupted"]
    assert groundwire.db.session(row["session_id"])["status"] == "failed"


def test_e6_a_person_who_interrupts_leaves_a_completed_row(
    groundwire: Groundwire, incident: Incident, server: StubServer
) -> None:
    running = _start_hanging_diagnosis(groundwire, incident, server)
    running.send_signal(signal.SIGINT)
    stderr = running.communicate(timeout=20)[1]
    assert running.returncode == INTERRUPTED
    assert b"Traceback" not in stderr
    session = groundwire.db.session(groundwire.db.value("SELECT id FROM diagnosis_session"))
    assert f"groundwire trace {session['id'][-12:]}".encode() in stderr
    calls = groundwire.db.calls(session["id"])
    assert [(call["status"], call["error_type"]) for call in calls] == [("evidence", None), ("failed", "interrupted")]
    assert (session["status"], session["decision"], session["tool_call_count"]) == ("cancelled", None, 2)
    assert chain_faults(calls) == []


def _start_hanging_diagnosis(groundwire: Groundwire, incident: Incident, server: StubServer) -> subprocess.Popen[bytes]:
    """Start a diagnosis whose first call has returned and whose second waits for a server."""
    server.become_prometheus()
    server.hang("/api/v1/query_range")
    script = {"do": [["ask", "query_logs", CHECKOUT_ERRORS], ["ask", "query_metrics", {"promql": "up"}]], "draft": {"claims": []}}
    place = groundwire.folder / "script.json"
    place.write_text(json.dumps(script))
    running = groundwire.start(
        "diagnose", "Why is checkout failing?", "--logs", str(incident.logs), "--metrics", server.url, *IN_WINDOW,
        env={SCRIPT: str(place), "GROUNDWIRE_INVESTIGATOR": "scripted"},
    )  # fmt: skip
    _wait_until(lambda: "/api/v1/query_range" in server.asked, running)
    return running


def _wait_until(holds: Callable[[], bool], running: subprocess.Popen[bytes]) -> None:
    ends_at = time.monotonic() + 20
    while not holds():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < ends_at
        time.sleep(0.02)


# E7: refs.


def test_e7_a_log_has_one_ref_made_of_its_concrete_fields(tour: Tour) -> None:
    refs = tour.refs("log hits")
    assert [(ref["ref_id"], ref["raw_path"]) for ref in refs] == [(f"i1.logs.{i}", f"$.logs[{i}]") for i in range(3)]
    first = refs[2]["text"]
    # The file says: 2026-11-20T10:20:05.000Z ERROR order 1020 failed: cannot reserve stock, and a stack trace.
    for field in ("2026-11-20T10:20:05", "ERROR", "checkout", "order 1020 failed: cannot reserve stock", CAUSE):
        assert field in first
    assert {(ref["level"], ref["trust"]) for ref in refs} == {("direct", "emitted")}


def test_e7_a_log_outside_the_sessions_window_is_indirect(tour: Tour) -> None:
    assert [(ref["level"], ref["trust"]) for ref in tour.refs("old log")] == [("indirect", "emitted")]


def test_e7_an_alert_has_one_ref_made_of_its_concrete_fields(tour: Tour) -> None:
    (ref,) = tour.refs("alerts")
    assert (ref["ref_id"], ref["raw_path"], ref["level"], ref["trust"]) == ("i3.alerts.0", "$.alerts[0]", "direct", "measured")
    for field in ("CheckoutErrors", "firing", "checkout", "critical", "0.31", "2026-11-20T10:21:00Z"):
        assert field in ref["text"]
    assert "31% of orders fail" not in ref["text"]  # what the rule's author wrote is no measurement


def test_e7_a_series_has_one_ref_with_first_last_minimum_maximum_and_when(tour: Tour) -> None:
    (ref,) = tour.refs("series")
    assert (ref["ref_id"], ref["raw_path"], ref["level"], ref["trust"]) == ("i4.series.0", "$.series[0]", "direct", "measured")
    for field in (
        "checkout_errors_total",
        "service=checkout",
        "first 2 ",
        "last 3 ",
        "minimum 2",
        "maximum 7.5 at 2026-11-20T10:01:00Z",
    ):
        assert field in ref["text"]
    points = tour.output("series")["series"][0]["points"]
    assert [[when, value] for when, value, *_ in points] == [[TEN, 2], [TEN + 60, 7.5], [TEN + 120, None], [TEN + 180, 3]]


def test_e7_a_block_has_one_ref_with_title_source_and_content(tour: Tour) -> None:
    refs = tour.refs("blocks")
    assert len(refs) == tour.calls["blocks"]["returned_count"]
    assert {(ref["level"], ref["trust"]) for ref in refs} == {("indirect", "written")}
    (diagnosis,) = [ref for ref in refs if "Connection refused: inventory:8443" in ref["text"]]
    assert "CheckoutErrors" in diagnosis["text"]
    assert "CheckoutErrors.md" in diagnosis["text"]


def test_e7_every_raw_path_resolves_in_the_stored_output_and_there_is_one_ref_an_entry(tour: Tour) -> None:
    counted = 0
    for name, call in tour.calls.items():
        output = tour.output(name)
        refs = tour.refs(name)
        entries = 0 if output is None else sum(len(output.get(k) or []) for k in ("logs", "alerts", "series", "evidence_blocks"))
        assert len(refs) == entries, name
        assert len({ref["ref_id"] for ref in refs}) == len(refs)
        for ref in refs:
            item = at_path(output, ref["raw_path"])
            assert isinstance(item, dict)
            assert len(ref["text"]) <= 600
            assert set(ref) == {"ref_id", "raw_path", "text", "level", "trust"}
            assert ref["ref_id"].startswith(f"i{call['seq']}.")
            counted += 1
    assert counted > 8


def test_e7_the_command_shows_the_raw_item_behind_a_ref(tour: Tour) -> None:
    shown = tour.groundwire.run("evidence", tour.session_id, "i1.logs.2", "--json").json
    assert shown["item"] == tour.output("log hits")["logs"][2]
    assert shown["item"]["message"].startswith("order 1020 failed: cannot reserve stock\n")
    assert (shown["raw_path"], shown["ref_id"]) == ("$.logs[2]", "i1.logs.2")
    assert (shown["invocation_id"], shown["output_sha256"]) == (
        tour.calls["log hits"]["id"],
        tour.calls["log hits"]["output_sha256"],
    )


def test_e7_a_long_entry_has_a_bounded_text_and_stays_whole_behind_it(groundwire: Groundwire) -> None:
    logs = groundwire.folder / "logs"
    logs.mkdir()
    message = "payload " + "x" * 9000 + " end"
    (logs / "checkout.log").write_text(f"2026-11-20T10:00:01.000Z ERROR {message}\n")
    with closing(build(Settings(db=str(groundwire.db.path), logs=(str(logs),)))) as app:
        report = app.call("query_logs", {}, session_id=None, window=None)
    (row,) = groundwire.db.calls(report.session_id)
    (ref,) = row["retrieval_details"]["evidence_refs"]
    assert len(ref["text"]) < 1000
    assert groundwire.db.output(row["id"])["logs"][0]["message"] == message


# E8: nothing lost.


def test_e8_two_threads_in_one_session_lose_nothing_and_keep_seq_unique(groundwire: Groundwire, incident: Incident) -> None:
    queries = [{"service": "checkout", "query": f"order {1000 + n} "} for n in range(40)]
    with open_session(groundwire.db.path, logs=incident.logs) as session:
        returned = session.ask_in_threads([("query_logs", query) for query in queries], threads=2)
    rows = groundwire.db.calls(session.id)
    assert len(returned) == len(rows) == 40
    assert [row["seq"] for row in rows] == list(range(1, 41))
    assert {call.invocation.id: call.invocation.seq for call in returned} == {row["id"]: row["seq"] for row in rows}
    assert sorted(row["input_params"]["query"] for row in rows) == sorted(query["query"] for query in queries)
    assert chain_faults(rows) == []


def test_e8_identical_calls_of_one_moment_share_one_row(groundwire: Groundwire, incident: Incident, server: StubServer) -> None:
    server.become_prometheus(firing())
    quick = server.answers["/api/v1/alerts"]

    def slow(params: Any) -> Any:
        time.sleep(0.3)
        return quick(params)

    server.answers["/api/v1/alerts"] = slow
    twice = [("query_metrics", {"service": "checkout"})] * 2
    with open_session(groundwire.db.path, metrics=server.url) as session:
        returned = session.ask_in_threads(twice, threads=2)
    assert len(groundwire.db.calls(session.id)) == 1
    assert len({call.invocation.id for call in returned}) == 1


def test_e8_four_processes_in_one_session_and_one_new_database_lose_nothing(groundwire: Groundwire, incident: Incident) -> None:
    logs = ("--logs", str(incident.logs))
    # Four processes that all find no database yet.
    first = [groundwire.start("call", "query_logs", "--json", *logs) for _ in range(4)]
    sessions = [json.loads(_finished(each))["session_id"] for each in first]
    assert len(set(sessions)) == groundwire.db.value("SELECT count(*) FROM diagnosis_session") == 4
    for session_id in sessions:
        assert [row["seq"] for row in groundwire.db.calls(session_id)] == [1]
    # And four at once in one of those sessions.
    words = [json.dumps({"query": f"order {number}"}) for number in (2001, 2002, 2003, 2004)]
    again = [
        groundwire.start("call", "query_logs", "--params", each, "--session", sessions[0], "--json", *logs) for each in words
    ]
    answers = [json.loads(_finished(each)) for each in again]
    rows = groundwire.db.calls(sessions[0])
    assert [row["seq"] for row in rows] == [1, 2, 3, 4, 5]
    assert {answer["invocation"]["id"] for answer in answers} == {row["id"] for row in rows[1:]}
    assert sorted(row["input_params"]["query"] for row in rows[1:]) == ["order 2001", "order 2002", "order 2003", "order 2004"]
    assert chain_faults(rows) == []
    assert groundwire.db.session(sessions[0])["tool_call_count"] == 5
    assert groundwire.run("audit", sessions[0]).code == 0


def _finished(running: subprocess.Popen[bytes]) -> bytes:
    stdout, stderr = running.communicate(timeout=60)
    assert running.returncode == 0, stderr.decode()
    return stdout
