"""Whether what holds is what was asked: about the asked subject, inside the window, a state, the knowledge that was asked for.

What a claim is about is read from its evidence, not from its kind: a model may declare any true line a symptom, cite more than
it tells, or quote one service about another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from groundwire.domain.incident import Question
from groundwire.domain.levels import Level, parse_level
from groundwire.domain.names import ClaimKind, EvidenceLevel, InvocationStatus, RelevanceLevel, ToolName
from groundwire.domain.times import stored_instant
from groundwire.domain.verdict import ClaimVerdict
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import stem, words
from groundwire.grounding.own_words import own_words, reports_trouble, unquoted

_TROUBLE: Final = re.compile(
    r"\b(?:warn(?:ing)?s?|errors?|critical|fatal|exceptions?|fail(?:s|ed|ure|ures|ing)?|\w+(?:Error|Exception))\b|\b(?:status|code)=5\d\d\b",
    re.IGNORECASE,
)
# "No errors were logged" in a line is no sign of trouble.
_DENIED_TROUBLE: Final = re.compile(
    r"\b(?:no|0|zero|without|free of)\s+(?:\w+\s+){0,2}?(?:warn(?:ing)?s?|errors?|exceptions?|failures?)\b", re.IGNORECASE
)
_WELL: Final = re.compile(
    r"(?<!not )(?<!never )(?<!no longer )\b(?:healthy|fine|ok|okay|well|recovered|recovers|solved|normal|working|works|green|"
    r"good)\b|"
    r"\b(?:no|0|zero|without|free of) (?:\w+ ){0,2}?(?:problems?|issues?|errors?|troubles?|failures?)\b",
    re.IGNORECASE,
)
_GOOD: Final = (RelevanceLevel.HIGH, RelevanceLevel.MEDIUM)
_TOKEN: Final = re.compile(r"[^\W_](?:[\w.-]{0,100}[^\W_])?")
# A name as alerts and classes have it: capitals inside.
_NAME: Final = re.compile(r"[a-z][A-Z]")
# Words that report, ask and join: they say nothing of what a question, or a line, is about.
_COMMON: Final = frozenset(
    stem(word)
    for word in (
        "a about according also and any are as at be been but by can come comes could did do docs document documentation does "
        "for found from handle handled has have how if in into is it its know known line lines log logged logs look me message "
        "not of on or our please pod read record recorded records report reported runbook runbooks said say says section should "
        "so than that the their then there these they this time to too up us utc very was we were what when where which who why "
        "will with would you"
    ).split()
)


def is_of_subject(verdict: ClaimVerdict, base: EvidenceBase) -> bool:
    """Return whether a claim rests on direct evidence of an asked subject: inside the window, and about it."""
    return not _is_an_alerts_word(verdict, base) and bool(_of_subject(verdict, base))


def _is_an_alerts_word(verdict: ClaimVerdict, base: EvidenceBase) -> bool:
    return verdict.voice is not None and not any(item.kind is CitedKind.LOG for item in _cited(verdict, base))


def are_linked(symptom: ClaimVerdict, cause: ClaimVerdict, base: EvidenceBase) -> bool:
    """Return whether a cause explains a symptom: all evidence of it is of the service that shows the symptom, or names it, or is
    named by it. What somebody else says of the asked subject is linked through that subject alone.
    """
    shown = _of_subject(symptom, base)
    stated = [item for item in _told_of(cause, base) if item.kind is not CitedKind.BLOCK]
    return bool(stated) and all(any(_explains(found, item, cause, symptom, base) for item in shown) for found in stated)


def is_state(verdict: ClaimVerdict, base: EvidenceBase) -> bool:
    """Return whether a claim says how a subject is: that all is quiet, or that something is wrong with it. That it logs, how much
    and from which pod is no state.
    """
    if verdict.claim.kind is ClaimKind.ABSENCE:
        calls = [item for item in _cited(verdict, base) if item.kind is CitedKind.CALL]
        return bool(calls) and all(_shows_quiet(call, base.question) for call in calls)
    # That all is well is an absence, and what the text of an alert says of a subject is no state of it.
    if _WELL.search(verdict.claim.text) or _is_an_alerts_word(verdict, base):
        return False
    # What a log says is a state by its own line alone, whatever is cited beside it.
    told = [item for item in _of_subject(verdict, base) if verdict.voice is None or item.kind is CitedKind.LOG]
    return any(_shows_trouble(item, verdict.claim.text, base.question) for item in told)


def is_of_alerts(verdict: ClaimVerdict, base: EvidenceBase) -> bool:
    """Return whether a claim tells of alerts, or that none was found, and not of logs or series."""
    told = _told_of(verdict, base)
    return bool(told) and all(item.kind is CitedKind.ALERT or _asked_for_alerts(item) for item in told)


def _asked_for_alerts(item: Cited) -> bool:
    return item.kind is CitedKind.CALL and item.call.row.tool_name == ToolName.QUERY_METRICS and not _filter(item).get("promql")


def subjects_of(verdict: ClaimVerdict, base: EvidenceBase) -> frozenset[str]:
    """Return the services that a claim's evidence is about."""
    return frozenset().union(*(_touches(item, verdict, base) for item in _told_of(verdict, base)))


