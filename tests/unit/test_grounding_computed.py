"""Verdicts that are computed: series, durations, order, quantifiers, shares, scope and polarity, over rows worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.cited import EvidenceBase
from groundwire.grounding.ground import ground_claim
from tests.unit.rows import alert, alerts_output, at, base, block, blocks_output, call, log, logs_output

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE

# 09:30 .. 09:36, a sample a minute: 20 20 41 92 96.4 60 0
POINTS = [[1794475800 + 60 * n, value] for n, value in enumerate([20, 20, 41, 92, 96.4, 60, 0])]
CPU = {"metric": "cpu_percent", "labels": {"pod": "checkout-7d9f8b6c5d-x2x4z"}, "points": POINTS}


def evidence() -> EvidenceBase:
    metrics = {**alerts_output(), "evidence_status": "evidence", "returned_count": 1, "total_count": 1, "series": [CPU]}
    pods = [{**log("timed out", clock=f"09:3{n}:00"), "instance": f"checkout-{n % 3}"} for n in reversed(range(6))]
    cart = log("checkout is down, connection refused", service="cart", clock="09:40:00")
    return base(
        call(1, "query_metrics", alerts_output(alert())),
        call(2, "query_logs", logs_output(*pods, total=6, by_level={"ERROR": 6}, in_scope=48)),
        call(3, "query_metrics", metrics),
        call(4, "query_logs", logs_output(cart, service="cart"), {"service": "cart"}),
        call(5, "lookup_knowledge", blocks_output(block("When the pool is exhausted, requests fail."))),
        call(6, "query_logs", logs_output(log("Connection is not available", clock="09:31:05"))),
        call(7, "query_metrics", alerts_output(alert(), live=False)),
        call(8, "query_logs", logs_output(log("deploy 41 finished", level="INFO", clock="09:20:00"))),
    )


def verdict(text: str, *refs: str, kind: ClaimKind = ClaimKind.OBSERVATION) -> Verdict:
    claim = Claim(id="c", text=text, refs=refs, kind=kind, role=ClaimRole.ANSWER)
    return ground_claim(claim, evidence()).verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cpu_percent of checkout peaked at 96.4 at 09:34 UTC.", S),
        ("cpu_percent of checkout peaked at 96.4 at 09:35 UTC.", C),
        ("cpu_percent of checkout peaked at 94.6.", C),
        ("cpu_percent of checkout reached a maximum of about 95.", S),
        ("cpu_percent of checkout peaked at 09:34 UTC.", S),
        ("cpu_percent of checkout peaked at 09:32 UTC.", C),
        ("cpu_percent of checkout averaged 47.1.", S),
        ("cpu_percent of checkout averaged 52.", C),
        ("cpu_percent of checkout rose above 90 %.", S),
        ("cpu_percent of checkout stayed above 90 %.", C),
        ("cpu_percent of checkout never went above 97.", S),
        ("cpu_percent of checkout was below 97 throughout.", S),
        ("cpu_percent of checkout dropped to zero.", S),
        ("cpu_percent of checkout rose from 20 to 96.4.", S),
        ("cpu_percent of checkout rose from 20 to 69.4.", C),
        ("cpu_percent of checkout rose from 41 to 60.", C),
        ("cpu_percent of checkout rose steadily.", C),
        ("cpu_percent of checkout fell.", S),
        ("cpu_percent of checkout was 92 at 09:33 UTC.", S),
        ("cpu_percent of checkout was 92 at 09:34 UTC.", C),
        ("memory_percent of checkout peaked at 96.4.", U),
    ],
)
def test_a_series_claim_is_computed_on_the_stored_points(text: str, expected: Verdict) -> None:
    assert verdict(text, "i3.series.0") is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("CheckoutErrors has been firing for 35 minutes.", ["i1.alerts.0"], S),
        ("CheckoutErrors has been firing for about half an hour.", ["i1.alerts.0"], X),
        ("CheckoutErrors has been firing for 53 minutes.", ["i1.alerts.0"], C),
        ("checkout logged 6 ERROR records over five minutes.", ["i2.summary"], S),
        ("checkout logged 6 ERROR records over fifty seconds.", ["i2.summary"], C),
        ("checkout logged 6 ERROR records over nine minutes.", ["i2.summary"], C),
    ],
)
def test_a_duration_is_that_of_the_alert_or_from_first_to_last(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("The log says deploy 41 finished before CheckoutErrors was firing.", ["i8.logs.0", "i1.alerts.0"], S),
        ("The log says deploy 41 finished after CheckoutErrors was firing.", ["i8.logs.0", "i1.alerts.0"], C),
        ("CheckoutErrors was firing after the log says deploy 41 finished.", ["i8.logs.0", "i1.alerts.0"], S),
        ("CheckoutErrors was firing before deploy 41 was logged as finished.", ["i8.logs.0", "i1.alerts.0"], C),
        ("CheckoutErrors was firing after deploy 41.", ["i1.alerts.0"], U),
    ],
)
def test_an_order_is_that_of_the_cited_times(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("All 6 log lines of checkout are ERROR.", ["i2.summary"], S),
        ("All log lines of checkout say “timed out”.", ["i2.logs.0"], U),
        ("Only CheckoutErrors is firing.", ["i1"], S),
        ("Every log line of checkout says “timed out”.", ["i2.summary", "i2.logs.0"], U),
        ("checkout logged errors on three pods.", ["i2"], S),
        ("checkout logged errors on six pods.", ["i2"], C),
        ("12.5 % of the records of checkout are matched.", ["i2.summary"], S),
        ("21.5 % of the records of checkout are matched.", ["i2.summary"], C),
        ("The first ERROR record of checkout is at 09:30:00 UTC.", ["i2.summary"], S),
        ("The last ERROR record of checkout is at 09:30:00 UTC.", ["i2.summary"], U),
        ("The first ERROR record of checkout is at 09:35:00 UTC.", ["i2.summary"], U),
        ("CheckoutErrors has severity warning.", ["i1.alerts.0"], C),
        ("checkout logged a warning line “timed out”.", ["i2.logs.0"], C),
    ],
)
def test_quantities_of_a_call_are_over_its_whole(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("cart's log says “checkout is down, connection refused”.", ["i4.logs.0"], S),
        ("checkout is down.", ["i4.logs.0"], U),
        ("checkout logged that it is down.", ["i4.logs.0"], U),
        ("The pool is exhausted and requests fail.", ["i5.blocks.0"], U),
        ("The runbook says that when the pool is exhausted, requests fail.", ["i5.blocks.0"], S),
        ("CheckoutErrors is currently firing.", ["i7.alerts.0"], U),
        ("CheckoutErrors is currently firing.", ["i1.alerts.0"], S),
        ("checkout logged that the connection is not available.", ["i6.logs.0"], S),
        ("checkout logged that the connection is available.", ["i6.logs.0"], C),
        ("checkout's log does not say “Connection is not available”.", ["i6.logs.0"], C),
    ],
)
def test_scope_voice_and_polarity_are_those_of_the_evidence(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


def test_points_of_a_series_are_never_searched_for_a_number() -> None:
    many: list[list[Any]] = [[1794475800 + 60 * n, n] for n in range(100)]
    on = base(call(1, "query_metrics", {**alerts_output(), "evidence_status": "evidence", "series": [{**CPU, "points": many}]}))
    claim = Claim(
        id="c",
        text="cpu_percent of checkout has 57 threads.",
        refs=("i1.series.0",),
        kind=ClaimKind.OBSERVATION,
        role=ClaimRole.ANSWER,
    )
    assert ground_claim(claim, on).verdict is not S
    assert at("09:30:00") == "2026-11-12T09:30:00Z"


def test_a_rate_is_no_count_and_a_share_of_a_limit_is_none_of_a_node() -> None:
    assert verdict("checkout logged 6 ERROR records.", "i2.summary") is S
    assert verdict("checkout logged 6 ERROR records/s.", "i2.summary") is X
