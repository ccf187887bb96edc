"""Asks each source how it is, side by side: version, latency, clock, and what is missing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Protocol

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import ToolError
from groundwire.domain.reports import DoctorCheck
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.domain.times import format_duration, format_instant
from groundwire.ports import Checkable
from groundwire.services.side_by_side import within

_CHECK_S: Final = 5.0
_MOST_PROBLEMS: Final = 5
_WORTH_SAYING: Final = timedelta(seconds=2)
_TOLERATED: Final = timedelta(minutes=1)
_GOES_ON: Final = "A diagnosis goes on without what cannot be read, and says so."
_ADJUST: Final = "A window means another time there: set the clocks by NTP."
_ADJUST_ZONE: Final = "Name the zone of its times with timezone, or with zone in its table."


class Source(Protocol):
    """A backend of whichever kind."""

    name: str

    def describe(self) -> SourceDescription: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What a source said; ``failure`` is what it said instead of how it is."""

    description: SourceDescription
    check: SourceCheck
    failure: str | None = None
    hint: str | None = None


def check_sources(sources: Sequence[tuple[SourceKind, Source]], *, within_s: float, now: datetime) -> list[DoctorCheck]:
    """Return a check of each source, in their order; one that does not answer in time is said to be silent."""
    deadline = Deadline.after(within_s)
    found = within(within_s, [partial(_ask, source, deadline) for _, source in sources])
    return [
        _silent(f"{kind} {source.name}", within_s) if each is None else _check(f"{kind} {source.name}", each, now)
        for (kind, source), each in zip(sources, found, strict=True)
    ]


def _ask(source: Source, deadline: Deadline) -> _Found:
    started = time.monotonic()
    description = source.describe()
    took = SourceCheck(latency_ms=(time.monotonic() - started) * 1000)
    if not isinstance(source, Checkable):
        return _Found(description=description, check=took)
    try:
        check = source.check(Deadline.after(min(_CHECK_S, max(0.1, deadline.remaining_s))))
    except ToolError as exc:
        return _Found(description=description, check=SourceCheck(), failure=exc.message, hint=exc.hint)
    return _Found(description=description, check=check)


def _silent(name: str, within_s: float) -> DoctorCheck:
    return DoctorCheck(name=name, ok=False, message=f"no answer within {within_s:g} s", hint=_GOES_ON)


def _check(name: str, found: _Found, now: datetime) -> DoctorCheck:
    source, check = found.description, found.check
    told = (*source.problems[:_MOST_PROBLEMS], *([found.failure] if found.failure else []))
    # An error names its source in front, which stands there already.
    faults = list(dict.fromkeys(sentence.removeprefix(f"{source.name}: ") for sentence in told))
    clock = _clock(check)
    ahead = _ahead(source, now)
    is_off = abs(timedelta(seconds=check.clock_difference_s or 0)) > _TOLERATED
    hints = [hint for hint, holds in ((found.hint or _GOES_ON, faults), (_ADJUST_ZONE, ahead), (_ADJUST, is_off)) if holds]
    said = [*_facts(check), *([clock] if clock else []), *_contents(source)]
    missing = [f"missing: {sentence}" for sentence in check.missing]
    remarks = [*faults, *([ahead] if ahead else []), *missing, *check.notes]
    message = "; ".join([", ".join(said) or ("not usable" if faults else "reachable"), *remarks])
    return DoctorCheck(
        name=name,
        ok=not faults and not is_off,
        message=message,
        hint=" ".join(hints) or None,
        details=_details(source, check),
    )


def _facts(check: SourceCheck) -> list[str]:
    facts = [f"version {check.version}"] if check.version else []
    return facts + ([f"{check.latency_ms:,.0f} ms"] if check.latency_ms is not None else [])


def _contents(source: SourceDescription) -> list[str]:
    found = [f"{len(source.services)} services"] if source.services else []
    found += [f"{len(source.titles)} documents"] if source.titles else []
    return found + ([f"newest record {format_instant(source.newest_record)}"] if source.newest_record else [])


def _clock(check: SourceCheck) -> str | None:
    if check.clock_difference_s is None:
        return None
    difference = timedelta(seconds=check.clock_difference_s)
    if abs(difference) < _WORTH_SAYING:
        return "clock as here"
    way = "ahead of" if difference > timedelta() else "behind"
    return f"clock {format_duration(round(abs(difference) / timedelta(milliseconds=1)))} {way} the one here"


def _ahead(source: SourceDescription, now: datetime) -> str | None:
    """Return that saved records are of a time to come: their zone, or the clock that wrote them, is another than is thought."""
    newest = source.newest_record
    if newest is None or newest - now <= _TOLERATED or source.kind is not SourceKind.LOGS or source.backend == "demo":
        return None
    return f"its newest record is {format_duration(round((newest - now) / timedelta(milliseconds=1)))} in the future"


def _details(source: SourceDescription, check: SourceCheck) -> dict[str, Any]:
    return {
        "backend": source.backend,
        "version": check.version,
        "latency_ms": None if check.latency_ms is None else round(check.latency_ms, 1),
        "clock_difference_s": check.clock_difference_s,
        "missing": list(check.missing),
    }
