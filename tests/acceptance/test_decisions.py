"""Decisions: what passes, what does not, and what is shown of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from groundwire.bootstrap import build
from groundwire.domain.incident import TimeWindow
from groundwire.services.verifier import Verifier
from groundwire.settings import Settings
from tests.acceptance.bench import Bench
from tests.acceptance.command import LOW_CONFID, PASS, REJECT, Groundwire, Result
from tests.acceptance.drafts import ADVICE, ASK_ERRORS, GUESS, MISCOUNTED, STATED_CAUSE, SYMPTOM, Claim, asking, claim, script
from tests.acceptance.incident import IN_WINDOW, WHY, WINDOW, Incident, checkout_lines, firing
from tests.acceptance.scripted import JUDGE, ScriptedInvestigator
from tests.acceptance.servers import StubServer

SAYS_PASS = {"say": '{"decision": "PASS"}'}
SAYS_REJECT = {"say": '{"decision": "REJECT", "reason": "the draft is nonsense about zebrafish"}'}
SAYS_LOW = {"say": '{"decision": "LOW_CONFID"}'}
HEALTHY = "Is checkout healthy?"
KNOWN = "What do we know about CheckoutErrors?"
BROKEN_GZIP = gzip.compress(b"2026-11-20T10:05:00.000Z ERROR order 7 failed\n" * 2000)[:-200]


def _flags(incident: Incident) -> tuple[str, ...]:
    return ("--logs", str(incident.logs), *IN_WINDOW)


# D1: no usable verifier output.


def test_d1_no_verifier_output_gives_the_fixed_low_confidence_protocol(groundwire: Groundwire, incident: Incident) -> None:
    told = script(
        SYMPTOM, STATED_CAUSE, ADVICE, GUESS, claim("observation", "checkout logged “zebrafish”.", "i1.logs.0", role="context")
    )
    env = {"GROUNDWIRE_JUDGE": "scripted", JUDGE: '{"say": ""}'}
    result = groundwire.run_script(told, *_flags(incident), env=env)
    assert result.code == LOW_CONFID
    answer = result.json
    session = groundwire.db.session(answer["session_id"])
    (evaluation,) = groundwire.db.evaluations(answer["session_id"])
    assert (session["decision"], session["degraded_reason"]) == ("LOW_CONFID", "verifier_missing")
    assert (evaluation["decision"], evaluation["degraded_reason"]) == ("LOW_CONFID", "verifier_missing")
    assert not evaluation["verifier_output"]
    text = session["final_output"]
    assert text == answer["final_output"]
    flat = " ".join(text.split())
    assert text.startswith("LOW_CONFID: the diagnosis is not confirmed.")
    assert WHY in flat
    assert "second opinion is missing" in flat
    assert "2 of 3 claims hold" in flat
    assert "checkout logged 3 ERROR records between 2026-11-20 10:20:05 UTC and 2026-11-20 10:22:05 UTC. [1]" in flat
    assert "i1.summary" in flat
    assert "Possible, not confirmed: The inventory port may be closed." in flat
    for part in ("What the evidence supports", "Hypotheses", "Evidence", "Checked: ", "What is missing", "What to check next"):
        assert part in text
    assert "zebrafish" not in text
    assert "Start the inventory deployment again" not in text  # advice on an unconfirmed cause


def test_d1_all_claims_hold_and_only_the_second_opinion_is_missing(bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": None})
    assert decided.outcome == ("LOW_CONFID", "verifier_missing")
    assert decided.evaluation["verifier_output"] is None
    assert "2 of 2 claims hold; the second opinion is missing" in " ".join(decided.session["final_output"].split())


@pytest.mark.parametrize("said", ["", "   ", "\n\t"])
def test_d1_blank_output_is_no_output(said: str, bench: Bench) -> None:
    assert bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": said}).outcome == ("LOW_CONFID", "verifier_missing")


def test_d1_a_verifier_stage_that_breaks_down_is_low_confidence_with_its_row(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object, **named: object) -> object:
        raise ZeroDivisionError("in the verifier")

    monkeypatch.setattr(Verifier, "verify", broken)
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE))
    assert decided.outcome == ("LOW_CONFID", "verifier_missing")
    assert decided.answer.claims == ()  # nothing was checked, so nothing that was claimed is shown
    steps = bench.groundwire.db.steps(decided.session["id"])
    assert any("in the verifier" in (step["error_message"] or "") for step in steps)


# D2: what is not JSON, or not of the right shape.


def test_d2_malformed_json_is_low_confidence_and_the_row_keeps_the_raw_text(groundwire: Groundwire, incident: Incident) -> None:
    raw = 'Sure! {"decision": "PASS"'
    env = {"GROUNDWIRE_JUDGE": "scripted", JUDGE: json.dumps({"say": raw})}
    result = groundwire.run_script(script(SYMPTOM, STATED_CAUSE), *_flags(incident), env=env)
    assert (result.code, result.json["degraded_reason"]) == (LOW_CONFID, "verifier_invalid_json")
    (evaluation,) = groundwire.db.evaluations(result.json["session_id"])
    assert (evaluation["decision"], evaluation["degraded_reason"]) == ("LOW_CONFID", "verifier_invalid_json")
    assert evaluation["verifier_output"] == raw
    assert len(evaluation["claim_verdicts"]) == 2


@pytest.mark.parametrize(
    "raw",
    [
        "PASS",
        "{'decision': 'PASS'}",
        '{"decision": "PASS"} trailing',
        '{"decision": "LOW_CONFID"} {"decision": "PASS"}',
        '```json\n{"decision": "PASS"}',
        "{",
        "NaN",
        '{"decision": NaN}',
    ],
)
def test_d2_anything_but_whole_json_is_invalid_json(raw: str, bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": raw})
    assert decided.outcome == ("LOW_CONFID", "verifier_invalid_json")
    assert decided.evaluation["verifier_output"] == raw


@pytest.mark.parametrize(
    "raw",
    [
        '```json\n{"decision": "PASS"}\n```',
        '```\n{"decision": "PASS"}\n```\n',
        'Here is my verdict:\n{"decision": "PASS"}',
        'Here it is.\n\n```json\n{"decision": "PASS"}\n```',
    ],
)
def test_d2_whole_json_is_understood_in_a_fence_and_after_a_sentence(raw: str, bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": raw})
    assert decided.outcome == ("PASS", None)
    assert decided.evaluation["verifier_output"] == raw


@pytest.mark.parametrize(
    "raw",
    [
        "[]",
        '"PASS"',
        "null",
        "{}",
        "7",
        '{"decision": "MAYBE"}',
        '{"decision": "pass"}',
        '{"decision": null}',
        '{"decision": ["PASS"]}',
        '{"decision": {"PASS": 1}}',
        '{"decision": "PASS", "claims": "all fine"}',
        '{"verdict": "PASS"}',
    ],
)
def test_d2_json_of_the_wrong_shape_or_an_unknown_decision_is_invalid_schema(raw: str, bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": raw})
    assert decided.outcome == ("LOW_CONFID", "verifier_invalid_schema")
    assert decided.evaluation["verifier_output"] == raw


@pytest.mark.parametrize("raised", ["ValueError", "TimeoutError", "ConnectionError"])
def test_d2_a_judge_that_raises_or_times_out_is_low_confidence_with_its_row(raised: str, bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"raise": raised, "words": "no route to the judge"})
    assert decided.outcome == ("LOW_CONFID", "verifier_unavailable")
    assert "no route to the judge" in (decided.evaluation["verifier_output"] or "")


def test_d2_a_judge_that_outlasts_its_time_is_not_waited_for(bench: Bench) -> None:
    """Its deadline is a second; it answers PASS after three."""
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge=SAYS_PASS | {"wait_s": 3})
    assert decided.outcome == ("LOW_CONFID", "verifier_unavailable")


@pytest.mark.parametrize("said", [7, ["PASS"], {"decision": "PASS"}, True])
def test_d2_a_judge_that_returns_no_text_fails_closed(said: object, bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": said})
    assert decided.outcome[0] == "LOW_CONFID"


def test_d2_a_reply_with_what_no_store_takes_is_kept_readable(bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE), judge={"say": "a\x00b \ud800 password=hunter2Xq9"})
    assert decided.outcome == ("LOW_CONFID", "verifier_invalid_json")
    assert decided.evaluation["verifier_output"].startswith("a\\x00b \\ud800 ")
    assert "hunter2Xq9" not in decided.evaluation["verifier_output"]


# D3: REJECT, and nothing of the draft.

ZEBRA = claim("symptom", "checkout logged 7 ERROR records about zebrafish.", "i1.summary", name="zebrafish-claim")
OTHER = (
    claim(
        "cause",
        "checkout's log says “quokka quorum lost” at 2026-11-20 10:20:05 UTC, 44 ERROR records.",
        "i1.summary",
        "i1.logs.2",
    ),
    MISCOUNTED,
    claim("recommendation", "Feed the quokka.", "i1.logs.0", role="context", name="quokka-advice"),
    GUESS,
)
_DRAFT_WORDS = ("zebrafish", "quokka", "7 ERROR", "44 ERROR", "inventory port may be closed")


def _same_session(text: str, session_id: str) -> str:
    """Return a text with the session's own names taken out: they are all that two sessions may differ in."""
    return text.replace(session_id, "SESSION").replace(session_id.rpartition("-")[2], "SESSION")


