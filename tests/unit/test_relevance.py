"""Drafts whose every claim holds, and which do not answer the question: none of them passes. Beside each, the one that does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.names import ClaimKind, ClaimRole, Decision, DegradedReason, QuestionKind, Verdict
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.grounding.ground import ground_claims
from groundwire.services.decision import Decided, decide
from groundwire.services.verifier import case_of, own_judgement
from tests.unit.rows import WINDOW, alert, alerts_output, at, block, blocks_output, call, log, logs_output, question, scope

BESIDE = Decided(Decision.LOW_CONFID, DegradedReason.QUESTION_NOT_ANSWERED)
PASS = Decided(Decision.PASS, None)

CHECKOUT = log("payment 7 failed because bank.example did not answer")
ROUTINE = log("payment 8 captured", level="INFO", clock="09:10:00")
CART = log("cart 5 dropped because the session store is full", service="cart", clock="09:40:00")
HEARSAY = log("checkout is overloaded, cart 6 waits", service="cart", level="WARN", clock="09:41:00")
GATEWAY = log("upstream checkout answered 503", service="gateway", clock="09:42:00")
LATER = {"window": {"start": at("09:30:00"), "end": at("11:00:00")}}

CALLS = (
    call(1, "query_metrics", alerts_output(alert(), alert("CartErrors", service="cart"), service=None)),
    call(2, "query_logs", logs_output(CHECKOUT, ROUTINE, total=51, by_level={"ERROR": 31, "INFO": 20}), {"service": "checkout"}),
    call(3, "query_logs", logs_output(CART, HEARSAY, service="cart", total=2, by_level={"ERROR": 1, "WARN": 1})),
    call(4, "query_logs", logs_output(CHECKOUT, CART, service=None, total=32, by_level={"ERROR": 32})),
    call(5, "query_logs", logs_output(query='"out of memory"', in_scope=400)),
    call(6, "query_logs", logs_output(GATEWAY, service="gateway"), {"service": "gateway"}),
    call(7, "query_logs", logs_output(CHECKOUT, total=31, by_level={"ERROR": 31}, scope={**scope("checkout"), **LATER})),
    call(8, "lookup_knowledge", blocks_output(block("The bank is slow on Mondays.", title="Slow bank"))),
    call(9, "lookup_knowledge", blocks_output(block("The disk of the mail relay fills.", title="MailRelayDown"))),
)


def claim(kind: str, text: str, *refs: str, role: str = "answer") -> Claim:
    return Claim(id=f"{kind}{len(text)}", text=text, refs=refs, kind=ClaimKind(kind), role=ClaimRole(role))


def decided(
    *claims: Claim,
    kind: QuestionKind = QuestionKind.DIAGNOSE,
    subjects: tuple[str, ...] = ("checkout",),
    text: str = "how is checkout?",
    calls: tuple[CallEvidence, ...] = CALLS,
) -> Decided:
    evidence = EvidenceBase(replace(question(kind), subjects=subjects, text=text), calls)
    verdicts = ground_claims(claims, evidence)
    assert [verdict.reason for verdict in verdicts if verdict.verdict is not Verdict.SUPPORTED] == []
    return decide(
        case_of(
            evidence.question,
            Draft(claims=claims),
            verdicts=verdicts,
            rows=[each.row for each in calls],
            judgement=own_judgement(verdicts),
            base=evidence,
        )
    )


SYMPTOM = claim("symptom", "CheckoutErrors is firing for checkout.", "i1.alerts.0")
CAUSE = claim("cause", "checkout's log says “failed because bank.example did not answer”.", "i2.logs.0")
CART_CAUSE = claim("cause", "cart's log says “dropped because the session store is full”.", "i3.logs.0")


def test_symptom_and_cause_of_the_asked_service_answer() -> None:
    assert decided(SYMPTOM, CAUSE) == PASS


@pytest.mark.parametrize(
    "symptom",
    [
        claim("symptom", "CartErrors is firing for cart.", "i1.alerts.1"),
        claim("symptom", "CartErrors is firing for cart.", "i1.alerts.1", "i1.alerts.0"),
        claim("symptom", "cart's log says “checkout is overloaded, cart 6 waits”.", "i3.logs.1"),
        claim("symptom", "The log says “cart 5 dropped”.", "i3.logs.0", "i2.logs.1"),
    ],
    ids=["of another service", "padded with the asked one's", "what another one says of it", "of nobody by name"],
)
def test_another_service_s_symptom_and_cause_do_not_answer_whatever_else_is_cited_or_said(symptom: Claim) -> None:
    assert decided(symptom, CART_CAUSE) == BESIDE


def test_the_symptom_of_the_asked_service_is_not_explained_by_another_one_s_cause() -> None:
    assert decided(SYMPTOM, CART_CAUSE) == BESIDE
    everything = claim("symptom", "checkout logged 31 ERROR records.", "i2.summary", "i1")
    assert decided(everything, CART_CAUSE) == BESIDE
    nameless = claim("cause", "The log says “dropped because the session store is full”.", "i3.logs.0", "i2.logs.0")
    assert decided(SYMPTOM, nameless) == BESIDE


def test_what_another_service_reports_of_the_asked_one_is_explained_by_the_asked_one_s_cause() -> None:
    heard = claim("symptom", "cart's log says “checkout is overloaded, cart 6 waits”.", "i3.logs.1")
    assert decided(heard, CAUSE) == PASS


def test_the_cause_may_be_that_of_a_service_which_the_symptom_s_line_names() -> None:
    upstream = claim("symptom", "gateway's log says “upstream checkout answered 503”.", "i6.logs.0")
    assert decided(upstream, CAUSE, subjects=("gateway",)) == PASS
    assert decided(upstream, CART_CAUSE, subjects=("gateway",)) == BESIDE


@pytest.mark.parametrize(
    "said",
    [
        claim("observation", "checkout's log says “payment 8 captured”.", "i2.logs.1"),
        claim("symptom", "checkout's log says “payment 8 captured”.", "i2.logs.1"),
        claim("observation", "checkout logged 51 records.", "i2.summary"),
        claim("observation", "checkout logged 20 INFO records.", "i2.summary"),
        claim("observation", "checkout logged a record at 09:30:00 UTC.", "i2.logs.0"),
        claim("symptom", "CartErrors is firing for cart.", "i1.alerts.1", "i1.alerts.0"),
        claim("absence", "No log line of checkout contains “out of memory”.", "i5.summary"),
    ],
)
def test_trivia_another_service_and_the_absence_of_something_else_are_no_state(said: Claim) -> None:
    assert decided(said, kind=QuestionKind.STATUS) == BESIDE


@pytest.mark.parametrize(
    "said",
    [
        claim("symptom", "CheckoutErrors is firing for checkout.", "i1.alerts.0"),
        claim("observation", "checkout logged 31 ERROR records.", "i2.summary"),
        claim("observation", "checkout's log says “payment 7 failed”.", "i2.logs.0"),
    ],
)
def test_a_sign_of_trouble_is_a_state(said: Claim) -> None:
    assert decided(said, kind=QuestionKind.STATUS) == PASS


def test_a_count_that_reaches_beyond_the_window_tells_nothing_of_it() -> None:
    assert at("11:00:00") > WINDOW.end.isoformat()
    said = claim("symptom", "checkout logged 31 ERROR records.", "i7.summary")
    assert decided(said, kind=QuestionKind.STATUS) == BESIDE


def test_a_filtered_absence_answers_where_the_question_asks_for_just_that() -> None:
    said = claim("absence", "No log line of checkout contains “out of memory”.", "i5.summary")
    assert decided(said, kind=QuestionKind.STATUS, text="Did checkout run out of memory?") == PASS


def test_no_record_above_the_gravest_level_is_not_health() -> None:
    fatal = logs_output(in_scope=400, scope={**scope("checkout"), "filter": {"level": "FATAL"}})
    errors = logs_output(in_scope=400, scope={**scope("checkout"), "filter": {"level": "ERROR"}})
    none_fatal = claim("absence", "No log line of checkout of level FATAL.", "i1.summary")
    none = claim("absence", "No log line of checkout of level ERROR or more severe.", "i1.summary")
    assert decided(none_fatal, kind=QuestionKind.STATUS, calls=(call(1, "query_logs", fatal),)) == BESIDE
    assert decided(none, kind=QuestionKind.STATUS, calls=(call(1, "query_logs", errors),)) == PASS


BANK = claim("observation", "The runbook “Slow bank” says “The bank is slow on Mondays.”", "i8.blocks.0")
RELAY = claim("observation", "The runbook “MailRelayDown” says “The disk of the mail relay fills.”", "i9.blocks.0")


@pytest.mark.parametrize(
    ("text", "answer", "other"),
    [
        ("What do we know about a slow bank?", BANK, RELAY),
        ("How do we handle MailRelayDown?", RELAY, BANK),
        ("What is known about the mail relay?", RELAY, BANK),
    ],
)
def test_a_lookup_is_answered_by_what_was_asked_for_and_not_by_another_runbook(text: str, answer: Claim, other: Claim) -> None:
    assert decided(answer, kind=QuestionKind.LOOKUP, subjects=(), text=text) == PASS
    assert decided(other, kind=QuestionKind.LOOKUP, subjects=(), text=text) == BESIDE


def test_that_something_was_found_is_no_knowledge() -> None:
    found = claim("observation", "The lookup found a runbook section.", "i8")
    assert decided(found, kind=QuestionKind.LOOKUP, subjects=(), text="What do we know about a slow bank?") == BESIDE


def test_a_section_found_with_the_question_s_own_words_answers_though_it_uses_others() -> None:
    words = "payments hang at the counterparty"
    asked = {**scope(), "filter": {"query": words}}
    found = call(1, "lookup_knowledge", blocks_output(block("The bank is slow on Mondays.", title="Slow bank"), scope=asked))
    known = replace(BANK, refs=("i1.blocks.0",))
    assert decided(known, kind=QuestionKind.LOOKUP, subjects=(), text=f"What if {words}?", calls=(found,)) == PASS
