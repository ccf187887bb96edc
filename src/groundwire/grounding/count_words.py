"""The words of counting: what is counted, in which words a count is told, and what only helps to tell it."""

from __future__ import annotations

import re
from typing import Final

from groundwire.domain.levels import Level, parse_level

LONGEST_READ: Final = 4000
"""Longer claims are not read for counts and absences: a statement is a sentence, and a page of cues takes long."""

RECORD_NOUNS: Final = frozenset(
    (
        "record records line lines entry entries message messages event events row rows hit hits match matches result results "
        "occurrence occurrences time times statement statements logs loglines occasions occasion mention mentions"
    ).split()
)
REPEATABLE: Final = frozenset("time times occurrence occurrences occasion occasions event events".split())
"""Nouns that one record may stand for more than once ("message repeated 5 times")."""

TROUBLE_NOUNS: Final = frozenset("exception exceptions failure failures fault faults problem problems issue issues".split())
ALERT_NOUNS: Final = frozenset("alert alerts alarm alarms".split())
SERIES_NOUNS: Final = frozenset(("series",))
OTHER_NOUNS: Final = frozenset("section sections runbook runbooks block blocks document documents page pages".split())

_INSTANCE: Final = "pod instance host node machine replica container server box worker"
_SERVICE: Final = "service component application app microservice workload deployment"
_ADDRESS: Final = "address addresse ip client peer source origin endpoint"
THINGS: Final = {
    **{f"{noun}{end}": "instance" for noun in _INSTANCE.split() for end in ("", "s", "es")},
    **{f"{noun}{end}": "service" for noun in _SERVICE.split() for end in ("", "s")},
    **{f"{noun}{end}": "address" for noun in _ADDRESS.split() for end in ("", "s")},
    **{f"{noun}{end}": "user" for noun in "user username account login".split() for end in ("", "s")},
}
"""Things that are counted by their distinct values -> the part of a record that tells them apart."""

DISTINCT: Final = frozenset(
    "different distinct unique separate individual various diverse discrete dissimilar deduplicated deduped single".split()
)

_LEVELS: Final = r"TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|SEVERE|CRIT(?:ICAL)?|FATAL|EMERG(?:ENCY)?"
_OR_WORSE: Final = (
    r"(?P<worse>[ -]?(?:level|severity)?,? ?(?:(?:and|or) (?:(?:more|even more) (?:severe|serious|critical)|worse|higher|"
    r"above|up|"
    r"upwards?|greater|beyond)|\+))?"
)
LEVEL: Final = re.compile(
    rf"(?P<least>\b(?:at least|minimum|above|beyond|worse than|more severe than|higher than|over) (?:level )?)?"
    rf"(?<![\w./-])(?P<level>{_LEVELS})(?P<plural>s|S)?(?![\w/]|\.\w){_OR_WORSE}",
    re.IGNORECASE,
)
"""A level as a claim names it, with "or worse" where it says so."""

# What makes a small-letter "error" or "info" the level: a noun of records behind it, or a word for a level before it.
_IS_LEVEL_BEFORE: Final = re.compile(r"\b(?:level|levels|severity|at|as|by level:?)\s?[:=]?\s?\Z", re.IGNORECASE)
_IS_LEVEL_AFTER: Final = re.compile(
    r"[- ]?(?:level|severity)?[ -]?(?:log )?(?:records?|lines?|entry|entries|messages?|events?|logs?|output|level)\b",
    re.IGNORECASE,
)


class NamedLevel:
    """A level that a claim names at ``start``: that level alone, it and worse, or (``strict``) only worse."""

    __slots__ = ("end", "is_or_worse", "is_strict", "level", "start")

    def __init__(self, match: re.Match[str], level: Level) -> None:
        least = (match["least"] or "").lower().strip()
        self.start, self.end, self.level = match.start(), match.end(), level
        self.is_strict = bool(least) and not least.startswith(("at least", "minimum"))
        self.is_or_worse = bool(match["worse"]) or bool(least)

    def takes(self, name: str) -> bool:
        """Return whether a level by this name is among those that are meant."""
        level = parse_level(name)
        if level is None:
            return False
        if self.is_strict:
            return level > self.level
        return level >= self.level if self.is_or_worse else level is self.level

    @property
    def lowest(self) -> int:
        """Return how severe the least severe of the meant levels is."""
        return self.level + 1 if self.is_strict else int(self.level)

    @property
    def shown(self) -> str:
        if self.is_strict:
            return f"more severe than {self.level.name}"
        return self.level.name + (" or more severe" if self.is_or_worse else "")


