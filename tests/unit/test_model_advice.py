"""What to do next where a model gave no answer: what is wrong with the model, and not with the window."""

from __future__ import annotations

import pytest

from groundwire.domain.errors import InvalidParamsError
from groundwire.domain.model import ModelFault, ModelReply
from groundwire.domain.names import Decision, StepKind, StepRole
from groundwire.domain.session import AgentStep
from groundwire.evidence.model_advice import limit_advice, model_advice
from groundwire.investigators.model_driven import Limits
from groundwire.judges.model_judge import ModelJudge
from groundwire.testing import ScriptedModel, ScriptedTool
from tests.unit.model_turns import ALERTS, CAUSE, GOOD, LOGS, SYMPTOM, WRONG, Investigated, says, submits
from tests.unit.rows import alerts_output
from tests.unit.sessions import ALERTS_THEN_LOGS, GOOD_DRAFT, ScriptedInvestigator, diagnose, found_tools

FAULTS = [
    (ModelFault.REJECTED, "HTTP 401: bad key", "Check the API key of the model"),
    (ModelFault.REJECTED, "HTTP 403: no access", "Check what the API key of the model may do"),
    (ModelFault.REJECTED, "HTTP 404: model x not found", "Check the name and the URL of the model"),
    (ModelFault.REJECTED, "HTTP 400: no tools here", "what its server takes"),
    (ModelFault.UNAVAILABLE, "cannot reach the model: connection refused", "Check the URL of the model"),
    (ModelFault.UNAVAILABLE, "HTTP 502: bad gateway", "that its server runs"),
    (ModelFault.TIMEOUT, "no whole answer within 60 s", "more time (model_timeout_s, model_max_seconds)"),
    (ModelFault.RATE_LIMITED, "HTTP 429: slow down", "Ask again later"),
    (ModelFault.NOT_CONFIGURED, "no address", "Check the settings of the model"),
]


@pytest.mark.parametrize(("fault", "words", "advice"), FAULTS)
def test_a_model_that_fails_before_any_call_is_what_the_advice_is_about(fault: ModelFault, words: str, advice: str) -> None:
    done = Investigated(ModelReply(fault=fault, error_message=words))
    assert advice in " ".join(done.answer.next_steps)
    assert "leave out --model" in " ".join(done.answer.next_steps)
    assert "wider window" not in done.shown


def test_every_fault_of_a_model_has_advice() -> None:
    for fault in ModelFault:
        assert model_advice([step(StepRole.EXECUTOR, error=f"{fault}: words")]), fault


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        (says('{"claims": [', finish_reason="length"), "model_max_tokens"),
        (says("", finish_reason="content_filter"), "a content filter withheld"),
        (says("I cannot.", finish_reason="refusal"), "this one refuses"),
        (says("It is the database, surely."), "cannot be read as a draft"),
    ],
)
def test_a_model_that_writes_no_draft_is_what_the_advice_is_about(reply: ModelReply, advice: str) -> None:
    done = Investigated(reply)
    assert advice in " ".join(done.answer.next_steps)
    assert "wider window" not in done.shown


def test_evidence_that_was_found_before_the_fault_is_still_to_be_read() -> None:
    done = Investigated(ALERTS, LOGS, ModelReply(fault=ModelFault.REJECTED, error_message="HTTP 401: revoked"))
    assert done.answer.next_steps[0].startswith("Check the API key of the model")
    assert "i2.logs.0" in done.answer.next_steps[-1]


def test_an_error_that_ends_in_a_full_stop_is_shown_with_one() -> None:
    done = Investigated(ModelReply(fault=ModelFault.REJECTED, error_message="HTTP 401: Incorrect API key provided."))
    assert "Incorrect API key provided." in done.shown
    assert ".." not in done.shown


