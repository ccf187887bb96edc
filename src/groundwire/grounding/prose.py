"""Prose -> claims: a Markdown report taken apart into sentences with the refs they cite (``[i2.logs.3]``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole
from groundwire.domain.reports import ReportPart
from groundwire.grounding.absence_cues import negation_in
from groundwire.grounding.causal_words import CAUSAL
from groundwire.grounding.quotes import QUOTE

_CITATION: Final = re.compile(
    r"\s?[\[(](?P<refs>i\d{1,9}(?:\.[a-z]{1,10}(?:\.\d{1,9})?)?(?:\s?[,;]\s?i\d{1,9}(?:\.[a-z]{1,10}(?:\.\d{1,9})?)?){0,20})[\])]"
)
_LIST_MARK: Final = re.compile(r"\s{0,20}(?:[-*+]|\d{1,3}[.)])\s+")
_EMPHASIS: Final = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)")
_END: Final = re.compile(r"(?<=[.!?])(?:\s+)(?=[A-Z“\"`(\[]|[a-z0-9]+-[a-z])")
_HEDGE: Final = re.compile(
    r"\b(?:may|might|could(?! not\b)|possibly|perhaps|probably|likely|appears?|seems?|suspect|hypothesis)\b", re.IGNORECASE
)
_ADVICE: Final = re.compile(
    r"\A\W*(?:recommend\w*|consider|check|restart|increase|raise|lower|roll back|add|remove|investigate|ensure|verify|"
    r"we should|you should|should)\b|\b(?:we|you) should\b|\brecommended?\b",
    re.IGNORECASE,
)
_LONGEST: Final = 200_000


def claims_in(markdown: str) -> tuple[Claim, ...]:
    """Return one claim for each sentence; headings, code blocks, tables and questions state nothing and are passed over.

    All claims have role ``answer``: every sentence of a report is held to the same rules. Advice and hedged sentences
    are claims of those kinds. At most 200,000 characters are read.
    """
    return read_report(markdown)[1]


def read_report(markdown: str) -> tuple[tuple[ReportPart, ...], tuple[Claim, ...]]:
    """Return a report in its order, and the claims that its sentences make."""
    parts: list[ReportPart] = []
    claims: list[Claim] = []
    for is_prose, block in _blocks(markdown[:_LONGEST]):
        for sentence in _sentences(block) if is_prose else (block,):
            claim = _claim(sentence, len(claims) + 1) if is_prose else None
            parts.append(ReportPart(text=sentence.strip(), claim_id=claim.id if claim else None))
            if claim is not None:
                claims.append(claim)
    return tuple(parts), tuple(claims)


def _claim(sentence: str, number: int) -> Claim | None:
    refs = [ref for match in _CITATION.finditer(sentence) for ref in re.split(r"[,;\s]+", match["refs"]) if ref]
    text = _EMPHASIS.sub("", _CITATION.sub("", sentence)).strip()
    if not re.search(r"\w", text) or text.endswith("?"):
        return None
    kind = _kind(QUOTE.sub(" ", text))
    role = ClaimRole.ANSWER if kind not in (ClaimKind.HYPOTHESIS, ClaimKind.RECOMMENDATION) else ClaimRole.CONTEXT
    return Claim(id=f"c{number}", text=text, refs=tuple(dict.fromkeys(refs)), kind=kind, role=role)


def _kind(text: str) -> ClaimKind:
    if _ADVICE.search(text):
        return ClaimKind.RECOMMENDATION
    if _HEDGE.search(text):
        return ClaimKind.HYPOTHESIS
    if CAUSAL.search(text):
        return ClaimKind.CAUSE
    return ClaimKind.ABSENCE if negation_in(text) is not None else ClaimKind.OBSERVATION


def _sentences(block: str) -> Sequence[str]:
    parts: list[str] = []
    for part in _END.split(block):
        # A citation behind the full stop belongs to the sentence before it.
        citation = _CITATION.match(part)
        if citation is not None and parts:
            parts[-1] += " " + citation[0]
            part = part[citation.end() :]
        if part.strip():
            parts.append(part)
    return parts


def _blocks(markdown: str) -> Iterator[tuple[bool, str]]:
    """Yield paragraphs and list items (True), and headings, tables and lines of code as they stand (False)."""
    block: list[str] = []
    is_code = False
    for line in [*markdown.splitlines(), ""]:
        is_fence = line.lstrip().startswith(("```", "~~~"))
        is_code = is_code is not is_fence
        is_other = is_code or is_fence or line.lstrip().startswith(("#", "|"))
        starts_item = _LIST_MARK.match(line)
        if (is_other or not line.strip() or starts_item or line.lstrip().startswith(">")) and block:
            yield True, " ".join(block)
            block = []
        if is_other:
            if line.strip() and not is_fence:
                yield False, line.rstrip()
        elif line.strip():
            block.append((line[starts_item.end() :] if starts_item else line.lstrip("> ")).strip())
