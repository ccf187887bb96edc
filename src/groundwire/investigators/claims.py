"""What every wording of findings needs: a claim that has no id yet, and an instant as people read it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from groundwire.domain.answer import Claim
from groundwire.domain.names import ClaimKind, ClaimRole


def unnumbered(text: str, kind: ClaimKind, role: ClaimRole, *refs: str) -> Claim:
    """Return a claim whose id is given later."""
    return Claim(id="", text=text, refs=refs, kind=kind, role=role)


def utc(value: Any) -> str | None:
    """Return a stored instant to the second in UTC; None where there is none."""
    if not isinstance(value, str):
        return None
    return datetime.fromisoformat(value).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
