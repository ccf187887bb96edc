"""Bad input: each one clear sentence, no traceback, nothing half-written, and the rest goes on."""

from __future__ import annotations

import base64
import ctypes
import gzip
import json
import os
import resource
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest

from groundwire.bootstrap import build
from groundwire.domain.errors import StoreLockedError
from groundwire.ports import CallContext
from groundwire.settings import Settings
from groundwire.store.sql_store import open_store
from groundwire.testing import ScriptedTool
from tests.acceptance.bench import Bench
from tests.acceptance.command import FAILURE, LOW_CONFID, PASS, USAGE, Groundwire, Result
from tests.acceptance.database import Row
from tests.acceptance.drafts import claim, script
from tests.acceptance.gateway import OpenSession, open_session
from tests.acceptance.incident import IN_WINDOW, WHY, Incident, firing, prometheus_alerts
from tests.acceptance.scripted import FULL_AFTER, JUDGE
from tests.acceptance.servers import closed_port

# Of linux/prctl.h and linux/capability.h.
_DROP_FROM_BOUNDING_SET, _DAC_OVERRIDE, _DAC_READ_SEARCH = 24, 1, 2


def _call(groundwire: Groundwire, tool: str, params: dict[str, Any], **settings: Any) -> tuple[Row, Any]:
    """Make one call in this process; return its row by SQL and the stored output."""
    with closing(build(Settings(db=str(groundwire.db.path), **settings))) as app:
        session_id = app.call(tool, params, session_id=None, window=None).session_id
    (row,) = groundwire.db.calls(session_id)
    return row, groundwire.db.output(row["id"])


def _sessions(groundwire: Groundwire) -> int:
    if not groundwire.db.path.exists():
        return 0
    counted: int = groundwire.db.value("SELECT count(*) FROM diagnosis_session")
    return counted


# Sources that cannot be read.


@pytest.mark.parametrize(("flag", "name"), [("--logs", "lgs"), ("--runbooks", "runbook"), ("--alerts", "alert.json")])
def test_a_missing_folder_or_file_is_one_sentence_and_nothing_is_written(
    flag: str, name: str, groundwire: Groundwire, incident: Incident
) -> None:
    place = incident.logs.parent / name
    result = groundwire.run("diagnose", WHY, flag, str(place))
    assert result.code == USAGE
    assert result.is_one_sentence(str(place), "no such file or folder", "Did you mean")
    assert _sessions(groundwire) == 0


def test_the_diagnosis_goes_on_with_what_is_readable_and_the_row_says_what_was_not(
    groundwire: Groundwire, incident: Incident
) -> None:
    _spoil(incident.logs)
    result = groundwire.run("diagnose", WHY, *incident.flags, *IN_WINDOW, "--json")
    assert result.code == LOW_CONFID  # the symptom and the cause are there, and the query under them was answered in part
    assert result.stderr == ""
    assert result.json["degraded_reason"] == "coverage_gap"
    assert {"symptom", "cause"} <= {each["kind"] for each in result.json["claims"]}
    assert result.json["coverage"]["partial"]
    session = groundwire.db.session(result.json["session_id"])
    assert (session["status"], session["decision"]) == ("completed", "LOW_CONFID")
    errors = next(call for call in groundwire.db.calls(session["id"]) if call["input_params"].get("level") == "error")
    assert errors["partial"] is True


@pytest.fixture
def spoiled(groundwire: Groundwire, incident: Incident) -> tuple[Row, Any]:
    """A call over all that is spoiled, and everything that is not."""
    _spoil(incident.logs)
    asked = {"level": "error", "limit": 500, "since": "2026-11-20T10:00:00Z", "until": "2026-11-20T11:00:00Z"}
    return _call(groundwire, "query_logs", asked, logs=(str(incident.logs),))


