"""What is left of a claim when its facts are taken out: its words must be covered by what is cited, or it cannot be checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText, stem, words
from groundwire.grounding.facts import fact
from groundwire.grounding.neutral import NEUTRAL, RELATING
from groundwire.grounding.operators import OPERATORS, ORDINARY
from groundwire.grounding.synonyms import is_known, synonyms

_THRESHOLD: Final = 0.6
# More unknown words than this are not outweighed by figures and names that hold.
_MOST_MISSING: Final = 0.4
_MOST_ANCHORS: Final = 3
# What is said of a subject: "was cancelled" is not borne out by what was placed, however much else agrees.
_PREDICATE: Final = re.compile(
    r"\b(?:(?:is|are|was|were|been|being|be|became|becomes?|stay(?:s|ed)?|remain(?:s|ed)?|looks?|looked)"
    r"(?: (?:not|\w{1,20}ly|also|already|then|since|been|very|quite|still|yet|again|"
    r"only|just|even|a|an|the))* (?P<state>[a-z]{3,25})\b|"
    r"(?:got|gets|has|have|had|did|does|do)(?: (?:not|\w{1,20}ly|also|already|then|since|been))* "
    r"(?P<word>[a-z]{3,25}(?:ed|en|wn|ft|lt|nt|pt|st|ck|ung|un|old|ought|aught|ade|ut|et)|down|up)\b)",
    re.IGNORECASE,
)

# What an absence is said with; its own module has checked it.
_ABSENCE: Final = frozenset(
    stem(word)
    for word in (
        "no not none never nothing without neither nor zero error errors warning warnings exception exceptions failure failures "
        "fault faults problem problems issue issues trace debug info notice warn critical fatal firing pending suppressed matched"
    ).split()
)
_LEVELS_UP: Final = re.compile(
    r"(?<![A-Za-z])(?:or|and)[ -](?:more severe|worse|above|higher|up|graver|upwards)\b", re.IGNORECASE
)


def check_wording(
    claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase, *, is_absence: bool = False, anchors: int = 0
) -> list[CheckedFact]:
    """Return one fact when words are left: uncheckable where less than 0.6 of them stand in what is cited, where one of them puts
    things into a relation that no rule has computed, or where what is said of the subject is not there.

    ``anchors`` are the facts of the claim that hold: up to three of them count as words that are there.
    """
    passed = NEUTRAL
    if is_absence:
        passed |= _ABSENCE
    if all(item.kind is CitedKind.ALERT for item in cited):
        passed |= RELATING
    claim.take_all(_LEVELS_UP)
    left = {stem(word): word for word in words(claim.rest) if len(word) > 1 and stem(word) not in passed}
    if not left:
        return []
    there = frozenset().union(*(base.stems_of(item) for item in cited))
    # An id that no rule has read must stand there to the letter: one digit makes it another.
    ids = [word for word in left.values() if any(char.isdigit() for char in word) and stem(word) not in there]
    if ids:
        return [fact(", ".join(ids), cited, None, Verdict.UNSUPPORTED)]
    unread = [word for stemmed, word in left.items() if stemmed in OPERATORS and word not in ORDINARY and stemmed not in there]
    if unread:
        return [fact("the words " + ", ".join(unread), cited, "what they say of it was not computed", Verdict.UNCHECKABLE)]
    missing = [word for stemmed, word in left.items() if not _is_there(word, stemmed, there)]
    # Words of the trade may be the question's and the claim's own; a name that only the question has is not evidence.
    asked = [word for word in missing if stem(word) in _question_stems(base.question.text) and not is_known(stem(word))]
    if asked:
        return [fact("the words " + ", ".join(asked), cited, "only the question has them", Verdict.UNSUPPORTED)]
    found = "all but " + ", ".join(missing) if missing else "all of them"
    holds = _is_enough(len(left), len(missing), min(anchors, _MOST_ANCHORS)) and not _says_of_it(claim.rest, missing)
    return [fact("the words " + ", ".join(left.values()), cited, found, Verdict.SUPPORTED if holds else Verdict.UNCHECKABLE)]


@lru_cache(maxsize=64)
def _question_stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


def _is_there(word: str, stemmed: str, there: frozenset[str]) -> bool:
    if not synonyms(stemmed).isdisjoint(there):
        return True
    # "unavailable" for "not available": whether it is denied, polarity has seen.
    return word.startswith("un") and not synonyms(stem(word[2:])).isdisjoint(there)


def _is_enough(left: int, missing: int, anchors: int) -> bool:
    if left - missing >= left * _THRESHOLD:
        return True
    return missing <= max(1, left * _MOST_MISSING) and left - missing + anchors >= (left + anchors) * _THRESHOLD


def _says_of_it(text: str, missing: Sequence[str]) -> bool:
    """Return whether one of the words that are missing is what the claim says of its subject."""
    said = {(match["word"] or match["state"]).lower() for match in _PREDICATE.finditer(text)}
    return not said.isdisjoint(missing)


def is_in_alphabet(text: str) -> bool:
    """Return whether the letters of ``text`` are mostly Latin: the wording rules know English words only."""
    letters = [char for char in text if char.isalpha()]
    return not letters or sum(char < "\u0250" for char in letters) * 2 >= len(letters)
