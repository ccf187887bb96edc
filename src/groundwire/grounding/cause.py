"""Cause: direct evidence of it, and a link that somebody other than the investigator stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from groundwire.domain.names import EvidenceLevel, Trust, Verdict
from groundwire.domain.times import format_instant, stored_instant
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.bearing import measured_part
from groundwire.grounding.blanks import blank_all
from groundwire.grounding.causal_words import CAUSAL, CAUSAL_WORDS, DENIED, sides_of
from groundwire.grounding.cause_links import Link, links_in, states_a_cause
from groundwire.grounding.cited import Cited, CitedKind
from groundwire.grounding.claim_text import ClaimText, folded, stem, words
from groundwire.grounding.facts import fact
from groundwire.grounding.neutral import NEUTRAL
from groundwire.grounding.own_words import OUTCOME, own_words
from groundwire.grounding.quotes import QUOTE, quotes_in, stands_in
from groundwire.grounding.synonyms import synonyms

__all__ = ["CAUSAL", "check_cause", "signs_of", "states_a_cause"]

_SIGN: Final = re.compile(r"`([^`\n]{4,200})`|“([^”\n]{4,200})”|\"([^\"\n]{4,200})\"")
_LEAST_SHARED: Final = 2
_SERVICE: Final = re.compile(r"(?:^|\n)service=(?P<name>\S{1,100})")
# Whose log it is belongs to nobody's cause.
_LOG_OF: Final = re.compile(r"\b[\w.-]{1,100}['’]s (?:own )?logs?\b|\bthe logs? of [\w.-]{1,100}", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-Za-z]\w*(?:[-.]\w+)+\b")
_TROUBLE: Final = frozenset(
    stem(word)
    for word in "fail failed failure failures error errors trouble problem problems down broken outage reason incident".split()
)
_LINK: Final = "a stated link from cause to effect"
_BY_SIGN: Final = "names the sign"
_ENOUGH_SIGN: Final = 12
_ENOUGH: Final = 0.6
_NUMBER: Final = re.compile(r"(?<![\w.])\d[\d.,:]*\d|(?<![\w.])\d+")
_NOT: Final = re.compile(r"\b(?:not|no|never|cannot|without|null|none)\b|n[’']t\b", re.IGNORECASE)
_FAILED: Final = re.compile(
    r"\b(?:fail\w*|unable|refus\w+|reject\w+|den(?:y|ied|ies)|unavailable|missing|timed out)\b", re.IGNORECASE
)
_FRAMING: Final = frozenset(
    stem(word)
    for word in (
        "evidence indicates suggests fact facts happened thing result consequence cause reason impact effect identified root "
        "direct because due owing since why what saw clear clearly event this that attributed led caused itself here which actual"
    ).split()
)
# An alert becomes active some time after what it measures; a line has its clock's uncertainty.
_SLACK: Final = {CitedKind.ALERT: timedelta(minutes=5), CitedKind.LOG: timedelta(seconds=1)}


def check_cause(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return the facts of a causal claim: that direct evidence of the cause is cited, and that its link is stated there.

    A cause that came after its effect contradicts. A claim that denies a cause is not one of these, and uncheckable.
    """
    text = claim.whole
    direct = [item for item in cited if item.level is EvidenceLevel.DIRECT and item.trust is not Trust.WRITTEN]
    found = direct[0].ref_id if direct else None
    facts = [fact("direct evidence of the cause", cited, found, Verdict.SUPPORTED if direct else Verdict.UNSUPPORTED)]
    if DENIED.search(claim.rest):
        return [*facts, fact("that it was not the cause", cited, "nobody states what is no cause", Verdict.UNCHECKABLE)]
    readings = [(effect, cause) for effect, cause in sides_of(text) if _content(effect) and _content(cause)]
    link = (
        _stated_link(readings, direct)
        or (_quoted_link(text, direct) if not readings or _only_quotes(text) else None)
        or _runbook_link(readings, cited, direct)
    )
    facts.append(fact(_LINK, cited, link, Verdict.SUPPORTED if link else Verdict.UNSUPPORTED))
    late = None if link else _too_late(readings, direct)
    blank_all(claim, CAUSAL_WORDS)
    return [*facts, *([late] if late else [])]


def is_linked_by_a_runbook(facts: Sequence[CheckedFact]) -> bool:
    """Return whether the link among these facts is a runbook's: it says which sign stands for which cause."""
    return any(one.claimed == _LINK and _BY_SIGN in (one.found or "") for one in facts)


def _stated_link(readings: Sequence[tuple[str, str]], direct: Sequence[Cited]) -> str | None:
    """A line's own link holds for what the line says is the cause of what, and for nothing else."""
    for item in direct if readings else ():
        if item.kind is not CitedKind.LOG:
            continue
        message = str(item.item.get("message") or "")
        for link in links_in(item.item):
            if any(_is_stated(effect, cause, link, message, item.text) for effect, cause in readings):
                return f"{item.ref_id}: {link.shown}"
    return None


def _is_stated(effect: str, cause: str, link: Link, message: str, whole: str) -> bool:
    there, of_cause = _stems(whole), _stems(link.cause)
    if not all(number in whole for side in (effect, cause) for number in _NUMBER.findall(side)):
        return False
    if _share(effect, there) < _ENOUGH or _share(cause, there) < _ENOUGH:
        return False
    # What the message says behind the link is the cause; the effect is something else of it.
    if _share(cause, of_cause) < (0.5 if link.is_chain else _ENOUGH):
        return False
    if not (_agree(effect, link.effect) and _agree(cause, link.cause)):
        return False
    own = _stems(link.effect)
    if _content(effect) <= _TROUBLE | _stems(_owner(whole)):
        return OUTCOME.search(link.effect) is not None  # "pay-bridge failed": whatever went wrong there
    return bool(_content(effect) & own) and _share(effect, own) >= _share(cause, own - of_cause)


