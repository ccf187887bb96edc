"""Says in the query DSL what a server can decide as we do; a user's text is a value in it and never syntax.

Sources:
    OpenSearch API specification, ``_common.query_dsl``: ``bool``, ``range``, ``exists``, ``ids``, ``term``, ``terms``,
    ``wildcard``, ``regexp`` (Lucene's syntax, anchored at both ends); "Index metadata field" of OpenSearch and Elasticsearch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from groundwire.adapters.logs.elastic_layout import Column, FieldKind, Layout
from groundwire.adapters.logs.word_forms import word_forms
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogTerm, TermKind

Clause = dict[str, Any]

NOTHING: Final[Clause] = {"match_none": {}}
_MILLISECOND: Final = timedelta(milliseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_RUN: Final = re.compile(r"[a-z0-9]{3,200}")
_JOINTS: Final = re.compile(r"(?<=[^\W_])[-_](?=[^\W_])")
_MOST_RUNS: Final = 6
_MOST_COLUMNS: Final = 40
_LONGEST_NAME: Final = 200


def every(clauses: Iterable[Clause]) -> Clause:
    """Return the query of documents for which all hold."""
    return {"bool": {"filter": list(clauses)}}


def any_of(clauses: Sequence[Clause]) -> Clause:
    """Return the query of documents for which at least one holds."""
    if len(clauses) == 1:
        return clauses[0]
    return {"bool": {"should": list(clauses), "minimum_should_match": 1}} if clauses else NOTHING


def none_of(clauses: Iterable[Clause]) -> Clause:
    """Return the query of documents for which not one holds."""
    return {"bool": {"must_not": list(clauses)}}


def is_none_of(keys: Iterable[tuple[str, str]]) -> Clause:
    """Return the query of documents other than these, each an index and an id: an id is one document's in its index alone."""
    by_index: dict[str, list[str]] = {}
    for index, identifier in keys:
        by_index.setdefault(index, []).append(identifier)
    return none_of(every([{"term": {"_index": index}}, {"ids": {"values": ids}}]) for index, ids in by_index.items())


def has(column: Column) -> Clause:
    """Return the query of documents that have a value there."""
    return {"exists": {"field": column.name}}


def in_window(time: str, window: TimeWindow) -> Clause:
    """Return what holds for all of a window, and beyond it for less than a millisecond: dates hold no more."""
    end, rest = divmod(window.end - _EPOCH, _MILLISECOND)
    start = (window.start - _EPOCH) // _MILLISECOND
    return {"range": {time: {"gte": str(start), "lt": str(end + bool(rest)), "format": "epoch_millis"}}}


def is_whole_milliseconds(window: TimeWindow) -> bool:
    """Return whether ``in_window`` holds for that window alone."""
    return not (window.start - _EPOCH) % _MILLISECOND and not (window.end - _EPOCH) % _MILLISECOND


def first_of(columns: Sequence[Column], index: int, clause: Clause) -> Clause:
    """Return what holds where ``columns[index]`` is the first that a document has, and ``clause`` holds."""
    earlier = [has(column) for column in columns[:index]]
    return {"bool": {"filter": [clause], "must_not": earlier}} if earlier else clause


def goes_by(columns: Sequence[Column], name: str) -> tuple[Clause, bool]:
    """Return what holds where the first of ``columns`` that a document has is ``name``, in whatever case; and whether exactly.

    Where it is not exact, it holds for more.
    """
    clauses: list[Clause] = []
    is_exact = True
    for index, column in enumerate(columns):
        if column.kind is FieldKind.KEYWORD and len(name) <= _LONGEST_NAME and name.isascii():
            clauses.append(first_of(columns, index, _whole(column, name)))
        elif column.kind is not FieldKind.NUMBER:  # a number is no name
            clauses.append(first_of(columns, index, has(column)))
            is_exact = False
    return any_of(clauses), is_exact


def lacks_all(columns: Iterable[Column]) -> Clause:
    """Return the query of documents that have none of these."""
    return none_of(has(column) for column in columns)


