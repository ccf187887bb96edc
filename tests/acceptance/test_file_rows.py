"""What the row says of log files in every situation: the table of docs/backends.md, cell by cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.invocation import RecordedCall
from groundwire.ports import LogBackend
from groundwire.tools.query_logs import QueryLogs
from tests.acceptance.file_situations import SITUATIONS, Folder, Hurried
from tests.acceptance.gateway import open_session
from tests.acceptance.situations import documented, rows_of, said_by_the_row

BY_NAME = {folder.name: folder for folder in SITUATIONS}


def ask(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[RecordedCall, str]:
    """Return the call about a folder, and what its row says in words."""
    root = folder.make(tmp_path / "logs")
    backend: LogBackend = FileLogs("logs", root)
    if folder.hurry is not None:
        backend = Hurried(backend, folder.hurry)
    with open_session(tmp_path / "t.db", tools=[QueryLogs([backend])]) as session, monkeypatch.context() as patch:
        folder.happens(root, patch)
        call = session.recorder.ask("query_logs", dict(folder.asked))
        return call, said_by_the_row(call, str(root)).replace("URL", "DIR")


@pytest.mark.parametrize("folder", SITUATIONS, ids=lambda folder: folder.name)
def test_a_row_says_of_files_what_the_table_says(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call, said = ask(folder, tmp_path, monkeypatch)
    assert said == documented("Files", folder.name, "the row says")
    assert len(call.refs) == call.invocation.returned_count


def test_the_table_says_nothing_that_is_not_tested() -> None:
    assert rows_of("Files") == [folder.name for folder in SITUATIONS]


@pytest.mark.parametrize(
    ("name", "message"),
    [("one byte that is no text", r"caf\xff refused"), ("Latin-1", "caf\xe9 refused"), ("UTF-16", "connection refused")],
)
def test_no_byte_is_lost(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call, _ = ask(BY_NAME[name], tmp_path, monkeypatch)
    assert [entry["message"] for entry in call.output["logs"]] == [message]


def test_entries_out_of_order_come_newest_first_and_each_copy_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call, _ = ask(BY_NAME["twice, and out of order"], tmp_path, monkeypatch)
    assert [entry["timestamp"][17:19] for entry in call.output["logs"]] == ["07", "05", "05"]


@pytest.mark.parametrize("name", ["a clock an hour ahead inside, CRI", "a clock an hour behind inside, Docker"])
def test_the_time_of_the_runtime_is_the_records_and_its_own_is_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, _ = ask(BY_NAME[name], tmp_path, monkeypatch)
    assert {entry["timestamp"][11:13] for entry in call.output["logs"]} == {"10"}
    assert {entry["fields"]["app_time"][11:13] for entry in call.output["logs"]} == {"11" if "ahead" in name else "09"}


def test_an_empty_answer_says_what_was_asked_and_when(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call, _ = ask(BY_NAME["empty: no such words"], tmp_path, monkeypatch)
    assert call.output["scope"]["filter"] == {"query": "refused", "limit": 50}
    assert call.output["scope"]["window"] == {"start": "2026-11-20T10:00:00Z", "end": "2026-11-20T11:00:00Z"}
    assert call.output["summary"]["in_scope"]["total"] == 1
