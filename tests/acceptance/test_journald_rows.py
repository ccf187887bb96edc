"""What the row says of the systemd journal in every situation: the table of docs/backends.md, cell by cell."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.adapters.logs.journald import JournaldLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.tools.query_logs import QueryLogs
from tests.acceptance.gateway import open_session
from tests.acceptance.incident import WINDOW
from tests.acceptance.situations import documented, rows_of, said_by_the_row
from tests.journal import FakeJournal, entry, put_on_path

Entry = dict[str, Any]


def at(seconds: float, message: Any = "connection refused", **fields: Any) -> Entry:
    return entry(WINDOW.start + timedelta(seconds=seconds), message, **fields)


BEFORE: Final = at(-60, "start")
HINT: Final = "Hint: You are currently not seeing messages from other users and the system.\n"
BAD: Final = "Failed to iterate through journal: Bad message\n"


@dataclass(frozen=True, kw_only=True)
class Told:
    """What journalctl tells, and how it ends. ``program`` is one in its place; ``prepare`` takes it away."""

    name: str
    entries: Sequence[Entry] = ()
    more: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=lambda: {"query": "refused"})
    program: str | None = None
    prepare: Callable[[pytest.MonkeyPatch], None] = lambda patch: None
    ends_in_s: float = 20


class _Hurried(JournaldLogs):
    """One whose 30 s are over sooner."""

    def __init__(self, seconds: float) -> None:
        super().__init__("journald", None)
        self._seconds = seconds

    def search(self, request: LogRequest) -> LogPage:
        ends_at = time.monotonic() + self._seconds
        return super().search(replace(request, deadline=Deadline(after_s=30, ends_at_monotonic_s=ends_at)))

    def describe(self) -> SourceDescription:
        return SourceDescription(name=self.name, kind=SourceKind.LOGS, backend="journald", live=True)


def _without_program(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("PATH", "/nowhere")


SITUATIONS: Final = [
    Told(name="journalctl is not installed", prepare=_without_program),
    Told(name="it cannot be started", program="#!/no/such/interpreter\n"),
    Told(
        name="no journal files, or none that may be read",
        more={"files": 0, "stderr": "No journal files were opened due to insufficient permissions.\n"},
    ),
    Told(name="no such folder", program="#!/bin/sh\necho 'Failed to open DIR: No such file or directory' >&2\nexit 1\n"),
    Told(name="it ends with an error, before the first entry", entries=[BEFORE], more={"exit_code": 1, "stderr": BAD}),
    Told(name="it ends with an error, behind entries", entries=[BEFORE, at(5)], more={"exit_code": 1, "stderr": BAD}),
    Told(name="HTML instead of JSON", entries=[BEFORE], more={"more": "<html><body>Sign in</body></html>\n"}),
    Told(name="JSON of another shape", entries=[BEFORE], more={"more": '{"x": 1}\n{"x": 2}\n'}),
    Told(name="nothing within the deadline", entries=[BEFORE], more={"hang_s": 30}, ends_in_s=1.5),
    Told(name="not whole within the deadline", entries=[BEFORE, at(5)], more={"hang_s": 30}, ends_in_s=1.5),
    Told(name="empty", entries=[BEFORE, at(5, "all is well")]),
    Told(name="nothing that goes by the service", entries=[BEFORE, at(5)], asked={"service": "nobody"}),
    Told(name="the user may not read all of it", entries=[BEFORE, at(5)], more={"stderr": HINT}),
    Told(
        name="a damaged journal file",
        entries=[BEFORE, at(5)],
        more={"stderr": "Journal file x.journal is truncated, ignoring file.\n"},
    ),
    Told(name="the journal begins after the window does", entries=[at(5)]),
    Told(name="a line that is no entry in JSON", entries=[BEFORE, at(5)], more={"more": "<html>\n"}),
    Told(
        name="cut: an entry of more than 32 MB",
        entries=[BEFORE, at(5)],
        more={"more": "x" * 33_600_000 + "\n"},
    ),
    Told(name="3,000 of them", entries=[BEFORE, *(at(second) for second in range(3000))]),
    Told(name="twice, and out of order", entries=[BEFORE, at(5), at(3), at(5)]),
    Told(name="one byte that is no text", entries=[BEFORE, at(5, list(b"refused by caf\xff"))]),
    Told(name="an entry of 5 MB", entries=[BEFORE, at(5, "refused " + "x" * 5_000_000)]),
    Told(name="the host restarted in the window", entries=[BEFORE, at(5), at(60, _BOOT_ID="3" * 32)]),
]


def ask(told: Told, tmp_path: Path, patch: pytest.MonkeyPatch) -> tuple[RecordedCall, str]:
    """Return the call of a journal, and what its row says in words."""
    journal: FakeJournal = put_on_path(tmp_path / "bin", patch)
    journal.tell(*told.entries, **told.more)
    if told.program is not None:
        (tmp_path / "bin" / "journalctl").write_text(told.program)
    told.prepare(patch)
    source = JournaldLogs("journald", None) if told.ends_in_s == 20 else _Hurried(told.ends_in_s)
    with open_session(tmp_path / "t.db", tools=[QueryLogs([source])]) as session:
        call = session.recorder.ask("query_logs", told.asked)
        return call, said_by_the_row(call, "http://no.url")


@pytest.mark.parametrize("told", SITUATIONS, ids=lambda told: told.name)
def test_a_row_says_of_the_journal_what_the_table_says(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call, said = ask(told, tmp_path, monkeypatch)
    assert said == documented("journald", told.name, "the row says")
    assert len(call.refs) == call.invocation.returned_count


def test_the_table_says_nothing_that_is_not_tested() -> None:
    assert rows_of("journald") == [told.name for told in SITUATIONS]
