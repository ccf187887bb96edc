"""Polarity: a line that says "is not available" does not bear out "is available"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import words
from groundwire.grounding.facts import fact

_NOT: Final = frozenset("not no never cannot without".split())
_JOINTS: Final = frozenset(
    "is are was were be been has have had can could does did do the a an to of in on at for and or".split()
)


def check_polarity(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return a contradiction for each pair of neighbouring words that a cited line has only with a "not" between them."""
    pairs = [pair for pair in pairwise(words(text)) if pair[1] not in _JOINTS and not set(pair) & _NOT]
    facts = []
    for item in cited:
        if item.kind not in (CitedKind.LOG, CitedKind.BLOCK) or not re.search(r"\b(?:not|no|never|cannot)\b", item.text):
            continue
        there = words(item.text)
        plain, negated = set(pairwise(there)), set(zip(there, there[2:], strict=False))
        between = {(a, c): b for a, b, c in zip(there, there[1:], there[2:], strict=False) if b in _NOT}
        for pair in pairs:
            if pair in between and pair in negated and pair not in plain:
                said = f"{pair[0]} {between[pair]} {pair[1]}"
                facts.append(fact(" ".join(pair), item.ref_id, said, Verdict.CONTRADICTED))
    return facts
