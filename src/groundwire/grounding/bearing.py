"""Who bears a claim that holds: what was measured, a program's log, or text that somebody wrote beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from groundwire.domain.names import Trust
from groundwire.grounding.cited import Cited, CitedKind, leaves
from groundwire.grounding.claim_text import stem, words
from groundwire.grounding.neutral import NEUTRAL
from groundwire.grounding.quotes import QUOTE
from groundwire.grounding.synonyms import synonyms

_REPORTS: Final = re.compile(
    r"\b(?:logged|logging|in its words|by its word)\b|['’]s (?:own )?logs?\b|"
    r"\blogs? (?:says?|reads?|shows?|contains?|reports?|has|have|holds?|lines?|records?|entry|entries|messages?|of)\b|"
    r"\b(?:says?|said|saying|reports?|reported|reporting|wrote|writes|complain(?:s|ed|ing)|prints?|printed) "
    r"(?:that\b|in\b|at\b|of\b|[“\"`])",
    re.IGNORECASE,
)
_ATTRIBUTES: Final = re.compile(
    r"\b(?:says?|said|saying|reports?|reported|wrote|writes|according to|by its word|in its words|claims?|tells?|told|"
    r"states?|stated)\b",
    re.IGNORECASE,
)
# "It logged no errors" counts records: of one line it is what the line says.
_NEGATED: Final = re.compile(r"\b(?:no|not|never|none|nothing|without|zero|0)\b|n['’]t\b", re.IGNORECASE)
WRITTEN: Final = re.compile(
    r"\b(?:runbooks?|playbooks?|documents?|documentation|guides?|describes?|recommends?|suggests?|advises?|explains?|"
    r"sections? [“\"`]|says (?:that|to|of|how|what|[“\"`]))\b",
    re.IGNORECASE,
)
"""With one of these a claim says itself that somebody wrote it."""

# Of an alert: whatever its author or its target may have worded. Its state and its times are the alerting system's.
_WORDED: Final = frozenset(("alert_name", "service", "severity", "value", "value_text", "source", "rule", "group", "receiver"))
_NAMED: Final = re.compile(r"(?:alert_name|service|instance|metric|title|name)=")
_FIELDS: Final = ("level", "service", "instance")
_NUMBER: Final = re.compile(r"\d[\d.,:]*")
_OF_NAMES: Final = re.compile(r"[\w-]")
_WORDY: Final = re.compile(r"\s")

Holds = Callable[[Sequence[Cited]], bool]


def rests_on_a_runbook(text: str, cited: Sequence[Cited], holds: Holds) -> bool:
    """Return whether nothing but a runbook bears a part of a claim that does not say so.

    A runbook says what such incidents look like, not what happened.
    """
    others = [item for item in cited if item.kind is not CitedKind.BLOCK]
    if len(others) == len(cited) or WRITTEN.search(QUOTE.sub(" ", text)):
        return False
    blocks = [item for item in cited if item.kind is CitedKind.BLOCK]
    return not others or (_says_more(text, (b.text for b in blocks), (o.text for o in others)) and not holds(others))


def voice_of(text: str, cited: Sequence[Cited], holds: Holds) -> str | None:
    """Return whose word a claim that holds must be shown as ("checkout's log says"), or None where it says so itself, or where
    nobody could have worded it.

    Anybody may have put words into a log, into an annotation or into a label: a claim that rests on such text alone is its word.
    What the logging or alerting system itself wrote, time, level, state and service, is nobody's.
    """
    return _voice_of_a_text(text, cited, holds) or _voice_of_a_log(QUOTE.sub(" ", text), _rested_on(text, cited, holds))


def voice_of_a_sign(text: str) -> str | None:
    """Return whose word a cause is that a runbook links to a sign: the log shows the sign, and the runbook says the cause."""
    return None if WRITTEN.search(QUOTE.sub(" ", text)) else "The runbook says of a sign that is shown"


def _voice_of_a_text(text: str, cited: Sequence[Cited], holds: Holds) -> str | None:
    others = [item for item in cited if item.kind is not CitedKind.BLOCK]
    bare = [measured_part(item, text) for item in others]
    worded = [item for item, part in zip(others, bare, strict=True) if part is not item]
    if not worded or not _says_more(text, (item.text for item in worded), (item.text for item in bare)) or holds(bare):
        return None
    name = worded[0].item.get("alert_name")
    return f"The text of {name} says" if name else f"A name that {worded[0].ref_id} lists says"


def measured_part(item: Cited, text: str) -> Cited:
    """Return an alert without its annotations, and an alert or a call without the names that ``text`` does not give as a whole:
    the words of a name say nothing. Others as they are.
    """
    if item.kind is CitedKind.ALERT:
        return _part_of_alert(item, text)
    if item.kind is CitedKind.CALL:
        said, own, names = _said_in(text), _terms(text), _names_in(item.text)
        given = frozenset().union(*(terms for _, name, terms in names if terms <= own and _gives(text, name)))
        said -= given
        left_out = {line for line, _, terms in names if not said.isdisjoint(terms)}
        if left_out:
            return replace(item, text="\n".join(line for line in item.text.split("\n") if line not in left_out))
    return item


@lru_cache(maxsize=1024)
def _names_in(text: str) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Return the names that the text of a call lists: the line, the name, and the terms that it is made of."""
    lines = dict.fromkeys(line for line in text.split("\n") if _NAMED.match(line))
    named = ((line, line.partition("=")[2]) for line in lines)
    return tuple((line, name, _terms(name)) for line, name in named)


