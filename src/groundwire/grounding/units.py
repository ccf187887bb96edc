"""Units as people and programs write them, and what one of each is in the base unit of its dimension."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

UNIT: Final = (
    r"%|percent(?:age points?)?|per cent|pct|(?:ms|msecs?|millis(?:econds?)?|milli-?seconds?|[µu]s|microseconds?|ns|nanoseconds?|"
    r"s|secs?|seconds?|mins?|minutes?|hrs?|hours?|h|days?|d|[kKMGT]i?B|[kKMGT]i?[bB]ytes|(?:kilo|mega|giga|tera)bytes?|bytes?|B|"
    r"EUR|euros?|USD|dollars?|GBP|pounds?|[kKM])(?![A-Za-z])|[€$£]"
)
CURRENCY: Final = r"(?:EUR|USD|GBP)\s?|[€$£]"

_UNITS: Final[dict[str, tuple[str, str]]] = {
    "%": ("ratio", "0.01"),
    "percent": ("ratio", "0.01"),
    "percentage point": ("ratio", "0.01"),
    "per cent": ("ratio", "0.01"),
    "pct": ("ratio", "0.01"),
    "ns": ("s", "1e-9"),
    "nanosecond": ("s", "1e-9"),
    "us": ("s", "1e-6"),
    "µs": ("s", "1e-6"),
    "microsecond": ("s", "1e-6"),
    "ms": ("s", "0.001"),
    "msec": ("s", "0.001"),
    "milli": ("s", "0.001"),
    "millisecond": ("s", "0.001"),
    "milli-second": ("s", "0.001"),
    "s": ("s", "1"),
    "sec": ("s", "1"),
    "second": ("s", "1"),
    "min": ("s", "60"),
    "minute": ("s", "60"),
    "h": ("s", "3600"),
    "hr": ("s", "3600"),
    "hour": ("s", "3600"),
    "d": ("s", "86400"),
    "day": ("s", "86400"),
    "b": ("bytes", "1"),
    "byte": ("bytes", "1"),
    "eur": ("EUR", "1"),
    "euro": ("EUR", "1"),
    "€": ("EUR", "1"),
    "usd": ("USD", "1"),
    "dollar": ("USD", "1"),
    "$": ("USD", "1"),
    "gbp": ("GBP", "1"),
    "pound": ("GBP", "1"),
    "£": ("GBP", "1"),
    "k": ("", "1e3"),
    "m": ("", "1e6"),
}
_BYTES: Final = {"k": 1, "kilo": 1, "m": 2, "mega": 2, "g": 3, "giga": 3, "t": 4, "tera": 4}
# What the end of a key says about the number behind it: duration_ms=12, size_bytes=512.
_KEY_ENDINGS: Final[dict[str, str]] = {
    "_ms": "ms",
    "ms": "ms",
    "_millis": "ms",
    "_us": "us",
    "_ns": "ns",
    "_s": "s",
    "_sec": "s",
    "_secs": "s",
    "_seconds": "s",
    "_minutes": "min",
    "_bytes": "byte",
    "_percent": "%",
    "_pct": "%",
    "_eur": "eur",
    "_usd": "usd",
}


def unit_of(written: str) -> tuple[str | None, Decimal]:
    """Return the dimension of a written unit (None: none known) and how many of its base unit one is."""
    unit = written.strip().lower()
    for name in (unit, unit.removesuffix("s")):
        if name in _UNITS:
            dimension, factor = _UNITS[name]
            return dimension or None, Decimal(factor)
    for prefix in sorted(_BYTES, key=len, reverse=True):
        rest = unit.removeprefix(prefix)
        if rest != unit and rest in ("b", "byte", "bytes", "ib", "ibyte", "ibytes"):
            base = 1024 if rest.startswith("i") else 1000
            return "bytes", Decimal(base) ** _BYTES[prefix]
    return None, Decimal(1)


def unit_of_key(key: str) -> tuple[str | None, Decimal]:
    """Return what the name of a field says about its unit (``duration_ms``), or no unit."""
    ending = next((ending for ending in _KEY_ENDINGS if key.endswith(ending)), None)
    return unit_of(_KEY_ENDINGS[ending]) if ending else (None, Decimal(1))
