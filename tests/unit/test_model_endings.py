"""What the reader of an answer is told of how the investigation ended: at which limit, or why there is no draft."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from groundwire.domain.model import ModelMessage, ModelReply
from groundwire.domain.names import Decision
from groundwire.investigators.model_driven import Limits
from groundwire.rendering.answer_json import answer_json
from groundwire.rendering.answer_text import render_text
from groundwire.services.history import answer_of
from groundwire.testing.model import Turn
from tests.unit.model_turns import ALERTS, CAUSE, GOOD, LOGS, SYMPTOM, WRONG, Investigated, asks, call, says, stated, submits

AT_THREE = "The investigation ended at its limit of 3 model requests; nothing beyond was looked at."


@pytest.mark.parametrize(
    ("draft", "decision"),
    [(GOOD, Decision.PASS), (submits(SYMPTOM), Decision.LOW_CONFID), (submits(WRONG, CAUSE), Decision.REJECT)],
)
def test_every_answer_names_the_limit_at_which_it_ended(draft: ModelReply, decision: Decision) -> None:
    done = Investigated(ALERTS, LOGS, draft, limits=Limits(max_requests=3))
    assert done.answer.decision is decision
    assert AT_THREE in done.shown
    assert answer_json(done.answer)["limit"] == "3 model requests"


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(max_requests=4), "4 model requests"),
        (Limits(max_tool_calls=2), "2 tool calls"),
        (Limits(max_tokens=3_000), "3,000 tokens (600 are spent, and each further request sends about 1,"),
    ],
)
def test_one_that_never_comes_to_a_draft_shows_the_limit_and_what_was_found(limits: Limits, limit: str) -> None:
    done = Investigated(ALERTS, LOGS, limits=limits)
    assert (done.answer.limit or "").startswith(limit)
    assert f"ended at its limit of {limit}" in done.shown
    assert "Something was found, and no complete draft states it." in done.shown
    assert "A complete draft of what was found." in done.shown
    assert "What the evidence says" in done.shown
    assert "CheckoutErrors" in done.shown
    assert "bank.example did not answer" in done.shown


def test_a_request_that_lasts_to_the_end_of_the_time_is_an_end_at_the_limit_of_time() -> None:
    release = threading.Event()

    def hang(messages: Sequence[ModelMessage]) -> ModelReply:
        release.wait(30)
        return GOOD

    done = Investigated(hang, limits=Limits(max_seconds=0.2))
    release.set()
    assert done.answer.limit == "0.2 seconds"


def test_an_investigation_within_its_limits_names_none() -> None:
    done = Investigated(ALERTS, LOGS, GOOD)
    assert answer_json(done.answer)["limit"] is None
    assert "limit" not in done.shown


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (says("The datab", "length"), "no usable draft: it was cut off by its length limit."),
        (says("no", "refusal"), "no usable draft: it refuses."),
        (says("", "content_filter"), "no usable draft: it was withheld by a content filter."),
        (
            says("Checkout fails because the bank is down."),
            "no usable draft: it holds no draft: it is prose, and no JSON object.",
        ),
    ],
)
def test_where_no_draft_came_the_answer_says_why_and_shows_what_was_found(reply: ModelReply, words: str) -> None:
    done = Investigated(ALERTS, LOGS, reply)
    assert f"The investigation was cut off: the model gave {words}" in done.shown
    assert "What the evidence says" in done.shown
    assert "bank.example did not answer" in done.shown
    assert "the bank is down" not in done.shown


@pytest.mark.parametrize("turns", [(ALERTS, LOGS, GOOD), (ALERTS, LOGS)])
def test_a_session_that_is_shown_later_says_the_same(turns: tuple[Turn, ...]) -> None:
    done = Investigated(*turns, limits=Limits(max_requests=3))
    (evaluation,) = done.store.evaluations(done.session.id)
    again = answer_of(done.session, evaluation, done.store, done.store)
    assert render_text(again) == render_text(done.answer)
    assert AT_THREE in " ".join(render_text(again).split())


def test_a_claim_that_is_too_long_goes_back_once_and_is_never_shown() -> None:
    flood = submits(SYMPTOM, CAUSE, stated("It may be " + "so " * 30_000, kind="hypothesis", role="context", name="flood"))
    mended = Investigated(ALERTS, LOGS, flood, GOOD)
    assert mended.answer.decision is Decision.PASS
    assert "claim 3 has 90,009 characters" in mended.said()
    stubborn = Investigated(ALERTS, LOGS, flood)
    assert stubborn.answer.decision is Decision.LOW_CONFID
    assert "claim 3 has 90,009 characters; it takes one sentence of at most 2,000." in stubborn.shown
    assert len(stubborn.shown) < 10_000


def test_a_flood_that_is_no_draft_is_told_so_and_is_not_sent_again_whole() -> None:
    done = Investigated(ALERTS, LOGS, says("x" * 5_000_000), GOOD)
    assert done.answer.decision is Decision.PASS
    assert done.answer.limit is None
    assert 8_000 < max(len(message.text) for message in done.model.requests[-1].messages) < 8_100


def test_a_limit_of_tokens_that_a_flood_in_a_call_brings_near_says_what_is_spent_and_what_would_be_sent() -> None:
    done = Investigated(ALERTS, LOGS, asks(call("query_logs", {"query": "x" * 5_000_000})))
    assert done.answer.limit is not None
    limit, spent = "200,000 tokens", "360 are spent, and each further request sends about 1,25"
    assert done.answer.limit.startswith(f"{limit} ({spent}")
    assert f"ended at its limit of {limit} ({spent}" in done.shown
    assert "360 tokens" in done.shown
    assert "raise model_max_total_tokens" in done.shown
