"""What an interrupt (Ctrl-C) and the end of an investigation leave of what is still under way: rows and steps that say so."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from groundwire.domain.model import ModelMessage, ModelReply
from groundwire.domain.names import InvocationStatus, SessionStatus, StepKind, StepRole
from groundwire.domain.session import AgentStep, DiagnosisSession
from groundwire.investigators import waiting
from groundwire.investigators.model_driven import Limits
from groundwire.judges.model_judge import ModelJudge
from groundwire.ports import CallContext, Judge
from groundwire.services.judge_steps import JudgeSpending
from groundwire.testing import InMemoryTraceStore, ScriptedModel
from groundwire.testing.model import Turn
from tests.unit.model_turns import ALERTS, GOOD, LOGS, Investigated, asks, call, submits
from tests.unit.rows import log, logs_output
from tests.unit.sessions import ALERTS_THEN_LOGS, GOOD_DRAFT, ScriptedInvestigator, diagnose, found_tools


@pytest.fixture(autouse=True)
def _interrupts_reach_this_thread() -> Iterator[None]:
    # Worker processes of a test run may ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Lets go at the end of a test whatever still hangs."""
    event = threading.Event()
    yield event
    event.set()


def press_ctrl_c() -> None:
    # A real signal: it also wakes a thread that waits for a lock, as a terminal's does.
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


class Slow:
    """A log tool in which somebody presses Ctrl-C; it goes on until ``then`` returns."""

    name = "query_logs"

    def __init__(self, then: Callable[[], object], *, interrupts: bool = True) -> None:
        self._then, self._interrupts = then, interrupts

    def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        if self._interrupts:
            press_ctrl_c()
        self._then()
        return logs_output(log("x"))


def interrupted(
    *turns: Turn, tool: Slow | None = None, judge: Judge | None = None
) -> tuple[DiagnosisSession, InMemoryTraceStore]:
    """The session and the store of an investigation that an interrupt ends."""
    store = InMemoryTraceStore()
    with pytest.raises(KeyboardInterrupt):
        if judge is not None:
            diagnose(ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS), store=store, judge=judge, spending=JudgeSpending())
        else:
            Investigated(*turns, tools=found_tools(query_logs=tool) if tool else None, store=store)
    (session,) = store.sessions()
    return session, store


def hanging(release: threading.Event) -> Callable[[Sequence[ModelMessage]], ModelReply]:
    """A turn in which somebody presses Ctrl-C, and whose reply does not come."""

    def turn(messages: Sequence[ModelMessage]) -> ModelReply:
        press_ctrl_c()
        release.wait(30)
        return GOOD

    return turn


def test_a_call_that_hangs_at_an_interrupt_is_completed_as_interrupted(
    release: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_GRACE_S", 0.05)
    session, store = interrupted(LOGS, GOOD, tool=Slow(lambda: release.wait(30)))
    (row,) = store.invocations(session.id)
    assert (row.status, row.error_type) == (InvocationStatus.FAILED, "interrupted")
    assert row.error_message == "stopped by KeyboardInterrupt"
    assert (session.status, session.tool_call_count) == (SessionStatus.CANCELLED, 1)
    assert row.row_hash


def test_many_calls_that_hang_hold_an_interrupt_no_longer_than_one(
    release: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_GRACE_S", 0.5)
    both = asks(*(call("query_logs", {"limit": number}, id=f"c{number}") for number in range(1, 21)))
    started = time.monotonic()
    session, store = interrupted(both, GOOD, tool=Slow(lambda: release.wait(30)))
    assert time.monotonic() - started < 5
    assert {row.error_type for row in store.invocations(session.id)} == {"interrupted"}


def test_a_call_that_ends_right_after_an_interrupt_is_recorded_with_what_it_found() -> None:
    session, store = interrupted(LOGS, GOOD, tool=Slow(lambda: time.sleep(0.1)))
    (row,) = store.invocations(session.id)
    assert row.status is InvocationStatus.EVIDENCE
    assert session.status is SessionStatus.CANCELLED


def test_a_request_under_way_at_an_interrupt_is_a_step(release: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_GRACE_S", 0.05)
    session, store = interrupted(ALERTS, hanging(release))
    steps = [step for step in store.steps(session.id) if step.kind is StepKind.MODEL]
    assert [step.error_message for step in steps] == [None, "interrupted: stopped by KeyboardInterrupt"]
    assert "request 2 of 12" in steps[1].request_summary
    assert (session.status, session.step_count) == (SessionStatus.CANCELLED, 2)


def judge_steps(session: DiagnosisSession, store: InMemoryTraceStore) -> list[AgentStep]:
    return [step for step in store.steps(session.id) if step.role is StepRole.VERIFIER]


def test_a_judge_that_is_asked_at_an_interrupt_is_a_step(release: threading.Event) -> None:
    session, store = interrupted(judge=ModelJudge(ScriptedModel(hanging(release), name="judging:m")))
    (step,) = judge_steps(session, store)
    assert (step.kind, step.model) == (StepKind.MODEL, "judging:m")
    assert step.error_message == "interrupted: stopped by KeyboardInterrupt"
    assert session.status is SessionStatus.CANCELLED


def test_a_call_that_outlasts_the_investigation_is_completed_before_it_is_decided_on(release: threading.Event) -> None:
    done = Investigated(
        LOGS,
        submits(),
        tools=found_tools(query_logs=Slow(lambda: release.wait(30), interrupts=False)),
        limits=Limits(max_seconds=0.3),
    )
    (row,) = done.rows
    assert (row.status, row.error_type) == (InvocationStatus.FAILED, "interrupted")
    assert "no answer came before the investigation ended" in done.shown
