"""Looks through files with GNU grep, several at once.

Source: ``grep(1)`` of GNU grep 3.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.looking import Hit, Hits, PythonLook
from groundwire.adapters.logs.printed_hits import printed_hits
from groundwire.domain.deadline import Deadline

_MOST_PATHS: Final = 500
_MOST_AT_ONCE: Final = 4
_OPTIONS: Final = ("--text", "--byte-offset", "--line-number", "--only-matching", "--with-filename", "--null", "--fixed-strings")
# It keeps a line in memory: a file without line ends must not fill that.
_MOST_MEMORY: Final = 256 << 20
_MOST_KELVINS: Final = 3


class GrepLook:
    """A look by ``grep``; where it fails, Python looks instead."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._other = PythonLook()

    def find(
        self, paths: Sequence[Path], texts: Sequence[str], *, most: int, deadline: Deadline, ignores_case: bool = False
    ) -> Hits:
        asked = _spelled(texts) if ignores_case else list(texts)
        printed = None if asked is None else self._printed(paths, asked, most, deadline, ignores_case=ignores_case)
        if printed is None:
            return self._other.find(paths, texts, most=most, deadline=deadline, ignores_case=ignores_case)
        return printed

    def _printed(
        self, paths: Sequence[Path], texts: Sequence[str], most: int, deadline: Deadline, *, ignores_case: bool
    ) -> dict[Path, Sequence[Hit] | None] | None:
        case = ["--ignore-case"] if ignores_case else []
        command = [self._program, *_OPTIONS, *case, f"--max-count={most + 1}", *(f"--regexp={text}" for text in texts), "--"]
        found: dict[Path, Sequence[Hit] | None] = {}
        for start in range(0, len(paths), _MOST_PATHS):
            shares = _shares(paths[start : start + _MOST_PATHS])
            running = [self._start([*command, *(str(path.absolute()) for path in share)]) for share in shares]
            try:
                for share, process in zip(shares, running, strict=True):
                    printed, _ = process.communicate(timeout=deadline.remaining_s)
                    if process.returncode not in {0, 1}:
                        return None
                    found |= printed_hits(printed, share, most=most)
            except subprocess.TimeoutExpired as exc:
                raise TimeoutError from exc
            finally:
                for process in running:
                    process.kill()
                    process.communicate()
        return found

    @staticmethod
    def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603 - no shell; the texts are fixed ones and the paths come behind "--"
            ["env", "LC_ALL=C", *command],  # noqa: S607 - it is part of every system
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if sys.platform == "linux":
            import resource

            resource.prlimit(process.pid, resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        return process


def _spelled(texts: Sequence[str]) -> list[str] | None:
    """Return the texts, also with signs for Kelvin, which are no letters to grep; None where that makes too many."""
    if any(text.count("k") > _MOST_KELVINS for text in texts):
        return None
    return [
        "".join(letters) for text in texts for letters in product(*(("k", "\N{KELVIN SIGN}") if c == "k" else (c,) for c in text))
    ]


def _shares(paths: Sequence[Path]) -> list[list[Path]]:
    """Return the files in as many shares of about the same size as there are processors."""
    shares: list[list[Path]] = [[] for _ in range(min(_MOST_AT_ONCE, os.cpu_count() or 1, len(paths)))]
    sizes = [0] * len(shares)
    for size, path in sorted(((path.stat().st_size, path) for path in paths), reverse=True):
        smallest = sizes.index(min(sizes))
        shares[smallest].append(path)
        sizes[smallest] += size
    return shares
