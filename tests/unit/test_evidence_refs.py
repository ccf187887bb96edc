"""Refs: one for each usable entry, made of concrete fields, resolving in the output."""

from __future__ import annotations

from typing import Any
from unittest import mock

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.names import EvidenceLevel, Trust
from groundwire.domain.raw_path import parse_ref, resolve
from groundwire.evidence import refs
from groundwire.evidence.items import TEXT_LIMIT
from groundwire.evidence.refs import evidence_ref_items, evidence_refs
from tests.unit.rows import WINDOW, alert, alerts_output, block, blocks_output, log, logs_output

_REGULAR = st.fixed_dictionaries(
    {
        "timestamp": st.sampled_from(
            [
                "2026-11-12T09:00:00Z",
                "2026-11-12T09:59:59.999Z",
                "2026-11-12T10:00:00Z",
                "2026-11-12T11:30:00+02:00",
                "2026-11-12 23:00:00Z",
                "2025-11-12T09:30:00.000001Z",
            ]
        ),
        "level": st.sampled_from(["ERROR", "INFO"]),
        "service": st.sampled_from(["checkout", "payment"]),
        "instance": st.sampled_from(["checkout", "checkout-7f", None, ""]),
        "message": st.text(min_size=1, max_size=20)
        | st.sampled_from(["a  b", " a ", "a\n\tat b", "a\r", "x" * 600, "\x1f", "\xa0"]),
    }
)
_IRREGULAR = st.fixed_dictionaries(
    {},
    optional={
        "timestamp": st.sampled_from(["", None, "yesterday", "2026-11-12T09:30:00", "2026-11-12"]),
        "level": st.sampled_from([None, "", "WARN"]),
        "service": st.sampled_from([None, "", "cart"]),
        "instance": st.just("cart-1"),
        "message": st.sampled_from([None, "", "said something"]),
    },
)


def test_a_log_ref_is_made_of_timestamp_level_service_instance_and_message() -> None:
    item = {**log("disk full", clock="09:31:02"), "instance": "checkout-7f"}
    (ref,) = evidence_refs("query_logs", 2, logs_output(item), WINDOW)
    assert ref.ref_id == "i2.logs.0"
    assert ref.raw_path == "$.logs[0]"
    assert ref.text == "2026-11-12T09:31:02Z ERROR checkout checkout-7f: disk full"
    assert (ref.level, ref.trust) == (EvidenceLevel.DIRECT, Trust.EMITTED)


def test_an_alert_ref_is_made_of_name_state_service_severity_value_and_onset() -> None:
    (ref,) = evidence_refs("query_metrics", 1, alerts_output(alert()), WINDOW)
    assert ref.text == (
        "CheckoutErrors firing service=checkout severity=critical value=0.23 active since 2026-11-12T09:25:00Z for 35 min"
    )
    assert (ref.raw_path, ref.trust) == ("$.alerts[0]", Trust.MEASURED)


def test_a_field_that_is_not_there_leaves_no_trace_in_the_text() -> None:
    bare = {"alert_name": "X", "state": "firing", "service": None, "severity": None, "value": None, "active_at": None}
    (ref,) = evidence_refs("query_metrics", 1, alerts_output(bare), WINDOW)
    assert ref.text == "X firing"


def test_a_series_ref_says_first_last_minimum_maximum_and_when() -> None:
    series = {"metric": "up", "labels": {"job": "node"}, "points": [[1794475800, 1], [1794475860, None], [1794475920, 0.25]]}
    output = {**alerts_output(), "evidence_status": "evidence", "returned_count": 1, "series": [series]}
    (ref,) = evidence_refs("query_metrics", 3, output, WINDOW)
    assert ref.ref_id == "i3.series.0"
    assert ref.text == (
        "first 1 at 2026-11-12T09:30:00Z, last 0.25 at 2026-11-12T09:32:00Z, "
        "minimum 0.25, maximum 1 at 2026-11-12T09:30:00Z: up{job=node}"
    )


def test_a_knowledge_ref_is_indirect_whatever_it_says() -> None:
    (ref,) = evidence_refs("lookup_knowledge", 4, blocks_output(block("Restart it now.")), WINDOW)
    assert ref.text == "Checkout runbook / Meaning (checkout.md): Restart it now."
    assert (ref.ref_id, ref.raw_path) == ("i4.blocks.0", "$.evidence_blocks[0]")
    assert (ref.level, ref.trust) == (EvidenceLevel.INDIRECT, Trust.WRITTEN)


def test_a_line_outside_the_session_window_is_indirect() -> None:
    output = logs_output(log("late", clock="10:00:00"), log("in time", clock="09:59:59"), log("early", clock="08:59:59"))
    levels = [ref.level for ref in evidence_refs("query_logs", 1, output, WINDOW)]
    assert levels == [EvidenceLevel.INDIRECT, EvidenceLevel.DIRECT, EvidenceLevel.INDIRECT]