def _spoil(logs: Path) -> None:
    (logs / "garbage.log").write_bytes(bytes(range(256)) * 400)
    (logs / "latin.log").write_bytes(
        "2026-11-20T10:40:00.000Z ERROR café shut\n".encode("latin-1") + b"2026-11-20T10:40:01.000Z ERROR \xff\xfe\x80 end\n"
    )
    (logs / "huge.log").write_text(
        "2026-11-20T10:41:00.000Z ERROR start " + "x" * 5_000_000 + "\n2026-11-20T10:42:00.000Z ERROR behind the long line\n"
    )
    (logs / "timeless.log").write_text("ERROR nobody knows when\n" * 5)
    (logs / "yearless.log").write_text("Nov 20 10:43:00 host app[1]: ERROR without a year\n")
    (logs / "zoneless.log").write_text("2026-11-20 10:44:00,123 ERROR without a zone\n")
    (logs / "empty.log").write_text("")
    (logs / "cut.log.gz").write_bytes(gzip.compress(b"2026-11-20T10:05:00.000Z ERROR packed\n" * 2000)[:-100])
    (logs / "loop.log").symlink_to("loop.log")
    (logs / "folder.log").mkdir()
    os.mkfifo(logs / "pipe.log")


@pytest.mark.parametrize(
    ("name", "words"),
    [("garbage.log", "not text"), ("cut.log.gz", "damaged gzip"), ("loop.log", "link"), ("timeless.log", "no timestamps")],
)
def test_binary_garbage_broken_and_timeless_files_are_named_in_the_row(name: str, words: str, spoiled: tuple[Row, Any]) -> None:
    row, _ = spoiled
    assert row["status"] == "evidence"
    (reason,) = [reason for reason in row["partial_reasons"] if name in reason]
    assert words in reason
    assert "\n" not in reason


def test_what_could_be_read_beside_them_is_there(spoiled: tuple[Row, Any]) -> None:
    _, output = spoiled
    services = {log["service"] for log in output["logs"]}
    assert {"checkout", "latin", "huge", "yearless", "zoneless"} <= services
    assert not {"garbage", "timeless", "pipe", "folder", "empty"} & services


def test_invalid_utf8_is_shown_and_loses_no_line(spoiled: tuple[Row, Any]) -> None:
    _, output = spoiled
    messages = [log["message"] for log in output["logs"] if log["service"] == "latin"]
    assert len(messages) == 2
    assert any(message.startswith("caf") and message.endswith(" shut") for message in messages)
    assert any(message.endswith(" end") for message in messages)


def test_a_line_of_5_mb_is_cut_said_so_and_the_line_behind_it_is_read(spoiled: tuple[Row, Any], groundwire: Groundwire) -> None:
    row, output = spoiled
    huge = [log["message"] for log in output["logs"] if log["service"] == "huge"]
    assert "behind the long line" in huge
    (cut,) = [message for message in huge if message.startswith("start xxx")]
    assert len(cut) < 100_000
    assert "huge.log" in json.dumps(row["retrieval_details"]["sources"])
    assert groundwire.db.path.stat().st_size < 5_000_000


def test_times_without_year_or_zone_are_read_and_the_assumption_is_told(
    spoiled: tuple[Row, Any], groundwire: Groundwire, incident: Incident
) -> None:
    row, output = spoiled
    times = {log["service"]: log["timestamp"] for log in output["logs"]}
    assert (times["yearless"], times["zoneless"]) == ("2026-11-20T10:43:00Z", "2026-11-20T10:44:00.123Z")
    notes = json.dumps(row["retrieval_details"]["sources"])
    assert "zone" in notes
    assert "year" in notes
    berlin = {"since": "2026-11-20T09:00:00Z", "until": "2026-11-20T10:00:00Z", "query": "zone"}
    _, moved = _call(groundwire, "query_logs", berlin, logs=(str(incident.logs / "zoneless.log"),), timezone="Europe/Berlin")
    assert [log["timestamp"] for log in moved["logs"]] == ["2026-11-20T09:44:00.123Z"]


def test_an_empty_folder_and_one_without_times_prove_nothing(groundwire: Groundwire) -> None:
    empty, timeless = groundwire.folder / "empty", groundwire.folder / "timeless"
    empty.mkdir()
    timeless.mkdir()
    (timeless / "app.log").write_text("INFO all is well\n" * 20)
    for folder, words in ((empty, "no log files"), (timeless, "no timestamps")):
        row, output = _call(groundwire, "query_logs", {}, logs=(str(folder),))
        assert (row["status"], row["partial"], output["logs"]) == ("no_evidence", True, [])
        assert words in " ".join(row["partial_reasons"])
    result = groundwire.run("diagnose", "Is app healthy?", "--logs", str(empty))
    assert result.code == LOW_CONFID
    assert result.stderr == ""
    assert "no log files" in " ".join(result.stdout.split())


