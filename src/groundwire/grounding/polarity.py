"""Polarity: a line that says "is not available" does not bear out "is available", nor the other way round.

Claim and line are parted into clauses. A clause of the claim is held against the clauses of the line that share most of its
words; where each of those has a denial and it has none (two denials lift each other), or the reverse, the line says the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, stem, words
from groundwire.grounding.facts import fact
from groundwire.grounding.neutral import FINDING, PLAIN
from groundwire.grounding.synonyms import synonyms

_DENIAL: Final = re.compile(
    r"\b(?:not|no|never|cannot|cant|without|none|nothing|nobody|nowhere|neither|nor|un(?:able|available|successful(?:ly)?|reachable|known|issued|sent|paid|confirmed|delivered|resolved|finished|responsive)|"
    r"fail(?:s|ed|ing|ure|ures)?|miss(?:ing|es|ed)?|null|nil|absent|impossible|lack(?:s|ed|ing)?|refus(?:e|ed|es|al)|den(?:y|ied|ies)|"
    r"declin(?:e|ed|es)|reject(?:s|ed|ion)?|in vain|g[ai]ve(?:n|s)? up|giving up|abandon(?:s|ed|ing)?|"
    r"abort(?:s|ed|ing)?|cancel(?:l?ed|s)?|"
    r"other than|fell through|fall(?:s|en)? through|called off|turned away|"
    r"dr[ae]w(?:s|n)? a blank|"
    r"un(?!fortun|question|mistak)[a-z]{3,20}able)\b|n[’']t\b",
    re.IGNORECASE,
)
_DENYING: Final = re.compile(
    r"\b(?:not|no|never|cannot|cant|none|nothing|neither|nor|without|unable|absent|impossible|lack(?:s|ed|ing)?|"
    r"fell through|drew a blank)\b|n[’']t\b|\bcan(?= t\b)",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"\n|[;,:.!?](?=\s|\Z)|[()\[\]{}]| - | – | — |→|[-=]>|\b(?:due to|owing to|caused by|led to|"
    r"leads to|thanks to|resulted in|stems from|and|but|because|while|whereas|although|since|therefore|so|hence|"
    r"when|after|before|that)\b",
    re.IGNORECASE,
)
# Names and numbers say whom a clause is about, not what it says.
_NAME: Final = re.compile(r"\S*\w/\w\S*|\b[\w.-]*\d[\w.-]*\b|\b[A-Za-z]\w*(?:-\w+)+\b|\b\w+=\S*|\b[A-Z]?[a-z]+[A-Z]\w*")
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|being|can|could|has|had|have|did|does|do|will|would|may|might|came|went|got|"
    r"took|made|gave|found|contains|includes|holds|lists|appears|exists|shows|figures|\w+(?:ed|ing))\b",
    re.IGNORECASE,
)
# "we found", "it was seen": who found, and not what is so.
_WE: Final = re.compile(
    r"\W*(?:we|i|they|it|one|you|our|the (?:team|timeline|evidence|logs?|records?|search|query))\b", re.IGNORECASE
)
_REVERSING: Final = ("un", "in", "im", "non", "dis", "ir", "il", "mis", "de")
_SHORTEST_NAME: Final = 5
_SHORTEST_BASE: Final = 3
_REASON: Final = re.compile(r"\b(?:because|due to|owing to|since)\b", re.IGNORECASE)
_SHARE: Final = 0.5
_PASSED: Final = PLAIN
_LONGEST: Final = 4000


def check_polarity(claim: ClaimText, said: str, cited: Sequence[Cited], services: frozenset[str]) -> list[CheckedFact]:
    """Return a contradiction for each clause of the claim whose opposite a cited line says; denials that were read are taken.

    ``said`` is the claim without its quotes and with the words that join its clauses.
    """
    texts = [(item, _said_by(item)) for item in cited if item.kind in (CitedKind.LOG, CitedKind.BLOCK)]
    if not texts:
        return []
    facts = []
    for clause in _clauses(_without(said, services)):
        judged = [(item, _opposite(clause, text)) for item, text in texts]
        judged = [(item, opposite) for item, opposite in judged if opposite is not None]
        if judged and all(opposite for _, opposite in judged):
            item, opposite = judged[0]
            certain = _is_certain(clause, opposite or "", said)
            verdict = Verdict.CONTRADICTED if certain else Verdict.UNSUPPORTED
            facts.append(fact(_shown(clause), item.ref_id, opposite, verdict))
        elif judged:
            claim.take_all(_DENYING)
            place = next((item for item, text in texts if _says_the_same(clause, text)), None)
            facts += [fact(_shown(clause), place.ref_id, "a clause says so", Verdict.SUPPORTED)] if place else []
    return facts


def _is_certain(clause: str, opposite: str, said: str) -> bool:
    """Return whether a clause is the other one with a plain "not" more or less.

    With words of its own a claim may deny in a way that is not known here, and "did not fail because ..." may mean that it
    failed of something else.
    """
    if (_DENYING.search(clause) is None) is (_DENYING.search(opposite) is None):
        return False
    if _DENYING.search(clause) is not None and _REASON.search(said):
        return False
    return _overlap(_content(clause), _content(opposite)) == len(_content(clause))


def _without(text: str, services: frozenset[str]) -> str:
    for name in services:
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", text, flags=re.IGNORECASE)
    return text


def _said_by(item: Cited) -> str:
    key = "message" if item.kind is CitedKind.LOG else "content"
    return str(item.item.get(key) or "")[:_LONGEST]


def _opposite(clause: str, text: str) -> str | None:
    """Return the clause of the text that says the opposite, "" where one says the same, None where none is about it."""
    said, has_verb = _content(clause), _VERB.search(clause) is not None
    # A clause that has nothing but names is about them: "order 481 went through".
    names = _names(clause) if not said and has_verb else frozenset()
    if ((said <= FINDING and _WE.match(clause)) or (len(said) == 1 and not has_verb)) and not names:
        return None
    scored = []
    for shown, there, named, denied in _read(text):
        reversed_ = _reversed(said, there)
        score = len(names & named) if names else _overlap(said, there) + reversed_
        scored.append((score, denied is not (reversed_ % 2 == 1), shown))
    best = max((score for score, _, _ in scored), default=0)
    denies = _denies(clause)
    if not best or (denies and best < len(said) * _SHARE):
        return None
    close = [(denied, shown) for score, denied, shown in scored if score == best]
    return "" if any(denied is denies for denied, _ in close) else close[0][1]


def _reversed(said: frozenset[str], there: frozenset[str]) -> int:
    """Return how many words the one has with a prefix that reverses them in the other: "signed" and "unsigned"."""
    return sum(
        1
        for one, other in ((said, there), (there, said))
        for word in one
        for prefix in _REVERSING
        if len(word) > _SHORTEST_BASE and f"{prefix}{word}" in other
    )


def _says_the_same(clause: str, text: str) -> bool:
    """Return whether one clause of a text has all that a clause says."""
    said = _content(clause)
    return bool(said) and any(_overlap(said, there) == len(said) for _, there, _, _ in _read(text))


def _overlap(said: frozenset[str], there: frozenset[str]) -> int:
    return sum(1 for word in said if not synonyms(word).isdisjoint(there))


@lru_cache(maxsize=2048)
def _read(text: str) -> tuple[tuple[str, frozenset[str], frozenset[str], bool], ...]:
    return tuple((_shown(clause), _content(clause), _names(clause), _denies(clause)) for clause in _clauses(text))


def _clauses(text: str) -> Iterator[str]:
    yield from (clause for clause in _CLAUSE.split(text) if clause.strip())


def _denies(clause: str) -> bool:
    return sum(1 for _ in _DENIAL.finditer(clause)) % 2 == 1


def _content(clause: str) -> frozenset[str]:
    plain = _NAME.sub(" ", _DENIAL.sub(" ", clause))
    return frozenset(stemmed for word in words(plain) if (stemmed := stem(word)) not in _PASSED and len(word) > 1)


def _names(clause: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _NAME.finditer(clause) if len(match[0]) >= _SHORTEST_NAME)


def _shown(clause: str) -> str:
    return " ".join(clause.split())[:200]
