"""Decides whether a record holds all terms of a query. Words are never regular expressions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from groundwire.adapters.logs.word_forms import word_forms
from groundwire.domain.levels import Level, parse_level
from groundwire.domain.logs import LogQuery, LogTerm, TermKind

_JOINTS: Final = re.compile(r"(?<=[^\W_])[-_](?=[^\W_])")


class Searchable(Protocol):
    """What of a record a query can ask for."""

    @property
    def level(self) -> Level | None: ...
    @property
    def service(self) -> str | None: ...
    @property
    def instance(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def fields(self) -> Mapping[str, Any]: ...


TextTest = Callable[[str], bool]
RecordTest = Callable[[Searchable], bool]


class QueryMatcher:
    """One query, ready to be held against many records."""

    def __init__(self, query: LogQuery) -> None:
        self._text_tests: list[tuple[TextTest, bool]] = []
        self._field_tests: list[tuple[RecordTest, bool]] = []
        self._required: list[TextTest] = []
        for term in query.terms:
            if term.kind is TermKind.FIELD:
                self._field_tests.append((_field_test(term), term.excluded))
                continue
            test = _word_test(term.text) if term.kind is TermKind.WORD else _phrase_test(term.text)
            self._text_tests.append((test, term.excluded))
            if not term.excluded:
                self._required.append(test)

    @property
    def asks_for_text(self) -> bool:
        """Whether a word or phrase must be there, so that text which was cut away could have held it."""
        return bool(self._required)

    def may_match(self, raw: str) -> bool:
        """Return False when the lower-case ``raw``, all the text that a record is read from, lacks a word or phrase."""
        return all(test(raw) for test in self._required)

    def matches(self, record: Searchable) -> bool:
        """Return whether every term holds: the words in the message, a field's value, the service or the instance."""
        if any(test(record) is excluded for test, excluded in self._field_tests):
            return False
        if not self._text_tests:
            return True
        text = _text_of(record)
        return all(test(text) is not excluded for test, excluded in self._text_tests)


def is_of_service(record: Searchable, service: str) -> bool:
    """Return whether a record belongs to a service, asked for by its whole name or an instance's, in whatever case."""
    wanted = service.casefold()
    return any(name is not None and name.casefold() == wanted for name in (record.service, record.instance))


def _text_of(record: Searchable) -> str:
    parts = [record.message, record.service or "", record.instance or ""]
    parts.extend(_shown(value) for value in record.fields.values())
    return "\n".join(parts).lower()


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _phrase_test(text: str) -> TextTest:
    phrase = text.lower()
    return lambda haystack: phrase in haystack


def _word_test(text: str) -> TextTest:
    parts = _JOINTS.split(text.lower())
    forms = word_forms(parts[-1])
    if len(parts) > 1:
        # Every part is escaped and every joint is at most one character: the search stays linear.
        last = "|".join(re.escape(form) for form in forms)
        pattern = re.compile("[-_ ]?".join(re.escape(part) for part in parts[:-1]) + f"[-_ ]?(?:{last})")
        return lambda haystack: pattern.search(haystack) is not None
    if len(forms) == 1:
        form = forms[0]
        return lambda haystack: form in haystack
    return lambda haystack: any(form in haystack for form in forms)


def _field_test(term: LogTerm) -> RecordTest:
    name, wanted = (term.field or "").lower(), term.text.casefold()
    if name == "level":
        level = parse_level(term.text)
        return lambda record: record.level is level
    if name == "service":
        return lambda record: is_of_service(record, wanted)
    if name == "instance":
        return lambda record: record.instance is not None and record.instance.casefold() == wanted
    if name in {"message", "msg"}:
        return lambda record: wanted in record.message.casefold()
    literal = f"{name}:{wanted}"
    return lambda record: (
        any(_holds(value, wanted) for key, value in record.fields.items() if _is_named(key, name))
        or literal in record.message.casefold()
    )


def _is_named(key: str, name: str) -> bool:
    key = key.lower()
    return key == name or key.endswith("." + name)


def _holds(value: Any, wanted: str) -> bool:
    shown = _shown(value).casefold()
    # A number is meant whole (status:50 is not 500); a text is found inside (logger:HikariPool).
    return shown == wanted if wanted.isdigit() else wanted in shown
