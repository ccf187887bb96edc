"""Identifiers: services, pods, classes, metrics, alerts, paths, versions. Each must stand in what is cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from groundwire.domain.names import Trust, Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited, CitedKind, EvidenceBase
from groundwire.grounding.claim_text import ClaimText, stem
from groundwire.grounding.facts import fact
from groundwire.grounding.neutral import NEUTRAL

_COMPOUND: Final = r"[A-Za-z_][\w]*(?:[-./:#$@][\w]+)+"
_SNAKE: Final = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"
_CAMEL: Final = r"[A-Z]?[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+"
_DIGITS: Final = r"(?=\w*[A-Za-z])(?=\w*\d)\w{3,}"
_CAPITALS: Final = r"[A-Z][A-Z0-9_]{2,}"
_ADDRESS: Final = r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}"
_IDENTIFIER: Final = re.compile(rf"(?<![\w.-])(?:{_ADDRESS}|{_COMPOUND}|{_SNAKE}|{_CAMEL}|{_DIGITS}|{_CAPITALS})(?![\w-])")
_NOT_NAMES: Final = frozenset(
    "UTC TRACE DEBUG INFO NOTICE WARN WARNING ERROR CRITICAL FATAL and/or on-call time-out low-confidence KiB MiB GiB TiB "
    "MHz".split()
)
_SPEAKS: Final = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{0,80})(?:'s|’s)?(?: own)?(?: logs?)? "
    r"(?:(?P<logs>logged|logs|log)|says|said|reports|reported|wrote|recorded|"
    r"complain(?:s|ed)|claim(?:s|ed)|state[sd]|note[sd]|announce[sd]|indicate[sd]|warn(?:s|ed)|threw|emit(?:s|ted)|print(?:s|ed))\b"
)

_LOG_OF: Final = re.compile(r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{1,80})(?:'s|’s) (?:own )?logs?\b")


def check_identifiers(claim: ClaimText, cited: Sequence[Cited], base: EvidenceBase) -> list[CheckedFact]:
    """Return one fact for each identifier, and one for the speaker of "X logged ...": the cited lines must be X's own."""
    speakers = ((base.service_of_name(match["name"]), match["logs"]) for match in _SPEAKS.finditer(claim.rest))
    facts = [_check_speaker(name, cited, logs=logs is not None) for name, logs in speakers if name is not None]
    facts += [_check_unknown(match["name"], cited) for match in _LOG_OF.finditer(claim.rest) if _is_unknown(match["name"], base)]
    for match in claim.take(_IDENTIFIER):
        if match[0] in _NOT_NAMES:
            continue
        # Of a claim that cites lines, a service that is named has to be one of theirs: a whole call names all that it found.
        concrete = [item for item in cited if item.kind is not CitedKind.CALL]
        where = concrete if concrete and match[0] in base.services else cited
        place = next((item for item in where if _names(match[0], item)), None)
        facts.append(
            CheckedFact(
                claimed=match[0],
                looked_in=place.ref_id if place else ", ".join(item.ref_id for item in cited),
                found=match[0] if place else None,
                verdict=Verdict.SUPPORTED if place else Verdict.UNSUPPORTED,
            )
        )
    return facts


def _is_unknown(name: str, base: EvidenceBase) -> bool:
    return base.service_of_name(name) is None and stem(name.lower()) not in NEUTRAL


def _check_unknown(name: str, cited: Sequence[Cited]) -> CheckedFact:
    """Whose log it is must stand in the lines, also of a service that the session has never heard of."""
    place = next((item for item in cited if _names(name, item)), None)
    return fact(f"{name}'s log", cited, place.ref_id if place else None, Verdict.SUPPORTED if place else Verdict.UNSUPPORTED)


def _names(identifier: str, item: Cited) -> bool:
    pattern = rf"(?<![A-Za-z0-9]){re.escape(identifier)}(?![A-Za-z0-9])"
    return re.search(pattern, item.text, re.IGNORECASE) is not None


def _check_speaker(service: str, cited: Sequence[Cited], *, logs: bool) -> CheckedFact:
    """Evidence about another service does not support a claim about this one, nor does an alert tell what it logged."""
    others = [item for item in cited if item.kind is CitedKind.LOG and (item.service or "").lower() != service.lower()]
    calls = [item for item in cited if item.kind is CitedKind.CALL and item.call.row.tool_name == "query_logs"]
    others += [
        call for call in calls if ((call.item["scope"].get("labels") or {}).get("service") or "").lower() != service.lower()
    ]
    if others:
        return CheckedFact(
            claimed=f"{service} logged it",
            looked_in=f"{others[0].ref_id} service",
            found=others[0].service or "lines of more than this service",
            verdict=Verdict.UNSUPPORTED,
        )
    if logs and all(item.trust is Trust.MEASURED for item in cited):
        return fact(f"{service} logged it", cited, "no log is cited", Verdict.UNSUPPORTED)
    return fact(f"{service} logged it", cited, service, Verdict.SUPPORTED)
