"""Runs the command as a user would: a process of its own, a database of its own, an empty folder around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.acceptance.database import Database
from tests.acceptance.incident import WHY
from tests.acceptance.scripted import SCRIPT

ROOT = Path(__file__).parents[2]
_NOTHING: Mapping[str, str] = MappingProxyType({})
PASS, LOW_CONFID, REJECT, FAILURE, USAGE, FAULT, INTERRUPTED = 0, 3, 4, 1, 2, 5, 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a run left on its streams."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """Return the one JSON object on stdout; anything beside it fails here."""
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value

    def is_one_sentence(self, *parts: str) -> bool:
        """Return whether stderr says each part in one clear sentence (and a hint at most), without a traceback."""
        lines = self.stderr.strip().splitlines()
        said = "Traceback" not in self.stderr and "Error(" not in self.stderr and "unexpected" not in self.stderr
        return said and 1 <= len(lines) <= 2 and lines[0].startswith("groundwire: ") and all(p in self.stderr for p in parts)


class Groundwire:
    """The command with its own database in ``folder``, which is also the current folder."""

    def __init__(self, folder: Path, plugins: Path) -> None:
        self.folder = folder
        self.plugins = plugins
        self.db = Database(folder / "groundwire.db")

    def environment(self, more: Mapping[str, str] = _NOTHING) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GROUNDWIRE_", "ACCEPTANCE_"))}
        kept.pop("COLUMNS", None)
        path = os.pathsep.join([str(self.plugins), str(ROOT / "src"), str(ROOT)])
        return kept | {"PYTHONPATH": path, "GROUNDWIRE_DB": str(self.db.path)} | dict(more)

    def run(
        self, *words: str, stdin: bytes = b"", before: Callable[[], object] | None = None, env: Mapping[str, str] = _NOTHING
    ) -> Result:
        """Run the command to its end; ``before`` runs in the child before it."""
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", *words],
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            env=self.environment(env),
            timeout=60,
            preexec_fn=before,
        )
        return Result(code=done.returncode, stdout=done.stdout.decode(), stderr=done.stderr.decode())

    def start(self, *words: str, env: Mapping[str, str] = _NOTHING) -> subprocess.Popen[bytes]:
        """Start the command and return at once."""
        return subprocess.Popen(
            [sys.executable, "-m", "groundwire", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment(env),
        )

    def call(self, tool: str, params: dict[str, Any], *words: str, env: Mapping[str, str] = _NOTHING) -> Any:
        """Make one recorded call by hand and return its JSON."""
        result = self.run("call", tool, "--params", json.dumps(params), "--json", *words, env=env)
        assert result.code == 0, result.stderr
        return result.json

    def run_script(self, script: Any, *words: str, question: str = WHY, env: Mapping[str, str] = _NOTHING) -> Result:
        """Run a diagnosis whose investigator follows ``script``; answers in JSON."""
        place = self.folder / f"script-{len(list(self.folder.glob('script-*')))}.json"
        place.write_text(json.dumps(script))
        given = {SCRIPT: str(place), "GROUNDWIRE_INVESTIGATOR": "scripted"}
        return self.run("diagnose", question, *words, "--json", env=given | dict(env))
