"""Finds the part of a big file that a window needs, where the file is in time order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import BinaryIO, Final, NamedTuple

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.profile import FileProfile
from groundwire.adapters.logs.server_formats import only_adds
from groundwire.domain.incident import TimeWindow
from groundwire.domain.times import shifted

WORTH_SEEKING: Final = 4 << 20
"""Bytes: smaller files are read whole, which needs no order."""

_PROBES: Final = 48
_PROBE_SIZES: Final = (16 * 1024, 512 * 1024)
_CLOSE_ENOUGH: Final = 256 * 1024
_PART: Final = 2 << 20
# Threads write their lines a little late; a window's edge is kept well away from what is not read.
DISORDER: Final = timedelta(seconds=2)
_MARGIN: Final = timedelta(minutes=2)


class Probe(NamedTuple):
    """A record's start found in the file: the byte it starts at, and its time."""

    offset: int
    time: datetime


@dataclass(frozen=True, slots=True)
class FileOrder:
    """Whether a file keeps to time order, as far as was seen at evenly spread ``probes``; ``clock`` read their times."""

    profile: FileProfile
    clock: FileClock
    probes: tuple[Probe, ...]
    is_kept: bool

    def span(self, handle: BinaryIO, window: TimeWindow) -> tuple[int, int]:
        """Return the bytes from and to which the window's records stand."""
        before, behind = shifted(window.start, -_MARGIN), shifted(window.end, _MARGIN)
        size, newest = self.profile.file.size, self.profile.newest
        if newest is not None and newest < before:
            return (size, size)
        start = _edge(handle, self.profile, self.clock, self.probes, before)
        following = [probe for probe in self.probes if probe.time > behind]
        end = size
        if following:
            end = _edge(handle, self.profile, self.clock, self.probes, behind, is_end=True)
        return (start, max(start, end))


def find_order(handle: BinaryIO, profile: FileProfile, clock: FileClock) -> FileOrder:
    """Return the order of a file, verified at nearly fifty places; a small file's is not looked at, and not kept."""
    size = profile.file.size
    if size < WORTH_SEEKING:
        return FileOrder(profile, clock, (), is_kept=False)
    offsets = {*(size * step // _PROBES for step in range(_PROBES)), max(0, size - _PROBE_SIZES[0])}
    found = [_probe(handle, profile, clock, offset) for offset in sorted(offsets)]
    probes = tuple(probe for probe in found if probe is not None)
    times = [probe.time for probe in probes]
    if profile.newest is not None:
        times.append(profile.newest)  # nothing of the file is read for a window behind it
    is_kept = len(probes) >= _PROBES // 2 and all(later >= earlier - DISORDER for earlier, later in pairwise(times))
    return FileOrder(profile, clock, probes, is_kept)


class Part(NamedTuple):
    """Some bytes of a file that start with a record. ``earlier`` is its time, if any record stands before it.

    ``lacks_words``: what must be there stands nowhere in it.
    """

    start: int
    end: int
    earlier: datetime | None
    lacks_words: bool = False


def parts_backwards(
    handle: BinaryIO, profile: FileProfile, clock: FileClock, start: int, end: int, *, step: int | None = None
) -> Iterator[Part]:
    """Yield a span in parts of some 2 MB (or ``step``), the last part first."""
    step = step or _PART
    for offset in reversed(range(start + step, end - step // 2, step)):
        probe = _probe(handle, profile, clock, offset)
        if probe is not None and start < probe.offset < end:
            yield Part(probe.offset, end, probe.time)
            end = probe.offset
    yield Part(start, end, None)


def _edge(
    handle: BinaryIO, profile: FileProfile, clock: FileClock, probes: Sequence[Probe], moment: datetime, *, is_end: bool = False
) -> int:
    earlier = [probe for probe in probes if probe.time < moment]
    if not earlier:
        return probes[0].offset if is_end else 0
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
    return high if is_end else low


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
            time = time_of_line(sample[at:end].decode("utf-8", "backslashreplace"), profile, clock)
            if time is not None:
                return Probe(offset + at, time)
            at = end + 1
    return None


def time_of_line(line: str, profile: FileProfile, clock: FileClock) -> datetime | None:
    """Return the time of a line that starts a record, or None."""
    framed = None if profile.frame is None else profile.frame.unwrap(line)
    if framed is not None and framed.time is not None:
        return framed.time
    start = profile.reader.start(line if framed is None else framed.inner, clock)
    return None if start is None or only_adds(start) else start.time
