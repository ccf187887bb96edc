"""Words that put figures, times and things into relation. Whoever reads one computes it; one that nobody read decides nothing
and lets nothing pass: the claim says something that was not checked.
"""

from __future__ import annotations

from typing import Final

from groundwire.grounding.claim_text import stem

_EXTREMES: Final = (
    "peak max maximum maxima highest tallest greatest largest biggest top most min minimum minima lowest smallest least bottom"
)
_AGGREGATES: Final = "average averaged mean median percentile typical typically"
_CHANGES: Final = (
    "rise rose risen increase climb grow grew growth jump spike surge soar escalate drop fell decline decrease shrink "
    "sink sank plunge dip recover double triple quadruple halve steady steadily flat constant constantly stable "
    "unchanged fluctuate oscillate monotonic"
)
_COMPARISONS: Final = (
    "more less fewer higher lower greater larger smaller exceed surpass twice thrice half triple faster slower worse better"
)
_QUANTIFIERS: Final = (
    "all every each only none always solely exclusively entire entirely whole everyone nobody nothing anywhere nowhere sole"
)
_ORDERS: Final = (
    "first last earliest latest initial initially final finally newest oldest before after prior preceding precede "
    "follow followed subsequent subsequently later earlier afterwards beforehand begin began begun start onset end "
    "ended stop cease finish"
)
_DENIALS: Final = "not no never neither nor cannot without none nothing nobody unable lack absent absence free devoid zero"
_REASONS: Final = (
    "because therefore hence consequently due cause reason result consequence trigger owing blame culprit fault responsible"
)

_NUMBERS: Final = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety "
    "dozen hundred thousand million"
)

OPERATORS: Final = frozenset(
    stem(word)
    for words in (_EXTREMES, _AGGREGATES, _CHANGES, _COMPARISONS, _QUANTIFIERS, _ORDERS, _DENIALS, _REASONS, _NUMBERS)
    for word in words.split()
)
"""Stems of the words that some rule has to read."""

ORDINARY: Final = frozenset("lasted lasts lasting response responses respond responds responded responding".split())
"""Words that share a stem with one of those and are none."""
