"""What ``lookup_knowledge`` answers over its knowledge bases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError, InvalidParamsError, NotConfiguredError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.invocation import EarlierCall
from groundwire.domain.knowledge import KnowledgeBlock, KnowledgePage, KnowledgeRequest
from groundwire.domain.names import InvocationStatus, RelevanceLevel, RetrievalLayer
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.ports import CallContext
from groundwire.tools.lookup_knowledge import LookupKnowledge

WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, tzinfo=UTC))


class ShelfKnowledge:
    """A knowledge base that answers every lookup with one page, or fails."""

    def __init__(self, name: str, page: KnowledgePage | None) -> None:
        self.name = name
        self.requests: list[KnowledgeRequest] = []
        self._page = page

    def describe(self) -> SourceDescription:
        return SourceDescription(name=self.name, kind=SourceKind.KNOWLEDGE, backend="shelf", live=False)

    def lookup(self, request: KnowledgeRequest) -> KnowledgePage:
        self.requests.append(request)
        if self._page is None:
            raise BackendUnavailableError(self.name, "the shelf is empty-handed")
        return self._page


def block(source: str, *, section: str = "Diagnosis", content: str = "", score: float = 0.5) -> KnowledgeBlock:
    """Return a block whose content says where it is from, unless it is given."""
    return KnowledgeBlock(
        title=source,
        source=f"{source}.md",
        section=section,
        content=content or f"what {source} says on {section}",
        layer=RetrievalLayer.L1 if section else RetrievalLayer.L0,
        score=score,
    )


def page(*blocks: KnowledgeBlock, level: RelevanceLevel = RelevanceLevel.MEDIUM, **more: Any) -> KnowledgePage:
    """Return a page whose counts are those of its blocks."""
    return KnowledgePage(
        blocks=blocks,
        l0_count=len({one.source for one in blocks}),
        l1_count=sum(one.layer is RetrievalLayer.L1 for one in blocks),
        relevance_level=level if blocks else RelevanceLevel.NONE,
        **more,
    )


def context(earlier: Sequence[EarlierCall] = ()) -> CallContext:
    """Return the context of a call in a session with these earlier calls."""
    return CallContext(window=WINDOW, deadline=Deadline.after(5), earlier_calls=lambda: earlier)


def answer_of(tool: LookupKnowledge, query: str = "pool exhausted", **params: Any) -> dict[str, Any]:
    """Return the answer to a lookup in a session without earlier calls."""
    return tool.run({"query": query, **params}, context())


def titles(answer: Mapping[str, Any]) -> list[str]:
    """Return the titles of the blocks, in order."""
    return [one["title"] for one in answer["evidence_blocks"]]


def test_a_block_is_given_with_its_six_fields_and_the_answer_with_its_counts() -> None:
    answer = answer_of(LookupKnowledge([ShelfKnowledge("ops", page(block("Pool")))]))
    assert answer["evidence_blocks"] == [
        {
            "title": "Pool",
            "source": "Pool.md",
            "section": "Diagnosis",
            "content": "what Pool says on Diagnosis",
            "layer": "L1",
            "score": 0.5,
        }
    ]
    expected = {
        "evidence_status": "evidence",
        "error": None,
        "returned_count": 1,
        "total_count": 2,
        "partial": False,
        "retrieval_layer": "L1",
        "l0_count": 1,
        "l1_count": 1,
        "relevance_level": "medium",
        "dedup_reason": None,
        "dedup_of": None,
        "suppressed_count": 0,
    }
    assert {key: answer[key] for key in expected} == expected


def test_the_scope_says_what_was_asked() -> None:
    tool = LookupKnowledge([ShelfKnowledge("ops", page())])
    answer = answer_of(tool, " pool exhausted ", service="order-service", alert_name="PoolEmpty", limit=3)
    assert answer["scope"] == {
        "window": None,
        "filter": {"query": "pool exhausted", "alert_name": "PoolEmpty", "limit": 3},
        "labels": {"service": "order-service"},
    }


def test_every_base_is_asked_the_same_with_five_blocks_unless_said_otherwise() -> None:
    bases = [ShelfKnowledge("a", page()), ShelfKnowledge("b", page())]
    answer_of(LookupKnowledge(bases), service="order-service", alert_name=None)
    asked = [(one.query, one.service, one.alert_name, one.limit) for base in bases for one in base.requests]
    assert asked == [("pool exhausted", "order-service", None, 5)] * 2


def test_nothing_found_is_no_evidence_with_an_empty_list() -> None:
    answer = answer_of(LookupKnowledge([ShelfKnowledge("ops", page())]))
    assert answer["evidence_status"] == "no_evidence"
    assert answer["evidence_blocks"] == []
    assert (answer["retrieval_layer"], answer["relevance_level"], answer["total_count"]) == ("none", "none", 0)


def test_abstracts_alone_are_an_answer_of_the_document_tier() -> None:
    answer = answer_of(LookupKnowledge([ShelfKnowledge("ops", page(block("Pool", section="")))]))
    assert answer["retrieval_layer"] == "L0"


def test_the_best_blocks_of_all_bases_come_first_up_to_the_limit() -> None:
    first = ShelfKnowledge("a", page(block("A1", score=0.9), block("A2", score=0.2)))
    second = ShelfKnowledge("b", page(block("B1", score=0.5), level=RelevanceLevel.HIGH))
    answer = answer_of(LookupKnowledge([first, second]), limit=2)
    assert titles(answer) == ["A1", "B1"]
    assert (answer["relevance_level"], answer["l0_count"], answer["fetched_count"]) == ("high", 3, 2)


def test_a_folder_that_is_configured_twice_gives_each_block_once_and_in_order() -> None:
    twice = [ShelfKnowledge(name, page(block("A"), block("B"))) for name in ("one", "two")]
    answer = answer_of(LookupKnowledge(twice))
    assert titles(answer) == ["A", "B"]
    assert answer["suppressed_count"] == 0


def test_one_base_that_fails_makes_the_answer_partial() -> None:
    answer = answer_of(LookupKnowledge([ShelfKnowledge("good", page(block("A"))), ShelfKnowledge("bad", None)]))
    assert (answer["evidence_status"], answer["partial"]) == ("evidence", True)
    assert answer["partial_reasons"] == ["one source failed: bad: the shelf is empty-handed"]
    assert [(source["name"], source["status"]) for source in answer["sources"]] == [("good", "evidence"), ("bad", "failed")]


def test_all_bases_failing_is_a_failed_call_in_their_own_words() -> None:
    answer = answer_of(LookupKnowledge([ShelfKnowledge("bad", None)]))
    assert (answer["evidence_status"], answer["total_count"]) == ("failed", None)
    assert answer["error"] == {"type": "unavailable", "message": "bad: the shelf is empty-handed"}


def test_what_a_base_could_not_read_and_its_notes_are_handed_on() -> None:
    base = ShelfKnowledge("ops", page(partial_reasons=("a.md cannot be read",), notes=("b.md is odd",)))
    answer = answer_of(LookupKnowledge([base]))
    assert (answer["evidence_status"], answer["partial_reasons"]) == ("no_evidence", ["ops: a.md cannot be read"])
    assert answer["sources"][0]["notes"] == ["b.md is odd"]


def test_without_a_base_it_is_not_configured_rather_than_empty() -> None:
    with pytest.raises(NotConfiguredError, match="no runbooks are configured"):
        answer_of(LookupKnowledge([]))


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "query is required"),
        ({"query": " "}, "query is empty"),
        ({"query": ["pool"]}, "query takes text"),
        ({"query": "pool", "limit": 0}, "limit takes a whole number from 1 to 20"),
        ({"query": "pool", "limit": 21}, "limit takes a whole number from 1 to 20"),
        ({"query": "pool", "words": "pool"}, "lookup_knowledge has no parameter words"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_before_a_base_is_asked(params: dict[str, Any], said: str) -> None:
    base = ShelfKnowledge("ops", page(block("A")))
    with pytest.raises(InvalidParamsError, match=said):
        LookupKnowledge([base]).run(params, context())
    assert base.requests == []


def test_a_call_that_failed_is_no_earlier_answer() -> None:
    failed = EarlierCall(
        id="f", seq=1, input_params={"query": "pool"}, status=InvocationStatus.FAILED, dedup_of=None, output=None
    )
    answer = LookupKnowledge([ShelfKnowledge("ops", page(block("A")))]).run({"query": "pool"}, context([failed]))
    assert answer["evidence_status"] == "evidence"
