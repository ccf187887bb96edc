"""How a source is when it is asked nothing but that."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCheck:
    """A source that answered. ``clock_difference_s`` is how far its clock is ahead of ours, in whole seconds; None: not known.

    ``missing`` are sentences about what a diagnosis would need of it and does not find; ``notes`` say what is merely of interest.
    """

    version: str | None = None
    latency_ms: float | None = None
    clock_difference_s: float | None = None
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
