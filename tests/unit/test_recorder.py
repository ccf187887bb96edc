"""EvidenceRecorder: one row a call, whatever happens."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from groundwire.domain.errors import (
    BackendMalformedError,
    BackendRejectedError,
    BackendTimeoutError,
    BackendUnavailableError,
    InvalidParamsError,
    NotConfiguredError,
    StoreFullError,
    UnknownToolError,
)
from groundwire.domain.invocation import InvocationCompletion, ToolInvocation
from groundwire.domain.names import InvocationStatus, OutputState, StepKind
from groundwire.ports import CallContext
from groundwire.testing import InMemoryTraceStore, ScriptedTool
from tests.unit.rows import block, blocks_output, failed_output, log, logs_output
from tests.unit.sessions import found_tools, opened


def asked(output: Any, tool_name: str = "query_logs") -> tuple[ToolInvocation, bytes | None]:
    store, session, recorder = opened(found_tools(**{tool_name: ScriptedTool(tool_name, output)}))
    recorder.ask(tool_name, {"query": "x"})
    (row,) = store.invocations(session.id)
    return row, store.load_output(row.id)


@pytest.mark.parametrize("tool_name", ["query_logs", "query_metrics", "lookup_knowledge"])
def test_a_finished_call_has_one_row_with_its_session_params_duration_outcome_and_preview(tool_name: str) -> None:
    store, session, recorder = opened()
    call = recorder.ask(tool_name, {"service": "checkout"})
    (row,) = store.invocations(session.id)
    assert row == call.invocation
    assert (row.session_id, row.tool_name, row.input_params) == (session.id, tool_name, {"service": "checkout"})
    assert row.duration_ms is not None and row.duration_ms > 0
    assert (row.status, row.success) == (InvocationStatus.EVIDENCE, True)
    assert row.output_state is OutputState.PRESENT
    assert row.output_preview and row.output_preview.startswith('{"evidence_status":"evidence"')
    assert row.evidence_refs


def test_a_lookup_row_carries_layer_counts_relevance_dedup_and_details() -> None:
    row, _ = asked(blocks_output(block("x")), "lookup_knowledge")
    assert (row.retrieval_layer, row.l0_count, row.l1_count, row.relevance_level) == ("L1", 1, 1, "high")
    assert row.dedup_reason is None
    assert row.retrieval_details is not None
    assert [ref["ref_id"] for ref in row.retrieval_details["evidence_refs"]] == ["i1.blocks.0"]


@pytest.mark.parametrize(
    ("raised", "error_type", "words"),
    [
        (BackendTimeoutError("loki", after_s=20), "timeout", "loki: no answer within 20 s"),
        (BackendUnavailableError("loki", "connection refused"), "unavailable", "connection refused"),
        (BackendRejectedError("loki", "parse error at line 1"), "rejected", "parse error at line 1"),
        (BackendMalformedError("loki", "not JSON", answer="<html>"), "malformed", "not JSON"),
        (NotConfiguredError("no source of logs is configured"), "not_configured", "no source of logs"),
        (InvalidParamsError("limit takes a whole number"), "invalid_params", "limit takes a whole number"),
        (TimeoutError("too slow"), "timeout", "too slow"),
        (ZeroDivisionError("division by zero"), "internal", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_tool_that_raises_leaves_a_failed_row_that_says_why(raised: Exception, error_type: str, words: str) -> None:
    row, output = asked(raised)
    assert (row.status, row.success, row.error_type) == (InvocationStatus.FAILED, False, error_type)
    assert row.error_message and words in row.error_message
    assert (row.output_state, row.output_preview, output) == (OutputState.NONE, None, None)


def test_an_execution_error_that_is_returned_fails_the_row_too() -> None:
    row, _ = asked(failed_output("rejected", "prometheus: parse error"))
    assert (row.success, row.error_type, row.error_message) == (False, "rejected", "prometheus: parse error")


def test_a_malformed_answer_is_kept() -> None:
    row, output = asked({**failed_output("malformed", "not JSON"), "raw_answer": "<html>502</html>"})
    assert row.output_state is OutputState.PRESENT
    assert output is not None and b"<html>502</html>" in output


def test_an_answer_with_nothing_usable_is_completed_and_empty() -> None:
    row, output = asked(logs_output())
    assert (row.status, row.success, row.output_state) == (InvocationStatus.NO_EVIDENCE, True, OutputState.EMPTY)
    assert (row.error_message, row.evidence_refs) == (None, ())
    assert output is not None and orjson.loads(output)["logs"] == []


def test_an_answer_that_calls_itself_evidence_without_a_usable_entry_is_none() -> None:
    row, output = asked({**logs_output(log("")), "evidence_status": "evidence"})
    assert row.status is InvocationStatus.NO_EVIDENCE
    assert output is not None and orjson.loads(output)["evidence_status"] == "no_evidence"


def test_a_deduped_call_keeps_its_reason_and_what_it_repeats_and_no_output() -> None:
    output = {**blocks_output(), "evidence_status": "deduped", "dedup_reason": "repeat_query", "dedup_of": "call-1"}
    row, kept = asked(output, "lookup_knowledge")
    assert (row.status, row.success, row.output_state, kept) == (InvocationStatus.DEDUPED, True, OutputState.NONE, None)
    assert (row.dedup_reason, row.dedup_of) == ("repeat_query", "call-1")


def test_an_answer_that_is_no_json_fails_and_says_so() -> None:
    row, _ = asked({**logs_output(), "logs": [{"message": object()}]})
    assert (row.success, row.error_type) == (False, "internal")


def test_the_row_is_there_as_running_before_the_tool_is_called() -> None:
    store = InMemoryTraceStore()
    seen: list[InvocationStatus] = []

    class Watching:
        name = "query_logs"

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            (session,) = store.sessions()
            seen.extend(row.status for row in store.invocations(session.id))
            return logs_output()

    _, _, recorder = opened(found_tools(query_logs=Watching()), store)
    recorder.ask("query_logs", {})
    assert seen == [InvocationStatus.RUNNING]


def test_a_cancelled_call_is_completed_as_interrupted_and_the_cancellation_goes_on() -> None:
    class Cancelled:
        name = "query_logs"

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            raise KeyboardInterrupt

    store, session, recorder = opened(found_tools(query_logs=Cancelled()))
    with pytest.raises(KeyboardInterrupt):
        recorder.ask("query_logs", {})
    (row,) = store.invocations(session.id)
    assert (row.status, row.error_type) == (InvocationStatus.FAILED, "interrupted")


def test_a_result_whose_row_could_not_be_written_is_dropped_with_an_error() -> None:
    class FullStore(InMemoryTraceStore):
        def complete_invocation(self, completion: InvocationCompletion) -> ToolInvocation:
            raise StoreFullError("no room is left for the database")

    _, _, recorder = opened(store=FullStore())
    with pytest.raises(StoreFullError):
        recorder.ask("query_logs", {})


def test_an_invented_tool_is_a_step_and_never_a_row() -> None:
    store, session, recorder = opened()
    with pytest.raises(UnknownToolError, match="restart_pod"):
        recorder.ask("restart_pod", {})
    (step,) = store.steps(session.id)
    assert (step.kind, store.invocations(session.id)) == (StepKind.HELPER, ())
    assert step.error_message and "query_logs" in step.error_message


@pytest.mark.parametrize("text", ["{broken", "[1]", "7", '"x"', "", "null", '{"a": NaN}'])
def test_params_that_are_no_json_object_are_a_row_and_reach_no_tool(text: str) -> None:
    tool = ScriptedTool("query_logs", logs_output(log("x")))
    store, session, recorder = opened(found_tools(query_logs=tool))
    recorder.ask("query_logs", text)
    (row,) = store.invocations(session.id)
    assert (row.success, row.error_type, row.input_params) == (False, "invalid_params", {"raw": text})


def test_secrets_are_masked_before_anything_is_stored() -> None:
    secret = "hunter2secret"
    leaking = log(f"connect postgres://app:{secret}@db/shop password={secret} failed", headers={"password": secret})
    store, session, recorder = opened(found_tools(query_logs=ScriptedTool("query_logs", logs_output(leaking))))
    call = recorder.ask("query_logs", {"query": f"password={secret}"})
    (row,) = store.invocations(session.id)
    kept = store.load_output(row.id)
    assert kept is not None
    assert secret not in f"{row} {kept.decode()} {call.output}"
    assert b"connect postgres://app:[masked:password]@db/shop" in kept


def test_text_that_no_store_takes_is_made_visible() -> None:
    row, output = asked(logs_output(log("a\x00b \udcff c")))
    assert output is not None
    assert orjson.loads(output)["logs"][0]["message"] == "a\\x00b \\udcff c"
    assert row.success


def test_identical_calls_at_the_same_moment_share_one_row() -> None:
    inside, leave = threading.Event(), threading.Event()

    class Slow:
        name = "query_logs"

        def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
            inside.set()
            leave.wait(5)
            return logs_output(log("x"))

    store, session, recorder = opened(found_tools(query_logs=Slow()))
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(recorder.ask, "query_logs", {"a": 1, "b": 2})
        inside.wait(5)
        others = [pool.submit(recorder.ask, "query_logs", {"b": 2, "a": 1}) for _ in range(2)]
        threading.Timer(0.05, leave.set).start()
        results = [first.result(5), *(other.result(5) for other in others)]
    assert len({result.invocation.id for result in results}) == 1
    assert len(store.invocations(session.id)) == 1
    recorder.ask("query_logs", {"a": 1, "b": 2})
    assert len(store.invocations(session.id)) == 2


def test_two_threads_lose_nothing_and_keep_seq_unique() -> None:
    store, session, recorder = opened()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda number: recorder.ask("query_logs", {"limit": number}), range(100)))
    rows = store.invocations(session.id)
    assert [row.seq for row in rows] == list(range(1, 101))
    assert sorted(row.completion_seq or 0 for row in rows) == list(range(1, 101))


def test_listing_sources_is_a_helper_step_and_no_evidence() -> None:
    store, session, recorder = opened()
    recorder.list_sources()
    (step,) = store.steps(session.id)
    assert (step.kind, step.request_summary, store.invocations(session.id)) == (StepKind.HELPER, "list sources", ())


def test_a_call_knows_the_earlier_calls_of_its_tool_also_those_under_way_and_none_that_began_later() -> None:
    first_may_end, seen = threading.Event(), dict[str, list[int]]()

    def run(params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        if params["query"] == "first":
            first_may_end.wait(5)
        else:
            if params["query"] == "second":
                first_may_end.set()
            seen[params["query"]] = [call.seq for call in context.earlier_calls()]
        return blocks_output(block(params["query"]))

    store, session, recorder = opened(found_tools(lookup_knowledge=ScriptedTool("lookup_knowledge", run)))
    has_begun = {name: threading.Event() for name in ("first", "second")}
    with ThreadPoolExecutor(3) as pool:
        calls = []
        for name, begun in has_begun.items():
            calls.append(pool.submit(recorder.ask, "lookup_knowledge", {"query": name}, begun=begun.set))
            assert begun.wait(5)
        [call.result() for call in calls]
    recorder.ask("query_logs", {})
    recorder.ask("lookup_knowledge", {"query": "third"})
    assert seen == {"second": [1], "third": [1, 2]}
    assert [row.seq for row in store.invocations(session.id)] == [1, 2, 3, 4]


def test_begun_is_told_when_the_row_stands_and_not_when_it_cannot_be_written() -> None:
    rows_seen: list[int] = []
    store, session, recorder = opened()
    recorder.ask("query_logs", {}, begun=lambda: rows_seen.append(len(store.invocations(session.id))))
    store.fail_with = StoreFullError("The disk is full.")
    with pytest.raises(StoreFullError):
        recorder.ask("query_logs", {"query": "y"}, begun=lambda: rows_seen.append(-1))
    assert rows_seen == [1]


@pytest.mark.parametrize(
    "changed",
    [
        {"returned_count": "many"},
        {"sources": ["files"]},
        {"sources": 3},
        {"partial_reasons": 7},
    ],
)
def test_an_answer_of_another_form_is_a_failed_row_and_not_a_row_left_running(changed: dict[str, Any]) -> None:
    row, _ = asked(logs_output(log("x")) | changed)
    assert (row.status, row.error_type) == (InvocationStatus.FAILED, "internal")
    assert (row.error_message or "").startswith("the tool's answer has another form than agreed: ")


def test_an_error_type_that_nobody_knows_is_internal() -> None:
    class OddError(NotConfiguredError):
        error_type = "odd"

    row, _ = asked(OddError("no idea"))
    assert (row.status, row.error_type, row.error_message) == (InvocationStatus.FAILED, "internal", "no idea")
