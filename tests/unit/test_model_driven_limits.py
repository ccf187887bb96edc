"""How a model-driven investigation ends: at its limits, at a fault, at a reply that is no draft."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from groundwire.domain.model import ModelFault, ModelMessage, ModelReply
from groundwire.domain.names import Decision, DegradedReason
from groundwire.investigators.model_driven import Limits
from groundwire.ports import CallContext
from groundwire.testing import ScriptedTool
from groundwire.testing.model import Turn
from tests.unit.model_turns import ALERTS, GOOD, LOGS, SYMPTOM, Investigated, ask, asks, call, says, submits
from tests.unit.rows import log, logs_output
from tests.unit.sessions import found_tools


def is_incomplete(done: Investigated) -> bool:
    assert done.answer.claims == ()
    return (done.answer.decision, done.answer.degraded_reason) == (Decision.LOW_CONFID, DegradedReason.DRAFT_INCOMPLETE)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(max_requests=3), "3 model requests"),
        (Limits(max_tool_calls=2), "2 tool calls"),
        (Limits(max_tokens=1_800), "1,800 tokens (240 are spent, and each further request sends about 8"),
    ],
)
def test_at_a_limit_the_draft_is_asked_for_once_with_what_there_is(limits: Limits, words: str) -> None:
    done = Investigated(ALERTS, LOGS, GOOD, limits=limits)
    assert done.answer.decision is Decision.PASS
    assert words in done.notes
    assert [offer.name for offer in done.model.requests[-1].tools] == ["submit_draft"]
    assert f"The limit of {words}" in done.said()


@pytest.mark.parametrize(("limit", "most"), [(8_000, 2_400), (80_000, 24_000)])
def test_the_results_of_a_turn_take_three_tenths_of_the_context_at_most(limit: int, most: int) -> None:
    tools = found_tools() | {"query_logs": ScriptedTool("query_logs", logs_output(*[log("x" * 1_000)] * 50))}
    done = Investigated(LOGS, submits(), tools=tools, limits=Limits(max_context=limit))
    (told,) = done.told(1)
    assert most * 0.5 < len(told.text) < most + 1_000
    assert "Texts left out here" in told.text


def test_older_results_lose_their_texts_once_the_context_is_full() -> None:
    tools = found_tools() | {"query_logs": ScriptedTool("query_logs", logs_output(*[log("x" * 1_000)] * 50))}
    turns = [ask("query_logs", f"c{number}", service="checkout", limit=number) for number in range(1, 9)]
    done = Investigated(*turns, submits(), tools=tools, limits=Limits(max_context=12_000))
    assert sum(len(message.text) for message in done.model.requests[-1].messages) < 12_000
    assert "x" * 1_000 not in done.told()[0].text
    assert "x" * 1_000 in done.told()[-1].text


def test_a_draft_that_is_asked_for_before_any_call_is_asked_for_by_its_schema() -> None:
    done = Investigated(says('{"claims": []}'), limits=Limits(max_requests=1))
    assert done.model.requests[0].tools == ()
    assert done.model.requests[0].schema is not None


def test_a_model_that_goes_on_calling_ends_at_its_limit_without_a_draft() -> None:
    done = Investigated(LOGS, limits=Limits(max_requests=4))
    assert is_incomplete(done)
    assert len(done.model.requests) == 4
    assert "ended without a draft" in done.notes
    assert len(done.rows) == 3


def test_calls_beyond_the_limit_of_calls_are_not_run_and_the_model_is_told() -> None:
    turn = asks(*(call("query_logs", {"limit": number}, id=f"c{number}") for number in range(1, 6)))
    done = Investigated(turn, submits(), limits=Limits(max_tool_calls=3))
    assert len(done.rows) == 3
    assert [message.text for message in done.told()[3:5]] == ["Not run: the limit of 3 tool calls is reached."] * 2


def test_tokens_that_no_provider_counts_are_estimated() -> None:
    uncounted = ModelReply(tool_calls=LOGS.tool_calls, finish_reason="tool_call")
    done = Investigated(uncounted, limits=Limits(max_tokens=3_000))
    assert "3,000 tokens" in done.notes
    assert len(done.model.requests) < 12
    assert done.model_steps[0].input_tokens is None


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (says("The datab", "length"), "cut off by its length limit"),
        (ModelReply(tool_calls=GOOD.tool_calls, finish_reason="length"), "cut off by its length limit"),
        (says("I cannot help with that.", "refusal"), "it refuses"),
        (says("", "content_filter"), "content filter"),
        (says("Checkout fails because the bank is down."), "it is prose"),
        (says(""), "it is empty"),
        (says('{"claims": [{"text": "x"'), "it is not JSON"),
        (says('{"claims": "x"}'), 'it needs "claims"'),
        (submits({"text": "x", "kind": "fact", "role": "answer", "refs": []}), "\"kind\" is 'fact'"),
        (asks(*submits().tool_calls, *submits().tool_calls), "more than one draft"),
        (ModelReply(fault=ModelFault.MALFORMED, error_message="no choices in the answer"), "no choices in the answer"),
    ],
)
def test_a_reply_that_is_no_draft_is_answered_once_with_what_is_wrong(reply: ModelReply, words: str) -> None:
    done = Investigated(ALERTS, LOGS, reply, GOOD)
    assert done.answer.decision is Decision.PASS
    assert words in done.said()
    again = Investigated(ALERTS, LOGS, reply, reply, GOOD)
    assert is_incomplete(again)
    assert len(again.model.requests) == 4
    assert words in again.notes


def test_a_call_that_was_cut_off_is_not_run() -> None:
    tool = ScriptedTool("query_logs", logs_output(log("x")))
    cut = ModelReply(tool_calls=(call("query_logs", {"service": "checkout"}),), finish_reason="length")
    done = Investigated(cut, GOOD, tools=found_tools(query_logs=tool))
    assert (tool.calls, done.rows) == ([], ())


@pytest.mark.parametrize("fault", [ModelFault.TIMEOUT, ModelFault.UNAVAILABLE, ModelFault.RATE_LIMITED, ModelFault.REJECTED])
def test_a_fault_ends_the_run_with_the_providers_own_words_in_its_step(fault: ModelFault) -> None:
    broken = ModelReply(fault=fault, error_message="429: slow down, says the provider")
    done = Investigated(ALERTS, broken, GOOD)
    assert is_incomplete(done)
    assert len(done.model.requests) == 2
    assert done.model_steps[-1].error_message == f"{fault}: 429: slow down, says the provider"
    assert done.session.tool_call_count == 1
    assert "i1 alerts of checkout" in done.shown


def test_a_model_that_raises_is_a_fault_too() -> None:
    done = Investigated(RuntimeError("broke"))
    assert is_incomplete(done)
    assert done.model_steps[0].error_message == "unavailable: RuntimeError: broke"


def test_a_model_that_never_answers_is_not_waited_for_beyond_the_deadline() -> None:
    release = threading.Event()

    def hang(messages: Sequence[ModelMessage]) -> ModelReply:
        release.wait(30)
        return GOOD

    started = time.monotonic()
    done = Investigated(hang, limits=Limits(max_seconds=0.2))
    release.set()
    assert time.monotonic() - started < 10
    assert is_incomplete(done)
    assert (done.model_steps[0].error_message or "").startswith("timeout: ")


def test_a_tool_that_never_answers_is_not_waited_for_beyond_the_deadline() -> None:
    release = threading.Event()

    class Hanging:
        name = "query_logs"

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            release.wait(30)
            return logs_output()

    started = time.monotonic()
    done = Investigated(LOGS, GOOD, tools=found_tools(query_logs=Hanging()), limits=Limits(max_seconds=0.3))
    assert time.monotonic() - started < 10
    release.set()
    assert is_incomplete(done)
    assert "seconds" in done.notes


@pytest.mark.parametrize("turns", [(says("no"),), (LOGS,), (ask("nothing_such"),), (submits({"text": ""}),)])
def test_every_stubborn_model_comes_to_an_end(turns: tuple[Turn, ...]) -> None:
    done = Investigated(*turns)
    assert is_incomplete(done)
    assert len(done.model.requests) <= 12


def test_what_held_before_the_limit_is_shown_when_the_draft_is_given_in_time() -> None:
    done = Investigated(ALERTS, submits(SYMPTOM), limits=Limits(max_requests=2))
    assert done.answer.degraded_reason is not DegradedReason.DRAFT_INCOMPLETE
    assert "CheckoutErrors is firing" in done.shown