def test_a_file_that_cannot_be_opened_is_named(groundwire: Groundwire) -> None:
    logs = groundwire.folder / "logs"
    logs.mkdir()
    for name in ("shut", "open"):
        (logs / f"{name}.log").write_text(f"2026-11-20T10:00:00.000Z ERROR it is {name}\n")
    (logs / "shut.log").chmod(0)
    result = groundwire.run("call", "query_logs", "--logs", str(logs), "--json", before=_obey_file_modes)
    assert result.code == 0, result.stderr
    (row,) = groundwire.db.calls(result.json["session_id"])
    assert any("shut.log" in reason and "Permission denied" in reason for reason in row["partial_reasons"])
    assert [log["message"] for log in result.json["output"]["logs"]] == ["it is open"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"hello", "not JSON"),
        (b"", "empty"),
        (bytes(range(256)), "not JSON"),
        (b'{"foo": 1}', "foo"),
        (b"[1, 2]", "number"),
        (b'{"status": "success", "data": {"alerts": {"a": 1}}}', "alerts"),
        (b'{"status": "success"', "not JSON"),
        (b'"text"', ""),
        (b"null", ""),
    ],
    ids=["text", "empty", "binary", "object", "numbers", "map", "cut", "string", "null"],
)
def test_an_alert_file_that_is_not_json_or_of_the_wrong_shape_is_a_failed_row(
    body: bytes, words: str, groundwire: Groundwire
) -> None:
    place = groundwire.folder / "alerts.json"
    place.write_bytes(body)
    row, _ = _call(groundwire, "query_metrics", {}, alerts=(str(place),))
    assert (row["status"], row["success"], row["error_type"]) == ("failed", False, "malformed")
    assert "alerts.json" in row["error_message"]
    assert words in row["error_message"]
    assert "\n" not in row["error_message"]


def test_a_diagnosis_with_a_broken_alert_file_goes_on_with_the_logs(groundwire: Groundwire, incident: Incident) -> None:
    incident.alerts.write_text("{not json")
    result = groundwire.run("diagnose", WHY, *incident.flags, *IN_WINDOW, "--json")
    assert result.stderr == ""
    calls = groundwire.db.calls(result.json["session_id"])
    assert [call["error_type"] for call in calls if call["tool_name"] == "query_metrics"] == ["malformed"]
    assert [item["ref"] for item in result.json["coverage"]["failed"]] == ["i1"]
    assert {"symptom", "cause"} <= {each["kind"] for each in result.json["claims"]}
    assert result.code == PASS  # nothing that is said rests on the alerts


def test_runbooks_that_are_no_text_are_told_and_the_others_read(groundwire: Groundwire, incident: Incident) -> None:
    (incident.runbooks / "Binary.md").write_bytes(bytes(range(256)) * 10)
    row, _ = _call(groundwire, "lookup_knowledge", {"query": "CheckoutErrors"}, runbooks=(str(incident.runbooks),))
    assert row["status"] == "evidence"
    assert any("Binary.md" in reason for reason in row["partial_reasons"])


# What a caller gets wrong.


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--last", "1h", "--since", "2026-11-20T10:00:00Z"), ("--last", "--since", "contradict")),
        (("--last", "1h", "--until", "2026-11-20T10:00:00Z"), ("--last", "--until", "contradict")),
        (("--since", "2026-11-20T11:00:00Z", "--until", "2026-11-20T10:00:00Z"), ("--since", "--until", "before")),
        (("--since", "2026-11-20T11:00:00Z", "--until", "2026-11-20T11:00:00Z"), ("--since", "--until", "before")),
        (("--until", "2026-11-20T10:00:00Z"), ("--until", "--since")),
        (("--since", "2026-13-45"), ("--since", "2026-13-45")),
        (("--last", "forever"), ("--last", "forever")),
    ],
)
def test_two_windows_that_contradict_each_other_are_one_sentence(
    words: tuple[str, ...], said: tuple[str, ...], here: Callable[..., Result], groundwire: Groundwire
) -> None:
    result = here(groundwire, "diagnose", WHY, "--logs", "demo", *words)
    assert (result.code, result.stdout) == (USAGE, "")
    assert result.stderr.startswith("groundwire: ")
    assert len(result.stderr.splitlines()) <= 2
    assert all(word in result.stderr for word in said)
    assert _sessions(groundwire) == 0