def _owner(whole: str) -> str:
    owner = _SERVICE.search(whole)
    return owner["name"] if owner else ""


def _only_quotes(text: str) -> bool:
    """Return whether a claim says nothing of its own beside its quotes but that something went wrong, and whose log it is."""
    rest = _content(_NAME.sub(" ", QUOTE.sub(" ", text)))
    return bool(quotes_in(text)) and rest <= _TROUBLE


def _agree(side: str, stated: str) -> bool:
    """A side that says no needs words that say no; "did not fail" needs more than "failed"."""
    if not _NOT.search(side):
        return True
    return _NOT.search(stated) is not None or (_FAILED.search(stated) is not None and not _FAILED.search(side))


def _quoted_link(text: str, direct: Sequence[Cited]) -> str | None:
    """A claim that only quotes a line's own link, or says in its words what the line says is the cause."""
    quotes = quotes_in(text)
    for item in direct:
        message = str(item.item.get("message") or "")
        words_of_link = states_a_cause(item.item) if item.kind is CitedKind.LOG else None
        if words_of_link is None:
            continue
        stated = folded(message)[folded(message).find(words_of_link) :]
        if any(stands_in(quote, stated) or words_of_link in folded(quote) for quote in quotes) or (
            not quotes and _says_of_it(text, message, stated)
        ):
            return f"{item.ref_id}: {words_of_link}"
    return None


def _says_of_it(text: str, message: str, stated: str) -> bool:
    claimed = _content(_LOG_OF.sub(" ", text))
    there, cause = _stems(message), _stems(stated)
    return bool(claimed) and len(claimed & there) * 5 >= len(claimed) * 3 and len(claimed & cause) >= _LEAST_SHARED


def _runbook_link(readings: Sequence[tuple[str, str]], cited: Sequence[Cited], direct: Sequence[Cited]) -> str | None:
    """A runbook section links what it describes when direct evidence shows the signs that it names."""
    for block in (item for item in cited if item.kind is CitedKind.BLOCK):
        content = str(block.item.get("content") or "")
        said = _stems(content)
        if readings and not any(_share(cause, said) >= _ENOUGH for _, cause in readings):
            continue
        for sign in signs_of(content):
            for item in direct:
                if sign.lower() in folded(_may_tell(item, sign)).lower():
                    return f"{block.ref_id} names the sign “{sign}”, which {item.ref_id} shows"
    return None


def _may_tell(item: Cited, sign: str) -> str:
    """Return what of an item may show a sign: of a log line what its program says, of an alert what was measured."""
    return own_words(item.item) if item.kind is CitedKind.LOG else measured_part(item, sign).text


def signs_of(content: str) -> list[str]:
    """Return the signs that a runbook section names to the letter: its quoted and code-marked texts of several words, long enough
    to tell: a name alone is no sign.
    """
    found = [folded(next(group for group in match.groups() if group)) for match in _SIGN.finditer(content)]
    return [sign for sign in found if len(sign) >= _ENOUGH_SIGN and " " in sign]


def _too_late(readings: Sequence[tuple[str, str]], direct: Sequence[Cited]) -> CheckedFact | None:
    """A cause whose evidence is later than that of its effect, beyond doubt, in every reading that tells the two apart."""
    timed = [(item, start) for item in direct if (start := _start_of(item)) is not None]
    late: CheckedFact | None = None
    for effect, cause in readings if len(timed) > 1 else ():
        one, other = _about(effect, timed), _about(cause, timed)
        if one is None or other is None or one[0] is other[0]:
            continue
        slack = max(_SLACK.get(one[0].kind, timedelta()), _SLACK.get(other[0].kind, timedelta()))
        if other[1] - one[1] <= slack:
            return None
        found = f"{one[0].ref_id} is at {format_instant(one[1])}, {other[0].ref_id} only at {format_instant(other[1])}"
        late = fact("a cause before its effect", direct, found, Verdict.CONTRADICTED)
    return late


def _about(side: str, timed: Iterable[tuple[Cited, datetime]]) -> tuple[Cited, datetime] | None:
    scores = [(_share(side, _stems(item.text)), item, start) for item, start in timed]
    best = max(score for score, _, _ in scores)
    winners = [(item, start) for score, item, start in scores if score == best]
    return winners[0] if best >= _ENOUGH and len(winners) == 1 else None


def _start_of(item: Cited) -> datetime | None:
    if item.kind is CitedKind.ALERT:
        return stored_instant(item.item.get("active_at"))
    return item.times[0] if item.kind is CitedKind.LOG and item.times else None


def _stems(text: str) -> frozenset[str]:
    return frozenset({stem(word) for word in words(text)} | set(_NUMBER.findall(text)))


def _content(side: str) -> frozenset[str]:
    """Return the stems of what a side says, without the words that only report and join; a number counts as a word."""
    return frozenset(one for one in _stems(side) if len(one) > 1 and one not in NEUTRAL and one not in _FRAMING)


def _share(side: str, there: frozenset[str]) -> float:
    said = _content(side)
    if len(said) == 1:
        return float(said <= there)  # a single word has to be that word
    return sum(1 for one in said if not synonyms(one).isdisjoint(there)) / len(said) if said else 0.0
