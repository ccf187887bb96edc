"""Verifier-facing entries: what was found, failed, empty and repeated, whatever the order of the calls."""

from __future__ import annotations

import itertools

import orjson
import pytest

from groundwire.domain.names import EvidenceLevel
from groundwire.evidence.preview import make_preview
from groundwire.evidence.summary import EXCERPT_LIMIT, summarize_digests
from groundwire.ports import InvocationDigest
from tests.unit.rows import (
    WINDOW,
    alert,
    alerts_output,
    block,
    blocks_output,
    digest,
    failed_output,
    log,
    logs_output,
    row,
    running,
)


def logs_found(seq: int, *messages: str, clock: str = "09:30:00") -> InvocationDigest:
    return digest(row(seq, "query_logs", logs_output(*(log(message, clock=clock) for message in messages))))


def logs_empty(seq: int) -> InvocationDigest:
    return digest(row(seq, "query_logs", logs_output()))


def logs_failed(seq: int, error_type: str = "timeout", message: str = "loki: no answer within 20 s") -> InvocationDigest:
    return digest(row(seq, "query_logs", failed_output(error_type, message)))


def lookup_deduped(seq: int) -> InvocationDigest:
    output = {**blocks_output(), "evidence_status": "deduped", "dedup_reason": "repeat_query", "dedup_of": "call-1"}
    return digest(row(seq, "lookup_knowledge", output))


def test_a_failed_call_stays_and_its_reason_is_told_in_the_backends_words() -> None:
    (entry,) = summarize_digests([logs_failed(1)], WINDOW)
    assert entry.success is False
    assert entry.failed_count == 1
    assert entry.evidence_level is EvidenceLevel.NONE
    assert "loki: no answer within 20 s" in entry.output_summary
    assert "gap" in entry.output_summary


def test_an_interrupted_call_counts_as_failed() -> None:
    (entry,) = summarize_digests([running(row(1, "query_logs", logs_output()))], WINDOW)
    assert (entry.success, entry.failed_count) == (False, 1)
    assert "it was not completed" in entry.output_summary


def test_an_empty_answer_is_called_no_evidence_and_raises_nothing() -> None:
    (entry,) = summarize_digests([logs_empty(1), logs_empty(2)], WINDOW)
    assert entry.success is True
    assert entry.evidence_level is EvidenceLevel.NONE
    assert (entry.call_count, entry.no_hit_count) == (2, 2)
    assert "no evidence" in entry.output_summary
    assert entry.excerpts == ()


def test_a_repeated_lookup_is_called_no_new_evidence_and_raises_nothing() -> None:
    found = digest(row(1, "lookup_knowledge", blocks_output(block("Check the pool."))))
    (entry,) = summarize_digests([found, lookup_deduped(2)], WINDOW)
    assert entry.evidence_level is EvidenceLevel.INDIRECT
    assert (entry.call_count, entry.deduped_count) == (2, 1)
    assert "no new evidence" in entry.output_summary
    (alone,) = summarize_digests([lookup_deduped(3)], WINDOW)
    assert alone.evidence_level is EvidenceLevel.NONE


MIXED = (
    logs_found(1, "direct hit"),
    logs_found(2, "from another day", clock="08:00:00"),
    logs_empty(3),
    logs_failed(4),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_merging_keeps_the_strongest_level_and_all_counts_in_whatever_order(order: tuple[int, ...]) -> None:
    (entry,) = summarize_digests([MIXED[index] for index in order], WINDOW)
    assert entry.evidence_level is EvidenceLevel.DIRECT
    assert (entry.call_count, entry.failed_count, entry.no_hit_count) == (4, 1, 1)
    assert set(entry.source_invocation_ids) == {"call-1", "call-2", "call-3", "call-4"}
    assert entry.excerpts[0].startswith("[i1.logs.0] ")
    assert "direct hit" in entry.excerpts[0]


def test_one_direct_hit_among_many_calls_has_a_bounded_excerpt_and_every_call_id() -> None:
    many = [logs_empty(seq) for seq in range(1, 60)]
    many[37] = logs_found(38, "the one " + "x" * 2000)
    (entry,) = summarize_digests(many, WINDOW)
    assert entry.evidence_level is EvidenceLevel.DIRECT
    assert entry.source_invocation_ids == tuple(f"call-{seq}" for seq in range(1, 60))
    (excerpt,) = entry.excerpts
    assert excerpt.startswith("[i38.logs.0] 2026-11-12T09:30:00Z ERROR checkout: the one xxx")
    assert len(excerpt) <= EXCERPT_LIMIT + len("[i38.logs.0] ")


def test_a_measured_hit_is_stronger_than_an_emitted_one_of_the_same_level() -> None:
    strong = digest(row(9, "query_metrics", alerts_output(alert())))._replace(tool_name="query_logs")
    (entry,) = summarize_digests([*(logs_found(seq, "line") for seq in range(1, 6)), strong], WINDOW)
    assert entry.excerpts[0].startswith("[i9.alerts.0] ")


def test_rows_of_another_service_or_tool_stand_in_entries_of_their_own() -> None:
    other = digest(row(2, "query_logs", logs_output(log("x", service="cart"), service="cart")))
    alerts = digest(row(3, "query_metrics", alerts_output(alert())))
    entries = summarize_digests([logs_found(1, "y"), other, alerts], WINDOW)
    assert [(entry.tool_name, entry.topic_domain) for entry in entries] == [
        ("query_logs", "checkout"),
        ("query_logs", "cart"),
        ("query_metrics", "checkout"),
    ]


def test_the_topic_domain_is_general_when_no_label_is_known() -> None:
    (entry,) = summarize_digests([digest(row(1, "query_logs", logs_output(service=None)))], WINDOW)
    assert entry.topic_domain == "general"


def cut_preview(seq: int, cut_at: str, kept: int) -> InvocationDigest:
    """A row without refs whose preview was cut ``kept`` characters into ``cut_at``."""
    output = logs_output(log("pool exhausted: active=50/50"), log("and one more", clock="09:29:00"))
    text = orjson.dumps(output).decode()
    preview = text[: text.index(cut_at) + kept]
    with pytest.raises(orjson.JSONDecodeError):
        orjson.loads(preview)
    return digest(row(seq, "query_logs", output), preview=preview, refs=[])


@pytest.mark.parametrize(("cut_at", "kept"), [("active=50/50", 12), ("active=50/50", 9), ("and one more", 4), ("09:29:00", 3)])
def test_a_preview_cut_in_the_middle_of_its_json_still_holds_its_hit(cut_at: str, kept: int) -> None:
    (entry,) = summarize_digests([cut_preview(1, cut_at, kept)], WINDOW)
    assert entry.success is True
    assert entry.evidence_level is EvidenceLevel.DIRECT
    assert "pool exhausted" in entry.excerpts[0]
    assert entry.no_hit_count == 0


def test_a_preview_without_a_concrete_hit_is_no_evidence() -> None:
    made = row(1, "query_logs", logs_output(log("x")))
    for preview in ('{"evidence_status":"evi', '{"logs":[', "<html>", None):
        (entry,) = summarize_digests([digest(made, preview=preview, refs=[])], WINDOW)
        assert entry.evidence_level is EvidenceLevel.NONE


def test_a_preview_is_cut_at_a_character_and_says_that_it_was() -> None:
    assert make_preview(b'{"a":1}') == ('{"a":1}', False)
    text, truncated = make_preview(("ä" * 5000).encode())
    assert (text, truncated) == ("ä" * 4000, True)
