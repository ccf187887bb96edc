"""The words that say what a time is the time of: the first, the last, a bound, one end of a span."""

from __future__ import annotations

import re
from typing import Final

_FIRST_ADJECTIVES: Final = (
    r"first|firstly|earliest|oldest|initial|initially|opening|very first|leading|inaugural|first[- ](?:ever|seen|recorded)"
)
_LAST_ADJECTIVES: Final = (
    r"last|latest|newest|(?:most )?recent(?:ly|most)?|final|finally|closing|concluding|very last|ultimate|trailing|"
    r"last[- ](?:seen|recorded)|youngest"
)
_FIRST_VERBS: Final = (
    r"start(?:s|ed|ing)?(?:[- ](?:up|off|out|time|point|firing))?|began|begin(?:s|ning|nings)?|begun|commenc(?:es?|ed|ing|ement)|"
    r"onset|outset|kick(?:s|ed|ing)? (?:in|off)|kick-?off|set(?:s|ting)? in|broke(?:n)? out|break(?:s|ing)? out|outbreak|"
    r"emerg(?:es?|ed|ing|ence)|originat(?:es?|ed|ing)|origin|inception|arose|arise[sn]?|surfac(?:es?|ed|ing)|debut(?:s|ed)?|"
    r"activat(?:es?|ed|ing|ion)|(?:became|becomes?|becoming|went|goes|going|turned|turning|got|came) (?:active|live|off|on)|"
    r"fired(?: off)?|fires|trigger(?:s|ed|ing)|tripped|raised|(?:has|had|have) (?:been|remained|stayed|kept)(?: [a-z-]{2,20})? active|"
    r"as early as|opened|opens|lit up|cropped up|(?:entered|entering|enters|reached) (?:its|the|an) (?:active|firing) (?:phase|state)|"
    r"(?:first )?(?:appeared|showed up|came up)|start(?:s|ed)?_?at|active[_ ]?at"
)
_LAST_VERBS: Final = (
    r"end(?:s|ed|ing|point)?(?:[- ]time)?|stop(?:s|ped|ping)?|ceas(?:es?|ed|ing)|cessation|conclud(?:es?|ed|ing)|conclusion|"
    r"finish(?:es|ed|ing)?|died (?:down|out|away|off)|dried up|tail(?:s|ed|ing)?[- ](?:end|off)|terminat(?:es?|ed|ing|ion)|"
    r"subsid(?:es?|ed|ing)|let up|abat(?:es?|ed|ing)|peter(?:s|ed|ing)? out|faded(?: out| away)?|went (?:away|quiet|silent)|"
    r"fell silent|closed|closes|disappear(?:s|ed)?|vanish(?:es|ed)?|cleared(?: up)?|resolved|recovered|as (?:late|recently) as|"
    r"ends?_?at|came to an end|over and done|wound down|dropped off|broke off|breaks off|ran out|runs out|cut off"
)
CUE: Final = re.compile(
    rf"(?<![\w-])(?:(?P<first>{_FIRST_ADJECTIVES})|(?P<last>{_LAST_ADJECTIVES})|(?P<began>{_FIRST_VERBS})|(?P<ended>{_LAST_VERBS}))"
    r"(?![\w-])",
    re.IGNORECASE,
)

