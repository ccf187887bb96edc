"""How soon the command answers: --version and --help beside an interpreter that does nothing, and the whole demo."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measuring import Figure, report

_ROUNDS = 11
_DEMOS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(Path(folder))
        commands = (["-c", "pass"], ["-m", "groundwire", "--version"], ["-m", "groundwire", "--help"])
        demo = ["-m", "groundwire", "demo"]
        for words in (*commands, demo):  # the database is made, and bytecode is written
            _wall_s(words, environment)
        # In turns, so that what else the machine does meets all three alike.
        rounds = [[_wall_s(words, environment) for words in commands] for _ in range(_ROUNDS)]
        demo_s = median(_wall_s(demo, environment) for _ in range(_DEMOS))
    bare, version, help_ = (median(times) for times in zip(*rounds, strict=True))
    report(
        Figure(name="python -c pass", value=bare * 1000, unit="ms"),
        Figure(name="groundwire --version over python -c pass", value=version / bare, unit="x", limit=5),
        Figure(name="groundwire --help over python -c pass", value=help_ / bare, unit="x", limit=6),
        Figure(name="groundwire demo, after set-up", value=demo_s, unit="s", limit=2.0, goal=1.5),
        description=__doc__ or "",
    )


def _environment(folder: Path) -> dict[str, str]:
    """Return this process's environment with a database of its own, and with bytecode as users have it from their second run."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    mine.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**mine, "GROUNDWIRE_DB": str(folder / "groundwire.db")}


def _wall_s(words: list[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *words], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