def test_two_windows_through_the_command(groundwire: Groundwire) -> None:
    result = groundwire.run("diagnose", WHY, "--logs", "demo", "--last", "1h", "--since", "-2h")
    assert result.code == USAGE
    assert result.is_one_sentence("--last", "--since", "contradict")
    assert _sessions(groundwire) == 0


@pytest.mark.parametrize(
    "words",
    [
        ("show", "zzzzzz"),
        ("trace", "zzzzzz"),
        ("evidence", "zzzzzz", "i1"),
        ("audit", "zzzzzz"),
        ("replay", "zzzzzz"),
        ("verify", "zzzzzz", "--draft", "draft.md"),
        ("call", "query_logs", "--session", "zzzzzz", "--logs", "demo"),
    ],
    ids=lambda words: words[0],
)
def test_an_unknown_session_is_one_sentence(words: tuple[str, ...], groundwire: Groundwire, here: Callable[..., Result]) -> None:
    open_store(groundwire.db.path).close()
    (groundwire.folder / "draft.md").write_text("checkout logged 3 ERROR records. [i1.summary]")
    result = here(groundwire, *words)
    assert (result.code, result.stdout) == (USAGE, "")
    assert result.stderr.startswith("groundwire: ")
    assert "zzzzzz" in result.stderr
    assert len(result.stderr.splitlines()) <= 2
    result = here(groundwire, *words, "--json")
    assert (result.code, result.stderr) == (USAGE, "")
    error = result.json["error"]
    assert (error["type"], set(error)) == ("not_found", {"type", "message", "hint"})
    assert _sessions(groundwire) == 0


def test_an_unknown_session_and_ref_through_the_command(groundwire: Groundwire) -> None:
    groundwire.call("query_logs", {}, "--logs", "demo")
    unknown = groundwire.run("trace", "zzzzzz")
    assert (unknown.code, unknown.stdout) == (USAGE, "")
    assert unknown.is_one_sentence("zzzzzz")
    no_ref = groundwire.run("evidence", "last", "i1.logs.7777")
    assert (no_ref.code, no_ref.stdout) == (USAGE, "")
    assert no_ref.is_one_sentence("i1")


@pytest.mark.parametrize(
    "ref", ["i9", "i1.alerts.0", "i1.logs.x", "logs.1", "i1.logs.-1", "../../etc/passwd", "i1.logs." + "9" * 400]
)
def test_a_ref_that_is_none_is_one_sentence(ref: str, groundwire: Groundwire, here: Callable[..., Result]) -> None:
    _call(groundwire, "query_logs", {}, logs=("demo",))
    result = here(groundwire, "evidence", "last", ref)
    assert (result.code, result.stdout) == (USAGE, "")
    assert len(result.stderr.splitlines()) <= 2


@pytest.mark.parametrize(
    "params",
    [
        {"limit": -1},
        {"limit": "many"},
        {"limit": 10**30},
        {"service": ["checkout"]},
        {"query": '"unclosed'},
        {"query": "x" * 100_000},
        {"since": "yesterday-ish"},
        {"since": "2026-11-20T11:00:00Z", "until": "2026-11-20T10:00:00Z"},
        {"level": "loudest"},
        {"path": "/etc/passwd"},
        {"query": {"$ne": 1}},
    ],
    ids=lambda params: json.dumps(params)[:40],
)
def test_parameters_that_do_not_fit_are_recorded_and_nothing_is_called(params: dict[str, Any], groundwire: Groundwire) -> None:
    row, _ = _call(groundwire, "query_logs", params, logs=("demo",))
    assert (row["status"], row["success"], row["error_type"], row["output_state"]) == ("failed", False, "invalid_params", "none")
    assert row["error_message"]
    assert row["retrieval_details"]["sources"] == []


