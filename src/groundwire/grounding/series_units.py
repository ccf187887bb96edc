"""The unit in which a series is stored, told by its metric's name, and figures of a claim put into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from groundwire.grounding.claim_text import words
from groundwire.grounding.figures import Figure

UNIT_PATTERN: Final = (
    r"%|per ?cent(?:age points?)?\b|percentage points?\b|pct\b|pp\b|"
    r"(?:nano|micro|milli)?seconds?\b|nanos\b|micros\b|millis\b|m?secs?\b|ns\b|us\b|µs|μs|ms\b|s\b|minutes?\b|mins?\b(?!\s*[:=]?\s*\d)|hours?\b|hrs?\b|h\b|days?\b|"
    r"(?:kilo|mega|giga|tera|kibi|mebi|gibi|tebi)?bytes?\b|[KkMGT]i?B\b|[KMGT]i\b|B\b|"
    r"milli-?cores?\b|mcores?\b|milli-?cpus?\b|mcpus?\b|v?cpus?\b(?! (?:usage|util|load|time|rate|thrott))|cores?\b|m\b|[kM]\b"
)
"""The pattern text of a unit behind a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit: what it measures, and how much of the dimension's base one of it is."""

    dimension: str
    factor: Decimal


_PREFIXES: Final[Mapping[str, Decimal]] = {
    "": Decimal(1),
    "k": Decimal(10**3),
    "m": Decimal(10**6),
    "g": Decimal(10**9),
    "t": Decimal(10**12),
    "ki": Decimal(2**10),
    "mi": Decimal(2**20),
    "gi": Decimal(2**30),
    "ti": Decimal(2**40),
}
_LONG: Final = {"kilo": "k", "mega": "m", "giga": "g", "tera": "t", "kibi": "ki", "mebi": "mi", "gibi": "gi", "tebi": "ti"}


def _units() -> dict[str, Unit]:
    units = {f"{prefix}b": Unit(dimension="bytes", factor=factor) for prefix, factor in _PREFIXES.items()}
    units |= {prefix: units[f"{prefix}b"] for prefix in ("ki", "mi", "gi", "ti")}
    units |= {f"{long}byte": units[f"{short}b"] for long, short in _LONG.items()} | {"byte": units["b"]}
    names = {
        "time": {
            "ns nanosecond nano": "1e-9",
            "us µs μs microsecond micro": "1e-6",
            "ms msec millisecond milli": "0.001",
            "s sec second": "1",
            "min minute": "60",
            "h hr hour": "3600",
            "day": "86400",
        },
        "cpu": {"core cpu vcpu": "1", "millicore milli-core mcore millicpu milli-cpu mcpu": "0.001"},
        "ratio": {"% percent per_cent pct percentage percentage_point pp": "0.01", "ratio fraction": "1"},
    }
    for dimension, spelled in names.items():
        for spellings, factor in spelled.items():
            units |= {name.replace("_", " "): Unit(dimension=dimension, factor=Decimal(factor)) for name in spellings.split()}
    return units


_UNITS: Final = _units()
_IN_NAMES: Final = {name: unit for name, unit in _UNITS.items() if len(name) > 1 and name not in ("cpu", "vcpu", "min", "micro")}
_AS_SHARE: Final = re.compile(r"percent|pct|ratio|fraction|share|util|rate|saturation|availability|usage", re.IGNORECASE)
_PER: Final = re.compile(r"per_?(?:s|sec|second|min|minute|h|hour)(?:_|\b)|[rq]ps\b|persec", re.IGNORECASE)
_COUNTS: Final = frozenset("total count sum bucket max min avg mean".split())
_METRIC_ENDS: Final = frozenset(("per", "second", "sec"))


def unit_of(metric: str, labels: Mapping[str, object]) -> Unit | None:
    """Return the unit that a metric's name (or its label ``unit``) ends in, or None where it tells none."""
    if _PER.search(metric):
        metric = metric[: _PER.search(metric).start()]  # type: ignore[union-attr]
    for word in (*reversed(words(metric)), str(labels.get("unit") or "").lower()):
        unit = _IN_NAMES.get(word) or _IN_NAMES.get(word.removesuffix("s"))
        if unit is not None:
            return unit
    return None


def is_per_time(metric: str) -> bool:
    """Return whether a metric's name says that it is so much in a second or minute."""
    return _PER.search(metric) is not None


def unit_named(shown: str) -> Unit | None:
    """Return the unit that a claim writes, or None where it is not known."""
    name = shown.lower()
    return _UNITS.get(name) or _UNITS.get(name.removesuffix("s"))


def in_unit_of(stated: Figure, unit_shown: str, metric: str, stored: Unit | None, highest: float) -> Figure | None:
    """Return a figure in the unit in which the series is stored, or None where it cannot be put into that unit.

    ``highest`` is the series' maximum: a share without a unit in its name is a fraction where nothing is above one.
    """
    if unit_shown in ("k", "M"):
        return _scaled(stated, Decimal(10**3 if unit_shown == "k" else 10**6))
    if not unit_shown:
        return stated
    if unit_shown == "m":
        unit = {"cpu": _UNITS["millicore"], "time": _UNITS["min"]}.get(stored.dimension if stored else "")
    else:
        unit = unit_named(unit_shown)
    if unit is None:
        return None
    if stored is None:
        if unit.dimension != "ratio" or not _AS_SHARE.search(metric):
            return None
        return stated if highest > 1 else _scaled(stated, unit.factor)
    return _scaled(stated, unit.factor / stored.factor) if unit.dimension == stored.dimension else None


def _scaled(stated: Figure, factor: Decimal) -> Figure:
    return Figure(shown=stated.shown, value=stated.value * factor, slack=stated.slack * factor, unit="")
