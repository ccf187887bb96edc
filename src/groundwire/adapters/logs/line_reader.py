"""Tells which lines of one file start a record, by the formats that a sample of it showed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.plain_formats import PLAIN_FORMATS, RARE_FORMATS
from groundwire.adapters.logs.reading import LineFormat, Start
from groundwire.adapters.logs.structured import JsonFormat, LogfmtFormat

ALL_FORMATS: Final[tuple[LineFormat, ...]] = (JsonFormat(), *PLAIN_FORMATS[:-2], LogfmtFormat(), *PLAIN_FORMATS[-2:])
_RARE: Final = frozenset(line_format.name for line_format in RARE_FORMATS)
_ENOUGH_LINES: Final = 40
_CONTINUES: Final = re.compile(
    r"[ \t]|Caused by: |Suppressed: |\.\.\. \d+ more|Traceback \(most recent call last\)|During handling of |The above exception "
    r"|[)}\]]+[;,]?\s*\Z|goroutine \d|created by |\[signal "
)


class LineReader:
    """Reads starts with the likeliest format first; every strong format is tried where that one does not fit.

    ``shown`` are the formats that the sample showed, likeliest first: only of those is a line without a time a start.
    ``is_headless`` files have no format that is known: there, each line that does not look like the inside of a record is one.
    """

    def __init__(self, shown: Sequence[LineFormat], *, is_headless: bool, known: Sequence[LineFormat] = ALL_FORMATS) -> None:
        self.is_headless = is_headless
        self.likeliest = shown[0].name if shown else None
        """The name of the format that is tried first."""
        self._shown = frozenset(line_format.name for line_format in shown)
        self._formats = (*shown, *(other for other in known if other.is_strong and other.name not in self._shown))
        self.names_services = any(line_format.names_services for line_format in shown)
        """Whether records may name another service than their file does."""

    def start(self, line: str, clock: FileClock) -> Start | None:
        """Return the start of a record, or None when the line belongs to the record before it."""
        if not line or line[0] == "\t" or line.startswith("  "):
            return None
        for line_format in self._formats:
            start = line_format.start(line, clock)
            if start is not None and (start.time is not None or line_format.name in self._shown):
                return start
        return None


def looks_inside(line: str) -> bool:
    """Return whether a line looks like the inside of a record: indented, a cause, a closing bracket."""
    return not line or _CONTINUES.match(line) is not None


def reader_for(lines: Sequence[str], clock: FileClock, own: Sequence[LineFormat] = ()) -> LineReader:
    """Return the reader for a file of which ``lines`` are a sample; formats of the user's own are tried first."""
    known: tuple[LineFormat, ...] = (*own, *ALL_FORMATS)
    tried = known
    seen: Counter[LineFormat] = Counter()
    outside = 0
    for line in lines:
        if looks_inside(line):
            continue
        outside += 1
        if outside == _ENOUGH_LINES:
            tried = tuple(line_format for line_format in known if line_format in seen or line_format.name not in _RARE)
        first = next((line_format for line_format in tried if line_format.start(line, clock) is not None), None)
        if first is not None:
            seen[first] += 1
    # More than one line in five: a body of JSON, or a line "ERROR: ..." inside a longer message, is no format of the file.
    shown = [line_format for line_format, count in seen.most_common() if count * 5 > seen.total()]
    if any(line_format.name == "juli" for line_format in shown):
        shown = [line_format for line_format in shown if line_format.name != "level"]  # its second line
    return LineReader(shown, is_headless=seen.total() * 10 < outside, known=known)
