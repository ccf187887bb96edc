"""What a made log server keeps, and the shop of the demo as one would have it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from groundwire.adapters.logs.demo import DEMO_FILES

_TIME = re.compile(r"2026-11-12T\d\d:\d\d:\d\d\.\d{3}Z|\"ts\":(\d+\.\d+)")


_LEVEL = re.compile(r"\b(?:DEBUG|INFO|WARN|ERROR|FATAL)\b", re.IGNORECASE)


class Kept(NamedTuple):
    """One entry: ``stream`` are the labels of its stream, ``own`` those of the entry alone."""

    at_ns: int
    stream: Mapping[str, str]
    text: str
    own: Mapping[str, str] = {}

    @property
    def labels(self) -> dict[str, str]:
        return {**self.stream, **self.own}


def ns(moment: datetime) -> int:
    return int(moment.timestamp()) * 1_000_000_000 + moment.microsecond * 1000


def shop() -> list[Kept]:
    """The demo's records, each an entry of its file's stream."""
    return [
        Kept(_at(text), {"service_name": path.stem, "filename": f"/var/log/{path.name}"}, text)
        for path in sorted(DEMO_FILES.glob("*.log"))
        for text in _records(path.read_text())
    ]


def shop_with_levels() -> list[Kept]:
    """The same, with the level that the shipper found in each text as the entry's own label."""
    return [kept._replace(own={"detected_level": _level(kept.text)}) for kept in shop()]


def _level(text: str) -> str:
    found = _LEVEL.search(text)
    assert found is not None, text
    return found[0].lower()


def _records(text: str) -> Iterator[str]:
    record: list[str] = []
    for line in text.splitlines():
        if record and (line.startswith(("2026-", "{", "time="))):
            yield "\n".join(record)
            record = []
        record.append(line)
    yield "\n".join(record)


def _at(text: str) -> int:
    found = _TIME.search(text)
    assert found is not None, text
    if found[1]:
        seconds, _, rest = found[1].partition(".")
        return int(seconds) * 1_000_000_000 + int(rest.ljust(9, "0"))
    return ns(datetime.fromisoformat(found[0]).astimezone(UTC))
