"""Links from cause to effect that a program states in its own words: in a sentence, behind a colon, in an exception chain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from groundwire.grounding.claim_text import folded
from groundwire.grounding.own_words import OUTCOME, STATE, is_access_log, own_words, reports_trouble, without_quotes_and_values

# An exception chain as runtimes write it: the class name makes it a statement of the program, not of a user.
_CHAIN: Final = re.compile(
    r"(?:^|\n)\s{0,8}Caused by: [A-Za-z_$][\w$]{0,80}(?:\.[\w$]{1,80}){0,12}"
    r"|nested exception is [A-Za-z_$][\w$]{0,80}(?:\.[\w$]{1,80}){1,12}"
    r"|(?:^|\n)The above exception was the direct cause of the following exception:"
)
# The exception that a record was logged with: its class and message stand on the line above the first frame of the stack.
_RAISED: Final = re.compile(
    r"\n(?P<cause>[A-Za-z_$][\w$.]{0,120}(?:Exception|Error|Timeout)\b[^\n]{0,500})\n\s{1,8}at [\w$.<>]{1,200}\("
)
_STATED: Final = re.compile(r"\b(?:because|due to|caused by)\b[: ]", re.IGNORECASE)
# "A because B", "A: B", "A - B", "A, B", "B, so A".
_BACK: Final = re.compile(
    r"\s(?:because(?: of)?|due to|caused by:?|owing to|on account of|as a result of|triggered by|since|reason:|cause:)\s",
    re.IGNORECASE,
)
_ON: Final = re.compile(r"[,;]?\s(?:so|therefore|hence|thus|consequently|leading to|resulting in|->|=>)\s", re.IGNORECASE)
_DASH: Final = re.compile(r":\s|\s[-–—]\s")
_CUT: Final = re.compile(r";\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What a message says came about, and of what; ``shown`` are the words that join them."""

    effect: str
    cause: str
    shown: str
    is_chain: bool = False


def states_a_cause(record: Mapping[str, Any]) -> str | None:
    """Return the words with which a log record itself states a cause, or None.

    An exception chain counts wherever it stands in a report of trouble; "because", "due to" and "caused by" only in the program's
    own words.
    """
    chain = _CHAIN.search(_chained(record))
    if chain is not None:
        return folded(chain[0])
    stated = _STATED.search(own_words(record))
    return stated[0].strip() if stated else None


def links_in(record: Mapping[str, Any]) -> Iterator[Link]:
    """Yield the links that a record states in its program's own words; an exception chain links in a report of trouble alone."""
    yield from _chains_in(_chained(record))
    for part in _CUT.split(own_words(record)):
        yield from _links_of(part)


def _chained(record: Mapping[str, Any]) -> str:
    """Return the message, or nothing where a chain in it may be a user's words."""
    message = str(record.get("message") or "")
    return without_quotes_and_values(message) if reports_trouble(record) and not is_access_log(message) else ""


def _chains_in(message: str) -> Iterator[Link]:
    for chain in _CHAIN.finditer(message):
        yield Link(effect=message[: chain.start()], cause=message[chain.start() :], shown=folded(chain[0]), is_chain=True)
    raised = _RAISED.search(message)
    if raised is not None:
        yield Link(effect=message[: raised.start()], cause=raised["cause"], shown=folded(raised["cause"])[:80], is_chain=True)


def _links_of(part: str) -> Iterator[Link]:
    for match in _BACK.finditer(part):
        yield Link(effect=part[: match.start()], cause=part[match.end() :], shown=match[0].strip())
    for match in _ON.finditer(part):
        yield Link(effect=part[match.end() :], cause=part[: match.start()], shown=match[0].strip())
    for match in _DASH.finditer(part):
        effect = part[: match.start()]
        if OUTCOME.search(effect):
            yield Link(effect=effect, cause=part[match.end() :], shown=match[0].strip())
    for match in re.finditer(r",\s", part):
        yield from _juxtaposed(part[: match.start()], part[match.end() :])


def _juxtaposed(one: str, other: str) -> Iterator[Link]:
    """Two halves beside each other are a link where the one is an outcome and the other is a state, and not the other way."""
    ends = [(OUTCOME.search(half) is not None, STATE.search(half) is not None) for half in (one, other)]
    if ends == [(True, False), (False, True)]:
        yield Link(effect=one, cause=other, shown=",")
    elif ends == [(False, True), (True, False)]:
        yield Link(effect=other, cause=one, shown=",")