def test_d3_a_rejected_draft_is_nowhere_in_what_the_command_shows_and_two_drafts_give_the_same_bytes(
    groundwire: Groundwire, incident: Incident, here: Callable[..., Result]
) -> None:
    shown: list[list[str]] = []
    for told in (script(ZEBRA), script(*OTHER)):
        diagnosed = groundwire.run_script(told, *_flags(incident), "--progress")
        assert diagnosed.code == REJECT, diagnosed.stdout
        answer = diagnosed.json
        assert (answer["decision"], answer["degraded_reason"], answer["claims"]) == ("REJECT", "contradicted", [])
        session = groundwire.db.session(answer["session_id"])
        text = groundwire.run("show", answer["session_id"])
        as_json = here(groundwire, "show", answer["session_id"], "--json")
        assert (text.code, as_json.code) == (REJECT, REJECT)
        assert text.stdout.rstrip("\n") == session["final_output"] == answer["final_output"]
        assert session["final_output"].startswith("REJECT: ")
        assert "order 1022 failed: cannot reserve stock" in session["final_output"]  # the evidence itself is shown
        outputs = [session["final_output"], text.stdout, as_json.stdout, diagnosed.stdout]
        for output in [*outputs, diagnosed.stderr, text.stderr]:
            assert not [word for word in _DRAFT_WORDS if word in output]
        shown.append([_same_session(output, answer["session_id"]) for output in outputs])
    assert shown[0] == shown[1]


