"""Money: counted from the tokens that a provider counts and the prices that the user gives, and unknown otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.bootstrap.models import limits_of
from groundwire.domain.model import ModelFault, ModelReply
from groundwire.domain.names import Decision, DegradedReason
from groundwire.investigators.budget import Budget
from groundwire.investigators.compaction import size_of
from groundwire.investigators.model_driven import Limits, Price
from groundwire.settings import ModelPrice, Settings
from tests.unit.model_turns import ALERTS, GOOD, LOGS, WRONG, Investigated, submits

PRICE = Price(input=2.5, output=10)
HUNDRED_IN_TWENTY_OUT = 0.00045
"""What each scripted turn costs: (100 x 2.5 + 20 x 10) / 1,000,000."""


def budget(max_cost: float | None = None, price: Price | None = PRICE) -> Budget:
    return Budget(Limits(max_tokens=10_000_000, max_cost=max_cost, price=price))


def reply(input_tokens: int | None, output_tokens: int | None) -> ModelReply:
    return ModelReply(text="x" * 4_000, input_tokens=input_tokens, output_tokens=output_tokens)


def test_a_price_is_for_a_million_tokens() -> None:
    assert PRICE.of(1_000_000, 0) == 2.5
    assert PRICE.of(0, 1_000_000) == 10
    assert PRICE.of(100, 20) == pytest.approx(HUNDRED_IN_TWENTY_OUT)


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf")])
def test_a_price_is_a_number_of_zero_or_more(wrong: float) -> None:
    with pytest.raises(ValueError, match="a price is zero or more"):
        Price(input=wrong, output=1)
    with pytest.raises(ValueError, match="a price is zero or more"):
        Price(input=1, output=wrong)


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ([reply(1_000_000, 100_000)], "cost so far 3.5"),
        ([reply(1_000_000, 100_000), reply(4, 0)], "cost so far 3.50001"),
        ([reply(0, 0)], "cost so far 0"),
        ([reply(None, None)], "cost so far unknown for 1 of 1 requests"),
        ([reply(1_000_000, 100_000), reply(None, None)], "cost so far 3.5, and unknown for 1 of 2 requests"),
        ([reply(1_000_000, None)], "cost so far 2.5, and unknown for 1 of 1 requests"),
    ],
)
def test_the_cost_so_far_holds_what_was_counted_and_names_what_was_not(replies: list[ModelReply], words: str) -> None:
    counted = budget()
    for each in replies:
        counted.count_reply(each, 4_000)
    assert counted.cost_so_far() == words


def test_without_a_price_there_is_no_cost_and_no_limit_of_money() -> None:
    unpriced = budget(max_cost=0.0001, price=None)
    unpriced.count_reply(reply(50_000, 10_000), 0)
    assert "is unknown" in (unpriced.limits.missing_price("openai:m") or "")
    assert (unpriced.cost_so_far(), unpriced.reached(0), unpriced.spent(0)) == (None, None, None)


def test_tokens_that_were_estimated_cost_nothing_that_is_known() -> None:
    uncounted = budget(max_cost=0.0001)
    uncounted.count_reply(reply(None, None), 4_000)
    assert (uncounted.tokens, uncounted.cost) == (2_000, 0.0)
    assert uncounted.spent(0) is None


def test_room_is_left_for_the_draft_and_no_request_is_made_that_its_input_alone_takes_over_the_limit() -> None:
    limited = budget(max_cost=1)
    limited.count_reply(reply(100_000, 50_000), 0)  # 0.75
    assert limited.reached(160_000) is None  # twice 40,000 tokens are 0.2
    assert limited.reached(240_000) == "1 in money"
    assert limited.spent(240_000) is None
    assert limited.spent(404_000) == "1 in money"


def test_a_model_that_is_free_reaches_no_limit_of_money() -> None:
    free = budget(max_cost=0.0001, price=Price(input=0, output=0))
    free.count_reply(reply(90_000, 90_000), 0)
    assert (free.reached(0), free.spent(0), free.cost_so_far()) == (None, None, "cost so far 0")


def test_where_the_money_is_gone_before_the_draft_the_run_ends_with_what_was_recorded() -> None:
    dear = Price(input=0, output=50_000)  # one unit for each turn
    done = Investigated(ALERTS, LOGS, GOOD, limits=Limits(max_cost=1.5, price=dear))
    assert len(done.model.requests) == 2
    assert "ended without a draft: the limit of 1.5 in money is reached before there is a draft" in done.notes
    assert done.answer.degraded_reason is DegradedReason.DRAFT_INCOMPLETE
    assert done.session.tool_call_count == 2


def test_a_draft_for_which_the_money_just_suffices_is_decided_as_any_other() -> None:
    first = Investigated(ALERTS, LOGS, GOOD, limits=Limits(price=PRICE))
    sent = size_of(first.model.requests[-1].messages) // 4
    price = Price(input=4, output=0)
    limit = price.of(150 + 2 * sent, 0)
    done = Investigated(ALERTS, LOGS, GOOD, limits=Limits(max_cost=limit, price=price))
    assert "in money is reached: the draft is asked for with what was found" in done.notes
    assert done.answer.decision is Decision.PASS


def test_each_request_says_what_the_investigation_cost_so_far() -> None:
    done = Investigated(ALERTS, LOGS, GOOD, limits=Limits(price=PRICE))
    said = [step.request_summary.rpartition("; ")[2] for step in done.model_steps]
    assert said == ["cost so far 0.00045", "cost so far 0.0009", "cost so far 0.00135"]


def test_a_limit_of_money_without_a_price_is_said_once_and_the_investigation_goes_on() -> None:
    done = Investigated(ALERTS, LOGS, submits(WRONG), GOOD, limits=Limits(max_cost=0.0001))
    said = (
        "the limit of 0.0001 in money does not apply: model_prices has no price for scripted:model, so what it costs is unknown"
    )
    assert done.notes.count(said) == 1
    assert done.steps[0].request_summary == said
    assert done.answer.decision is Decision.PASS
    assert "cost so far" not in "".join(step.request_summary for step in done.model_steps)


def test_a_provider_that_counts_nothing_leaves_the_cost_unknown_and_that_is_said_once() -> None:
    turns = [replace(turn, input_tokens=None, output_tokens=None) for turn in (ALERTS, LOGS, GOOD)]
    done = Investigated(*turns, limits=Limits(max_cost=0.0001, price=Price(input=0, output=10)))
    assert done.notes.count("no token counts came for request 1, so its cost is unknown") == 1
    assert done.notes.count("no token counts") == 1
    assert done.model_steps[-1].request_summary.endswith("cost so far unknown for 3 of 3 requests")
    assert done.answer.decision is Decision.PASS


def test_a_fault_in_the_middle_does_not_lift_the_limit_of_money() -> None:
    malformed = ModelReply(fault=ModelFault.MALFORMED, error_message="no JSON")
    done = Investigated(malformed, LOGS, GOOD, limits=Limits(max_cost=0.9, price=Price(input=0, output=50_000)))
    assert len(done.model.requests) == 2
    assert "the limit of 0.9 in money is reached" in done.notes


def test_the_limits_are_those_of_the_settings() -> None:
    settings = Settings(
        db="x",
        model_max_requests=5,
        model_max_tool_calls=6,
        model_max_total_tokens=7_000,
        model_max_seconds=8,
        model_max_cost=9,
        model_prices={"m": ModelPrice(input=1, output=2)},
    )
    assert limits_of(settings, "openai:m") == Limits(
        max_requests=5, max_tool_calls=6, max_tokens=7_000, max_seconds=8, max_cost=9, price=Price(input=1, output=2)
    )
    assert limits_of(Settings(db="x"), "openai:m") == Limits()


@pytest.mark.parametrize(
    ("label", "price"),
    [
        ("openai:m", 3.0),
        ("openai-compatible:m", 1.0),
        ("openai-compatible:qwen2.5:7b", 2.0),
        ("openai:m-mini", None),
        ("openai:M", None),
    ],
)
def test_a_price_is_found_by_the_whole_name_and_never_by_a_similar_one(label: str, price: float | None) -> None:
    prices = {name: ModelPrice(input=cost, output=0) for name, cost in (("m", 1), ("qwen2.5:7b", 2), ("openai:m", 3))}
    found = limits_of(Settings(db="x", model_prices=prices), label).price
    assert (None if found is None else found.input) == price
