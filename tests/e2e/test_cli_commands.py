"""The commands in this process, over an application that is a stub: what they ask, print and exit with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from groundwire.domain.answer import Answer
from groundwire.domain.errors import BackendTimeoutError, Interruption, NotFoundError, StoreLockedError, UsageError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.names import Decision, DegradedReason
from groundwire.domain.reports import AuditFault, AuditReport, DoctorCheck, DoctorReport, ReplayReport, VerifyReport
from groundwire.entrypoints.group import main
from groundwire.entrypoints.surface import Surroundings
from groundwire.rendering import answer_json, render_text
from tests.e2e.stub_app import StubApp
from tests.unit.answer_samples import PASSED, REJECTED, SESSION_ID, low_confidence

_NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
_LOW = low_confidence(DegradedReason.COVERAGE_GAP)


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run a command in an empty folder with nothing set."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    for name in ("GROUNDWIRE_DB", "GROUNDWIRE_LOGS", "GROUNDWIRE_CONFIG", "GROUNDWIRE_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def run_words(*words: str, app: StubApp | None = None) -> Outcome:
        stub = app or StubApp(answer=PASSED)
        code = main(list(words), Surroundings(build_app=stub.build, now=lambda: _NOW))
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    yield run_words


@pytest.mark.parametrize(("answer", "code"), [(PASSED, 0), (_LOW, 3), (REJECTED, 4)])
@pytest.mark.parametrize("words", [("demo",), ("diagnose", "Why?"), ("show", "last")])
def test_an_answer_is_printed_and_its_decision_is_the_exit_code(run: Run, answer: Any, code: int, words: tuple[str, ...]) -> None:
    assert run(*words, app=StubApp(answer=answer)) == (code, render_text(answer, width=80) + "\n", "")
    outcome = run(*words, "--json", app=StubApp(answer=answer))
    assert (outcome.code, outcome.err) == (code, "")
    assert json.loads(outcome.out) == answer_json(answer)


def test_a_question_its_services_and_its_window_reach_the_application(run: Run) -> None:
    app = StubApp(answer=PASSED)
    run("diagnose", " Why? ", "--service", "a", "--service", " b ", "--service", "a", "--last", "30m", app=app)
    window = TimeWindow(start=datetime(2026, 11, 30, 11, 30, tzinfo=UTC), end=_NOW)
    assert app.asked == [("diagnose", "Why?", ("a", "b"), window)]
    assert app.is_closed


@pytest.mark.parametrize(
    ("flags", "start", "end"),
    [
        (["--since", "-2h"], "2026-11-30T10:00:00+00:00", "2026-11-30T12:00:00+00:00"),
        (["--since", "2026-11-30T09:00:00+01:00", "--until", "-1h"], "2026-11-30T08:00:00+00:00", "2026-11-30T11:00:00+00:00"),
        (["--since", "2026-11-29", "--until", "now"], "2026-11-29T00:00:00+00:00", "2026-11-30T12:00:00+00:00"),
        (["--since", "1796032800"], "2026-11-30T10:00:00+00:00", "2026-11-30T12:00:00+00:00"),
    ],
)
def test_since_and_until_count_from_now_and_until_may_be_left_out(run: Run, flags: list[str], start: str, end: str) -> None:
    app = StubApp(answer=PASSED)
    assert run("diagnose", "Why?", *flags, app=app).code == 0
    window = app.asked[0][3]
    assert (window.start.isoformat(), window.end.isoformat()) == (start, end)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("diagnose", "Why?", "--last", "30m", "--since", "-1h"),
            "--last and --since are two windows that contradict each other",
        ),
        (
            ("diagnose", "Why?", "--last", "30m", "--until", "now"),
            "--last and --until are two windows that contradict each other",
        ),
        (("diagnose", "Why?", "--until", "now"), "--until needs --since"),
        (("diagnose", "Why?", "--since", "-1h", "--until", "-2h"), "--since is not before --until"),
        (("diagnose", "Why?", "--since", "yesterday"), "--since: 'yesterday' is not a time"),
        (("diagnose", "Why?", "--last", "soon"), "--last: 'soon' is not a duration"),
        (("diagnose", "Why?", "--service", " "), "--service is empty"),
        (("diagnose", "  "), "the question is empty"),
        (("diagnose", "Why?", "more"), "unexpected extra argument"),
        (("diagnose", "Why?", "--nope"), "No such option"),
        (("show",), "Missing argument 'ID'"),
        (("sessions", "--limit", "0"), "--limit"),
        (("nope",), "No such command 'nope'"),
        (("call", "query_logs", "--session", "last", "--last", "5m"), "a session has a window already"),
        (("call", "made_up"), "no tool goes by 'made_up'"),
        (("verify", "last"), "Missing option '--draft'"),
        (("verify", "last", "--draft", "none.md"), "cannot read the draft from 'none.md': No such file"),
        (("trace", "zzzz"), "no session goes by 'zzzz'"),
        (("doctor", "--timezone", "Mars/Olympus"), "--timezone cannot be 'Mars/Olympus'"),
        (("doctor", "--config", "none.toml"), "no such file"),
    ],
)
def test_bad_input_is_one_clear_sentence_and_exit_2(run: Run, words: tuple[str, ...], said: str) -> None:
    outcome = run(*words)
    assert (outcome.code, outcome.out) == (2, "")
    first = outcome.err.splitlines()[0]
    assert first.startswith("groundwire: ") and said in first
    assert "Traceback" not in outcome.err

    as_json = run(*words, "--json")
    error = json.loads(as_json.out)["error"]
    assert (as_json.code, as_json.err, set(error)) == (2, "", {"type", "message", "hint"})
    assert said in error["message"]


@pytest.mark.parametrize(
    ("failure", "code", "kind"),
    [
        (UsageError("no decision yet"), 2, "usage"),
        (NotFoundError("no such ref"), 2, "not_found"),
        (StoreLockedError("another process holds it"), 1, "store_locked"),
        (BackendTimeoutError("loki", after_s=30), 1, "backend_timeout"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_each_error_has_its_exit_code_and_its_type(run: Run, failure: BaseException, code: int, kind: str) -> None:
    app = StubApp(failure=failure)
    outcome = run("show", "last", "--json", app=app)
    assert (outcome.code, json.loads(outcome.out)["error"]["type"]) == (code, kind)
    assert app.is_closed
    plain = run("show", "last", app=StubApp(failure=failure))
    assert (plain.code, plain.out) == (code, "")
    assert "groundwire: " in plain.err


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (KeyboardInterrupt(), "interrupted; what was recorded until then is kept\n"),
        (Interruption(None), "interrupted before a session was opened; nothing was recorded\n"),
        (
            Interruption("01938f2e-8000-7a3b-9d55-0123456789ab"),
            "interrupted; what was recorded until then is kept\nSee it with: groundwire trace 0123456789ab\n",
        ),
    ],
)
def test_an_interrupt_says_where_to_see_what_was_recorded(run: Run, cause: BaseException, said: str) -> None:
    outcome = run("diagnose", "why?", app=StubApp(failure=cause))
    assert (outcome.code, outcome.out, outcome.err.lstrip("\n")) == (130, "", f"groundwire: {said}")


@pytest.mark.parametrize("answer", [PASSED, _LOW, REJECTED])
def test_a_replay_that_left_its_recording_exits_5_whatever_was_decided(run: Run, answer: Answer) -> None:
    left = replace(answer, replay_difference="the replay of 'x.jsonl': request 2 differs: its tools are not the recorded ones")
    text = run("diagnose", "why?", "--replay", "x.jsonl", app=StubApp(answer=left))
    assert (text.code, text.out.split(":")[0]) == (5, answer.decision)
    assert text.err.startswith("groundwire: the replay of 'x.jsonl': request 2 differs: its tools are not the recorded ones\n")
    as_json = run("diagnose", "why?", "--replay", "x.jsonl", "--json", app=StubApp(answer=left))
    assert (as_json.code, as_json.err, json.loads(as_json.out)["replay_difference"]) == (5, "", left.replay_difference)
    same = run("diagnose", "why?", "--replay", "x.jsonl", "--json", app=StubApp(answer=answer))
    assert json.loads(same.out)["replay_difference"] is None
    assert same.code != 5


def test_a_model_beside_a_replay_is_refused_and_not_ignored(run: Run) -> None:
    outcome = run("diagnose", "why?", "--model", "openai:m", "--replay", "x.jsonl", app=StubApp())
    assert (outcome.code, outcome.out) == (2, "")
    assert "--model and --replay contradict each other" in outcome.err


def test_a_hint_stands_below_the_sentence_and_hostile_words_are_made_visible(run: Run) -> None:
    outcome = run("show", "last", app=StubApp(failure=UsageError("bad \x1b[2J\nthing", hint="do this")))
    assert outcome.err == "groundwire: bad \\x1b[2J thing\ndo this\n"


def test_what_nobody_expected_is_left_to_the_exception_hook(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run("show", "last", app=StubApp(failure=ZeroDivisionError("division by zero")))
    sys.excepthook(caught.type, caught.value, caught.tb)
    assert capsys.readouterr().err.startswith("groundwire: something unexpected happened: ZeroDivisionError: division by zero\n")
    with pytest.raises(ZeroDivisionError) as caught:
        run("show", "last", "--json", app=StubApp(failure=ZeroDivisionError("division by zero")))
    sys.excepthook(caught.type, caught.value, caught.tb)
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "internal"
    with pytest.raises(ZeroDivisionError):
        run("--debug", "show", "last", app=StubApp(failure=ZeroDivisionError()))
    assert sys.excepthook is sys.__excepthook__


def test_source_flags_reach_the_settings_and_replace_what_the_environment_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_LOGS", "/env/a,/env/b")
    monkeypatch.setenv("GROUNDWIRE_DB", "env.db")
    app = StubApp(answer=PASSED)
    run("diagnose", "Why?", "--logs", "one", "--logs", "two", "--alerts", "demo", "--runbooks", "rb", app=app)
    assert app.settings is not None
    assert (app.settings.logs, app.settings.alerts, app.settings.runbooks) == (("one", "two"), ("demo",), ("rb",))
    assert app.settings.db == "env.db"
    run("sessions", "--db", "flag.db", app=app)
    assert (app.settings.db, app.settings.logs) == ("flag.db", ("/env/a", "/env/b"))


def test_parameters_of_a_call_arrive_as_they_were_given(run: Run) -> None:
    app = StubApp()
    run("call", "query_logs", "--params", '{"service": "a", "limit": 3}', "--session", "abcd", app=app)
    run("call", "query_logs", "--since", "-10m", app=app)
    assert app.asked[0] == ("call", "query_logs", '{"service": "a", "limit": 3}', "abcd", None)
    assert app.asked[1][3:] == (None, TimeWindow(start=datetime(2026, 11, 30, 11, 50, tzinfo=UTC), end=_NOW))


def test_a_ref_can_be_a_whole_call(run: Run) -> None:
    app = StubApp()
    outcome = run("evidence", "last", "i2.summary", "--json", app=app)
    assert app.asked == [("evidence", "last", "i2.summary")]
    assert json.loads(outcome.out)["item"] == {"message": "m"}


def test_a_draft_is_read_from_a_file_with_whatever_encoding_it_has(run: Run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_bytes(b"\xef\xbb\xbfpool exhausted \xff [i2.logs.3]")
    report = VerifyReport(
        session_id=SESSION_ID, decision=Decision.REJECT, degraded_reason=DegradedReason.CONTRADICTED, verdicts=()
    )
    app = StubApp(verify=report)
    outcome = run("verify", "last", "--draft", str(draft), app=app)
    assert app.asked == [("verify", "last", "pool exhausted \ufffd [i2.logs.3]")]
    assert (outcome.code, outcome.out.startswith("REJECT: ")) == (4, True)


def test_an_audit_and_a_replay_that_find_something_exit_5_and_a_doctor_1(run: Run) -> None:
    audit = AuditReport(
        session_id=SESSION_ID, faults=(AuditFault(kind="chain", invocation_id=None, message="m"),), rows=1, refs=0
    )
    replay = ReplayReport(session_id=SESSION_ID, decision=Decision.PASS, recorded_decision=None, differences=("d",))
    doctor = DoctorReport(checks=(DoctorCheck(name="store", ok=False, message="m"),))
    ill = StubApp(audit=audit, replay=replay, doctor=doctor)
    well = StubApp(
        audit=replace(audit, faults=()),
        replay=replace(replay, differences=()),
        doctor=DoctorReport(checks=(DoctorCheck(name="store", ok=True, message="m"),)),
    )
    for words, code in ((("audit", "last"), 5), (("replay", "last"), 5), (("doctor",), 1)):
        assert run(*words, app=ill).code == code
        assert run(*words, "--json", app=ill).code == code
        assert run(*words, app=well).code == 0


def test_progress_is_told_on_stderr_and_only_where_it_is_asked_for(run: Run) -> None:
    assert run("diagnose", "Why?").err == ""
    outcome = run("diagnose", "Why?", "--progress")
    assert outcome.err == "groundwire: asking [bold]for alerts\\x1b[2J\n"
    assert outcome.out == render_text(PASSED, width=80) + "\n"


def test_the_answer_is_as_wide_as_the_terminal_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, width in (("60", 60), ("250", 100)):
        monkeypatch.setenv("COLUMNS", columns)
        assert run("show", "last").out == render_text(PASSED, width=width) + "\n"