def test_a_judge_that_fails_is_what_the_advice_is_about() -> None:
    judge = ModelJudge(ScriptedModel(ModelReply(fault=ModelFault.REJECTED, error_message="HTTP 401: bad key")))
    answer, _ = diagnose(ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS), judge=judge)
    assert "Check the API key of the judge" in answer.next_steps[0]
    assert "leave out --model" not in " ".join(answer.next_steps)


def test_a_model_that_answered_needs_no_advice() -> None:
    done = Investigated(submits())
    assert (done.answer.decision, model_advice(done.steps)) == (Decision.LOW_CONFID, ())
    assert "wider window" in done.shown


def test_what_is_shown_of_a_withheld_draft_does_not_hang_on_a_fault_in_the_repair_round() -> None:
    done = Investigated(ALERTS, LOGS, submits(WRONG), ModelReply(fault=ModelFault.REJECTED, error_message="HTTP 401: revoked"))
    assert done.answer.decision is Decision.REJECT
    assert "API key" not in done.shown


def test_a_repair_round_that_failed_is_no_reason_to_go_on_without_a_model() -> None:
    loose = {**SYMPTOM, "text": "CartErrors is firing for checkout."}
    done = Investigated(
        ALERTS, LOGS, submits(loose, CAUSE), ModelReply(fault=ModelFault.REJECTED, error_message="HTTP 401: gone")
    )
    assert (done.answer.decision, done.answer.degraded_reason) == (Decision.LOW_CONFID, "unsupported_claims")
    assert "Check the API key of the model" in done.shown
    assert "leave out --model" not in done.shown


def test_only_the_last_request_counts() -> None:
    steps = [step(StepRole.EXECUTOR, error="malformed: what"), step(StepRole.EXECUTOR)]
    assert model_advice(steps) == ()
    assert Investigated(ModelReply(fault=ModelFault.MALFORMED), ALERTS, LOGS, GOOD).answer.decision is Decision.PASS


def test_a_replay_that_differs_is_to_be_recorded_again() -> None:
    (advice,) = model_advice([step(StepRole.EXECUTOR, error="rejected: the replay of 'x': request 1 differs", provider="replay")])
    assert advice.startswith("Record again with --record")


def step(role: StepRole, *, error: str | None = None, provider: str = "p") -> AgentStep:
    return AgentStep(
        id="s",
        session_id="s",
        kind=StepKind.MODEL,
        role=role,
        request_summary="request 1",
        provider_name=provider,
        finish_reason="stop",
        error_message=error,
    )


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(max_requests=4), "raise model_max_requests: the limit was 4 model requests."),
        (Limits(max_tool_calls=2), "raise model_max_tool_calls: the limit was 2 tool calls."),
        (Limits(max_tokens=3_000), "raise model_max_total_tokens: the limit was 3,000 tokens."),
    ],
)
def test_an_investigation_that_ended_at_a_limit_names_the_setting_that_holds_it(limits: Limits, said: str) -> None:
    done = Investigated(ALERTS, LOGS, limits=limits)
    assert said in " ".join(done.answer.next_steps)
    assert "i2.logs.0" in done.answer.next_steps[-1]


def test_every_limit_has_its_setting() -> None:
    for limit, setting in (("0.5 in money", "model_max_cost"), ("240 seconds", "model_max_seconds")):
        assert limit_advice(limit) == (f"To look further, raise {setting}: the limit was {limit}.",)
    assert limit_advice(None) == ()


def test_arguments_that_cannot_be_used_are_what_the_advice_is_about_and_not_the_window() -> None:
    refused = ScriptedTool("query_logs", InvalidParamsError("limit takes a whole number"))
    tools = found_tools(query_logs=refused)
    done = Investigated(LOGS, submits(), tools=tools)
    (advice,) = done.answer.next_steps
    assert advice == (
        "Ask again, or let another model ask: i1 could not be asked as it was written (limit takes a whole number)."
    )
    empty = ScriptedTool("query_metrics", alerts_output())
    both = Investigated(ALERTS, LOGS, submits(), tools=found_tools(query_logs=refused, query_metrics=empty))
    assert "wider window" in both.shown
