"""One suite for every store of rows: in memory, SQLite, PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

from groundwire.domain.errors import NotFoundError, StoreError
from groundwire.domain.invocation import ToolInvocation
from groundwire.domain.names import (
    Decision,
    DegradedReason,
    ErrorType,
    InvocationStatus,
    OutputState,
    SessionStatus,
    StepKind,
)
from groundwire.domain.session import SessionOutcome
from groundwire.ports import OutputStore, SessionWriter, TraceReader, TraceWriter
from groundwire.store.sql_store import open_store
from groundwire.testing import InMemoryTraceStore
from tests.trace_rows import NOON, OUTPUT, OWNER, a_completion, a_failure, a_session, a_start, a_step, an_evaluation

GENESIS = "0000000000000000000000000000000000000000000000000000000000000000"


class Store(TraceWriter, SessionWriter, TraceReader, OutputStore, Protocol):
    """All that is written to and read from."""


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        yield InMemoryTraceStore()
        return
    if request.param == "sqlite":
        place = str(tmp_path / "rows.db")
    else:
        server = request.getfixturevalue("postgres")
        place = server.url(server.create_database())
    with open_store(place) as opened:
        yield opened


def test_a_row_is_there_and_running_before_its_call_ends(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    start = a_start(session)

    assert store.begin_invocation(start) == 1

    (row,) = store.invocations(session.id)
    assert (row.id, row.seq, row.status, row.success) == (start.id, 1, InvocationStatus.RUNNING, None)
    assert row.input_params == start.input_params
    assert (row.started_at, row.owner) == (NOON, OWNER)
    assert (row.output_state, row.scope, row.retrieval_details, row.partial_reasons) == (None, None, None, ())
    assert (row.completion_seq, row.previous_hash, row.row_hash) == (None, None, None)
    assert store.load_output(row.id) is None


def test_a_completed_row_is_read_back_as_it_was_returned(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    start = a_start(session)
    store.begin_invocation(start)

    returned = store.complete_invocation(a_completion(start))

    assert store.invocations(session.id) == (returned,)
    assert returned.success is True
    assert (returned.status, returned.output_state, returned.output_bytes) == ("evidence", "present", len(OUTPUT))
    assert returned.partial_reasons == ("files: 1 file could not be read",)
    assert returned.duration_ms == 12.345
    assert returned.evidence_refs[0].text == "pool \U0001f525 exhausted"


def test_the_exact_bytes_of_an_output_come_back(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    outputs = [OUTPUT, b"", bytes(range(256)) * 500]
    starts = [a_start(session) for _ in outputs]
    for start, output in zip(starts, outputs, strict=True):
        store.begin_invocation(start)
        store.complete_invocation(a_completion(start, output=output))

    assert [store.load_output(start.id) for start in starts] == outputs
    assert store.load_output("no-such-call") is None


def test_a_row_that_is_not_running_cannot_be_completed(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    start = a_start(session)
    store.begin_invocation(start)
    first = store.complete_invocation(a_completion(start))

    with pytest.raises(StoreError, match="already completed as evidence"):
        store.complete_invocation(a_failure(start))

    assert store.invocations(session.id) == (first,)


def test_a_call_or_session_that_is_not_there_is_refused(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    stranger = a_session()

    with pytest.raises(StoreError):
        store.begin_invocation(a_start(stranger))
    with pytest.raises(StoreError):
        store.complete_invocation(a_completion(a_start(session)))
    with pytest.raises(StoreError):
        store.add_step(a_step(stranger))
    with pytest.raises(StoreError):
        store.add_evaluation(an_evaluation(stranger))
    with pytest.raises(StoreError):
        store.complete_session(stranger.id, SessionOutcome(status=SessionStatus.COMPLETED, completed_at=NOON))
    with pytest.raises(StoreError):
        store.recount(stranger.id)
    with pytest.raises(StoreError):
        store.open_session(session)


def test_a_row_of_another_session_is_not_completed(store: Store) -> None:
    session, other = a_session(), a_session()
    store.open_session(session)
    store.open_session(other)
    start = a_start(session)
    store.begin_invocation(start)
    store.complete_invocation(a_completion(start))

    with pytest.raises(StoreError):
        store.complete_invocation(a_completion(start, session_id=other.id))


def test_threads_share_a_session_without_losing_a_row(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    seqs: list[int] = []

    def record() -> None:
        for _ in range(12):
            start = a_start(session)
            seqs.append(store.begin_invocation(start))
            store.complete_invocation(a_completion(start))

    _together([record] * 4)

    rows = store.invocations(session.id)
    assert sorted(seqs) == list(range(1, 49))
    assert [row.seq for row in rows] == list(range(1, 49))
    assert sorted(cast("int", row.completion_seq) for row in rows) == list(range(1, 49))
    assert _broken_links(rows) == []


def test_the_chain_can_be_computed_again_with_json_and_hashlib(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    starts = [a_start(session) for _ in range(3)]
    for start in starts:
        store.begin_invocation(start)
    # Completed in another order than begun: the chain follows the completions.
    store.complete_invocation(a_completion(starts[2]))
    store.complete_invocation(a_failure(starts[0]))
    store.complete_invocation(a_completion(starts[1], duration_ms=7))

    rows = store.invocations(session.id)

    assert [row.completion_seq for row in rows] == [2, 3, 1]
    assert rows[2].previous_hash == GENESIS
    assert _broken_links(rows) == []


@pytest.mark.parametrize(
    "odd",
    [
        1e16,
        1e-5,
        1.5e300,
        0.00001234,
        -0.0,
        5e-324,
        0.1 + 0.2,
        float("nan"),
        float("inf"),
        2**63,
        2**70,
        -(2**80),
        'tab\t quote" back\\ bell\x07 del\x7f line\u2028 \u00e9 \U0001f525',
    ],
)
def test_a_hash_survives_what_json_writers_disagree_about(store: Store, odd: object) -> None:
    session = a_session()
    store.open_session(session)
    start = a_start(session, input_params={"odd": odd, "deep": [{"odd": odd}]})
    store.begin_invocation(start)
    store.complete_invocation(
        a_completion(
            start, scope={"filter": {"x": [odd]}, "labels": {}}, retrieval_details={"evidence_refs": [], "z": odd, "a": (odd,)}
        )
    )

    assert _broken_links(store.invocations(session.id)) == []


def test_every_session_has_a_chain_of_its_own(store: Store) -> None:
    sessions = [a_session(), a_session()]
    for session in sessions:
        store.open_session(session)
        start = a_start(session)
        assert store.begin_invocation(start) == 1
        assert store.complete_invocation(a_completion(start)).previous_hash == GENESIS


def test_counts_are_derived_from_the_rows_when_a_session_completes(store: Store) -> None:
    session = a_session(step_count=99, tool_call_count=99)
    store.open_session(session)
    store.begin_invocation(a_start(session))
    for status in (a_completion, a_failure):
        start = a_start(session)
        store.begin_invocation(start)
        store.complete_invocation(status(start))
    store.add_step(a_step(session))
    store.add_step(a_step(session, kind=StepKind.HELPER))

    outcome = SessionOutcome(
        status=SessionStatus.COMPLETED,
        completed_at=NOON + timedelta(seconds=9),
        decision=Decision.LOW_CONFID,
        degraded_reason=DegradedReason.COVERAGE_GAP,
        final_output="Not confirmed.",
        draft_answer='{"claims": []}',
    )
    completed = store.complete_session(session.id, outcome)

    assert (completed.step_count, completed.tool_call_count) == (1, 3)
    assert completed == replace(
        session,
        status=SessionStatus.COMPLETED,
        completed_at=NOON + timedelta(seconds=9),
        decision=Decision.LOW_CONFID,
        degraded_reason=DegradedReason.COVERAGE_GAP,
        final_output="Not confirmed.",
        draft_answer='{"claims": []}',
        step_count=1,
        tool_call_count=3,
    )
    assert store.find_session(session.id) == completed
    with pytest.raises(StoreError, match="already completed"):
        store.complete_session(session.id, outcome)


def test_a_call_added_by_hand_is_counted_afterwards(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    store.complete_session(session.id, SessionOutcome(status=SessionStatus.COMPLETED, completed_at=NOON))

    start = a_start(session)
    store.begin_invocation(start)
    store.complete_invocation(a_completion(start))
    store.recount(session.id)

    assert store.find_session(session.id).tool_call_count == 1
    assert store.find_session(session.id).status is SessionStatus.COMPLETED


def test_steps_count_up_and_come_back_whole(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    written = [
        store.add_step(a_step(session, response_text="é" * 5, cost=0.1 + 0.2)),
        store.add_step(a_step(session, kind=StepKind.HELPER, error_message="no such tool")),
    ]

    assert [step.seq for step in written] == [1, 2]
    assert store.steps(session.id) == tuple(written)


def test_evaluations_count_their_attempts_up(store: Store) -> None:
    session, other = a_session(), a_session()
    store.open_session(session)
    store.open_session(other)

    first = store.add_evaluation(an_evaluation(session))
    store.add_evaluation(an_evaluation(other))
    second = store.add_evaluation(
        an_evaluation(
            session, decision=Decision.LOW_CONFID, degraded_reason=DegradedReason.VERIFIER_MISSING, verifier_output=None
        )
    )

    assert (first.attempt, second.attempt) == (1, 2)
    assert store.evaluations(session.id) == (first, second)


def test_a_session_comes_back_whole(store: Store) -> None:
    session = a_session(model="m-1", final_output="line\nline")
    store.open_session(session)

    assert store.find_session(session.id) == session


def test_instants_come_back_aware_and_in_utc(store: Store) -> None:
    elsewhere = datetime.fromisoformat("2026-11-30T17:30:00.000001+05:30")
    session = a_session(created_at=elsewhere)
    store.open_session(session)
    store.begin_invocation(a_start(session, started_at=elsewhere))

    assert store.find_session("last").created_at.isoformat() == "2026-11-30T12:00:00.000001+00:00"
    assert store.invocations(session.id)[0].started_at.isoformat() == "2026-11-30T12:00:00.000001+00:00"


def test_a_session_goes_by_its_id_a_part_of_it_or_last(store: Store) -> None:
    older = a_session(id="01930000-aaaa-7000-8000-00000000beef", created_at=NOON)
    newer = a_session(id="01930000-bbbb-7000-8000-00000000cafe", created_at=NOON + timedelta(microseconds=1))
    store.open_session(newer)
    store.open_session(older)

    assert store.find_session(older.id) == older
    assert store.find_session("last") == newer
    assert store.find_session("beef") == older
    assert store.find_session("01930000-BBBB") == newer
    assert store.find_session("01930000bbbb7") == newer


@pytest.mark.parametrize("name", ["", "eef", "0193", "no-such-session", "%", "____", "a\x00bcdef", "\ud800abcd", "' OR 1=1 --"])
def test_a_name_of_no_session_or_of_several_is_not_found(store: Store, name: str) -> None:
    store.open_session(a_session(id="01930000-aaaa-7000-8000-00000000beef"))
    store.open_session(a_session(id="01930000-bbbb-7000-8000-00000000cafe"))

    with pytest.raises(NotFoundError) as caught:
        store.find_session(name)

    assert caught.value.hint


def test_there_is_no_last_session_in_an_empty_store(store: Store) -> None:
    with pytest.raises(NotFoundError, match="No session is recorded yet"):
        store.find_session("last")


def test_sessions_are_listed_newest_first(store: Store) -> None:
    sessions = [a_session(created_at=NOON + timedelta(minutes=minute)) for minute in (2, 0, 1)]
    for session in sessions:
        store.open_session(session)
    store.complete_session(sessions[0].id, SessionOutcome(status=SessionStatus.COMPLETED, completed_at=NOON))

    assert [session.id for session in store.sessions()] == [sessions[0].id, sessions[2].id, sessions[1].id]
    assert [session.id for session in store.sessions(limit=1)] == [sessions[0].id]
    assert [session.id for session in store.sessions(running_only=True)] == [sessions[2].id, sessions[1].id]


def test_what_a_dead_process_left_is_completed_as_interrupted(store: Store) -> None:
    session, bystander = a_session(), a_session()
    store.open_session(session)
    store.open_session(bystander)
    done, left, other = a_start(session), a_start(session), a_start(bystander)
    for start in (done, left, other):
        store.begin_invocation(start)
    finished = store.complete_invocation(a_completion(done))
    at = NOON + timedelta(seconds=3)

    store.interrupt([done.id, left.id], [session.id], "the process 4711 on oncall-7 is gone", at)

    kept, marked = store.invocations(session.id)
    assert kept == finished
    assert (marked.status, marked.success, marked.error_type) == (InvocationStatus.FAILED, False, ErrorType.INTERRUPTED)
    assert marked.error_message == "the process 4711 on oncall-7 is gone"
    assert (marked.output_state, marked.duration_ms, marked.completion_seq) == (OutputState.NONE, 3000.0, 2)
    assert _broken_links((kept, marked)) == []
    failed = store.find_session(session.id)
    assert (failed.status, failed.completed_at, failed.tool_call_count) == (SessionStatus.FAILED, at, 2)
    assert store.find_session(bystander.id).status is SessionStatus.RUNNING
    assert store.invocations(bystander.id)[0].status is InvocationStatus.RUNNING
    with pytest.raises(StoreError, match="already completed as failed"):
        store.complete_invocation(a_completion(left))


def test_a_completed_session_is_not_failed_by_an_interruption(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    completed = store.complete_session(session.id, SessionOutcome(status=SessionStatus.COMPLETED, completed_at=NOON))

    store.interrupt([], [session.id], "gone", NOON + timedelta(hours=1))

    assert store.find_session(session.id) == completed


def test_digests_say_what_the_rows_say(store: Store) -> None:
    session = a_session()
    store.open_session(session)
    starts = [a_start(session) for _ in range(4)]
    for start in starts:
        store.begin_invocation(start)
    store.complete_invocation(a_completion(starts[0]))
    store.complete_invocation(a_failure(starts[1]))
    store.complete_invocation(a_completion(starts[2], retrieval_details={"evidence_refs": []}))

    rows, digests = store.invocations(session.id), store.digests(session.id)

    for row, digest in zip(rows, digests, strict=True):
        for name in ("id", "seq", "tool_name", "status", "error_type", "error_message", "returned_count", "total_count"):
            assert getattr(digest, name) == getattr(row, name)
        assert digest.partial is bool(row.partial)
        assert tuple(digest.partial_reasons) == row.partial_reasons
        assert digest.labels == ((row.scope or {}).get("labels") or {})
        assert [item["ref_id"] for item in digest.evidence_refs] == [ref.ref_id for ref in row.evidence_refs]
    assert [digest.output_preview for digest in digests] == [None, None, rows[2].output_preview, None]
    assert rows[2].output_preview


def _together(actions: list[Callable[[], None]]) -> None:
    failures: list[BaseException] = []

    def guarded(action: Callable[[], None]) -> None:
        try:
            action()
        except BaseException as error:  # noqa: BLE001 - a thread's failure must fail the test
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert not any(thread.is_alive() for thread in threads)


def _broken_links(rows: tuple[ToolInvocation, ...]) -> list[str]:
    """Compute the chain again from nothing but the rows, ``json`` and ``hashlib``."""
    broken = []
    previous = GENESIS
    for row in sorted(rows, key=lambda row: row.completion_seq or 0):
        columns: dict[str, Any] = {field.name: getattr(row, field.name) for field in fields(row)}
        del columns["previous_hash"], columns["row_hash"]
        columns["started_at"] = row.started_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        columns["owner"] = {
            "host": row.owner.host,
            "process_id": row.owner.process_id,
            "process_start": row.owner.process_start,
        }
        text = json.dumps(columns, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if row.previous_hash != previous or row.row_hash != hashlib.sha256((previous + text).encode()).hexdigest():
            broken.append(row.id)
        previous = row.row_hash or ""
    return broken
