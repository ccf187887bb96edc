"""What the models of a session took: counted from its steps, told in the answer, and limited for both together."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import UTC

import pytest

from groundwire.domain.answer import Answer
from groundwire.domain.model import ModelReply
from groundwire.domain.money import Price
from groundwire.domain.names import Decision, DegradedReason, StepKind, StepRole, new_id
from groundwire.domain.session import AgentStep
from groundwire.domain.usage import Usage
from groundwire.investigators.model_driven import Limits, ModelDriven
from groundwire.judges.model_judge import ModelJudge
from groundwire.rendering.answer_json import answer_json
from groundwire.rendering.answer_text import render_text
from groundwire.services.judge_steps import JudgeSpending
from groundwire.testing import InMemoryTraceStore, ScriptedJudge, ScriptedModel
from groundwire.testing.model import Turn
from tests.unit.model_turns import ALERTS, GOOD, LOGS, SYMPTOM, WRONG, submits
from tests.unit.sessions import ALERTS_THEN_LOGS, GOOD_DRAFT, ScriptedInvestigator, diagnose

PRICE = Price(input=2.5, output=10)
"""A scripted turn of 100 tokens read and 20 written costs 0.00045."""
JUDGE_PRICE = Price(input=1_000, output=0)
"""A second opinion of 900 tokens read costs 0.9."""
OPINION = ModelReply(
    text='{"decision": "PASS", "claims": [], "missing_evidence": []}', input_tokens=900, output_tokens=20, finish_reason="stop"
)


@dataclass
class Told:
    lines: list[str] = field(default_factory=list)

    def update(self, text: str) -> None:
        self.lines.append(text)


@dataclass
class Judged:
    """A diagnosis with a scripted model and a scripted judge."""

    turns: tuple[Turn, ...]
    price: Price | None = PRICE
    judge_price: Price | None = JUDGE_PRICE
    max_cost: float | None = None
    max_requests: int = 12

    def __post_init__(self) -> None:
        self.model = ScriptedModel(*self.turns, name="openai:x")
        self.judge = ScriptedModel(OPINION, name="anthropic:j")
        self.told = Told()
        self.answer: Answer
        self.store: InMemoryTraceStore
        self.answer, self.store = diagnose(
            ModelDriven(self.model, limits=Limits(max_requests=self.max_requests, max_cost=self.max_cost, price=self.price)),
            judge=ModelJudge(self.judge),
            spending=JudgeSpending(price=self.judge_price, max_cost=self.max_cost),
            progress=self.told,
            model=self.model.name,
        )

    @property
    def steps(self) -> tuple[AgentStep, ...]:
        return self.store.steps(self.answer.session_id)


def step(input_tokens: int | None, output_tokens: int | None, cost: float | None, kind: StepKind = StepKind.MODEL) -> AgentStep:
    return AgentStep(
        id=new_id(),
        session_id="s",
        kind=kind,
        role=StepRole.EXECUTOR,
        request_summary="r",
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=cost,
    )


@pytest.mark.parametrize(
    ("steps", "words", "cost"),
    [
        ([step(1_200, 34, 0.25)], "1 request, 1,234 tokens, cost 0.25", 0.25),
        ([step(10, 2, 0.25), step(10, 3, 0.5)], "2 requests, 25 tokens, cost 0.75", 0.75),
        ([step(10, 2, 0.0)], "1 request, 12 tokens, cost 0", 0.0),
        ([step(10, 2, None)], "1 request, 12 tokens, cost unknown (no price set)", None),
        ([step(10, 2, 0.25), step(10, 2, None)], "2 requests, 24 tokens, cost at least 0.25", None),
        ([step(10, 2, 0.25), step(None, None, None)], "2 requests, at least 12 tokens, cost at least 0.25", None),
        ([step(10, None, 0.25)], "1 request, at least 10 tokens, cost at least 0.25", None),
        ([step(None, None, None)], "1 request, tokens unknown, cost unknown", None),
    ],
)
def test_usage_says_what_is_known_and_no_more(steps: list[AgentStep], words: str, cost: float | None) -> None:
    usage = Usage.of([*steps, step(7, 7, None, StepKind.HELPER)])
    assert usage is not None
    assert usage.in_words() == words
    assert (usage.to_json()["cost"], usage.to_json()["requests"]) == (cost, len(steps))


def test_steps_without_a_model_have_no_usage() -> None:
    assert Usage.of([step(None, None, None, StepKind.HELPER)]) is None


def test_the_answer_tells_both_models_their_requests_tokens_and_cost_from_the_rows() -> None:
    done = Judged((ALERTS, LOGS, GOOD))
    costs = [row.cost for row in done.steps]
    assert costs == pytest.approx([0.00045, 0.00045, 0.00045, 0.9])
    said = "openai:x, second opinion by anthropic:j: 4 requests, 1,280 tokens, cost 0.90135"
    text = render_text(done.answer, width=120, local_zone=UTC)
    assert f"\nModel:    {said}\n\nSee more:" in text
    value = answer_json(done.answer)
    assert (value["model"], value["judge"]) == ("openai:x", "anthropic:j")
    assert value["usage"] == {
        "requests": 4,
        "input_tokens": 1_200,
        "output_tokens": 80,
        "uncounted_requests": 0,
        "cost": pytest.approx(0.90135),
    }
    assert done.told.lines[-1] == "models took 4 requests, 1,280 tokens, cost 0.90135"
    assert "asking openai:x for calls or the draft (2 of 12; cost so far 0.00045)" in done.told.lines


def test_a_session_without_a_model_says_nothing_of_one() -> None:
    told = Told()
    answer, _ = diagnose(ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS), progress=told)
    assert "Model:" not in render_text(answer)
    assert [answer_json(answer)[key] for key in ("model", "judge", "usage")] == [None, None, None]
    assert "took" not in "".join(told.lines)


def test_the_judge_is_asked_though_the_investigation_took_its_last_request() -> None:
    done = Judged((ALERTS, LOGS, GOOD), max_requests=3)
    assert len(done.judge.requests) == 1
    assert done.answer.decision is Decision.PASS
    assert done.steps[-1].request_summary == "a second opinion on 2 claims; cost so far 0.90135"


def test_the_judge_is_not_asked_once_the_money_is_spent_and_the_answer_says_so() -> None:
    free_to_write = Price(input=0, output=50_000)  # one unit for each turn
    done = Judged((ALERTS, LOGS, GOOD), price=free_to_write, max_cost=3)
    assert done.judge.requests == []
    assert (done.answer.decision, done.answer.degraded_reason) == (Decision.LOW_CONFID, DegradedReason.VERIFIER_UNAVAILABLE)
    why = "it was not asked, for the limit of 3 in money is reached (cost so far 3)"
    assert f"A second opinion: {why}." in done.answer.missing
    last = done.steps[-1]
    assert (last.kind, last.role, last.error_message) == (StepKind.HELPER, StepRole.VERIFIER, why)
    assert done.answer.usage is not None
    assert done.answer.usage.requests == 3
    (evaluation,) = done.store.evaluations(done.answer.session_id)
    assert evaluation.verifier_output == why


def test_a_judge_that_is_free_is_asked_whatever_was_spent() -> None:
    done = Judged((ALERTS, LOGS, GOOD), price=Price(input=0, output=50_000), judge_price=Price(input=0, output=0), max_cost=3)
    assert (len(done.judge.requests), done.answer.decision) == (1, Decision.PASS)


def test_a_judge_without_a_price_is_asked_and_said_to_be_outside_the_limit() -> None:
    done = Judged((ALERTS, LOGS, GOOD), judge_price=None, max_cost=3)
    assert done.answer.decision is Decision.PASS
    assert done.steps[-1].request_summary == (
        "a second opinion on 2 claims; the limit of 3 in money does not hold for it: model_prices has no price for this model"
    )
    assert done.answer.usage is not None
    assert done.answer.usage.in_words() == "4 requests, 1,280 tokens, cost at least 0.00135"


def test_what_a_second_opinion_cost_is_no_longer_there_for_the_repair_round() -> None:
    turns = (ALERTS, LOGS, submits(WRONG, SYMPTOM | {"id": "s2"}), GOOD)
    assert len(Judged(turns, max_cost=5).model.requests) == 4
    short = Judged(turns, max_cost=0.9)
    assert len(short.model.requests) == 3
    assert any("the limit of 0.9 in money is reached" in row.request_summary for row in short.steps)


def test_a_judge_that_brings_no_reply_in_time_was_asked_all_the_same() -> None:
    over = threading.Event()

    def hang(messages: object) -> ModelReply:
        over.wait(10)
        return OPINION

    answer, store = diagnose(
        ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS),
        judge=ModelJudge(ScriptedModel(hang, name="anthropic:j")),
        spending=JudgeSpending(price=JUDGE_PRICE),
        judge_timeout_s=0.01,
    )
    over.set()
    (asked,) = store.steps(answer.session_id)
    assert (asked.kind, asked.role, asked.model) == (StepKind.MODEL, StepRole.VERIFIER, "anthropic:j")
    assert asked.error_message == "timeout: TimeoutError: the judge gave no answer within 0.01 s"
    assert answer.usage is not None
    assert answer.usage.in_words() == "1 request, tokens unknown, cost unknown"


def test_a_judge_that_is_no_language_model_leaves_no_request() -> None:
    answer, store = diagnose(
        ScriptedInvestigator(GOOD_DRAFT, ALERTS_THEN_LOGS), judge=ScriptedJudge('{"decision": "PASS", "claims": []}')
    )
    assert (store.steps(answer.session_id), answer.usage, answer.judge) == ((), None, None)
