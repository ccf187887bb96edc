"""How long a call may take."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """An end on the monotonic clock; ``after_s`` is what was allowed in all, for messages."""

    after_s: float
    ends_at_monotonic_s: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(after_s=seconds, ends_at_monotonic_s=time.monotonic() + seconds)

    @property
    def remaining_s(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.ends_at_monotonic_s - time.monotonic())

    @property
    def expired(self) -> bool:
        return time.monotonic() >= self.ends_at_monotonic_s