@pytest.mark.parametrize("text", ["", "{}", '{"claims": "none"}', '{"claims": [{"text": 7}]}', "{broken", "# Only a heading\n"])
def test_a_draft_that_cannot_be_used_is_one_sentence_and_adds_no_evaluation(
    text: str, groundwire: Groundwire, here: Callable[..., Result]
) -> None:
    _call(groundwire, "query_logs", {}, logs=("demo",))
    (groundwire.folder / "draft").write_text(text)
    result = here(groundwire, "verify", "last", "--draft", "draft")
    assert (result.code, result.stdout) == (USAGE, "")
    assert "draft" in result.stderr or "claim" in result.stderr
    assert groundwire.db.value("SELECT count(*) FROM verifier_evaluation") == 0


# The database.


def test_a_locked_database_ends_the_run_with_one_sentence(groundwire: Groundwire, incident: Incident) -> None:
    open_store(groundwire.db.path).close()
    with closing(sqlite3.connect(groundwire.db.path)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        started = time.monotonic()
        result = groundwire.run("diagnose", WHY, *incident.flags, env={"GROUNDWIRE_BUSY_TIMEOUT_S": "0.5"})
        assert time.monotonic() - started < 10
        holder.rollback()
    assert (result.code, result.stdout) == (FAILURE, "")
    assert result.is_one_sentence(str(groundwire.db.path), "Another process holds")
    assert _sessions(groundwire) == 0


def test_a_result_whose_row_cannot_be_written_is_dropped(groundwire: Groundwire) -> None:
    """The database is locked while the tool runs: there is no result, and the row stays as it was before the call."""
    with closing(sqlite3.connect(groundwire.db.path, isolation_level=None)) as holder, _opened(groundwire, holder) as session:
        with pytest.raises(StoreLockedError):
            session.recorder.ask("query_logs", {})
        holder.execute("ROLLBACK")
    (row,) = groundwire.db.calls(session.id)
    assert (row["status"], row["output_state"], groundwire.db.raw_output(row["id"])) == ("running", None, None)


def _opened(groundwire: Groundwire, holder: sqlite3.Connection) -> AbstractContextManager[OpenSession]:
    def lock(params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        holder.execute("BEGIN IMMEDIATE")
        return {"evidence_status": "no_evidence", "logs": []}

    return open_session(groundwire.db.path, tools=[ScriptedTool("query_logs", lock)], busy_timeout_s=0.2)


def test_a_read_only_database_ends_the_run_with_one_sentence_and_can_be_read(groundwire: Groundwire) -> None:
    groundwire.call("query_logs", {}, "--logs", "demo")
    before = groundwire.db.path.read_bytes()
    for path in groundwire.folder.glob("groundwire.db*"):
        path.chmod(0o444)
    groundwire.folder.chmod(0o555)
    try:
        refused = groundwire.run("diagnose", WHY, "--logs", "demo", before=_obey_file_modes)
        listed = groundwire.run("sessions", "--json", before=_obey_file_modes)
    finally:
        groundwire.folder.chmod(0o755)
    assert groundwire.db.path.read_bytes() == before
    assert (refused.code, refused.stdout) == (FAILURE, "")
    assert refused.is_one_sentence("groundwire.db", "cannot be written")
    assert (listed.code, len(listed.json["sessions"])) == (0, 1)


@pytest.mark.parametrize("words", [("diagnose", WHY, "--logs", "demo"), ("sessions",)], ids=["diagnose", "sessions"])
def test_a_database_of_a_newer_version_ends_the_run_with_one_sentence(words: tuple[str, ...], groundwire: Groundwire) -> None:
    open_store(groundwire.db.path).close()
    (table,) = groundwire.db.rows("SELECT name FROM sqlite_master WHERE name LIKE '%revision%' AND type = 'table'")
    groundwire.db.change(f"UPDATE {table['name']} SET version_num = 'ffff'")
    result = groundwire.run(*words)
    assert (result.code, result.stdout) == (FAILURE, "")
    assert result.is_one_sentence("ffff", "newer")
    assert groundwire.db.value(f"SELECT version_num FROM {table['name']}") == "ffff"
    assert _sessions(groundwire) == 0


def test_a_full_database_ends_the_run_with_one_sentence(groundwire: Groundwire, incident: Incident) -> None:
    _write_noise(incident.logs)
    open_store(groundwire.db.path).close()
    pages = groundwire.db.value("PRAGMA page_count") + 4
    result = groundwire.run("diagnose", WHY, *incident.flags, *IN_WINDOW, env={FULL_AFTER: str(pages)})
    assert (result.code, result.stdout) == (FAILURE, "")
    assert result.is_one_sentence("No room is left", str(groundwire.db.path))
    _assert_nothing_is_half_written(groundwire)


def test_a_file_that_may_not_grow_ends_the_run_with_one_sentence(groundwire: Groundwire, incident: Incident) -> None:
    _write_noise(incident.logs)
    open_store(groundwire.db.path).close()

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000))

    result = groundwire.run("diagnose", WHY, *incident.flags, *IN_WINDOW, before=bound)
    assert (result.code, result.stdout) == (FAILURE, "")
    assert result.is_one_sentence(str(groundwire.db.path))
    _assert_nothing_is_half_written(groundwire)


