"""CPU time of two things in one run, and a line for each figure."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured value beside its limit; None: it is shown and not judged."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def ok(self) -> bool:
        return self.limit is None or self.value <= self.limit


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the CPU time of one run, of all threads of this process."""
    started = time.process_time_ns()
    work()
    return (time.process_time_ns() - started) / 1e6


def median_each(first: Callable[[], object], second: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median CPU time of two things measured in turns, so that the machine's mood meets both alike."""
    pairs = [(cpu_ms(first), cpu_ms(second)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def report(*figures: Figure, description: str) -> None:
    """Print the figures, as JSON objects with ``--json``; exits with 1 when one is over its limit."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    as_json = parser.parse_args().json
    for figure in figures:
        if as_json:
            value = round(figure.value, 4)
            print(json.dumps({"name": figure.name, "value": value, "unit": figure.unit, "limit": figure.limit, "ok": figure.ok}))
        else:
            limit = "" if figure.limit is None else f"  (limit {figure.limit:g})"
            print(f"{'ok  ' if figure.ok else 'OVER'} {figure.name}: {figure.value:.3g} {figure.unit}{limit}")
    raise SystemExit(0 if all(figure.ok for figure in figures) else 1)
