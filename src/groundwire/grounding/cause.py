"""Cause: direct evidence of it, and a link that somebody other than the investigator stated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.names import EvidenceLevel, Trust, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import folded

CAUSAL: Final = re.compile(
    r"\b(?:because|due to|caused by|causes|caused|causing|led to|leads to|as a result|result(?:s|ed) in|therefore|root cause|"
    r"exhausted by|triggered by|brought down by|owing to|the reason)\b",
    re.IGNORECASE,
)
# An exception chain as runtimes write it: the class name makes it a statement of the program, not of a user.
_CHAIN: Final = re.compile(
    r"(?:^|\n)\s{0,8}Caused by: [A-Za-z_$][\w$]{0,80}(?:\.[\w$]{1,80}){0,12}"
    r"|nested exception is [A-Za-z_$][\w$]{0,80}(?:\.[\w$]{1,80}){1,12}"
    r"|(?:^|\n)The above exception was the direct cause of the following exception:"
)
_STATED: Final = re.compile(r"\b(?:because|due to|caused by)\b[: ]", re.IGNORECASE)
_ACCESS_LOG: Final = re.compile(r"\"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,2000} HTTP/\d")
_FOREIGN_TEXT: Final = re.compile(r"\"[^\"\n]{0,2000}\"|'[^'\n]{0,2000}'|\[[^\]\n]{0,2000}\]|\{[^}\n]{0,2000}\}|=\S{1,2000}")
_SIGN: Final = re.compile(r"`([^`\n]{4,200})`|“([^”\n]{4,200})”|\"([^\"\n]{4,200})\"")
_ENOUGH_SIGN: Final = 12


def check_cause(cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return two facts: that direct evidence of the cause is cited, and that its link is stated in what is cited."""
    direct = [item for item in cited if item.level is EvidenceLevel.DIRECT and item.trust is not Trust.WRITTEN]
    refs = ", ".join(item.ref_id for item in cited)
    facts = [
        CheckedFact(
            claimed="direct evidence of the cause",
            looked_in=refs,
            found=direct[0].ref_id if direct else None,
            verdict=Verdict.SUPPORTED if direct else Verdict.UNSUPPORTED,
        )
    ]
    link = _chain_link(direct) or _runbook_link(cited, direct)
    facts.append(
        CheckedFact(
            claimed="a stated link from cause to effect",
            looked_in=refs,
            found=link,
            verdict=Verdict.SUPPORTED if link else Verdict.UNSUPPORTED,
        )
    )
    return facts


def states_a_cause(message: str) -> str | None:
    """Return the words with which a log message itself states a cause, or None.

    An exception chain counts wherever it stands; "because", "due to" and "caused by" only in the program's own words: not
    inside quotes, brackets or values, and never in an access log line, where users choose the words.
    """
    if _ACCESS_LOG.search(message):
        return None
    chain = _CHAIN.search(message)
    if chain is not None:
        return folded(chain[0])
    stated = _STATED.search(_FOREIGN_TEXT.sub(" ", message))
    return stated[0].strip() if stated else None


def _chain_link(direct: Sequence[Cited]) -> str | None:
    for item in direct:
        if item.kind is CitedKind.LOG:
            words = states_a_cause(str(item.item.get("message") or ""))
            if words is not None:
                return f"{item.ref_id}: {words}"
    return None


def _runbook_link(cited: Sequence[Cited], direct: Sequence[Cited]) -> str | None:
    """A runbook section links what it describes when direct evidence shows the signs that it names."""
    for block in (item for item in cited if item.kind is CitedKind.BLOCK):
        for sign in signs_of(str(block.item.get("content") or "")):
            for item in direct:
                if sign.lower() in folded(item.text).lower():
                    return f"{block.ref_id} names the sign “{sign}”, which {item.ref_id} shows"
    return None


def signs_of(content: str) -> list[str]:
    """Return the signs that a runbook section names to the letter: its quoted and code-marked texts, long enough to tell."""
    found = [folded(next(group for group in match.groups() if group)) for match in _SIGN.finditer(content)]
    return [sign for sign in found if len(sign) >= _ENOUGH_SIGN]
