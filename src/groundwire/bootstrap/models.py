"""The language model of a diagnosis: asked, recorded or replayed, as the settings say. Without one nothing of it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import UsageError
from groundwire.ports import Judge, LanguageModel
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.investigators.model_driven import Limits


@contextmanager
def opened_model(settings: Settings) -> Iterator[LanguageModel | None]:
    """Give the model that the settings name, or None; its connections and its recording are closed afterwards.

    Raises:
        UsageError: The settings contradict each other, or it cannot be made.
    """
    _check(settings)
    with ExitStack() as stack:
        yield _model(settings, stack)


def limits_of(settings: Settings, model: str) -> Limits:
    """Return what an investigation by ``model`` may spend; its price is that of ``PROVIDER:NAME``, else that of ``NAME``."""
    from groundwire.investigators.model_driven import Limits, Price

    prices = settings.model_prices
    price = prices.get(model) or prices.get(model.partition(":")[2])
    return Limits(
        max_requests=settings.model_max_requests,
        max_tool_calls=settings.model_max_tool_calls,
        max_tokens=settings.model_max_total_tokens,
        max_seconds=settings.model_max_seconds,
        max_cost=settings.model_max_cost,
        max_context=settings.model_max_context,
        price=None if price is None else Price(input=price.input, output=price.output),
    )


def _check(settings: Settings) -> None:
    if settings.record is not None and settings.replay is not None:
        raise UsageError("--record and --replay contradict each other", hint="A replay asks no model.")
    if settings.record is not None and settings.model is None:
        raise UsageError("--record needs --model: without one there is nothing to record")


def _model(settings: Settings, stack: ExitStack) -> LanguageModel | None:
    if settings.replay is not None:
        from groundwire.adapters.models.replayed import ReplayedModel

        return ReplayedModel(Path(settings.replay))
    if settings.model is None:
        return None
    from groundwire.adapters.models.building import make_language_model

    key = settings.model_api_key
    model = make_language_model(
        settings.model,
        api_key=None if key is None else key.get_secret_value(),
        base_url=settings.model_base_url,
        timeout_s=settings.model_timeout_s,
        max_tokens=settings.model_max_tokens,
        prompts_tools=settings.model_tools == "prompted",
    )
    stack.callback(model.close)
    if settings.record is None:
        return model
    from groundwire.adapters.models.recorded import RecordedModel

    recorded = RecordedModel(model, Path(settings.record))
    stack.callback(recorded.close)
    return recorded


def make_judge(settings: Settings, spec: str, stack: ExitStack) -> Judge:
    """Return the judge that a model is; its connections are closed with ``stack``.

    The key and the address of the investigating model serve it too, where both are of one provider: a key goes to no other.
    """
    from groundwire.adapters.models.building import make_language_model
    from groundwire.judges.model_judge import ModelJudge

    is_same = settings.model is None or _provider(settings.model) == _provider(spec)
    key = settings.model_api_key if is_same else None
    model = make_language_model(
        spec,
        api_key=None if key is None else key.get_secret_value(),
        base_url=settings.model_base_url if is_same else None,
        timeout_s=settings.judge_timeout_s,
        max_tokens=settings.model_max_tokens,
    )
    stack.callback(model.close)
    return ModelJudge(model)


def _provider(spec: str) -> str:
    return spec.partition(":")[0].strip()
