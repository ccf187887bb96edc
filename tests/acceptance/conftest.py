"""What the acceptance tests share: the command, an incident on disk, servers, and plug-ins of the tests' own."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.entrypoints.group import main
from tests.acceptance.bench import Bench
from tests.acceptance.command import Groundwire, Result
from tests.acceptance.incident import Incident, write_incident
from tests.acceptance.scripted import install
from tests.acceptance.servers import StubServer, stub_server


@pytest.fixture(scope="session")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("plugins"))


@pytest.fixture
def groundwire(tmp_path: Path, plugins: Path) -> Groundwire:
    return Groundwire(tmp_path, plugins)


@pytest.fixture
def incident(tmp_path: Path) -> Incident:
    return write_incident(tmp_path / "incident")


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as stub:
        yield stub


@pytest.fixture
def bench(groundwire: Groundwire, incident: Incident, plugins: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.syspath_prepend(str(plugins))
    settings = {"logs": (str(incident.logs),), "alerts": (str(incident.alerts),), "runbooks": (str(incident.runbooks),)}
    return Bench(groundwire=groundwire, incident=incident, patch=monkeypatch, settings=settings)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Runs a command line in this process, where a process of its own would show no more."""
    for name in [name for name in os.environ if name.startswith("GROUNDWIRE_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("COLUMNS", raising=False)
    # The command sets the hook for itself; the process of the tests goes on.
    monkeypatch.setattr("sys.excepthook", lambda *error: None)

    def run(groundwire: Groundwire, *words: str) -> Result:
        monkeypatch.setenv("GROUNDWIRE_DB", str(groundwire.db.path))
        monkeypatch.chdir(groundwire.folder)
        code = main(words)
        said = capsys.readouterr()
        return Result(code=code, stdout=said.out, stderr=said.err)

    return run


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> tuple[Path, Any]:
    """Return a folder and the JSON value that ``make`` gave for it: made once, also when several workers run the tests."""
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder, value = root / name, root / f"{name}.json"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not value.exists():
            folder.mkdir()
            value.write_text(json.dumps(make(folder)))
        return folder, json.loads(value.read_text())
