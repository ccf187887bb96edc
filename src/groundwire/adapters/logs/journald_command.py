"""The few commands that the journal is asked by. Whatever a question says, it never becomes an option of one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from math import ceil, floor
from pathlib import Path
from typing import Final, NamedTuple

from groundwire.adapters.logs.command_lines import CommandLines, Cut
from groundwire.adapters.logs.journald_entry import NAMING_FIELDS, names_of
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, BackendUnavailableError
from groundwire.domain.incident import TimeWindow

_PROGRAM: Final = "journalctl"
_MOST_OUTPUT: Final = 256 * 1024 * 1024
_MOST_SMALL: Final = 8 * 1024 * 1024
_MOST_MATCHES: Final = 200
_VALUE: Final = re.compile(r"[^\x00-\x1f\x7f]{1,256}")
_HEADER_TIME: Final = re.compile(r"\((?P<us>[0-9a-f]{1,16})\)\s*$")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Holdings(NamedTuple):
    """What journal files there are, the times of their oldest and newest entries, and what journalctl remarks about them."""

    file_count: int
    oldest: datetime | None
    newest: datetime | None
    remarks: tuple[str, ...]


class Journalctl:
    """``journalctl`` for this host's journal, or for the journal files in a folder.

    Raises:
        BackendError: It is not installed, cannot be started, does not end in time, or ends with an error: in its own words.
    """

    def __init__(self, name: str, folder: Path | None) -> None:
        self._name = name
        self._where = () if folder is None else (f"--directory={folder}",)

    def version(self, deadline: Deadline) -> str | None:
        """Return the version of systemd that it is of."""
        words = (self._small(("--version",), deadline, where=()) or [""])[0].split()
        return words[1] if len(words) > 1 else None

    def holdings(self, deadline: Deadline) -> Holdings:
        """Return what there is. With JSON journalctl does not say what it may not read; here it does."""
        command = self._command(("--header",), deadline, _MOST_SMALL, self._where)
        lines = self._whole(command)
        heads = [_header_time(line) for line in lines if line.strip().startswith("Head realtime timestamp:")]
        tails = [_header_time(line) for line in lines if line.strip().startswith("Tail realtime timestamp:")]
        return Holdings(
            file_count=sum(line.startswith("File path:") for line in lines),
            oldest=min((at for at in heads if at is not None), default=None),
            newest=max((at for at in tails if at is not None), default=None),
            remarks=tuple(command.errors),
        )

    def values(self, field: str, deadline: Deadline) -> list[str]:
        """Return every value that a field has in the journal."""
        return [value for value in self._small((f"--field={field}",), deadline, where=self._where) if value]

    def matches(self, service: str, deadline: Deadline) -> tuple[str, ...] | None:
        """Return the matches that narrow the journal to a service; empty when nothing goes by that name, None when too much does.

        They are made of the journal's own values, of which ``service`` only chooses some.
        """
        wanted = service.casefold()
        found: list[str] = []
        for field in NAMING_FIELDS:
            values = [value for value in self.values(field, deadline) if _is_called(value, wanted)]
            if values and found:
                found.append("+")
            found += [f"{field}={value}" for value in values]
        return tuple(found) if len(found) <= _MOST_MATCHES else None

    def entries(self, window: TimeWindow, matches: Iterable[str], deadline: Deadline) -> CommandLines:
        """Return the command that prints the entries of a window, and at most a second beside it, newest first."""
        span = (f"--since=@{floor(window.start.timestamp())}", f"--until=@{ceil(window.end.timestamp())}")
        return self._command(("--output=json", "--all", "--reverse", *span, *matches), deadline, _MOST_OUTPUT, self._where)

    def failure(self, command: CommandLines) -> str | None:
        """Return in its own words that a command ended with an error."""
        code = command.exit_code
        if code is None or code == 0:
            return None
        how = f"journalctl was ended by signal {-code}" if code < 0 else f"journalctl ended with {code}"
        return f"{how}: {'; '.join(command.errors[:3]) or 'it said nothing'}"

    def not_started(self, exc: OSError) -> BackendUnavailableError:
        return BackendUnavailableError(self._name, f"journalctl cannot be started: {exc.strerror or exc}")

    def _small(self, options: Iterable[str], deadline: Deadline, *, where: Iterable[str]) -> list[str]:
        return self._whole(self._command(options, deadline, _MOST_SMALL, where))

    def _whole(self, command: CommandLines) -> list[str]:
        try:
            lines = [line.decode("utf-8", "backslashreplace") for line in command.lines()]
        except OSError as exc:
            raise self.not_started(exc) from exc
        if command.cut is Cut.DEADLINE:
            raise BackendTimeoutError(self._name, after_s=command.deadline.after_s)
        failure = self.failure(command)
        if failure is not None:
            raise BackendUnavailableError(self._name, failure)
        return lines

    def _command(self, options: Iterable[str], deadline: Deadline, most_bytes: int, where: Iterable[str]) -> CommandLines:
        # The full path: what is started is what was found, and nothing of the current folder.
        program = shutil.which(_PROGRAM)
        if program is None:
            raise BackendUnavailableError(
                self._name,
                "journalctl is not on PATH, so the journal was not read",
                hint="Install systemd, or name a folder of log files.",
            )
        return CommandLines((program, "--no-pager", *where, *options), deadline, most_bytes)


def _is_called(value: str, wanted: str) -> bool:
    return _VALUE.fullmatch(value) is not None and any(name.casefold() == wanted for name in names_of(value))


def _header_time(line: str) -> datetime | None:
    match = _HEADER_TIME.search(line)
    try:
        return None if match is None or int(match["us"], 16) == 0 else _EPOCH + timedelta(microseconds=int(match["us"], 16))
    except OverflowError:
        return None
