"""The part of a log message that is its program's own, and no text that somebody sent to the program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from groundwire.domain.levels import Level, parse_level

_ACCESS_LOG: Final = re.compile(r"\"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000} HTTP/\d")
# From the first mark to the last: what stands between may hold marks of its own. An apostrophe inside a word is none.
_QUOTED: Final = re.compile(r"\".{0,4000}\"|(?<!\w)'.{0,4000}'(?!\w)", re.DOTALL)
# A JSON text has quotes of its own, which would part the quote that it stands in.
_BRACED: Final = re.compile(r"\{.{0,4000}\}")
_VALUE: Final = re.compile(
    r"(?<=\w)=(?:\".{0,4000}\"|'.{0,4000}'|\[[^\]\n]{0,2000}\]|\([^)\n]{0,2000}\)|[^\s\"'\[(]{0,2000}(?=[\s,;)]|$))", re.DOTALL
)
_INNERMOST: Final = re.compile(r"\[[^\[\]\n]{0,2000}\]|\([^()\n]{0,2000}\)")
_DEEPEST: Final = 4
_CURLED: Final = re.compile(r"“[^”]{0,2000}”|‘[^’]{0,2000}’|«[^»]{0,2000}»|`[^`]{0,2000}`|<[^>]{0,2000}>")
_OPEN_QUOTE: Final = re.compile(r"[\"`“‘«]|(?<!\w)'")
# What is left of marks was nested, escaped or never closed: nobody can say where the foreign text ends.
_OPEN_MARK: Final = re.compile(r"[\"`“”‘«»<\[\](){}\\]|(?<!\w)['’]|['’](?!\w)|(?<=\w)=")
_LINE_END: Final = re.compile(r"[\r\n]")
_COLON: Final = re.compile(r":\s")
_SAYS_WHOSE: Final = re.compile(r"[:(\[{\"'=]")
_EXCEPTION: Final = re.compile(r"exception|error\b|\b(?:because|due to|caused by)\b", re.IGNORECASE)
# A class, a thread or an id in front of a colon introduces nobody.
_PLAIN_WORD: Final = re.compile(r"(?<![^\s])[a-z]{2,20}(?![^\s])")
_LONGEST_PREFIX: Final = 2
# What went wrong for somebody, and what was wrong.
OUTCOME: Final = re.compile(
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
STATE: Final = re.compile(
    r"\b(?:exhausted|expired|exceed(?:ed|s)|unavailable|unreachable|timed? ?out|timeout|refused|missing|full|not (?:found|"
    r"available|reachable|ready|"
    r"known|valid|allowed|set|enough)|no \w+|denied|invalid|unknown|too \w+|down|broken|corrupt(?:ed)?|overloaded|locked|closed|"
    r"reset|out of|"
    r"insufficient|limit|empty|absent|deadlock|mismatch|lost|disconnected|saturated|throttled)\b",
    re.IGNORECASE,
)


def reports_trouble(record: Mapping[str, Any]) -> bool:
    """Return whether a record is its program's report of trouble. What it notes beside its work is often what somebody sent."""
    level = parse_level(str(record.get("level") or ""))
    return level is not None and level >= Level.WARN


def is_access_log(message: str) -> bool:
    """Return whether a message has the form of an access log, where clients choose most of the words."""
    return _ACCESS_LOG.search(message) is not None


def without_quotes_and_values(message: str) -> str:
    """Return a message without its quotes, JSON texts and values: where an exception chain is a runtime's own."""
    return _QUOTED.sub(" ", _VALUE.sub(" ", _BRACED.sub(" ", message)))


def _without_foreign(line: str) -> str:
    line = _QUOTED.sub(" ", _VALUE.sub(" ", _BRACED.sub(" ", line)))
    for _ in range(_DEEPEST):
        line = _INNERMOST.sub(" ", line)
    return line


def unquoted(message: str) -> str:
    """Return a message without its quotes of any kind, its values and JSON texts, and what it passes on; brackets stay."""
    return _before_what_is_passed_on(_OPEN_QUOTE.split(_CURLED.sub(" ", without_quotes_and_values(message)), maxsplit=1)[0])


def own_words(record: Mapping[str, Any]) -> str:
    """Return what stands in the first line of a record's message before anything that may have been passed on.

    Quotes, brackets and values are blanked. What follows a colon is passed on where several words before it tell of no trouble
    ("from a customer: ..."); in a record below WARN, or without a level, whatever follows the first colon, quote or bracket is.
    """
    message = str(record.get("message") or "")
    if is_access_log(message):
        return ""
    line = _LINE_END.split(message, maxsplit=1)[0]
    if not reports_trouble(record):
        return _SAYS_WHOSE.split(line, maxsplit=1)[0]
    line = _OPEN_MARK.split(_without_foreign(line), maxsplit=1)[0]
    return _before_what_is_passed_on(line)


def _before_what_is_passed_on(line: str) -> str:
    for colon in _COLON.finditer(line):
        head = line[: colon.start()]
        if len(_PLAIN_WORD.findall(head)) > _LONGEST_PREFIX and not any(
            sign.search(head) for sign in (OUTCOME, STATE, _EXCEPTION)
        ):
            return head
    return line
