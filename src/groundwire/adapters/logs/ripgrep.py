"""Looks through files with ripgrep, which uses all processors.

Source: ``rg(1)`` of ripgrep 13 and later.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.looking import Hit, Hits, Look, PythonLook
from groundwire.domain.deadline import Deadline

_MOST_PATHS: Final = 500
_HIT: Final = re.compile(rb"([^\0]*)\0(\d+):(\d+):([^\n]*)\n")
# Bytes as they are, whatever a configuration file, an ignore file, a byte order mark or a NUL says.
_PLAIN: Final = (
    "--no-config",
    "--no-ignore",
    "--hidden",
    "--no-messages",
    "--text",
    "--encoding=none",
    "--color=never",
    "--mmap",
)
_AS_HITS: Final = ("--with-filename", "--null", "--no-heading", "--line-number", "--byte-offset", "--only-matching")


def best_look() -> Look:
    """Return the fastest look that this machine has."""
    program = shutil.which("rg")
    return RipgrepLook(program) if program is not None and _is_ripgrep(program) else PythonLook()


def _is_ripgrep(program: str) -> bool:
    # Anything else of that name would find nothing, which reads like an answer.
    try:
        done = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=5, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.startswith(b"ripgrep ")


class RipgrepLook:
    """A look by ``rg``; where it fails, Python looks instead."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._other = PythonLook()

    def find(
        self, paths: Sequence[Path], texts: Sequence[str], *, most: int, deadline: Deadline, ignores_case: bool = False
    ) -> Hits:
        found: dict[Path, Sequence[Hit] | None] = {}
        case = "--ignore-case" if ignores_case else "--case-sensitive"
        asked = [case, "--fixed-strings", f"--max-count={most + 1}", *(f"--regexp={text}" for text in texts)]
        for start in range(0, len(paths), _MOST_PATHS):
            some = paths[start : start + _MOST_PATHS]
            printed = self._printed([*_AS_HITS, *asked], some, deadline)
            if printed is None:
                found |= self._other.find(some, texts, most=most, deadline=deadline, ignores_case=ignores_case)
            else:
                found |= _hits(printed, some, most)
        return found

    def _printed(self, options: Sequence[str], paths: Sequence[Path], deadline: Deadline) -> bytes | None:
        try:
            done = subprocess.run(  # noqa: S603 - no shell; the texts are fixed ones and the paths come behind "--"
                [self._program, *_PLAIN, *options, "--", *(str(path.absolute()) for path in paths)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=deadline.remaining_s,
                check=False,
            )
        except subprocess.TimeoutExpired as exc:
            raise TimeoutError from exc
        except OSError:
            return None
        return done.stdout if done.returncode in {0, 1} else None


def _hits(printed: bytes, paths: Sequence[Path], most: int) -> dict[Path, Sequence[Hit] | None]:
    by_name = {str(path.absolute()).encode("utf-8", "surrogateescape"): path for path in paths}
    found: defaultdict[Path, list[Hit]] = defaultdict(list)
    for name, line, offset, text in _HIT.findall(printed):
        found[by_name[name]].append(Hit(int(offset), text.decode("utf-8", "replace"), int(line)))
    return {path: None if len({hit.line for hit in hits}) > most else hits for path, hits in found.items()}
