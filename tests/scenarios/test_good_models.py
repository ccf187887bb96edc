"""Models that do their work: what they found is confirmed, and shown with what it stands on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.domain.model import MessageRole, ModelMessage, ModelReply
from groundwire.domain.names import Decision, InvocationStatus
from groundwire.investigators.model_driven import Limits
from tests.scenarios.shop_turns import ASK_ALERTS, ASK_LOGS, ASK_RUNBOOK, COUNTED, EXHAUSTED, FIRING
from tests.scenarios.stage import in_the_shop
from tests.unit.model_turns import ask, asks, call, says, stated, submits


def test_alerts_then_logs_then_the_runbook_make_a_confirmed_diagnosis() -> None:
    played = in_the_shop(ASK_ALERTS, ASK_LOGS, ASK_RUNBOOK, submits(FIRING, COUNTED, EXHAUSTED))
    assert (played.decision, played.reason) == (Decision.PASS, None)
    played.shows("Deepest confirmed cause", "HikariPool-1 - Connection is not available", "56 ERROR records", "[1]")
    played.hides("root cause", "not shown")
    assert len(played.rows) == 3


def test_one_that_asks_side_by_side_and_reads_the_refs_from_the_results() -> None:
    both = asks(
        call("query_logs", {"service": "order-service", "level": "error", "limit": 100}, id="logs"),
        call("query_metrics", {"service": "order-service"}, id="alerts"),
    )

    def draft(messages: Sequence[ModelMessage]) -> ModelReply:
        logs, alerts = [message.text for message in messages if message.role is MessageRole.TOOL]
        log_ref = next(line.split(" ")[0] for line in logs.splitlines() if "SQLTransientConnectionException" in line)
        alert_ref = re.findall(r"i\d\.alerts\.0", alerts)[0]
        return submits({**FIRING, "refs": [alert_ref]}, {**EXHAUSTED, "refs": [log_ref]})

    played = in_the_shop(both, draft)
    assert played.decision is Decision.PASS
    assert {row.tool_call_id for row in played.rows} == {"logs", "alerts"}


def test_one_that_finds_nothing_wrong_cites_the_call_that_looked() -> None:
    played = in_the_shop(
        ask("query_metrics", service="inventory-service"),
        ask("query_logs", service="inventory-service", level="error"),
        submits(stated("inventory-service logged no errors.", "i2", kind="absence")),
        question="Is inventory-service healthy?",
    )
    assert played.decision is Decision.PASS
    played.shows("Nothing wrong was found in what was checked.", "inventory-service logged no errors.", "no evidence")
    assert [row.status for row in played.rows] == [InvocationStatus.NO_EVIDENCE] * 2


def test_one_that_is_asked_what_is_known_quotes_the_runbook() -> None:
    quote = "Raise the size of the pool only with the database's own connection limit in mind"
    played = in_the_shop(
        ask("lookup_knowledge", query="ConnectionPoolExhaustion", alert_name="ConnectionPoolExhaustion"),
        submits(
            stated(f"The runbook “Database connection pool exhausted” says “{quote}”.", "i1.blocks.2", kind="observation"),
        ),
        question="What do the runbooks say about ConnectionPoolExhaustion?",
    )
    assert played.decision is Decision.PASS
    played.shows(quote, "ConnectionPoolExhaustion.md")


def test_one_that_corrects_a_wrong_number_in_the_repair_round() -> None:
    wrong = {**COUNTED, "text": "order-service logged 5,600 ERROR records."}
    played = in_the_shop(ASK_ALERTS, ASK_LOGS, submits(FIRING, wrong, EXHAUSTED), submits(FIRING, COUNTED, EXHAUSTED))
    assert played.attempts == [Decision.REJECT, Decision.PASS]
    played.shows("56 ERROR records")
    played.hides("5,600")


def test_one_that_fetches_in_the_repair_round_what_it_had_not_looked_at() -> None:
    played = in_the_shop(ASK_ALERTS, submits(FIRING, EXHAUSTED), ASK_LOGS, submits(FIRING, EXHAUSTED))
    assert played.decision is Decision.PASS
    assert len(played.rows) == 2


def test_one_that_learns_from_refused_arguments() -> None:
    refused = ask("query_logs", service="order-service", severity="error")
    later = {**EXHAUSTED, "refs": ["i3.logs.54"]}
    played = in_the_shop(ASK_ALERTS, refused, ASK_LOGS, submits(FIRING, later))
    assert played.decision is Decision.PASS
    assert [row.error_type for row in played.rows] == [None, "invalid_params", None]
    played.shows("query_logs has no parameter severity")


def test_one_that_ends_at_its_limit_with_what_it_has() -> None:
    played = in_the_shop(ASK_ALERTS, ASK_LOGS, submits(FIRING, EXHAUSTED), limits=Limits(max_requests=3))
    assert played.decision is Decision.PASS
    assert any("the limit of 3 model requests is reached" in step.request_summary for step in played.steps)


def test_one_that_knows_nothing_says_so() -> None:
    played = in_the_shop(ASK_ALERTS, says('{"claims": [], "next_steps": []}'))
    assert (played.decision, played.reason) == (Decision.LOW_CONFID, "draft_incomplete")
    played.shows("Nothing that was claimed.", "i1 alerts of order-service: 1")


def test_one_that_guesses_has_its_guess_shown_as_one() -> None:
    guess = stated("A nightly job may be holding the connections.", kind="hypothesis", role="context", name="guess")
    played = in_the_shop(ASK_ALERTS, ASK_LOGS, submits(FIRING, EXHAUSTED, guess))
    assert played.decision is Decision.PASS
    played.shows("Possible, not confirmed: A nightly job may be holding the connections.")
