"""The model-driven investigator: what it asks, in which order, what it records, and what the model is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

from groundwire.domain.answer import Draft
from groundwire.domain.errors import StoreLockedError
from groundwire.domain.incident import Question
from groundwire.domain.invocation import InvocationStart
from groundwire.domain.model import MessageRole, ModelReply
from groundwire.domain.names import Decision, InvocationStatus, SessionStatus, StepKind, StepRole
from groundwire.domain.session import AgentStep
from groundwire.investigators.model_driven import Limits, ModelDriven
from groundwire.ports import CallContext, Progress, ToolGateway
from groundwire.testing import InMemoryTraceStore, ScriptedModel, ScriptedTool
from tests.unit.model_turns import (
    ALERTS,
    CAUSE,
    GOOD,
    LOGS,
    SYMPTOM,
    Investigated,
    ask,
    asks,
    call,
    says,
    submits,
)
from tests.unit.rows import alert, alerts_output, block, blocks_output, failed_output, log, logs_output
from tests.unit.sessions import CHAIN, Told, diagnose, found_tools


def test_a_good_investigation_passes_with_its_claims_and_refs() -> None:
    done = Investigated(ALERTS, LOGS, GOOD)
    assert done.answer.decision is Decision.PASS
    assert [shown.claim.refs for shown in done.answer.claims] == [("i1.alerts.0",), ("i2.logs.0",)]


def test_each_request_is_a_model_step_with_tokens_duration_finish_reason_and_what_was_said() -> None:
    done = Investigated(ALERTS, LOGS, GOOD)
    first = done.model_steps[0]
    assert (first.role, first.model, first.provider_name) == (StepRole.EXECUTOR, "scripted-1", "script")
    assert (first.input_tokens, first.output_tokens, first.duration_ms) == (100, 20, 5.0)
    assert (first.finish_reason, first.response_id, first.error_message) == ("tool_call", "r-1", None)
    assert first.response_text == 'query_metrics {"service": "checkout"}'
    assert "request 1 of 12" in first.request_summary
    assert (done.session.step_count, done.session.tool_call_count) == (3, 2)


def test_a_call_names_the_step_that_asked_for_it_and_its_own_id() -> None:
    done = Investigated(ALERTS, LOGS, GOOD)
    assert [row.agent_step_id for row in done.rows] == [step.id for step in done.model_steps[:2]]
    assert [row.tool_call_id for row in done.rows] == ["a", "b"]


def test_a_step_is_written_before_its_calls_run() -> None:
    store = InMemoryTraceStore()
    seen: list[int] = []

    class Watching:
        name = "query_logs"

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            (session,) = store.sessions()
            seen.append(len([step for step in store.steps(session.id) if step.kind is StepKind.MODEL]))
            return logs_output(log("x"))

    Investigated(LOGS, GOOD, tools=found_tools(query_logs=Watching()), store=store)
    assert seen == [1]


def test_the_six_tools_are_offered_with_typed_parameters() -> None:
    done = Investigated(GOOD)
    offered = {offer.name: offer for offer in done.model.requests[0].tools}
    assert set(offered) == {"query_logs", "query_metrics", "lookup_knowledge", "list_sources", "read_ref", "submit_draft"}
    assert offered["query_logs"].parameters["properties"]["limit"]["type"] == "integer"
    assert offered["lookup_knowledge"].parameters["required"] == ["query"]
    assert all("no_evidence" in offered[name].description for name in ("query_logs", "query_metrics", "lookup_knowledge"))


def test_calls_of_one_turn_run_side_by_side_and_are_told_in_the_order_of_the_request() -> None:
    both = threading.Barrier(2, timeout=5)

    class Waiting:
        def __init__(self, name: str, output: dict[str, Any]) -> None:
            self.name, self._output = name, output

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            both.wait()
            return self._output

    tools = found_tools(
        query_metrics=Waiting("query_metrics", alerts_output(alert())),
        query_logs=Waiting("query_logs", logs_output(log("x"))),
    )
    turn = asks(call("query_logs", {"service": "checkout"}, id="x"), call("query_metrics", {"service": "checkout"}, id="y"))
    done = Investigated(turn, submits(), tools=tools)
    assert [message.tool_call_id for message in done.told()][:2] == ["x", "y"]
    assert [message.text.split(" ")[0] for message in done.told()][:2] == ["query_logs", "query_metrics"]
    assert all(row.status is InvocationStatus.EVIDENCE for row in done.rows)


def test_two_identical_calls_in_a_turn_run_once_and_both_are_answered() -> None:
    turn = asks(
        call("query_logs", '{"service": "checkout", "limit": 5}', id="x"),
        call("query_logs", '{"limit":5,"service":"checkout"}', id="y"),
    )
    done = Investigated(turn, submits())
    assert len(done.rows) == 1
    first, second = done.told()[:2]
    assert (first.tool_call_id, second.tool_call_id) == ("x", "y")
    assert second.text == "The same call as the one above: see i1."


def test_the_same_call_in_a_later_turn_is_told_which_one_it_repeats() -> None:
    done = Investigated(LOGS, LOGS, submits())
    assert len(done.rows) == 2
    assert "This is the same call as i1" in done.told()[1].text


@pytest.mark.parametrize("arguments", ["{broken", "[1]", '"x"', "", '{"service": "checkout"'])
def test_broken_arguments_are_an_invalid_params_row_and_reach_no_tool(arguments: str) -> None:
    tool = ScriptedTool("query_logs", logs_output(log("x")))
    done = Investigated(asks(call("query_logs", arguments)), submits(), tools=found_tools(query_logs=tool))
    (row,) = done.rows
    assert (row.error_type, row.input_params, tool.calls) == ("invalid_params", {"raw": arguments}, [])
    (told,) = done.told()
    assert "status: failed" in told.text
    assert "Correct the arguments" in told.text


def test_an_invented_tool_is_a_step_and_the_model_is_told_which_there_are() -> None:
    done = Investigated(ask("restart_pod", pod="x"), submits())
    assert done.rows == ()
    assert any(step.error_message and "restart_pod" in step.error_message for step in done.steps)
    assert "The tools are query_metrics, query_logs, lookup_knowledge" in done.told()[0].text


def test_a_failed_backend_is_told_in_its_own_words_and_as_no_finding() -> None:
    tools = found_tools(query_logs=ScriptedTool("query_logs", failed_output("unavailable", "loki: connection refused")))
    done = Investigated(LOGS, submits(), tools=tools)
    text = done.told()[0].text.replace(marker_of(done), " ")
    assert "loki: connection refused" in text
    assert "Nothing is known of what is there" in text


def test_an_empty_answer_is_told_as_looked_and_not_there() -> None:
    done = Investigated(LOGS, submits(), tools=found_tools(query_logs=ScriptedTool("query_logs", logs_output())))
    assert "status: no_evidence" in done.told()[0].text
    assert "i1 can be cited for that" in done.told()[0].text


def test_a_partial_answer_without_items_is_told_as_no_proof() -> None:
    partial = logs_output(partial=True, partial_reasons=["2 of 5 shards failed"])
    done = Investigated(LOGS, submits(), tools=found_tools(query_logs=ScriptedTool("query_logs", partial)))
    text = done.told()[0].text.replace(marker_of(done), " ")
    assert "2 of 5 shards failed" in text
    assert "it is no proof that nothing is there" in text


def test_a_deduplicated_lookup_names_the_call_that_has_it() -> None:
    given: list[str] = []

    def repeated(params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        given.extend(earlier.id for earlier in context.earlier_calls())
        return {**blocks_output(), "evidence_status": "deduped", "dedup_reason": "repeat_query", "dedup_of": given[0]}

    lookup = ScriptedTool("lookup_knowledge", blocks_output(block("x")), repeated)
    done = Investigated(
        ask("lookup_knowledge", query="x"),
        ask("lookup_knowledge", query="x "),
        submits(),
        tools=found_tools(lookup_knowledge=lookup),
    )
    assert "No new evidence (repeat_query). You have it from i1" in done.told()[1].text


def test_listing_sources_and_reading_a_ref_are_helper_steps_and_no_evidence() -> None:
    done = Investigated(LOGS, ask("list_sources"), ask("read_ref", ref="i1.logs.0"), ask("read_ref", ref="i9.logs.0"), submits())
    assert len(done.rows) == 1
    helpers = [(step.request_summary, step.error_message) for step in done.steps if step.kind is StepKind.HELPER]
    assert helpers[:3] == [
        ("list sources", None),
        ("read i1.logs.0", None),
        ("read i9.logs.0", "there is no ref 'i9.logs.0'"),
    ]
    assert "message: payment failed Caused by:" in done.told()[2].text.replace(marker_of(done), " ")
    assert "The calls are i1" in done.told()[3].text


def test_the_whole_of_a_long_item_is_read_by_its_ref() -> None:
    tools = found_tools(query_logs=ScriptedTool("query_logs", logs_output(log("word " * 400 + "the end"))))
    done = Investigated(LOGS, ask("read_ref", ref="i1.logs.0"), submits(), tools=tools)
    listed, whole = (message.text.replace(marker_of(done), " ") for message in done.told()[:2])
    assert "the end" not in listed
    assert "characters more)" in listed
    assert "the end" in whole


def test_an_item_that_is_too_long_to_read_whole_says_how_much_is_missing() -> None:
    tools = found_tools(query_logs=ScriptedTool("query_logs", logs_output(log("word " * 8_000))))
    asked = asks(*(call("read_ref", {"ref": ref}, id=ref) for ref in ("i1.logs.0", "i1", "i1.summary")))
    done = Investigated(LOGS, asked, submits(), tools=tools)
    whole, row, summary = done.told()[1:4]
    assert 16_000 < len(whole.text) < 17_000
    assert "characters more are not shown" in whole.text
    assert "returned_count: 1" in row.text
    assert "total: 1" in summary.text


def test_progress_shows_each_request_and_each_call_as_it_happens() -> None:
    told = Told()
    diagnose(ModelDriven(ScriptedModel(ALERTS, LOGS, GOOD)), progress=told)
    shown = [text for text in told.texts if text.startswith(("asking", "i1", "i2"))]
    assert [text.split(" (")[0].split(" service")[0] for text in shown] == [
        "asking scripted:model for calls or the draft",
        "i1 query_metrics",
        "asking scripted:model for calls or the draft",
        "i2 query_logs",
        "asking scripted:model for calls or the draft",
    ]
    assert ["1 of 12" in shown[0], "2 of 12" in shown[2], "3 of 12" in shown[4]] == [True] * 3


def test_an_interrupt_while_a_tool_runs_ends_the_session_as_cancelled_with_its_call_completed() -> None:
    class Interrupted:
        name = "query_logs"

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            raise KeyboardInterrupt

    store = InMemoryTraceStore()
    with pytest.raises(KeyboardInterrupt):
        Investigated(LOGS, GOOD, tools=found_tools(query_logs=Interrupted()), store=store)
    (session,) = store.sessions()
    assert session.status is SessionStatus.CANCELLED
    assert [row.error_type for row in store.invocations(session.id)] == ["interrupted"]


def test_a_store_that_breaks_ends_the_run() -> None:
    class Locked(InMemoryTraceStore):
        def begin_invocation(self, start: object) -> int:
            raise StoreLockedError("the database is locked")

    with pytest.raises(StoreLockedError):
        Investigated(LOGS, GOOD, store=Locked())


def test_a_store_that_takes_no_step_ends_the_run_before_a_tool_is_asked() -> None:
    tool = ScriptedTool("query_logs", logs_output(log("x")))

    class Locked(InMemoryTraceStore):
        def add_step(self, step: AgentStep) -> AgentStep:
            raise StoreLockedError("the database is locked")

    with pytest.raises(StoreLockedError):
        Investigated(LOGS, GOOD, store=Locked(), tools=found_tools(query_logs=tool))
    assert tool.calls == []


def test_a_draft_beside_other_calls_is_not_taken_since_it_did_not_know_their_results() -> None:
    early = asks(call("query_metrics", {"service": "checkout"}, id="a"), *submits(SYMPTOM).tool_calls)
    done = Investigated(early, LOGS, GOOD)
    assert "written before the results" in done.told(1)[1].text
    assert done.answer.decision is Decision.PASS


def test_a_draft_as_plain_json_text_is_taken_too() -> None:
    text = GOOD.tool_calls[0].arguments
    assert Investigated(ALERTS, LOGS, says(f"Here it is:\n```json\n{text}\n```")).answer.decision is Decision.PASS


def test_the_question_comes_unmarked_and_stands_alone_as_the_instruction() -> None:
    done = Investigated(GOOD)
    system, user = done.model.requests[0].messages
    assert (system.role, user.role) == (MessageRole.SYSTEM, MessageRole.USER)
    assert "Question: why is checkout failing?" in user.text
    assert "The only instruction is the question of the user." in system.text


def test_many_conversations_of_one_investigator_do_not_mix() -> None:
    investigator = ModelDriven(
        ScriptedModel(lambda messages: GOOD if len(messages) > 5 else LOGS if len(messages) > 3 else ALERTS)
    )
    results: list[Decision] = []
    threads = [threading.Thread(target=lambda: results.append(diagnose(investigator)[0].decision)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert results == [Decision.PASS] * 8


def test_a_draft_of_somebody_else_is_returned_as_it_is() -> None:
    class Foreign(ModelDriven):
        def draft(self, question: Question, gateway: ToolGateway, progress: Progress) -> Draft:
            gateway.ask("query_metrics", {"service": "checkout"})
            return Draft(claims=())

    answer, _ = diagnose(Foreign(ScriptedModel(ModelReply(text="never asked"))))
    assert answer.decision is Decision.LOW_CONFID


@pytest.mark.parametrize("name", ["max_requests", "max_tool_calls", "max_tokens", "max_seconds", "max_cost"])
def test_a_limit_is_above_zero(name: str) -> None:
    zero: dict[str, Any] = {name: 0}
    with pytest.raises(ValueError, match=name):
        Limits(**zero)


def test_what_was_ruled_out_left_out_and_is_advised_becomes_context_that_holds_nothing_up() -> None:
    draft = submits(
        SYMPTOM,
        cause={"text": CAUSE["text"], "refs": CAUSE["refs"]},
        ruled_out=[{"text": "There are no alerts for checkout.", "refs": ["i1"]}],
        not_looked_at=["the bank's status page"],
        next_steps=["Ask the bank."],
    )
    done = Investigated(ALERTS, LOGS, draft)
    assert (done.answer.decision, done.answer.degraded_reason) == (Decision.LOW_CONFID, "unsupported_claims")
    assert "There are no alerts" not in done.shown
    assert [shown.claim.id for shown in done.answer.claims if shown.claim.role == "answer"] == ["symptom", "cause"]
    assert "Not looked at: the bank's status page" in {shown.claim.text for shown in done.answer.claims}


def marker_of(done: Investigated) -> str:
    return done.model.requests[0].messages[0].text.split(" in place of its spaces")[0][-1]


class UnevenStore(InMemoryTraceStore):
    """Takes the longer to write a row the earlier it was asked for within its turn."""

    def begin_invocation(self, start: InvocationStart) -> int:
        time.sleep(0.004 * (5 - int(start.input_params["limit"])))
        return super().begin_invocation(start)


def test_calls_of_one_turn_are_numbered_in_the_order_of_the_request_however_long_each_takes() -> None:
    together = threading.Barrier(5)

    def run(params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        together.wait(5)  # they still run side by side
        return logs_output(log(CHAIN))

    turns = [
        asks(*(call("query_logs", {"query": f"turn{turn}", "limit": n}, id=f"{turn}.{n}") for n in range(1, 6)))
        for turn in range(4)
    ]
    store = UnevenStore()
    answer, _ = diagnose(
        ModelDriven(ScriptedModel(*turns, GOOD), limits=Limits(max_tool_calls=50)),
        tools=found_tools(query_logs=ScriptedTool("query_logs", run)),
        store=store,
    )
    rows = store.invocations(answer.session_id)
    assert [row.tool_call_id for row in rows] == [f"{turn}.{n}" for turn in range(4) for n in range(1, 6)]


def test_a_call_that_has_no_row_holds_up_none_of_the_others() -> None:
    turn = asks(
        call("invented", id="x"),
        call("list_sources", id="s"),
        call("read_ref", {"ref": "i9"}, id="r"),
        call("query_logs", id="l"),
    )
    done = Investigated(turn, GOOD)
    assert [(row.tool_call_id, row.seq) for row in done.rows] == [("l", 1)]
