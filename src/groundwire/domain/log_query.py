"""The search syntax of logs: words, "phrases", field:value, and a minus sign before what must not be there."""

from __future__ import annotations

import re
from typing import Final

from groundwire.domain.levels import ACCEPTED_LEVELS, parse_level
from groundwire.domain.linear_pattern import LinearPattern
from groundwire.domain.logs import LogQuery, LogTerm, TermKind

_FIELD: Final = re.compile(r"([A-Za-z_@][\w.@/-]{0,99}):(?![:\s]|//)")
_OWN_FIELDS: Final = ("level", "service", "instance")


def parse_log_query(text: str) -> LogQuery:
    """Return the terms of ``text``, in its order. All must hold; an empty text has none and matches everything.

    A word ends at a space; commas and semicolons at its end, and ``*`` at either end, are dropped. ``AND`` is dropped too.

    Raises:
        ValueError: A quotation mark is not closed, a phrase or a field's value is empty, a pattern (``re:...``) is not
            understood, a level is unknown, or ``OR`` or ``NOT`` is used as an operator.
    """
    terms: list[LogTerm] = []
    at = 0
    while (at := _skip_spaces(text, at)) < len(text):
        excluded = _is_minus(text, at)
        at += excluded
        field_match = _FIELD.match(text, at)
        field = field_match[1] if field_match and field_match.end() < len(text) else None
        if field_match and field is not None:
            at = field_match.end()
        is_quoted = text[at] == '"'
        value, at = _quoted(text, at) if is_quoted else _bare(text, at)
        term = _term(value, field=field, is_quoted=is_quoted, excluded=excluded)
        if term is not None:
            terms.append(term)
    return LogQuery(terms=tuple(terms))


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _is_minus(text: str, at: int) -> bool:
    # "-" alone, "->" and "--flag" are what logs and command lines hold, not exclusions.
    following = text[at + 1 : at + 2]
    return text[at] == "-" and (following.isalnum() or following in {'"', "_", "@", "/", "[", "("}) and following != ""


def _quoted(text: str, at: int) -> tuple[str, int]:
    characters: list[str] = []
    position = at + 1
    while position < len(text):
        character = text[position]
        if character == '"':
            return "".join(characters), position + 1
        if character == "\\" and text[position + 1 : position + 2] in {'"', "\\"}:
            position += 1
            character = text[position]
        characters.append(character)
        position += 1
    raise ValueError(f"the quotation mark at character {at + 1} is not closed; close it, or leave it out")


def _bare(text: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[at:end], end


def _term(value: str, *, field: str | None, is_quoted: bool, excluded: bool) -> LogTerm | None:
    if is_quoted and not value.strip():
        raise ValueError('a phrase is empty; write words between its quotation marks, or leave "" out')
    if not is_quoted and field != "re":
        value = value.rstrip(",;").strip("*")
        if field is None:
            _refuse_operator(value)
        if not value or (value == "AND" and field is None):
            return None
    if field is not None:
        if field.lower() == "level" and parse_level(value) is None:
            raise ValueError(f"level:{value} is no level; write one of {ACCEPTED_LEVELS}")
        if field == "re":
            LinearPattern(value)  # what it refuses is refused here
            return LogTerm(kind=TermKind.PATTERN, text=value, excluded=excluded)
        return LogTerm(kind=TermKind.FIELD, field=field, text=value, excluded=excluded)
    return LogTerm(kind=TermKind.PHRASE if is_quoted else TermKind.WORD, text=value, excluded=excluded)


def _refuse_operator(word: str) -> None:
    if word == "OR":
        raise ValueError('OR is not known: all terms must hold; ask once for each, or write "OR" for the word')
    if word == "NOT":
        raise ValueError('NOT is not known: write -word for what must not be there, or "NOT" for the word')
    if word.endswith(":") and word[:-1].lower() in _OWN_FIELDS:
        raise ValueError(f"{word} has no value; write it like {word}VALUE, without a space")
