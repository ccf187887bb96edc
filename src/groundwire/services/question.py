"""Question text -> kind, subjects, window and symptom words, checked against what the sources really have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from groundwire.domain.errors import UsageError
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.masking import make_storable, mask_text
from groundwire.domain.metrics import ALERT_STATES, Alert
from groundwire.domain.names import QuestionKind, WindowSource
from groundwire.services.own_words import own_words
from groundwire.services.question_window import window_of

_LONGEST: Final = 8000
_LOOKUP: Final = re.compile(
    r"\b(?:what do we know|what is known|do we know about|run ?books?|how (?:do|can|should|to)\b|documentation|docs for|look up|"
    r"where is .{0,40} documented|what does .{1,60} mean)\b|怎么办|手册",
    re.IGNORECASE,
)
_STATUS: Final = re.compile(
    r"^\W*(?:is|are|was|were|has|have|did|does|any|status|health)\b|\b(?:healthy|health check|any errors?|are there|is there|"
    r"status of|everything (?:ok|fine|alright)|up and running|what(?:'s| is| was) firing|how (?:many|often)|number of|"
    r"(?:which|what|list|show|show me) (?:(?:the|all|of the|firing|active|pending|critical) ){0,3}(?:alerts|alarms))\b|"
    r"吗|有没有|是否|多少|几个|几次|哪些(?:告警|警报|报警|错误)|状态",
    re.IGNORECASE,
)
_WHY: Final = re.compile(
    r"\b(?:why|root cause|what(?:'s| is| went)? wrong|what happened|what caused|diagnos\w+|investigate|explain)\b|"
    r"为什么|为何|为啥|原因|因为|导致|怎么回事",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,100}[A-Za-z0-9])?")
_SERVICE_LIKE: Final = re.compile(
    r"(?<![\w./-])(?:(?P<name>[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){0,6}[-_](?:service|svc|srv|server|api|app|web|backend|frontend|db|"
    r"gateway|worker))|(?P<word>[A-Za-z][A-Za-z0-9]{2,40})(?= (?:micro)?service\b))(?![\w-])",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"\b(?:(?<!alerts )(?<!alarms )(?<!errors )(?<!services )(?:is|are|was|were)|wrong with|health of|status of|"
    r"(?:errors?|alerts?|alarms?)(?: (?:is|are|was|were|has|have|been|fired|firing|active|pending|logged)){0,3} "
    r"(?:in|of|from|for|by))\s+(?:the |our |my )?"
    r"(?P<word>[A-Za-z][\w.-]{2,60})",
    re.IGNORECASE,
)
_NO_THINGS: Final = frozenset(
    (
        "everything anything something someone users people customers things logs log traffic calls all each every total "
        "firing fired active pending inactive suppressed silenced resolved triggered raised alert alerts alarm alarms critical "
        "logged running production prod staging cluster namespace monday tuesday wednesday thursday friday saturday sunday "
        "week month night morning"
    ).split()
)
_GENERIC_PARTS: Final = frozenset("service svc srv server api app web backend frontend deployment pod prod staging dev".split())
_NOT_SYMPTOMS: Final = frozenset(
    (
        "a an and any are as at be been between but by can could did do does doing for from had has have how i in into is "
        "it its last lately me my near not now of on or our out over past please right seems should since so some tell "
        "than that the their them then there these they this those to today up us was we were what when where which while "
        "who why will with would yesterday you your about after again all also around before being both due going "
        "happened happening happens just keeps know known much more most other recently still such too wrong hour hours "
        "minute minutes day days am pm utc masked password diagnose diagnosis explain investigate investigation cause "
        "caused causes causing root reason healthy health ok okay fine status check show find look give fail fails failed "
        "failing failure failures request requests error errors slow slowly broken down working works service services "
        "system problem problems issue issues many often number count log logged"
    ).split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it was put: its text, and what flags said. ``alerts`` are those pasted instead of a text."""

    text: str
    services: tuple[str, ...] = ()
    window: TimeWindow | None = None
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the sources have: services as they spell them, alerts now, and when the newest saved record of services is."""

    services: tuple[str, ...]
    alerts: tuple[Alert, ...]
    newest_saved_record: Callable[[Sequence[str]], datetime | None]
    now: datetime


def read_question(asked: Asked, known: Known) -> Question:
    """Return the question with kind, subjects, window and terms fixed.

    Raises:
        UsageError: The question is empty, too long, or names a time that makes no window.
    """
    masked = mask_text(make_storable(asked.text))
    text = " ".join(masked.split())
    if text and not re.search(r"\w", text):
        raise UsageError(f"the question {text[:20]!r} says nothing", hint="Ask in words, or paste an alert.")
    if not text:
        raise UsageError("the question is empty", hint='Ask something, such as: groundwire diagnose "why is checkout failing?"')
    if len(text) > _LONGEST:
        raise UsageError(f"the question has {len(text)} characters; at most {_LONGEST} are read")
    alerts = asked.alerts or tuple(alert for alert in known.alerts if _is_named(alert.alert_name, text))
    subjects = tuple(mask_text(make_storable(name)) for name in _subjects(asked, text, alerts, known))
    kind = kind_of(text, is_alert=bool(asked.alerts))
    window, source = window_of(
        flag=asked.window,
        text=text,
        alerts=asked.alerts or _alerts_about(kind, subjects, alerts, known),
        newest_record=known.newest_saved_record(subjects),
        now=known.now,
    )
    alert_names = tuple(dict.fromkeys(mask_text(make_storable(alert.alert_name)) for alert in alerts))
    return Question(
        text=text,
        kind=kind,
        subjects=subjects,
        window=window,
        window_source=WindowSource(source),
        terms=_terms(text, subjects, known.services, alert_names),
        alert_names=alert_names,
        pasted_from=0 if asked.alerts else _end_of_own_words(masked, text),
    )


def _end_of_own_words(masked: str, text: str) -> int | None:
    end = len(" ".join(own_words(masked).split()))
    return end if end < len(text) else None


def kind_of(text: str, *, is_alert: bool = False) -> QuestionKind:
    """Return what a question wants; a pasted alert, like anything that fits no other kind, wants a diagnosis."""
    if is_alert or _WHY.search(text):
        return QuestionKind.DIAGNOSE
    if _LOOKUP.search(text):
        return QuestionKind.LOOKUP
    return QuestionKind.STATUS if _STATUS.search(text) else QuestionKind.DIAGNOSE


def match_services(text: str, services: Sequence[str]) -> tuple[str, ...]:
    """Return the known services that a text names, in its order: in full, or by the part that is theirs alone."""
    by_name = {service.lower(): service for service in services}
    cores = _cores(services)
    found: dict[str, None] = {}
    for token in _TOKEN.findall(text.lower()):
        if token in by_name:
            found[by_name[token]] = None
        else:
            core = bare_name(token)
            for service in cores.get(core) or cores.get(core.removesuffix("s")) or ():
                found[service] = None
    return tuple(found)


def bare_name(name: str) -> str:
    """Return the parts of a name that say which service it is, in small letters (``Payments-API`` -> ``payments``)."""
    return "-".join(part for part in re.split(r"[-_.]", name.lower()) if part not in _GENERIC_PARTS)


def _cores(services: Sequence[str]) -> dict[str, list[str]]:
    """Map the part of each name that most names do not share (``ts-order-service`` -> ``order``) to its services."""
    parts = {service: [part for part in re.split(r"[-_.]", service.lower()) if part] for service in services}
    shared = Counter(part for each in parts.values() for part in set(each))
    many = max(2, len(services) // 2)
    cores: dict[str, list[str]] = {}
    for service, each in parts.items():
        core = "-".join(part for part in each if part not in _GENERIC_PARTS and not (shared[part] > many and len(services) > 3))
        if len(core) > 2:
            cores.setdefault(core, []).append(service)
    return cores


def _subjects(asked: Asked, text: str, alerts: Iterable[Alert], known: Known) -> tuple[str, ...]:
    if asked.services:
        by_name = {service.lower(): service for service in known.services}
        return tuple(dict.fromkeys(by_name.get(name.lower(), name) for name in asked.services))
    named = match_services(text, known.services) + _unknown_services(text, known.services)
    named = named or _asked_about(text, alerts, known.services)
    return named or tuple(dict.fromkeys(alert.service for alert in alerts if alert.service))


def _unknown_services(text: str, services: Sequence[str]) -> tuple[str, ...]:
    """Return what is spelled like a service and known to no source: a question about it is about it, and not about all others."""
    unknown = [
        match["name"] or match["word"].lower()
        for match in _SERVICE_LIKE.finditer(text)
        if match["name"] or match["word"].lower() not in _NOT_SYMPTOMS
    ]
    return tuple(dict.fromkeys(name for name in unknown if not match_services(name, services)))


def _asked_about(text: str, alerts: Iterable[Alert], services: Sequence[str]) -> tuple[str, ...]:
    """Return the thing that a question is plainly about and that no source knows ("is checkout healthy?"): its subject too."""
    if any(True for _ in alerts) or not services:
        return ()
    for match in _ABOUT.finditer(text):
        word = match["word"].lower()
        if word not in _NOT_SYMPTOMS and word not in _NO_THINGS and not match_services(word, services):
            return (match["word"],)
    return ()


def _is_named(alert_name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(alert_name)}(?!\w)", text, re.IGNORECASE) is not None


def _alerts_about(kind: QuestionKind, subjects: tuple[str, ...], named: tuple[Alert, ...], known: Known) -> tuple[Alert, ...]:
    """Return the alerts whose onset the question is about: those it names; else, for a diagnosis, its subjects' firing ones."""
    if named or kind is not QuestionKind.DIAGNOSE:
        return named
    firing = [alert for alert in known.alerts if alert.state == "firing"]
    return tuple(alert for alert in firing if not subjects or alert.service in subjects)


def _terms(text: str, subjects: tuple[str, ...], services: Sequence[str], alert_names: Sequence[str]) -> tuple[str, ...]:
    """Return the symptom words: what is neither grammar, a time, nor a service."""
    known = {part for service in (*services, *subjects) for part in re.split(r"[-_.]", service.lower())} | {
        service.lower() for service in services
    }
    not_symptoms = _NOT_SYMPTOMS | {name.lower() for name in alert_names} | set(ALERT_STATES)
    terms = [
        token
        for token in _TOKEN.findall(text)
        if len(token) > 2
        and token.lower() not in not_symptoms
        and token.lower() not in known
        and not re.fullmatch(r"[\d:.TZ-]+|\d+[smhd]", token)
    ]
    return tuple(dict.fromkeys(terms))[:12]
