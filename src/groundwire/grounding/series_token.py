"""One piece of a clause about series."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.grounding.figures import Figure
from groundwire.grounding.series_lexicon import Cue


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One piece of a clause. ``series`` are the indexes of the cited series that a name stands for."""

    start: int
    end: int
    text: str
    cue: Cue | None = None
    figure: Figure | None = None
    unit: str = ""
    is_rate: bool = False
    is_fold: bool = False
    is_near: bool = False
    clock: re.Match[str] | None = None
    rank: float | None = None
    series: frozenset[int] | None = None
    is_noun: bool = False

    @property
    def word(self) -> str:
        return self.text.lower()
