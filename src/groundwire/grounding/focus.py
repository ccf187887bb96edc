"""Which of the cited items a claim is about: others beside them neither bear it out nor take its support away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.quotes import QUOTE, quotes_in, stands_in

_TOGETHER: Final = r"and|both|all|each|two|three|four|five|six|while|before|after|then|than|other|another|followed"
# Words with which a claim speaks of several items at once.
_SEVERAL_ALERTS: Final = re.compile(rf"\b(?:{_TOGETHER})\b|,|;", re.IGNORECASE)
_SEVERAL: Final = re.compile(rf"\b(?:{_TOGETHER}|between|from|because|since|due|as|so)\b|,|;", re.IGNORECASE)


def groups_of(text: str, cited: Sequence[Cited], base: EvidenceBase) -> list[Sequence[Cited]]:
    """Return the items that a claim is about, parted where its facts must stand in one of them.

    A claim about one thing has its name and its value in the same alert or line. A claim that speaks of several, or quotes
    several, is held against all that it cites.
    """
    plain = QUOTE.sub(" ", text)
    if len(cited) < 2 or len(quotes_in(text)) > 1:
        return [cited]
    about = _about(text, cited, base) if _SEVERAL.search(plain) is None else cited
    if all(item.kind is CitedKind.ALERT for item in about) and _SEVERAL_ALERTS.search(plain) is None:
        return [[item] for item in about]
    if all(item.kind is CitedKind.LOG for item in about) and _SEVERAL.search(plain) is None:
        return [[item] for item in about]
    return [about]


def _about(text: str, cited: Sequence[Cited], base: EvidenceBase) -> Sequence[Cited]:
    """Return the items of the alerts and services that the claim names, and those that it quotes; all where it names none."""
    alerts = {item.ref_id for item in cited if item.kind is CitedKind.ALERT and _names(text, str(item.item.get("alert_name")))}
    services = base.services_in(text)
    quotes = quotes_in(text)
    # Series are told apart where they are computed with: a claim may hold two of them against each other.
    only_series = all(item.kind in (CitedKind.SERIES, CitedKind.CALL) for item in cited)

    def is_about(item: Cited) -> bool:
        if item.kind is CitedKind.CALL and not only_series:
            return not services or not _asked_of(item) or _asked_of(item) in services
        if only_series or item.kind is CitedKind.BLOCK or any(stands_in(quote, item.text) for quote in quotes):
            return True
        if item.kind is CitedKind.ALERT and alerts:
            return item.ref_id in alerts
        return bool(_owners(item) & services) if services else not alerts

    about = [item for item in cited if is_about(item)]
    concrete = [item for item in about if item.kind is not CitedKind.BLOCK]
    return about if concrete else cited


def _asked_of(call: Cited) -> str | None:
    service = (call.item["scope"].get("labels") or {}).get("service")
    return str(service) if service else None


def _owners(item: Cited) -> frozenset[str]:
    labels = item.item.get("labels") or {}
    return frozenset(str(value) for value in (item.service, *labels.values()) if value)


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
