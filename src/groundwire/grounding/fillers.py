"""Turns of phrase whose words would be read as an order, a denial, a cause or a quantity, and are none."""

from __future__ import annotations

import re
from typing import Final

from groundwire.grounding.blanks import blank
from groundwire.grounding.claim_text import ClaimText

_ITEM: Final = r"(?:line|entry|record|message)"
_NEARLY: Final = r"(?:about |around |roughly |nearly |some |just |over |~)?"
_TIME_UNIT: Final = r"(?:ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hours?)"
# Each alternative begins with a word, so that no place inside of a word is tried.
_FILLERS: Final = re.compile(
    r"\b(?:the following\b|as follows\b|"
    rf"following (?=(?:{_ITEM}|text|words?)\b)|in the end\b|first of all\b|at all\b|"
    r"(?:based on|judging by|going by|given|from) (?:the |all )?(?:available|existing|recorded|collected|current) "
    r"(?=evidence|data|logs?|records?)|"
    rf"behind (?=(?:this|the|that|these)\b[\w ]{{0,20}}\b(?:{_ITEM}|alert)s?\b)|"
    r"(?:thrown|racked|dredged|totted|turn(?:ed|s)|cropp?(?:ed|s)?|show(?:ed|s)?|coughed|summed|pulled|picked|popped|clocked|wrapped|"
    r"came|come) up\b|"
    rf"(?:after|within|until|once) (?={_NEARLY}\d[\d.,]* ?(?:{_TIME_UNIT}|tries|attempts|retries|times)\b(?! of\b))|"
    rf"responsible for (?={_NEARLY}\d|(?:this|the|that)\b[\w ]{{0,20}}\b{_ITEM}\b)|records stem(?:s|med)? from\b|"
    r"ended (?:in|with|up)(?: (?:in|with))?(?= an? | \d)|"
    r"(?:traced?|came|comes?|got|get|goes|go|reported|reports?) back\b|from (?:beginning|start) to (?:end|finish)\b|"
    r"(?:associated|linked|connected|tied|tagged) (?:with|to) (?=(?:the )?(?:trace|span|id|identifier|request|correlation)\b)|"
    r"no (?:doubt|question)\b|not only\b|as a result of (?:the|this|our) (?:search|query|check)\b|"
    r"end of (?:story|line)\b|at the latest\b)",
    re.IGNORECASE,
)
# "it took 8020 ms before ...": not an order of two things.
_UNTIL_DONE: Final = re.compile(rf"\d ?{_TIME_UNIT} (?P<filler>before|until|till|and then)\b", re.IGNORECASE)


def take_fillers(claim: ClaimText) -> None:
    """Blank what only fills, so that no rule reads more into it."""
    claim.take_all(_FILLERS)
    for match in list(_UNTIL_DONE.finditer(claim.rest)):
        blank(claim, match.start("filler"), match.end("filler"))
