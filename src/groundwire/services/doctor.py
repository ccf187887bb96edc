"""Doctor: is everything there that a diagnosis needs?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime

from groundwire.domain.errors import GroundwireError
from groundwire.domain.reports import DoctorCheck, DoctorReport
from groundwire.domain.sources import SourceKind
from groundwire.services.source_checks import Source, check_sources

_FLAGS = {
    SourceKind.LOGS: "--logs DIR|URL",
    SourceKind.ALERTS: "--alerts FILE|URL or --metrics URL",
    SourceKind.KNOWLEDGE: "--runbooks DIR",
}


def examine(
    *,
    open_database: Callable[[], str],
    sources: Sequence[tuple[SourceKind, Source]],
    within_s: float,
    now: datetime,
    parts: Sequence[tuple[str, Callable[[], str]]] = (),
) -> DoctorReport:
    """Return a check of the database, of each part and of each source; the sources are asked side by side.

    ``open_database`` opens it and says where it is. ``parts`` are names, each with what makes the part and says what it is.
    """
    made = [_made(name, make) for name, make in (("database", open_database), *parts)]
    checked = check_sources(sources, within_s=within_s, now=now)
    return DoctorReport(checks=(*made, *checked, *_unconfigured({kind for kind, _ in sources})))


def _made(name: str, make: Callable[[], str]) -> DoctorCheck:
    try:
        return DoctorCheck(name=name, ok=True, message=make())
    except GroundwireError as exc:
        return DoctorCheck(name=name, ok=False, message=exc.message, hint=exc.hint)


def _unconfigured(kinds: Collection[SourceKind]) -> Iterator[DoctorCheck]:
    for kind, flag in _FLAGS.items():
        wanted = {kind, SourceKind.METRICS} if kind is SourceKind.ALERTS else {kind}
        if not wanted.intersection(kinds):
            yield DoctorCheck(name=str(kind), ok=True, message="no source is configured", hint=f"Add one with {flag}.")
