"""Times, lengths, orders and causes of a claim, over rows worked out by hand: true ones, and the same with one thing wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.cause_links import links_in
from groundwire.grounding.cited import EvidenceBase
from groundwire.grounding.ground import ground_claim
from groundwire.grounding.moments import moments_in
from groundwire.grounding.spans_of_time import lengths_in
from tests.unit.rows import alert, alerts_output, base, block, blocks_output, call, log, logs_output

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE

DEPLOY = "deploy 41 finished"
FAILED = "order 8841 failed: no database connection, the connection pool is exhausted (active=50/50); answered 503"
EXPIRED = (
    "manifest 55 could not be sent\ncom.shop.SendException: rejected\n\tat com.shop.Send.run(Send.java:8)\n"
    "Caused by: java.security.CertificateException: certificate expired"
)
COMMENT = "order 77 placed, comment: [because the driver broke the printer]"


def evidence() -> EvidenceBase:
    """i1: 09:30:10 .. 09:53:25 (23 min 15 s), found from the window 09:00 .. 10:00; i2: alerts since 09:25:00, for 35 min."""
    return base(
        call(1, "query_logs", logs_output(log("timed out", clock="09:53:25"), log("timed out", clock="09:30:10"), total=40)),
        call(2, "query_metrics", alerts_output(alert(), alert("CartSlow", state="pending", service="cart"))),
        call(
            3,
            "query_logs",
            logs_output(
                log(DEPLOY, level="INFO", clock="09:20:00"),
                log(FAILED, clock="09:35:00"),
                log(EXPIRED, clock="09:36:00"),
                log("disk sda is full", service="host", clock="09:40:00"),
                log(COMMENT, level="INFO", clock="09:41:00"),
            ),
        ),
        call(4, "lookup_knowledge", blocks_output(block("When `connection pool is exhausted` shows, orders fail."))),
        call(
            5,
            "query_logs",
            logs_output(log("x", clock="09:50:00"), log("y", level="INFO", clock="09:10:00"), by_level={"ERROR": 1, "INFO": 1}),
        ),
    )


def verdict(text: str, *refs: str, kind: ClaimKind = ClaimKind.OBSERVATION) -> Verdict:
    claim = Claim(id="c", text=text, refs=refs, kind=kind, role=ClaimRole.ANSWER)
    return ground_claim(claim, evidence()).verdict


@pytest.mark.parametrize(
    ("written", "clock"),
    [
        ("09:31", "09:31:00"),
        ("2026-11-12T09:31:05Z", "09:31:05"),
        ("2026-11-12 09:31:05,250", "09:31:05.250"),
        ("Nov 12 09:31:05", "09:31:05"),
        ("12/Nov/2026:09:31:05 +0000", "09:31:05"),
        ("12 November 2026 at 09:31", "09:31:40"),
        ("9:31 AM", "09:31:59"),
        ("10:31 CET", "09:31:00"),
        ("11:31 CEST", "09:31:00"),
        ("04:31:05 EST", "09:31:05"),
        ("18:31 JST", "09:31:00"),
        ("10:31:05+01:00", "09:31:05"),
        ("15:01 IST", "09:31:00"),
        ("4:31 ET", "09:31:00"),
        ("0931Z", "09:31:00"),
        ("epoch 1794475865", "09:31:05"),
        ("1794475865000 ms", "09:31:05"),
        ("2026-11-12", "09:31:05"),
    ],
)
def test_a_time_is_read_in_the_form_in_which_people_write_it(written: str, clock: str) -> None:
    instant = datetime.fromisoformat(f"2026-11-12T{clock}+00:00")
    (moment,) = moments_in(f"It was seen at {written}.")
    assert moment.fits(instant)
    assert not moment.fits(instant + timedelta(days=3)) or moment.day is None
    assert not moment.fits(instant + timedelta(minutes=90)) or (moment.clock is None and moment.epoch is None)


def test_two_times_with_a_dash_are_a_span_and_no_offset() -> None:
    assert [moment.shown for moment in moments_in("from 09:31-10:30 UTC")] == ["09:31", "10:30 UTC"]
    assert [moment.shown for moment in moments_in("at 09:31:05-05:00")] == ["09:31:05-05:00"]


@pytest.mark.parametrize("text", ["host 10.0.0.1:8080", "99:99", "Pay.java:12", "a ratio of 3:4", "build 20261112", "v1.2.3"])
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert not moments_in(text)


def test_a_time_without_a_date_is_of_the_nearest_day() -> None:
    (moment,) = moments_in("at 23:59")
    assert moment.is_before(datetime(2026, 11, 12, 0, 1, tzinfo=UTC))
    assert not moment.is_before(datetime(2026, 11, 12, 23, 58, tzinfo=UTC))


@pytest.mark.parametrize(
    ("pattern", "role"),
    [
        ("The earliest record of checkout is at {t} UTC.", "first"),
        ("At {t} the errors of checkout set in.", "first"),
        ("Onset of the errors of checkout: {t} UTC.", "first"),
        ("checkout: errors from {t} on.", "first"),
        ("The errors of checkout kicked off at {t}.", "first"),
        ("There was no error of checkout before {t}.", "first"),
        ("Until {t} UTC there was nothing.", "first"),
        ("{t} was when the errors of checkout started.", "first"),
        ("The most recent record of checkout is at {t} UTC.", "last"),
        ("checkout: errors until {t}.", "last"),
        ("The tail end of the errors of checkout is at {t} UTC.", "last"),
        ("The errors of checkout ceased at {t}.", "last"),
        ("The log of checkout went quiet after {t}.", "last"),
        ("No error of checkout after {t}.", "last"),
        ("After {t} no record of checkout came.", "last"),
        ("{t} marks the end of the errors of checkout.", "last"),
    ],
)
def test_a_time_of_a_call_is_that_of_its_first_or_its_last_record_as_the_words_say(pattern: str, role: str) -> None:
    first, last = ("09:30:10", "09:53:25") if role == "first" else ("09:53:25", "09:30:10")
    assert verdict(pattern.format(t=first), "i1.summary") is S
    assert verdict(pattern.format(t=last), "i1.summary") is not S
    assert verdict(pattern.format(t="09:41:00"), "i1.summary") is not S


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("checkout logged errors between 09:30 and 09:53 UTC.", ["i1.summary"], S),
        ("checkout logged errors from 09:30 to 09:53 UTC.", ["i1.summary"], S),
        ("checkout logged errors between 09:29 and 10:00 UTC.", ["i1.summary"], S),
        ("checkout logged errors from 09:29 to 10:00 UTC.", ["i1.summary"], U),
        ("checkout logged errors between 09:31 and 09:53 UTC.", ["i1.summary"], U),
        ("checkout logged errors between 10:30 and 10:53 CET.", ["i1.summary"], S),
        ("The first error of checkout was logged by 09:35 UTC.", ["i1.summary"], S),
        ("The first error of checkout was logged by 09:29 UTC.", ["i1.summary"], U),
        ("The last error of checkout came before 10:00 UTC.", ["i1.summary"], S),
        ("The last error of checkout came before 09:50 UTC.", ["i1.summary"], U),
        ("The first error of checkout came shortly after 09:28 UTC.", ["i1.summary"], S),
        ("The first error of checkout came shortly after 09:10 UTC.", ["i1.summary"], U),
        ("checkout logged errors at 09:30:10 UTC.", ["i1.summary"], U),
        ("The first error of checkout is at 09:50:00 UTC.", ["i5.summary"], S),
        ("The first error of checkout is at 09:10:00 UTC.", ["i5.summary"], U),
        ("The last error of checkout is at 09:53:25 UTC.", ["i1.logs.0"], S),
        ("The last error of checkout is at 09:30:10 UTC.", ["i1.logs.1"], U),
    ],
)
def test_bounds_and_spans_hold_as_they_are_said(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "CheckoutErrors has been active from {t} UTC.",
        "CheckoutErrors went off at {t} UTC.",
        "{t} UTC is when CheckoutErrors was triggered.",
        "Onset of CheckoutErrors: {t} UTC.",
        "CheckoutErrors kicked in at {t} UTC.",
        "CheckoutErrors (active since {t} UTC).",
    ],
)
def test_the_time_of_an_alert_is_when_it_became_active(pattern: str) -> None:
    assert verdict(pattern.format(t="09:25"), "i2.alerts.0") is S
    assert verdict(pattern.format(t="09:27"), "i2.alerts.0") is C
    assert verdict(pattern.format(t="08:25"), "i2.alerts.0") is C


@pytest.mark.parametrize(
    ("text", "seconds", "expected"),
    [
        ("about 23 min", 23 * 60 + 15, True),
        ("24 minutes", 23 * 60 + 15, False),
        ("23 min", 23 * 60 + 50, True),
        ("23m15s", 23 * 60 + 15, True),
        ("PT23M", 23 * 60 + 15, True),
        ("twenty-three minutes", 23 * 60 + 15, True),
        ("1 h 5 min", 3930, True),
        ("65 minutes", 3930, True),
        ("a good hour", 3930, True),
        ("a good hour", 7000, False),
        ("an hour and a half", 5400, True),
        ("half an hour", 1800, True),
        ("more than 20 minutes", 1395, True),
        ("more than 24 minutes", 1395, False),
        ("no more than 20 minutes", 1395, False),
        ("just under 24 minutes", 1395, True),
        ("1.5 h", 5400, True),
        ("2 days", 172_900, True),
    ],
)
def test_a_length_of_time_holds_for_what_would_be_written_like_it(text: str, seconds: int, expected: bool) -> None:
    (length,) = lengths_in(f"It lasted {text}.")
    assert length.fits(seconds * 1000) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("The errors of checkout went on for 23 min 15 s.", ["i1.summary"], S),
        ("The errors of checkout stretched over about 23 minutes.", ["i1.summary"], S),
        ("Between the first and the last error of checkout lie 23 min 15 s.", ["i1.summary"], S),
        ("The last error of checkout came 23 min 15 s after the first.", ["i1.summary"], S),
        ("The last error of checkout came 32 min 15 s after the first.", ["i1.summary"], C),
        ("The errors of checkout went on for 46 min 30 s.", ["i1.summary"], C),
        ("For the last 35 minutes CheckoutErrors has been active.", ["i2.alerts.0"], S),
        ("CheckoutErrors became active 35 minutes ago.", ["i2.alerts.0"], S),
        ("CheckoutErrors has been active for 53 minutes.", ["i2.alerts.0"], C),
        ("“deploy 41 finished” came 15 minutes before “order 8841 failed”.", ["i3.logs.0", "i3.logs.1"], S),
        ("“deploy 41 finished” came 51 minutes before “order 8841 failed”.", ["i3.logs.0", "i3.logs.1"], C),
        ("“order 8841 failed” within 20 minutes of “deploy 41 finished”.", ["i3.logs.0", "i3.logs.1"], S),
    ],
)
def test_a_duration_is_of_what_its_words_say(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "{a} precedes {b}.",
        "{b} was preceded by {a}.",
        "{a} was followed by {b}.",
        "{b} followed {a}.",
        "After {a}, {b}.",
        "Before {b} came {a}.",
        "{a}, then {b}.",
        "First {a}, then {b}.",
        "{b} came only after {a}.",
        "When {b} was logged, {a} had already been written.",
        "By the time {b} was written, {a} had already been logged.",
        "{a} comes first, {b} second.",
        "{a} and, later, {b}.",
        "{b}, and before that {a}.",
        "{a}; {b} came next.",
        "{a}; {b} came later.",
        "{b} was not logged until after {a}.",
        "{b} did not come before {a}.",
        "{b} is the later one, {a} the earlier one.",
        "{b} came in the wake of {a}.",
        "In order: {a}, {b}.",
        "{a} → {b}",
        "{a} and {b}, in that order.",
        "{a} predates {b}.",
        "(1) {a} (2) {b}",
    ],
)
def test_an_order_is_read_in_any_construction(pattern: str) -> None:
    one, other = "“deploy 41 finished”", "“order 8841 failed”"
    assert verdict(pattern.format(a=one, b=other), "i3.logs.0", "i3.logs.1") is S
    assert verdict(pattern.format(a=other, b=one), "i3.logs.0", "i3.logs.1") is C
    assert verdict(pattern.format(a=one, b=other), "i3.logs.1", "i3.logs.0") is S


def test_a_bound_and_a_duration_are_no_order() -> None:
    assert verdict("“deploy 41 finished” before 09:30 UTC.", "i3.logs.0") is S
    assert verdict("“deploy 41 finished” after 09:30 UTC.", "i3.logs.0") is U


@pytest.mark.parametrize(
    "pattern",
    [
        "{e} because {c}.",
        "{C}, so {e}.",
        "Since {c}, {e}.",
        "As {c}, {e}.",
        "{E}. The reason: {c}.",
        "The reason why {e} is that {c}.",
        "{C}; hence {e}.",
        "{C}, which is why {e}.",
        "{E} owing to the fact that {c}.",
        "Cause: {c}. Effect: {e}.",
        "{E}, and behind it: {c}.",
        "That {e} stems from the fact that {c}.",
        "{C} → {e}",
        "It is because {c} that {e}.",
        "{E}, {c} being the cause.",
        "{C}, because of which {e}.",
        "{E}, which was caused by the fact that {c}.",
        "{C}; as a consequence {e}.",
    ],
)
def test_a_cause_holds_where_one_line_states_it_of_that_effect(pattern: str) -> None:
    def why(effect: str, cause: str, *refs: str) -> Verdict:
        text = pattern.format(e=effect, c=cause, E=effect[0].upper() + effect[1:], C=cause[0].upper() + cause[1:])
        return verdict(text, *refs, kind=ClaimKind.CAUSE)

    effect, cause = "order 8841 failed", "the connection pool is exhausted"
    assert why(effect, cause, "i3.logs.1") is S
    assert why(cause, effect, "i3.logs.1") is not S
    assert why(effect, "deploy 41 finished", "i3.logs.1", "i3.logs.0") is not S
    assert why(effect, "disk sda is full", "i3.logs.1", "i3.logs.3") is not S
    assert why("order 8842 failed", cause, "i3.logs.1") is not S
    assert why("manifest 55 could not be sent", "the certificate expired", "i3.logs.2") is S
    assert why("order 77 placed", "the driver broke the printer", "i3.logs.4") is not S


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("Order 8841 failed because disk sda is full.", ["i3.logs.1", "i3.logs.3"], C),
        ("Order 8841 did not fail because the connection pool is exhausted.", ["i3.logs.1"], U),
        ("Order 8841 failed, not because the connection pool is exhausted.", ["i3.logs.1"], X),
        ("Order 8841 failed because the connection pool is exhausted.", ["i3.logs.1", "i4.blocks.0"], S),
    ],
)
def test_a_cause_is_no_later_than_its_effect_and_not_denied(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs, kind=ClaimKind.CAUSE) is expected


@pytest.mark.parametrize(
    ("level", "message", "causes"),
    [
        ("ERROR", "order placed 'because the cat walked on the keyboard'", []),
        ("ERROR", "order placed [failed: the cat]", []),
        ("ERROR", "login failed user='from my wife's phone' because the cat is out'", []),
        ("ERROR", 'order failed user_agent="x because the cat is out"', []),
        ("ERROR", 'login failed user="nested exception is x.y.CatException: the cat is out"', []),
        ("ERROR", "order failed (coupon (x) because the cat is out)", []),
        ("ERROR", "order failed for “me because the cat is out", []),
        ("ERROR", "order failed for Mozilla/5.0 (since the cat is out)", []),
        ("ERROR", "placed note=failed:because of the cat", []),
        ("ERROR", '1.2.3.4 "GET /a HTTP/1.1" 500 "failed: because of the cat"', []),
        ("ERROR", "comment: the database was down", []),
        ("ERROR", "a note from a customer: it failed because the cat is out", []),
        ("ERROR", "order 7 rejected\rjob failed because the cat is out", []),
        ("ERROR", "job failed: disk is full; retrying", ["disk is full"]),
        ("INFO", "job failed: disk is full", []),
        ("INFO", "closing the session because its client went away", ["its client went away"]),
        (None, "from Mozilla/5.0 (it failed because the cat is out)", []),
        ("INFO", "said bye\nCaused by: java.io.IOException: the cat is out", []),
        (
            "ERROR",
            "order 7 failed\nCaused by: java.io.IOException: disk is full",
            ["Caused by: java.io.IOException: disk is full"],
        ),
    ],
)
def test_only_a_programs_own_words_link_a_cause(level: str | None, message: str, causes: list[str]) -> None:
    assert [link.cause.strip() for link in links_in({"level": level, "message": message})] == causes


@given(st.text(max_size=200), st.sampled_from([ClaimKind.OBSERVATION, ClaimKind.CAUSE]))
def test_no_words_about_times_break_the_rules(text: str, kind: ClaimKind) -> None:
    verdict(f"{text} first 09:30 no because {text} 5 min after", "i1.summary", "i2.alerts.0", "i3.logs.0", kind=kind)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("was firing for checkout between 2026-11-12 09:20:00 UTC and 2026-11-12 09:40:00 UTC", S),
        ("was firing for checkout from 09:20:00 to 09:40:00 UTC", S),
        ("has been active since 2026-11-12 09:15:00 UTC", S),
        ("was firing for checkout from 09:20:00 to 09:35:00 UTC", U),
        ("was firing for checkout from 09:25:00 to 09:40:00 UTC", U),
    ],
)
@pytest.mark.parametrize("ends_at", [None, "2026-11-12T09:40:00Z"])
def test_an_alert_of_a_window_that_has_passed_has_the_times_at_which_it_was_seen(
    said: str, expected: Verdict, ends_at: str | None
) -> None:
    seen = {"first_at": "2026-11-12T09:20:00Z", "last_at": "2026-11-12T09:40:00Z", "spells": 1}
    past = {**alert(), "value": None, "active_at": "2026-11-12T09:15:00Z", "ends_at": ends_at, "seen": seen}
    made = base(call(1, "query_metrics", alerts_output(past), {"service": "checkout"}))
    claim = Claim(id="c", text=f"CheckoutErrors {said}.", refs=("i1.alerts.0",), kind=ClaimKind.SYMPTOM, role=ClaimRole.ANSWER)
    found = ground_claim(claim, made).verdict
    assert found is S if expected is S else found is not S


def test_an_alert_that_came_and_went_in_the_past_has_not_lasted_until_it_was_asked_for() -> None:
    seen = {"first_at": "2026-11-12T08:20:00Z", "last_at": "2026-11-12T08:40:00Z", "spells": 2}
    past = {**alert(), "value": None, "active_at": "2026-11-12T08:15:00Z", "ends_at": "2026-11-12T08:40:00Z", "duration_ms": None}
    # It was asked for at 09:00, 45 minutes after it first became active.
    claim = Claim(
        id="c",
        text="CheckoutErrors was active for 45 min.",
        refs=("i1.alerts.0",),
        kind=ClaimKind.SYMPTOM,
        role=ClaimRole.ANSWER,
    )
    now, then = (base(call(1, "query_metrics", alerts_output(each))) for each in (past, {**past, "seen": seen}))
    assert ground_claim(claim, now).verdict is S
    assert ground_claim(claim, then).verdict is not S
