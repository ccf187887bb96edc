"""The words that join a cause and its effect, and which side of them is which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from groundwire.grounding.quotes import QUOTE

CAUSAL: Final = re.compile(
    r"\b(?:because|due to|caused by|causes|caused|causing|led to|leads to|leading to|as a (?:direct )?(?:result|consequence)|"
    r"result(?:s|ed|ing)? (?:in|from)|therefore|thus|hence|consequently|accordingly|root cause|the cause|exhausted by|"
    r"triggered by|"
    r"brought (?:down|about) by|owing to|on account of|thanks to|the reason|stem(?:s|med|ming)? from|which is why|that is why|"
    r"that[’']s why|"
    r"this is why|for (?:that|this|which) reason|blamed? (?:on|for)|explain(?:s|"
    r"ed) (?:by|why)|"
    r"(?:is|was|were) responsible for|gave rise to|g(?:ive|ave|iving)s? rise to|brought about|culprit|behind (?:it|this|that))\b"
    r"|(?<=[,;] )(?:and )?so (?!far\b|that\b|long\b|as\b|much\b|many\b|on\b|called\b|do\b|did\b|does\b|is\b|was\b)",
    re.IGNORECASE,
)
"""A text with one of these says why, whatever kind of claim it is called."""

_LONGEST: Final = 1000
_MOST: Final = 60
_MASK: Final = re.compile("\ue000(\\d{1,4})\ue001")
_FACT: Final = r"(?: (?:the )?(?:simple |mere )?fact that| that)?"
# "because of which" joins the other way round.
_BECAUSE: Final = (
    r"because(?! of\b)|(?:because of|due to|owing to|on account of|thanks to|in (?:view|light) of|"
    r"as a (?:direct )?(?:result|consequence) of)(?! (?:which|that|this|it)[ ,])"
)
# EFFECT word CAUSE.
_BACK: Final = re.compile(
    rf"(?<![\w-])(?:(?:is|was|were|are|has been|had been|can be|could be|may be|being)\s)?(?:(?:directly|mainly|simply|"
    rf"ultimately|entirely|apparently)\s)?"
    rf"(?:{_BECAUSE}|caused by|triggered by|brought (?:down|about|on) by|provoked by|induced by|"
    rf"driven by|prompted by|exhausted by|explained by|(?:result|stem|aris|deriv|follow|com)(?:s|ed|e|es|med|ming|ing)? from|"
    rf"arose from|(?:rooted|grounded) in|(?:attribut(?:ed|able)|ascrib(?:ed|able)|put down|owed|traced(?: back)?|traceable|"
    rf"boils? down|boiled down|goes back|down|"
    rf"comes? down|came down|traces back) to|blamed on|in (?:the )?(?:view|light|face|wake) of|given(?: that)?|seeing (?:that|"
    rf"as)|now that|considering(?: that)?|inasmuch as|in that|"
    rf"courtesy of|at the hands of|by (?:reason|virtue) of|in consequence of|(?:for the reason|on the grounds?) that|"
    rf"reason being|the fault of|"
    rf"(?:set off|sparked|fuell?ed|killed|sunk|hit|felled|taken (?:down|out)|knocked (?:out|over)|brought to its knees|produced|"
    rf"prevented|blocked|"
    rf"stopped) by|(?:to blame|at fault)(?: for (?:it|this|that))?(?: (?:is|are|was|were))?|(?:all )?down to(?: one thing)?|"
    rf"on the back of|"
    rf"(?:the |its |their |this )?(?:root |underlying |actual |direct )?(?:reason|cause|culprit|trigger|explanation)(?: (?:for|"
    rf"of) (?:it|this|that))?"
    rf" (?:is|was|being|lies in|lay in)|behind (?:it|this|that|which)(?: (?:is|was|stands|stood|lies|lay))?|←|<-)"
    rf"(?![\w-]){_FACT}[:,?]?\s",
    re.IGNORECASE,
)
# CAUSE word EFFECT.
_ON: Final = re.compile(
    r"(?<![\w-])(?:so|hence|thus|therefore|consequently|accordingly|as a (?:direct |further )?(?:result|consequence)(?! of)|"
    r"in consequence|"
    r"(?:which|that|this) (?:is|was)(?: [a-z]{2,12})?(?: the reason)? why|that[’']s why|which explains why|hence the|"
    r"on which account|"
    r"(?:on account|because|by reason|in consequence|as a (?:result|consequence)) of which|(?:due|owing|thanks) to which|"
    r"(?:it |from which it |from this it )follow(?:s|ed) that|(?:so|such) that|to the point (?:that|where)|"
    r"(?:which |that |this )?(?:end(?:ed|s|ing) (?:up )?in|culminat(?:ed|es|ing) in|translat(?:ed|es|ing) into|spell(?:ed|s)|"
    r"knock(?:ed|s|ing) (?:out|over)|"
    r"t(?:ook|akes|aking) (?:down|out)|set(?:s|ting)? off|spark(?:ed|s|ing)|prompt(?:ed|s|ing)|provok(?:ed|es|ing)|induc(?:ed|"
    r"es|ing)|"
    r"dr(?:ove|ives|iving)|dragg(?:ed|ing) down|produc(?:ed|es|ing)|yield(?:ed|s|ing)|left|leaves|leaving|cost|prevent(?:ed|s|"
    r"ing)|kept|"
    r"keeps|stopp(?:ed|ing)|kill(?:ed|s|ing)|sank|sinks|broke|breaks|breaking)|for (?:that|this|which) reason|"
    r"because of (?:that|this|which)|"
    r"due to (?:that|this|which)|(?:which |that |this |what |and )?(?:led|leads|leading) to|(?:which |that |this |what |has |"
    r"had )?caus(?:ed|es|ing)|"
    r"(?:which |that |this )?result(?:ed|s|ing) in|(?:which |that |this )?trigger(?:ed|s|ing)|(?:which |that |this )?(?:brought|"
    r"bringing|brings) (?:about|down)|"
    r"(?:which |that |this )?g(?:ave|ives|iving) rise to|(?:which |that |this )?(?:made|makes|making|forced|meant|means|"
    r"meaning)(?: that)?|"
    r"(?:is|was|were) (?:the )?(?:(?:root |underlying |direct |actual )?(?:reason|cause|culprit|trigger|explanation)(?: (?:why|"
    r"that|for|of|behind))*|"
    r"why|what caused|what made|behind|responsible for|to blame for|at the (?:root|bottom|heart|origin) of)|(?:explain|"
    r"account)(?:s|ed|ing)? (?:for|why)|"
    r"explains|explained|with the (?:result|effect|consequence) that|whereupon|in turn|→|->|=>|⇒)(?![\w-])(?!\s(?:by|"
    r"from)\b)[:,]?(?: the fact that)?\s",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"(?<![\w-])(?:(?P<cause>(?:the )?(?:(?:root|underlying|probable|actual|direct|proximate) )?(?:cause|reason|trigger|culprit|"
    r"origin|source|why|rca|diagnosis|explanation)"
    r"(?: (?:is|was|has been|we found|identified|found|established|known|clear))*|what (?:caused|triggered|explains|is behind|"
    r"was behind|led to) (?:it|this|that)|"
    r"why(?: (?:it|this|that) happened)?)|"
    r"(?P<effect>(?:the )?(?:(?:visible|direct|observed|end) )?(?:effects?|impact|results?|consequences?|symptoms?|outcome|"
    r"fallout|upshot|observation|problem|failure|issue)"
    r"|what (?:we (?:saw|see|observed)|happened|was (?:seen|observed))|observed|seen))\s?[:?=–—]\s?",
    re.IGNORECASE,
)
_START: Final = r"(?:\A|[.;:]\s|\bthat\s)\W*(?:it (?:is|was) )?"
_FRONT: Final = re.compile(
    rf"{_START}(?:{_BECAUSE}|given(?: that)?|seeing that){_FACT}\s",
    re.IGNORECASE,
)
# Words that are causes among other things: heard only where nothing says it more clearly.
_WEAK_FRONT: Final = re.compile(rf"{_START}(?:since|as|with|when|after|under|following)\s", re.IGNORECASE)
_WEAK_BACK: Final = re.compile(r"(?<![\w-])(?:since|as|for|under|with|when|after)\s|:\s|\s[-–—]\s", re.IGNORECASE)
_WEAK_ON: Final = re.compile(r"(?<![\w-])(?:and )?then\s", re.IGNORECASE)
_REASON: Final = re.compile(
    r"(?:\A|[.;:]\s|\bthat\s)\W*(?:the |its |their )?(?:root |underlying |direct |actual )?(?:reason|cause|culprit|trigger|"
    r"explanation)(?: (?:why|for|of|behind|that))*\s|"
    r"(?:\A|[.;:]\s)\W*(?:what (?:caused|triggered|made|led to|brought about|explains|is behind|was behind|lies behind)|why|"
    r"behind|at the (?:root|bottom|heart) of)\s",
    re.IGNORECASE,
)
_IS: Final = re.compile(r"\s(?:is|was|were|lies in|lay in|stands|stood|lies)(?: the fact)?(?: that)?:?\s", re.IGNORECASE)
_COMMA: Final = re.compile(r",\s|\sthat\s")
_TRAILING: Final = re.compile(
    r"\s(?:being|as|is|was|are|were)\s(?:the |its |their |an? )?(?:root |underlying |direct |actual )?(?:cause|reason|culprit|"
    r"trigger|explanation)\W*\Z",
    re.IGNORECASE,
)
_PART: Final = re.compile(r"(?:[,;.]|\s[-–—])\s(?:(?:with|and|where)\s)?|\swith\s")
_BLAME: Final = re.compile(r"\bblam(?:es?|ed|ing)\s", re.IGNORECASE)
_FOR: Final = re.compile(r"\sfor\s", re.IGNORECASE)
_SAYS: Final = re.compile(r"[^\W_]{2,}|\ue000")
_EMPTY: Final = re.compile(r"\b(?:it|this|that|is|was|the|what|happened|and|why|which|a|of|we|have|has|been|be)\b", re.IGNORECASE)
_FRAME: Final = re.compile(r"\A[^.;,]{0,60}?(?:\bthat|:)\s")
DENIED: Final = re.compile(
    r"(?:\b(?:not|never|neither|no longer|hardly|unlikely)\b|n[’']t\b)(?: (?:be|been|have|directly|the|a|actually|really|solely|"
    r"itself|at all|"
    r"to)){0,3}?\s(?:because|due|caus\w+|led|result\w*|responsible|"
    r"trigger\w*|related|linked|to blame|the (?:reason|cause|culprit)|why|stem\w*|attribut\w+|owing|behind)\b|\bunrelated\b|"
    r"\bdespite\b|\bin spite of\b|\bregardless\b",
    re.IGNORECASE,
)
CAUSAL_WORDS: Final = re.compile(
    rf"{CAUSAL.pattern}|\b(?:(?:the |direct |simple )*fact that|consequences?|impact|effects?|results?|outcome|symptoms?|root|"
    rf"underlying|"
    r"cause|causes|reason|why|happened|identified|as|so|since|given|owing|account|explanation|explains|explained|explain|"
    r"attributed|"
    r"attributable|ascribed|direct(?:ly)?|trigger|triggered|what|saw|behind|turn|blame|trace[ds]?|stems?|led|leads?|leading|"
    r"resulted|"
    r"resulting|follow(?:s|ed) that|(?:all )?down to(?: one thing)?|one thing|rca|analysis|conclu(?:de|des|ded|sion)|upshot|"
    r"precisely|which|that|hence|thus|made|meant|forced|indicates?|evidence|ultimately|view|light)\b",
    re.IGNORECASE,
)


def sides_of(text: str) -> list[tuple[str, str]]:
    """Return the ways in which a text can be read as (effect, cause); what is cited decides which of them is meant.

    Quotes stay whole: the words in them join nothing.
    """
    quotes = [match[0] for match in QUOTE.finditer(text)]
    numbered = iter(range(len(quotes)))
    masked = QUOTE.sub(lambda _: f"\ue000{next(numbered)}\ue001", text)[:_LONGEST]

    def restored(side: str) -> str:
        return _MASK.sub(lambda match: quotes[int(match[1])], side)

    found = _readable(_readings(masked)) or _readable(_weak_readings(masked))
    readings = [(restored(effect), restored(cause)) for effect, cause in found]
    # "We conclude that E": what frames the effect is no part of it, nor is what frames the cause.
    framed = [(_FRAME.sub("", effect), _FRAME.sub("", cause)) for effect, cause in readings]
    return list(dict.fromkeys([*readings, *framed]))


def _readable(readings: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the readings in which both sides say something."""
    return [sides for sides in islice(readings, _MOST) if all(_SAYS.search(_EMPTY.sub(" ", side)) for side in sides)]


