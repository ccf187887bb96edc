"""Which records of a log search a claim speaks of, and how many there are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from groundwire.domain.levels import Level, parse_level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogTerm, TermKind
from groundwire.domain.names import InvocationStatus
from groundwire.grounding.cited import Cited, whole_scope
from groundwire.grounding.claim_text import folded, stem, words
from groundwire.grounding.count_words import NamedLevel
from groundwire.grounding.quotes import stands_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Records of a level, of a service, with words in them. ``is_of_search``: of those, what the search itself asked for.

    ``is_trouble``: errors whatever they are called (exceptions, failures). ``text`` is the whole claim.
    """

    levels: tuple[NamedLevel, ...] = ()
    service: str | None = None
    quotes: tuple[str, ...] = ()
    is_of_search: bool = False
    is_trouble: bool = False
    text: str = ""

    def takes_level(self, name: str) -> bool:
        """Return whether records of a level are meant."""
        if self.levels:
            return any(level.takes(name) for level in self.levels)
        parsed = parse_level(name)
        return not self.is_trouble or (parsed is not None and parsed >= Level.ERROR)

    @property
    def names_level(self) -> bool:
        return bool(self.levels) or self.is_trouble

    @property
    def lowest(self) -> int:
        """Return how severe the least severe record is that is meant."""
        return min((level.lowest for level in self.levels), default=int(Level.ERROR))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many there are (None: the call cannot tell, ``where`` says why), and whether that is exact or the least."""

    number: int | None
    where: str
    is_exact: bool = True


_UNKNOWN: Final = "it was not asked for, and not all records were returned"


def count(call: Cited, selection: Selection) -> Counted:
    """Return how many records of a log search's scope are selected."""
    summary = call.item["summary"]
    if not is_answered(call) or not summary or summary.get("total") is None:
        return Counted(number=None, where="summary")
    is_exact = bool(summary.get("total_is_exact", True)) and not call.call.row.partial
    if not is_of_service(call, selection.service) or not asks_for(call, selection.quotes):
        items = selected_items(call, selection)
        if items is None:
            return Counted(number=None, where=f"summary: {_UNKNOWN}")
        return Counted(number=len(items), where="logs", is_exact=is_exact)
    if not selection.quotes and not selection.is_of_search and not names_the_query(call, selection.text):
        return Counted(number=None, where="summary: it asked only for records with words that the claim does not name")
    return _from_summary(call, selection, is_exact=is_exact)


def _from_summary(call: Cited, selection: Selection, *, is_exact: bool) -> Counted:
    summary = call.item["summary"]
    whole = whole_scope(summary)
    asked = parse_level(str(_filter(call).get("level") or ""))
    if not selection.names_level:
        is_whole = asked is None or selection.is_of_search or bool(selection.quotes) or whole.get("total") == summary["total"]
        if not is_whole and not _terms(call) and re.search(rf"(?<![\d.,]){whole.get('total')}(?![\d.,]\d|\d)", selection.text):
            # "no errors in 49 records": the records of any level are counted beside those that were asked for.
            return Counted(number=whole["total"], where="summary.in_scope.total", is_exact=is_exact)
        return Counted(
            number=summary["total"] if is_whole else None,
            where="summary.total" if is_whole else "summary: it asked only for records of some levels",
            is_exact=is_exact,
        )
    by_level: Mapping[str, int] = summary.get("by_level") or {}
    if asked is not None and selection.lowest < asked:
        if _terms(call) or not whole.get("by_level"):
            return Counted(number=None, where="summary: it did not ask for that level")
        by_level = whole["by_level"]
    shown = selection.levels[0].shown if selection.levels else "ERROR or more severe"
    taken = sum(n for name, n in by_level.items() if selection.takes_level(name))
    return Counted(number=taken, where=f"summary.by_level {shown}", is_exact=is_exact)