def covers(answers: Sequence[ClaimVerdict], base: EvidenceBase) -> bool:
    """Return whether these claims together are about every asked subject."""
    covered = frozenset().union(*(subjects_of(verdict, base) for verdict in answers))
    return frozenset(base.question.subjects) <= covered


def is_known(verdict: ClaimVerdict, base: EvidenceBase) -> bool:
    """Return whether a claim cites a section that was found with at least medium relevance, and for what was asked: with words
    of the question, or the section holds what the question names, or half of its words.
    """
    blocks = [item for item in _cited(verdict, base) if item.kind is CitedKind.BLOCK and item.call.row.relevance_level in _GOOD]
    return any(_is_asked_for(item, base.question) for item in blocks)


def _cited(verdict: ClaimVerdict, base: EvidenceBase) -> list[Cited]:
    found = (base.resolve(ref) for ref in dict.fromkeys(verdict.claim.refs))
    return [item for item in found if item is not None]


def _told_of(verdict: ClaimVerdict, base: EvidenceBase) -> list[Cited]:
    """Return the cited items that a claim tells of: those whose service or alert it names; all of them where it names none."""
    return _named(verdict, base) or _cited(verdict, base)


def _named(verdict: ClaimVerdict, base: EvidenceBase) -> list[Cited]:
    services, text = base.services_in(verdict.claim.text), verdict.claim.text
    return [
        item for item in _cited(verdict, base) if _owner(item) in services or str(item.item.get("alert_name") or "\0") in text
    ]


def _of_subject(verdict: ClaimVerdict, base: EvidenceBase) -> list[Cited]:
    """Return the direct evidence of an asked subject that a claim tells of. One that names nobody is about all that it cites."""
    subjects = frozenset(base.question.subjects)
    told = [item for item in _told_of(verdict, base) if item.kind is not CitedKind.BLOCK]
    about = [item for item in told if not subjects or subjects & _touches(item, verdict, base)]
    if len(about) < len(told) and not _named(verdict, base):
        return []
    return [item for item in about if item.level is EvidenceLevel.DIRECT and _is_inside(item, base.question)]


def _is_inside(item: Cited, question: Question) -> bool:
    """A count over a longer time than the window tells nothing of the window."""
    if item.kind is not CitedKind.CALL or item.call.row.tool_name != ToolName.QUERY_LOGS:
        return True
    window = (item.call.row.scope or {}).get("window") or {}
    start, end = stored_instant(window.get("start")), stored_instant(window.get("end"))
    return start is not None and end is not None and question.window.start <= start and end <= question.window.end


def _owner(item: Cited) -> str | None:
    """Return the service whose evidence an item is; a call has one where it asked about one."""
    if item.kind is CitedKind.CALL:
        service = ((item.call.row.scope or {}).get("labels") or {}).get("service")
    else:
        service = item.service or (item.item.get("labels") or {}).get("service")
    return service if isinstance(service, str) else None


def _touches(item: Cited, verdict: ClaimVerdict, base: EvidenceBase) -> frozenset[str]:
    """Return the services that an item is of or names; of a call about all services, those that the claim names."""
    owner = _owner(item)
    own = frozenset([owner] if owner else [])
    if item.kind is not CitedKind.CALL:
        return own | base.services_in(item.text)
    if owner:
        return own | base.services_in(str(_filter(item).get("query") or ""))
    return base.services_in(item.text) & base.services_in(verdict.claim.text)