def _weak_readings(text: str) -> Iterator[tuple[str, str]]:
    for match in _WEAK_FRONT.finditer(text):
        for comma in _COMMA.finditer(text, match.end()):
            yield text[comma.end() :], text[match.end() : comma.start()]
    for match in _WEAK_BACK.finditer(text):
        yield text[: match.start()], text[match.end() :]
    for match in _WEAK_ON.finditer(text):
        yield text[match.end() :], text[: match.start()]


def _readings(text: str) -> Iterator[tuple[str, str]]:
    yield from _labelled(text)
    yield from _blamed(text)
    for match in _BACK.finditer(text):
        yield text[: match.start()], text[match.end() :]
    for match in _ON.finditer(text):
        yield text[match.end() :], text[: match.start()]
    for match in _FRONT.finditer(text):
        for comma in _COMMA.finditer(text, match.end()):
            yield text[comma.end() :], text[match.end() : comma.start()]
    for match in _REASON.finditer(text):
        for verb in _IS.finditer(text, match.end()):
            yield text[match.end() : verb.start()], text[verb.end() :]


def _blamed(text: str) -> Iterator[tuple[str, str]]:
    """Yield the readings of "E, C being the cause" and of "blame C for E"."""
    trailing = _TRAILING.search(text)
    if trailing is not None:
        for part in _PART.finditer(text, 0, trailing.start()):
            yield text[: part.start()], text[part.end() : trailing.start()]
    for match in _BLAME.finditer(text):
        for word in _FOR.finditer(text, match.end()):
            yield text[word.end() :], text[match.end() : word.start()]


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    labels = list(_LABEL.finditer(text))
    if not labels:
        return
    ends = [*(label.start() for label in labels[1:]), len(text)]
    parts = [(label["cause"] is not None, text[label.end() : end]) for label, end in zip(labels, ends, strict=True)]
    causes = " ".join(part for is_cause, part in parts if is_cause)
    effects = " ".join(part for is_cause, part in parts if not is_cause)
    if causes and not effects:
        effects = text[: labels[0].start()]
    if causes and effects.strip(" .,;:"):
        yield effects, causes
    elif causes:
        cause, _, effect = causes.partition(". ")
        yield effect, cause
    elif effects and text[: labels[0].start()].strip(" .,;:"):
        yield effects, text[: labels[0].start()]
