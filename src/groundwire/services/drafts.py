"""Drafts as JSON: cleaned before they are stored, and read back for audit and replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.errors import UsageError
from groundwire.domain.masking import clean_value, mask_value
from groundwire.domain.names import ClaimKind, ClaimRole


def storable(draft: Draft) -> Draft:
    """Return the draft as it may be stored and shown: masked, and free of what no store takes."""
    return draft_from_json(mask_value(clean_value(draft.to_json())))


def draft_text(draft: Draft) -> str:
    """Return the JSON text under which a draft is stored."""
    return orjson.dumps(draft.to_json()).decode()


def read_draft(text: str) -> Draft:
    """Return a stored draft."""
    return draft_from_json(orjson.loads(text))


def draft_from_json(item: Mapping[str, Any]) -> Draft:
    """Return the draft that a JSON object ``{"claims": [...], "complete"}`` holds.

    Raises:
        UsageError: The object is not of that shape; the message names the claim and the field.
    """
    claims = item.get("claims")
    if not isinstance(claims, list):
        raise UsageError('a draft needs "claims", a list of objects with "text" and "refs"')
    read = tuple(_claim(claim, number) for number, claim in enumerate(claims, start=1))
    return Draft(claims=read, complete=bool(item.get("complete", True)))


def _claim(item: Any, number: int) -> Claim:
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str) or not item["text"].strip():
        raise UsageError(f'claim {number} needs a "text" that is not empty')
    refs = item.get("refs", [])
    if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
        raise UsageError(f'claim {number}: "refs" takes a list of refs such as "i2.logs.3"')
    facts = item.get("facts") or []
    if not isinstance(facts, list) or not all(isinstance(fact, Mapping) for fact in facts):
        raise UsageError(f'claim {number}: "facts" takes a list of objects with "path", "op" and "value"')
    return Claim(
        id=str(item.get("id") or f"c{number}"),
        text=item["text"],
        refs=tuple(refs),
        kind=_member(ClaimKind, item.get("kind", ClaimKind.OBSERVATION), number, "kind"),
        role=_member(ClaimRole, item.get("role", ClaimRole.ANSWER), number, "role"),
        facts=tuple(facts),
    )


def _member(names: Any, value: Any, number: int, field: str) -> Any:
    if value not in list(names):
        raise UsageError(f'claim {number}: "{field}" is {value!r}; it takes {", ".join(names)}')
    return names(value)
