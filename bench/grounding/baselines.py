"""Two ways of checking that understand nothing, to see what understanding is worth."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_TOKEN = re.compile(r"\w+")
COVERAGE = 0.6


def numbers_occur(text: str, evidence: str) -> bool:
    """Return whether every number of the claim stands somewhere in the cited evidence (true when it has none)."""
    seen = set(_NUMBER.findall(evidence)) | set(re.findall(r"\d+", evidence))
    return all(number in seen or all(part in seen for part in re.findall(r"\d+", number)) for number in _NUMBER.findall(text))


def tokens_covered(text: str, evidence: str) -> bool:
    """Return whether three fifths of the claim's words stand in the cited evidence."""
    words = [word.lower() for word in _TOKEN.findall(text)]
    seen = {word.lower() for word in _TOKEN.findall(evidence)}
    return bool(words) and sum(word in seen for word in words) >= COVERAGE * len(words)