def test_an_alert_is_direct_when_its_active_interval_overlaps_the_window() -> None:
    earlier = {**alert(), "active_at": "2026-11-12T07:00:00Z", "ends_at": "2026-11-12T08:00:00Z"}
    spanning = {**alert(), "active_at": "2026-11-11T07:00:00Z", "ends_at": "2026-11-13T08:00:00Z"}
    saved_before = {**alert(), "active_at": "2026-11-12T07:00:00Z", "as_of": "2026-11-12T08:00:00Z"}
    output = alerts_output(earlier, spanning, saved_before)
    levels = [ref.level for ref in evidence_refs("query_metrics", 1, output, WINDOW)]
    assert levels == [EvidenceLevel.INDIRECT, EvidenceLevel.DIRECT, EvidenceLevel.INDIRECT]


def test_entries_that_say_nothing_get_no_ref_and_do_not_shift_the_others() -> None:
    output = logs_output(log(""), log("said something"))
    (ref,) = evidence_refs("query_logs", 1, output, WINDOW)
    assert (ref.ref_id, ref.raw_path) == ("i1.logs.1", "$.logs[1]")


@given(st.lists(st.text(max_size=900), max_size=5))
def test_every_raw_path_resolves_and_every_text_is_bounded(messages: list[str]) -> None:
    output = logs_output(*(log(message) for message in messages))
    for ref in evidence_refs("query_logs", 7, output, WINDOW):
        assert resolve(output, ref.raw_path)["message"]
        assert len(ref.text) <= TEXT_LIMIT
        parsed = parse_ref(ref.ref_id)
        assert parsed is not None
        assert (parsed.seq, parsed.raw_path) == (7, ref.raw_path)


@given(st.lists(_REGULAR, max_size=6), st.lists(_IRREGULAR | st.sampled_from([None, "text", 7, []]), max_size=1))
def test_a_list_read_at_once_gives_the_refs_of_its_entries_one_by_one(regular: list[Any], irregular: list[Any]) -> None:
    output = {**logs_output(), "logs": [*regular, *irregular]}

    at_once = evidence_ref_items("query_logs", 3, output, WINDOW)

    with mock.patch.object(refs, "regular_logs", return_value=None):
        assert at_once == evidence_ref_items("query_logs", 3, output, WINDOW)


def test_a_list_of_more_than_a_thousand_entries_has_a_ref_for_each() -> None:
    items = evidence_ref_items("query_logs", 1, logs_output(*[log("x")] * 1001), WINDOW)
    assert (len(items), items[-1]["ref_id"], items[-1]["raw_path"]) == (1001, "i1.logs.1000", "$.logs[1000]")


@pytest.mark.parametrize("written", ["2026-11-13 09:30:00Z", "20261113T093000Z"])
def test_a_time_in_another_spelling_is_read_as_a_time_and_not_as_text(written: str) -> None:
    item = {**log("late"), "timestamp": written}
    (ref,) = evidence_refs("query_logs", 1, logs_output(item), WINDOW)
    assert ref.level is EvidenceLevel.INDIRECT


def test_refs_survive_json() -> None:
    (ref,) = evidence_refs("query_logs", 1, logs_output(log("x")), WINDOW)
    assert set(orjson.loads(orjson.dumps(ref.to_json()))) == {"ref_id", "raw_path", "text", "level", "trust"}


def test_what_is_not_written_like_a_ref_is_none() -> None:
    for text in ("", "2", "i", "i2.", "i2.logs", "i2.logs.x", "i2.other.1", "x.i2", "i2.logs.1 "[:-1] + "]"):
        assert parse_ref(text) is None


def test_an_alert_of_a_window_that_has_passed_is_direct_by_when_it_was_seen() -> None:
    def seen(first: str, last: str, spells: int = 1) -> dict[str, object]:
        ends = {"active_at": None, "ends_at": f"2026-11-12T{last}Z", "as_of": "2026-11-12T12:00:00Z", "duration_ms": None}
        when = {"first_at": f"2026-11-12T{first}Z", "last_at": f"2026-11-12T{last}Z", "spells": spells}
        return {**alert(), "value": None, **ends, "seen": when}

    inside, later = evidence_refs(
        "query_metrics", 1, alerts_output(seen("09:10:00", "09:20:00", 2), seen("11:10:00", "11:20:00")), WINDOW
    )
    assert (inside.level, later.level) == (EvidenceLevel.DIRECT, EvidenceLevel.INDIRECT)
    when = "seen from 2026-11-12T09:10:00Z to 2026-11-12T09:20:00Z in 2 spells"
    assert inside.text == f"CheckoutErrors firing service=checkout severity=critical {when}"
