"""What another tool was measured to get wrong, and what servers do that must not be misread: row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from groundwire.domain.names import Decision
from tests.acceptance import peer_logs as logs
from tests.acceptance import peer_metrics as metrics
from tests.unit import test_model_driven as driven
from tests.unit import test_model_driven_limits as limits
from tests.unit import test_model_endings as endings
from tests.unit.model_turns import CAUSE, SYMPTOM, Investigated, says, submits

Check = Callable[[Path], None]


def _arguments_of_a_model(tmp_path: Path) -> None:
    for arguments in ("{broken", "[1]", ""):
        driven.test_broken_arguments_are_an_invalid_params_row_and_reach_no_tool(arguments)


def _a_draft_without_a_call(tmp_path: Path) -> None:
    done = Investigated(submits(SYMPTOM, CAUSE))
    assert done.rows == ()
    assert done.answer.decision is not Decision.PASS
    assert "bank.example" not in done.shown
    assert "CheckoutErrors is firing" not in done.shown


def _prose_without_a_call(tmp_path: Path) -> None:
    done = Investigated(says("checkout fails because the bank is down."))
    assert done.answer.decision is not Decision.PASS
    assert "the bank is down" not in done.shown


def _a_cut_answer(tmp_path: Path) -> None:
    endings.test_where_no_draft_came_the_answer_says_why_and_shows_what_was_found(
        says("checkout fails because the bank is down", "length"), "no usable draft: it was cut off by its length limit."
    )


def _a_cut_call(tmp_path: Path) -> None:
    limits.test_a_call_that_was_cut_off_is_not_run()


TABLE: Final[Mapping[str, tuple[Check, ...]]] = {
    "Prometheus answers 200 with an empty vector": (metrics.an_empty_vector_is_an_answer_and_no_error,),
    "Prometheus returns 3,000 series": (metrics.three_thousand_series_are_evidence_and_counted,),
    "Prometheus warnings (a partial answer)": (metrics.warnings_make_the_row_partial_with_or_without_series,),
    "Elasticsearch timed_out, 4 of 5 shards failed, 0 hits": (
        logs.failed_shards_and_a_search_that_timed_out_are_told_although_nothing_was_found,
    ),
    "current container logs fail with 503, the previous container's logs come": (
        logs.a_source_that_fails_stays_visible_beside_one_that_answers,
        logs.a_source_that_fails_beside_one_that_has_nothing_proves_no_absence,
    ),
    "grep finds nothing (exit 1)": (logs.a_search_that_finds_nothing_is_an_answer_with_its_scope_and_no_error,),
    "an identical call after a time-out": (
        metrics.the_same_call_after_a_timeout_is_asked_again,
        logs.the_same_search_after_a_timeout_is_asked_again,
    ),
    "the model's arguments are not JSON": (_arguments_of_a_model, metrics.arguments_that_cannot_be_read_ask_nothing),
    "a fabricated answer, no tool called": (_a_draft_without_a_call, _prose_without_a_call),
    "the answer is cut by its length limit": (_a_cut_answer, _a_cut_call),
    "one invalid UTF-8 byte in the output": (
        metrics.one_invalid_byte_costs_that_byte_and_nothing_else,
        logs.one_invalid_byte_costs_nothing_else_of_a_file_or_an_answer,
    ),
}
"""What the other tool was given, in the order it was measured."""

SERVERS: Final[Mapping[str, Check]] = {
    "Loki: 200 with nothing, chunks referenced, 0 bytes read": (
        logs.nothing_from_a_loki_that_knows_of_chunks_is_unknown_and_not_empty
    ),
    "Loki: errors are text/plain with status 400": logs.what_loki_refuses_in_plain_text_is_said_in_its_words,
    "VictoriaMetrics: 200 and no alerts without vmalert": metrics.victoria_metrics_without_vmalert_is_unknown_and_not_no_alerts,
    "VictoriaLogs: an empty result is 0 bytes": logs.no_bytes_from_victorialogs_are_an_empty_answer,
    "Prometheus: values as strings, NaN, pending beside firing": metrics.pending_stands_apart_and_texts_become_numbers,
    "Alertmanager: an error is a bare JSON string": metrics.an_error_that_is_a_bare_json_string_is_said,
    "Alertmanager: a silenced alert is suppressed": metrics.a_silenced_alert_is_suppressed_and_not_gone,
}
"""What real servers do."""


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize(("row", "check"), [(row, check) for row, checks in TABLE.items() for check in checks])
def test_what_another_tool_gets_wrong_is_right_here(row: str, check: Check, tmp_path: Path) -> None:
    check(tmp_path)


@pytest.mark.parametrize("does", SERVERS)
def test_what_a_server_does_is_not_misread(does: str, tmp_path: Path) -> None:
    SERVERS[does](tmp_path)
