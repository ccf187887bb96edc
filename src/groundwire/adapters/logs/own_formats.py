"""Line formats that an operator adds to the table: a pattern with named groups, and how its time is written.

Patterns run in RE2, whose time is linear in the line whatever the pattern is; lookaround and backreferences do not exist there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.reading import Reading, Start
from groundwire.adapters.logs.structured import time_of_value
from groundwire.domain.levels import Level, parse_level

EPOCH: Final = "epoch"
"""The time format of seconds, milliseconds, microseconds or nanoseconds since 1970."""

_LONGEST_LINE: Final = 64 * 1024
_MOST_MEMORY: Final = 8 << 20
_SAMPLE: Final = datetime(2024, 2, 29, 21, 47, 30, 123456)  # noqa: DTZ001 - it is written and read without one
_FINER: Final = re.compile(r"([.,]\d{6})\d{1,3}(?!\d)")
_LETTERS: Final = {"F": Level.FATAL, "E": Level.ERROR, "W": Level.WARN, "I": Level.INFO, "D": Level.DEBUG, "T": Level.TRACE}

ReadTime = Callable[[str, FileClock], datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnFormat:
    """A line format from the settings. Groups beside time, level, service, instance and message become fields."""

    name: str
    pattern: Any
    """Compiled by RE2, over bytes."""

    groups: tuple[tuple[str, int], ...]
    time: ReadTime
    names_services: bool
    is_strong: bool = True

    def start(self, line: str, clock: FileClock) -> Start | None:
        match = self.pattern.match(line[:_LONGEST_LINE].encode("utf-8", "backslashreplace"))
        if match is None:
            return None
        groups = {name: text.decode("utf-8", "backslashreplace") for name, at in self.groups if (text := match[at])}
        time = self.time(groups.get("time", ""), clock)
        return None if time is None and not clock.met_dayless else Start(time, self, (groups, line))

    def read(self, payload: tuple[dict[str, str], str]) -> Reading:
        groups, line = payload
        fields: dict[str, Any] = dict(groups)
        fields.pop("time", None)
        level = fields.pop("level", None)
        return Reading(
            level=None if level is None else parse_level(level) or _LETTERS.get(level.strip()),
            message=fields.pop("message", line),
            service=fields.pop("service", None),
            instance=fields.pop("instance", None),
            fields=fields,
        )


def own_format(name: str, pattern: str, time_format: str | None) -> OwnFormat:
    """Return the format of an operator's pattern.

    Raises:
        ValueError: The pattern or the time format cannot be used; the message says why, and what can.
    """
    try:
        import re2
    except ImportError as exc:
        raise ValueError("patterns of your own need RE2: pip install 'groundwire[patterns]'") from exc
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    try:
        compiled = re2.compile(pattern.encode(), options=options)
    except re2.error as exc:
        said = exc.args[0].decode("utf-8", "replace") if exc.args and isinstance(exc.args[0], bytes) else str(exc)
        raise ValueError(
            f"the pattern is none that RE2 takes ({said}); lookaround and backreferences do not exist there"
        ) from exc
    groups = tuple((group.decode(), index) for group, index in compiled.groupindex.items())
    names = {group for group, _ in groups}
    if "time" not in names:
        raise ValueError("the pattern needs a group (?P<time>...); level, service, instance and message are read by name, too")
    return OwnFormat(
        name=f"own:{name}",
        pattern=compiled,
        groups=groups,
        time=_time_reader(time_format),
        names_services="service" in names,
    )


def _time_reader(time_format: str | None) -> ReadTime:
    if time_format is None:
        return time_of_value
    if time_format == EPOCH:
        return lambda text, clock: clock.epoch(text)
    directives = set(re.findall(r"%([a-zA-Z])", time_format.replace("%%", "")))
    has_day = bool(directives & set("djcx")) or {"m", "d"} <= directives
    has_year = bool(directives & set("yYGcx"))
    # A leap year, so that 29 February is a day; the year itself is found by the clock.
    before, whole_format = ("", time_format) if has_year else ("2024 ", f"%Y {time_format}")
    _check(time_format, before, whole_format)

    def read(text: str, clock: FileClock) -> datetime | None:
        text = _FINER.sub(r"\1", text)
        try:
            moment = datetime.strptime(before + text, whole_format)  # noqa: DTZ007
            if has_year:
                return clock.aware(moment)
        except (ValueError, OverflowError):
            return None
        of_day = moment.time().isoformat()
        return clock.yearless(moment.month, moment.day, of_day) if has_day else clock.dayless(of_day)

    return read


def _check(time_format: str, before: str, whole_format: str) -> None:
    try:
        back = datetime.strptime(before + _SAMPLE.strftime(time_format), re.sub("%[zZ]", "", whole_format))  # noqa: DTZ007
    except (ValueError, re.error) as exc:
        raise ValueError(
            f"the time format {time_format!r} is none that can be read ({exc}); it takes the directives of strptime, such as "
            f'"%d/%m/%Y %H:%M:%S", or "{EPOCH}"'
        ) from exc
    if back.time().replace(second=0, microsecond=0) != _SAMPLE.time().replace(second=0, microsecond=0):
        raise ValueError(f"the time format {time_format!r} says no time of day; it takes %H and %M, or %I, %M and %p")
