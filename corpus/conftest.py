"""Checks on real inputs, which are no part of the project: ``GROUNDWIRE_CORPUS`` names their folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def corpus() -> Path:
    folder = os.environ.get("GROUNDWIRE_CORPUS")
    if not folder:
        pytest.fail("say where the corpus is: GROUNDWIRE_CORPUS=FOLDER pytest corpus")
    return Path(folder)


Command = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def groundwire(tmp_path: Path) -> Command:
    """Run a command with a database of its own and return its exit code and its JSON."""

    def run(*words: str | Path, allowed: Sequence[int] = (0, 3)) -> tuple[int, dict[str, Any]]:
        environ = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", *map(str, words), "--json"],
            cwd=tmp_path,
            env={**environ, "GROUNDWIRE_DB": str(tmp_path / "corpus.db")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in allowed, done.stdout + done.stderr
        return done.returncode, json.loads(done.stdout)

    return run
