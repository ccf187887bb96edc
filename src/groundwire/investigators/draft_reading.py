"""A model's JSON read as a draft: leniently where only one reading is possible, otherwise refused with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.names import MATERIAL_KINDS, ClaimKind, ClaimRole
from groundwire.domain.raw_path import parse_ref

_MOST_CLAIMS: Final = 100
_LONGEST_CLAIM: Final = 2_000
_KINDS: Final = {
    **{kind.value: kind for kind in ClaimKind},
    "symptoms": ClaimKind.SYMPTOM,
    "causes": ClaimKind.CAUSE,
    "root_cause": ClaimKind.CAUSE,
    "observations": ClaimKind.OBSERVATION,
    "absences": ClaimKind.ABSENCE,
    "hypotheses": ClaimKind.HYPOTHESIS,
    "recommendations": ClaimKind.RECOMMENDATION,
    "next_step": ClaimKind.RECOMMENDATION,
}
_ROLES: Final = {
    **{role.value: role for role in ClaimRole},
    "answers": ClaimRole.ANSWER,
    "supporting": ClaimRole.SUPPORT,
    "supports": ClaimRole.SUPPORT,
}
_FENCE: Final = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL | re.IGNORECASE)


class UnreadableDraftError(ValueError):
    """A reply that is no draft; the message says why, for whoever wrote it."""


def read_draft(text: str) -> Draft:
    """Return the draft that a reply holds: one JSON object, also inside a code fence or behind a few words.

    Raises:
        UnreadableDraftError: It holds none, or one of the wrong shape.
    """
    item = _json_object(text)
    # Read as a list first: an id that a later list repeats would make two claims one.
    claims = [claim for claims in (_stated(item), _cause(item), _ruled_out(item), _advice(item)) for claim in claims]
    if len(claims) > _MOST_CLAIMS:
        raise UnreadableDraftError(f"it has {len(claims)} claims; at most {_MOST_CLAIMS} are taken")
    return Draft(claims=tuple(_with_own_ids(claims)))


def _json_object(text: str) -> Mapping[str, Any]:
    stripped = text.strip()
    if not stripped:
        raise UnreadableDraftError("it is empty")
    fenced = _FENCE.findall(stripped)
    if len(fenced) > 1:
        raise UnreadableDraftError("it holds more than one block of code")
    body = fenced[0] if fenced else stripped
    start = body.find("{")
    if start < 0:
        raise UnreadableDraftError("it is prose, and no JSON object")
    try:
        item, _ = json.JSONDecoder().raw_decode(body, start)
    except (json.JSONDecodeError, RecursionError) as exc:
        raise UnreadableDraftError(f"it is not JSON ({exc})") from exc
    if not isinstance(item.get("claims"), list):
        raise UnreadableDraftError('it needs "claims", a list of objects with "text", "kind", "role" and "refs"')
    found: Mapping[str, Any] = item
    return found


def _stated(item: Mapping[str, Any]) -> Iterator[Claim]:
    for number, claim in enumerate(item["claims"], start=1):
        where = f"claim {number}"
        if not isinstance(claim, Mapping):
            raise UnreadableDraftError(f"{where} is no object")
        kind = _kind(claim.get("kind"), where)
        yield _claim(claim, where, kind, _role(claim.get("role"), kind, where), name=f"c{number}")


def _cause(item: Mapping[str, Any]) -> Iterator[Claim]:
    cause = item.get("cause")
    if cause is None or cause == "" or _names_a_claim(cause, item):
        return
    if not isinstance(cause, Mapping):
        raise UnreadableDraftError('"cause" takes an object with "text" and "refs", or null')
    if not cause or cause.get("text") is None:
        return
    claim = _claim(cause, "the cause", ClaimKind.CAUSE, ClaimRole.ANSWER, name="cause")
    if not any(isinstance(other, Mapping) and other.get("text") == claim.text for other in item["claims"]):
        yield claim


def _names_a_claim(cause: Any, item: Mapping[str, Any]) -> bool:
    return isinstance(cause, str) and any(isinstance(each, Mapping) and each.get("id") == cause for each in item["claims"])


def _ruled_out(item: Mapping[str, Any]) -> Iterator[Claim]:
    for number, one in enumerate(_list(item, "ruled_out"), start=1):
        where = f"ruled_out {number}"
        if not isinstance(one, Mapping):
            raise UnreadableDraftError(f'{where} takes an object with "text" and "refs"')
        yield _claim(one, where, ClaimKind.ABSENCE, ClaimRole.CONTEXT, name=f"r{number}")


def _advice(item: Mapping[str, Any]) -> Iterator[Claim]:
    for key, prefix, name in (("not_looked_at", "Not looked at: ", "n"), ("next_steps", "", "s")):
        for number, text in enumerate(_list(item, key), start=1):
            if not isinstance(text, str) or not text.strip():
                raise UnreadableDraftError(f'"{key}" takes a list of texts')
            yield Claim(
                id=f"{name}{number}",
                text=f"{prefix}{_bounded(text, f'{key} {number}')}",
                refs=(),
                kind=ClaimKind.RECOMMENDATION,
                role=ClaimRole.CONTEXT,
            )


def _list(item: Mapping[str, Any], key: str) -> list[Any]:
    value = item.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnreadableDraftError(f'"{key}" takes a list')
    return value


def _claim(item: Mapping[str, Any], where: str, kind: ClaimKind, role: ClaimRole, *, name: str) -> Claim:
    text = item.get("text")
    if not isinstance(text, str) or not text.strip():
        raise UnreadableDraftError(f'{where} needs a "text" that is not empty')
    given = item.get("id")
    return Claim(
        id=given.strip()[:40] if isinstance(given, str) and given.strip() else name,
        text=_bounded(text, where),
        refs=_refs(item.get("refs"), where),
        kind=kind,
        role=role,
        facts=_facts(item.get("facts"), where),
    )


def _bounded(text: str, where: str) -> str:
    """Refuse what is too long: half a sentence may say the opposite, and a draft without one claim may look surer than it is."""
    stripped = text.strip()
    if len(stripped) > _LONGEST_CLAIM:
        raise UnreadableDraftError(
            f"{where} has {len(stripped):,} characters; it takes one sentence of at most {_LONGEST_CLAIM:,}"
        )
    return stripped


def _kind(value: Any, where: str) -> ClaimKind:
    kind = _KINDS.get(_folded(value))
    if kind is None:
        raise UnreadableDraftError(f'{where}: "kind" is {_shown(value)}; it takes {", ".join(ClaimKind)}')
    return kind


def _role(value: Any, kind: ClaimKind, where: str) -> ClaimRole:
    if value is None:
        # The strictest reading: what states a fact is what the answer stands or falls with.
        return ClaimRole.ANSWER if kind in MATERIAL_KINDS else ClaimRole.CONTEXT
    role = _ROLES.get(_folded(value))
    if role is None:
        raise UnreadableDraftError(f'{where}: "role" is {_shown(value)}; it takes {", ".join(ClaimRole)}')
    return role


def _folded(value: Any) -> str:
    return re.sub(r"[\s-]+", "_", value.strip().lower()) if isinstance(value, str) else ""


def _refs(value: Any, where: str) -> tuple[str, ...]:
    if value is None:
        return ()
    given = value
    if isinstance(value, str):
        given = [part for part in re.split(r"[\s,;]+", value) if part]
    if not isinstance(given, list) or not all(isinstance(ref, str) for ref in given):
        raise UnreadableDraftError(f'{where}: "refs" takes a list of refs such as "i2.logs.3"')
    return tuple(dict.fromkeys(_bare_ref(ref) for ref in given))


def _bare_ref(ref: str) -> str:
    """Return a ref without brackets around it; what is no ref stays, and is found to cite nothing."""
    bare = ref.strip().strip("[]()` ")
    return bare if parse_ref(bare) is not None else ref


def _facts(value: Any, where: str) -> tuple[Mapping[str, Any], ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(
        isinstance(fact, Mapping) and {"path", "op", "value"} <= fact.keys() for fact in value
    ):
        raise UnreadableDraftError(f'{where}: "facts" takes a list of objects with "path", "op" and "value"')
    return tuple({name: fact[name] for name in ("path", "op", "value")} for fact in value)


def _with_own_ids(claims: list[Claim]) -> Iterator[Claim]:
    taken: set[str] = set()
    for claim in claims:
        name, number = claim.id, 2
        while name in taken:
            name, number = f"{claim.id}-{number}", number + 1
        taken.add(name)
        yield (
            claim
            if name == claim.id
            else Claim(id=name, text=claim.text, refs=claim.refs, kind=claim.kind, role=claim.role, facts=claim.facts)
        )


def _shown(value: Any) -> str:
    return "missing" if value is None else repr(value)[:60]