def test_d3_only_the_trace_holds_the_draft_and_says_that_it_is_unverified(bench: Bench, here: Callable[..., Result]) -> None:
    decided = bench.decide(script(ZEBRA))
    trace = here(bench.groundwire, "trace", decided.session["id"], "--json").json
    assert "zebrafish" in trace["session"]["draft_answer"]
    assert "unverified" in json.dumps(trace["session"])
    as_text = here(bench.groundwire, "trace", decided.session["id"]).stdout
    assert "unverified" in as_text.lower()
    sessions = here(bench.groundwire, "sessions", "--json").stdout
    assert "zebrafish" not in sessions


@pytest.mark.parametrize(
    ("drafts", "judge", "reason"),
    [
        ((script(ZEBRA), script(*OTHER)), None, "contradicted"),
        ((script(SYMPTOM, STATED_CAUSE), script(claim("observation", "Zebrafish.", "i1"), GUESS)), SAYS_REJECT, "judge_rejected"),
        ((script(ZEBRA), script(*OTHER)), SAYS_REJECT, "contradicted"),
        ((script(), script(SYMPTOM, complete=False)), SAYS_REJECT, "judge_rejected"),
    ],
    ids=["grounding", "judge", "both", "judge over incomplete drafts"],
)
def test_d3_two_drafts_with_the_same_rows_and_verdict_give_the_same_bytes(
    drafts: tuple[dict[str, Any], ...], judge: dict[str, Any] | None, reason: str, bench: Bench
) -> None:
    outputs = []
    for told in drafts:
        decided = bench.decide(told, judge=judge)
        assert decided.outcome == ("REJECT", reason)
        assert decided.answer.claims == ()
        outputs.append(_same_session(decided.session["final_output"], decided.session["id"]))
    assert outputs[0].encode() == outputs[1].encode()
    assert "zebrafish" not in outputs[0].lower()  # neither the draft's words nor the judge's about it


# D4: the table, row by row.

