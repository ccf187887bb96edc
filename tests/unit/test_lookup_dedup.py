"""What a session that already looked something up is given when it looks again."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.domain.invocation import EarlierCall
from groundwire.domain.knowledge import KnowledgeBlock
from groundwire.domain.masking import mask_value
from groundwire.domain.names import InvocationStatus
from groundwire.tools.lookup_knowledge import LookupKnowledge
from tests.unit.test_lookup_knowledge import ShelfKnowledge, block, context, page, titles


class Session:
    """Calls the tool again and again over one shelf whose blocks can be changed, and remembers as a store does: masked."""

    def __init__(self, *blocks: KnowledgeBlock) -> None:
        self.blocks = blocks
        self.asked = 0
        self.calls: list[EarlierCall] = []

    def lookup(self, query: str, **params: Any) -> dict[str, Any]:
        base = ShelfKnowledge("ops", page(*self.blocks))
        given = {"query": query, **params}
        answer = LookupKnowledge([base]).run(given, context(tuple(self.calls)))
        self.asked += len(base.requests)
        self.remember(given, answer)
        return answer

    def remember(self, params: dict[str, Any], answer: dict[str, Any]) -> None:
        status = InvocationStatus(answer["evidence_status"])
        output = None if status is InvocationStatus.DEDUPED else mask_value(answer)
        self.calls.append(
            EarlierCall(
                id=f"call-{len(self.calls) + 1}",
                seq=len(self.calls) + 1,
                input_params=mask_value(params),
                status=status,
                dedup_of=answer.get("dedup_of"),
                output=output,
            )
        )


def _outcome(answer: dict[str, Any]) -> tuple[str, str | None, str | None, int]:
    return answer["evidence_status"], answer["dedup_reason"], answer["dedup_of"], answer["suppressed_count"]


@pytest.mark.parametrize("again", ["pool exhausted", "Exhausted POOL!", "pool, exhausted, pool"])
def test_the_same_words_are_not_looked_up_twice(again: str) -> None:
    session = Session(block("A"))
    session.lookup("pool exhausted")
    answer = session.lookup(again)
    assert _outcome(answer) == ("deduped", "repeat_query", "call-1", 0)
    assert (answer["evidence_blocks"], answer["returned_count"], answer["sources"]) == ([], 0, [])
    assert session.asked == 1


def test_a_repeat_of_a_repeat_points_at_the_original() -> None:
    session = Session(block("A"))
    for _ in range(3):
        answer = session.lookup("pool exhausted")
    assert answer["dedup_of"] == "call-1"


def test_an_empty_answer_is_an_answer_that_need_not_be_asked_for_again() -> None:
    session = Session()
    assert session.lookup("pool exhausted")["evidence_status"] == "no_evidence"
    assert _outcome(session.lookup("pool exhausted")) == ("deduped", "repeat_query", "call-1", 0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"service": "order-service"}, {"service": "payment-service"}),
        ({}, {"service": "order-service"}),
        ({"alert_name": "A"}, {"alert_name": "B"}),
        ({"limit": 2}, {"limit": 3}),
    ],
)
def test_another_service_alert_or_a_higher_limit_is_another_question(first: dict[str, Any], second: dict[str, Any]) -> None:
    session = Session()
    session.lookup("pool exhausted", **first)
    assert session.lookup("pool exhausted", **second)["evidence_status"] == "no_evidence"
    assert session.asked == 2


@pytest.mark.parametrize(("first", "second"), [({"limit": 9}, {}), ({"service": "A"}, {"service": " a"}), ({"limit": None}, {})])
def test_a_lower_limit_and_another_case_are_the_same_question(first: dict[str, Any], second: dict[str, Any]) -> None:
    session = Session()
    session.lookup("pool exhausted", **first)
    assert session.lookup("pool exhausted", **second)["dedup_reason"] == "repeat_query"


def test_a_repeat_after_a_failure_is_looked_up() -> None:
    session = Session(block("A"))
    session.remember({"query": "pool exhausted"}, {"evidence_status": "failed"})
    assert session.lookup("pool exhausted")["evidence_status"] == "evidence"


def test_a_repeat_after_an_answer_that_lacked_a_source_is_looked_up() -> None:
    session = Session(block("A"))
    half = LookupKnowledge([ShelfKnowledge("ops", page()), ShelfKnowledge("bad", None)])
    session.remember({"query": "pool exhausted"}, half.run({"query": "pool exhausted"}, context()))
    assert session.lookup("pool exhausted")["evidence_status"] == "evidence"


def test_queries_of_punctuation_alone_are_told_apart() -> None:
    session = Session()
    session.lookup("???")
    assert session.lookup("!!!")["dedup_reason"] is None
    assert session.lookup("???")["dedup_of"] == "call-1"


def test_a_query_that_holds_a_secret_is_recognised_in_its_masked_row() -> None:
    session = Session()
    query = "login fails with password=Hunter2secret9"
    session.lookup(query)
    assert "Hunter2secret9" not in str(session.calls[0].input_params)
    assert session.lookup(query)["dedup_reason"] == "repeat_query"


def test_blocks_that_were_all_returned_before_are_no_new_evidence() -> None:
    session = Session(block("A"), block("B"))
    session.lookup("pool exhausted")
    answer = session.lookup("connections run out")
    assert _outcome(answer) == ("deduped", "blocks_already_seen", "call-1", 2)
    assert (answer["evidence_blocks"], answer["returned_count"], answer["fetched_count"]) == ([], 0, 2)
    assert (answer["relevance_level"], answer["retrieval_layer"]) == ("medium", "L1")


def test_seen_blocks_are_left_out_and_the_new_ones_are_evidence() -> None:
    session = Session(block("A"), block("B"))
    session.lookup("pool exhausted")
    session.blocks = (block("A"), block("C"))
    answer = session.lookup("connections run out")
    assert titles(answer) == ["C"]
    assert _outcome(answer) == ("evidence", None, None, 1)


def test_the_call_that_returned_most_of_the_seen_blocks_is_pointed_at() -> None:
    session = Session(block("A"))
    session.lookup("one")
    session.blocks = (block("B"), block("C"))
    session.lookup("two")
    session.blocks = (block("A"), block("B"), block("C"))
    assert _outcome(session.lookup("three")) == ("deduped", "blocks_already_seen", "call-2", 3)


@pytest.mark.parametrize(
    "changed",
    [block("A", content="rewritten since"), block("A", section="Mitigation", content="what A says on Diagnosis"), block("B")],
)
def test_another_text_another_section_and_another_file_are_new(changed: KnowledgeBlock) -> None:
    session = Session(block("A"))
    session.lookup("one")
    session.blocks = (changed,)
    assert session.lookup("two")["evidence_status"] == "evidence"


def test_a_block_that_holds_a_secret_is_recognised_in_its_masked_row() -> None:
    session = Session(block("A", content="log in with password=Hunter2secret9"))
    session.lookup("one")
    assert "Hunter2secret9" not in str(session.calls[0].output)
    assert session.lookup("two")["dedup_reason"] == "blocks_already_seen"