def _filter(item: Cited) -> Mapping[str, Any]:
    """Return what the call of an item was narrowed by."""
    return (item.call.row.scope or {}).get("filter") or {}


def _explains(found: Cited, shown: Cited, cause: ClaimVerdict, symptom: ClaimVerdict, base: EvidenceBase) -> bool:
    subjects = frozenset(base.question.subjects)
    there, here = _touches(found, cause, base), _touches(shown, symptom, base)
    owner = _owner(shown)
    if owner is None or (subjects and owner not in subjects):
        return bool(there & here & subjects if subjects else there & here)
    return owner in there or (_owner(found) in here if _owner(found) else bool(there & here))


def _shows_quiet(call: Cited, question: Question) -> bool:
    """Nothing was found, and what was looked for is trouble of any kind, or just what the question asks about."""
    row, sought = call.call.row, _filter(call)
    narrowed = [str(sought[name]) for name in ("query", "alert_name", "state", "promql") if sought.get(name)]
    if row.tool_name == ToolName.LOOKUP_KNOWLEDGE or not all(_is_asked(each, question) for each in narrowed):
        return False
    if row.tool_name == ToolName.QUERY_METRICS or narrowed:
        return row.status is InvocationStatus.NO_EVIDENCE
    least = parse_level(str(sought.get("level") or ""))
    return (least is None or least <= Level.ERROR) and not _number_of(call, Level.ERROR)


def _is_asked(sought: str, question: Question) -> bool:
    stems = _stems(sought)
    return stems <= _stems(question.text) if stems else sought.strip('" ') in question.text


def _number_of(call: Cited, least: Level) -> int:
    by_level: Mapping[str, int] = call.item["summary"].get("by_level") or {}
    levels = ((parse_level(name), number) for name, number in by_level.items())
    return sum(number for level, number in levels if level is not None and level >= least)


def _shows_trouble(item: Cited, text: str, question: Question) -> bool:
    """Return whether an item is a sign of trouble, or of what the question asks about, and the claim tells of that."""
    if item.kind in (CitedKind.ALERT, CitedKind.SERIES) or item.call.row.tool_name == ToolName.QUERY_METRICS:
        return True
    if item.kind is CitedKind.LOG:
        level = parse_level(str(item.item.get("level") or ""))
        told = _DENIED_TROUBLE.sub(" ", item.text if reports_trouble(item.item) else own_words(item.item))
        is_bad = (level is not None and level >= Level.WARN) or _TROUBLE.search(told) is not None
        return is_bad and (_TROUBLE.search(text) is not None or bool(_stems(text) & _own_words(item)))
    least = parse_level(str(_filter(item).get("level") or ""))
    query = str(_filter(item).get("query") or "")
    found = (least is not None and least >= Level.WARN) or _TROUBLE.search(text) is not None
    return found or bool(query and _is_asked(query, question))


def _own_words(line: Cited) -> frozenset[str]:
    """Return what a line says in its program's words, without whose it is."""
    who = " ".join(str(line.item.get(name) or "") for name in ("service", "instance"))
    said = unquoted(str(line.item.get("message") or "")) if reports_trouble(line.item) else own_words(line.item)
    return _stems(said) - _stems(who) - _COMMON


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


def _is_asked_for(block: Cited, question: Question) -> bool:
    tokens = [token for token in _TOKEN.findall(question.text) if not token.isdigit()]
    asked = frozenset(stem(token.lower()) for token in tokens if len(token) > 2) - _COMMON
    query = _stems(str(_filter(block).get("query") or ""))
    if query and query <= _stems(question.text) and len(query) * 2 >= len(asked):
        return True
    names = [token.lower() for token in tokens if _NAME.search(token)]
    if names:
        run_together = re.sub(r"[\W_]", "", block.text).lower()
        return any(name in run_together for name in names)
    there = _stems(block.text) | frozenset(stem(token.lower()) for token in _TOKEN.findall(block.text))
    return len(asked & there) * 2 >= len(asked)