def holds_values(columns: Sequence[Column], values: Mapping[str, Sequence[Any]]) -> Clause:
    """Return what holds where the first of ``columns`` that a document has is one of its ``values``, kept by column name."""
    return any_of(
        [
            first_of(columns, index, {"terms": {column.asked: list(values[column.name])}})
            for index, column in enumerate(columns)
            if values.get(column.name)
        ]
    )


def mentions(terms: Iterable[LogTerm], layout: Layout) -> tuple[Clause, ...]:
    """Return what holds where the message, or a field that a term names, may hold the terms.

    Excluded terms and patterns are left to us.
    """
    clauses: list[Clause] = []
    for term in terms:
        if term.excluded or term.kind is TermKind.PATTERN:
            continue
        found = _field_mention(term, layout) if term.kind is TermKind.FIELD else _message_mention(_spellings(term), layout)
        if found is not None:
            clauses.append(found)
    return tuple(clauses)


def _spellings(term: LogTerm) -> list[str]:
    if term.kind is not TermKind.WORD:
        return [term.text.lower()]
    *before, last = _JOINTS.split(term.text.lower())
    return ["-".join((*before, form)) for form in word_forms(last)]


def searched(layout: Layout) -> tuple[Column, ...]:
    """Return the columns that are asked for words: all that can be, or those of the message where there are many."""
    columns = layout.columns if len(layout.columns) <= _MOST_COLUMNS else layout.message
    return tuple(column for column in columns if column.kind is not FieldKind.OPAQUE)


def _message_mention(spellings: Iterable[str], layout: Layout) -> Clause | None:
    alternatives: list[Clause] = []
    columns = searched(layout)
    if not columns:
        return None
    for spelling in spellings:
        # The longest runs of plain letters and digits lie inside one token each, whatever the analyzer splits at.
        runs = sorted(_RUN.findall(spelling), key=len, reverse=True)[:_MOST_RUNS]
        if not runs:
            return None
        alternatives.append(every(any_of(_parts(columns, run)) for run in runs))
    return any_of(alternatives)


def _field_mention(term: LogTerm, layout: Layout) -> Clause | None:
    name, wanted = (term.field or "").lower(), term.text.lower()
    if name in {"level", "service", "instance"}:
        return None
    in_message = _message_mention([wanted], layout)
    if name in {"message", "msg"}:
        return in_message
    runs = _RUN.findall(wanted)[:_MOST_RUNS] if not (wanted.isascii() and wanted.isdigit()) else [wanted]
    clauses = [] if in_message is None else [in_message]
    for column in layout.named(name):
        if column.kind is FieldKind.OPAQUE or (not runs and column.kind is not FieldKind.NUMBER):
            clauses.append(has(column))
        elif runs:
            clauses.append(every(any_of(_parts([column], run)) for run in runs))
    return any_of(clauses) if clauses else None


def _parts(columns: Iterable[Column], run: str) -> list[Clause]:
    return [clause for clause in (_part(column, run) for column in columns) if clause is not None]


def _part(column: Column, run: str) -> Clause | None:
    """Return what holds where a value has ``run``, plain letters and digits, in it, or is that number; None where none can."""
    if column.kind is FieldKind.NUMBER:
        is_number = run.isdigit() and int(run[:20]) <= column.largest
        return {"term": {column.asked: int(run)}} if is_number else None
    # A text is asked in its tokens, which are of lower case, also where it has a keyword beside it that leaves out what is long.
    if column.asked != column.name or column.kind is FieldKind.TEXT:
        return {"wildcard": {column.name: {"value": f"*{run}*"}}}
    return {"regexp": {column.asked: {"value": f".*{_any_case(run)}.*"}}}


def _whole(column: Column, name: str) -> Clause:
    # All versions know character classes; ``case_insensitive`` came with 7.10.
    return {"regexp": {column.asked: {"value": _any_case(name)}}}


def _any_case(text: str) -> str:
    return "".join(_class_of(character) for character in text)


def _class_of(character: str) -> str:
    if character.isalpha():
        return f"[{character.lower()}{character.upper()}]"
    return character if character.isdigit() else f"\\{character}"
