"""The words that put two things in an order, by where they stand: before the first thing, between the two, behind the second."""

from __future__ import annotations

import re
from typing import Final

_THIS: Final = r"(?:that|this|it|which|these|those|them|then|the former|the first(?: one)?|the other(?: one)?)"
_SOONER: Final = (
    r"before|prior to|ahead of|earlier than|sooner than|older than|in advance of|in the run-?up to|leading up to|preced(?:es?|"
    r"ed|ing)|"
    r"(?:pre|ante)dat(?:es?|ed|ing)|foreshadow(?:s|ed)|herald(?:s|ed)|usher(?:s|ed) in|led up to|leads up to|beat|beats"
)
_LATER: Final = (
    r"(?:only |not |right |just |soon |shortly |directly |immediately )?after|subsequent to|later than|newer than|"
    r"more recent than|"
    r"younger than|following|follow(?:s|ed)?(?! by)|in the wake of|(?:hot )?on the heels of|in the aftermath of|postdat(?:es?|"
    r"ed)|"
    r"(?:was|were|been|is|are|being) preceded by|preceded by|behind|trail(?:s|ed|ing)|in response to|succeed(?:s|ed|ing)?(?! by)"
)
# "after 10:02" is a bound, no order of two things.
_NO_TIME: Final = r"(?!\s+(?:about |around |roughly |at |the |~)?\d)"
# Between the two things: the one before the word is the earlier, or the later.
BETWEEN: Final = re.compile(
    rf"(?<![\w-])(?:(?P<not>(?:\w{{2,8}}n[’']t|not|never|no)(?: [\w’'-]{{1,20}}){{0,3}}? )?"
    rf"(?:(?P<flat>not (?:until|before)(?: after)?|no earlier than|not earlier than|only (?:once|when)|only after|"
    rf"after which (?:only )?came late)|"
    rf"(?P<then_it>(?:after|following|subsequent to|behind|since|on) {_THIS}\b|after(?:wards?)|thereafter|thereupon|whereupon|"
    r"subsequently|next|then|later(?: on)?(?! than)|followed by|succeeded by|gave way to|gives way to|in turn|eventually|"
    r"before long|"
    r"->|→|=>|⇒|»|>)|"
    rf"(?P<before_it>(?:before|prior to|ahead of|preceding) {_THIS}\b|previously|beforehand|earlier(?! than)|"
    rf"(?:had )?already(?=.{{0,40}}\Z))|"
    rf"(?P<later>{_LATER})|(?P<sooner>{_SOONER})))(?![\w-]){_NO_TIME}",
    re.IGNORECASE | re.DOTALL,
)
# A list that says of itself in which order it is.
LISTED: Final = re.compile(
    r"(?<![\w-])(?:(?P<reverse>in (?:reverse|inverse|backwards?)(?: chronological)? order|newest (?:first|to oldest)|"
    r"latest first|most recent first|"
    r"backwards?|going back(?:wards)?(?: in time)?)|"
    r"(?P<order>in (?:chronological |temporal |time |that |this )?order|chronological(?:ly)?|oldest (?:first|to newest)|"
    r"earliest first|"
    r"(?:order|sequence)(?: of (?:events|appearance|occurrence))?(?=\W*:)|(?:timeline|chronology)(?=\W*:)))(?![\w-])",
    re.IGNORECASE,
)
# In front of the first thing.
AHEAD: Final = re.compile(
    r"(?<![\w-])(?:(?P<first>first(?:ly)?|initially|at first|to begin with|to start with|(?:start|begin|open)(?:s|ed|"
    r"ing)? (?:with|out with|from|off with)|"
    r"(?:it|everything|things|this|all) (?:began|started|opened)(?: off| out)? with|"
    r"the (?:earlier|first|former|older)(?: one| of (?:the two|both|them))?|earlier of|"
    r"after|following|in the wake of|subsequent to|on the heels of|once|as soon as|(?:only|not until|not) after|only once|"
    r"not until|"
    r"it was (?:only|not until)(?: after| once| when)?|no sooner had|since)|"
    r"(?P<second>last(?:ly)?|finally|the (?:later|second|latter|newer|more recent|younger)(?: one| of (?:the two|both|them))?|"
    r"later of|"
    r"before|prior to|ahead of|in advance of|preceding|by the time(?: of| that| when)?|leading up to|in the run-?up to|until|"
    r"long before|well before|already before)|(?P<when>when|at the time of|at the (?:time|moment|point)(?: that|"
    r" when)?))(?![\w-])"
    rf"{_NO_TIME}",
    re.IGNORECASE,
)
# Behind the second thing.
BEHIND: Final = re.compile(
    rf"(?<![\w-])(?:(?P<order>in (?:that|this|the given|the stated|chronological|just that|exactly that) (?:very )?order|"
    rf"respectively in order)|"
    r"(?P<reverse>in (?:reverse|the opposite|inverse) order|the other way (?:round|around))|"
    rf"(?P<first>(?:before|prior to|ahead of|preceding|precedes|preceded) {_THIS}\b|preceded {_THIS}\b|first|earlier(?! than)|"
    rf"previously|beforehand|"
    r"before(?=\W*\Z)|the (?:earlier|older|first|former)(?: one| of (?:the two|both|them))?|already|older)|"
    rf"(?P<second>(?:after|following|behind|follow(?:s|ed)?|subsequent to) {_THIS}\b|afterwards?|after(?=\W*\Z)|"
    rf"later(?: on)?(?! than)|next|second|"
    rf"subsequently|thereafter|followed|follows|last|the (?:later|newer|second|latter|more recent|younger)(?: one|"
    rf" of (?:the two|both|them))?|"
    rf"newer|younger|only then|not yet|yet to (?:come|appear|follow|happen)))(?![\w-]){_NO_TIME}",
    re.IGNORECASE,
)
# What is said of the first thing right behind it: "is the later one", "came first".
LABEL: Final = re.compile(
    r"\A\W*(?:(?:is|was|were|are|being|came|comes|coming|happened|occurred|appeared|appears|logged|recorded|written|has|had|"
    r"been|stands|the|"
    r"one|of|which|that|to (?:come|appear))\W+){0,5}"
    r"(?:(?P<first>first|earlier|earliest|older|oldest|sooner|initial|former)|(?P<second>second|later|latest|newer|newest|last|"
    r"latter|younger))"
    r"(?! than\b)(?! by\b)(?: one| of (?:the two|both|them|these))?(?![\w-])",
    re.IGNORECASE,
)
PART: Final = re.compile(r"[,;.:]| (?:and|but|while|whereas|with|yet) ", re.IGNORECASE)
YET: Final = re.compile(
    r"(?<![\w-])(?:not(?: \w{1,12}){0,2}? yet|(?:was|were|had) yet to|n[’']t(?: \w{1,12}){0,2}? yet)(?![\w-])", re.IGNORECASE
)
ALREADY: Final = re.compile(r"(?<![\w-])(?:had|already|long since|by then)(?![\w-])", re.IGNORECASE)
WHEN: Final = re.compile(
    r"(?<![\w-])(?:when|by the time(?: of| that| when)?|at the (?:time|moment|point)(?: of| that| when)?)(?![\w-])", re.IGNORECASE
)
UNTIL: Final = re.compile(r"(?<![\w-])(?:until|till|once|as soon as)(?: after)?(?![\w-])", re.IGNORECASE)
NOT_UNTIL: Final = re.compile(
    r"(?<![\w-])(?:not|never|\w{2,8}n[’']t)(?= (?:[\w’'-]{1,20} ){0,4}(?:until|till|before|yet|precede|follow|after|earlier|"
    r"sooner)\b)",
    re.IGNORECASE,
)
NUMBERED: Final = (
    re.compile(r"(?<![\w.])(?:\(1\)|1[.):]|#1|no\. ?1\b)", re.IGNORECASE),
    re.compile(r"(?<![\w.])(?:\(2\)|2[.):]|#2|no\. ?2\b)", re.IGNORECASE),
)
HELPERS: Final = re.compile(
    r"(?<![\w-])(?:(?:turn|crop|show|pop)(?:s|ed|ped)? up|(?:c[ao]mes?|g[eo]ts?|rolls?|rolled) (?:in|up|along|through)|"
    r"trail(?:s|ed|ing)|in (?:the|their) (?:log|logs|timeline|order|sequence)|in time|timestamps?|looking at|by the clock|"
    r"by timestamps?|going by|"
    r"chronological(?:ly)?|events?|appearance|occurrence|only|already|not yet|yet|until|had|did|the two|both|of them|one|when|"
    r"whenever|"
    r"shortly|soon|right|immediately|directly|just|long|well|some time|a (?:bit|while|little)|moments|sequence|(?:that |"
    r"this )?order|timeline|first|(?:of )?the two|"
    r"last|second|later|earlier|then|next|point|moment|time)(?![\w-])",
    re.IGNORECASE,
)
ORDERS: Final = re.compile(
    r"(?<![\w-])(?:before(?:hand)?|prior to|ahead of|after(?:wards?)?|follow(?:s|ed|ing)?|preced(?:es?|ed|ing)|earlier|later|"
    r"subsequent(?:ly| to)|then|next|"
    r"thereafter|first|initially|already|once|until|older|newer|chronological(?:ly)?|(?:in|the) (?:that |this |reverse )?order|"
    r"order of|sequence|"
    r"timeline|heels|wake|by the time|(?:pre|post|ante)dat(?:es?|ed)|trail(?:s|ed|ing)|behind|succeed(?:s|ed)?|->|→|=>)(?![\w-])",
    re.IGNORECASE,
)
