"""Chooses the streams of Loki that a request is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.logs.entry import Span
from groundwire.adapters.logs.entry_labels import names_in
from groundwire.adapters.logs.loki_api import LokiApi
from groundwire.adapters.logs.loki_query import Labels, cover, quoted
from groundwire.adapters.logs.needed_texts import literal
from groundwire.domain.deadline import Deadline

TOO_MANY: Final = "it has more streams than can be listed, so only those with the label service_name were asked"
_TOO_MANY_OF_SERVICE: Final = (
    "it has more streams than can be listed, so only those were asked whose label {labels} is the service"
)
_COMMON: Final = ("service_name", "service", "app", "container", "pod", "job")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Selectors of which no two select the same stream.

    ``is_exact``: every entry of theirs is of the asked service, and every one of it is theirs. ``labels`` are the streams' own.
    """

    selectors: tuple[str, ...]
    is_exact: bool
    labels: tuple[Labels, ...]
    problems: tuple[str, ...] = ()


def choose_streams(api: LokiApi, service: str | None, span: Span, deadline: Deadline) -> Choice:
    """Return the streams of a service, and those whose labels name none: there, the text may. None asked: all streams."""
    listed = api.streams(span, deadline)
    if listed is None:
        return _unlisted(service)
    if service is None:
        return Choice(selectors=cover(listed, ()).selectors, is_exact=True, labels=tuple(listed))
    wanted, others, is_exact = list[Labels](), list[Labels](), True
    for labels in listed:
        names = names_in(labels)
        goes_by_it = service.casefold() in {name.casefold() for name in (names.service, names.instance) if name is not None}
        (wanted if goes_by_it or names.service is None else others).append(labels)
        is_exact = is_exact and (goes_by_it or names.service is not None)
    selection = cover(wanted, others)
    return Choice(selectors=selection.selectors, is_exact=is_exact and selection.is_exact, labels=tuple(wanted))


def services_of(listed: Sequence[Labels]) -> tuple[str, ...]:
    """Return the names of the services that labels name, sorted."""
    names = (names_in(labels) for labels in listed)
    return tuple(sorted({name.service or name.weak or "" for name in names} - {""}))


def _unlisted(service: str | None) -> Choice:
    if service is None:
        return Choice(selectors=('{service_name=~".+"}',), is_exact=False, labels=(), problems=(TOO_MANY,))
    value = quoted(f"(?i){literal(service)}")
    selectors = tuple(
        "{" + ", ".join((f"{label}=~{value}", *(f"{other}!~{value}" for other in _COMMON[:index]))) + "}"
        for index, label in enumerate(_COMMON)
    )
    problem = _TOO_MANY_OF_SERVICE.format(labels=", ".join(_COMMON[:-1]) + " or " + _COMMON[-1])
    return Choice(selectors=selectors, is_exact=False, labels=(), problems=(problem,))
