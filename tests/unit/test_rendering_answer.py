"""What an answer looks like under each decision, and what it must never show."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, timedelta, timezone

import pytest

from groundwire.domain.answer import Answer
from groundwire.domain.names import ClaimKind, ClaimRole, Decision, DegradedReason, QuestionKind, Verdict
from groundwire.rendering import answer_json, render_text
from groundwire.rendering.layout import display_width
from tests.unit.answer_samples import (
    ADVICE,
    CAUSE,
    EVIDENCE,
    HYPOTHESIS,
    PASSED,
    REJECTED,
    SESSION_ID,
    SYMPTOM,
    claim,
    low_confidence,
)

_SECOND_OPINION = [
    DegradedReason.VERIFIER_MISSING,
    DegradedReason.VERIFIER_INVALID_JSON,
    DegradedReason.VERIFIER_INVALID_SCHEMA,
    DegradedReason.VERIFIER_UNAVAILABLE,
]


def _words(text: str) -> str:
    return " ".join(text.split())


def test_a_passed_answer_in_full() -> None:
    assert render_text(PASSED, width=80, local_zone=timezone(timedelta(hours=5, minutes=30))) == (
        "PASS: recorded evidence supports this diagnosis.\n"
        "\n"
        "Question  Why does cart-api fail?\n"
        "About     cart-api\n"
        "Window    2026-11-30 11:00:00 to 12:00:00 UTC\n"
        "          2026-11-30 16:30:00 to 17:30:00 local time (UTC+05:30); around the\n"
        "          start of the alert\n"
        "\n"
        "Symptom\n"
        "  - CartErrorRateHigh fires for cart-api since 2026-11-30T11:41:00Z with the\n"
        "    value 0.31. [1]\n"
        "\n"
        "Deepest confirmed cause\n"
        "  - cart-api could not get a connection: the log says 'pool exhausted,\n"
        "    active=20/20, waiting=57'. [2][3]\n"
        "\n"
        "Hypotheses\n"
        "  - Possible, not confirmed: A slow query holds the connections.\n"
        "\n"
        "Advice\n"
        "  - Read the runbook section on exhausted pools. [4]\n"
        "\n"
        "2 statements not shown: the evidence does not support them.\n"
        "Note      times without a zone were read as UTC\n"
        "\n"
        "Evidence\n"
        "  [1] i1.alerts.0, alerts.json, 2026-11-30T11:41:00Z, measured\n"
        "      CartErrorRateHigh firing cart-api critical 0.31 since 2026-11-30T11:41:00Z\n"
        "  [2] i2.logs.0, cart-api.log:120, 2026-11-30T11:43:01Z, logged\n"
        "      ERROR cart-api cart-api-7d9f pool exhausted, active=20/20, waiting=57\n"
        "  [3] i2.logs.4, cart-api.log:88, 2026-11-30T10:43:01Z, logged, outside the\n"
        "      window\n"
        "      ERROR cart-api cart-api-7d9f pool exhausted, active=20/20, waiting=3\n"
        "  [4] i3.blocks.0, pools.md, runbook\n"
        "      Exhausted pools pools.md When every connection is taken, callers wait and\n"
        "      time out.\n"
        "\n"
        "Checked:  found in i1 alerts of cart-api: 1; i2 logs of cart-api, level error:\n"
        "            40 of 118; i3 knowledge, 'pool exhausted': 2\n"
        "          empty: i4 logs of cart-db, level error: nothing matched\n"
        "          repeated: i5 knowledge, 'pool exhausted': no new evidence, repeats i3\n"
        "          failed: i6 metrics, 'up': timeout: prometheus: no answer within 30 s\n"
        "          in part: i2 logs of cart-api, level error: old.log.gz cannot be read\n"
        "          not available: i7 metrics: no source of metrics is configured\n"
        "\n"
        "See more: groundwire trace 3f2a9c1b77aa\n"
        "          groundwire evidence 3f2a9c1b77aa i1.alerts.0"
    )


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("answer", [PASSED, REJECTED, *map(low_confidence, DegradedReason)])
def test_no_line_is_wider_than_the_terminal(answer: Answer, width: int) -> None:
    hostile = claim("接続" * 60 + "x" * 200 + "\x1b[2J" * 9, "i2.logs.0", kind=ClaimKind.CAUSE, role=ClaimRole.ANSWER)
    long = replace(answer, claims=(*answer.claims, hostile), question="why " * 300, next_steps=("y" * 300,))
    text = render_text(long, width=width)
    assert max(map(display_width, text.split("\n"))) <= width
    assert "\x1b" not in text


def test_a_local_time_that_is_utc_is_not_repeated() -> None:
    assert "local time is UTC" in render_text(PASSED, local_zone=UTC)


def test_a_window_over_midnight_names_both_days() -> None:
    text = render_text(PASSED, local_zone=timezone(timedelta(hours=12, minutes=30)))
    assert "2026-11-30 23:30:00 to 2026-12-01 00:30:00 local time (UTC+12:30)" in _words(text)


def test_a_cause_is_never_called_a_root_cause() -> None:
    for answer in (PASSED, REJECTED, *map(low_confidence, DegradedReason)):
        assert "root cause" not in render_text(answer).lower()


def test_an_unsupported_claim_is_not_shown_even_if_the_answer_holds_it() -> None:
    invented = claim("The moon is full.", "i1.alerts.0", verdict=Verdict.UNSUPPORTED, role=ClaimRole.ANSWER)
    wrong = claim("A refuted guess.", kind=ClaimKind.HYPOTHESIS, verdict=Verdict.CONTRADICTED)
    for answer in (PASSED, low_confidence(DegradedReason.COVERAGE_GAP)):
        given = replace(answer, claims=(*answer.claims, invented, wrong))
        assert render_text(given) == render_text(answer)
        assert answer_json(given) == answer_json(answer)


@pytest.mark.parametrize("reason", _SECOND_OPINION)
def test_when_only_the_second_opinion_is_missing_it_says_that_all_claims_hold(reason: DegradedReason) -> None:
    text = _words(render_text(low_confidence(reason, held=5, checked=5)))
    assert "the diagnosis is not confirmed" in text
    assert "5 of 5 claims hold; the second opinion is missing" in text


@pytest.mark.parametrize("reason", _SECOND_OPINION)
def test_when_more_than_the_second_opinion_is_missing_it_says_how_many_claims_hold(reason: DegradedReason) -> None:
    text = _words(render_text(low_confidence(reason, held=3, checked=5)))
    assert "The second opinion is missing" in text
    assert "3 of 5 claims hold" in text
    assert "5 of 5" not in text


@pytest.mark.parametrize(
    "reason", [r for r in DegradedReason if r not in (DegradedReason.CONTRADICTED, DegradedReason.JUDGE_REJECTED)]
)
@pytest.mark.parametrize("kind", list(QuestionKind))
def test_low_confidence_says_why_what_holds_what_is_missing_and_what_to_check_next(
    reason: DegradedReason, kind: QuestionKind
) -> None:
    text = render_text(replace(low_confidence(reason), question_kind=kind), width=80)
    first, why, *_ = text.split("\n")
    assert first.startswith("LOW_CONFID: the ") and first.endswith("is not confirmed.")
    assert why
    assert "\nWhat the evidence supports\n  - Symptom: " in text
    assert "\nWhat is missing\n  - " in text
    assert "\nWhat to check next\n  - Ask again for metrics" in text
    assert "\nChecked:  found in" in text
    assert "[1] i1.alerts.0, alerts.json" in text


def test_each_reason_has_a_sentence_of_its_own() -> None:
    sentences = {render_text(low_confidence(reason)).split("\n\n")[0] for reason in DegradedReason}
    assert len(sentences) == len(DegradedReason)


def test_low_confidence_words_hypotheses_as_such_and_gives_no_advice() -> None:
    text = render_text(low_confidence(DegradedReason.NO_DIRECT_EVIDENCE))
    assert "Possible, not confirmed: A slow query holds the connections." in text
    assert ADVICE.claim.text not in text
    assert "Deepest confirmed cause" not in text


def test_low_confidence_without_a_supported_claim_says_so() -> None:
    text = render_text(replace(low_confidence(DegradedReason.NO_DIRECT_EVIDENCE), claims=(HYPOTHESIS,)))
    assert "What the evidence supports\n  - Nothing that was claimed." in text


def test_a_rejected_answer_shows_nothing_of_its_draft() -> None:
    leaky = replace(
        REJECTED,
        claims=(SYMPTOM, CAUSE, HYPOTHESIS),
        hidden_count=9,
        held_count=3,
        checked_count=7,
        missing=("something the draft said",),
        notes=("a note on the draft",),
    )
    assert render_text(leaky) == render_text(REJECTED)
    assert json.dumps(answer_json(leaky)) == json.dumps(answer_json(REJECTED))
    assert answer_json(leaky)["claims"] == []


@pytest.mark.parametrize("reason", [DegradedReason.CONTRADICTED, DegradedReason.JUDGE_REJECTED])
def test_a_rejected_answer_says_that_the_draft_is_withheld_and_what_the_evidence_says(reason: DegradedReason) -> None:
    text = render_text(replace(REJECTED, degraded_reason=reason))
    first = text.split("\n\n")[0].replace("\n", " ")
    assert first.startswith("REJECT: ") and "contradicted" in first and "withheld" in first
    assert "pool exhausted, active=20/20, waiting=57" in _words(text)
    assert "i2.logs.0, cart-api.log:120, 2026-11-30T11:43:01Z, logged" in text
    assert "Exhausted pools: when every connection is taken, callers wait." in _words(text)
    assert "What to check next" in text
    assert "Checked:" in text


def test_a_call_that_is_cited_whole_has_what_it_asked_beside_it() -> None:
    absence = claim("cart-db logged no error.", "i4.summary", kind=ClaimKind.ABSENCE, role=ClaimRole.ANSWER)
    text = render_text(replace(PASSED, question_kind=QuestionKind.STATUS, claims=(absence,)))
    assert "PASS: recorded evidence supports this answer." in text
    assert "Answer\n  - cart-db logged no error. [1]" in text
    assert "[1] i4.summary, the whole call: logs of cart-db, level error: nothing matched" in text


def test_what_was_asked_for_comes_before_what_supports_it() -> None:
    support = claim("cart-db was slow.", "i2.logs.0", kind=ClaimKind.CAUSE, role=ClaimRole.SUPPORT)
    text = render_text(replace(PASSED, claims=(support, CAUSE)))
    assert text.index("could not get a connection") < text.index("cart-db was slow")


def test_text_from_a_log_cannot_forge_a_section() -> None:
    forged = claim("fine\n\nDeepest confirmed cause\n  - reboot everything", "i2.logs.0", verdict=Verdict.SUPPORTED)
    text = render_text(replace(PASSED, claims=(forged,)))
    assert "\nDeepest confirmed cause" not in text


def test_no_call_at_all_is_said() -> None:
    bare = replace(low_confidence(DegradedReason.NO_DIRECT_EVIDENCE), coverage=type(PASSED.coverage)())
    assert "Checked:  nothing; no call was made" in render_text(bare)


def test_the_json_object_has_the_agreed_keys() -> None:
    value = answer_json(PASSED)
    assert {
        "session_id",
        "question",
        "question_kind",
        "decision",
        "degraded_reason",
        "final_output",
        "claims",
        "evidence",
        "coverage",
        "window",
        "step_count",
        "tool_call_count",
    } <= set(value)
    assert set(value["claims"][0]) == {"id", "text", "kind", "role", "verdict", "reason", "refs"}
    assert {"ref_id", "raw_path", "text", "level", "trust", "tool_name"} <= set(value["evidence"][0])
    assert set(value["coverage"]) == {"found", "empty", "deduped", "failed", "partial", "not_available"}
    assert value["window"] == {"start": "2026-11-30T11:00:00Z", "end": "2026-11-30T12:00:00Z", "source": "alert"}
    assert (value["session_id"], value["decision"], value["degraded_reason"]) == (SESSION_ID, "PASS", None)
    assert value["final_output"] == render_text(PASSED, width=80)
    assert value["evidence"][1]["text"] == EVIDENCE[1].text
    assert (Decision(value["decision"]), value["tool_call_count"], value["step_count"]) == (Decision.PASS, 7, 0)
    assert json.loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A deployment broke it. [1]", "A deployment broke it. (1)"),
        ("A deployment broke it. [1][ 2 ] [1, 3] \u30101\u3011", "A deployment broke it. (1)( 2 ) (1, 3) (1)"),
        ("It is so [i2.logs.0]", "It is so (i2.logs.0 (not cited))"),
        ("It is so, confirmed by i2.logs.0.", "It is so, confirmed by i2.logs.0 (not cited)."),
        ("See i2.summary and pods[web] in i2", "See i2.summary (not cited) and pods[web] in i2"),
    ],
)
def test_nothing_in_a_guess_or_in_advice_reads_like_a_footnote(text: str, shown: str) -> None:
    for said, kind in ((HYPOTHESIS, "Possible, not confirmed: "), (ADVICE, "")):
        told = replace(said, claim=replace(said.claim, text=text, refs=()))
        lines = _words(render_text(replace(PASSED, claims=(SYMPTOM, told)), width=200, local_zone=UTC))
        assert f"- {kind}{shown} " in lines
        assert lines.count("[1]") == 2


def test_a_ref_that_advice_cites_itself_stays_as_it_is() -> None:
    told = replace(ADVICE, claim=replace(ADVICE.claim, text="Read i3.blocks.0."))
    assert "Read i3.blocks.0. [2]" in render_text(replace(PASSED, claims=(SYMPTOM, told)))


def test_what_a_claim_quotes_from_far_back_in_a_line_stands_in_its_footnote() -> None:
    line = f"2026-11-30T11:43:01Z ERROR cart-api cart-api-7d9f {'a' * 40} {'b ' * 120}caused by the pool and so on"
    evidence = (replace(EVIDENCE[0], ref_id="i2.logs.9", text=line, time="2026-11-30T11:43:01Z"),)
    said = claim("cart-api's log says “caused by the pool”.", "i2.logs.9", kind=ClaimKind.CAUSE, role=ClaimRole.ANSWER)
    text = _words(render_text(replace(PASSED, evidence=evidence, claims=(said,)), width=80))
    assert "ERROR cart-api cart-api-7d9f ... caused by the pool and so on" in text


def test_a_series_is_of_a_span_and_not_said_to_have_no_time() -> None:
    one = replace(EVIDENCE[0], ref_id="i2.series.0", text="first 1 at 11:00, last 2 at 12:00: up", time=None)
    said = claim("up went up.", "i2.series.0", kind=ClaimKind.SYMPTOM, role=ClaimRole.ANSWER)
    assert "no time" not in render_text(replace(PASSED, evidence=(one,), claims=(said,)), width=80)
