"""Tells what of a request the server can decide exactly as we do."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.adapters.logs.elastic_counts import Counted
from groundwire.adapters.logs.elastic_layout import Layout
from groundwire.adapters.logs.elastic_query import Clause, any_of, goes_by, holds_values, none_of
from groundwire.domain.levels import Level, parse_level
from groundwire.domain.logs import LogRequest, LogTerm, TermKind


def decided(layout: Layout, request: LogRequest, counted: Counted) -> list[Clause] | None:
    """Return the clauses that mean to the server what the request means here, or None when it takes reading to tell.

    ``counted`` is what is in scope, with the values that the levels there are written as.
    """
    clauses: list[Clause] = []
    if request.min_level is not None:
        clause = at_least(layout, counted, request.min_level)
        if clause is None:
            return None
        clauses.append(clause)
    for term in request.query.terms:
        clause = _term(layout, term, counted)
        if clause is None:
            return None
        clauses.append(none_of([clause]) if term.excluded else clause)
    return clauses


def owned_by(layout: Layout, name: str) -> tuple[list[Clause], bool]:
    """Return what holds for the records of a service or an instance, perhaps for more, and whether for those alone."""
    by_service, is_service_exact = goes_by(layout.service, name)
    by_instance, is_instance_exact = goes_by(layout.instance, name)
    if not layout.service:
        return [], False  # the name may stand where it is not indexed
    return [any_of([by_service, by_instance])], is_service_exact and is_instance_exact


def at_least(layout: Layout, counted: Counted, least: Level) -> Clause | None:
    """Return what holds for records of that level or a more severe one; None when the server cannot tell."""
    return _of_level(layout, counted, lambda level: level is not None and level >= least)


def _term(layout: Layout, term: LogTerm, counted: Counted) -> Clause | None:
    name = (term.field or "").lower()
    if term.kind is not TermKind.FIELD or name not in {"level", "service", "instance"}:
        return None
    if name == "level":
        wanted = parse_level(term.text)
        return _of_level(layout, counted, lambda level: level is wanted)
    if name == "service":
        owner, is_exact = owned_by(layout, term.text)
        return owner[0] if is_exact else None
    clause, is_exact = goes_by(layout.instance, term.text)
    return clause if is_exact and layout.instance else None


def _of_level(layout: Layout, counted: Counted, is_wanted: Callable[[Level | None], bool]) -> Clause | None:
    if not counted.has_all_levels or not layout.level:
        return None
    return holds_values(layout.level, counted.values_of(is_wanted))
