"""The words with which people speak of measurements, by what they do: a phrase of one to six words stands for one cue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from groundwire.grounding.series_phrases import PHRASES


class Cue(StrEnum):
    """What a phrase does in a statement about a series."""

    HIGH = "high"
    LOW = "low"
    WORST = "worst"
    BEST = "best"
    MEAN = "mean"
    MEDIAN = "median"
    PERCENTILE = "percentile"
    FIRST = "first"
    LAST = "last"
    UP = "up"
    DOWN = "down"
    FLAT = "flat"
    CHANGE = "change"
    SPIKE = "spike"
    SWING = "swing"
    STEADY = "steady"
    SLIGHT = "slight"
    STRONG = "strong"
    OVER = "over"
    UNDER = "under"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    CROSS = "cross"
    REACH = "reach"
    SHORT = "short"
    NOT = "not"
    ALL = "all"
    WHOLE = "whole"
    ANY = "any"
    MOST = "most"
    STAY = "stay"
    MORE = "more"
    LESS = "less"
    SAME = "same"
    PASSIVE_MORE = "passive_more"
    PASSIVE_LESS = "passive_less"
    REFERENCE = "reference"
    FACTOR = "factor"
    NORMAL = "normal"
    ENDED = "ended"
    RESET = "reset"
    UNREAD = "unread"
    SAMPLE = "sample"
    SCOPE = "scope"
    HELPER = "helper"


_FILLERS: Final = frozenset("the a an its their this our very".split())
_SCOPE_HEADS: Final = frozenset("over during in within across throughout for of through inside all by taken".split())
_SCOPE_MIDST: Final = frozenset(
    "the a an its this that entire whole full complete observed given recorded sampled measured shown captured examined "
    "investigated queried incident observation sampling measurement analysed covered returned relevant course of length duration "
    "all same stored requested question's query".split()
)
_SCOPE_ENDS: Final = frozenset(
    "window period interval timeframe span range run stretch timespan recording capture trace incident timeline session dataset "
    "graph chart plot hour series duration data time".split()
)
_SAMPLES: Final = frozenset("samples values readings measurements points observations datapoints".split())
_ENTIRE: Final = frozenset("throughout entire whole full complete".split())
_IRREGULAR: Final[Mapping[str, str]] = {
    "rise": "rises rose risen rising",
    "fall": "falls fell fallen falling",
    "go": "goes went gone going",
    "get": "gets got gotten getting",
    "come": "comes came coming",
    "break": "breaks broke broken breaking",
    "grow": "grows grew grown growing",
    "shrink": "shrinks shrank shrunk shrinking",
    "sink": "sinks sank sunk sinking",
    "begin": "begins began begun beginning",
    "stand": "stands stood standing",
    "hit": "hits hitting",
    "shoot": "shoots shot shooting",
    "keep": "keeps kept keeping",
    "hold": "holds held holding",
    "swing": "swings swung swinging",
    "spring": "springs sprang sprung springing",
    "dive": "dives dived dove diving",
    "lie": "lies lay lain lying",
    "slide": "slides slid sliding",
    "win": "wins won winning",
    "beat": "beats beaten beating",
    "run": "runs ran running",
    "be": "is are was were been being",
    "have": "has had having",
    "make": "makes made making",
    "see": "sees saw seen seeing",
    "show": "shows showed shown showing",
    "read": "reads reading",
    "take": "takes took taken taking",
    "leave": "leaves left leaving",
    "lose": "loses lost losing",
    "put": "puts putting",
    "sit": "sits sat sitting",
    "overshoot": "overshoots overshot overshooting",
    "outrun": "outruns outran outrunning",
    "outdo": "outdoes outdid outdone outdoing",
    "undergo": "undergoes underwent undergone undergoing",
    "spread": "spreads spreading",
    "find": "finds found finding",
    "cut": "cuts cutting",
    "do": "does did done doing",
    "fail": "fails failed failing",
    "ebb": "ebbs ebbed ebbing",
    "vary": "varies varied varying",
    "carry": "carries carried carrying",
    "amplify": "amplifies amplified amplifying",
    "multiply": "multiplies multiplied multiplying",
    "bring": "brings brought bringing",
    "creep": "creeps crept creeping",
    "catch": "catches caught catching",
    "outshine": "outshines outshone outshining",
    "scale": "scales scaled scaling",
    "leap": "leaps leapt leaped leaping",
    "set": "sets setting",
    "meet": "meets met meeting",
    "bear": "bears bore borne bearing",
    "wind": "winds wound winding",
    "drive": "drives drove driven driving",
    "zigzag": "zigzags zigzagged zigzagging",
    "flatline": "flatlines flatlined flatlining",
}
_DOUBLED: Final = frozenset("drop top dip slip cap plot step stop wrap trim outstrip tip ship".split())


def _forms(verb: str) -> tuple[str, ...]:
    """Return a verb in its five forms."""
    if verb in _IRREGULAR:
        return (verb, *_IRREGULAR[verb].split())
    stem = verb + verb[-1] if verb in _DOUBLED or verb.endswith(("step", "strip")) else verb
    stem = stem.removesuffix("e")
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x")) else f"{verb}s"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return (verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    return (verb, third, f"{stem}ed", f"{stem}ing")


def _expanded(phrase: str) -> Iterator[tuple[str, ...]]:
    """Yield a phrase in each form of its starred verb (``climb* past``), and with each word of an ``a/b`` choice."""
    expanded: list[tuple[str, ...]] = [()]
    for part in phrase.split():
        choices = [form for word in part.split("/") for form in (_forms(word[:-1]) if word.endswith("*") else (word,))]
        expanded = [(*before, "" if choice == "-" else choice) for before in expanded for choice in choices]
    for words in expanded:
        yield tuple(word for word in words if word)


def _build() -> dict[str, dict[str, tuple[tuple[tuple[str, ...], Cue], ...]]]:
    """Return the phrases by their first and their second word, the longest first; those of one word by an empty second one."""
    phrases: dict[tuple[str, ...], Cue] = {}
    for name, text in PHRASES.items():
        for phrase in text.replace("\n", ";").split(";"):
            phrases |= {words: Cue(name) for words in _expanded(phrase.strip()) if words}
    by_words: dict[str, dict[str, list[tuple[tuple[str, ...], Cue]]]] = {}
    for words, cue in sorted(phrases.items(), key=lambda pair: -len(pair[0])):
        by_words.setdefault(words[0], {}).setdefault(words[1] if words[1:] else "", []).append((words[1:], cue))
    return {first: {second: tuple(rests) for second, rests in seconds.items()} for first, seconds in by_words.items()}


_BY_WORDS: Final = _build()


def _scope(words: Sequence[str], start: int) -> tuple[Cue, int] | None:
    """Return the words that say which window: "over the observed period"; with "throughout" or "whole" all of it is meant."""
    if words[start] not in _SCOPE_HEADS and words[start] not in _ENTIRE:
        return None
    position = start + 1
    while position < min(len(words), start + 7) and words[position] in _SCOPE_MIDST and words[position] not in _SCOPE_ENDS:
        position += 1
    if position >= len(words):
        return None
    said = set(words[start : position + 1])
    if words[position] in _SAMPLES and words[start] in ("across", "over", "taken"):
        return Cue.SCOPE, position + 1
    if words[position] not in _SCOPE_ENDS or (
        words[position] == "time" and not said & {"all", "whole", "entire", "full", "over"}
    ):
        return None
    if words[position] in ("range", "span") and not said & _ENTIRE - {"throughout"}:
        return None
    end = position + 3 if list(words[position + 1 : position + 4]) == ["as", "a", "whole"] else position
    return (Cue.WHOLE if said & _ENTIRE or words[start] == "through" else Cue.SCOPE), end + 1


def cues(names: str) -> frozenset[Cue]:
    """Return the cues of these names."""
    return frozenset(Cue(name) for name in names.split())


def find(words: Sequence[str], start: int) -> tuple[Cue, int] | None:
    """Return the cue of the longest phrase that begins at ``start`` and the index behind it; articles may stand inside it."""
    scope = _scope(words, start)
    if scope is not None:
        return scope
    seconds = _BY_WORDS.get(words[start])
    if seconds is None:
        return None
    following = words[start + 1] if start + 1 < len(words) else ""
    bare = next((word for word in words[start + 1 : start + 5] if word not in _FILLERS), "")
    longest: tuple[Cue, int] | None = None
    for second in {following, bare, ""}:
        for rest, cue in seconds.get(second, ()):
            after = _behind(words, start + 1, rest)
            if after is not None:
                if longest is None or after > longest[1]:
                    longest = cue, after
                break
    return longest


def _behind(words: Sequence[str], start: int, rest: Sequence[str]) -> int | None:
    """Return the index behind a phrase's other words, or None where they do not stand there."""
    position = start
    for word in rest:
        while position < len(words) and words[position] != word and words[position] in _FILLERS:
            position += 1
        if position >= len(words) or words[position] != word:
            return None
        position += 1
    return position
