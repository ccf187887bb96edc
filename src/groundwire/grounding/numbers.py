"""Numbers with their units: the same value and unit, bound to the same word or field, in a cited item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from groundwire.domain.names import Verdict
from groundwire.domain.verdict import CheckedFact
from groundwire.grounding.cited import Cited
from groundwire.grounding.claim_text import ClaimText, stem, words
from groundwire.grounding.figures import NEARLY

_NUMBER: Final = re.compile(
    rf"(?P<near>{NEARLY})?"
    r"(?<![\w.,/:-])(?P<key>[A-Za-z_][\w.-]{0,60}\s?[=:]\s?)?"
    r"(?P<n>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d{1,18}(?:\.\d{1,18})?)(?P<ratio>/\d{1,12})?"
    r"(?:\s?(?P<unit>%|percent|ms|milliseconds?|s|sec|secs|seconds?|min|minutes?|h|hours?|[KMGT]i?B|bytes?|B|[kKM](?![\w])))?(?![\w/]|\.\d)"
)
_UNITS: Final[dict[str, tuple[str | None, Decimal]]] = {
    "%": ("ratio", Decimal("0.01")),
    "percent": ("ratio", Decimal("0.01")),
    "ms": ("s", Decimal("0.001")),
    "millisecond": ("s", Decimal("0.001")),
    "s": ("s", Decimal(1)),
    "sec": ("s", Decimal(1)),
    "second": ("s", Decimal(1)),
    "min": ("s", Decimal(60)),
    "minute": ("s", Decimal(60)),
    "h": ("s", Decimal(3600)),
    "hour": ("s", Decimal(3600)),
    "b": ("bytes", Decimal(1)),
    "byte": ("bytes", Decimal(1)),
    "k": (None, Decimal(10**3)),
    "m": (None, Decimal(10**6)),
    "kb": ("bytes", Decimal(10**3)),
    "mb": ("bytes", Decimal(10**6)),
    "gb": ("bytes", Decimal(10**9)),
    "tb": ("bytes", Decimal(10**12)),
    "kib": ("bytes", Decimal(2**10)),
    "mib": ("bytes", Decimal(2**20)),
    "gib": ("bytes", Decimal(2**30)),
    "tib": ("bytes", Decimal(2**40)),
}
_KEY_UNITS: Final[dict[str, tuple[str, Decimal]]] = {
    "_ms": ("s", Decimal("0.001")),
    "_millis": ("s", Decimal("0.001")),
    "_s": ("s", Decimal(1)),
    "_seconds": ("s", Decimal(1)),
    "_sec": ("s", Decimal(1)),
    "_bytes": ("bytes", Decimal(1)),
    "_percent": ("ratio", Decimal("0.01")),
}
_NEAR_SHARE: Final = Decimal("0.05")
_NEAR: Final = 60
_SURPRISING_DIGITS: Final = 4
_UNBINDING: Final = frozenset(
    "a an the of for is was are were to at by in on from and or with after about around near only its it has had been".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number:
    """A number as written: its value in the base unit of its dimension (None: no unit), and the words about it."""

    shown: str
    value: Decimal
    digits: int
    slack: Decimal
    dimension: str | None
    ratio: str | None
    key: str | None
    near: frozenset[str]


def check_numbers(claim: ClaimText, cited: Sequence[Cited]) -> list[CheckedFact]:
    """Return one fact for each number of the claim.

    Supported needs the value, a compatible unit, and a shared word or key beside it; a number of four or more digits is
    taken without one, since it hardly occurs by chance. The same ``key=`` with another value contradicts.
    """
    before = claim.rest
    return [_check(_read(match, before), cited) for match in claim.take(_NUMBER)]


def _check(number: _Number, cited: Sequence[Cited]) -> CheckedFact:
    same_key: CheckedFact | None = None
    for item in cited:
        for other in _numbers_of(item):
            if _same_value(number, other) and _is_bound(number, other):
                return CheckedFact(claimed=number.shown, looked_in=item.ref_id, found=other.shown, verdict=Verdict.SUPPORTED)
            if number.key and number.key == other.key and not _same_value(number, other):
                same_key = CheckedFact(
                    claimed=number.shown,
                    looked_in=f"{item.ref_id} {other.key}",
                    found=other.shown,
                    verdict=Verdict.CONTRADICTED,
                )
    if same_key is not None:
        return same_key
    return CheckedFact(
        claimed=number.shown, looked_in=", ".join(item.ref_id for item in cited), found=None, verdict=Verdict.UNSUPPORTED
    )


def _numbers_of(item: Cited) -> Iterator[_Number]:
    for match in _NUMBER.finditer(item.text):
        yield _read(match, item.text)


def _read(match: re.Match[str], text: str) -> _Number:
    unit = (match["unit"] or "").lower()
    dimension, factor = _UNITS.get(unit) or _UNITS.get(unit.rstrip("s")) or (None, Decimal(1))
    key = (match["key"] or "").strip(" =:").lower() or None
    near = words(text[max(0, match.start() - _NEAR) : match.start()])[-4:] + words(text[match.end() : match.end() + _NEAR])[:3]
    if key:
        near += words(key)
    if dimension is None and key:
        dimension, factor = next((unit for suffix, unit in _KEY_UNITS.items() if key.endswith(suffix)), (None, Decimal(1)))
    exponent = Decimal(match["n"].replace(",", "")).as_tuple().exponent
    last_digit = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) * factor
    value = Decimal(match["n"].replace(",", "")) * factor
    digits = len(match["n"].replace(",", "").replace(".", "").lstrip("-0"))
    return _Number(
        shown=match[0].strip(),
        value=value,
        slack=max(abs(value) * _NEAR_SHARE, last_digit) if match["near"] else last_digit / 2,
        digits=digits,
        dimension=dimension,
        ratio=match["ratio"],
        key=key,
        near=frozenset(stem(word) for word in near if word not in _UNBINDING),
    )


def _same_value(claimed: _Number, found: _Number) -> bool:
    if claimed.ratio != found.ratio and claimed.ratio is not None:
        return False
    off = abs(claimed.value - found.value)
    if claimed.dimension == found.dimension:
        return off <= claimed.slack
    # A percentage of the claim may stand as a fraction in a field without a unit.
    return claimed.dimension == "ratio" and found.dimension is None and off <= claimed.slack


def _is_bound(claimed: _Number, found: _Number) -> bool:
    if claimed.key is not None:
        return claimed.key == found.key or claimed.key in ("value",)
    return claimed.digits >= _SURPRISING_DIGITS or claimed.ratio is not None or bool(claimed.near & found.near)