_ASK_RUNBOOK = ["ask", "lookup_knowledge", {"query": "CheckoutErrors"}]
_ASK_OLD = ["ask", "query_logs", {"service": "checkout", "since": "2026-11-20T09:00:00Z", "until": "2026-11-20T10:00:00Z"}]
_ASK_PLACED = ["ask", "query_logs", {"service": "checkout", "query": "placed", "level": "info"}]
_ASK_PAYMENTS = ["ask", "query_logs", {"service": "payments", "level": "warn"}]
_ASK_NOTHING = ["ask", "query_logs", {"service": "checkout", "query": "nosuchword"}]
_UNKNOWN_WORDS = claim("observation", "checkout's log reports sunspots, moonlight and tides.", "i1.logs.2")
_UNKNOWN_REF = claim("observation", "checkout logged “order 1020 failed”.", "i1.logs.77", role="support")
_TRIVIA = claim("observation", "checkout logged 60 INFO records with “placed”.", "i2.summary")
_OLD_SYMPTOM = claim("symptom", "checkout's log says “order 900 failed: card declined by the bank”.", "i2.logs.0")
_OLD_CAUSE = claim("cause", "checkout's log says “order 900 failed: card declined by the bank”.", "i2.logs.0")
_RUNBOOK_CAUSE = claim("cause", "The runbook says “inventory is down or its port is closed”.", "i2.blocks.1")
_PENDING = claim("symptom", "CheckoutErrors is pending for checkout.", "i2.alerts.0")
_ASK_ALERTS = ["ask", "query_metrics", {"service": "checkout"}]
_NO_ERRORS = claim("absence", "No log line of checkout of level ERROR.", "i1.summary")
_MISCOUNTED_CAUSE = STATED_CAUSE | {
    "text": f"{STATED_CAUSE['text'][:-1]}, 7 ERROR records.",
    "refs": ["i1.summary", "i1.logs.2"],
    "role": "context",
}
_UNKNOWN_POD = claim("observation", "inventory-7f9c restarted.", "i1.logs.0", role="support")
_NO_REFS = claim("observation", "checkout logged 3 ERROR records.", role="support")
_UNATTRIBUTED = claim("symptom", "Orders fail: cannot reserve stock.", "i1.logs.0")
_PAYMENTS_SLOW = claim("symptom", "payments logged 1 WARN record.", "i2.summary")


def _as_context(item: Claim, **changes: Any) -> Claim:
    return item | {"role": "context"} | changes


