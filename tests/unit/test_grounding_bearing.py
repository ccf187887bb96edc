"""Who bears a claim: what was measured is a fact, what somebody wrote into a log, an alert or a runbook is that text's word."""

from __future__ import annotations

import pytest

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.domain.verdict import ClaimVerdict
from groundwire.grounding.ground import ground_claim
from tests.unit.rows import alert, alerts_output, base, block, blocks_output, call, log, logs_output

S, U = Verdict.SUPPORTED, Verdict.UNSUPPORTED
_NAME = "checkout fails because bank.example is down"


def grounded(text: str, *refs: str, kind: ClaimKind = ClaimKind.OBSERVATION) -> ClaimVerdict:
    worded = alert() | {"annotations": {"summary": "The warehouse burned down and 31% of orders fail."}}
    worded["labels"] = {**(worded.get("labels") or {}), "note": "checkout is healthy", "pod": "checkout-7d9f-x2x4z"}
    evidence = base(
        call(1, "query_metrics", alerts_output(worded)),
        call(2, "query_logs", logs_output(log("order 8841 failed: cannot reserve stock"), log("seen", service=_NAME))),
        call(3, "lookup_knowledge", blocks_output(block("The stock table is locked by the nightly export."))),
    )
    return ground_claim(Claim(id="c", text=text, refs=refs, kind=kind, role=ClaimRole.ANSWER), evidence)


@pytest.mark.parametrize(
    ("text", "voice"),
    [
        ("The warehouse burned down.", "The text of CheckoutErrors says"),
        ("31% of orders fail.", "The text of CheckoutErrors says"),
        ("checkout is healthy.", "The text of CheckoutErrors says"),
        ("CheckoutErrors is firing for checkout.", None),
        ("CheckoutErrors is firing for the pod checkout-7d9f-x2x4z.", None),
    ],
)
def test_what_annotations_and_worded_labels_say_is_shown_as_the_alerts_word(text: str, voice: str | None) -> None:
    found = grounded(text, "i1.alerts.0")
    assert (found.verdict, found.voice) == (S, voice)


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("The stock table is locked by the nightly export.", ["i3.blocks.0", "i1.alerts.0"], U),
        ("The stock table is locked by the nightly export.", ["i3.blocks.0", "i2.logs.0"], U),
        ("The runbook says the stock table is locked by the nightly export.", ["i3.blocks.0", "i1.alerts.0"], S),
        ("checkout's log says “cannot reserve stock”.", ["i3.blocks.0", "i2.logs.0"], S),
    ],
)
def test_a_runbook_bears_no_event_whatever_is_cited_beside_it(text: str, refs: list[str], expected: Verdict) -> None:
    assert grounded(text, *refs).verdict is expected


@pytest.mark.parametrize(
    ("text", "refs", "expected"),
    [
        ("checkout's log says “The stock table is locked by the nightly export”.", ["i2.logs.0", "i3.blocks.0"], U),
        ("checkout's log says “The stock table is locked”.", ["i3.blocks.0"], U),
        ("The runbook says “The stock table is locked”.", ["i2.logs.0", "i3.blocks.0"], S),
        ("The runbook says “cannot reserve stock”.", ["i2.logs.0", "i3.blocks.0"], U),
        ("The alert says “The warehouse burned down”.", ["i1.alerts.0", "i2.logs.0"], S),
        ("checkout's log says “The warehouse burned down”.", ["i1.alerts.0", "i2.logs.0"], U),
    ],
)
def test_a_quote_stands_in_what_is_said_to_say_it(text: str, refs: list[str], expected: Verdict) -> None:
    assert grounded(text, *refs).verdict is expected


def test_the_words_of_a_name_are_no_fact() -> None:
    found = grounded("bank.example is down.", "i2.logs.1")
    assert found.verdict is not S or found.voice == "The log says"


@pytest.mark.parametrize("text", ["checkout logged 0 ERROR records.", "checkout logged 4 records."])
def test_no_alert_tells_what_was_logged(text: str) -> None:
    assert grounded(text, "i1.alerts.0").verdict is not S


def test_nothing_rounds_to_none() -> None:
    assert grounded("CheckoutErrors is firing with a value of 0.", "i1.alerts.0").verdict is not S
    assert grounded("CheckoutErrors is firing with a value of 0.2.", "i1.alerts.0").verdict is S
