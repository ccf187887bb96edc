"""The language models of a diagnosis: asked, recorded or replayed, as the settings say. Without one nothing of it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.bootstrap.judging import judge_access, judge_label
from groundwire.domain.errors import UsageError
from groundwire.domain.money import Price
from groundwire.ports import LanguageModel
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.investigators.model_driven import Limits
    from groundwire.services.judge_steps import JudgeSpending


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The model that investigates and the one that gives a second opinion, None where there is none."""

    investigator: LanguageModel | None = None
    judge: LanguageModel | None = None


@contextmanager
def opened_models(settings: Settings) -> Iterator[Models]:
    """Give the models that the settings name; their connections and their recording are closed afterwards.

    Raises:
        UsageError: The settings contradict each other, or a model cannot be made.
    """
    _check(settings)
    with ExitStack() as stack:
        if settings.replay is not None:
            yield _replayed(settings, Path(settings.replay))
        else:
            models = Models(investigator=_investigator(settings, stack), judge=_judge(settings, stack))
            yield models if settings.record is None else _recorded(models, Path(settings.record), stack)


@contextmanager
def opened_judge(settings: Settings) -> Iterator[LanguageModel | None]:
    """Give the model that gives a second opinion, which is asked; a recording is of a whole diagnosis.

    Raises:
        UsageError: It cannot be made.
    """
    with ExitStack() as stack:
        yield _judge(settings, stack)


def replay_difference(models: Models, settings: Settings) -> str | None:
    """Return in words where a replayed model was asked for something else than its recording holds; None where none was."""
    if settings.replay is None:
        return None
    from groundwire.adapters.models.replayed import ReplayedModel

    replayed = (model for model in (models.investigator, models.judge) if isinstance(model, ReplayedModel))
    return next((model.difference for model in replayed if model.difference is not None), None)


def limits_of(settings: Settings, model: str) -> Limits:
    """Return what an investigation by ``model`` may spend."""
    from groundwire.investigators.model_driven import Limits

    return Limits(
        max_requests=settings.model_max_requests,
        max_tool_calls=settings.model_max_tool_calls,
        max_tokens=settings.model_max_total_tokens,
        max_seconds=settings.model_max_seconds,
        max_cost=settings.model_max_cost,
        max_context=settings.model_max_context,
        price=price_of(settings, model),
    )


def spending_of(settings: Settings, judge: LanguageModel | None) -> JudgeSpending | None:
    """Return what a second opinion may cost; None where no model gives it."""
    from groundwire.services.judge_steps import JudgeSpending

    return None if judge is None else JudgeSpending(price=price_of(settings, judge.name), max_cost=settings.model_max_cost)


def price_of(settings: Settings, model: str) -> Price | None:
    """Return the price of a model: that of ``PROVIDER:NAME``, else that of ``NAME``."""
    prices = settings.model_prices
    price = prices.get(model) or prices.get(model.partition(":")[2])
    return None if price is None else Price(input=price.input, output=price.output)


def _check(settings: Settings) -> None:
    if settings.record is not None and settings.replay is not None:
        raise UsageError("--record and --replay contradict each other", hint="A replay asks no model.")
    if settings.record is not None and settings.model is None and settings.judge_model is None:
        raise UsageError("--record needs --model: without one there is nothing to record")


def _investigator(settings: Settings, stack: ExitStack) -> LanguageModel | None:
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
    return model


def _judge(settings: Settings, stack: ExitStack) -> LanguageModel | None:
    if settings.judge_model is None:
        return None
    from groundwire.adapters.models.building import make_language_model

    access = judge_access(settings, settings.judge_model)
    model = make_language_model(
        settings.judge_model,
        api_key=access.api_key,
        base_url=access.base_url,
        timeout_s=settings.judge_timeout_s,
        max_tokens=settings.model_max_tokens,
        setting="judge",
    )
    stack.callback(model.close)
    return model


def _recorded(models: Models, path: Path, stack: ExitStack) -> Models:
    from groundwire.adapters.models.recorded import RecordedModel, Recording
    from groundwire.adapters.models.traffic import Asker

    asked = {Asker.INVESTIGATOR: models.investigator, Asker.JUDGE: models.judge}
    recording = Recording(path, {asker: model.name for asker, model in asked.items() if model is not None})
    stack.callback(recording.close)
    wrapped = {asker: model and RecordedModel(model, recording, asker) for asker, model in asked.items()}
    return Models(investigator=wrapped[Asker.INVESTIGATOR], judge=wrapped[Asker.JUDGE])


def _replayed(settings: Settings, path: Path) -> Models:
    """Return the models of a recording. A judge that is wanted and not in it fails closed: it has no opinion, and says why."""
    from groundwire.adapters.models.replayed import Replay

    replay = Replay(path)
    judge = replay.judge
    if judge is None and settings.judge_model is not None:
        judge = replay.missing_judge(judge_label(settings, settings.judge_model))
    return Models(investigator=replay.investigator, judge=judge)
