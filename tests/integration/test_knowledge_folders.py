"""Folders of runbooks as they really are: broken, huge, linked, foreign."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.knowledge import folder as folder_module
from groundwire.adapters.knowledge.demo import DemoKnowledge
from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, BackendUnavailableError
from groundwire.domain.knowledge import KnowledgePage, KnowledgeRequest
from groundwire.domain.names import RelevanceLevel, RetrievalLayer

GOOD = "# ReplicaLagging\n\n## Meaning\n\nA replica is behind its primary.\n"


def _lookup(root: Path, query: str = "replica primary") -> KnowledgePage:
    return MarkdownKnowledge("ops", root).lookup(_request(query))


def _request(
    query: str, deadline: Deadline | None = None, *, service: str | None = None, alert_name: str | None = None
) -> KnowledgeRequest:
    return KnowledgeRequest(query=query, service=service, alert_name=alert_name, limit=5, deadline=deadline or Deadline.after(10))


def _sources(page: KnowledgePage) -> list[str]:
    return sorted({block.source for block in page.blocks})


def test_a_folder_that_is_not_there_is_one_clear_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "runbook"
    with pytest.raises(BackendUnavailableError) as raised:
        _lookup(missing)
    assert raised.value.message == f'ops: cannot read runbooks from "{missing}": no such folder'
    assert MarkdownKnowledge("ops", missing).describe().problems == (raised.value.message,)


def test_a_folder_that_appears_later_is_read_then(tmp_path: Path) -> None:
    base = MarkdownKnowledge("ops", tmp_path / "runbooks")
    assert base.describe().titles == ()
    (tmp_path / "runbooks").mkdir()
    (tmp_path / "runbooks" / "a.md").write_text(GOOD)
    assert base.describe().titles == ("ReplicaLagging",)


def test_a_file_given_as_the_folder_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(GOOD)
    with pytest.raises(BackendUnavailableError, match="it is not a folder"):
        _lookup(file)


@pytest.mark.parametrize("files", [{}, {"notes.txt": "replica primary"}, {"empty.md": ""}, {"only.md": "# Title\n"}])
def test_a_folder_without_a_document_is_a_gap_and_not_an_absence(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    page = _lookup(tmp_path)
    assert page.blocks == ()
    assert "holds no Markdown file" in page.partial_reasons[0]
    assert MarkdownKnowledge("ops", tmp_path).describe().problems == page.partial_reasons


def test_both_suffixes_are_read_in_any_case_and_hidden_files_are_not(tmp_path: Path) -> None:
    for name in ("a.md", "b.MD", "c.markdown", "deep/er/d.Md", ".hidden.md", ".git/e.md", "f.mdx", "g.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"replica primary {name}\n")
    assert _sources(_lookup(tmp_path)) == ["a.md", "b.MD", "c.markdown", "deep/er/d.Md"]


def test_a_link_out_of_the_folder_is_not_followed_and_said(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("replica primary secret\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.md").write_text("replica primary more\n")
    root = tmp_path / "runbooks"
    root.mkdir()
    (root / "good.md").write_text(GOOD)
    (root / "leak.md").symlink_to(tmp_path / "secret.md")
    (root / "folder").symlink_to(tmp_path / "outside")
    page = _lookup(root)
    assert _sources(page) == ["good.md"]
    assert page.partial_reasons == ("leak.md is a link that leads out of the folder; it was not read",)


def test_a_link_inside_the_folder_is_read_once(tmp_path: Path) -> None:
    # As a Kubernetes ConfigMap is mounted: visible links into a hidden folder.
    (tmp_path / "..data").mkdir()
    (tmp_path / "..data" / "a.md").write_text(GOOD)
    (tmp_path / "a.md").symlink_to("..data/a.md")
    (tmp_path / "b.md").symlink_to("a.md")
    page = _lookup(tmp_path)
    assert (_sources(page), page.partial_reasons) == (["a.md"], ())


def test_a_root_that_is_a_link_itself_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text(GOOD)
    (tmp_path / "runbooks").symlink_to("real")
    assert _sources(_lookup(tmp_path / "runbooks")) == ["a.md"]


def test_what_is_no_file_and_links_that_lead_nowhere_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "circle.md").symlink_to("circle.md")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    page = _lookup(tmp_path)
    assert _sources(page) == ["good.md"]
    assert len(page.partial_reasons) == 3
    assert "pipe.md is not a file; it was not read" in page.partial_reasons


def test_a_file_that_may_not_be_read_is_named_with_the_system_s_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "locked.md").write_text(GOOD)
    real_open = Path.open

    def refuse(path: Path, *args: Any) -> Any:
        if path.name == "locked.md":
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, *args)

    monkeypatch.setattr(Path, "open", refuse)  # the suite may run as root, whom no mode stops
    page = _lookup(tmp_path)
    assert page.partial_reasons == ("locked.md cannot be read (Permission denied)",)
    assert _sources(page) == ["good.md"]


def test_binary_garbage_is_not_taken_for_a_runbook(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "garbage.md").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "wide.md").write_text(GOOD, encoding="utf-16")
    page = _lookup(tmp_path)
    assert _sources(page) == ["good.md"]
    assert page.partial_reasons == (
        "garbage.md is not text in UTF-8 (it holds NUL bytes); it was not read",
        "wide.md is not text in UTF-8 (it holds NUL bytes); it was not read",
    )


def test_bytes_that_are_not_utf_8_are_shown_and_noted(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes("replica primary verz\xf6gert\n".encode("latin-1"))
    page = _lookup(tmp_path)
    assert page.blocks[0].content == r"replica primary verz\xf6gert"
    assert page.notes == (r"latin.md holds bytes that are not UTF-8; they are shown as \xNN",)
    assert page.partial_reasons == ()


def test_a_byte_order_mark_and_windows_line_ends_leave_no_trace(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    (block,) = _lookup(tmp_path).blocks
    assert (block.title, block.content) == ("ReplicaLagging", "A replica is behind its primary.")


def test_a_file_of_50_mb_is_read_in_part_and_said(tmp_path: Path) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.write(GOOD.encode() + b"\n## Log\n\n" + b"replica line of text\n" * 1000)
        file.truncate(50_000_000)
    with (tmp_path / "tall.md").open("w") as text_file:
        text_file.write("replica primary\n" * 60_000)
    page = _lookup(tmp_path)
    assert _sources(page) == ["huge.md", "tall.md"]
    assert page.partial_reasons == (
        "huge.md is longer than 2 MB or 50,000 lines; only the start of it was read",
        "tall.md is longer than 2 MB or 50,000 lines; only the start of it was read",
    )


def test_many_problems_are_named_by_the_first_five_and_a_count(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"{number}.md").write_bytes(b"\x00")
    reasons = _lookup(tmp_path).partial_reasons
    assert len(reasons) == 6
    assert reasons[-1] == "and 4 more like these"


def test_more_files_than_the_bound_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "_MOST_FILES", 2)
    for number in range(4):
        (tmp_path / f"{number}.md").write_text(GOOD)
    page = _lookup(tmp_path)
    assert (_sources(page), page.partial_reasons) == (["0.md", "1.md"], ("only the first 2 files were read",))


def test_a_file_name_that_is_not_utf_8_is_shown_in_text_that_can_be_stored(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(name)).write_text(GOOD)
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    assert _sources(_lookup(tmp_path)) == [r"caf\xe9.md"]


def test_broken_front_matter_is_a_note_with_the_name_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"---\ntitle: [open\n---\n{GOOD}")
    page = _lookup(tmp_path)
    assert page.blocks[0].title == "ReplicaLagging"
    assert page.partial_reasons == ()
    assert page.notes[0].startswith("a.md: its front matter is not YAML")


def test_runbooks_in_other_languages_are_found(tmp_path: Path) -> None:
    (tmp_path / "de.md").write_text("# Datenbank überlastet\n\nDie Verbindungen gehen aus.\n", encoding="utf-8")
    (tmp_path / "zh.md").write_text("# 数据库\n\n连接池已耗尽。\n", encoding="utf-8")
    assert _sources(_lookup(tmp_path, "ueberlastet Verbindung überlastet")) == ["de.md"]
    assert _sources(_lookup(tmp_path, "Uberlastet")) == ["de.md"]
    assert _sources(_lookup(tmp_path, "连接池")) == ["zh.md"]


def test_a_query_of_stop_words_and_a_very_long_one_are_noted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    assert _lookup(tmp_path, "what is it").notes == ("the query holds no word to look for besides the most common ones",)
    assert _lookup(tmp_path, " ".join(f"word{n}" for n in range(90))).notes == (
        "only the first 64 words of the query were looked for",
    )


def test_a_lookup_that_runs_out_of_time_fails_and_the_next_goes_on(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text(GOOD)
    base = MarkdownKnowledge("ops", tmp_path)
    for _ in range(3):
        with pytest.raises(BackendTimeoutError, match="ops: no answer within 0 s"):
            base.lookup(_request("replica", Deadline.after(0)))
    assert len(base.describe().titles) == 3


def test_the_folder_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD)
    base = MarkdownKnowledge("ops", tmp_path)
    assert base.lookup(_request("replica")).blocks
    (tmp_path / "a.md").unlink()
    assert base.lookup(_request("replica")).blocks


@pytest.mark.parametrize(
    "query",
    [
        "HikariCP connection-pool exhaustion",
        "active=50/50 waiting",
        "Connection is not available, request timed out after 30000ms",
    ],
)
def test_the_demo_runbook_of_the_order_service_names_the_signs_of_an_exhausted_pool(query: str) -> None:
    page = DemoKnowledge().lookup(_request(query, service="order-service", alert_name="OrderServiceHighErrorRate"))
    first = page.blocks[0]
    assert (first.source, first.section, first.layer) == ("OrderServiceHighErrorRate.md", "Diagnosis", RetrievalLayer.L1)
    assert page.relevance_level is RelevanceLevel.HIGH
    for sign in ("HikariPool", "active=50/50", "waiting", "request timed out after 30000ms"):
        assert sign in first.content
    assert "ConnectionPoolExhaustion.md" in _sources(page)


def test_the_demo_ships_five_runbooks() -> None:
    assert len(DemoKnowledge().describe().titles) == 5
