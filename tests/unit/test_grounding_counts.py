"""Counts, distinct things, shares and quantifiers of a log search, over records that are counted by hand."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.amounts import amounts_in
from groundwire.grounding.cited import EvidenceBase
from groundwire.grounding.ground import ground_claim
from tests.unit.rows import alert, alerts_output, base, call, failed_output, log, logs_output

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE


def with_levels(output: dict[str, Any], in_scope: dict[str, int]) -> dict[str, Any]:
    output["summary"]["in_scope"] = {"total": sum(in_scope.values()), "by_level": in_scope}
    return output


def evidence() -> EvidenceBase:
    # checkout: 4 ERROR of pod 0 and 1, 2 WARN; three client addresses, two users.
    own = [
        {
            **log(
                f"login refused for user ann{n % 2} by 10.0.0.{n % 3}", clock=f"09:3{n}:00", level="ERROR" if n < 4 else "WARN"
            ),
            "instance": f"checkout-{n % 2}",
        }
        for n in reversed(range(6))
    ]
    checkout = with_levels(logs_output(*own, total=6, by_level={"ERROR": 4, "WARN": 2}), {"ERROR": 4, "WARN": 2})
    # All services, ERROR: 6 of checkout, 2 of cart, 2 of stock; 40 records in scope.
    errors = [log("down", service=name, clock="09:31:00") for name in ["checkout"] * 6 + ["cart"] * 2 + ["stock"] * 2]
    everyone = logs_output(*errors, service=None, total=10, by_level={"ERROR": 10})
    everyone["scope"]["filter"]["level"] = "ERROR"
    with_levels(everyone, {"ERROR": 10, "WARN": 10, "INFO": 20})
    cut = with_levels(
        logs_output(*own[:2], total=90, by_level={"ERROR": 30, "WARN": 60}, service="checkout"), {"ERROR": 30, "WARN": 60}
    )
    words = with_levels(logs_output(*own[:2], total=2, by_level={"WARN": 2}, query='"by 10.0"', service="checkout"), {"WARN": 9})
    repeated = [log("message repeated 5 times: [disk full]"), log("disk full")]
    twice = with_levels(logs_output(*repeated, query='"disk full"'), {"ERROR": 9})
    wide = with_levels(logs_output(*own, total=6, by_level={"ERROR": 4, "WARN": 2}, query='"by 10.0"'), {"ERROR": 4, "WARN": 8})
    partly = deepcopy(wide)
    partly["summary"]["in_scope"]["total_is_exact"] = False
    return base(
        call(8, "query_logs", wide, {"service": "checkout"}),
        call(9, "query_logs", partly, {"service": "checkout"}),
        call(1, "query_logs", checkout, {"service": "checkout"}),
        call(2, "query_logs", everyone, {"level": "error"}),
        call(3, "query_logs", cut, {"service": "checkout"}),
        call(4, "query_logs", words, {"service": "checkout"}),
        call(5, "query_logs", failed_output("timeout", "no answer")),
        call(6, "query_logs", twice, {"service": "checkout"}),
        call(7, "query_metrics", alerts_output(alert(), alert("CartSlow", state="pending", service="cart"))),
    )


def verdict(text: str, *refs: str) -> Verdict:
    claim = Claim(id="c", text=text, refs=refs, kind=ClaimKind.OBSERVATION, role=ClaimRole.ANSWER)
    return ground_claim(claim, evidence()).verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By level: 4 ERROR.", S),
        ("By level: 4 WARN.", C),
        ("ERROR: 4; WARN: 2.", S),
        ("ERROR: 2; WARN: 4.", C),
        ("checkout wrote half a dozen records: 4 ERROR, 2 WARN.", S),
        ("Four of the lines are at level ERROR.", S),
        ("Six of the lines are at level ERROR.", C),
        ("4 of 6 records are ERROR.", S),
        ("4 of 7 records are ERROR.", C),
        ("Of the 6 records, two are at WARN.", S),
        ("The ERROR count is 4.", S),
        ("The ERROR count is 6.", C),
        ("Records at ERROR number four.", S),
        ("The number of WARN or worse records is 6.", S),
        ("checkout logged twice at WARN.", S),
        ("checkout logged thrice at WARN.", C),
        ("Only two WARN lines were logged.", S),
        ("6 records, and not one more.", S),
        ("5 records, and not one more.", C),
        ("4x ERROR.", S),
        ("Several ERROR records were logged.", S),
    ],
)
def test_a_level_binds_to_its_number_wherever_it_stands(text: str, expected: Verdict) -> None:
    assert verdict(text, "i1.summary") is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No fewer than 4 ERROR records.", S),
        ("No fewer than 5 ERROR records.", C),
        ("checkout never logged fewer than 4 ERROR records.", S),
        ("Not one fewer than 5 ERROR records.", C),
        ("No more than 4 ERROR records.", S),
        ("No more than 3 ERROR records.", C),
        ("3+ ERROR records.", S),
        ("5+ ERROR records.", C),
        ("3 ERROR records, if not more.", S),
        ("5 ERROR records or more.", C),
        ("Between 3 and 5 ERROR records.", S),
        ("Between 5 and 9 ERROR records.", C),
        ("Over 4 ERROR records were found.", C),
        ("A lower bound for the ERROR records is 3.", S),
        ("A lower bound for the ERROR records is 5.", C),
        ("Fewer than 5 ERROR records.", S),
        ("ERROR records did not reach 4.", C),
        ("ERROR records did not exceed 4.", S),
        ("ERROR records did not exceed 3.", C),
        ("Neither more nor fewer than 4 ERROR records.", S),
        ("Neither more nor fewer than 3 ERROR records.", C),
    ],
)
def test_a_bound_is_read_in_its_sense_and_turned_by_a_negation(text: str, expected: Verdict) -> None:
    assert verdict(text, "i1.summary") is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("The records are spread over two pods.", ["i1"], S),
        ("The records are spread over 6 pods.", ["i1"], C),
        ("In the ERROR records, pods number two.", ["i1"], S),
        ("Two is the number of pods behind the ERROR records.", ["i1"], S),
        ("Pod tally for the ERROR records: 4.", ["i1"], C),
        ("Number of distinct addresses: 3.", ["i1"], S),
        ("6 addresses are involved.", ["i1"], C),
        ("The records name 2 different users.", ["i1"], S),
        ("The records name 6 different users.", ["i1"], U),
        ("The ERROR records come from 3 services.", ["i2"], S),
        ("The ERROR records come from 10 services.", ["i2"], C),
        ("2 pods are involved.", ["i3"], U),
    ],
)
def test_distinct_things_are_counted_once_each_and_only_over_all_records(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("20 % of the ERROR records are from cart.", ["i2"], S),
        ("5 % of the ERROR records are from cart.", ["i2"], C),
        ("Cart accounts for 20 percent of the ERROR records.", ["i2"], S),
        ("Share of checkout in the ERROR records: 60 %.", ["i2"], S),
        ("Of all the ERROR records, 40 % were written by checkout.", ["i2"], C),
        ("More than half of the ERROR records are from checkout.", ["i2"], S),
        ("More than half of the ERROR records are from cart.", ["i2"], U),
        ("67 % of the records are ERROR.", ["i1"], S),
        ("33 % of the records are ERROR.", ["i1"], C),
        ("Two thirds of the records are ERROR.", ["i1"], S),
        ("20 % of the records are from stock.", ["i3"], U),
        ("Of the ERROR records, 60 % are from checkout and 20 % from cart.", ["i2"], S),
        ("Of the ERROR records, 20 % are from checkout and 60 % from cart.", ["i2"], C),
        ("ERROR records make up 25 % of all records.", ["i2"], S),
        ("22 % of the records matched.", ["i4"], S),
    ],
)
def test_a_share_is_that_of_the_part_in_the_whole_that_is_named(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("checkout logged 6 ERROR records.", ["i2"], S),
        ("checkout logged 10 ERROR records.", ["i2"], C),
        ("cart has 2 ERROR records.", ["i2"], S),
        ("cart has 10 ERROR records.", ["i2"], C),
        ("checkout has 2 records.", ["i3"], C),
        ("The search returned 2 records.", ["i3"], C),
        ("checkout has 2 records.", ["i4"], U),
        ("The search matched 2 records of checkout.", ["i4"], S),
        ("2 lines of checkout contain “by 10.0”.", ["i4"], S),
        ("2 lines of checkout contain “by 10.0.0.9”.", ["i4"], C),
        ("10 ERROR and 10 WARN records were logged.", ["i2"], S),
        ("0 ERROR records.", ["i5"], U),
        ("“disk full” occurred 6 times.", ["i6"], S),
        ("“disk full” stands in 2 records.", ["i6"], S),
        ("“disk full” was logged 5 times.", ["i6"], C),
        ("Two alerts, 1 of them pending.", ["i7"], S),
        ("Two alerts were returned.", ["i7"], S),
        ("5 additional ERROR records were found.", ["i1"], X),
        ("The last 4 records are ERROR.", ["i1"], X),
        ("2 ERROR records per pod.", ["i1"], X),
        ("2 records are not ERROR.", ["i1"], X),
        ("All but 2 records are ERROR.", ["i1"], X),
        ("There are FATAL records of checkout.", ["i1"], C),
        ("There are WARN records of checkout.", ["i1"], S),
    ],
)
def test_a_count_is_of_what_its_search_asked_for(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("Only checkout, cart and stock logged ERROR records.", ["i2"], U),
        ("The ERROR records are exclusively from checkout.", ["i2"], C),
        ("All records of checkout are ERROR.", ["i1"], C),
        ("All pods wrote ERROR records.", ["i1"], X),
        ("All ERROR records come from two pods.", ["i1"], S),
    ],
)
def test_a_quantifier_is_over_the_whole_of_its_call(text: str, refs: list[str], expected: Verdict) -> None:
    assert verdict(text, *refs) is expected


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("ninety-nine lines", [99]),
        ("a hundred and five lines", [105]),
        ("two dozen lines", [24]),
        ("1,405 lines", [1405]),
        ("1’405 lines", [1405]),
        ("2k lines", [2000]),
        ("a couple of lines", [2]),
        ("30 ms", []),
        ("ts-order-2 at 10.0.0.7", []),
        ("order #481318", []),
        ("at 18:20: none", []),
    ],
)
def test_numbers_are_read_in_figures_and_words(text: str, numbers: list[int]) -> None:
    assert [amount.number for amount in amounts_in(text)] == numbers


@pytest.mark.parametrize(
    "text",
    [
        'Half of the records of checkout hold "by 10.0".',
        '50 % of the log lines of checkout contain "by 10.0".',
        '6 of 12 records of checkout hold "by 10.0".',
    ],
)
def test_nothing_is_a_share_of_a_scope_that_was_not_counted_whole(text: str) -> None:
    assert verdict(text, "i8.summary") is S
    assert verdict(text, "i9.summary") is not S
