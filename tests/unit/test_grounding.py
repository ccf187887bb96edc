"""Verdicts of a first kind: each claim against rows whose right answer is plain to a reader of the rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.cited import CallEvidence, EvidenceBase
from groundwire.grounding.ground import ground_claim
from tests.unit.rows import alert, alerts_output, base, block, blocks_output, call, failed_output, log, logs_output, scope

STACK = (
    "POST /pay failed: pool exhausted (active=50/50, waiting=37)\n"
    "java.lang.RuntimeException: no connection\n"
    "\tat shop.Pay.run(Pay.java:12)\n"
    "Caused by: java.sql.SQLTransientConnectionException: Pool-1 - Connection is not available, request timed out after 30000ms"
)
ACCESS = (
    '10.0.0.7 - - [12/Nov/2026:09:31:00 +0000] "GET /pay HTTP/1.1" 500 12 "-" '
    '"curl (caused by: a bad deploy of the database team)"'
)


def evidence() -> EvidenceBase:
    return base(
        call(1, "query_metrics", alerts_output(alert(), alert("CartSlow", state="pending", service="cart", value=2.5))),
        call(
            2,
            "query_logs",
            logs_output(
                log(STACK, clock="09:31:05"),
                log("payment declined for order 8841, status=402", level="WARN", clock="09:30:10"),
                total=34,
                by_level={"WARN": 3, "ERROR": 31},
            ),
            {"service": "checkout"},
        ),
        call(3, "query_logs", logs_output(service="inventory", in_scope=120), {"service": "inventory"}),
        call(4, "query_logs", failed_output("timeout", "loki: no answer within 20 s")),
        call(5, "query_logs", logs_output(partial=True, partial_reasons=["a.log was not read"])),
        call(
            6,
            "lookup_knowledge",
            blocks_output(block("When you see `request timed out after 30000ms` the pool is exhausted and requests fail.")),
        ),
        call(7, "query_logs", logs_output(log("cart is fine", service="cart", level="INFO"), service="cart")),
        call(8, "query_logs", logs_output(log(ACCESS, service="edge", level="INFO"), service="edge")),
        call(9, "query_logs", logs_output(in_scope=0)),
        call(10, "query_logs", logs_output(in_scope=100, unlevelled=80)),
        call(11, "query_metrics", alerts_output(live=False)),
        call(12, "query_metrics", alerts_output()),
        call(13, "query_logs", logs_output(log("dial tcp: i/o timeout", total=None) | {}, total=9, is_exact=False)),
        call(
            14,
            "query_logs",
            logs_output(log("declined by bank"), total=12, query='"declined by bank"', by_level={"ERROR": 12}),
        ),
    )


def verdict(text: str, *refs: str, kind: ClaimKind = ClaimKind.OBSERVATION, **more: object) -> Verdict:
    claim = Claim(id="c1", text=text, refs=refs, kind=kind, role=ClaimRole.ANSWER, **more)  # type: ignore[arg-type]
    result = ground_claim(claim, evidence())
    assert result.reason
    return result.verdict


S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("CheckoutErrors has been firing for checkout since 2026-11-12 09:25:00 UTC, value 0.23.", ["i1.alerts.0"], S),
        ("CheckoutErrors (severity critical) is firing.", ["i1.alerts.0"], S),
        ("CheckoutErrors has been firing since 09:24:00 UTC.", ["i1.alerts.0"], C),
        ("CheckoutErrors is pending.", ["i1.alerts.0"], C),
        ("CartSlow is firing.", ["i1.alerts.1"], C),
        ("CheckoutErrors is firing with value=0.24.", ["i1.alerts.0"], C),
        ("PaymentErrors is firing.", ["i1.alerts.0"], U),
        ("CheckoutErrors is firing for cart.", ["i1.alerts.0"], U),
    ],
)
def test_an_alert_claim_holds_as_far_as_the_alert_says_so(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout's log says “request timed out after 30000ms”.", S),
        ("checkout's log says “pool exhausted … waiting=37”.", S),
        ("checkout's log says “waiting=37 … pool exhausted”.", U),
        ("checkout's log says “request timed out after 3000ms”.", U),
        ("checkout's log says “Request timed out after 30000ms”.", U),
        ("checkout logged active=50/50 at 09:31:05 UTC.", S),
        ("checkout logged active=49/50.", C),
        ("checkout logged a request timed out after 30 s.", S),
        ("checkout logged a request timed out after 31 s.", U),
        ("checkout logged it at 09:31:06 UTC.", C),
        ("cart logged “request timed out after 30000ms”.", U),
        ("checkout logged an ERROR line with waiting=37.", S),
        ("checkout logged a WARN line with waiting=37.", C),
        ("checkout reported that the database of the bank burned down in Frankfurt.", X),
        ("The pool is exhausted.", S),
    ],
)
def test_a_log_claim_holds_to_the_letter_number_and_second(text: str, expected: Verdict) -> None:
    assert verdict(text, "i2.logs.0") is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("checkout logged 31 ERROR records.", ["i2.summary"], S),
        ("checkout logged 31 ERROR records and 3 WARN records.", ["i2.summary"], S),
        ("checkout logged 34 records.", ["i2"], S),
        ("checkout logged at least 30 ERROR records.", ["i2.summary"], S),
        ("checkout logged more than 31 ERROR records.", ["i2.summary"], C),
        ("checkout logged 32 ERROR records.", ["i2.summary"], C),
        ("checkout logged 310 ERROR records.", ["i2.summary"], C),
        ("checkout logged 34 ERROR records.", ["i2.summary"], C),
        ("checkout logged 31 ERROR records.", ["i2.logs.0"], U),
        ("One alert is firing.", ["i1"], S),
        ("Two alerts are firing.", ["i1"], C),
        ("checkout logged 9 records.", ["i13.summary"], U),
        ("checkout logged at least 9 records.", ["i13.summary"], S),
        ("In checkout, 12 log lines contain “declined by bank”.", ["i14.summary", "i14.logs.0"], S),
        ("In checkout, 34 log lines contain “pool exhausted”.", ["i2.summary", "i2.logs.0"], U),
    ],
)
def test_a_count_is_recounted_over_the_cited_call(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("No log line of inventory of level ERROR or more severe among 120 records in the window.", ["i3.summary"], S),
        ("No log line of checkout of level ERROR or more severe.", ["i3.summary"], U),
        ("No log line of level ERROR or more severe.", ["i3.summary"], U),
        ("No log line of level ERROR or more severe.", ["i4"], U),
        ("No log line of level ERROR or more severe.", ["i5"], U),
        ("No log line of level ERROR or more severe.", ["i9"], U),
        ("No log line of level ERROR or more severe.", ["i10"], U),
        ("No log line of level ERROR or more severe.", ["i2"], C),
        ("No log line of level ERROR or more severe.", ["i2.logs.0"], U),
        ("No alert is firing for checkout.", ["i12"], S),
        ("No alert is firing for checkout.", ["i11"], U),
        ("The saved alerts name no alert for checkout.", ["i11"], S),
        ("No alert is firing for checkout.", ["i1"], C),
    ],
)
def test_an_absence_needs_a_whole_completed_call_about_the_asked_subject(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs, kind=ClaimKind.ABSENCE) is expected


def quiet(**output: object) -> EvidenceBase:
    return base(call(1, "query_logs", logs_output(**output), {"service": "checkout"}))  # type: ignore[arg-type]


def absence(on: EvidenceBase, text: str = "No log line of checkout of level ERROR or more severe.") -> Verdict:
    claim = Claim(id="c1", text=text, refs=("i1.summary",), kind=ClaimKind.ABSENCE, role=ClaimRole.ANSWER)
    return ground_claim(claim, on).verdict


def test_an_absence_is_proved_by_a_subject_that_speaks_and_has_levels() -> None:
    assert absence(quiet(in_scope=120)) is S
    assert absence(quiet(in_scope=120, unlevelled=3)) is S
    assert absence(quiet(in_scope=120, unlevelled=30)) is U


def test_an_absence_from_a_narrower_window_than_the_question_proves_nothing() -> None:
    narrow = {"window": {"start": "2026-11-12T09:30:00Z", "end": "2026-11-12T10:00:00Z"}}
    assert absence(quiet(scope={**scope("checkout"), **narrow})) is U


def test_an_absence_may_not_carry_a_conclusion_along() -> None:
    text = "No log line of checkout of level ERROR or more severe, so yesterday's database migration succeeded perfectly."
    assert absence(quiet(in_scope=120), text) is U


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        (
            "checkout's log says “Caused by: java.sql.SQLTransientConnectionException: Pool-1 - Connection is not available”.",
            ["i2.logs.0"],
            S,
        ),
        (
            "checkout's log says “request timed out after 30000ms”, a sign that the runbook “Checkout runbook” describes.",
            ["i2.logs.0", "i6.blocks.0"],
            S,
        ),
        ("checkout's log says “payment declined for order 8841, status=402”.", ["i2.logs.1"], U),
        ("checkout's log says “POST /pay failed”.", ["i2.logs.0"], U),
        ("checkout failed because of a leak in the database driver, the log says.", ["i2.logs.0"], U),
        ("The runbook “Checkout runbook” says “the pool is exhausted and requests fail”.", ["i6.blocks.0"], U),
        ("edge's log says “caused by: a bad deploy of the database team”.", ["i8.logs.0"], U),
        ("CheckoutErrors is firing.", ["i1.alerts.0"], U),
    ],
)
def test_a_cause_needs_direct_evidence_and_a_link_that_somebody_stated(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs, kind=ClaimKind.CAUSE) is expected


def test_two_true_halves_joined_by_because_need_a_stated_link_too() -> None:
    text = "CheckoutErrors is firing because cart's log says “cart is fine”."
    assert verdict(text, "i1.alerts.0", "i7.logs.0") is U


def test_a_ref_that_the_session_does_not_have_supports_nothing() -> None:
    for ref in ("i99", "i2.logs.7", "i2.alerts.0", "i1.blocks.0", "nonsense"):
        assert verdict("CheckoutErrors is firing.", ref) is U
    assert verdict("CheckoutErrors is firing.") is U


def test_asserted_facts_are_recomputed_as_they_stand() -> None:
    def asserted(path: str, op: str, value: object) -> Verdict:
        return verdict("CheckoutErrors is firing.", "i1.alerts.0", facts=({"path": path, "op": op, "value": value},))

    assert asserted("$.value", ">=", 0.2) is S
    assert asserted("$.value", "==", 0.2) is C
    assert asserted("$.labels.alertname", "contains", "Errors") is S
    assert asserted("$.nowhere", "==", 1) is U
    assert asserted("$.value", "~", 1) is X


def test_a_claim_in_another_script_is_checked_for_its_facts_and_otherwise_uncheckable() -> None:
    assert verdict("数据库连接池已经耗尽，请求失败", "i2.logs.0") in (X, U)
    assert verdict("日志 “request timed out after 3ms”", "i2.logs.0") is U


def test_hypotheses_and_advice_are_never_called_supported() -> None:
    for kind in (ClaimKind.HYPOTHESIS, ClaimKind.RECOMMENDATION):
        assert verdict("checkout's log says “pool exhausted”.", "i2.logs.0", kind=kind) is X


@given(st.permutations(["i2.logs.0", "i1.alerts.0", "i7.logs.0", "i3.summary"]), st.text(" \t\n", max_size=5))
def test_more_refs_in_any_order_and_white_space_never_make_a_wrong_claim_supported(refs: list[str], space: str) -> None:
    assert verdict(f"checkout logged active=49/50.{space}", *refs) is not S
    assert verdict(f"{space}CheckoutErrors has been firing since 09:24:00 UTC.", *refs) is not S


@given(st.text(max_size=300))
def test_no_text_of_a_claim_breaks_the_rules(text: str) -> None:
    verdict(text, "i2.logs.0", "i1.alerts.0", "i2.summary")


@given(st.text(max_size=300))
def test_no_text_of_the_evidence_breaks_the_rules(text: str) -> None:
    on = EvidenceBase(evidence().question, [CallEvidence(row=c.row, output=c.output) for c in evidence().calls[:1]])
    assert (
        ground_claim(
            Claim(id="c", text="Nothing.", refs=("i1.alerts.0",), kind=ClaimKind.OBSERVATION, role=ClaimRole.ANSWER), on
        ).verdict
        is not S
    )
    hostile = base(call(1, "query_logs", logs_output(log(text or "x"))))
    claim = Claim(
        id="c", text="checkout logged 5 ERROR records.", refs=("i1.summary",), kind=ClaimKind.SYMPTOM, role=ClaimRole.ANSWER
    )
    assert ground_claim(claim, hostile).verdict is C


@pytest.mark.parametrize(
    ("text", "refs", "voice"),
    [
        ("The pool is exhausted.", ["i2.logs.0"], "checkout's log says"),
        ("The pool is “exhausted”, waiting=37.", ["i2.logs.0"], "checkout's log says"),
        ("checkout logged that the pool is exhausted.", ["i2.logs.0"], None),
        ("checkout's log: “pool exhausted”.", ["i2.logs.0"], None),
        ("checkout: ERROR at 09:31:05 UTC.", ["i2.logs.0"], None),
        ("CheckoutErrors is firing.", ["i1.alerts.0"], None),
        ("checkout logged 34 records.", ["i2"], None),
    ],
)
def test_a_claim_that_rests_on_log_text_alone_is_shown_as_the_word_of_that_log(
    text: str, refs: list[str], voice: str | None
) -> None:
    claim = Claim(id="c1", text=text, refs=tuple(refs), kind=ClaimKind.OBSERVATION, role=ClaimRole.ANSWER)
    assert ground_claim(claim, evidence()).voice == voice
