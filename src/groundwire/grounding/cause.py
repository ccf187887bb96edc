"""Cause: direct evidence of it, and a link that somebody other than the investigator stated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.names import EvidenceLevel, Trust, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import folded, stem, words
from groundwire.grounding.quotes import quotes_in, stands_in

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


def check_cause(text: str, cited: Sequence[Cited]) -> list[CheckedFact]:
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
    link = _chain_link(text, direct) or _runbook_link(cited, direct)
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


def _chain_link(text: str, direct: Sequence[Cited]) -> str | None:
    """A line's own link holds for what the line says is the cause, and for nothing else that the claim may say beside it."""
    quotes = quotes_in(text)
    for item in direct:
        message = str(item.item.get("message") or "")
        words_of_link = states_a_cause(message) if item.kind is CitedKind.LOG else None
        if words_of_link is None:
            continue
        stated = folded(message)[folded(message).find(words_of_link) :]
        if any(stands_in(quote, stated) or words_of_link in folded(quote) for quote in quotes) or (
            not quotes and _says_of_it(text, message, stated)
        ):
            return f"{item.ref_id}: {words_of_link}"
    return None


def _says_of_it(text: str, message: str, stated: str) -> bool:
    claimed = {stem(word) for word in words(text) if len(word) > 3}
    there, cause = {stem(word) for word in words(message)}, {stem(word) for word in words(stated)}
    return bool(claimed) and len(claimed & there) * 5 >= len(claimed) * 3 and len(claimed & cause) >= 2


def _runbook_link(cited: Sequence[Cited], direct: Sequence[Cited]) -> str | None:
    """A runbook section links what it describes when direct evidence shows the signs that it names."""
    for block in (item for item in cited if item.kind is CitedKind.BLOCK):
        for sign in signs_of(str(block.item.get("content") or "")):
            for item in direct:
                if sign.lower() in folded(item.text).lower():
                    return f"{block.ref_id} names the sign “{sign}”, which {item.ref_id} shows"
    return None


def signs_of(content: str) -> list[str]:
    """Return the signs that a runbook section names to the letter: its quoted and code-marked texts of several words, long enough
    to tell: a name alone is no sign.
    """
    found = [folded(next(group for group in match.groups() if group)) for match in _SIGN.finditer(content)]
    return [sign for sign in found if len(sign) >= _ENOUGH_SIGN and " " in sign]
