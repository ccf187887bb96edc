"""Finds the part of a big file that a window needs, where the file is in time order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import BinaryIO, Final, NamedTuple

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.profile import FileProfile
from groundwire.domain.incident import TimeWindow
from groundwire.domain.times import shifted

WORTH_SEEKING: Final = 4 << 20
"""Bytes: smaller files are read whole, which needs no order."""

_PROBES: Final = 48
_PROBE_SIZES: Final = (16 * 1024, 512 * 1024)
_CLOSE_ENOUGH: Final = 512 * 1024
# Threads write their lines a little late; a window's edge is kept this far from what is not read.
_DISORDER: Final = timedelta(seconds=2)
_MARGIN: Final = timedelta(minutes=2)


class Probe(NamedTuple):
    """A record's start found in the file: the byte it starts at, and its time."""

    offset: int
    time: datetime


def find_span(handle: BinaryIO, profile: FileProfile, clock: FileClock, window: TimeWindow) -> tuple[int, int] | None:
    """Return the bytes from and to which the window's records stand; None when the file must be read whole.

    The order is verified at nearly fifty places, evenly spread; a file that is out of order at one of them is read whole.
    """
    size = profile.file.size
    found = [_probe(handle, profile, clock, size * step // _PROBES) for step in range(_PROBES)]
    probes = [probe for probe in found if probe is not None]
    if len(probes) < _PROBES // 2 or any(later.time < earlier.time - _DISORDER for earlier, later in pairwise(probes)):
        return None
    before, behind = shifted(window.start, -_MARGIN), shifted(window.end, _MARGIN)
    start = _edge(handle, profile, clock, probes, before)
    following = [probe for probe in probes if probe.time > behind]
    end = following[0].offset if following else size
    return (start, max(start, end))


def _edge(handle: BinaryIO, profile: FileProfile, clock: FileClock, probes: Sequence[Probe], moment: datetime) -> int:
    earlier = [probe for probe in probes if probe.time < moment]
    if not earlier:
        return 0
    low = earlier[-1].offset
    high = probes[len(earlier)].offset if len(earlier) < len(probes) else profile.file.size
    while high - low > _CLOSE_ENOUGH:
        middle = _probe(handle, profile, clock, (low + high) // 2)
        if middle is None or not low < middle.offset < high:
            break
        if middle.time < moment:
            low = middle.offset
        else:
            high = middle.offset
    return low


def _probe(handle: BinaryIO, profile: FileProfile, clock: FileClock, offset: int) -> Probe | None:
    for size in _PROBE_SIZES:
        handle.seek(offset)
        sample = handle.read(size)
        at = 0
        if offset > 0:
            at = sample.find(b"\n") + 1
            if at == 0:
                continue
        while (end := sample.find(b"\n", at)) >= 0:
            time = _time_of(sample[at:end].decode("utf-8", "backslashreplace"), profile, clock)
            if time is not None:
                return Probe(offset + at, time)
            at = end + 1
    return None


def _time_of(line: str, profile: FileProfile, clock: FileClock) -> datetime | None:
    framed = None if profile.frame is None else profile.frame.unwrap(line)
    if framed is not None and framed.time is not None:
        return framed.time
    start = profile.reader.start(line if framed is None else framed.inner, clock)
    return None if start is None else start.time