@pytest.mark.parametrize(
    ("told", "judge", "outcome"),
    [
        # An answer claim or a cause is contradicted by the evidence it cites.
        (script(MISCOUNTED, STATED_CAUSE), None, ("REJECT", "contradicted")),
        (script(MISCOUNTED, STATED_CAUSE), SAYS_PASS, ("REJECT", "contradicted")),
        (script(SYMPTOM, _MISCOUNTED_CAUSE), None, ("REJECT", "contradicted")),
        (script(SYMPTOM, STATED_CAUSE, _PENDING, ask=(_ASK_ALERTS,)), None, ("REJECT", "contradicted")),
        (script(_NO_ERRORS), None, ("REJECT", "contradicted")),
        (script(MISCOUNTED), {"say": ""}, ("REJECT", "contradicted")),
        # The judge rejects.
        (script(SYMPTOM, STATED_CAUSE), SAYS_REJECT, ("REJECT", "judge_rejected")),
        (script(), SAYS_REJECT, ("REJECT", "judge_rejected")),
        # The draft is empty or was cut off.
        (script(), None, ("LOW_CONFID", "draft_incomplete")),
        (script(SYMPTOM, STATED_CAUSE, complete=False), None, ("LOW_CONFID", "draft_incomplete")),
        (script(), {"say": ""}, ("LOW_CONFID", "draft_incomplete")),
        ({"do": [ASK_ERRORS, ["raise", "out of ideas"]], "draft": {"claims": []}}, None, ("LOW_CONFID", "draft_incomplete")),
        # The verifier's own failures come before what the draft is worth.
        (script(_UNKNOWN_WORDS), {"say": ""}, ("LOW_CONFID", "verifier_missing")),
        (script(_UNKNOWN_WORDS), {"say": "{"}, ("LOW_CONFID", "verifier_invalid_json")),
        (script(_UNKNOWN_WORDS), {"say": "{}"}, ("LOW_CONFID", "verifier_invalid_schema")),
        (script(_UNKNOWN_WORDS), {"raise": "ConnectionError"}, ("LOW_CONFID", "verifier_unavailable")),
        # Nothing usable was found, or a cause has no direct evidence.
        (asking(_ASK_NOTHING, draft=(GUESS,)), None, ("LOW_CONFID", "no_direct_evidence")),
        (asking(draft=(GUESS,)), None, ("LOW_CONFID", "no_direct_evidence")),
        (script(SYMPTOM, _RUNBOOK_CAUSE, ask=(_ASK_RUNBOOK,)), None, ("LOW_CONFID", "no_direct_evidence")),
        (script(SYMPTOM, _OLD_CAUSE, ask=(_ASK_OLD,)), None, ("LOW_CONFID", "no_direct_evidence")),
        # An answer or support claim is unsupported or uncheckable.
        (script(SYMPTOM, STATED_CAUSE, _UNKNOWN_WORDS), None, ("LOW_CONFID", "unsupported_claims")),
        (script(SYMPTOM, STATED_CAUSE, _UNKNOWN_REF), None, ("LOW_CONFID", "unsupported_claims")),
        (script(SYMPTOM, STATED_CAUSE, _UNKNOWN_POD), None, ("LOW_CONFID", "unsupported_claims")),
        (script(SYMPTOM, STATED_CAUSE, _NO_REFS), None, ("LOW_CONFID", "unsupported_claims")),
        # The question is not answered.
        (script(SYMPTOM), None, ("LOW_CONFID", "question_not_answered")),
        (script(_TRIVIA, ask=(_ASK_PLACED,)), None, ("LOW_CONFID", "question_not_answered")),
        (script(ADVICE), None, ("LOW_CONFID", "question_not_answered")),
        (script(GUESS, ADVICE), None, ("LOW_CONFID", "question_not_answered")),
        (script(STATED_CAUSE), None, ("LOW_CONFID", "question_not_answered")),
        (script(_PAYMENTS_SLOW, ask=(_ASK_PAYMENTS,)), None, ("LOW_CONFID", "question_not_answered")),
        (script(_OLD_SYMPTOM, ask=(_ASK_OLD,)), None, ("LOW_CONFID", "question_not_answered")),
        (script(SYMPTOM), SAYS_PASS, ("LOW_CONFID", "question_not_answered")),
        (script(SYMPTOM), SAYS_LOW, ("LOW_CONFID", "question_not_answered")),
        # The judge asks for less confidence.
        (script(SYMPTOM, STATED_CAUSE), SAYS_LOW, ("LOW_CONFID", "judge_low_confidence")),
        # Otherwise.
        (script(SYMPTOM, STATED_CAUSE), None, ("PASS", None)),
        (script(SYMPTOM, STATED_CAUSE), SAYS_PASS, ("PASS", None)),
        (script(SYMPTOM, STATED_CAUSE, ADVICE, GUESS, _as_context(_UNKNOWN_WORDS)), None, ("PASS", None)),
    ],
)  # fmt: skip
def test_d4_each_situation_of_the_table_gives_its_decision_first_match_wins(
    told: dict[str, Any], judge: dict[str, Any] | None, outcome: tuple[str, str | None], bench: Bench
) -> None:
    assert bench.decide(told, judge=judge).outcome == outcome


def test_d4_a_claim_that_rests_on_log_text_alone_reads_as_the_word_of_that_log(bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE, _UNATTRIBUTED))
    assert decided.outcome == ("PASS", None)
    assert "checkout's log says: Orders fail: cannot reserve stock." in " ".join(str(decided.session["final_output"]).split())


def test_d4_a_partial_call_under_the_answer_is_a_coverage_gap(bench: Bench) -> None:
    (bench.incident.logs / "checkout.log.1.gz").write_bytes(BROKEN_GZIP)
    decided = bench.decide(
        script(SYMPTOM | {"text": "checkout's log says “order 1020 failed”.", "refs": ["i1.logs.2"]}, STATED_CAUSE)
    )
    (call,) = bench.groundwire.db.calls(decided.session["id"])
    assert call["partial"] is True
    assert any("checkout.log.1.gz" in reason for reason in call["partial_reasons"])
    assert decided.outcome == ("LOW_CONFID", "coverage_gap")


def test_d4_a_failed_call_under_the_answer_is_a_coverage_gap(bench: Bench) -> None:
    logs = str(bench.incident.logs)
    steps = (["move", logs, f"{logs}.away"], _ASK_PAYMENTS, ["move", f"{logs}.away", logs])
    told = script(
        SYMPTOM, STATED_CAUSE, claim("absence", "No log line of payments of level ERROR.", "i2", role="support"), ask=steps
    )
    assert bench.decide(told).outcome == ("LOW_CONFID", "coverage_gap")


