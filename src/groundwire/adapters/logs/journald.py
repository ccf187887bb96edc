"""The systemd journal as a source: of this host, or of the journal files in a folder."""

from __future__ import annotations

import time
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from groundwire.adapters.logs.command_lines import CommandLines, Cut
from groundwire.adapters.logs.entry import epoch_ns
from groundwire.adapters.logs.entry_joining import EntryJoiner
from groundwire.adapters.logs.journald_command import Holdings, Journalctl
from groundwire.adapters.logs.journald_entry import EntryReader, JournalEntry, name_of
from groundwire.adapters.logs.matching import QueryMatcher
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.records import MOST_CHARACTERS, RawRecord
from groundwire.adapters.logs.tally import Tally
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendError, BackendMalformedError, BackendTimeoutError, BackendUnavailableError
from groundwire.domain.logs import LogPage, LogRequest, bucket_width
from groundwire.domain.source_check import SourceCheck
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.domain.times import format_instant

_DESCRIBE_S: Final = 3.0
_TO_END_S: Final = 0.25
_MOST_REMARKS: Final = 5
_SHOWN: Final = 100
_UNIT_FIELDS: Final = ("_SYSTEMD_UNIT", "_SYSTEMD_USER_UNIT")


class JournaldLogs:
    """A ``LogBackend`` over ``journalctl``. ``folder`` None is the journal of this host, which is live.

    A service is a unit without its ``.service``, a container's name, or what a program calls itself. What systemd says about a
    unit is that unit's. Without the right to read the whole journal an answer is partial, since journalctl hides the rest.

    Source:
        systemd 252, journalctl(1): ``-o json``, ``--since=@``, ``--until=@``, ``--field``, ``--header``.
    """

    def __init__(self, name: str, folder: Path | None) -> None:
        self.name = name
        self._folder = folder
        self._journal = Journalctl(name, folder)

    def describe(self) -> SourceDescription:
        services: tuple[str, ...] = ()
        newest: datetime | None = None
        problems: tuple[str, ...] = ()
        deadline = Deadline.after(_DESCRIBE_S)
        try:
            held = self._held(deadline)
            newest, problems = held.newest, held.remarks[:_MOST_REMARKS]
            services = self._services(deadline)
        except BackendError as exc:
            problems = (*problems, exc.backend_message)
        return SourceDescription(
            name=self.name,
            kind=SourceKind.LOGS,
            backend="journald",
            live=self._folder is None,
            services=services,
            newest_record=newest,
            problems=problems,
        )

    def check(self, deadline: Deadline) -> SourceCheck:
        started = time.monotonic()
        version = self._journal.version(deadline)
        held = self._held(deadline)
        # Its clock is ours: there is no difference to find, unless the folder is of another host.
        return SourceCheck(
            version=None if version is None else f"systemd {version}",
            latency_ms=(time.monotonic() - started) * 1000,
            notes=(f"{held.file_count} journal files",),
        )

    def search(self, request: LogRequest) -> LogPage:
        """Return the newest entries that match, and counts over all of them.

        Raises:
            BackendUnavailableError: journalctl is not there or fails, or there are no journal files that may be read.
            BackendTimeoutError: Nothing was read within the deadline.
            BackendMalformedError: journalctl printed something, and none of it is an entry.
        """
        held = self._held(request.deadline)
        search = _Search(request, held)
        matches = () if request.service is None else self._journal.matches(request.service, request.deadline)
        # Nothing goes by the name of the service: asked without a match, journalctl would print the whole journal.
        if matches or request.service is None or matches is None:
            left_s = max(request.deadline.remaining_s - _TO_END_S, 0.0)
            self._read(search, self._journal.entries(request.window, matches or (), Deadline.after(left_s)))
        return search.page()

    def _read(self, search: _Search, command: CommandLines) -> None:
        try:
            for line in command.lines():
                search.take(line)
        except OSError as exc:
            raise self._journal.not_started(exc) from exc
        if command.cut is Cut.DEADLINE and search.read_back_to is None:
            raise BackendTimeoutError(self.name, after_s=search.request.deadline.after_s)
        failure = self._journal.failure(command)
        if failure is not None and search.read_back_to is None:
            raise BackendUnavailableError(self.name, failure)
        if search.unread is not None and search.read_back_to is None and command.cut is None:
            said = search.unread.decode("utf-8", "backslashreplace")
            raise BackendMalformedError(
                self.name, f"journalctl printed no journal entry in JSON, beginning {said[:_SHOWN]!r}", answer=said
            )
        search.ended(command, failure)

    def _held(self, deadline: Deadline) -> Holdings:
        held = self._journal.holdings(deadline)
        if held.file_count == 0:
            where = "on this host" if self._folder is None else f'in "{self._folder}"'
            said = f" ({'; '.join(held.remarks[:2])})" if held.remarks else ""
            raise BackendUnavailableError(self.name, f"there are no journal files {where} that can be read{said}")
        return held

    def _services(self, deadline: Deadline) -> tuple[str, ...]:
        units = [unit for field in _UNIT_FIELDS for unit in self._journal.values(field, deadline) if unit.endswith(".service")]
        named = {name_of(unit) for unit in units if not unit.startswith("user@")}
        named |= set(self._journal.values("CONTAINER_NAME", deadline))
        # Where no unit is named, as on a host without services or in a journal that was sent, programs are all there is.
        return tuple(sorted(named or set(self._journal.values("SYSLOG_IDENTIFIER", deadline))))