_NEARLY: Final = (
    r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|~|≈|nearly|exactly|precisely|sharp|only|just|as|early|late|at|on|"
    r"the|time|times|timestamps?|of|clock|instant|moment|minute|mark|one|entry|record|line|from|then|already|still)"
)
PREPOSITION: Final = re.compile(
    r"(?<![\w-])(?P<soon>(?:shortly|just|soon|right|immediately|moments|seconds|a (?:bit|little|moment)|some time|not long) )?"
    r"(?:(?P<by>by|no later than|not later than|at or before|on or before|latest by)|"
    r"(?P<before>before|prior to|ahead of|earlier than|in advance of|sooner than)|"
    r"(?P<after>after|past|later than|following|beyond|subsequent to)|"
    r"(?P<until>(?:up )?until|till|til|up to|through|thru|to)|"
    r"(?P<since>(?:ever )?since|from|as of|(?:starting|beginning)(?: at| from| with| on)?)|"
    r"(?P<between>between|in between)|"
    r"(?P<at>(?:dat(?:es?|ed|ing)|go(?:es)?|trac(?:es?|ed)|com(?:es?|ing)|came|stems?)(?: back)? (?:to|from)|belong(?:s|ed)? to|"
    rf"at|on|@|around|about|of|is|was|in))\s(?:{_NEARLY}\s){{0,4}}\s*\Z",
    re.IGNORECASE,
)
ONWARDS: Final = re.compile(r"(?:\s?(?:and )?(?:onwards?|on|forwards?|and later))(?![\w-])(?!\s+\w*\d)", re.IGNORECASE)
AT_THE_LATEST: Final = re.compile(r",? at the (?:very )?latest\b", re.IGNORECASE)
JOINT: Final = re.compile(
    r"\s*(?:\(?(?:UTC|Z)\)?)?\s*,?\s*(?:(?P<and>and|&)|-|–|—|→|->|\.\.\.?|/|to|(?:up )?until|till|through|thru|up to)\s*"
    r"(?:about |around |roughly |~ ?|at )?\Z",
    re.IGNORECASE,
)

_NOTHING: Final = (
    r"no|none|nothing|not|never|neither|nobody|without|n[’']t|nowhere|no longer|quiet|silent|silence|clean|calm|free|absent"
)
# "no record before T", "none since T", "did not start until T": where what there is begins or ends.
BOUND_BEFORE: Final = re.compile(
    rf"(?<![\w-])(?:\w{{2,8}}(?=n[’']t))?(?:{_NOTHING})\b(?P<between>[^.;:!?]{{0,120}}?)\b"
    rf"(?:(?P<until>before|until|till|prior to|earlier than|ahead of|sooner than)|(?P<since>after|since|beyond|past|later than|following))"
    rf"\s(?:{_NEARLY}\s|that\s){{0,5}}\s*\Z",
    re.IGNORECASE,
)
BOUND_AFTER: Final = re.compile(
    r"\A[^.!?]{0,60}?(?:\b(?:none|nothing|not one|no one|not|no|never)\b(?: [\w-]{1,20}){0,3}?) "
    r"(?:(?P<until>earlier|sooner|before(?:hand)?(?: (?:that|it|this|then))?|previously|prior(?: to (?:that|it|this))?)|"
    r"(?P<since>later|after(?:wards?|wards)?(?: (?:that|it|this|then))?|since(?: then)?|further|more|beyond(?: that)?|anymore|"
    r"thereafter))\b",
    re.IGNORECASE,
)
WINDOW: Final = re.compile(
    r"\b(?:windows?|asked|search(?:ed|es)?|search range|queried|query|quer(?:y|ies)|cover(?:s|ed|ing)?|scope|looked|examined|"
    r"time ?(?:range|frame|span))\b",
    re.IGNORECASE,
)
# Words that say only that what follows is a time.
STAMPS: Final = re.compile(
    r"\b(?:(?:time[- ]?)?stamp(?:s|ed|ing)?|timestamps?|timestamped|dated|dat(?:es|ing)(?: back)?|marks?|marked|marking|"
    r"clocked(?: in)?|carr(?:y|ies|ied|ying)|bear(?:s|ing)?|bore|came in|arrived|time[sd]?)\b",
    re.IGNORECASE,
)
# "the last error": of a single cited line that needs the line to be the last.
SUPERLATIVE: Final = re.compile(
    r"(?<![\w-])(?:(?P<first>first|earliest|oldest|initial)|(?P<last>last|latest|newest|final|most recent))"
    r"(?: (?!(?:of|is|was|at|in)\b)[\w’'-]{1,30}){0,4}? (?:records?|lines?|entr(?:y|ies)|errors?|warnings?|messages?|occurrences?|events?|"
    r"failures?|exceptions?|ones?)\b",
    re.IGNORECASE,
)
SUPERLATIVE_WORD: Final = re.compile(
    r"(?<![\w-])(?:first|earliest|oldest|initial|last|latest|newest|final|most recent)(?![\w-])", re.IGNORECASE
)
ANY: Final = re.compile(r"\b(?:any|further|more|other|additional|single|at all|whatsoever|when|anymore)\b", re.IGNORECASE)