def test_d4_a_failed_call_beside_the_answer_is_none(bench: Bench) -> None:
    told = script(SYMPTOM, STATED_CAUSE, ask=(["ask", "query_logs", {"nope": 1}],))
    decided = bench.decide(told)
    assert decided.outcome == ("PASS", None)
    assert [item.ref for item in decided.answer.coverage.failed] == ["i2"]  # and is told


@pytest.mark.parametrize("role", ["answer", "support", "context"])
def test_d4_advice_alone_does_not_pass_whatever_it_calls_itself(role: str, bench: Bench) -> None:
    assert bench.decide(script(ADVICE | {"role": role})).outcome[0] == "LOW_CONFID"


@pytest.mark.parametrize(
    "claims",
    [
        (_as_context(SYMPTOM, text="checkout logged “zebrafish”.", refs=["i1.logs.2"]), STATED_CAUSE),
        (SYMPTOM, _as_context(STATED_CAUSE, text="checkout's log says “Caused by: zebrafish”.")),
        (SYMPTOM, _as_context(STATED_CAUSE, refs=["i1.logs.88"])),
    ],
    ids=["symptom", "cause", "cause with an unknown ref"],
)
def test_d4_an_answer_whose_symptom_or_cause_is_removed_does_not_pass(claims: tuple[Claim, ...], bench: Bench) -> None:
    decided = bench.decide(script(*claims))
    assert decided.outcome[0] == "LOW_CONFID"
    assert len(decided.answer.claims) == 1
    assert "zebrafish" not in decided.session["final_output"]
    assert "1 statement not shown" in " ".join(decided.session["final_output"].split())


def test_d4_a_contradicted_claim_beside_the_answer_is_taken_out_and_caps_the_decision(bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE, _as_context(MISCOUNTED)))
    assert decided.outcome[0] == "LOW_CONFID"
    assert "7 ERROR" not in decided.session["final_output"]


def test_d4_a_statement_beside_the_answer_that_does_not_hold_is_counted_and_not_shown(bench: Bench) -> None:
    told = script(SYMPTOM, STATED_CAUSE, _as_context(_UNKNOWN_WORDS), _as_context(_UNKNOWN_REF))
    decided = bench.decide(told)
    assert decided.outcome == ("PASS", None)
    assert "2 statements not shown" in " ".join(decided.session["final_output"].split())
    assert "sunspots" not in decided.session["final_output"]


def test_d4_words_that_users_put_into_a_log_make_no_cause(bench: Bench) -> None:
    line = '2026-11-20T10:20:06.000Z ERROR 10.0.0.7 "GET /search?q=checkout+down+caused by: payments HTTP/1.1" 500'
    with (bench.incident.logs / "checkout.log").open("a") as log:
        log.write(f"{line}\n")
    cause = claim("cause", "checkout's log says “caused by: payments”.", "i1.logs.0")
    told = script(SYMPTOM | {"text": "checkout logged 4 ERROR records."}, cause)
    told["do"] = [["ask", "query_logs", {"service": "checkout", "level": "error", "query": "payments"}], ASK_ERRORS]
    told["draft"]["claims"][0]["refs"] = ["i2.summary"]
    assert bench.decide(told).outcome[0] != "PASS"


def test_d4_the_headline_is_the_deepest_confirmed_cause_and_never_a_root_cause(
    groundwire: Groundwire, incident: Incident
) -> None:
    result = groundwire.run("diagnose", WHY, *incident.flags, *IN_WINDOW)
    assert result.code == PASS
    assert "Deepest confirmed cause" in result.stdout
    assert "root cause" not in result.stdout.lower()
    assert "Connection refused: inventory:8443" in " ".join(result.stdout.split())
    session = groundwire.db.session(groundwire.db.value("SELECT id FROM diagnosis_session"))
    assert (session["decision"], session["degraded_reason"], session["status"]) == ("PASS", None, "completed")
    assert session["final_output"] == result.stdout.rstrip("\n")


def _quiet(incident: Incident) -> None:
    """Take the errors out of the incident."""
    lines = [line for line in checkout_lines() if " INFO " in line]
    (incident.logs / "checkout.log").write_text("\n".join(lines) + "\n")


def _quiet_until_now(logs: Path) -> TimeWindow:
    """Write a log of checkout that goes on until now, without errors, and return the half hour up to now."""
    now = datetime.now(UTC).replace(microsecond=0)
    times = [now - timedelta(seconds=30 * back) for back in range(120, -1, -1)]
    lines = [f"{moment:%Y-%m-%dT%H:%M:%S}.000Z INFO order {number} placed" for number, moment in enumerate(times)]
    (logs / "checkout.log").write_text("\n".join(lines) + "\n")
    return TimeWindow(start=now - timedelta(minutes=30), end=now)


