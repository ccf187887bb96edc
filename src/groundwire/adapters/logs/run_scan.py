"""Counts runs of records at once, and reads of them only those that are shown or cannot be told from their shape."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from itertools import compress
from typing import Final

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.matching import is_of_service
from groundwire.adapters.logs.profile import FileProfile
from groundwire.adapters.logs.record_scan import read_alone
from groundwire.adapters.logs.runs import Run
from groundwire.adapters.logs.search import Search
from groundwire.domain.levels import Level

_MOST_KEYS: Final = 20_000


class _Other(Enum):
    """Stands for the level of records that are of another service than the asked one."""

    SERVICE = "service"


class RunScan:
    """One file's runs in a search. What it adds to the tally is what reading each record would have added."""

    def __init__(self, profile: FileProfile, search: Search, clock: FileClock, lines_before: Callable[[], int]) -> None:
        self._profile, self._search, self._clock = profile, search, clock
        self._lines_before = lines_before
        self._levels: dict[object, Level | _Other | None] = {}
        self._names = profile.file.identity.names

    def take(self, run: Run) -> bool:
        """Add a run to the tally; False, and nothing is added, when its records are to be read one by one."""
        if not self._learn_keys(run):
            return False
        asked = self._search.request
        levels = list(map(self._levels.__getitem__, run.keys))
        start, end = asked.window.start, asked.window.end
        is_within = start <= min(run.times) and max(run.times) < end
        chosen: list[int] = list(range(len(levels)))
        if not is_within:
            chosen = [at for at in chosen if start <= run.times[at] < end]
        if asked.service is not None:
            chosen = [at for at in chosen if levels[at] is not _Other.SERVICE]
        if not chosen:
            return True
        times, kept_levels = _picked(run.times, chosen), [_level(levels[at]) for at in chosen]
        self._search.tally.add_many_in_scope(times, kept_levels)
        if not self._search.tally.counts_matches:
            return True
        if asked.min_level is not None:
            least = asked.min_level
            holds = [level is not None and level >= least for level in kept_levels]
            chosen = list(compress(chosen, holds))
        if asked.query.terms:
            chosen = self._matching(run, chosen)
        if chosen:
            times = _picked(run.times, chosen)
            self._search.tally.add_matches(times, [_level(levels[at]) for at in chosen])
            self._keep_newest(run, times, chosen)
        return True

    def _learn_keys(self, run: Run) -> bool:
        unknown = set(run.keys) - self._levels.keys()
        if not unknown:
            return True
        if len(self._levels) > _MOST_KEYS:
            self._levels.clear()
            unknown = set(run.keys)
        run.book.count(alone=len(unknown))
        service = self._search.request.service
        for match, time, key in zip(run.records(), run.times, run.keys, strict=False):
            if key not in unknown:
                continue
            record, reading = read_alone(self._profile, self._clock, match[0], 0)
            if record.time != time or record.start is None or record.start.format.name != run.book.format_name:
                return False
            is_asked = service is None or is_of_service(reading, service)
            self._levels[key] = reading.level if is_asked else _Other.SERVICE
            unknown.discard(key)
            if not unknown:
                break
        return True

    def _matching(self, run: Run, chosen: list[int]) -> list[int]:
        matcher = self._search.matcher
        lowered = run.text.lower()
        is_literal = not run.book.has_escapes or matcher.stands_in_json
        if not chosen or (is_literal and not matcher.may_match(f"{lowered}\n{self._names}")):
            return []
        shown = "\0".join(run.messages()).lower()
        messages = shown.split("\0")
        if is_literal and matcher.is_settled_by(shown, f"{lowered}\n{self._names}"):
            may_match = matcher.may_match
            found = [at for at in chosen if may_match(messages[at])]
            if not run.book.has_escapes or "\\" not in shown:
                return found
            chosen = found
        return self._matching_each(run, chosen, messages, is_literal=is_literal)

    def _matching_each(self, run: Run, chosen: list[int], messages: list[str], *, is_literal: bool) -> list[int]:
        matcher, has_escapes, is_certain = self._search.matcher, run.book.has_escapes, self._search.matcher.asks_for_words_only
        whole = [match[0] for match in run.records()]
        found = []
        for at in chosen:
            message = _plain(messages[at], has_escapes=has_escapes)
            if is_certain and message and matcher.may_match(message):
                found.append(at)
            elif is_literal and not matcher.may_match(f"{whole[at].lower()}\n{self._names}"):
                continue
            elif matcher.matches(read_alone(self._profile, self._clock, whole[at], 0)[1]):
                found.append(at)
        return found

    def _keep_newest(self, run: Run, times: Sequence[datetime], chosen: Sequence[int]) -> None:
        tally, name = self._search.tally, self._profile.file.name
        if not tally.wants(max(times)):
            return
        newest = heapq.nlargest(self._search.request.limit, zip(times, chosen, strict=True))
        wanted = {at: time for time, at in newest if tally.wants(time)}
        number, counted = run.line_number, 0
        for at, match in enumerate(run.records()):
            time = wanted.pop(at, None)
            if time is not None:
                number += run.text.count("\n", counted, match.start())
                counted = match.start()
                tally.keep(read_alone(self._profile, self._clock, match[0], number)[1], time, name, number + self._lines_before())
            if not wanted:
                break


def _picked(times: Sequence[datetime], chosen: Sequence[int]) -> Sequence[datetime]:
    return times if len(chosen) == len(times) else [times[at] for at in chosen]


def _level(level: Level | _Other | None) -> Level | None:
    return None if level is _Other.SERVICE else level


def _plain(message: str, *, has_escapes: bool) -> str:
    """Return a message as the record has it; empty where that is not certain."""
    if has_escapes:
        return "" if "\\" in message else message[1:-1]
    return message.rstrip()
