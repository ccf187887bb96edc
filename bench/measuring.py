"""CPU time of several things in one run, and a line for each figure."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured value; over its limit the run fails, over its goal it is only seen. None: it is shown and not judged."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    goal: float | None = None

    @property
    def ok(self) -> bool:
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        bounds = [f"{word} {bound:g}" for word, bound in (("goal", self.goal), ("limit", self.limit)) if bound is not None]
        return f"{self.name}: {self.value:.3g} {self.unit}" + (f"  ({', '.join(bounds)})" if bounds else "")


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the CPU time of one run, of all threads of this process."""
    started = time.process_time_ns()
    work()
    return (time.process_time_ns() - started) / 1e6


def in_turns(*works: Callable[[], object], rounds: int) -> list[tuple[float, ...]]:
    """Return the CPU times of several things for each round: what the machine is busy with meets all of a round alike."""
    return [tuple(cpu_ms(work) for work in works) for _ in range(rounds)]


def report(*figures: Figure, description: str) -> None:
    """Print the figures, as JSON objects with ``--json``; exits with 1 when one is over its limit. Over its goal is a miss."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    as_json = parser.parse_args().json
    for figure in figures:
        if as_json:
            value = round(figure.value, 4)
            print(json.dumps({"name": figure.name, "value": value, "unit": figure.unit, "limit": figure.limit, "ok": figure.ok}))
        else:
            is_missed = figure.goal is not None and figure.value > figure.goal
            print("OVER" if not figure.ok else "miss" if is_missed else "ok  ", figure)
    raise SystemExit(0 if all(figure.ok for figure in figures) else 1)
