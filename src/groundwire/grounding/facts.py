"""One fact of a claim, checked: short to write, since every rule ends in one."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited


def fact(claimed: str, looked_in: str | Sequence[Cited], found: str | None, verdict: Verdict) -> CheckedFact:
    """Return the fact; ``looked_in`` may be the cited items themselves."""
    where = looked_in if isinstance(looked_in, str) else ", ".join(item.ref_id for item in looked_in)
    return CheckedFact(claimed=claimed, looked_in=where, found=found, verdict=verdict)
