"""Doctor: is everything there that a diagnosis needs?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundwire.domain.errors import GroundwireError
from groundwire.domain.reports import DoctorCheck, DoctorReport
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.domain.times import format_instant
from groundwire.services.catalog import ConfiguredSources

_FLAGS = {
    SourceKind.LOGS: "--logs DIR",
    SourceKind.ALERTS: "--alerts FILE|URL or --metrics URL",
    SourceKind.KNOWLEDGE: "--runbooks DIR",
}


def examine(*, open_database: Callable[[], str], catalog: ConfiguredSources) -> DoctorReport:
    """Return a check of the database and of each source; ``open_database`` opens it and says where it is."""
    return DoctorReport(checks=(_database(open_database), *_sources(catalog)))


def _database(open_database: Callable[[], str]) -> DoctorCheck:
    try:
        return DoctorCheck(name="database", ok=True, message=open_database())
    except GroundwireError as exc:
        return DoctorCheck(name="database", ok=False, message=exc.message, hint=exc.hint)


def _sources(catalog: ConfiguredSources) -> Iterator[DoctorCheck]:
    listing = catalog.listing()
    for source in listing.sources:
        yield DoctorCheck(
            name=f"{source.kind} {source.name}",
            ok=not source.problems,
            message=_found(source) + "".join(f"; {problem}" for problem in source.problems[:5]),
            hint=None if not source.problems else "A diagnosis goes on without what cannot be read, and says so.",
        )
    for kind, flag in _FLAGS.items():
        kinds = (kind, SourceKind.METRICS) if kind is SourceKind.ALERTS else (kind,)
        if not any(listing.of(each) for each in kinds):
            yield DoctorCheck(name=str(kind), ok=True, message="no source is configured", hint=f"Add one with {flag}.")


def _found(source: SourceDescription) -> str:
    found = [f"{len(source.services)} services" if source.services else None]
    found.append(f"{len(source.titles)} documents" if source.titles else None)
    found.append(f"newest record {format_instant(source.newest_record)}" if source.newest_record else None)
    return ", ".join(part for part in found if part) or ("reachable" if not source.problems else "not usable")
