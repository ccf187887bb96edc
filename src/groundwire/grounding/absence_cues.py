"""How an absence is said: "no", "not a single", "free of", "came up empty", "nowhere"; and what it is said of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from groundwire.grounding.bounds import BOUND, COMPLETE
from groundwire.grounding.count_words import LONGEST_READ, NamedLevel, levels_in

NEGATION: Final = re.compile(
    r"\b(?:no|not|none|never|nothing|without|neither|nor|(?<!to )zero|cannot|absent|nobody|nowhere)\b|n[’']t\b", re.IGNORECASE
)
# More ways to say that nothing is there; of single items they deny nothing.
_EMPTY: Final = re.compile(
    r"\b(?:zero|nil|nada|zilch|absence|absent|missing (?:from|in)|devoid|void of|free (?:of|from)|[a-z]+-free|"
    r"clean(?: of)?|clear of|"
    r"bare of|barren of|empty(?:-handed)?|quiet|silent|silence|lacks?|lacked|lacking|blank|dry|fail(?:s|ed)? to (?:find|"
    r"turn up|appear|show|"
    r"surface|occur|return|yield|reveal|match|locate|produce|log|emit|write)|unable to (?:find|locate|spot)|"
    r"(?:searched|looked|grepped) in vain|in vain|spotless|untouched by|spared|refrain(?:s|ed|ing)? from|avoid(?:s|ed|"
    r"ing)?|steer(?:s|ed)? clear|out of sight|unseen|unheard of)\b|"
    r"(?<![\w.,:/=-])0(?= (?:[\w-]+ ){0,3}(?:records?|lines?|entries|messages?|events?|hits?|matches|results?|occurrences?|"
    r"errors?|warnings?|"
    r"alerts?|alarms?|times|logs|mentions?|exceptions?|failures?))|(?:[:=]|\b(?:is|was|are|were|to|at|of|by|"
    r"equals))\s?0(?![\w.,:/%-]|\s?(?:ms|s|%)\b)",
    re.IGNORECASE,
)
_DOUBLES: Final = re.compile(
    r"\b(?:free of|clean of|clear of|rid of|cleared of|stripped of|without|not counting|no|ignoring|excluding|"
    r"not including|leaving out|leaving aside) (?:any |the )?(?:duplicates?|repeats?|repetitions?|doubles?|"
    r"double[- ]counting)\b",
    re.IGNORECASE,
)
_AFTER_COUNT: Final = re.compile(r"(?:,|\band|\bor|\bbut) (?:no|not) (?:fewer|less|more|higher|lower)\b(?! \w+)", re.IGNORECASE)

_RECORD: Final = (
    r"(?:log ?)?(?:records?|lines?|entry|entries|messages?|events?|rows?|statements?|logs|output|hits?|match(?:es)?|"
    r"results?|occurrences?|"
    r"mentions?|instances?|traces?|signs?|evidence|references?|appearances?|logging|cases?|examples?|sightings?|"
    r"indications?|activity|"
    r"anything|something|thing|one|such|any|peep|whisper|word|hint|shred|glimpse|speck|sound|squeak|utterance|note|text|"
    r"string|phrase|entry|bit|"
    r"footprint|tracks?|presence|showing|noise|chatter|finding|findings|counterpart|body|service|component)"
)
_TROUBLE: Final = r"(?:exceptions?|failures?|faults?|problems?|issues?|errors?|warnings?|trouble|complaints?)"
_ALERT: Final = r"(?:alerts?|alarms?|alerting|firing|pages?|notifications?)"
_SERIES: Final = r"(?:series|samples?|data(?: ?points?)?|points?|metrics?|values?)"
_LEVELS: Final = r"(?:trace|debug|info|notice|warn(?:ing)?|error|err|severe|crit(?:ical)?|fatal|emerg)(?:s\b|[- ]level\b|\b)"
_MODIFIER: Final = (
    r"(?:a|an|the|any|single|one|even|such|further|other|matching|active|relevant|corresponding|of|its|their|this|that|"
    r"these|those|"
    r"whatsoever|log|logged|recorded|known|at|level|with|saved|currently|more|severe|or|and|nor|no|worse|from|in|for|kind|"
    r"sort|type|"
    r"firing|pending|suppressed|open|critical|warning)"
)
_OBJECT: Final = re.compile(
    rf"[ ,]*(?:{_MODIFIER}[ ,]+){{0,7}}(?:{_RECORD}|{_TROUBLE}|{_ALERT}|{_SERIES}|{_LEVELS})\b", re.IGNORECASE
)
_NOT_ONE: Final = re.compile(r" (?:even |so much as )?(?:a single|one|any|an?)\b", re.IGNORECASE)
_QUOTED: Final = re.compile(rf"[ ,]*(?:{_MODIFIER}[ ,]+){{0,5}}[“\"`]", re.IGNORECASE)
_VERB: Final = (
    r"(?:find|found|see|seen|saw|spot(?:ted)?|locat(?:e|ed)|observ(?:e|ed)|detect(?:ed)?|identif(?:y|ied)|discover(?:ed)?|"
    r"notic(?:e|ed)|"
    r"encounter(?:ed)?|meet|met|uncover(?:ed)?|unearth(?:ed)?|reveal(?:ed)?|return(?:ed)?|yield(?:ed)?|produc(?:e|ed)|"
    r"turn(?:ed)? up|"
    r"show(?:n|ed)?(?: up)?|come up|came up|surfac(?:e|ed)|appear(?:ed)?|occur(?:red)?|happen(?:ed)?|exist(?:ed)?|aris(?:e|"
    r"en)|crop(?:ped)? up|"
    r"log(?:ged)?|writ(?:e|ten)|wrote|emit(?:ted)?|record(?:ed)?|report(?:ed)?|print(?:ed)?|output|rais(?:e|ed)|issu(?:e|"
    r"ed)|generat(?:e|ed)|"
    r"contain(?:ed)?|includ(?:e|ed)|mention(?:ed)?|say|said|have|had|has|hold|held|carr(?:y|ied)|featur(?:e|ed)|"
    r"list(?:ed)?|name[d]?|register(?:ed)?|"
    r"match(?:ed)?|captur(?:e|ed)|present|there|visible|among|in|part of|to be (?:found|seen)|available|evident|get|got|"
    r"read|quote[d]?|"
    r"surface[d]?|trac(?:e|ed)|attributed|ascribed|alert(?:ed|ing)?|fir(?:e|ed|ing)|active|pending|use[d]?|utter(?:ed)?|"
    r"throw|thrown|threw|"
    r"experienc(?:e|ed)|suffer(?:ed)?|give|gave|given|leave|left|aware of|know(?:n)? (?:of|to)|affected by)"
)
_NOT_VERB: Final = re.compile(
    rf"[ ,]*(?:(?:be|been|being|is|was|are|were|have|has|had|to|ever|once|even|actually|at all|anywhere|at any (?:point|"
    rf"time)|in any way|"
    rf"[\w-]+ly|[\w.-]{{1,60}}|a single time) ){{0,4}}?{_VERB}\b",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(r"\b(?:none|nothing|nobody|no one|nowhere|nil|nada|zilch)\Z", re.IGNORECASE)
_AT_NO_TIME: Final = re.compile(
    r"\bat no (?:point|time|moment|stage|instant)\b|\bin no (?:case|instance|record|line|entry)\b|\bon no occasion\b",
    re.IGNORECASE,
)
_SEVERAL_LEVELS: Final = re.compile(
    r"[ ,]*(?:and|or|nor|,|/|neither|no|not a single|any) ?(?:and|or|nor|no|any|a single)? ?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """What a claim says is absent: records of ``levels`` (none: of any), errors whatever they are called, or anything matching.

    ``problem`` says why it cannot be read; ``spans`` are the words that say so.
    """

    levels: tuple[NamedLevel, ...] = ()
    is_trouble: bool = False
    problem: str | None = None
    spans: tuple[tuple[int, int], ...] = ()


def without_bounds(text: str) -> str:
    """Return a text in which negations that only bound a number, such as "no fewer than", are blanked."""
    text = text[:LONGEST_READ]
    for pattern in (BOUND, COMPLETE, _AFTER_COUNT, _DOUBLES):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def negation_in(text: str) -> re.Match[str] | None:
    """Return the first word of a text that denies something, and not one that bounds a number."""
    if NEGATION.search(text) is None:
        return None
    return NEGATION.search(without_bounds(text))


def states_absence(text: str) -> bool:
    """Return whether a text says of a whole call that something is not there."""
    if NEGATION.search(text) is None and _EMPTY.search(text) is None:
        return False
    bare = without_bounds(text)
    return NEGATION.search(bare) is not None or _EMPTY.search(bare) is not None


def read_absence(text: str, whole: str) -> Absence:
    """Return what a claim says is absent. ``text`` is the claim without its quotes, ``whole`` the claim itself."""
    bare = without_bounds(text)
    cues = [match for pattern in (_AT_NO_TIME, NEGATION, _EMPTY) for match in pattern.finditer(bare)]
    cues = [cue for cue in cues if not any(o is not cue and o.start() <= cue.start() and cue.end() < o.end() for o in cues)]
    cues.sort(key=lambda cue: cue.start())
    if not cues:
        return Absence(problem="it does not say that something is absent")
    spans = [(cue.start(), cue.end()) for cue in cues]
    denied = [cue for index, cue in enumerate(cues) if not index or not _continues(bare, cues[index - 1], cue)]
    if len(denied) > 1 and not all(_is_apart(bare, a, b) for a, b in pairwise(denied)):
        return Absence(problem="two of its words deny, and one may undo the other", spans=tuple(spans))
    holds = all if len(denied) > 1 else any
    if not holds(_is_of_presence(bare, whole, cue) for cue in cues):
        return Absence(problem="what it denies is not whether something is there", spans=tuple(spans))
    levels = levels_in(bare)
    following = [level for level in levels if level.start >= denied[0].start()]
    chosen = _joined(following, bare) if following else levels
    if len(chosen) > 1 and not following and _joined(levels, bare) != levels:
        return Absence(problem="which level is absent cannot be told", spans=tuple(spans))
    trouble = re.search(rf"\b{_TROUBLE}\b", bare, re.IGNORECASE)
    return Absence(
        levels=tuple(chosen),
        is_trouble=not chosen and trouble is not None,
        spans=(*spans, *((level.start, level.end) for level in chosen)),
    )


def _continues(text: str, before: re.Match[str], cue: re.Match[str]) -> bool:
    """Return whether a second denying word goes on with the first: "no ERROR and no FATAL", "neither ... nor", "zero, none"."""
    between = text[before.end() : cue.start()]
    word = cue[0].lower()
    if word == "nor" or before[0].lower() == "neither":
        return True
    if re.fullmatch(r"[ ,;:–-]*", between):
        return word != "without" and before[0].lower() not in ("not", "never", "n't", "n’t")
    return word in ("no", "zero", "none") and re.search(r"(?:,|\band|\bor)\s*\Z", between, re.IGNORECASE) is not None


def _is_apart(text: str, before: re.Match[str], cue: re.Match[str]) -> bool:
    """Return whether two denying words stand in clauses of their own."""
    return re.search(r"[:;,–—.]|\band\b|\bbut\b", text[before.end() : cue.start()]) is not None


def _is_of_presence(text: str, whole: str, cue: re.Match[str]) -> bool:
    """Return whether a word denies that something is there: a record, an alert, a level, a quote, a verb of being seen."""
    if _AT_NO_TIME.fullmatch(cue[0]):
        return re.search(rf"\b{_VERB}\b", text, re.IGNORECASE) is not None
    word = cue[0].lower()
    behind, unquoted = whole[cue.end() : cue.end() + 90], text[cue.end() : cue.end() + 90]
    if _EMPTY.fullmatch(cue[0]) and word not in ("zero", "absent"):
        is_of_object = word.startswith(("free", "devoid", "void", "clean of", "clear of", "bare", "barren", "lack"))
        return not is_of_object or bool(_OBJECT.match(unquoted) or _QUOTED.match(behind))
    if word in ("not", "never", "cannot", "n't", "n’t") and not _NOT_ONE.match(unquoted):
        return _NOT_VERB.match(unquoted) is not None
    if _ALONE.search(word) or word == "absent":
        return True
    if _OBJECT.match(unquoted) or _QUOTED.match(behind):
        return True
    return word in ("not", "never", "cannot", "n't", "n’t") and _NOT_VERB.match(unquoted) is not None


def _joined(levels: list[NamedLevel], text: str) -> list[NamedLevel]:
    """Return the first level and those that are named together with it: "no ERROR or FATAL"."""
    run = levels[:1]
    for before, level in pairwise(levels):
        if not _SEVERAL_LEVELS.fullmatch(text[before.end : level.start]):
            break
        run.append(level)
    return run
