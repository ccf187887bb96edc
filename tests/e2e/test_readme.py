"""The README shows what the demo really prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

_README = Path(__file__).parents[2] / "README.md"


def test_the_transcript_in_the_readme_is_what_the_demo_prints(tmp_path: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "demo"],
        cwd=tmp_path,
        env={**environ, "GROUNDWIRE_DB": str(tmp_path / "demo.db"), "TZ": "UTC"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    readme = _README.read_text(encoding="utf-8")
    transcript = readme[readme.index("```\nPASS: ") + 4 : readme.index("\n```\n\n## On your own logs")]
    assert _without_ids(transcript) == _without_ids(done.stdout.rstrip())


def _without_ids(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{12}\b", "SESSION", text)
