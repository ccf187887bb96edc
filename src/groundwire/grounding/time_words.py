"""The words that say what a time is the time of: the first, the last, a bound, one end of a span."""

from __future__ import annotations

import re
from typing import Final

_FIRST_ADJECTIVES: Final = (
    r"first|firstly|1st|earliest|oldest|eldest|initial|initially|opening|opener|very first|inaugural|foremost|"
    r"first[- ](?:ever|seen|recorded|time|sighting|sign)s?|as far back as|lower (?:bound|end|limit)|head|lead-?off|"
    r"(?:min(?:imum|imal)?|lowest|smallest)(?=[ (]{1,2}(?:of )?(?:the )?(?:time|timestamp|date|clock|instant))|"
    r"(?:dat(?:es?|ed|ing)|go(?:es)?|went|reach(?:es|ed)?|trac(?:es?|ed)|stretch(?:es|ed)?) back(?= (?:to|until|as far))"
)
_LAST_ADJECTIVES: Final = (
    r"last|lastly|latest|newest|youngest|(?:most )?recent(?:ly|most)?|final|finally|closing|closer|concluding|very last|ultimate|"
    r"trailing|last[- ](?:ever|seen|recorded|time|sighting|sign)s?|upper (?:bound|end|limit)|tail|rear|"
    r"(?:max(?:imum|imal)?|highest|greatest|largest)(?=[ (]{1,2}(?:of )?(?:the )?(?:time|timestamp|date|clock|instant))"
)
_FIRST_VERBS: Final = (
    r"start(?:s|ed|ing|er)?(?:[- ](?:up|off|out|time|point|firing))?|began|begin(?:s|ning|nings)?|begun|commenc(?:es?|ed|ing|"
    r"ement)|"
    r"onset|outset|kick(?:s|ed|ing)? (?:in|off)|kick-?off|(?:set(?:s|ting)?|came|com(?:es?|ing)|crept|creeps?|roll(?:s|ed|ing)?|"
    r"pour(?:s|ed|ing)?|flood(?:s|ed)?) in|set(?:s|ting)? off|br(?:oke|oken|eak|eaks|eaking) out|outbreak|erupt(?:s|ed|ing|ion)?|"
    r"flar(?:es?|ed|ing) up|emerg(?:es?|ed|ing|ence)|originat(?:es?|ed|ing)|origin|inception|arose|aris(?:es?|en|ing)|"
    r"surfac(?:es?|ed|ing)|debut(?:s|ed)?|activat(?:es?|ed|ing|ion)|"
    r"(?:bec[ao]mes?|becoming|went|go(?:es|ing)?|turn(?:s|ed|ing)?|g[eo]t|gets|c[ao]me|comes|switch(?:es|ed)?) (?:active|live|"
    r"off|on)|"
    r"fired(?: off)?|fires|trigger(?:s|ed|ing)|trip(?:s|ped)|raised|(?:has|had|have) (?:been|remained|stayed|kept)"
    r"(?: [a-z-]{2,20})? active|as early as|open(?:s|ed)?|lit up|lights up|crop(?:s|ped|ping)? up|pop(?:s|ped|ping)? up|"
    r"(?:come|came|comes|show(?:s|ed|n)?|turn(?:s|ed)?|sprang|springs) up|appear(?:s|ed|ing|ance)?|took off|takes off|"
    r"(?:enter(?:ed|ing|s)?|reached) (?:its|the|an) (?:active|firing) (?:phase|state)|"
    r"(?:g[eo]t|gets|getting) (?:going|under ?way|started)|(?:is|was|were) under ?way|woke(?: up)?|(?:came|sprang|springs|comes|"
    r"roared|sputtered) (?:alive|(?:in)?to (?:life|action|being))|"
    r"(?:got|gets|has been|was|is|were) (?:triggered|tripped|activated|raised|live|on)|"
    r"(?:sign|clock|logg?)(?:s|ed)? (?:on|in)|entrance|bow(?:s|ed)? in|start(?:s|ed)?_?at|active[_ ]?at|birth|dawn(?:s|ed)?|"
    r"struck|strikes?"
)
_LAST_VERBS: Final = (
    r"end(?:s|ed|ing|ings|point)?(?:[- ]time)?|stop(?:s|ped|ping)?|ceas(?:es?|ed|ing)|cessation|conclud(?:es?|ed|ing)|conclusion|"
    r"finish(?:es|ed|ing)?|(?:die[sd]?|dying|tail(?:s|ed|ing)?|taper(?:s|ed|ing)?|trail(?:s|ed|ing)?|fad(?:es?|ed|ing)|"
    r"peter(?:s|ed|ing)?|fizzl(?:es?|ed|ing)|drop(?:s|ped|ping)?|br(?:oke|eaks?|eaking)|cut(?:s|ting)?|wear(?:s|ing)?|wore|wound|"
    r"winds?|ran|runs?|running|fell|falls?) (?:down|out|away|off|dry)|dr(?:y|ies|ied|ying) up|tail[- ]end|"
    r"terminat(?:es?|ed|ing|ion)|subsid(?:es?|ed|ing)|let(?:s|ting)? up|abat(?:es?|ed|ing)|ebb(?:s|ed)?(?: away)?|"
    r"(?:go(?:es)?|went|gone|fell|falls?|turn(?:s|ed)?|bec[ao]mes?|is|are|was|were|stays?|stayed) (?:away|quiet|silent|dark|"
    r"still|calm)|"
    r"(?:is|are|was|were|all) (?:over|gone|done|finished)|clos(?:es?|ed)|disappear(?:s|ed|ing|ance)?|vanish(?:es|ed|ing)?|"
    r"clear(?:s|ed)(?: up)?|resolved?s?|recover(?:s|ed)|as (?:late|recently) as|ends?_?at|"
    r"(?:c[ao]mes?|dr[ae]ws?|ground|grinds?) to (?:an end|a (?:halt|stop|close|rest))|over and done|halt(?:s|ed|ing)?|wrap(?:s|"
    r"ped|ping)? up|"
    r"quiet(?:s|ed|ens?|ened)?(?: down)?|calm(?:s|ed)? down|silence|quit(?:s)?|laps(?:es?|ed)|exit(?:s|ed)?|(?:sign|clock|bow|"
    r"logg?)(?:s|ed)? (?:out|off)|as far as(?! back)|expir(?:es?|ed)|sign(?:s|ed) off"
)
CUE: Final = re.compile(
    rf"(?<![\w-])(?:(?P<first>{_FIRST_ADJECTIVES})|(?P<last>{_LAST_ADJECTIVES})|(?P<began>{_FIRST_VERBS})|"
    rf"(?P<ended>{_LAST_VERBS}))"
    r"(?![\w-])",
    re.IGNORECASE,
)

