"""How far two sortings of the same things agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """``same`` of ``count`` things are sorted alike; ``kappa`` (Cohen) is the part of it that chance does not give."""

    same: int
    count: int
    kappa: float

    @property
    def share(self) -> float:
        return self.same / self.count if self.count else 0.0


def agreement_of(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Return the agreement of two sortings, given as the two names of each thing.

    Where chance alone would give full agreement (both have one and the same name only) kappa is 1.
    """
    if not pairs:
        return Agreement(same=0, count=0, kappa=0.0)
    total, same = len(pairs), sum(one == other for one, other in pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[name] * second[name] for name in first) / total**2
    kappa = 1.0 if expected == 1 else (same / total - expected) / (1 - expected)
    return Agreement(same=same, count=total, kappa=kappa)
