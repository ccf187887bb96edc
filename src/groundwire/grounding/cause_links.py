"""Links from cause to effect that a program states in its own words: in a sentence, behind a colon, in an exception chain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.grounding.claim_text import folded

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
_ACCESS_LOG: Final = re.compile(r"\"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000} HTTP/\d")
_FOREIGN_TEXT: Final = re.compile(r"\"[^\"\n]{0,2000}\"|'[^'\n]{0,2000}'|\[[^\]\n]{0,2000}\]|\{[^}\n]{0,2000}\}|=\S{1,2000}")
# "A because B", "A: B", "A - B", "A, B", "B, so A".
_BACK: Final = re.compile(
    r"\s(?:because(?: of)?|due to|caused by:?|owing to|on account of|as a result of|triggered by|since|reason:|cause:)\s",
    re.IGNORECASE,
)
_ON: Final = re.compile(r"[,;]?\s(?:so|therefore|hence|thus|consequently|leading to|resulting in|->|=>)\s", re.IGNORECASE)
_DASH: Final = re.compile(r":\s|\s[-–—]\s")
_CUT: Final = re.compile(r";\s")
# What went wrong for somebody, and what was wrong.
_OUTCOME: Final = re.compile(
    # "Expiring session ...", "Closing connection ...": what was done about it.
    r"\A\W*[a-z]{2,20}ing\b|"
    r"\b(?:fail(?:s|ed|ing|ure)?|not \w+ed|could not|can(?:no|')t|unable|cancel(?:l?ed|ling)|reject(?:ed|ing)|declin(?:ed|ing)|"
    r"abort(?:ed|ing)|"
    r"giv(?:e|es|ing) up|gave up|skip(?:ped|ping)|drop(?:ped|ping)|refus(?:ed|ing)|den(?:ied|ying)|discard(?:ed|ing)|"
    r"shut(?:ting)? down|"
    r"exit(?:ed|ing)|stopp(?:ed|ing)|kill(?:ed|ing)|terminat(?:ed|ing)|restart(?:ed|ing)|roll(?:ed|ing) back|error|disabl(?:ed|"
    r"ing)|answered [45]\d\d|"
    r"returning|paus(?:ed|ing)|evict(?:ed|ing)|suspend(?:ed|ing)|interrupted|lost|backing off|retrying)\b",
    re.IGNORECASE,
)
_STATE: Final = re.compile(
    r"\b(?:exhausted|expired|exceed(?:ed|s)|unavailable|unreachable|timed? ?out|timeout|refused|missing|full|not (?:found|"
    r"available|reachable|ready|"
    r"known|valid|allowed|set|enough)|no \w+|denied|invalid|unknown|too \w+|down|broken|corrupt(?:ed)?|overloaded|locked|closed|"
    r"reset|out of|"
    r"insufficient|limit|empty|absent|deadlock|mismatch|lost|disconnected|saturated|throttled)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What a message says came about, and of what; ``shown`` are the words that join them."""

    effect: str
    cause: str
    shown: str
    is_chain: bool = False


def states_a_cause(message: str) -> str | None:
    """Return the words with which a log message itself states a cause, or None.

    An exception chain counts wherever it stands; "because", "due to" and "caused by" only in the program's own words: not
    inside quotes, brackets or values, and never in an access log line, where users choose the words.
    """
    if _ACCESS_LOG.search(message):
        return None
    chain = _CHAIN.search(message)
    if chain is not None:
        return folded(chain[0])
    stated = _STATED.search(_FOREIGN_TEXT.sub(" ", message))
    return stated[0].strip() if stated else None


def links_in(message: str) -> Iterator[Link]:
    """Yield the links that a message states; text in quotes, brackets and values links nothing, nor does an access log."""
    if _ACCESS_LOG.search(message):
        return
    for chain in _CHAIN.finditer(message):
        yield Link(effect=message[: chain.start()], cause=message[chain.start() :], shown=folded(chain[0]), is_chain=True)
    raised = _RAISED.search(message)
    if raised is not None:
        yield Link(effect=message[: raised.start()], cause=raised["cause"], shown=folded(raised["cause"])[:80], is_chain=True)
    # What follows the first line is a stack trace or text that somebody passed on.
    line = _FOREIGN_TEXT.sub(" ", message.partition("\n")[0])
    for part in _CUT.split(line):
        yield from _links_of(part)


def _links_of(part: str) -> Iterator[Link]:
    for match in _BACK.finditer(part):
        yield Link(effect=part[: match.start()], cause=part[match.end() :], shown=match[0].strip())
    for match in _ON.finditer(part):
        yield Link(effect=part[match.end() :], cause=part[: match.start()], shown=match[0].strip())
    for match in _DASH.finditer(part):
        effect = part[: match.start()]
        if _OUTCOME.search(effect):
            yield Link(effect=effect, cause=part[match.end() :], shown=match[0].strip())
    for match in re.finditer(r",\s", part):
        yield from _juxtaposed(part[: match.start()], part[match.end() :])


def _juxtaposed(one: str, other: str) -> Iterator[Link]:
    """Two halves beside each other are a link where the one is an outcome and the other is a state, and not the other way."""
    ends = [(_OUTCOME.search(half) is not None, _STATE.search(half) is not None) for half in (one, other)]
    if ends == [(True, False), (False, True)]:
        yield Link(effect=one, cause=other, shown=",")
    elif ends == [(False, True), (True, False)]:
        yield Link(effect=other, cause=one, shown=",")