def test_d4_nothing_is_wrong_passes_from_complete_queries_of_live_sources(
    groundwire: Groundwire, incident: Incident, server: StubServer
) -> None:
    _quiet_until_now(incident.logs)
    server.become_prometheus()
    result = groundwire.run("diagnose", HEALTHY, "--logs", str(incident.logs), "--metrics", server.url, "--last", "30m", "--json")
    assert result.code == PASS, result.stdout
    session = groundwire.db.session(result.json["session_id"])
    assert (session["question_kind"], session["decision"]) == ("status", "PASS")
    kinds = {(each["kind"], each["verdict"]) for each in result.json["claims"]}
    assert kinds == {("absence", "supported")}


@pytest.mark.parametrize("without", ["the alerts failing", "a source in part", "an older file", "warnings", "no rules"])
def test_d4_nothing_is_wrong_does_not_pass_from_incomplete_or_saved_answers(
    without: str, bench: Bench, server: StubServer
) -> None:
    window = _quiet_until_now(bench.incident.logs)
    server.become_prometheus()
    bench.settings = {"logs": (str(bench.incident.logs),), "metrics": (server.url,)}
    match without:
        case "the alerts failing":
            server.put("/api/v1/alerts", {"status": "error", "errorType": "internal", "error": "out of memory"}, 500)
        case "a source in part":
            (bench.incident.logs / "checkout.log.1.gz").write_bytes(BROKEN_GZIP)
        case "an older file":
            bench.incident.alerts.write_text('{"status":"success","data":{"alerts":[]}}')
            bench.settings = {"alerts": (str(bench.incident.alerts),)}
        case "warnings":
            server.become_prometheus(warnings=("results may be incomplete: shard 2 timed out",))
        case _:
            server.put("/api/v1/rules", {"status": "success", "data": {"groups": []}})
    assert bench.decide(None, question=HEALTHY, window=window).outcome[0] == "LOW_CONFID"


def test_d4_what_fires_now_says_nothing_of_a_window_that_is_long_over(bench: Bench, server: StubServer) -> None:
    """A live list of alerts is of this moment; asked is an hour of last January, of which there is no log."""
    server.become_prometheus()
    bench.settings = {"metrics": (server.url,)}
    long_over = TimeWindow(start=datetime(2026, 1, 5, 10, tzinfo=UTC), end=datetime(2026, 1, 5, 11, tzinfo=UTC))
    assert bench.decide(None, question=HEALTHY, window=long_over).outcome[0] == "LOW_CONFID"


def test_d4_a_saved_log_is_silent_about_what_came_after_it(bench: Bench) -> None:
    """The file ends an hour before the window does: that it has no errors says nothing of that hour."""
    _quiet(bench.incident)
    bench.settings = {"logs": (str(bench.incident.logs),)}
    later = replace(WINDOW, end=WINDOW.end.replace(hour=12))
    assert bench.decide(None, question=HEALTHY, window=later).outcome[0] == "LOW_CONFID"


def test_d4_a_firing_alert_of_the_subject_answers_whether_it_is_healthy(bench: Bench, server: StubServer) -> None:
    server.become_prometheus(firing())
    bench.settings = {"metrics": (server.url,), "logs": (str(bench.incident.logs),)}
    decided = bench.decide(None, question=HEALTHY)
    assert decided.outcome == ("PASS", None)
    assert any("CheckoutErrors" in shown.claim.text for shown in decided.answer.claims)


@pytest.mark.parametrize(
    ("query", "outcome"),
    [("CheckoutErrors", ("PASS", None)), ("customers weather mountains lake", ("LOW_CONFID", "question_not_answered"))],
)
def test_d4_a_lookup_is_answered_by_knowledge_of_at_least_medium_relevance(
    query: str, outcome: tuple[str, str | None], bench: Bench
) -> None:
    said = claim(
        "observation",
        "The runbook says “More than five percent of the orders that customers place in checkout fail”.",
        "i1.blocks.0",
    )
    decided = bench.decide(asking(["ask", "lookup_knowledge", {"query": query}], draft=(said,)), question=KNOWN)
    (call,) = bench.groundwire.db.calls(decided.session["id"])
    assert (call["relevance_level"] in ("high", "medium")) is (outcome[0] == "PASS")
    assert decided.session["question_kind"] == "lookup"
    assert decided.outcome == outcome


