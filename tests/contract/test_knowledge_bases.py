"""What every knowledge base does alike."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.adapters.knowledge.demo import DemoKnowledge
from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.domain.deadline import Deadline
from groundwire.domain.knowledge import KnowledgePage, KnowledgeRequest
from groundwire.domain.names import RelevanceLevel, RetrievalLayer
from groundwire.domain.sources import SourceKind
from groundwire.ports import KnowledgeBase

POOL = """\
# ConnectionPoolExhaustion

## Meaning

Every connection of the database pool is handed out and requests wait.

## Diagnosis

Look for `HikariPool` lines that say a request timed out.

## Mitigation

Find who holds the connections.
"""
DISK = "# DiskSpaceFillingUp\n\n## Meaning\n\nA disk will be full soon.\n\n## Mitigation\n\nRotate the logs.\n"


def _markdown(folder: Path) -> KnowledgeBase:
    (folder / "shop").mkdir()
    (folder / "shop" / "ConnectionPoolExhaustion.md").write_text(POOL)
    (folder / "DiskSpaceFillingUp.md").write_text(DISK)
    return MarkdownKnowledge("ops", folder)


MAKERS: dict[str, Callable[[Path], KnowledgeBase]] = {"markdown": _markdown, "demo": lambda _: DemoKnowledge()}


@pytest.fixture(params=MAKERS)
def base(request: pytest.FixtureRequest, tmp_path: Path) -> KnowledgeBase:
    return MAKERS[request.param](tmp_path)


def _lookup(base: KnowledgeBase, query: str, *, alert_name: str | None = None, limit: int = 5) -> KnowledgePage:
    return base.lookup(
        KnowledgeRequest(query=query, service=None, alert_name=alert_name, limit=limit, deadline=Deadline.after(10))
    )


def test_it_describes_itself_as_knowledge_that_says_nothing_about_now(base: KnowledgeBase) -> None:
    description = base.describe()
    assert (description.name, description.kind, description.live) == (base.name, SourceKind.KNOWLEDGE, False)
    assert len(description.titles) >= 2
    assert (description.services, description.problems) == ((), ())


def test_a_symptom_finds_its_runbook(base: KnowledgeBase) -> None:
    page = _lookup(base, "HikariPool request timed out")
    assert any(block.source.endswith("ConnectionPoolExhaustion.md") for block in page.blocks)
    assert page.relevance_level in {RelevanceLevel.MEDIUM, RelevanceLevel.HIGH}
    assert page.partial_reasons == ()


def test_an_alert_finds_its_runbook_first_with_high_relevance(base: KnowledgeBase) -> None:
    page = _lookup(base, "what to do", alert_name="DiskSpaceFillingUp")
    assert page.blocks[0].source == "DiskSpaceFillingUp.md"
    assert page.relevance_level is RelevanceLevel.HIGH


def test_sources_are_paths_below_the_root(base: KnowledgeBase) -> None:
    for block in _lookup(base, "connection pool disk", limit=20).blocks:
        assert not block.source.startswith("/")
        assert "\\" not in block.source
        assert ".." not in block.source


def test_blocks_are_best_first_bounded_and_no_more_than_asked_for(base: KnowledgeBase) -> None:
    blocks = _lookup(base, "connection pool disk full logs", limit=3).blocks
    assert 0 < len(blocks) <= 3
    assert [block.score for block in blocks] == sorted((block.score for block in blocks), reverse=True)
    assert all(0 < len(block.content) <= 2100 for block in blocks)
    assert all((block.layer is RetrievalLayer.L0) == (block.section == "") for block in blocks)


def test_the_counts_cover_the_blocks(base: KnowledgeBase) -> None:
    page = _lookup(base, "connection pool disk full logs", limit=20)
    assert page.l0_count >= len({block.source for block in page.blocks})
    assert page.l1_count >= sum(block.layer is RetrievalLayer.L1 for block in page.blocks)


@pytest.mark.parametrize("query", ["banana bread recipe", "quarterly sales figures", "如何"])
def test_a_question_about_something_else_finds_nothing(base: KnowledgeBase, query: str) -> None:
    page = _lookup(base, query)
    assert (page.blocks, page.l0_count, page.l1_count) == ((), 0, 0)
    assert page.relevance_level is RelevanceLevel.NONE


@pytest.mark.parametrize(
    "query", ['"', "a AND", "NEAR(", "title:x", "pool*", "'; DROP TABLE documents; --", "\x00pool", "\ud800"]
)
def test_a_hostile_query_is_only_words(base: KnowledgeBase, query: str) -> None:
    _lookup(base, query)


def test_the_same_lookup_gives_the_same_answer(base: KnowledgeBase) -> None:
    assert _lookup(base, "connection pool exhausted") == _lookup(base, "connection pool exhausted")


def test_it_can_be_asked_from_many_threads_at_once(base: KnowledgeBase) -> None:
    with ThreadPoolExecutor(8) as pool:
        pages = list(pool.map(lambda _: _lookup(base, "connection pool exhausted"), range(32)))
    assert all(page == pages[0] for page in pages)
    assert pages[0].blocks