def _write_noise(logs: Path) -> None:
    """Add errors that do not compress, so that a call's output is large."""
    lines = [
        f"2026-11-20T10:50:{n % 60:02}.000Z ERROR request {base64.b64encode(os.urandom(1500)).decode()} failed" for n in range(90)
    ]
    with (logs / "checkout.log").open("a") as log:
        log.write("\n".join(lines) + "\n")


def _assert_nothing_is_half_written(groundwire: Groundwire) -> None:
    assert groundwire.db.value("PRAGMA integrity_check") == "ok"
    for session in groundwire.db.rows("SELECT * FROM diagnosis_session"):
        assert session["status"] in ("running", "failed")
        assert (session["decision"], session["final_output"]) == (None, None)
        for call in groundwire.db.calls(session["id"]):
            kept = groundwire.db.raw_output(call["id"]) is not None
            assert kept is (call["output_state"] in ("present", "empty"))


@pytest.mark.parametrize("kind", ["text", "folder", "other program"])
def test_what_is_no_database_of_ours_ends_the_run_with_one_sentence(
    kind: str, groundwire: Groundwire, here: Callable[..., Result]
) -> None:
    match kind:
        case "text":
            groundwire.db.path.write_text("these are my notes, do not overwrite them\n" * 100)
        case "folder":
            groundwire.db.path.mkdir()
        case _:
            groundwire.db.change("CREATE TABLE recipes (name TEXT)")
    before = groundwire.db.path.read_bytes() if groundwire.db.path.is_file() else b""
    for words in (("diagnose", WHY, "--logs", "demo"), ("sessions",)):
        result = here(groundwire, *words)
        assert (result.code, result.stdout) == (FAILURE, "")
        assert str(groundwire.db.path) in result.stderr
        assert len(result.stderr.splitlines()) <= 2
    after = groundwire.db.path.read_bytes() if groundwire.db.path.is_file() else b""
    assert after == before


def test_a_database_server_that_is_not_there_is_one_sentence_without_its_password(groundwire: Groundwire) -> None:
    url = f"postgresql://shop:S3cr-Word9@127.0.0.1:{closed_port()}/shop"
    result = groundwire.run("sessions", "--db", url)
    assert result.code == FAILURE
    assert result.is_one_sentence("127.0.0.1")
    assert "S3cr-Word9" not in result.stdout + result.stderr


# Secrets.

SECRETS = {
    "aws": "AKIAQ7RT2MXV9LKD4ZHB",
    "bearer": "8f3kZp0Qw9LmN2vXyT7rB5cD",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "url": "Tr0ub4dor3x",
    "pair": "Hunt3r-Blue9",
    "github": "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "field": "0pen-Sesame7",
}
SPOKEN = (
    f"key {SECRETS['aws']} used; Authorization: Bearer {SECRETS['bearer']}; cookie {SECRETS['jwt']}; "
    f"db postgres://shop:{SECRETS['url']}@db:5432/shop; password={SECRETS['pair']} token {SECRETS['github']}"
)
KEPT = "password reset requested by user 17, token bucket refilled"


