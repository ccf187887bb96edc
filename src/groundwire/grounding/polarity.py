"""Polarity: a line that says "is not available" does not bear out "is available"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import stem, words
from groundwire.grounding.facts import fact

_NEGATES: Final = re.compile(r"\b(?:not|no|never|cannot)\b", re.IGNORECASE)
_NOT: Final = frozenset("not no never cannot without".split())
_JOINTS: Final = frozenset(
    "is are was were be been has have had can could does did do the a an to of in on at for and or".split()
)


def check_polarity(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return a contradiction for two neighbouring words of the claim that a cited line has only with a "not" between them.

    Joining words are passed over on both sides, and words are compared by their stems.
    """
    said = _content(text)
    if _NOT & set(said):
        return []
    facts = []
    for item in cited:
        if item.kind not in (CitedKind.LOG, CitedKind.BLOCK) or not _NEGATES.search(item.text):
            continue
        there = _content(item.text)
        plain = set(pairwise(there))
        negated = {(a, c): b for a, b, c in zip(there, there[1:], there[2:], strict=False) if b in _NOT}
        facts += [
            fact(" ".join(pair), item.ref_id, f"{pair[0]} {negated[pair]} {pair[1]}", Verdict.CONTRADICTED)
            for pair in pairwise(said)
            if pair in negated and pair not in plain
        ]
    return facts


def _content(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in _JOINTS]
