"""One fact of a claim, checked: short to write, since every rule ends in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited

_MOST_REFS: Final = 5


def fact(claimed: str, looked_in: str | Sequence[Cited], found: str | None, verdict: Verdict) -> CheckedFact:
    """Return the fact; ``looked_in`` may be the cited items themselves."""
    where = looked_in if isinstance(looked_in, str) else refs_of(looked_in)
    return CheckedFact(claimed=claimed, looked_in=where, found=found, verdict=verdict)


def refs_of(cited: Sequence[Cited]) -> str:
    """Return the refs of what is cited, of many the first ones."""
    refs = [item.ref_id for item in cited]
    more = len(refs) - _MOST_REFS
    return ", ".join(refs) if more <= 1 else f"{', '.join(refs[:_MOST_REFS])} and {more} more"