def test_secrets_are_masked_by_value_before_anything_is_stored_or_shown(
    groundwire: Groundwire, incident: Incident, here: Callable[..., Result]
) -> None:
    with (incident.logs / "checkout.log").open("a") as log:
        log.write(f"2026-11-20T10:55:00.000Z ERROR {SPOKEN}\n2026-11-20T10:55:01.000Z ERROR {KEPT}\n")
    record = {
        "time": "2026-11-20T10:55:02Z",
        "level": "error",
        "service": "checkout",
        "msg": "sign-in",
        "password": SECRETS["field"],
    }
    (incident.logs / "auth.jsonl").write_text(json.dumps(record) + "\n")
    incident.alerts.write_text(json.dumps(prometheus_alerts(firing(annotations={"summary": SPOKEN}))))
    (incident.runbooks / "Secrets.md").write_text(f"# Secrets\n\n## Access\n\nSign in with {SPOKEN} and look.\n")
    told = script(
        claim("observation", f"checkout logged {SPOKEN}.", "i1.logs.0", role="context"),
        claim("recommendation", f"Rotate {SPOKEN}.", "i1.logs.0", role="context"),
        ask=(
            ["ask", "query_metrics", {"service": "checkout"}],
            ["ask", "query_metrics", {"promql": "up"}],
            ["ask", "lookup_knowledge", {"query": f"Secrets access {SPOKEN}"}],
            ["ask", "query_logs", {"query": f'"password={SECRETS["pair"]}"'}],
            ["ask", "query_logs", {"password": SECRETS["field"], "nope": SPOKEN}],
        ),
    )
    url = f"http://reader:{SECRETS['url']}@127.0.0.1:{closed_port()}"
    result = groundwire.run_script(
        told, *incident.flags, "--metrics", url, *IN_WINDOW, "--progress",
        question=f"Why is checkout failing? It said {SPOKEN}",
        env={"GROUNDWIRE_JUDGE": "scripted", JUDGE: json.dumps({"say": json.dumps({"decision": "PASS", "reason": SPOKEN})})},
    )  # fmt: skip
    assert result.code == LOW_CONFID, result.stderr
    session_id = result.json["session_id"]
    rows = groundwire.db.calls(session_id)
    assert [row["status"] for row in rows] == ["evidence", "evidence", "failed", "evidence", "evidence", "failed"]
    shown = [
        result,
        groundwire.run("show", session_id),
        here(groundwire, "trace", session_id, "--json"),
        here(groundwire, "trace", session_id),
        here(groundwire, "evidence", session_id, "i1"),
    ]
    kept = groundwire.db.everything()
    for name, secret in SECRETS.items():
        assert secret.encode() not in kept, f"{name} is in the database"
        for each in shown:
            assert secret not in each.stdout + each.stderr, f"{name} is shown"
    messages = [log["message"] for log in groundwire.db.output(rows[0]["id"])["logs"]]
    assert KEPT in messages  # a line that mentions a word stays whole
    (masked,) = [message for message in messages if message.startswith("key ")]
    assert masked.count("[masked:") == 6
    assert "used; Authorization: Bearer [masked:" in masked
    assert "db postgres://shop:[masked:" in masked
    assert masked.count("@db:5432/shop") == 1


@pytest.mark.parametrize(
    "step",
    [["ask_unknown", SPOKEN], ["step", "model", SPOKEN], ["raise", SPOKEN], ["ask", SPOKEN, {}]],
    ids=["invented tool", "step of a model", "fault", "fault of an invented tool"],
)
def test_what_an_investigator_says_beside_its_calls_is_masked_too(step: list[Any], bench: Bench) -> None:
    decided = bench.decide({"do": [step], "draft": {"claims": []}})
    assert decided.outcome == ("LOW_CONFID", "draft_incomplete")
    assert any("[masked:" in str(recorded.values()) for recorded in bench.groundwire.db.steps(decided.session["id"]))
    kept = bench.groundwire.db.everything()
    assert not [name for name, secret in SECRETS.items() if secret.encode() in kept]


def test_the_error_of_a_tool_is_masked_too(groundwire: Groundwire) -> None:
    with open_session(
        groundwire.db.path, tools=[ScriptedTool("query_logs", RuntimeError(f"cannot sign in: {SPOKEN}"))]
    ) as session:
        session.recorder.ask("query_logs", {})
    (row,) = groundwire.db.calls(session.id)
    assert row["error_message"].startswith("RuntimeError: cannot sign in: key [masked:")
    kept = groundwire.db.everything()
    assert not [name for name, secret in SECRETS.items() if secret.encode() in kept]


# File modes.


def _obey_file_modes() -> None:
    """Let file modes hold for root too, whom they do not bind: the program that is run next gets no rights to override them."""
    for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
        ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
