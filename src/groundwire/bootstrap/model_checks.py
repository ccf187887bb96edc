"""Whether the configured models can be asked: how they are named, their keys and packages. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from groundwire.bootstrap.models import limits_of, make_judge, opened_model
from groundwire.settings import Settings

Part = tuple[str, Callable[[], str]]


def model_parts(settings: Settings) -> list[Part]:
    """Return for each configured model its setting, and what makes it and says what it is or raises a UsageError."""
    parts: list[Part] = []
    if settings.model is not None:
        parts.append(("model", partial(_model, settings)))
    if settings.judge_model is not None:
        parts.append(("judge_model", partial(_judge, settings, settings.judge_model)))
    if settings.replay is not None:
        parts.append(("replay", partial(_replay, settings)))
    return parts


def _model(settings: Settings) -> str:
    # Without its recording: opening that would empty the file.
    with opened_model(settings.model_copy(update={"record": None, "replay": None})) as model:
        name = "" if model is None else model.name
    unpriced = limits_of(settings, name).missing_price(name)
    return f"{name} can be asked; nothing was sent" + (f"; {unpriced}" if unpriced else "")


def _judge(settings: Settings, spec: str) -> str:
    with ExitStack() as stack:
        return f"{make_judge(settings, spec, stack).name.removeprefix('model:')} can be asked; nothing was sent"


def _replay(settings: Settings) -> str:
    with opened_model(settings):
        return f"{settings.replay} can be replayed"
