"""ChatService: from a question to a decision, and every way down."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from typing import cast

import pytest

from groundwire.domain.answer import Draft
from groundwire.domain.errors import Interruption, StoreLockedError, UsageError
from groundwire.domain.names import Decision, DegradedReason, SessionStatus, StepKind, StepRole, new_id
from groundwire.domain.session import AgentStep, DiagnosisSession
from groundwire.ports import ToolGateway
from groundwire.rendering.answer_text import render_text
from groundwire.services.audit import audit_session
from groundwire.services.context import SessionContext
from groundwire.services.drafts import read_draft
from groundwire.services.replay import replay_session
from groundwire.services.verifier import Verifier
from groundwire.testing import InMemoryTraceStore, ScriptedJudge, ScriptedTool
from tests.unit.rows import blocks_output, failed_output
from tests.unit.sessions import (
    ALERTS_THEN_LOGS,
    CAUSE,
    GOOD_DRAFT,
    SYMPTOM,
    ScriptedInvestigator,
    Told,
    claim,
    context,
    diagnose,
    found_tools,
)

GOOD = ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS)


def test_a_supported_diagnosis_passes_and_is_whole_in_the_store() -> None:
    answer, store = diagnose(GOOD)
    assert (answer.decision, answer.degraded_reason) == (Decision.PASS, None)
    (session,) = store.sessions()
    assert (session.status, session.decision, session.tool_call_count) == (SessionStatus.COMPLETED, Decision.PASS, 2)
    (evaluation,) = store.evaluations(session.id)
    assert evaluation.decision is Decision.PASS
    assert session.final_output and "Deepest confirmed cause" in session.final_output
    assert "root cause" not in session.final_output.lower()
    assert audit_session(session.id, store, store, render=lambda shown: render_text(shown, local_zone=UTC)).ok


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", DegradedReason.VERIFIER_MISSING),
        (None, DegradedReason.VERIFIER_MISSING),
        ("I think it is fine", DegradedReason.VERIFIER_INVALID_JSON),
        ('{"decision": "MAYBE"}', DegradedReason.VERIFIER_INVALID_SCHEMA),
        ("[]", DegradedReason.VERIFIER_INVALID_SCHEMA),
        (TimeoutError("no answer in 60 s"), DegradedReason.VERIFIER_UNAVAILABLE),
        (RuntimeError("judge broke"), DegradedReason.VERIFIER_UNAVAILABLE),
        ('{"decision": "LOW_CONFID"}', DegradedReason.JUDGE_LOW_CONFIDENCE),
    ],
)
def test_a_judge_that_fails_or_doubts_degrades_with_its_row_and_raw_text(
    said: str | Exception | None, reason: DegradedReason
) -> None:
    answer, store = diagnose(GOOD, judge=ScriptedJudge(said))
    assert (answer.decision, answer.degraded_reason) == (Decision.LOW_CONFID, reason)
    (session,) = store.sessions()
    (evaluation,) = store.evaluations(session.id)
    assert (evaluation.decision, evaluation.degraded_reason) == (Decision.LOW_CONFID, reason)
    if isinstance(said, str):
        assert evaluation.verifier_output == said
    if isinstance(said, Exception):
        assert str(said) in (evaluation.verifier_output or "")
    assert session.final_output and session.final_output.startswith("LOW_CONFID")


def test_when_only_the_second_opinion_is_missing_the_output_says_that_all_claims_hold() -> None:
    _, store = diagnose(GOOD, judge=ScriptedJudge(""))
    final = store.sessions()[0].final_output or ""
    assert "2 of 2 claims hold; the second opinion is missing" in " ".join(final.split())


def two_drafts() -> tuple[Draft, Draft]:
    wrong = claim("CheckoutErrors has been firing since 09:24:00 UTC, says Alice.", "i1.alerts.0", kind="symptom")
    worse = claim("CheckoutErrors is pending for a reason nobody knows.", "i1.alerts.0", kind="symptom", name="zz")
    return Draft(claims=(wrong, CAUSE)), Draft(claims=(worse,))


def masked_ids(text: str) -> str:
    return re.sub(r"[0-9a-f]{12}", "ID", text)


def test_a_contradicted_draft_is_withheld_and_two_of_them_render_to_the_same_bytes() -> None:
    outputs = []
    for draft in two_drafts():
        answer, store = diagnose(ScriptedInvestigator(draft, ALERTS_THEN_LOGS))
        assert (answer.decision, answer.degraded_reason) == (Decision.REJECT, DegradedReason.CONTRADICTED)
        assert answer.claims == ()
        (session,) = store.sessions()
        final = session.final_output or ""
        assert "withheld" in final
        for shown in draft.claims:
            assert shown.text not in " ".join(final.split())
        assert session.draft_answer and read_draft(session.draft_answer) == draft
        outputs.append(masked_ids(final))
    assert outputs[0] == outputs[1]


def test_a_judge_that_rejects_withholds_a_draft_that_grounding_supports() -> None:
    answer, store = diagnose(GOOD, judge=ScriptedJudge('{"decision": "REJECT", "reason": "no"}'))
    assert (answer.decision, answer.degraded_reason) == (Decision.REJECT, DegradedReason.JUDGE_REJECTED)
    assert "SocketTimeoutException: bank.example did not answer”" not in (store.sessions()[0].final_output or "")


def test_low_confidence_shows_only_the_claims_that_hold_and_counts_the_others() -> None:
    loose = claim("CartErrors is firing for checkout.", "i1.alerts.0", kind="observation", role="support", name="loose")
    answer, store = diagnose(ScriptedInvestigator(Draft(claims=(SYMPTOM, CAUSE, loose)), ALERTS_THEN_LOGS))
    assert (answer.decision, answer.degraded_reason) == (Decision.LOW_CONFID, DegradedReason.UNSUPPORTED_CLAIMS)
    assert [shown.claim.id for shown in answer.claims] == ["symptom", "cause"]
    assert answer.hidden_count == 1
    assert "CartErrors" not in (store.sessions()[0].final_output or "")


def test_failed_and_empty_calls_stand_in_the_coverage() -> None:
    tools = found_tools(
        query_logs=ScriptedTool("query_logs", failed_output("timeout", "loki: no answer within 20 s")),
        lookup_knowledge=ScriptedTool("lookup_knowledge", blocks_output()),
    )
    calls = (*ALERTS_THEN_LOGS, ("lookup_knowledge", {"query": "x"}))
    answer, store = diagnose(ScriptedInvestigator(Draft(claims=(SYMPTOM,)), calls), tools=tools)
    assert [item.ref for item in answer.coverage.found] == ["i1"]
    assert [item.ref for item in answer.coverage.failed] == ["i2"]
    assert [item.ref for item in answer.coverage.empty] == ["i3"]
    final = " ".join((store.sessions()[0].final_output or "").split())
    assert "loki: no answer within 20 s" in final


def test_step_count_is_of_persisted_model_steps_and_helper_calls_inflate_neither_count() -> None:
    def think(gateway: ToolGateway) -> None:
        gateway.list_sources()
        session_id = store.sessions()[0].id
        for kind in (StepKind.MODEL, StepKind.MODEL, StepKind.HELPER):
            gateway.record_step(
                AgentStep(id=new_id(), session_id=session_id, kind=kind, role=StepRole.PLANNER, request_summary="plan")
            )

    store = InMemoryTraceStore()
    diagnose(ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS, before=think), store=store)
    (session,) = store.sessions()
    assert (session.step_count, session.tool_call_count) == (2, 2)
    assert len(store.steps(session.id)) == 4


def test_an_investigator_that_breaks_leaves_a_visible_step_and_a_degraded_answer() -> None:
    def broken(gateway: ToolGateway) -> None:
        gateway.ask("query_logs", {})
        raise RuntimeError("lost my way")

    answer, store = diagnose(ScriptedInvestigator(GOOD_DRAFT, before=broken))
    assert (answer.decision, answer.degraded_reason) == (Decision.LOW_CONFID, DegradedReason.DRAFT_INCOMPLETE)
    (session,) = store.sessions()
    (step,) = store.steps(session.id)
    assert step.error_message == "RuntimeError: lost my way"
    assert session.tool_call_count == 1


def test_an_investigator_that_gives_no_draft_leaves_a_visible_step_and_a_degraded_answer() -> None:
    answer, store = diagnose(ScriptedInvestigator(cast("Draft", None), ALERTS_THEN_LOGS))
    assert (answer.decision, answer.degraded_reason) == (Decision.LOW_CONFID, DegradedReason.DRAFT_INCOMPLETE)
    (step,) = store.steps(answer.session_id)
    assert (step.request_summary, (step.error_message or "")[:15]) == ("the investigation ended early", "AttributeError:")


def test_a_store_that_breaks_ends_the_run() -> None:
    class Locked(InMemoryTraceStore):
        def begin_invocation(self, start: object) -> int:
            raise StoreLockedError("the database is locked")

    store = Locked()
    with pytest.raises(StoreLockedError):
        diagnose(GOOD, store=store)
    assert store.sessions()[0].status is SessionStatus.FAILED


def test_a_cancelled_run_leaves_a_cancelled_session() -> None:
    def cancel(gateway: ToolGateway) -> None:
        raise KeyboardInterrupt

    store = InMemoryTraceStore()
    with pytest.raises(Interruption) as caught:
        diagnose(ScriptedInvestigator(GOOD_DRAFT, before=cancel), store=store)
    (session,) = store.sessions()
    assert (session.status, caught.value.session_id) == (SessionStatus.CANCELLED, session.id)


def test_an_interrupt_before_there_is_a_session_says_that_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: SessionContext) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SessionContext, "known", interrupted)
    store = InMemoryTraceStore()
    with pytest.raises(Interruption) as caught:
        diagnose(GOOD, store=store)
    assert (store.sessions(), caught.value.session_id) == ((), None)


def test_a_revised_draft_is_verified_again_and_both_evaluations_are_kept() -> None:
    wrong = Draft(claims=(claim("CheckoutErrors is pending.", "i1.alerts.0", kind="symptom"), CAUSE))
    investigator = ScriptedInvestigator(wrong, ALERTS_THEN_LOGS, revised=GOOD_DRAFT)
    answer, store = diagnose(investigator)
    assert answer.decision is Decision.PASS
    evaluations = store.evaluations(store.sessions()[0].id)
    assert [(each.attempt, each.decision) for each in evaluations] == [(1, Decision.REJECT), (2, Decision.PASS)]
    assert investigator.seen[0].verdict == "contradicted"


def test_progress_says_when_a_second_opinion_is_waited_for() -> None:
    told, alone = Told(), Told()
    diagnose(GOOD, judge=ScriptedJudge('{"decision": "PASS"}'), progress=told)
    assert told.texts[-2:] == ["checking the draft against the evidence", "asking scripted for a second opinion (up to 60 s)"]
    diagnose(GOOD, progress=alone)
    assert alone.texts[-1] == "checking the draft against the evidence"


def test_progress_says_when_a_revised_draft_is_checked() -> None:
    told = Told()
    wrong = Draft(claims=(claim("CheckoutErrors is pending.", "i1.alerts.0", kind="symptom"), CAUSE))
    diagnose(ScriptedInvestigator(wrong, ALERTS_THEN_LOGS, revised=GOOD_DRAFT), progress=told)
    assert told.texts[-1] == "checking the revised draft against the evidence"


def test_an_empty_question_opens_no_session() -> None:
    store = InMemoryTraceStore()
    on = context(store, found_tools())
    from groundwire.services.question import Asked, read_question

    with pytest.raises(UsageError, match="empty"):
        read_question(Asked(text="  \n "), on.known())
    assert store.sessions() == ()


@pytest.mark.parametrize("column", ["question", "final_output", "decision"])
def test_an_audit_notices_a_session_that_was_changed_after_it_was_decided(column: str) -> None:
    _, store = diagnose(GOOD)

    class Tampered(InMemoryTraceStore):
        def find_session(self, id_or_part: str) -> DiagnosisSession:
            session = store.find_session(id_or_part)
            changed = {"question": "is it?", "final_output": "PASS: all is well", "decision": Decision.REJECT}
            return replace(session, **{column: changed[column]})  # type: ignore[arg-type]

    tampered = Tampered()
    for name in ("invocations", "digests", "steps", "evaluations", "load_output"):
        setattr(tampered, name, getattr(store, name))
    report = audit_session("last", tampered, tampered, render=lambda shown: render_text(shown, local_zone=UTC))
    assert [fault.kind for fault in report.faults][:1] == ["session"]


@pytest.mark.parametrize("judge", [None, ScriptedJudge('{"decision": "LOW_CONFID"}'), ScriptedJudge("no json")])
def test_replay_computes_the_same_decision_from_the_stored_outputs(judge: ScriptedJudge | None) -> None:
    answer, store = diagnose(GOOD, judge=judge)
    verifier = Verifier(reader=store, outputs=store, clock=context(store, {}).clock, judge=None)
    report = replay_session("last", store, store, verifier)
    assert (report.same, report.decision) == (True, answer.decision)
