"""A claim about series as tokens: figures, times, names of the cited series, and cues; everything else is a word."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final, NamedTuple

from groundwire.grounding.clock import CLOCK
from groundwire.grounding.figures import NUMBER, NUMBER_WORDS, Figure, figure
from groundwire.grounding.series_lexicon import find
from groundwire.grounding.series_token import Token
from groundwire.grounding.series_turns import settled
from groundwire.grounding.series_units import UNIT_PATTERN

_NEAR: Final = (
    r"(?:about|around|roughly|approximately|approx\.?|nearly|near(?: to)?|close to|almost|some|circa|ca\.|just about|"
    r"in the region of|"
    r"in the neighbou?rhood of|in the order of|on the order of|~|≈)\s?"
)
_PER: Final = r"(?P<per>\s?(?:/|per |a )(?:s|sec|second|min|minute|h|hour)\b)?"
_TOKEN: Final = re.compile(
    rf"(?P<time>(?<![\w.:-])(?=\d){CLOCK})|"
    r"(?P<rank>\b[pP](?P<p>\d{1,2}(?:\.\d{1,3})?|\d{3})\b(?!\s?latenc)|"
    r"\b(?P<nth>\d{1,2}(?:\.\d{1,3})?)(?:st|nd|rd|th)[ -](?=percentile))|"
    rf"(?P<fig>(?P<near>\b{_NEAR}|[~≈]\s?)?(?<![\w.,/:@])(?P<n>{NUMBER})(?:[\s-]?(?P<unit>{UNIT_PATTERN}))?{_PER}"
    r"(?P<fold>[ -]?(?:x\b|×|times\b(?!\.)|[- ]?fold\b))?(?![\w]|\.\d|:\d))|"
    r"(?P<word>[A-Za-z_µ](?:[\w]|['’.@/:#-](?=\w)){0,120})|"
    r"(?P<sym><=|>=|-{1,2}>|=>|\.\.|[<>≤≥→⇒=:;,()|/–—+&.-])",
    re.IGNORECASE,
)
_SYMBOLS: Final = {"→": "→", "⇒": "→", "->": "→", "-->": "→", "=>": "→", "..": "–", "—": "–", "-": "–"}
_SPLIT: Final = re.compile(
    r";|[,.] then\b|,? and then\b|,? then\b|,? but\b|(?<!whole)(?<!all the)(?<!entire)(?<! a)(?<!short)(?<!brief)"
    r",? while\b|,? whereas\b|,? although\b|,? though\b|,? however\b|"
    r",? because\b|\bdue to\b|[.!] (?=[A-Z])|,? before (?=[a-z]+ing\b)",
    re.IGNORECASE,
)
_THEN: Final = re.compile(r"then|before", re.IGNORECASE)
_TIME_WORDS: Final = frozenset("minute minutes hour hours second seconds".split())
_COUNTED_WORDS: Final = frozenset("times fold samples readings points values consecutive".split()) | _TIME_WORDS


class Span(NamedTuple):
    """Where a clause stands, whether it comes "then" after another, and whether another one comes then after it."""

    start: int
    end: int
    is_sequel: bool
    has_sequel: bool


def clauses(text: str) -> Iterator[Span]:
    """Yield where the clauses of a claim are."""
    start, is_sequel = 0, False
    for match in _SPLIT.finditer(text):
        then = _THEN.search(match[0]) is not None
        yield Span(start, match.start(), is_sequel, then)
        start, is_sequel = match.end(), then
    yield Span(start, len(text), is_sequel, False)


def tokens_of(text: str, span: Span, names: Mapping[str, frozenset[int]], nouns: Collection[str]) -> list[Token]:
    """Return the tokens of a clause. ``names`` are what the cited series are called, ``nouns`` the words of their metrics."""
    folded = re.sub(r"(?<=\d):(?=\s|$)", " ", text[: span.end]).replace("’", "'").replace("..", "– ")
    raw: list[Token] = []
    for match in _TOKEN.finditer(folded, span.start):
        raw.extend(_raw(match, names, nouns))
    return _with_cues(raw)


def _raw(match: re.Match[str], names: Mapping[str, frozenset[int]], nouns: Collection[str]) -> Iterator[Token]:
    token = Token(start=match.start(), end=match.end(), text=match[0])
    if match["time"]:
        yield replace(token, clock=match)
    elif match["rank"]:
        digits = match["p"] or match["nth"]
        yield replace(token, rank=float(digits) if len(digits) < 3 or "." in digits else float(f"{digits[:2]}.{digits[2:]}"))
    elif match["fig"]:
        yield replace(
            token,
            figure=_figure(match),
            unit=_unit(match["unit"]),
            is_rate=bool(match["per"]),
            is_fold=bool(match["fold"]),
            is_near=bool(match["near"]),
        )
    elif match["word"]:
        yield from _words(token, names, nouns)
    else:
        yield replace(token, text=_SYMBOLS.get(match[0], match[0]))


def _figure(match: re.Match[str]) -> Figure:
    """Return a figure; a bare 0 means zero itself, not what rounds to it."""
    stated = figure(match["n"], match["unit"], is_near=bool(match["near"]))
    return replace(stated, slack=Decimal(0)) if match["n"] == "0" and not match["near"] else stated


def _unit(shown: str | None) -> str:
    if shown is None:
        return ""
    return shown if shown in ("k", "M", "m") else " ".join(shown.lower().split())


def _words(token: Token, names: Mapping[str, frozenset[int]], nouns: Collection[str]) -> Iterator[Token]:
    """A word is a name of a series, a word of its metric, or itself; a compound that is no name is its parts."""
    bare = token.text.removesuffix("'s").rstrip(".:")
    known = names.get(bare.lower())
    if known is not None:
        yield replace(token, text=bare, series=known)
        return
    position = token.start
    for part in re.split(r"([-/.:_])", token.text) if not token.text.isidentifier() else [token.text]:
        if part and part not in "-/.:_":
            word = part.removesuffix("'s")
            named = names.get(word.lower())
            is_noun = word.lower() in nouns
            yield Token(start=position, end=position + len(part), text=word, series=named, is_noun=is_noun)
        position += len(part)


def _with_cues(raw: Sequence[Token]) -> list[Token]:
    """Merge the words of each phrase into one token with its cue; number words before "times" and the like become figures."""
    spoken = [token.word if token.figure is None and token.clock is None and token.series is None else "" for token in raw]
    merged: list[Token] = []
    index = 0
    while index < len(raw):
        token = raw[index]
        if token.word in ("zero", "nil"):
            merged.append(replace(token, figure=replace(figure("0", None, is_near=False), slack=Decimal(0))))
            index += 1
            continue
        number = NUMBER_WORDS.get(token.word)
        follower = spoken[index + 1] if index + 1 < len(raw) else ""
        if number is not None and follower in _COUNTED_WORDS and not (number == 1 and follower == "times"):
            is_fold = follower in ("times", "fold")
            goes_on = is_fold or follower in _TIME_WORDS
            stated = figure(str(number), None, is_near=False)
            end, unit = (raw[index + 1].end if goes_on else token.end), follower if follower in _TIME_WORDS else ""
            merged.append(replace(token, figure=stated, is_fold=is_fold, end=end, unit=unit))
            index += 2 if goes_on else 1
            continue
        found = find(spoken, index) if spoken[index] else None
        if found is not None:
            cue, after = found
            merged.append(
                Token(
                    start=token.start, end=raw[after - 1].end, text=" ".join(spoken[index:after]), cue=cue, is_noun=token.is_noun
                )
            )
            index = after
            continue
        merged.append(token)
        index += 1
    return settled(merged)
