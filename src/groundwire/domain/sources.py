"""What sources there are: described for the question parser, the doctor and the coverage line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from groundwire.domain.masking import make_storable, mask_text

MOST_METRICS: Final = 1_000
"""Names of metrics in a description; a server may have a hundred times as many."""


class SourceKind(StrEnum):
    """What can be asked of a source."""

    LOGS = "logs"
    ALERTS = "alerts"
    METRICS = "metrics"
    KNOWLEDGE = "knowledge"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDescription:
    """One source as it stands now.

    ``live`` is false for saved answers and files: they say nothing about any time after they were written.
    ``services`` are spelled as the source spells them, sorted. ``newest_record`` is the latest record's time where known,
    ``newest_by_service`` that of each service.
    ``metrics`` are the first `MOST_METRICS` names of series, sorted; empty too where they cannot be listed.
    ``service_label`` is the label of its series that the services are values of. ``metric_kinds`` says of those that are
    known whether they are a counter, a gauge, a histogram or a summary.
    ``titles`` are the documents of a knowledge source. ``problems`` are sentences about what cannot be read.
    """

    name: str
    kind: SourceKind
    backend: str
    live: bool
    services: tuple[str, ...] = ()
    newest_record: datetime | None = None
    newest_by_service: Mapping[str, datetime] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    service_label: str | None = None
    metric_kinds: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def masked(self) -> SourceDescription:
        """Return the description with secrets masked in all that the source itself wrote."""
        return replace(
            self,
            name=_masked(self.name),
            services=tuple(sorted({_masked(name) for name in self.services})),
            newest_by_service=self._newest_by_masked_service(),
            metrics=tuple(map(_masked, self.metrics)),
            titles=tuple(map(_masked, self.titles)),
            metric_kinds={_masked(name): _masked(kind) for name, kind in self.metric_kinds.items()},
            problems=tuple(map(_masked, self.problems)),
        )

    def _newest_by_masked_service(self) -> Mapping[str, datetime]:
        newest: dict[str, datetime] = {}
        for service, at in self.newest_by_service.items():
            name = _masked(service)
            newest[name] = max(at, newest.get(name, at))
        return newest


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceListing:
    """Every configured source, in the order of configuration; ``covered`` are the services that their configuration names."""

    sources: tuple[SourceDescription, ...]
    covered: tuple[str, ...] = ()

    @property
    def services(self) -> tuple[str, ...]:
        """The services as the sources spell them, and those that only the configuration names."""
        listed = {service for source in self.sources for service in source.services}
        known = {service.casefold() for service in listed}
        return tuple(sorted(listed.union(service for service in self.covered if service.casefold() not in known)))

    def masked(self) -> SourceListing:
        """Return the listing with secrets masked in what the sources, and the configuration of what they cover, say."""
        return replace(
            self,
            sources=tuple(source.masked() for source in self.sources),
            covered=tuple(sorted({_masked(name) for name in self.covered})),
        )

    def of(self, kind: SourceKind) -> tuple[SourceDescription, ...]:
        return tuple(source for source in self.sources if source.kind is kind)


def _masked(text: str) -> str:
    return mask_text(make_storable(text))
