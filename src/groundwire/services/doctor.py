"""Doctor: is everything there that a diagnosis needs?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

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


def examine(
    *, open_database: Callable[[], str], catalog: ConfiguredSources, parts: Sequence[tuple[str, Callable[[], str]]] = ()
) -> DoctorReport:
    """Return a check of the database, of each part and of each source.

    ``open_database`` opens it and says where it is. ``parts`` are names, each with what makes the part and says what it is.
    """
    made = [_made(name, make) for name, make in (("database", open_database), *parts)]
    return DoctorReport(checks=(*made, *_sources(catalog)))


def _made(name: str, make: Callable[[], str]) -> DoctorCheck:
    try:
        return DoctorCheck(name=name, ok=True, message=make())
    except GroundwireError as exc:
        return DoctorCheck(name=name, ok=False, message=exc.message, hint=exc.hint)


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
