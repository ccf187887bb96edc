"""The exact upper bound of a share, by the quantile of the beta distribution."""

from __future__ import annotations

import math


def upper_bound(hits: int, tries: int, *, confidence: float = 0.95) -> float:
    """Return the one-sided Clopper-Pearson upper bound: the share at which so few hits have a chance of 1 - confidence."""
    if tries == 0 or hits >= tries:
        return 1.0
    low, high = hits / tries, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(hits, tries, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(hits: int, tries: int, share: float) -> float:
    """Return the chance of at most so many hits (binomial); it is the tail of the beta distribution."""
    if share <= 0:
        return 1.0
    if share >= 1:
        return 0.0
    logs = (
        math.lgamma(tries + 1)
        - math.lgamma(k + 1)
        - math.lgamma(tries - k + 1)
        + k * math.log(share)
        + (tries - k) * math.log1p(-share)
        for k in range(hits + 1)
    )
    return sum(math.exp(value) for value in logs)
