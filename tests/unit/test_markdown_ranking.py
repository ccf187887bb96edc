"""Which runbook answers which question, and with which of its sections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.knowledge.blocks import choose_blocks
from groundwire.adapters.knowledge.document import parse_document
from groundwire.adapters.knowledge.index import KnowledgeIndex
from groundwire.adapters.knowledge.ranking import RankedDocument, Ranking
from groundwire.domain.deadline import Deadline
from groundwire.domain.knowledge import KnowledgeBlock, KnowledgeRequest
from groundwire.domain.names import RelevanceLevel, RetrievalLayer

TEXTS = {
    "db/ReplicaLagging.md": """\
# ReplicaLagging

## Meaning

A read replica is more than a minute behind its primary.

## Diagnosis

Compare the write-ahead log positions. A vacuum that freezes a large table delays replay.

## Mitigation

Send reads to the primary until the replica has caught up.
""",
    "net/CertificateExpiring.md": """\
# CertificateExpiring

## Meaning

A TLS certificate ends within a week.

## Diagnosis

Ask the endpoint with openssl which certificate it serves.

## Mitigation

Renew the certificate and reload the proxy.
""",
    "queue/ConsumerStuck.md": """\
# ConsumerStuck

## Meaning

A consumer group makes no progress.

## Diagnosis

Look for a poison message that fails at every retry. A rebalance that never ends shows in the broker's log.

## Mitigation

Skip the poison message by moving the offset.
""",
    "all/alerts.md": """\
# Alerts of the gateway

## GatewayTooManyRetries

### Reason

Clients retry without waiting.

## GatewayHighLatencyAtEdge

### Reason

