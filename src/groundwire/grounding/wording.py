"""What is left of a claim when its facts are taken out: its words must be covered by what is cited, or it cannot be checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, EvidenceBase
from groundwire.grounding.claim_text import ClaimText, stem, words

_THRESHOLD: Final = 0.6

REPORTING: Final = frozenset(
    stem(word)
    for word in (
        "a an the this that these those it its their there which who whose and or but of for from to in on at by with as "
        "into over per between until since during within among out than then also still both each own is are was were be "
        "been being has have had do does did can may utc log logs logged logging record records line lines entry entries "
        "says say said reads read wrote writes reported reports recorded alert alerts service services severity value "
        "state level metric series sample samples window question answer evidence section runbook named names called "
        "contain contains containing contained text message messages matching saved describes described sign active "
        "severe more found asked shows shown seen written time times date currently now moment present tells tell told "
        "when cover covers covered went go goes passed pass lasted last took take came come comes one we find became "
        "becomes looked look stands stand dates dated returned returns matched match total search see first earlier later "
        "worse begin begins latest newest oldest earliest pod pods instance them they involved so far exactly according "
        "word words show"
    ).split()
)
"""Words that report, point and join, and assert nothing of their own."""

# What an absence is said with; its own module has checked it.
_ABSENCE: Final = frozenset(
    stem(word)
    for word in (
        "no not none never nothing without neither nor zero error errors warning warnings exception exceptions failure failures "
        "fault faults problem problems issue issues trace debug info notice warn critical fatal firing pending suppressed matched"
    ).split()
)


def check_wording(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase, *, is_absence: bool = False) -> list[CheckedFact]:
    """Return one fact when words are left: uncheckable where less than 0.6 of them stand in what is cited."""
    passed = REPORTING | _ABSENCE if is_absence else REPORTING
    left = [word for word in dict.fromkeys(words(claim.rest)) if stem(word) not in passed and len(word) > 1]
    if not left:
        return []
    there = frozenset().union(*(base.stems_of(item) for item in cited))
    missing = [word for word in left if stem(word) not in there]
    covered = 1 - len(missing) / len(left)
    return [
        CheckedFact(
            claimed="the words " + ", ".join(left),
            looked_in=", ".join(item.ref_id for item in cited),
            found="all but " + ", ".join(missing) if missing else "all of them",
            verdict=Verdict.SUPPORTED if covered >= _THRESHOLD else Verdict.UNCHECKABLE,
        )
    ]


def is_in_alphabet(text: str) -> bool:
    """Return whether the letters of ``text`` are mostly Latin: the wording rules know English words only."""
    letters = [char for char in text if char.isalpha()]
    return not letters or sum(char < "\u0250" for char in letters) * 2 >= len(letters)