class _Search:
    """What one search found so far."""

    def __init__(self, request: LogRequest, held: Holdings) -> None:
        self.request = request
        self.read_back_to: datetime | None = None
        self._matcher = QueryMatcher(request.query)
        self._tally = Tally(request.limit, bucket_width(request.window))
        self._reader = EntryReader()
        self._joiner = EntryJoiner(self._count)
        self._service = None if request.service is None else request.service.casefold()
        self._boots: dict[str, tuple[datetime, datetime]] = {}
        self.unread: bytes | None = None
        self._unread_count = 0
        self._has_cut = False
        self._problems = list(held.remarks[:_MOST_REMARKS])
        if held.oldest is not None and held.oldest > request.window.start:
            self._problems.append(f"the journal begins at {format_instant(held.oldest)}; what was before is not kept")

    def take(self, line: bytes) -> None:
        entry = self._reader.read(line)
        if entry is None:
            if line.strip():
                self._unread_count += 1
                self.unread = self.unread or line[:MOST_CHARACTERS]
            return
        self.read_back_to = entry.at
        if not self.request.window.contains(entry.at):
            return
        if entry.boot is not None:
            first, last = self._boots.get(entry.boot, (entry.at, entry.at))
            self._boots[entry.boot] = min(first, entry.at), max(last, entry.at)
        if self._service is None or self._service in entry.names:
            self._joiner.add(entry, entry.stream, epoch_ns(entry.at), entry.text)

    def _count(self, entry: JournalEntry, record: RawRecord | None, count: int) -> None:
        reading = entry.reading
        if record is not None:
            reading.message = "\n".join((reading.message, *record.more))
        self._tally.in_scope.add(entry.at, reading.level)
        least = self.request.min_level
        if least is not None and (reading.level is None or reading.level < least):
            return
        if not self._matcher.matches(reading):
            return
        self._tally.add_match(entry.at, reading.level)
        if self._tally.wants(entry.at):
            self._tally.keep(self._bounded(reading), entry.at, entry.place, entry.sequence)

    def _bounded(self, reading: Reading) -> Reading:
        """Return what is kept of a record; the whole of it was searched."""
        if len(reading.message) > MOST_CHARACTERS:
            reading.message = reading.message[:MOST_CHARACTERS]
            self._has_cut = True
        reading.fields = {name: _cut(value) for name, value in reading.fields.items()}
        return reading

    def ended(self, command: CommandLines, failure: str | None) -> None:
        """Take note of how the command ended."""
        back_to = "" if self.read_back_to is None else f": only what is newer than {format_instant(self.read_back_to)} was read"
        if command.cut is Cut.DEADLINE:
            self._problems.append(f"the journal was not read whole in the {self.request.deadline.after_s:g} s allowed{back_to}")
        elif command.cut is Cut.SIZE:
            self._problems.append(f"the journal has more than {command.most_bytes >> 20} MB of entries in the window{back_to}")
        elif failure is not None:
            self._problems.append(f"{failure}{back_to}")
        else:
            self._problems += [error for error in command.errors[:_MOST_REMARKS] if error not in self._problems]
        if command.long_count:
            self._problems.append(f"{_entries(command.long_count)} longer than {command.longest_line >> 20} MB: not read")
        if self._unread_count:
            self._problems.append(f"{_entries(self._unread_count)} no journal entry in JSON: not read")

    def page(self) -> LogPage:
        joined = self._joiner.finish()
        cut = ("records that are too long were cut",) if self._has_cut else ()
        is_exact = not self._problems
        return LogPage(
            records=self._tally.newest_first(),
            matched=self._tally.matched.counts(is_exact=is_exact),
            in_scope=self._tally.in_scope.counts(is_exact=is_exact),
            histogram=dict(sorted(self._tally.histogram.items())),
            partial_reasons=tuple(self._problems),
            notes=(*self._restarts(), *dict.fromkeys((*joined, *cut))),
        )

    def _restarts(self) -> tuple[str, ...]:
        spans = sorted(self._boots.values())
        return tuple(
            f"the host was started again between {format_instant(before[1])} and {format_instant(after[0])}"
            for before, after in pairwise(spans)
        )


def _cut(value: Any) -> Any:
    return value[:MOST_CHARACTERS] if isinstance(value, str) else value


def _entries(count: int) -> str:
    return "1 line is" if count == 1 else f"{count} lines are"