The edge cache is cold after a deployment.
""",
}


@pytest.fixture(scope="module")
def index() -> KnowledgeIndex:
    return _index(TEXTS)


def _index(texts: dict[str, str]) -> KnowledgeIndex:
    index = KnowledgeIndex()
    for source, text in texts.items():
        document = parse_document(source, text)
        assert document is not None
        index.add(document)
    return index


def _request(query: str, alert_name: str | None = None, service: str | None = None, limit: int = 5) -> KnowledgeRequest:
    return KnowledgeRequest(query=query, service=service, alert_name=alert_name, limit=limit, deadline=Deadline.after(5))


def _ranked(
    index: KnowledgeIndex, query: str, alert_name: str | None = None, service: str | None = None
) -> tuple[RankedDocument, ...]:
    return Ranking(index, _request(query, alert_name, service)).documents()


def _blocks(index: KnowledgeIndex, query: str, alert_name: str | None = None, limit: int = 5) -> tuple[KnowledgeBlock, ...]:
    request = _request(query, alert_name, limit=limit)
    return choose_blocks(index, Ranking(index, request).documents(), limit)


def test_the_section_that_holds_the_words_is_the_block(index: KnowledgeIndex) -> None:
    block = _blocks(index, "poison message fails on retry")[0]
    assert (block.source, block.section, block.layer) == ("queue/ConsumerStuck.md", "Diagnosis", RetrievalLayer.L1)


def test_the_abstract_is_the_block_where_no_section_matches_better(index: KnowledgeIndex) -> None:
    block = _blocks(index, "replica far behind primary by minutes")[0]
    assert (block.source, block.section, block.layer) == ("db/ReplicaLagging.md", "", RetrievalLayer.L0)
    assert block.content == "A read replica is more than a minute behind its primary."


@pytest.mark.parametrize("query", ["certificates expire", "CERTIFICATE expiration", "certif"])
def test_words_are_found_whatever_their_ending_and_case(index: KnowledgeIndex, query: str) -> None:
    assert _ranked(index, query)[0].number == 1


def test_a_compound_in_a_title_is_found_by_its_words(index: KnowledgeIndex) -> None:
    assert _ranked(index, "stuck consumer")[0].number == 2


@pytest.mark.parametrize("alert_name", ["ReplicaLagging", "replicalagging", "Replica Lagging", "replica_lagging"])
def test_the_runbook_of_the_asked_alert_comes_first_with_high_relevance(index: KnowledgeIndex, alert_name: str) -> None:
    first = _ranked(index, "poison message", alert_name)[0]
    assert (first.number, first.level, first.is_named) == (0, RelevanceLevel.HIGH, True)


@pytest.mark.parametrize("query", ["why does ReplicaLagging fire", "is it replicalagging?", "(ReplicaLagging)"])
def test_an_alert_named_in_the_question_counts_as_asked_for(index: KnowledgeIndex, query: str) -> None:
    assert _ranked(index, query)[0].is_named


def test_the_words_of_a_name_spelled_apart_name_nothing(index: KnowledgeIndex) -> None:
    assert not _ranked(index, "replica lagging behind")[0].is_named


def test_an_alert_that_is_a_heading_gives_the_sections_below_that_heading(index: KnowledgeIndex) -> None:
    blocks = _blocks(index, "what now", "GatewayHighLatencyAtEdge")
    assert blocks[0].section == "GatewayHighLatencyAtEdge > Reason"
    assert {block.source for block in blocks} == {"all/alerts.md"}


def test_an_alert_without_a_runbook_is_looked_up_by_its_words(index: KnowledgeIndex) -> None:
    first = _ranked(index, "something odd", "ConsumerGroupStuck")[0]
    assert (first.number, first.is_named) == (2, False)


def test_a_named_runbook_gives_its_whole_advice_and_leaves_a_block_to_the_rest(index: KnowledgeIndex) -> None:
    blocks = _blocks(index, "poison message at retry", "CertificateExpiring")
    assert [block.source for block in blocks] == ["net/CertificateExpiring.md"] * 3 + ["queue/ConsumerStuck.md"] * 2
    assert {block.section for block in blocks[:3]} == {"", "Diagnosis", "Mitigation"}


def test_a_section_that_is_the_abstract_to_the_letter_is_not_given_twice(index: KnowledgeIndex) -> None:
    contents = [block.content for block in _blocks(index, "x", "CertificateExpiring", limit=20)]
    assert len(contents) == len(set(contents))


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_limit_holds(index: KnowledgeIndex, limit: int) -> None:
    assert len(_blocks(index, "certificate replica message", "CertificateExpiring", limit=limit)) == limit


@pytest.mark.parametrize("query", ["banana bread recipe", "quarterly sales figures", "如何", "what is it", "!!!", '"'])
def test_a_question_about_something_else_finds_nothing(index: KnowledgeIndex, query: str) -> None:
    assert _ranked(index, query) == ()


def test_a_service_orders_documents_and_makes_none_relevant(index: KnowledgeIndex) -> None:
    assert _ranked(index, "banana bread", None, "consumer") == ()
    both = "replica message"
    assert _ranked(index, both, None, "consumer")[0].number == 2
    assert _ranked(index, both, None, "read-replica")[0].number == 0


def test_a_word_that_every_document_holds_still_finds_them() -> None:
    index = _index({"a.md": "the pool is empty\n", "b.md": "the pool is full\n"})
    assert [document.number for document in _ranked(index, "full pool")] == [1, 0]


def test_the_only_document_of_a_folder_can_be_found() -> None:
    assert _ranked(_index({"a.md": "the pool is empty\n"}), "pool empty")[0].level is RelevanceLevel.HIGH


def test_words_scattered_over_a_long_handbook_do_not_make_it_relevant() -> None:
    words = ("poison", "certificate", "replica", "cache", "gateway")
    chapters = "\n".join(f"## Chapter {word}\n\n{word} " + "lorem ipsum dolor " * 150 + "\n" for word in words)
    index = _index({**TEXTS, "handbook.md": f"# Handbook\n\n{chapters}"})
    levels = {document.number: document.level for document in _ranked(index, " ".join(words))}
    assert levels.get(len(TEXTS), RelevanceLevel.NONE) in {RelevanceLevel.NONE, RelevanceLevel.LOW}


def test_a_script_without_spaces_is_found_by_any_two_characters_of_it() -> None:
    index = _index({**TEXTS, "zh.md": "# 数据库连接池耗尽\n\n## 含义\n\n所有连接都在使用中。\n"})
    assert _ranked(index, "连接池")[0].number == len(TEXTS)
    assert _ranked(index, "如何") == ()


@given(
    st.text(max_size=120)
    | st.lists(
        st.sampled_from(["AND", "OR", "NOT", "NEAR(", ")", '"', "'", "*", "^", ":", "title:", "{a b}:", "-", "+", "\x00"])
    ).map(" ".join),
    st.none() | st.text(min_size=1, max_size=40),
)
def test_no_text_of_a_query_is_ever_search_syntax(query: str, alert_name: str | None) -> None:
    request = _request(query, alert_name, service=query)
    choose_blocks(INDEX, Ranking(INDEX, request).documents(), 5)


INDEX = _index(TEXTS)