def universes(call: Cited, selection: Selection) -> list[tuple[int, str]]:
    """Return what "of N records" may be: all that matched, or all in scope; by level where one is named."""
    summary = call.item["summary"]
    found = []
    for counts, where in ((summary, "summary"), (whole_scope(summary), "summary.in_scope")):
        if counts.get("total") is not None:
            by_level = counts.get("by_level") or {}
            taken = sum(n for name, n in by_level.items() if selection.takes_level(name))
            found.append((taken if selection.names_level else counts["total"], where))
    return found


def selected_items(call: Cited, selection: Selection) -> list[Mapping[str, Any]] | None:
    """Return the selected ones of the returned records; None where not everything that may be selected was returned."""
    items = whole_items(call)
    if items is None:
        return None
    asked = parse_level(str(_filter(call).get("level") or ""))
    if asked is not None and selection.names_level and selection.lowest < asked:
        return None
    if not selection.names_level and asked is not None and not selection.is_of_search:
        return None
    return [item for item in items if _is_selected(item, selection)]


def _is_selected(item: Mapping[str, Any], selection: Selection) -> bool:
    return (
        (not selection.names_level or selection.takes_level(str(item.get("level") or "")))
        and (selection.service is None or item.get("service") == selection.service)
        and all(stands_in(quote, str(item.get("message") or "")) for quote in selection.quotes)
    )


def whole_items(call: Cited) -> list[Mapping[str, Any]] | None:
    """Return everything that a call found, or None where it was cut, partial or not answered."""
    output, row = call.call.output or {}, call.call.row
    items = [item for name in ("logs", "alerts") for item in output.get(name) or () if isinstance(item, Mapping)]
    is_exact = bool(call.item["summary"].get("total_is_exact", True))
    is_whole = (
        is_answered(call) and not row.partial and is_exact and row.total_count is not None and row.total_count <= len(items)
    )
    return items if is_whole else None


def is_answered(call: Cited) -> bool:
    """Return whether a call was answered: a failure, a repeat or a running one counts nothing."""
    return call.call.row.status in (InvocationStatus.EVIDENCE, InvocationStatus.NO_EVIDENCE) and call.call.row.error_type is None


def asked_service(call: Cited) -> str | None:
    """Return the service that a call asked about, or None where it asked about all."""
    service = (call.item["scope"].get("labels") or {}).get("service")
    return service if isinstance(service, str) else None


def is_of_service(call: Cited, service: str | None) -> bool:
    """Return whether a call's own question was about a service alone (None: whichever)."""
    return service is None or asked_service(call) == service


def asks_for(call: Cited, quotes: Sequence[str]) -> bool:
    """Return whether quoted words are what a call's query asked for: each of them, and nothing besides."""
    terms = _terms(call)
    if not quotes:
        return True
    texts = [folded(term.text).lower() for term in terms]
    asked = [folded(quote).lower() for quote in quotes]
    return (
        bool(terms)
        and not any(term.excluded or term.kind in {TermKind.FIELD, TermKind.PATTERN} for term in terms)
        and all(any(text in quote for quote in asked) for text in texts)
        and all(quote in " ".join(texts) for quote in asked)
    )


def has_query(call: Cited) -> bool:
    """Return whether a call asked for words."""
    return bool(_terms(call))


def asked_level(call: Cited) -> Level | None:
    """Return the least level that a call asked for."""
    return parse_level(str(_filter(call).get("level") or ""))


def names_the_query(call: Cited, text: str) -> bool:
    """Return whether a claim without quotes names the words of the query, or there is none."""
    terms = _terms(call)
    if not terms:
        return True
    there = {stem(word) for word in words(text)}
    if any(term.excluded or term.kind is TermKind.PATTERN for term in terms):
        return False
    return all(stem(word) in there for term in terms for word in words(term.text))


def _filter(call: Cited) -> Mapping[str, Any]:
    asked = call.item["scope"].get("filter")
    return asked if isinstance(asked, Mapping) else {}


def _terms(call: Cited) -> tuple[LogTerm, ...]:
    return _parsed(str(_filter(call).get("query") or ""))


@lru_cache(maxsize=1024)
def _parsed(query: str) -> tuple[LogTerm, ...]:
    try:
        return parse_log_query(query).terms
    except ValueError:
        return (LogTerm(kind=TermKind.PHRASE, text=query),)
