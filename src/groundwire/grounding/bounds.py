"""How a number is meant: exactly, as the least, as the most, about; from the words before and behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NONE: Final = (
    r"(?:no|not|never|nothing|cannot|n[’']t|neither)(?: any| a| even)?"
    r"(?: (?:fall|fell|drop|dropped|dip|go|went|sink|lie|come|came|stay|be|get|rise|rose|climb|run|amount to|number))?"
)
_FEWER: Final = r"(?:fewer|less|lower|smaller|below|under|short)"
_MORE: Final = r"(?:more|greater|higher|larger|above|over|beyond|exceed(?:s|ed|ing)?)"
_THAN: Final = r"(?: than| of)?"
_REACH: Final = r"(?:reach|hit|get to|make it to|attain|touch|come to)(?:ed|es)?"
_FELL_SHORT: Final = r"(?:fail(?:s|ed|ing)?|unable) to (?:reach|hit|get to|attain)|f[ae]ll(?:s|ing)? short of"
# Tried in this order: the longer says more than the shorter in it.
_BEFORE: Final = tuple(
    (re.compile(rf"\b(?:{words})\s*(?:\b(?:a total of|the|some)\s*)?\Z", re.IGNORECASE), kind)
    for words, kind in (
        (rf"neither {_MORE} (?:nor|or) {_FEWER}{_THAN}|neither {_FEWER} (?:nor|or) {_MORE}{_THAN}", "exact"),
        (rf"no {_MORE} (?:and|or|nor) no {_FEWER}{_THAN}|no {_FEWER} (?:and|or|nor) no {_MORE}{_THAN}", "exact"),
        (rf"{_NONE} (?:quite |even )?{_REACH}|{_FELL_SHORT}", "below"),
        (rf"{_NONE} {_FEWER}{_THAN}", "low"),
        (rf"{_NONE} (?:to )?{_MORE}{_THAN}", "high"),
        (
            r"at (?:the )?(?:very )?least|a minimum of|min(?:imum)?(?:\.| of|:)?|upwards? of|a good|easily|comfortably|"
            r"safely|≥|>=",
            "low",
        ),
        (r"(?:reach(?:ed|es|ing)?|pass(?:ed)? the mark of) at least|or more", "low"),
        (
            r"(?:more|greater|higher|larger) than|over|above|exceed(?:s|ed|ing)?|in excess of|north of|beyond|upward of|"
            r"past|topp(?:ed|ing)|tops|"
            r"surpass(?:es|ed|ing)?|outnumber(?:s|ed|ing)?",
            "above",
        ),
        (
            r"at (?:the )?(?:very )?most|a maximum of|max(?:imum)?(?:\.| of|:)?|"
            r"(?<!add )(?<!adds )(?<!added )(?<!sum )(?<!sums )(?<!summed )(?<!come )(?<!comes )up to|capped at|limited to",
            "high",
        ),
        (r"(?:fewer|less|lower|smaller) than|under|below|short of|not even|not quite|south of", "below"),
        (r"almost|nearly|just under|just short of|just below|close to", "almost"),
        (
            r"about|around|roughly|approximately|approx\.?|some|circa|ca\.?|an estimated|in the order of|or so|near|give or take",
            "near",
        ),
        (
            r"exactly|precisely|as (?:many|few|much|little) as|a mere|merely|only|just|no other than|a full|all of|solely|"
            r"but|an exact",
            "exact",
        ),
    )
)
_AFTER: Final = tuple(
    (re.compile(words, re.IGNORECASE), kind)
    for words, kind in (
        (rf"(?:\band |, ?)?\b(?:and |or )?(?:neither|no|not) {_MORE} (?:and|or|nor) (?:no |not )?{_FEWER}\b", "exact"),
        (
            r"\b(?:or|and|if not|possibly|perhaps|maybe|probably|potentially|likely)(?: even)? (?:a few |some |a little |many )?"
            r"(?:more|higher|above|over|greater|beyond|upwards?|better|larger|others?|additional)\b",
            "low",
        ),
        (r"\A\s?\+|\A[- ]plus\b|\A[^.;]{0,40}\band (?:counting|up)\b", "low"),
        (
            r"\bat (?:the )?(?:very |bare )?least\b|\b(?:at |as )(?:a |the )?(?:very |bare |absolute )?minimum\b|"
            r"\bno fewer\b|\bno less\b",
            "low",
        ),
        (
            r"\b(?:could|may|might|would)(?: \w{1,12}){0,3} (?:more|higher|greater|larger)\b|\b(?:could|may|"
            r"might)(?: \w{1,12}){0,2} others\b|"
            r"\band then some\b|\band (?:rising|climbing|growing|upwards?|onwards?)\b|\bif anything,? more\b|"
            r"\bto say the least\b|"
            r"\b(?:as|is|being|are) (?:a|the) (?:floor|lower (?:bound|limit)|(?:bare )?minimum|least)\b|"
            r"\bat the (?:low end|lowest)\b|"
            r"\bnot (?:a|one)(?: \w{1,12})? (?:fewer|less)\b|\bupwards?\b|"
            r"\bmin(?:imum)?\b(?! (?:of|value|level))",
            "low",
        ),
        (r"\b(?:or|if not) (?:fewer|less|lower|below|under)\b|\bat (?:the )?(?:very )?most\b|\bas a maximum\b|\btops\b", "high"),
        (r"\A-odd\b|\b(?:or so|or thereabouts|give or take|approximately|roughly|more or less)\b", "near"),
        (r"\b(?:exactly|precisely|only|sharp)\b", "exact"),
    )
)
_DENIED: Final = re.compile(r"\b(?:no|not|never|cannot|nor|hardly)\b[^.,;:\d]{0,30}\Z|n[’']t\b[^.,;:\d]{0,30}\Z", re.IGNORECASE)
_TURNED: Final = {"below": "low", "above": "high"}
# Said of the number, wherever they stand before it.
_FAR_BEFORE: Final = tuple(
    (re.compile(words, re.IGNORECASE), kind)
    for words, kind in (
        (
            r"\b(?:a |the )?(?:lower (?:bound|limit|end)|floor|bare minimum|minimum|lowest (?:\w{1,12} )?(?:reckoning|"
            r"estimate|count|figure)|"
            r"conservative(?:ly)?(?: (?:estimate|count|reckoning))?|at (?:a|the) (?:very )?(?:minimum|least))\b",
            "low",
        ),
        (
            r"\b(?:a |the )?(?:upper (?:bound|limit|end)|ceiling|highest (?:reckoning|estimate)|maximum|at (?:a|"
            r"the) (?:very )?(?:maximum|most))\b",
            "high",
        ),
    )
)
COMPLETE: Final = re.compile(
    rf"(?:,? ?\b(?:and|but|with) )?\b(?:(?:there (?:are|were|is|was) )?(?:no|none|not (?:a single )?one|not an?(?:y|other)?) "
    rf"(?:others?|further|besides|more|beyond (?:that|those|these|them)|further ones?|additional ones?|{_FEWER})"
    r"(?! (?:severe|serious|than))\b|nothing (?:else|more|beyond (?:that|those|these))\b|"
    r"(?:,|;|\band|\bbut|\bwith) (?:no|not an?y?) (?:other|further|additional|more|second|third|fourth|fifth)\b(?: (?:one|"
    r"pod|service|host|"
    r"address|record|line|entr(?:y|ies)|addresses|node|instance)s?)?(?=\s*(?:[.;,]|\Z))|"
    r"is all (?:we|there|i) (?:got|have|found|is|was|saw|see)\b|(?:that's|that is|which is) (?:all|the lot|it)\b)",
    re.IGNORECASE,
)
"""What says that a count is the whole: "and not one more", "there are no others", "that's the lot"."""

BOUND: Final = re.compile(
    rf"\b(?:neither {_MORE} (?:nor|or) {_FEWER}|neither {_FEWER} (?:nor|or) {_MORE}|"
    rf"{_NONE}\b[^.,;:\d]{{0,30}}? (?:{_FEWER}|{_MORE})(?! (?:severe|serious)){_THAN}"
    rf"(?=[^.;]{{0,24}}?\b(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|a |an ))|"
    rf"{_NONE} (?:quite |even )?{_REACH} (?=\d)|"
    r"if not (?:even )?(?:more|higher|fewer|less)|not even (?=\d)|not (?:quite|only|just) (?=\d))",
    re.IGNORECASE,
)
"""Negations that bound a number and deny nothing: "no fewer than 110", "if not more"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The whole numbers that a stated number stands for; ``high`` None: no upper end."""

    low: int
    high: int | None

    def holds(self, actual: int, *, is_exact: bool) -> bool | None:
        """Return whether a count is within the bounds; None when the count is only a lower bound and cannot say."""
        if is_exact:
            return self.low <= actual and (self.high is None or actual <= self.high)
        if self.high is not None and actual > self.high:
            return False
        return True if self.high is None and actual >= self.low else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundWord:
    """A word that bounds a number, and where it stands."""

    kind: str
    start: int
    end: int


def word_before(text: str, start: int) -> BoundWord | None:
    """Return the bounding word that ends where a number starts; a negation before it turns it round."""
    offset = max(0, start - 40)
    head = text[offset:start]
    match, kind = next(((m, kind) for words, kind in _BEFORE if (m := words.search(head))), (None, ""))
    if match is None:
        return None
    denied = _DENIED.search(head[: match.start()]) if kind in _TURNED else None
    begin = offset + (denied or match).start()
    return BoundWord(kind=_TURNED[kind] if denied else kind, start=begin, end=start)


def word_far_before(text: str, start: int, end: int) -> BoundWord | None:
    """Return the bounding word somewhere before a number: "a lower bound for the records is 20"."""
    head = text[max(start, end - 160) : end]
    offset = end - len(head)
    return next(
        (
            BoundWord(kind=kind, start=offset + m.start(), end=offset + m.end())
            for words, kind in _FAR_BEFORE
            if (m := words.search(head))
        ),
        None,
    )


def word_after(text: str, end: int, until: int) -> BoundWord | None:
    """Return the bounding word somewhere behind a number, such as "records or more"."""
    tail = text[end : min(until, end + 160)]
    return next(
        (BoundWord(kind=kind, start=end + m.start(), end=end + m.end()) for words, kind in _AFTER if (m := words.search(tail))),
        None,
    )


def bounds_of(number: int, said: list[BoundWord], slack: int = 0) -> Bounds | None:
    """Return what a number stands for under the words that bound it; None when they contradict each other."""
    low, high = (0, None) if said else (number - slack, number + slack)
    for word in said:
        a, b = _interval(word.kind, number, slack)
        low = max(low, a)
        high = b if high is None else high if b is None else min(high, b)
    return None if high is not None and low > high else Bounds(low=low, high=high)


def _interval(kind: str, number: int, slack: int) -> tuple[int, int | None]:
    near = max(round(number * 0.05), 1, slack)
    return {
        "exact": (number - slack, number + slack),
        "low": (number, None),
        "above": (number + 1, None),
        "high": (0, number),
        "below": (0, number - 1),
        "almost": (number - 2 * near, number - 1),
        "near": (number - near, number + near),
    }[kind]
