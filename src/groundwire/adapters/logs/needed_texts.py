"""What must stand somewhere in an entry for a query to find it, as regular expressions of ours that RE2 and Python read alike.

A server that looks for these finds all that the query means, and maybe more: what it found is held against the query again.
"""

from __future__ import annotations

import re
from typing import Final

from groundwire.adapters.logs.word_forms import word_forms
from groundwire.domain.logs import LogQuery, LogTerm, TermKind

_JOINTS: Final = re.compile(r"(?<=[^\W_])[-_](?=[^\W_])")
# Never written with an escape in JSON, logfmt or HTML-safe JSON, and the same in every case table.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+")
_PLAIN_PHRASE: Final = re.compile(r"[A-Za-z0-9_.-]+(?: +[A-Za-z0-9_.-]+)*")
_SHORTEST: Final = 2
_NOT_IN_TEXT: Final = ("level", "service", "instance")


def needed_texts(query: LogQuery) -> tuple[str, ...]:
    """Return case-insensitive expressions without flags, of which every one must be found; none where nothing can be said.

    What is excluded is not among them: a server would also find it in the name of a field, which counts for nothing here.
    """
    found: list[str] = []
    for term in query.terms:
        if not term.excluded and (term.field or "").lower() not in _NOT_IN_TEXT:
            found.extend(pattern for pattern in _patterns(term) if pattern not in found)
    return tuple(found)


def is_plain(text: str) -> bool:
    """Return whether a text stands in an entry to the letter, whichever way it is written down."""
    return _PLAIN.fullmatch(text) is not None


def literal(text: str) -> str:
    """Return the expression for a text itself."""
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text)


def _patterns(term: LogTerm) -> list[str]:
    if term.kind is TermKind.PATTERN:
        return []  # no expression that a user wrote goes to a server
    if term.kind is not TermKind.WORD:
        shape = _PLAIN_PHRASE if term.kind is TermKind.PHRASE else _PLAIN
        return [literal(run) for run in shape.findall(term.text) if len(run) >= _SHORTEST]
    parts = _JOINTS.split(term.text)
    forms = word_forms(parts[-1])
    if all(is_plain(part) for part in (*parts, *forms)):
        return ["[-_ ]?".join([*map(literal, parts[:-1]), _one_of(forms)])]
    runs = [run for part in parts[:-1] for run in _PLAIN.findall(part)]
    runs += _PLAIN.findall(parts[-1]) if len(forms) == 1 and forms[0] == parts[-1].lower() else []
    return [literal(run) for run in runs if len(run) >= _SHORTEST]


def _one_of(forms: tuple[str, ...]) -> str:
    return literal(forms[0]) if len(forms) == 1 else f"(?:{'|'.join(map(literal, forms))})"
