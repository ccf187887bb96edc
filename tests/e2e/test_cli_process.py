"""The command as a process of its own: what it loads, reads from pipes and leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire import __version__

_ROOT = Path(__file__).parents[2]
_HEAVY = ("click", "pydantic", "httpx", "sqlalchemy", "rich", "alembic", "importlib.metadata")

# Runs the command line over the stub application, answering PASS.
_STUBBED = """
import sys
from groundwire.entrypoints.group import main
from groundwire.entrypoints.surface import Surroundings
from tests.e2e.stub_app import StubApp
from tests.unit.answer_samples import PASSED
{before}
sys.exit(main(sys.argv[1:], Surroundings(build_app=StubApp(answer=PASSED{stub}).build)))
"""


def _environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_") and name != "COLUMNS"}
    return kept | {"PYTHONPATH": f"{_ROOT / 'src'}{os.pathsep}{_ROOT}"} | more


def _python(
    code: str, *words: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code, *words], input=stdin, capture_output=True, cwd=cwd, env=env or _environment(), timeout=60
    )


def _stubbed(*words: str, cwd: Path, stdin: bytes = b"", stub: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
    code = _STUBBED.format(before="", stub=stub)
    return _python(code, *words, cwd=cwd, stdin=stdin, env=_environment(**env))


@pytest.mark.parametrize(("flag", "said"), [("--version", f"groundwire {__version__}\n"), ("--help", "Usage: groundwire ")])
def test_version_and_front_page_load_nothing_heavy(flag: str, said: str, tmp_path: Path) -> None:
    code = (
        "import atexit, sys\n"
        f"atexit.register(lambda: sys.stderr.write(repr(sorted(set({_HEAVY!r}) & set(sys.modules)))))\n"
        "from groundwire.__main__ import main\n"
        "main()\n"
    )
    done = _python(code, flag, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"[]")
    assert done.stdout.decode().startswith(said)


def test_the_help_of_a_command_loads_neither_store_nor_settings(tmp_path: Path) -> None:
    code = (
        "import atexit, sys\n"
        "heavy = {'pydantic', 'httpx', 'sqlalchemy', 'rich', 'alembic'}\n"
        "atexit.register(lambda: sys.stderr.write(repr(sorted(heavy & set(sys.modules)))))\n"
        "from groundwire.__main__ import main\n"
        "main()\n"
    )
    done = _python(code, "diagnose", "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"[]")
    assert b"--last DURATION" in done.stdout


@pytest.mark.parametrize("words", [("diagnose",), ("diagnose", "-")])
def test_a_question_may_come_on_stdin_in_any_encoding(words: tuple[str, ...], tmp_path: Path) -> None:
    done = _stubbed(*words, "--json", cwd=tmp_path, stdin="ALERT \u2013 cart".encode() + b" \xff\x00\n")
    assert done.returncode == 0
    assert json.loads(done.stdout)["decision"] == "PASS"


def test_nothing_on_stdin_is_no_question(tmp_path: Path) -> None:
    done = _stubbed("diagnose", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"groundwire: the question is empty\n")


def test_a_reader_that_went_away_is_no_error_and_the_decision_stays_the_exit_code(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", _STUBBED.format(before="", stub=""), "show", "last"],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=_environment(),
        timeout=60,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_under_stdout_is_one_sentence(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", _STUBBED.format(before="", stub=""), "show", "last"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=_environment(),
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.decode().startswith("groundwire: cannot write the result: No space left")
    assert done.stderr.count(b"\n") == 1


def test_a_terminal_that_takes_only_ascii_ends_no_run_and_json_stays_json(tmp_path: Path) -> None:
    before = "import dataclasses; PASSED = dataclasses.replace(PASSED, question='Größe \\u63a5?')"
    code = _STUBBED.format(before=before, stub="")
    env = _environment(PYTHONIOENCODING="ascii")
    assert b"Gr\\xf6\\xdfe \\u63a5?" in _python(code, "show", "last", cwd=tmp_path, env=env).stdout
    value = json.loads(_python(code, "show", "last", "--json", cwd=tmp_path, env=env).stdout)
    assert value["question"] == "Größe \u63a5?"


def test_what_nobody_expected_is_one_sentence_and_a_traceback_only_when_asked_for(tmp_path: Path) -> None:
    stub = ", failure=ZeroDivisionError('by zero')"
    done = _stubbed("show", "last", cwd=tmp_path, stub=stub)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"groundwire: something unexpected happened: ZeroDivisionError: by zero\n")
    assert b"Traceback" not in done.stderr
    assert b"Traceback" in _stubbed("show", "last", cwd=tmp_path, stub=stub, GROUNDWIRE_DEBUG="1").stderr


def test_colour_is_for_a_terminal_that_welcomes_it(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    for refused, coloured in (("", True), ("1", False)):
        master, terminal = pty.openpty()
        done = subprocess.run(
            [sys.executable, "-c", _STUBBED.format(before="", stub=""), "show", "last"],
            stdout=terminal,
            stderr=subprocess.PIPE,
            stdin=terminal,
            cwd=tmp_path,
            env=_environment(NO_COLOR=refused, TERM="xterm"),
            timeout=60,
        )
        os.close(terminal)
        written = os.read(master, 65536)
        os.close(master)
        assert done.returncode == 0
        assert written.startswith(b"\x1b[32m\x1b[1mPASS\x1b[0m:") is coloured
        assert (b"\x1b" in written) is coloured


def test_a_spinner_turns_on_a_terminal_and_leaves_nothing_of_itself_on_stdout(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    master, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", _STUBBED.format(before="", stub=""), "diagnose", "Why?", "--json"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        stdin=terminal,
        cwd=tmp_path,
        env=_environment(TERM="xterm"),
        timeout=60,
    )
    os.close(terminal)
    drawn = os.read(master, 65536)
    os.close(master)
    assert done.returncode == 0
    assert json.loads(done.stdout)["decision"] == "PASS"
    assert b"\x1b[2J" not in drawn
    assert drawn.rstrip().endswith(b"\x1b[?25h") or b"\x1b[?25h" in drawn  # the cursor is back
