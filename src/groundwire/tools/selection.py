"""Which sources a call is for: those that may have what it asks about, as far as their configuration says."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Generic

from groundwire.domain.logs import LogQuery, TermKind
from groundwire.domain.source_scope import EVERYTHING, SourceScope
from groundwire.domain.sources import SourceKind
from groundwire.tools.envelope import SourceOutcome
from groundwire.tools.fan_out import SourceT

Scopes = Mapping[str, SourceScope]
"""What sources cover, by name; one that is not in it covers everything."""

NO_SCOPES: Final[Scopes] = MappingProxyType({})

_SERVICE_NAMES: Final = ("service", "service_name")
_EQUALS: Final = re.compile(r"([a-zA-Z_]\w*)\s*=\s*(?:\"([^\"\\]*)\"|'([^'\\]*)')")
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The services and labels that a call names, each label with the values that are asked for."""

    services: tuple[str, ...] = ()
    labels: Mapping[str, Collection[str]]

    @classmethod
    def of(cls, service: str | None, labels: Mapping[str, Collection[str]]) -> Asked:
        named = [value for name in _SERVICE_NAMES for value in labels.get(name, ())]
        return cls(services=(service,) if service is not None else tuple(named), labels=labels)

    def __str__(self) -> str:
        labels = [f"{name}={value}" for name, values in self.labels.items() for value in values if name not in _SERVICE_NAMES]
        return ", ".join((*self.services, *labels))


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(Generic[SourceT]):
    """The sources to ask, and the names of the others with what they cover."""

    asked: tuple[SourceT, ...]
    others: Mapping[str, SourceScope]
    about: str

    @classmethod
    def of(cls, sources: Sequence[SourceT], scopes: Scopes, asked: Asked) -> Selection[SourceT]:
        covering = [scopes.get(source.name, EVERYTHING).covers(asked.services, asked.labels) for source in sources]
        return cls(
            asked=tuple(source for source, covers in zip(sources, covering, strict=True) if covers),
            others={source.name: scopes[source.name] for source, covers in zip(sources, covering, strict=True) if not covers},
            about=str(asked),
        )

    def left_out(self, kind: SourceKind) -> list[SourceOutcome]:
        """Return the outcome of each source that is not asked."""
        return [
            SourceOutcome(name=name, kind=kind, live=False, not_asked=f"{self.about} is not what it covers ({_cut(str(scope))})")
            for name, scope in self.others.items()
        ]


def labels_of_query(query: LogQuery) -> dict[str, tuple[str, ...]]:
    """Return the fields that a query of logs asks for. All of its terms must hold, so that one value of each is enough."""
    terms = [term for term in query.terms if term.kind is TermKind.FIELD and term.field is not None and not term.excluded]
    return {str(term.field): (term.text,) for term in terms}


def labels_of_promql(promql: str | None) -> dict[str, list[str]]:
    """Return the labels that an expression asks for by ``=``, each with all values that stand in it."""
    found: dict[str, list[str]] = {}
    for match in _EQUALS.finditer(promql or ""):
        found.setdefault(match[1], []).append(match[2] if match[2] is not None else match[3])
    return found


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