def levels_in(text: str) -> list[NamedLevel]:
    """Return the levels that a text names; "error" in small letters only where it stands as a level of records."""
    found = []
    for match in LEVEL.finditer(text):
        word = match["level"]
        level = parse_level(word)
        is_meant = (
            word.isupper()
            or match["worse"]
            or (match["plural"] and level in (Level.ERROR, Level.WARN, Level.FATAL))
            or _IS_LEVEL_BEFORE.search(text[max(0, match.start("level") - 16) : match.start("level")])
            or _IS_LEVEL_AFTER.match(text, match.end("level"))
        )
        if level is not None and is_meant:
            found.append(NamedLevel(match, level))
    return found


WIDE: Final = re.compile(
    r"\b(?:(?:all|every|any|each|across|no) (?:of the )?(?:services?|components?|systems?|logs?)|in the (?:whole |"
    r"entire )?(?:window|log|system))\b",
    re.IGNORECASE,
)
"""Words by which a claim without the name of a service states a scope of its own."""

SEARCHED: Final = re.compile(
    r"\b(?:match(?:e[sd]|ing)?|hits?|results?|search(?:e[sd])?|quer(?:y|ies|ied)|look-?up|grep(?:ped|s)?|returned|returns?|found|"
    r"yield(?:s|ed)?|turned up|came back|those|these|them|they|that's|call|we (?:see|got|saw)|there are no others)\b",
    re.IGNORECASE,
)
"""Words by which a claim speaks of what a search found, whatever that search asked for."""

COUNTING: Final = re.compile(
    r"\b(?:numbers?|count(?:s|ed|ing)?|totals?|totall?(?:ed|ing)|tall(?:y|ies|ied)|sum(?:s|med)?|hits|volume|figures?|quantity|"
    r"amount(?:s|ed)?|breakdown|broken down|split|by (?:level|severity)|account(?:s|ed)? for|make up|makes up|made up|"
    r"add(?:s|ed)? up|deduped|deduplicated)\b",
    re.IGNORECASE,
)
"""Words that announce a count whose noun stands elsewhere."""

