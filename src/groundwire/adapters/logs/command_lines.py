"""A fixed command of this host, read line by line within a deadline and a bound; it never outlives the reading."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import IO, Final

from groundwire.domain.deadline import Deadline

LONGEST_LINE: Final = 32 * 1024 * 1024
_CHUNK: Final = 256 * 1024
_LONGEST_STDERR: Final = 64 * 1024
_TO_DIE_S: Final = 1.0


class Cut(Enum):
    """Why a command was not read to its end."""

    DEADLINE = "deadline"
    SIZE = "size"


@dataclass(slots=True)
class CommandLines:
    """Give it ``args`` that start with the full path of a program; take ``lines()`` once, and read the rest afterwards.

    ``exit_code`` is None where the command was ended by us, and ``cut`` says why. ``long_count`` are lines left out because they
    were longer than ``longest_line``. Nothing is read from our standard input.
    """

    args: Sequence[str]
    deadline: Deadline
    most_bytes: int
    longest_line: int = LONGEST_LINE
    exit_code: int | None = None
    cut: Cut | None = None
    long_count: int = 0
    _stderr: bytearray = field(default_factory=bytearray)

    @property
    def errors(self) -> list[str]:
        """The lines that the command wrote to its standard error."""
        return [line for raw in self._stderr.decode("utf-8", "backslashreplace").splitlines() if (line := raw.strip())]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines without their ends, each as soon as it is there.

        Raises:
            OSError: The program cannot be started.
        """
        # A session of its own, so that what it starts itself ends with it.
        process = subprocess.Popen(  # noqa: S603 - the caller's fixed arguments; no shell
            self.args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        try:
            yield from self._split(self._chunks(process))
            if self.cut is None:
                self.exit_code = process.wait(timeout=max(self.deadline.remaining_s, _TO_DIE_S))
        except subprocess.TimeoutExpired:
            self.cut = Cut.DEADLINE
        finally:
            _end(process)

    def _chunks(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        read = 0
        with selectors.DefaultSelector() as selector:
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    selector.register(stream, selectors.EVENT_READ)
            while selector.get_map():
                if self.deadline.expired:
                    self.cut = Cut.DEADLINE
                    return
                for key, _ in selector.select(timeout=self.deadline.remaining_s):
                    chunk = os.read(key.fd, _CHUNK)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is process.stderr:
                        self._stderr += chunk[: max(0, _LONGEST_STDERR - len(self._stderr))]
                    else:
                        read += len(chunk)
                        yield chunk
                if read > self.most_bytes:
                    self.cut = Cut.SIZE
                    return

    def _split(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        parts: list[bytes] = []
        size = 0
        for chunk in chunks:
            *ended, rest = chunk.split(b"\n")
            for piece in ended:
                if size + len(piece) > self.longest_line:
                    self.long_count += 1
                else:
                    yield b"".join((*parts, piece))
                parts, size = [], 0
            size += len(rest)
            # The start of a line that is too long already is of no use.
            parts = [*parts, rest] if size <= self.longest_line else []
        if size > self.longest_line:
            self.long_count += 1
        elif size and self.cut is None:
            yield b"".join(parts)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
        process.wait(timeout=_TO_DIE_S)
    streams: tuple[IO[bytes] | None, ...] = (process.stdout, process.stderr)
    for stream in streams:
        if stream is not None:
            stream.close()