def test_d4_the_coverage_line_is_computed_from_the_rows(bench: Bench) -> None:
    logs = str(bench.incident.logs)
    steps: tuple[list[Any], ...] = (
        _ASK_NOTHING,
        _ASK_RUNBOOK,
        _ASK_RUNBOOK,
        ["move", logs, f"{logs}.away"],
        _ASK_PAYMENTS,
        ["move", f"{logs}.away", logs],
        ["ask", "query_metrics", {"promql": "up"}],
    )
    coverage = bench.decide(script(SYMPTOM, STATED_CAUSE, ask=steps)).answer.coverage.to_json()
    refs = {name: [item["ref"] for item in items] for name, items in coverage.items()}
    assert refs == {
        "found": ["i1", "i3"],
        "empty": ["i2"],
        "deduped": ["i4"],
        "failed": ["i5"],
        "partial": [],
        "not_available": ["i6"],
    }


def test_d4_a_revised_draft_is_decided_again_and_both_evaluations_are_kept(bench: Bench) -> None:
    told = script(SYMPTOM, STATED_CAUSE, _UNKNOWN_WORDS) | {"revised": {"claims": [SYMPTOM, STATED_CAUSE]}}
    decided = bench.decide(told)
    assert decided.outcome == ("PASS", None)
    attempts = [(each["attempt"], each["decision"]) for each in bench.groundwire.db.evaluations(decided.session["id"])]
    assert attempts == [(1, "LOW_CONFID"), (2, "PASS")]


def test_d4_a_revision_that_breaks_down_leaves_the_first_draft_decided(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> object:
        raise RuntimeError("cannot revise")

    monkeypatch.setattr(ScriptedInvestigator, "revise", broken)
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE))
    assert decided.session["status"] == "completed"
    assert decided.outcome in (("PASS", None), ("LOW_CONFID", "draft_incomplete"))


# D5: counts.


def test_d5_steps_and_calls_are_counted_from_the_rows_and_helpers_inflate_neither(
    groundwire: Groundwire, incident: Incident, here: Callable[..., Result]
) -> None:
    steps = [
        ["list_sources"],
        ["step", "model", "first thought"],
        ["step", "helper", "open a page"],
        ["step", "model", "second thought"],
        ["ask_unknown", "restart_everything"],
        ["ask", "query_logs", {"nope": 1}],
        ["list_sources"],
    ]
    result = groundwire.run_script({"do": steps, "draft": {"claims": [GUESS]}}, *_flags(incident))
    assert result.code == LOW_CONFID, result.stderr
    session_id = result.json["session_id"]
    session, recorded, calls = groundwire.db.session(session_id), groundwire.db.steps(session_id), groundwire.db.calls(session_id)
    # Each "step" makes one call to learn its session, and one call has parameters that do not fit: four rows.
    assert (session["step_count"], session["tool_call_count"]) == (2, 4)
    assert (result.json["step_count"], result.json["tool_call_count"]) == (2, 4)
    assert groundwire.db.value("SELECT count(*) FROM agent_step WHERE session_id = ? AND kind = 'model'", session_id) == 2
    assert len(calls) == 4
    assert all(call["tool_name"] == "query_logs" for call in calls)
    helpers = [step for step in recorded if step["kind"] == "helper"]
    assert len(helpers) == 4  # two listings, a page, an invented tool
    (invented,) = [step for step in helpers if step["error_message"]]
    assert "restart_everything" in invented["request_summary"] + invented["error_message"]
    assert [step["seq"] for step in recorded] == list(range(1, 7))
    traced = here(groundwire, "trace", session_id, "--json").json
    assert [step["id"] for step in traced["steps"]] == [step["id"] for step in recorded]


def test_d5_a_call_added_by_hand_is_counted(bench: Bench) -> None:
    decided = bench.decide(script(SYMPTOM, STATED_CAUSE))
    with closing(build(Settings(db=str(bench.groundwire.db.path), logs=(str(bench.incident.logs),)))) as app:
        app.call("query_logs", {}, session_id=decided.session["id"], window=None)
    after = bench.groundwire.db.session(decided.session["id"])
    assert (decided.session["tool_call_count"], after["tool_call_count"]) == (1, 2)
    assert (after["decision"], after["final_output"]) == ("PASS", decided.session["final_output"])
