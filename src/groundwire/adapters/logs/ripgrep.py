"""Looks through files with ripgrep, which uses all processors.

Source: ``rg(1)`` of ripgrep 13 and later.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.looking import Hit, Hits, PythonLook
from groundwire.adapters.logs.printed_hits import files_by_name, printed_hits
from groundwire.domain.deadline import Deadline

_MOST_PATHS: Final = 500
_PIPE: Final = 1 << 20
_COUNT: Final = re.compile(rb"([^\0]*)\0(\d+)\n")
_PATH: Final = r"^[^\x00]*\x00"
# Bytes as they are, whatever a configuration file, an ignore file, a byte order mark or a NUL says.
_PLAIN: Final = (
    *("--no-config", "--no-ignore", "--hidden", "--no-messages", "--text", "--encoding=none", "--color=never", "--mmap"),
    *("--with-filename", "--null", "--no-heading"),
)
_NUMBERED: Final = ("--line-number", "--byte-offset")
_FROM_PIPE: Final = (
    "--no-config",
    "--text",
    "--encoding=none",
    "--color=never",
    "--no-filename",
    "--no-line-number",
    "--no-messages",
)


class RipgrepLook:
    """A look by ``rg``; where it fails, Python looks instead."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._other = PythonLook()

    def find(
        self, paths: Sequence[Path], texts: Sequence[str], *, most: int, deadline: Deadline, ignores_case: bool = False
    ) -> Hits:
        found: dict[Path, Sequence[Hit] | None] = {}
        options = [*_NUMBERED, "--only-matching", f"--max-count={most + 1}", *_asked(texts, ignores_case=ignores_case)]
        for start in range(0, len(paths), _MOST_PATHS):
            some = paths[start : start + _MOST_PATHS]
            printed = self._printed(options, some, deadline)
            if printed is None:
                found |= self._other.find(some, texts, most=most, deadline=deadline, ignores_case=ignores_case)
            else:
                found |= printed_hits(printed, some, most=most)
        return found

    def start_counting(self, paths: Sequence[Path], texts: Sequence[str]) -> Callable[[Deadline], dict[Path, int]]:
        """Begin to count the lines of at most 500 files that hold a text in whatever case; return what waits for the counts.

        A file that has none is missing; all are where it failed. It raises TimeoutError when the deadline passes.
        """
        command = self._command(["--count", *_asked(texts, ignores_case=True)], paths)
        running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603

        def wait(deadline: Deadline) -> dict[Path, int]:
            try:
                printed, _ = running.communicate(timeout=deadline.remaining_s)
            except subprocess.TimeoutExpired as exc:
                running.kill()
                running.communicate()
                raise TimeoutError from exc
            by_name = files_by_name(paths)
            return {by_name[name]: int(count) for name, count in _COUNT.findall(printed)} if running.returncode == 0 else {}

        return wait

    def lines_like(
        self, pattern: str, paths: Sequence[Path], texts: Sequence[str], deadline: Deadline
    ) -> Iterator[tuple[Path, bytes]]:
        """Yield the lines of at most 500 files that hold a text in whatever case and are as a whole of a pattern.

        They come in pieces of one file each, as ``path NUL line``, whole lines with their ends.

        Raises:
            OSError: It failed; what was yielded is not all.
            TimeoutError: The deadline passed.
        """
        by_name = files_by_name(paths)
        for piece in self._piped([], ["--regexp", f"{_PATH}(?:{pattern})$"], paths, texts, deadline):
            yield from _by_file(piece, by_name)

    def lines_unlike(
        self, pattern: str, paths: Sequence[Path], texts: Sequence[str], deadline: Deadline
    ) -> dict[Path, Sequence[Hit]]:
        """Return where the other lines of the files that hold a text start; it raises the same errors."""
        options = ["--invert-match", "--regexp", f"{_PATH}[0-9]+:[0-9]+:(?:{pattern})$"]
        printed = b"".join(self._piped([*_NUMBERED], options, paths, texts, deadline))
        return {path: hits for path, hits in printed_hits(printed, paths).items() if hits is not None}

    def _printed(self, options: Sequence[str], paths: Sequence[Path], deadline: Deadline) -> bytes | None:
        try:
            done = subprocess.run(  # noqa: S603 - no shell; the texts are fixed ones and the paths come behind "--"
                self._command(options, paths),
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

    def _piped(
        self, options: Sequence[str], filtering: Sequence[str], paths: Sequence[Path], texts: Sequence[str], deadline: Deadline
    ) -> Iterator[bytes]:
        command = self._command([*options, *_asked(texts, ignores_case=True)], paths)
        with (
            subprocess.Popen(  # noqa: S603 - as above
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pipesize=_PIPE
            ) as finding,
            subprocess.Popen(  # noqa: S603 - as above; the pattern is ours
                [self._program, *_FROM_PIPE, *filtering, "-"],
                stdin=finding.stdout,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pipesize=_PIPE,
            ) as filter_,
        ):
            try:
                if finding.stdout is None or filter_.stdout is None:
                    raise OSError("no pipe")
                finding.stdout.close()  # so that it ends when the filter does
                carry = b""
                while piece := _read(filter_.stdout.fileno(), deadline):
                    end = piece.rfind(b"\n") + 1
                    if end:
                        yield carry + piece[:end]
                        carry = piece[end:]
                    else:
                        carry += piece
            finally:
                filter_.kill()
                finding.kill()
        if carry or not {finding.returncode, filter_.returncode} <= {0, 1}:
            raise OSError("rg failed")

    def _command(self, options: Sequence[str], paths: Sequence[Path]) -> list[str]:
        return [self._program, *_PLAIN, *options, "--", *(str(path.absolute()) for path in paths)]


def _read(descriptor: int, deadline: Deadline) -> bytes:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    if deadline.expired or not poll.poll(deadline.remaining_s * 1000):
        raise TimeoutError
    return os.read(descriptor, _PIPE)


def _asked(texts: Sequence[str], *, ignores_case: bool) -> list[str]:
    case = "--ignore-case" if ignores_case else "--case-sensitive"
    return [case, "--fixed-strings", *(f"--regexp={text}" for text in texts)]


def _by_file(piece: bytes, by_name: dict[bytes, Path]) -> Iterator[tuple[Path, bytes]]:
    """Yield the lines of each file, which stand together."""
    at = 0
    while at < len(piece):
        name = piece[at : piece.index(b"\0", at)]
        prefix = name + b"\0"
        end = len(piece)
        # Most pieces are of one file, as its last line tells: the lines of a file stand together.
        if not piece.startswith(prefix, piece.rfind(b"\n", at, end - 1) + 1):
            end = at
            while piece.startswith(prefix, end):
                end = piece.index(b"\n", end) + 1
        yield by_name[name], piece[at:end]
        at = end
