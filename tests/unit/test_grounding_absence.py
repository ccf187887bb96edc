"""Absences: how they are said, what a search can know of them, and what is there after all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole, Verdict
from groundwire.grounding.absence_cues import states_absence
from groundwire.grounding.cited import EvidenceBase
from groundwire.grounding.ground import ground_claim
from tests.unit.rows import WINDOW, alert, alerts_output, at, base, call, log, logs_output

S, C, U, X = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.UNCHECKABLE
UNDECIDED = (U, X)


def search(in_scope: dict[str, int], *, level: str | None = None, **output: Any) -> dict[str, Any]:
    made = logs_output(service="checkout", **output)
    made["scope"]["filter"] |= {"level": level} if level else {}
    made["summary"]["in_scope"] = {"total": sum(in_scope.values()), "by_level": in_scope}
    return made


def evidence() -> EvidenceBase:
    labels = {"service": "checkout"}
    some = search({"ERROR": 4, "INFO": 96}, query=None, level="ERROR")
    some |= {"logs": [log("down")], "total_count": 4, "returned_count": 4, "evidence_status": "evidence"}
    some["summary"] |= {"total": 4, "by_level": {"ERROR": 4}}
    return base(
        call(1, "query_logs", search({"INFO": 100}, level="WARN"), labels),
        call(2, "query_logs", search({"INFO": 96, "ERROR": 4}, query='"pool exhausted"'), labels),
        call(3, "query_logs", some, labels),
        call(4, "query_logs", search({}), labels),
        call(5, "query_logs", search({"INFO": 98, "WARN": 2}, level="ERROR"), labels),
        call(6, "query_logs", search({"INFO": 10}, level="WARN", partial=True), labels),
        call(7, "query_logs", search({"INFO": 96, "ERROR": 4}, query='re:"pool exhausted"'), labels),
        call(8, "query_logs", search({"INFO": 96, "ERROR": 4}, query="re:^exhausted$"), labels),
    )


def verdict(text: str, ref: str, kind: ClaimKind = ClaimKind.ABSENCE) -> Verdict:
    claim = Claim(id="c", text=text, refs=(ref,), kind=kind, role=ClaimRole.ANSWER)
    return ground_claim(claim, evidence()).verdict


WAYS = [
    "checkout logged no WARN lines.",
    "checkout never logged at WARN.",
    "checkout did not write a single WARN record.",
    "There was nothing at WARN from checkout.",
    "The log of checkout is free of WARN records.",
    "The log of checkout lacks WARN records.",
    "WARN lines are absent from the log of checkout.",
    "Not one WARN entry of checkout was found.",
    "checkout failed to log a WARN line.",
    "Zero WARN records of checkout.",
    "0 WARN records of checkout.",
    "WARN: 0 for checkout.",
    "WARN entries of checkout: none.",
    "Nowhere in the log of checkout is a WARN line.",
    "No record of checkout at WARN or worse.",
    "At no point did checkout log a WARN line.",
    "The log of checkout came up empty for WARN lines.",
    "No errors were found in the log of checkout.",
]


@pytest.mark.parametrize("text", WAYS)
@pytest.mark.parametrize("kind", [ClaimKind.ABSENCE, ClaimKind.OBSERVATION])
def test_an_absence_holds_in_whatever_words(text: str, kind: ClaimKind) -> None:
    assert verdict(text, "i1.summary", kind) is S
    assert verdict(text, "i4.summary", kind) in UNDECIDED
    assert verdict(text, "i6.summary", kind) in UNDECIDED


@pytest.mark.parametrize("text", [way.replace("WARN", "ERROR") for way in WAYS])
def test_an_absence_of_what_was_found_is_contradicted_in_whatever_words(text: str) -> None:
    assert verdict(text, "i3.summary", ClaimKind.OBSERVATION) is C


@pytest.mark.parametrize(
    ("text", "ref", "expected"),
    [
        # A search for words says nothing of other lines, but the levels of all in scope are known.
        ("No line of checkout says “pool exhausted”.", "i2.summary", S),
        ("“pool exhausted” appears nowhere in the log of checkout.", "i2.summary", S),
        ("No line of checkout says “pool”.", "i2.summary", U),
        ("checkout logged no ERROR lines.", "i2.summary", U),
        ("checkout logged nothing.", "i2.summary", U),
        ("The search of checkout returned nothing.", "i2.summary", S),
        ("checkout logged no WARN lines.", "i5.summary", C),
        ("checkout logged no DEBUG lines.", "i5.summary", S),
        ("checkout logged no ERROR lines.", "i5.summary", S),
        ("checkout logged nothing above WARN.", "i5.summary", S),
        ("checkout logged neither ERROR nor FATAL lines.", "i5.summary", S),
        # Two words that deny may undo each other; what is denied must be that something is there.
        ("The log of checkout is not free of WARN lines.", "i1.summary", X),
        ("checkout did not fail to log WARN lines.", "i1.summary", X),
        ("checkout did not recover.", "i1.summary", X),
        ("checkout saw no delay.", "i1.summary", X),
        # Called an absence, and states none.
        ("checkout logged WARN lines.", "i1.summary", C),
    ],
)
def test_an_absence_is_of_what_the_search_asked_for(text: str, ref: str, expected: Verdict) -> None:
    assert verdict(text, ref) is expected


@pytest.mark.parametrize(
    ("text", "ref", "expected"),
    [
        ("checkout logged WARN lines.", "i1.summary", C),
        ("There are WARN lines of checkout.", "i1.summary", C),
        ("checkout's log contains “pool exhausted”.", "i2.summary", C),
        ("checkout logged DEBUG lines.", "i1.summary", C),
        ("checkout logged WARN lines.", "i6.summary", U),
        ("cart logged WARN lines.", "i1.summary", U),
    ],
)
def test_what_a_whole_search_did_not_find_is_not_there(text: str, ref: str, expected: Verdict) -> None:
    assert verdict(text, ref, ClaimKind.OBSERVATION) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no fewer than 110 records", False),
        ("not less than 5 lines", False),
        ("108 records, if not more", False),
        ("60 records, and not one more", False),
        ("it never went below 3 records", False),
        ("no record", True),
        ("the log is clean", True),
        ("the board is empty", True),
        ("it does not occur", True),
    ],
)
def test_a_negation_that_bounds_a_number_denies_nothing(text: str, expected: bool) -> None:
    assert states_absence(text) is expected


def test_that_a_pattern_was_not_found_is_no_absence_of_the_words_in_it() -> None:
    assert verdict('checkout logged no "pool exhausted".', "i2") is S
    assert verdict('checkout logged no "pool exhausted".', "i7") in UNDECIDED
    assert verdict("checkout logged nothing that says exhausted.", "i8") in UNDECIDED


@pytest.mark.parametrize(
    ("covers", "proved"),
    [
        ([WINDOW.to_json()], S),
        ([None], U),
        # What one of two sources knows, the other may not.
        ([WINDOW.to_json(), None], U),
        ([{"start": at("09:10:00"), "end": at("10:00:00")}], U),
        ([{"start": at("09:00:00"), "end": at("09:50:00")}], U),
    ],
)
def test_that_nothing_was_pending_in_a_window_that_has_passed_is_proved_by_sources_that_know_it_alone(
    covers: list[Any], proved: Verdict
) -> None:
    output = alerts_output(alert())
    source = output["sources"][0]
    output["sources"] = [source | ({} if window is None else {"covers": window}) for window in covers]
    made = call(1, "query_metrics", output, {"service": "checkout"})
    later = replace(made, row=replace(made.row, started_at=WINDOW.end + timedelta(days=1)))
    claim = Claim(
        id="c",
        text="No alert was pending for checkout in the window.",
        refs=("i1",),
        kind=ClaimKind.ABSENCE,
        role=ClaimRole.ANSWER,
    )
    assert ground_claim(claim, base(later)).verdict is proved
