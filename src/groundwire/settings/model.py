"""What can be set about language models: the one that investigates, and the one that gives a second opinion."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, SecretStr

from groundwire.settings.values import Prices, SomeText


class ModelSettings(BaseModel):
    """The model that investigates, what it may spend, and the recording of what it is asked."""

    model: SomeText | None = Field(default=None, repr=False, description="The model that investigates; none by default.")
    model_api_key: SecretStr | None = Field(default=None, repr=False, description="The key of the model's server.")
    model_base_url: SomeText | None = Field(default=None, repr=False, description="Where the model is asked instead.")
    model_timeout_s: float = Field(default=120.0, ge=1, le=3600, description="How long one request to a model may take.")
    model_max_tokens: int = Field(default=8000, ge=16, le=200_000, description="How long one answer of a model may be.")
    model_tools: Literal["native", "prompted"] = Field(
        default="native", description="Whether a model calls tools in its server's own way, or as JSON in its text."
    )
    model_max_context: int = Field(
        default=80_000, ge=4000, le=10_000_000, description="How many characters of a conversation are sent at once."
    )
    model_max_requests: int = Field(default=12, ge=2, le=1000, description="How often one diagnosis may ask its model.")
    model_max_tool_calls: int = Field(default=24, ge=1, le=1000, description="How many tool calls a model may make.")
    model_max_total_tokens: int = Field(
        default=200_000, ge=1000, le=100_000_000, description="How many tokens one diagnosis may send and be sent."
    )
    model_max_seconds: float = Field(default=240.0, ge=1, le=86_400, description="How long a model may investigate.")
    model_max_cost: float | None = Field(default=None, ge=0.0001, le=100_000, description="What one diagnosis may cost.")
    model_prices: Prices = Field(default_factory=dict, description="What models cost for a million tokens.")
    record: SomeText | None = Field(default=None, description="File that what the models are asked and answer is written to.")
    replay: SomeText | None = Field(default=None, description="Recording that answers in the models' place.")


class JudgeSettings(BaseModel):
    """Who gives a second opinion."""

    judge: SomeText | None = Field(default=None, description="An installed second opinion by name; none by default.")
    judge_model: SomeText | None = Field(
        default=None, repr=False, description="The model that gives a second opinion; none by default."
    )
    judge_api_key: SecretStr | None = Field(default=None, repr=False, description="The key of the judge's server.")
    judge_base_url: SomeText | None = Field(default=None, repr=False, description="Where the judge is asked instead.")
    judge_timeout_s: float = Field(default=60.0, ge=1, le=600, description="How long the second opinion may take.")
