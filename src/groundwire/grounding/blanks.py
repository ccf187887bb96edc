"""Blanking what a rule has read, by its place in the claim, so that no other rule reads it again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundwire.grounding.claim_text import ClaimText


def blank(claim: ClaimText, start: int, end: int) -> None:
    """Blank one stretch of the claim; every other place keeps its number."""
    claim.rest = claim.rest[:start] + " " * (end - start) + claim.rest[end:]


def blank_spans(claim: ClaimText, spans: Iterable[tuple[int, int]]) -> None:
    """Blank several stretches, each from a start to an end."""
    for start, end in spans:
        blank(claim, start, end)


def blank_all(claim: ClaimText, pattern: re.Pattern[str]) -> None:
    """Blank each match of ``pattern``."""
    for _ in claim.take(pattern):
        pass
