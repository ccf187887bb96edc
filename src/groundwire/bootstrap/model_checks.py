"""Whether the configured models can be asked: how they are named, their keys and packages. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from groundwire.bootstrap.models import limits_of, opened_judge, opened_models
from groundwire.settings import Settings

Part = tuple[str, Callable[[], str]]


def model_parts(settings: Settings) -> list[Part]:
    """Return for each configured model its setting, and what makes it and says what it is or raises a UsageError."""
    parts: list[Part] = []
    if settings.model is not None:
        parts.append(("model", partial(_model, settings)))
    if settings.judge_model is not None:
        parts.append(("judge_model", partial(_judge, settings)))
    if settings.replay is not None:
        parts.append(("replay", partial(_replay, settings)))
    return parts


def _model(settings: Settings) -> str:
    # Without its recording: opening that would empty the file.
    alone = settings.model_copy(update={"record": None, "replay": None, "judge_model": None})
    with opened_models(alone) as models:
        name = "" if models.investigator is None else models.investigator.name
    unpriced = limits_of(settings, name).missing_price(name)
    return f"{name} can be asked; nothing was sent" + (f"; {unpriced}" if unpriced else "")


def _judge(settings: Settings) -> str:
    with opened_judge(settings) as model:
        return f"{'' if model is None else model.name} can be asked; nothing was sent"


def _replay(settings: Settings) -> str:
    with opened_models(settings):
        return f"{settings.replay} can be replayed"
