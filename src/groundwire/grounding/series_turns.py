"""Cues that their neighbours decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.grounding.series_lexicon import Cue
from groundwire.grounding.series_token import Token

_ARTICLES: Final = frozenset("a an its the their our new".split())
_AFTER_NOUN: Final = frozenset(
    "of at in was is for came with on that and being reached registered recorded observed seen".split()
)
_OWN: Final = frozenset(((Cue.AT_LEAST, Cue.LOW), (Cue.UNDER, Cue.LOW), (Cue.AT_MOST, Cue.HIGH), (Cue.OVER, Cue.HIGH)))
_EXTREME: Final = {Cue.OVER: Cue.HIGH, Cue.UNDER: Cue.LOW}
_INCLUSIVE: Final = (Cue.AT_LEAST, Cue.AT_MOST)


def settled(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with another cue where neighbours give it: "a high of", "more CPU than 90", "never above its peak"."""
    plain = _with_than([_settled(tokens, place) for place in range(len(tokens))])
    negation = next((place for place, token in enumerate(plain) if token.cue is Cue.NOT), None)
    for place, token in enumerate(plain):
        is_denied = negation is not None and negation < place
        following = next((other for other in plain[place + 1 : place + 3] if other.word not in _ARTICLES), None)
        if is_denied and token.word == "outside":
            turned = Cue.ALL  # "no sample is outside": all are inside
        elif is_denied and token.word.endswith("than") and token.cue in _EXTREME and _goes_on_with_time(plain, place):
            turned = _EXTREME[token.cue]
        elif following is not None and (token.cue, following.cue) in _OWN and (is_denied or token.cue in _INCLUSIVE):
            turned = Cue.HELPER  # "no lower than its minimum of 5" says what the minimum is, and no more
        else:
            continue
        plain[place] = replace(token, cue=turned)
        if negation is not None and is_denied:
            plain[negation] = replace(plain[negation], cue=Cue.HELPER)
    return plain


def _goes_on_with_time(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a comparison is with the value at a time: "never higher than at 09:34" says when the maximum was."""
    for token in tokens[place + 1 : place + 5]:
        if token.clock is not None:
            return True
        if token.cue not in (Cue.HELPER, Cue.SAMPLE) and token.word not in ("the", "at", "of"):
            return False
    return False


def _with_than(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "more CPU than 90" as "CPU more than 90": the comparison is with the figure."""
    plain = list(tokens)
    for place, token in enumerate(tokens[:-1]):
        if token.word != "than" or tokens[place + 1].figure is None:
            continue
        for index in range(place - 1, max(-1, place - 6), -1):
            if tokens[index].cue in (Cue.MORE, Cue.LESS):
                plain[place] = replace(token, cue=Cue.OVER if tokens[index].cue is Cue.MORE else Cue.UNDER)
                plain[index] = replace(tokens[index], cue=Cue.HELPER)
                break
            if tokens[index].cue not in (None, Cue.HELPER):
                break
    return plain


def _settled(tokens: Sequence[Token], place: int) -> Token:
    """Return a token whose cue its neighbours decide: "a high of", "at most" without a figure, a metric's own word."""
    token = tokens[place]
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.word in ("high", "low") and place:
        is_noun = tokens[place - 1].word in _ARTICLES or (after is not None and after.word == "of")
        if is_noun and (
            after is None
            or after.figure is not None
            or after.clock is not None
            or after.word in _AFTER_NOUN
            or after.word in ",:;.)"
        ):
            return replace(token, cue=Cue.HIGH if token.word == "high" else Cue.LOW)
    if token.word == "most" and token.cue is None and place and tokens[place - 1].word == "the":
        return replace(token, cue=Cue.HIGH)
    if token.cue is Cue.HIGH and "further" in token.word and any(earlier.cue is Cue.DOWN for earlier in tokens[:place]):
        return replace(token, cue=Cue.LOW)
    if token.cue is Cue.AT_MOST and "further than" in token.word and any(earlier.cue is Cue.DOWN for earlier in tokens[:place]):
        return replace(token, cue=Cue.AT_LEAST)
    if token.cue in (Cue.AT_MOST, Cue.AT_LEAST) and token.text.startswith("at ") and (after is None or after.figure is None):
        if token.cue is Cue.AT_MOST and token.word.endswith("most"):
            return replace(token, cue=Cue.HIGH)
        if token.cue is Cue.AT_LEAST and " the " in token.text:
            return replace(token, cue=Cue.LOW)
    return token
