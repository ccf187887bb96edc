"""Decides whether a record holds all terms of a query. Words are never regular expressions; ``re:`` ones cannot run away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from groundwire.adapters.logs.word_forms import word_forms
from groundwire.domain.levels import Level, parse_level
from groundwire.domain.linear_pattern import LinearPattern
from groundwire.domain.logs import LogQuery, LogTerm, TermKind

_JOINTS: Final = re.compile(r"(?<=[^\W_])[-_](?=[^\W_])")
# How an escaped byte that is no text may end: a word may start within it.
_ENDS_ESCAPE: Final = re.compile(r"x[0-9a-f]{2}|[0-9a-f]{1,2}")
_SHORTEST_NEEDLE: Final = 3
_SAME_IN_JSON: Final = re.compile(r"(?=[^a-z]*(?:e[^a-z]*)*[a-df-z])[a-z0-9_.: @=-]*", re.ASCII)


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
        self._asks_for_pattern = self._has_joints = self.has_pattern = False
        self.asks_beyond_ascii = any(not term.text.isascii() for term in query.terms)
        self._texts: list[str] = []
        self._literals: list[tuple[str, ...]] = []
        for term in query.terms:
            if term.kind is TermKind.PATTERN:
                self._text_tests.append((LinearPattern(term.text).search, term.excluded))
                self.has_pattern = True
                self._asks_for_pattern |= not term.excluded
                continue
            if term.kind is TermKind.FIELD:
                self._field_tests.append((_field_test(term), term.excluded))
                continue
            test = _word_test(term.text) if term.kind is TermKind.WORD else _phrase_test(term.text)
            self._text_tests.append((test, term.excluded))
            if not term.excluded:
                self._required.append(test)
                self._texts.append(term.text.lower())
                self._literals.append(_literals(term))
                self._has_joints |= term.kind is TermKind.WORD and _JOINTS.search(term.text) is not None
        only = self._required[0] if len(self._required) == 1 else None
        self.may_match: TextTest = only or self._holds_all
        """Returns False for a lower-case text, all that a record is read from, that lacks a word or phrase."""

    @property
    def asks_for_text(self) -> bool:
        """Whether a word, phrase or pattern must be there, so that text which was cut away could have held it."""
        return bool(self._required) or self._asks_for_pattern

    @property
    def asks_for_words_only(self) -> bool:
        """Whether a record matches as soon as its text holds all words and phrases."""
        return len(self._required) == len(self._text_tests) + len(self._field_tests)

    @property
    def stands_in_json(self) -> bool:
        """Whether what is asked for stands in a line of JSON as it does in the record, where no character is written as a number.

        Not so for quotation marks and slashes, which may be escaped, and for numbers, which may be written in several ways.
        """
        return all(_SAME_IN_JSON.fullmatch(text) for text in self._texts)

    @property
    def message_forms(self) -> tuple[str, ...]:
        """Texts in lower case of which one in a message makes a record match, as far as words go; none where that is not so."""
        is_one = self.asks_for_words_only and len(self._required) == 1 and self.stands_in_json
        return self._literals[0] if is_one and self._texts[0] == self._texts[0].strip() and not self._has_joints else ()

    @property
    def needles(self) -> tuple[str, ...]:
        r"""Texts in lower case of which one stands, in whatever case, in the bytes of each line that a match is found in.

        So it is where no line hides letters behind ``\u``; none where nothing can be said. Where a byte that is no text stands in
        front of a word, the record shows it as ``\xe9``, whose end may be taken for the start of the word: needles lack it.
        """
        found = (tuple(map(_needle, forms)) for forms in self._literals) if self.stands_in_json else ()
        return max((forms for forms in found if all(forms)), key=lambda forms: min(map(len, forms)), default=())

    def may_stand_in(self, names: str) -> bool:
        """Return whether a word that must be there may stand in the names from a file's path, so that each record has it."""
        return any(literal in names for forms in self._literals for literal in forms)

    def is_settled_by(self, messages: str, whole: str) -> bool:
        """Return whether records match exactly when their messages hold all words: these stand nowhere else in ``whole``.

        Both are lower-case texts of the same records, and ``messages`` is part of ``whole``.
        """
        return (
            self.asks_for_words_only
            and all(text == text.strip() and "\n" not in text for text in self._texts)
            and all(messages.count(literal) == whole.count(literal) for forms in self._literals for literal in forms)
        )

    def is_lacking(self, raw: bytes, names: str) -> bool:
        """Return whether bytes of a file, or the names from its path, cannot hold a word that must be there."""
        if not raw.isascii() or b"\\u" in raw:
            return False
        lowered = raw.lower()
        return any(all(literal not in names and literal.encode() not in lowered for literal in forms) for forms in self._literals)

    def _holds_all(self, raw: str) -> bool:
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


def _literals(term: LogTerm) -> tuple[str, ...]:
    """Return texts of which one stands wherever the word or phrase does."""
    if term.kind is not TermKind.WORD:
        return (term.text.lower(),)
    parts = _JOINTS.split(term.text.lower())
    return word_forms(parts[0]) if len(parts) == 1 else (parts[0],)


def _needle(literal: str) -> str:
    """Return what of a text stands in the bytes in any case; empty where that is too little."""
    hidden = _ENDS_ESCAPE.match(literal)
    needle = literal if hidden is None else literal[hidden.end() :]
    needle = max(needle.split("="), key=len)  # JSON for web pages has an escape for it
    needle = needle.removesuffix("i")  # a dotted capital I is an i and a dot
    return needle if needle.isascii() and len(needle) >= _SHORTEST_NEEDLE else ""


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
