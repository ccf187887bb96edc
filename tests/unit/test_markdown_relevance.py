"""The rule by which an answer is called relevant."""

from __future__ import annotations

import math

import pytest

from groundwire.adapters.knowledge.relevance import covered_share, rarity, relevance, strongest
from groundwire.domain.names import RelevanceLevel

FIVE = dict.fromkeys(("pods", "restart", "counter", "rising", "night"), 1.0)


def _level(weights: dict[str, float], document: str, block: str = "", title: str = "") -> RelevanceLevel:
    return relevance(weights, in_document=document.split(), in_block=block.split(), in_title=title.split())


@pytest.mark.parametrize(
    ("document", "block", "level"),
    [
        ("pods restart counter rising night", "pods restart counter rising night", "high"),
        ("pods restart counter rising night", "pods restart", "medium"),
        ("pods restart counter", "pods", "medium"),
        ("pods restart", "pods restart", "low"),
        ("pods", "pods", "low"),
        ("", "", "none"),
    ],
)
def test_relevance_is_how_much_of_the_question_is_there_and_whether_in_one_block(document: str, block: str, level: str) -> None:
    assert _level(FIVE, document, block) == level


def test_two_words_make_three_fifths_of_a_short_question_medium() -> None:
    assert _level(dict.fromkeys(("disk", "full", "now"), 1.0), "disk full", "disk") is RelevanceLevel.MEDIUM


def test_common_words_alone_are_no_answer_to_a_rare_question() -> None:
    weights = {"service": 0.1, "error": 0.1, "request": 0.1, "kafka": 4.0}
    assert _level(weights, "service error request", "service error request") is RelevanceLevel.NONE


def test_a_single_word_is_high_in_a_title_and_medium_in_the_text() -> None:
    assert _level({"conntrack": 3.0}, "conntrack", "conntrack", "conntrack") is RelevanceLevel.HIGH
    assert _level({"conntrack": 3.0}, "conntrack", "conntrack") is RelevanceLevel.MEDIUM


def test_a_question_without_words_is_answered_by_nothing() -> None:
    assert _level({}, "") is RelevanceLevel.NONE
    assert covered_share([], {}) == 0.0


def test_rarity_grows_as_fewer_documents_hold_the_word_and_never_reaches_zero() -> None:
    assert rarity(0, 100) == pytest.approx(math.log(202))  # 1 + 100.5 / 0.5
    assert rarity(0, 100) > rarity(1, 100) > rarity(99, 100) > rarity(100, 100) > 0


def test_the_strongest_of_no_levels_is_none() -> None:
    assert strongest([]) is RelevanceLevel.NONE
    assert strongest([RelevanceLevel.LOW, RelevanceLevel.HIGH, RelevanceLevel.MEDIUM]) is RelevanceLevel.HIGH