@lru_cache(maxsize=1024)
def _said_in(text: str) -> frozenset[str]:
    """Return the terms that bear out a text: its own, and those that say the same."""
    return frozenset().union(*(synonyms(term) for term in _terms(text) if term not in NEUTRAL))


def _part_of_alert(item: Cited, text: str) -> Cited:
    labels: Mapping[str, Any] = item.item.get("labels") or {}
    names = {key: value for key, value in labels.items() if _gives(text, str(value))}
    fields = {
        key: value
        for key, value in item.item.items()
        if key not in _WORDED or not isinstance(value, str) or _gives(text, value) or len(words(value)) == 1
    }
    if len(names) == len(labels) and len(fields) == len(item.item) and not item.item.get("annotations"):
        return item
    part = {**fields, "labels": names, "annotations": {}}
    return replace(item, item=part, text="\n".join(leaves(part)))


def _gives(text: str, name: str) -> bool:
    """Return whether a text holds a name as a whole; what has blanks is no name but a text."""
    if _WORDY.search(name):
        return False
    text, name = text.lower(), name.lower()
    at = text.find(name)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not _OF_NAMES.match(before) and not _OF_NAMES.match(behind):
            return True
        at = text.find(name, at + 1)
    return False


def _says_more(text: str, written: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether a claim has a word or a number that stands in what was written and in nothing else."""
    only = _terms("\n".join(written)) - _terms("\n".join(others))
    return not _said_in(text).isdisjoint(only)


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset({stem(word) for word in words(text) if len(word) > 1} | set(_NUMBER.findall(text)))


def _rested_on(text: str, cited: Sequence[Cited], holds: Holds) -> Sequence[Cited]:
    """Return the log lines alone where what was measured beside them bears nothing out; else all that is cited.

    An alert or a section beside a line must not make a fact of what anybody may have written into it.
    """
    emitted = [item for item in cited if item.trust is Trust.EMITTED and item.kind is not CitedKind.CALL]
    if not emitted or len(emitted) == len(cited):
        return cited
    beside = [item for item in cited if item.trust is Trust.MEASURED or item.kind is CitedKind.CALL]
    measured = [measured_part(item, text) for item in beside]
    texts = [item for item in cited if item not in beside]
    return emitted if not measured or (holds(texts) and not holds(measured)) else cited


def _voice_of_a_log(text: str, cited: Sequence[Cited]) -> str | None:
    if not cited or any(item.trust is not Trust.EMITTED or item.kind is CitedKind.CALL for item in cited):
        return None
    negated = _NEGATED.search(text) is not None
    if (_ATTRIBUTES if negated else _REPORTS).search(text) or (not negated and _is_of_fields(text, cited)):
        return None
    services = {item.service for item in cited}
    (service,) = services if len(services) == 1 else (None,)
    return f"{service}'s log says" if service and not _WORDY.search(service) else "The log says"


def _is_of_fields(text: str, items: Sequence[Cited]) -> bool:
    """Return whether a claim speaks only of what the logging system wrote: when, how severe, of whom; not of the text. A name
    counts as a whole: the words that it is made of say nothing.
    """
    for name in {str(item.item.get(key) or "") for item in items for key in _FIELDS} - {""}:
        if _WORDY.search(name):
            continue
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", text, flags=re.IGNORECASE)
    return all(stem(word) in NEUTRAL for word in words(text) if len(word) > 1)
