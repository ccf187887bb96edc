"""Ratios of two cited calls or alerts, recounted: 12 errors and 3 warnings of checkout, 6 errors of cart."""

from __future__ import annotations

import pytest

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.claim_text import ClaimText
from groundwire.grounding.ground import ground_claim
from groundwire.grounding.ratios import check_ratios
from tests.unit.rows import alert, alerts_output, base, call, log, logs_output

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED

ON = base(
    call(1, "query_logs", logs_output(log("timed out"), total=15, by_level={"ERROR": 12, "WARN": 3})),
    call(
        2, "query_logs", logs_output(log("timed out", service="cart"), service="cart", total=8, by_level={"ERROR": 6, "WARN": 2})
    ),
    call(3, "query_metrics", alerts_output(alert("CheckoutErrors", value=0.3), alert("CartErrors", service="cart", value=0.1))),
)


def computed(text: str, *refs: str) -> list[Verdict]:
    cited = [item for ref in refs if (item := ON.resolve(ref)) is not None]
    return [fact.verdict for fact in check_ratios(ClaimText(text), cited)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checkout logged twice as many errors as cart.", [S]),
        ("cart logged twice as many errors as checkout.", [C]),
        ("checkout logged 2 times as many errors as cart.", [S]),
        ("checkout logged three times as many errors as cart.", [C]),
        ("cart logged half as many errors as checkout.", [S]),
        ("checkout logged more than three times as many errors as cart.", [C]),
        ("cart's errors are 50 % of checkout's.", [S]),
        ("cart's errors are 60 % of checkout's.", [C]),
        ("Twice as many errors as yesterday were logged.", []),
        ("checkout logged errors.", []),
    ],
)
def test_a_ratio_of_two_calls_is_that_of_what_they_matched(text: str, expected: list[Verdict]) -> None:
    assert computed(text, "i1.summary", "i2.summary") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The value of CheckoutErrors is three times that of CartErrors.", S),
        ("The value of CartErrors is three times that of CheckoutErrors.", C),
    ],
)
def test_a_ratio_of_two_alerts_is_that_of_their_values(text: str, expected: Verdict) -> None:
    refs = ("i3.alerts.0", "i3.alerts.1")
    assert computed(text, *refs) == [expected]
    claim = Claim(id="c", text=text, refs=refs, kind=ClaimKind.OBSERVATION, role=ClaimRole.ANSWER)
    assert (ground_claim(claim, ON).verdict is S) is (expected is S)
