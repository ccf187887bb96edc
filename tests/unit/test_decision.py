"""The table of decisions, row by row, and what PASS asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.names import ClaimKind, ClaimRole, Decision, DegradedReason, QuestionKind
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.grounding.ground import ground_claims
from groundwire.services.decision import Decided, decide
from groundwire.services.judgement import Judgement, read_judgement
from groundwire.services.verifier import case_of, own_judgement
from tests.unit.rows import alert, alerts_output, base, block, blocks_output, call, failed_output, log, logs_output

CHAIN = "payment failed\nCaused by: java.net.SocketTimeoutException: bank.example did not answer"

ALERTS = call(1, "query_metrics", alerts_output(alert()))
LOGS = call(2, "query_logs", logs_output(log(CHAIN), total=31, by_level={"ERROR": 31}), {"service": "checkout"})
KNOWN = call(3, "lookup_knowledge", blocks_output(block("Payments time out when the bank is slow.")))
NO_ALERTS = call(1, "query_metrics", alerts_output())
NO_LOGS = call(2, "query_logs", logs_output(in_scope=120), {"service": "checkout"})


def claim(text: str, *refs: str, kind: ClaimKind, role: ClaimRole = ClaimRole.ANSWER, name: str = "c") -> Claim:
    return Claim(id=name, text=text, refs=refs, kind=kind, role=role)


SYMPTOM = claim("CheckoutErrors is firing for checkout.", "i1.alerts.0", kind=ClaimKind.SYMPTOM, name="symptom")
CAUSE = claim(
    "checkout's log says “Caused by: java.net.SocketTimeoutException: bank.example did not answer”.",
    "i2.logs.0",
    kind=ClaimKind.CAUSE,
    name="cause",
)
WRONG_SYMPTOM = claim("CheckoutErrors is pending for checkout.", "i1.alerts.0", kind=ClaimKind.SYMPTOM)
QUIET_LOGS = claim("No log line of checkout of level ERROR or more severe.", "i2.summary", kind=ClaimKind.ABSENCE)
QUIET_ALERTS = claim("No alert is firing for checkout.", "i1", kind=ClaimKind.ABSENCE)
ERRORS = claim("checkout logged 31 ERROR records.", "i2.summary", kind=ClaimKind.SYMPTOM)
ADVICE = claim("Restart checkout.", kind=ClaimKind.RECOMMENDATION)
TRIVIA = claim("checkout logged 31 ERROR records.", "i2.summary", kind=ClaimKind.OBSERVATION)


def decided(
    *claims: Claim,
    calls: tuple[CallEvidence, ...] = (ALERTS, LOGS, KNOWN),
    kind: QuestionKind = QuestionKind.DIAGNOSE,
    judge: str | Judgement | None = "no judge",
    complete: bool = True,
    text: str = "",
) -> Decided:
    evidence = base(*calls, kind=kind)
    if text:
        evidence = EvidenceBase(replace(evidence.question, text=text), calls)
    verdicts = ground_claims(claims, evidence)
    if isinstance(judge, Judgement):
        judgement = judge
    else:
        judgement = own_judgement(verdicts) if judge == "no judge" else read_judgement(judge)
    return decide(
        case_of(
            evidence.question,
            Draft(claims=claims, complete=complete),
            verdicts=verdicts,
            rows=[each.row for each in calls],
            judgement=judgement,
            base=evidence,
        )
    )


def low(reason: DegradedReason) -> Decided:
    return Decided(Decision.LOW_CONFID, reason)


PASS = Decided(Decision.PASS, None)


def test_a_supported_symptom_with_a_supported_cause_of_the_same_service_passes() -> None:
    assert decided(SYMPTOM, CAUSE) == PASS


def test_an_answer_that_is_contradicted_is_rejected() -> None:
    assert decided(WRONG_SYMPTOM, CAUSE) == Decided(Decision.REJECT, DegradedReason.CONTRADICTED)


def test_a_contradicted_cause_is_rejected_whatever_its_role() -> None:
    wrong = claim("checkout's log says active=3 in “payment failed”.", "i2.logs.0", kind=ClaimKind.CAUSE, role=ClaimRole.CONTEXT)
    contradicted = call(2, "query_logs", logs_output(log(CHAIN + " active=5")), {"service": "checkout"})
    assert decided(SYMPTOM, CAUSE, wrong, calls=(ALERTS, contradicted)).decision is Decision.REJECT


def test_a_contradicted_context_claim_caps_the_decision() -> None:
    wrong = claim("CheckoutErrors is pending.", "i1.alerts.0", kind=ClaimKind.OBSERVATION, role=ClaimRole.CONTEXT)
    assert decided(SYMPTOM, CAUSE, wrong) == low(DegradedReason.UNSUPPORTED_CLAIMS)


def test_an_unsupported_context_claim_is_only_taken_out() -> None:
    loose = claim("CartErrors is firing.", "i1.alerts.0", kind=ClaimKind.OBSERVATION, role=ClaimRole.CONTEXT)
    assert decided(SYMPTOM, CAUSE, loose) == PASS


def test_an_unsupported_supporting_claim_does_not_pass() -> None:
    loose = claim("CartErrors is firing.", "i1.alerts.0", kind=ClaimKind.OBSERVATION, role=ClaimRole.SUPPORT)
    assert decided(SYMPTOM, CAUSE, loose) == low(DegradedReason.UNSUPPORTED_CLAIMS)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, DegradedReason.VERIFIER_MISSING),
        ("", DegradedReason.VERIFIER_MISSING),
        (" \n", DegradedReason.VERIFIER_MISSING),
        ("PASS", DegradedReason.VERIFIER_INVALID_JSON),
        ('{"decision": "PASS"', DegradedReason.VERIFIER_INVALID_JSON),
        ("NaN", DegradedReason.VERIFIER_INVALID_JSON),
        ('["PASS"]', DegradedReason.VERIFIER_INVALID_SCHEMA),
        ('"PASS"', DegradedReason.VERIFIER_INVALID_SCHEMA),
        ("{}", DegradedReason.VERIFIER_INVALID_SCHEMA),
        ('{"decision": "pass"}', DegradedReason.VERIFIER_INVALID_SCHEMA),
        ('{"decision": "APPROVE"}', DegradedReason.VERIFIER_INVALID_SCHEMA),
        ('{"decision": ["PASS"]}', DegradedReason.VERIFIER_INVALID_SCHEMA),
        ('{"decision": "PASS", "claims": "all good"}', DegradedReason.VERIFIER_INVALID_SCHEMA),
    ],
)
def test_a_judge_whose_output_cannot_be_used_degrades_to_low_confidence(raw: str | None, reason: DegradedReason) -> None:
    assert decided(SYMPTOM, CAUSE, judge=raw) == low(reason)


def test_a_judge_that_cannot_be_reached_degrades_to_low_confidence() -> None:
    away = Judgement(raw="TimeoutError", fault=DegradedReason.VERIFIER_UNAVAILABLE)
    assert decided(SYMPTOM, CAUSE, judge=away) == low(DegradedReason.VERIFIER_UNAVAILABLE)


def test_a_judge_can_lower_a_decision() -> None:
    assert decided(SYMPTOM, CAUSE, judge='{"decision": "PASS"}') == PASS
    assert decided(SYMPTOM, CAUSE, judge='{"decision": "LOW_CONFID"}') == low(DegradedReason.JUDGE_LOW_CONFIDENCE)
    rejected = Decided(Decision.REJECT, DegradedReason.JUDGE_REJECTED)
    assert decided(SYMPTOM, CAUSE, judge='{"decision": "REJECT"}') == rejected


def test_a_judge_cannot_raise_a_decision() -> None:
    assert decided(WRONG_SYMPTOM, CAUSE, judge='{"decision": "PASS"}').decision is Decision.REJECT
    assert decided(TRIVIA, judge='{"decision": "PASS"}').decision is Decision.LOW_CONFID


def test_a_draft_that_is_empty_or_cut_off_is_incomplete() -> None:
    assert decided() == low(DegradedReason.DRAFT_INCOMPLETE)
    assert decided(SYMPTOM, CAUSE, complete=False) == low(DegradedReason.DRAFT_INCOMPLETE)


def test_a_cause_that_cites_only_a_runbook_has_no_direct_evidence() -> None:
    text = "The runbook “Checkout runbook” says “Payments time out when the bank is slow.”"
    assert decided(SYMPTOM, claim(text, "i3.blocks.0", kind=ClaimKind.CAUSE)) == low(DegradedReason.NO_DIRECT_EVIDENCE)


def test_nothing_usable_found_is_no_direct_evidence() -> None:
    idle = claim("checkout feels slow today.", "i1", kind=ClaimKind.OBSERVATION)
    nothing = call(1, "query_logs", logs_output(in_scope=0))
    assert decided(idle, calls=(nothing,), kind=QuestionKind.LOOKUP) == low(DegradedReason.NO_DIRECT_EVIDENCE)


def test_a_partial_call_under_the_answer_is_a_coverage_gap() -> None:
    partial = call(2, "query_logs", logs_output(log(CHAIN), partial=True, partial_reasons=["b.log was not read"]))
    assert decided(SYMPTOM, CAUSE, calls=(ALERTS, partial)) == low(DegradedReason.COVERAGE_GAP)


def test_a_failed_call_that_the_answer_does_not_rest_on_leaves_it_standing() -> None:
    failed = call(4, "lookup_knowledge", failed_output("unavailable", "no such folder"))
    assert decided(SYMPTOM, CAUSE, calls=(ALERTS, LOGS, failed)) == PASS


def test_true_trivia_does_not_answer_the_question() -> None:
    assert decided(TRIVIA) == low(DegradedReason.QUESTION_NOT_ANSWERED)


def test_advice_alone_does_not_answer_the_question() -> None:
    assert decided(ADVICE, calls=(ALERTS, LOGS)).decision is Decision.LOW_CONFID
    context = Claim(id="a", text="Restart checkout.", refs=(), kind=ClaimKind.RECOMMENDATION, role=ClaimRole.CONTEXT)
    assert decided(context) == low(DegradedReason.QUESTION_NOT_ANSWERED)


@pytest.mark.parametrize("kept", [SYMPTOM, CAUSE])
def test_a_diagnosis_without_its_symptom_or_without_its_cause_does_not_pass(kept: Claim) -> None:
    assert decided(kept) == low(DegradedReason.QUESTION_NOT_ANSWERED)


def test_a_symptom_outside_the_window_is_no_symptom() -> None:
    yesterday = {**alert(), "active_at": "2026-11-11T09:25:00Z", "ends_at": "2026-11-11T10:00:00Z"}
    old = call(1, "query_metrics", alerts_output(yesterday))
    assert decided(SYMPTOM, CAUSE, calls=(old, LOGS)) == low(DegradedReason.QUESTION_NOT_ANSWERED)


def test_a_cause_of_an_unrelated_service_does_not_explain_the_symptom() -> None:
    other = call(2, "query_logs", logs_output(log(CHAIN, service="cart"), service="cart"), {"service": "cart"})
    text = CAUSE.text.replace("checkout's", "cart's")
    unrelated = claim(text, "i2.logs.0", kind=ClaimKind.CAUSE)
    assert decided(SYMPTOM, unrelated, calls=(ALERTS, other)) == low(DegradedReason.QUESTION_NOT_ANSWERED)


def test_a_correct_nothing_is_wrong_passes_from_complete_queries_of_live_sources() -> None:
    assert decided(QUIET_ALERTS, QUIET_LOGS, calls=(NO_ALERTS, NO_LOGS), kind=QuestionKind.STATUS) == PASS


@pytest.mark.parametrize("number", [1, 3, 120])
def test_that_no_line_is_error_or_more_severe_among_some_records_bounds_no_number(number: int) -> None:
    records = "1 record" if number == 1 else f"{number} records"
    text = f"No log line of level ERROR or more severe among {records} in the window."
    quiet = claim(text, "i2.summary", kind=ClaimKind.ABSENCE, role=ClaimRole.CONTEXT)
    logs = call(2, "query_logs", logs_output(in_scope=number, service=None))
    assert decided(QUIET_ALERTS, quiet, calls=(NO_ALERTS, logs), kind=QuestionKind.STATUS) != (
        low(DegradedReason.UNSUPPORTED_CLAIMS)
    )


def test_nothing_is_wrong_does_not_pass_when_any_query_failed() -> None:
    failed = call(1, "query_metrics", failed_output("unavailable", "connection refused"))
    assert decided(QUIET_LOGS, calls=(failed, NO_LOGS), kind=QuestionKind.STATUS) == low(DegradedReason.COVERAGE_GAP)


def test_nothing_is_wrong_does_not_pass_from_a_silent_subject_or_a_saved_answer() -> None:
    silent = call(2, "query_logs", logs_output(in_scope=0), {"service": "checkout"})
    assert decided(QUIET_LOGS, calls=(NO_ALERTS, silent), kind=QuestionKind.STATUS).decision is Decision.LOW_CONFID
    saved = call(1, "query_metrics", alerts_output(live=False))
    assert decided(QUIET_ALERTS, calls=(saved, NO_LOGS), kind=QuestionKind.STATUS).decision is Decision.LOW_CONFID


def test_a_status_question_is_answered_by_a_bad_state_too() -> None:
    assert decided(SYMPTOM, kind=QuestionKind.STATUS) == PASS


@pytest.mark.parametrize(
    ("text", "claims", "expected"),
    [
        ("which alerts are firing?", (ERRORS,), low(DegradedReason.QUESTION_NOT_ANSWERED)),
        ("which alerts are firing?", (SYMPTOM,), PASS),
        ("哪些告警在触发", (ERRORS,), low(DegradedReason.QUESTION_NOT_ANSWERED)),
        ("are there alerts or errors?", (ERRORS,), PASS),
        ("is checkout healthy?", (ERRORS,), PASS),
    ],
)
def test_how_alerts_stand_is_not_answered_by_what_logs_say(text: str, claims: tuple[Claim, ...], expected: Decided) -> None:
    assert decided(*claims, kind=QuestionKind.STATUS, text=text) == expected


def test_that_no_alert_fires_answers_a_question_about_alerts_and_that_nothing_was_logged_does_not() -> None:
    for claimed, expected in ((QUIET_ALERTS, PASS), (QUIET_LOGS, low(DegradedReason.QUESTION_NOT_ANSWERED))):
        calls = (NO_ALERTS, NO_LOGS)
        assert decided(claimed, calls=calls, kind=QuestionKind.STATUS, text="did any alert fire?") == expected


def test_a_lookup_needs_knowledge_of_at_least_medium_relevance() -> None:
    text = "The runbook “Checkout runbook” says “Payments time out when the bank is slow.”"
    known = claim(text, "i1.blocks.0", kind=ClaimKind.OBSERVATION)
    content = block("Payments time out when the bank is slow.")
    for relevance, expected in (
        ("high", PASS),
        ("medium", PASS),
        ("low", low(DegradedReason.QUESTION_NOT_ANSWERED)),
    ):
        looked_up = call(1, "lookup_knowledge", blocks_output(content, relevance=relevance))
        assert decided(known, calls=(looked_up,), kind=QuestionKind.LOOKUP) == expected