_SPAN: Final = (
    r"(?:(?:over|during|in|within|throughout|across|for|inside|of) )?(?:the |this |that |its |our )?(?:course of (?:the )?)?"
    r"(?:(?:whole|entire|full|complete|examined|observed|given|incident|queried|query|search|searched|asked|requested|"
    r"relevant|stated|"
    r"specified|time|analy[sz]ed|investigated|inspected|reviewed|covered) ){0,3}"
    r"(?:window|period|interval|time ?frame|time ?span|range|span|timeline|investigation|incident|analysis|duration|search|"
    r"query)\b"
)
HELPER: Final = re.compile(
    rf"\b(?:{_SPAN}|"
    r"all told|in (?:all|total|sum|aggregate|full|the aggregate|the end)|all in all|altogether|together|overall|"
    r"taken together|combined|"
    r"grand total|that's the lot|that is the lot|all services?|every service|any service|"
    r"(?:without|not counting|no|ignoring|excluding|leaving out|leaving aside) (?:any |the )?(?:duplicates?|repeats?|"
    r"repetitions?|doubles?)|"
    r"at any (?:point|time)|on record|on file|to date|so far|as a whole|broken down|breakdown|by (?:level|severity|service)|"
    r"turn(?:s|ed|ing)? up|show(?:s|ed|n|ing)? up|came (?:back|out|in)|comes? (?:back|out|in)|comes? to|came to|add(?:s|ed)? up|"
    r"amount(?:s|ed|ing)? to|account(?:s|ed|ing)? for|"
    r"ma(?:ke|kes|de) up|trace(?:s|d)? back|goes back|go back|went back|"
    r"(?:examined|observed|given|investigated) (?:window|period|interval|records?|lines?|entries)|"
    r"f(?:ind|inds|ound|inding)|observ(?:e|es|ed|ing)|se(?:e|es|en|eing)|saw|sh(?:ow|ows|owed|own|owing)|"
    r"log(?:s|ged|ging)?|record(?:s|ed|ing)?|report(?:s|ed|ing)?|emit(?:s|ted|ting)?|produc(?:e|es|ed|ing)|writ(?:e|es|ten|"
    r"ing)|wrote|"
    r"generat(?:e|es|ed|ing)|rais(?:e|es|ed|ing)|issu(?:e|es|ed|ing)|print(?:s|ed|ing)?|output(?:s|ted)?|return(?:s|ed|ing)?|"
    r"yield(?:s|ed|ing)?|g(?:ive|ives|ave|iven|iving)|g(?:et|ets|ot|otten)|count(?:s|ed|ing)?|identif(?:y|ies|ied|ying)|"
    r"detect(?:s|ed|ing)?|locat(?:e|es|ed|ing)|collect(?:s|ed|ing)?|retriev(?:e|es|ed)|fetch(?:es|ed)?|captur(?:e|es|ed)|"
    r"register(?:s|ed)?|"
    r"match(?:es|ed|ing)?|exist(?:s|ed|ing)?|contain(?:s|ed|ing)?|h(?:old|olds|eld)|compris(?:e|es|ed|ing)|includ(?:e|es|ed|ing)|"
    r"consist(?:s|ed|ing)?|carr(?:y|ies|ied|ying)|bear(?:s|ing)?|bore|ha(?:s|ve|d|ving)|appear(?:s|ed|ing)?|occur(?:s|red|"
    r"ring|rences?)?|"
    r"happen(?:s|ed|ing)?|ar(?:ise|ises|ose)|reach(?:es|ed|ing)?|equal(?:s|led|ed)?|totals?|totall?(?:ed|ing)|sums?|"
    r"summ(?:ed|ing)|"
    r"st(?:and|ands|ood)|numbers?|numbered|tall(?:y|ies|ied)|volume|quantit(?:y|ies)|figures?|sets?|complete|represent(?:s|ed)?|"
    r"constitut(?:e|es|ed)|result(?:s|ed)?|hits?|search(?:es|ed)?|quer(?:y|ies|ied)|look-?up|analy(?:sis|ses|sed|zed)|"
    r"investigat(?:ion|ed)|"
    r"review(?:s|ed)?|inspect(?:ion|ed)|examin(?:ation|ed|e)|scan(?:s|ned)?|grep(?:s|ped)?|dat(?:a|aset)|evidence|"
    r"classif(?:y|ies|ied)|categori[sz]ed|label(?:l?ed)?|tag(?:ged)?|mark(?:ed)?|flag(?:ged)?|levels?|level-wise|"
    r"severit(?:y|ies)|"
    r"involv(?:e|es|ed|ing)|affect(?:s|ed)|span(?:s|ned|ning)?|spread(?:s|ing)?|distribut(?:e|es|ed|ing)|scattered|split|"
    r"originat(?:e|es|ed|ing)|stem(?:s|med|ming)?|c(?:ome|omes|ame|oming)|belong(?:s|ed|ing)?|attribut(?:e|es|ed|able)|ascribed|"
    r"contribut(?:e|es|ed|ing)|responsible|share|portion|proportion|percentage|fraction|"
    r"across|among|amongst|behind|between them|dedup(?:ed|licated)|us|our|ours|there|we|i|it|that's|with respect to|"
    r"those|these|them|they|which|who|whose|also)\b",
    re.IGNORECASE,
)
"""Words and phrases that help to tell a count and state nothing of their own."""