_NEARLY: Final = (
    r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|~|≈|nearly|exactly|precisely|sharp|only|just|as|early|late|at|"
    r"on|"
    r"the|time|times|timestamps?|of|clock|instant|moment|minute|mark|one|entry|record|line|from|then|already|still|an?|that|"
    r"right|back|"
    r"error|warning|event|message|occurrence|last|first|final|earliest|latest)"
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
    r"not (?:one|a single|any)|no|none|nothing|not|never|neither|nobody|without|n[’']t|nowhere|"
    r"no longer|quiet|silent|silence|clean|calm|free of|absent"
)
# "no record before T", "none since T", "did not start until T": where what there is begins or ends.
BOUND_BEFORE: Final = re.compile(
    rf"(?<![\w-])(?:\w{{2,8}}(?=n[’']t))?(?:{_NOTHING})\b(?P<between>[^.;:!?]{{0,120}}?)\b"
    rf"(?:(?P<until>before|until|till|prior to|earlier than|ahead of|sooner than|older than|"
    r"preced(?:es?|ed|ing)|predat(?:es?|ed))|(?P<since>after|since|beyond|past|later than|follow(?:s|ed|ing)?|newer than|"
    r"more recent than|succeed(?:s|ed)?|subsequent to))"
    rf"(?:\s[^.;:!?,]{{1,80}}?)?\s(?:{_NEARLY}\s|that\s){{0,5}}\s*\Z",
    re.IGNORECASE,
)
BOUND_AFTER: Final = re.compile(
    r"\A[^.!?]{0,60}?(?P<said>\b(?:none|nothing|not one|no one|not|no|never)\b(?: [\w-]{1,20}){0,3}?) "
    r"(?:(?P<until>earlier|sooner|before(?:hand)?(?: (?:that|it|this|then))?|previously|preced(?:es?|ed|ing)(?: (?:that|it|"
    r"this))?|prior(?: to (?:that|it|this))?)|"
    r"(?P<since>later|after(?:wards?|wards)?(?: (?:that|it|this|then))?|since(?: then)?|further|more|beyond(?: that)?|anymore|"
    r"thereafter|follow(?:s|ed|ing)?(?: (?:that|it|this))?))\b",
    re.IGNORECASE,
)
# The thing that T is the time of may stand between: "after the last error of checkout at T".
_GAP: Final = rf"(?:\s[^.;:!?,]{{1,80}}?)?\s(?:{_NEARLY}\s|that\s){{0,5}}\s*\Z"
BOUND_AHEAD: Final = re.compile(
    r"(?<![\w-])(?:(?P<until>before|until|till|prior to|earlier than|ahead of|up to|preceding)|"
    rf"(?P<since>after|since|beyond|past|later than|following|from|subsequent to)){_GAP}",
    re.IGNORECASE,
)
# "Not" says that there is nothing only of being seen: "the database did not answer" speaks of something else.
_NOT_SEEN: Final = (
    r"(?:not|never|\w{2,8}n[’']t)(?= (?:[\w-]{1,20} ){0,3}(?:see|seen|saw|logg?(?:ed)?|record(?:ed|s)?|appear(?:ed)?|"
    r"occur(?:red)?|come|came|"
    r"find|found|observed?|any|one|another|again|exist(?:ed)?|happen(?:ed)?|emerged?|start(?:ed)?|begin|begun|heard)\b)"
)
SAYS_NOTHING: Final = re.compile(
    r"\A(?: (?:on|onwards?))?[^.!?]{0,120}?(?P<said>\b(?:no|none|nothing|nobody|neither|without|nowhere|quiet|silent|silence|"
    r"clean|calm|free of|"
    rf"absent|{_NOT_SEEN})(?!\w))",
    re.IGNORECASE,
)
WINDOW: Final = re.compile(
    r"\b(?:windows?|asked|search(?:ed|es)?|search range|queried|query|quer(?:y|ies)|cover(?:s|ed|ing)?|scope|looked|examined|"
    r"time ?(?:range|frame|span))\b",
    re.IGNORECASE,
)
# Words that say only that what follows is a time.
STAMPS: Final = re.compile(
    r"\b(?:ever since|that[’']s where|this is where|(?:active|firing|alerting|pending) (?:period|phase|spell|time|state)s?|"
    r"clock|hour at which|"
    r"(?:time[- ]?)?stamp(?:s|ed|ing)?|timestamps?|timestamped|dated|dat(?:es|ing)(?: back)?|marks?|marked|marking|"
    r"clocked(?: in)?|carr(?:y|ies|ied|ying)|bear(?:s|ing)?|bore|came in|arrived|time[sd]?)\b",
    re.IGNORECASE,
)
# "the last error": of a single cited line that needs the line to be the last.
SUPERLATIVE: Final = re.compile(
    r"(?<![\w-])(?:(?P<first>first|earliest|oldest|initial)|(?P<last>last|latest|newest|final|most recent))"
    r"(?: (?!(?:of|is|was|at|in)\b)[\w’'-]{1,30}){0,4}? (?:records?|lines?|entr(?:y|ies)|errors?|warnings?|messages?|"
    r"occurrences?|events?|"
    r"failures?|exceptions?|ones?)\b",
    re.IGNORECASE,
)
SUPERLATIVE_WORD: Final = re.compile(
    r"(?<![\w-])(?:first|earliest|oldest|initial|last|latest|newest|final|most recent)(?![\w-])", re.IGNORECASE
)
ANY: Final = re.compile(
    r"\b(?:any|further|more|other|additional|single|at all|whatsoever|when|anymore|follow(?:s|ed|ing)?|preced(?:es?|ed|ing)|"
    r"of the kind|of that kind|such)\b",
    re.IGNORECASE,
)
