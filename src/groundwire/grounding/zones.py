"""Time zones as people write them behind a time: an offset, or one of a small table of names."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

_HOURS: Final[dict[str, tuple[float, ...]]] = {
    "Z": (0,),
    "UTC": (0,),
    "GMT": (0,),
    "WET": (0,),
    "WEST": (1,),
    "BST": (1,),
    "CET": (1,),
    "MEZ": (1,),
    "CEST": (2,),
    "MESZ": (2,),
    "EET": (2,),
    "EEST": (3,),
    "MSK": (3,),
    "IST": (5.5,),
    "SGT": (8,),
    "HKT": (8,),
    "AWST": (8,),
    "JST": (9,),
    "KST": (9,),
    "AEST": (10,),
    "AEDT": (11,),
    "NZST": (12,),
    "NZDT": (13,),
    "EST": (-5,),
    "EDT": (-4,),
    "CST": (-6,),
    "CDT": (-5,),
    "MST": (-7,),
    "MDT": (-6,),
    "PST": (-8,),
    "PDT": (-7,),
    # Without summer or winter in the name: either may be meant.
    "ET": (-5, -4),
    "CT": (-6, -5),
    "MT": (-7, -6),
    "PT": (-8, -7),
}
_NAMES: Final = "|".join(sorted(_HOURS, key=len, reverse=True))
_OFFSET: Final = r"[+-](?:0\d|1[0-4])(?::?(?:00|15|30|45))?"
ZONE: Final = rf"(?:(?:UTC|GMT|utc|gmt)(?:{_OFFSET}|[+-]\d{{1,2}}(?![\d:]))|{_OFFSET}|{_NAMES}|utc|gmt|z)"
"""The pattern text of a zone; it stands right behind a time, or behind one blank or bracket."""

_WRITTEN_OFFSET: Final = re.compile(r"([+-])(\d{1,2}):?(\d{2})?\Z")


def offsets_of(zone: str | None) -> tuple[timedelta, ...]:
    """Return how far a zone may be ahead of UTC; a time without a zone is UTC."""
    if zone is None:
        return (timedelta(),)
    written = _WRITTEN_OFFSET.search(zone)
    if written is None:
        return tuple(timedelta(hours=hours) for hours in _HOURS[zone.upper()])
    ahead = timedelta(hours=int(written[2]), minutes=int(written[3] or 0))
    return (-ahead if written[1] == "-" else ahead,)
