"""Where a judge that is a language model is asked, and with whose key."""

from __future__ import annotations

from typing import NamedTuple

from groundwire.adapters.models.spec import ModelSpec, parse_spec
from groundwire.settings import Settings


class JudgeAccess(NamedTuple):
    """What a judge's server is reached with."""

    api_key: str | None
    base_url: str | None


def judge_access(settings: Settings, spec: str) -> JudgeAccess:
    """Return the judge's own key and address; the model's serve it where both are asked at the same place.

    Raises:
        UsageError: A model cannot be named so.
    """
    judge = _judge_spec(settings, spec)
    key = settings.judge_api_key
    if key is None and settings.model is not None and _place(judge) == _place(_model_spec(settings, settings.model)):
        key = settings.model_api_key
    return JudgeAccess(api_key=None if key is None else key.get_secret_value(), base_url=_base_url(settings, spec))


def judge_label(settings: Settings, spec: str) -> str:
    """Return what a judge is called in rows.

    Raises:
        UsageError: A model cannot be named so.
    """
    return _judge_spec(settings, spec).label


def _judge_spec(settings: Settings, spec: str) -> ModelSpec:
    return parse_spec(spec, base_url=_base_url(settings, spec), setting="judge")


def _model_spec(settings: Settings, spec: str) -> ModelSpec:
    return parse_spec(spec, base_url=settings.model_base_url)


def _place(spec: ModelSpec) -> tuple[str, str]:
    return spec.provider, spec.base_url


def _base_url(settings: Settings, spec: str) -> str | None:
    if settings.judge_base_url is not None or settings.model is None:
        return settings.judge_base_url
    return settings.model_base_url if _provider(settings.model) == _provider(spec) else None


def _provider(spec: str) -> str:
    return spec.partition(":")[0].strip()
