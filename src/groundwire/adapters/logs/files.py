"""Log files as a source: one file, or all that look like logs in a folder and the folders in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import Final

from groundwire.adapters.logs.discovery import Discovery, LogFile, find_log_files
from groundwire.adapters.logs.looking import Look
from groundwire.adapters.logs.matching import QueryMatcher
from groundwire.adapters.logs.profile import FileProfile, newest_at_end, profile_file
from groundwire.adapters.logs.reading import LineFormat
from groundwire.adapters.logs.remarks import some_names
from groundwire.adapters.logs.scan import FileScan
from groundwire.adapters.logs.search import Search
from groundwire.adapters.logs.searched_file import SearchedFile
from groundwire.adapters.logs.seeking import FileOrder
from groundwire.adapters.logs.tally import Tally
from groundwire.adapters.logs.wide_search import WideSearch
from groundwire.domain.errors import BackendUnavailableError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogPage, LogRequest, bucket_width
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.domain.times import shifted

_NO_LOGS: Final = "all that is there is JSON documents, and no log"
_PACKED_TO_DESCRIBE: Final = 8 << 20
# Zones that are not what is configured, and clocks that differ.
_LATEST_WRITE: Final = timedelta(days=1)


class FileLogs:
    """A ``LogBackend`` over saved files: plain text, JSON lines, logfmt, container runtime formats, also compressed.

    ``zone`` is where times without an offset were written, ``year`` the year of times without one, ``formats`` are tried before
    those that are known. Files are read in blocks and never as a whole, thousands of records at once where their lines are
    alike; ``reads_runs`` false reads each alone, and the answer is the same. ``look`` finds words in many megabytes: ``rg``
    where it is on PATH, or else Python; the answer is the same. What could not be read is among the answer's
    partial reasons, what was assumed among its notes.
    """

    def __init__(
        self,
        name: str,
        root: Path,
        *,
        zone: tzinfo = UTC,
        year: int | None = None,
        formats: Sequence[LineFormat] = (),
        reads_runs: bool = True,
        look: Look | None = None,
    ) -> None:
        self.name = name
        self._root = root
        self._zone = zone
        self._year = year
        self._formats = tuple(formats)
        self._reads_runs = reads_runs
        self._wide = WideSearch(look)
        self._profiles: dict[Path, FileProfile] = {}
        self._orders: dict[FileProfile, FileOrder] = {}

    def describe(self) -> SourceDescription:
        """Return the services of file names and of samples of their contents; what cannot be read is among the problems."""
        try:
            discovery = self._discover()
        except BackendUnavailableError as exc:
            return self._description(problems=(exc.backend_message,))
        services: set[str] = set()
        times: list[datetime] = []
        by_service: dict[str, datetime] = {}
        packed: list[FileProfile] = []
        problems = list(discovery.problems)
        for file in discovery.files:
            profile = self._profile(file)
            if profile.is_document:
                continue
            services |= profile.services
            if profile.problem is not None:
                problems.append(profile.problem)
            elif profile.newest is None and profile.services and file.size:
                problems.append(f"{file.name} has no timestamps that can be read")
            if profile.newest is not None:
                times.append(profile.newest)
                for service in profile.services:
                    by_service[service] = max(profile.newest, by_service.get(service, profile.newest))
            if not profile.can_seek and file.size <= _PACKED_TO_DESCRIBE:
                packed.append(profile)
        if not any(profile.newest is not None and profile.can_seek for profile in map(self._profile, discovery.files)):
            times.extend(self._newest_packed(packed))
        return self._description(
            services=tuple(sorted(services)),
            newest_record=max(times, default=None),
            newest_by_service=by_service,
            problems=tuple(problems),
        )

    def search(self, request: LogRequest) -> LogPage:
        """Return the newest records that match, and counts over all of them.

        Raises:
            BackendUnavailableError: The file or folder is not there, or nothing in it can be read.
        """
        discovery = self._discover()
        search = Search(
            request=request,
            matcher=QueryMatcher(request.query),
            tally=Tally(request.limit, bucket_width(request.window)),
            zone=self._zone,
            year=self._year,
            reads_runs=self._reads_runs,
        )
        for sentence in discovery.problems:
            search.problems.add_whole(sentence)
        for sentence in discovery.notes:
            search.notes.add_whole(sentence)
        asked, failures, unread = self._asked(discovery, search)
        for file in self._wide.run(asked, search):
            if request.deadline.expired:
                unread.append(file.name)
                continue
            try:
                FileScan(file).run()
            except OSError as exc:
                failures.append(file.why_unread(exc))
        for failure in failures:
            search.problems.add_whole(failure)
        if failures and len(failures) == len(discovery.files) and not search.tally.has_any:
            raise BackendUnavailableError(self.name, "; ".join(failures[:3]))
        if discovery.files and not unread and all(self._profile(file, is_brief=True).is_document for file in discovery.files):
            search.problems.add_whole(_NO_LOGS)
        if unread:
            what = "1 file was" if len(unread) == 1 else f"{len(unread)} files were"
            search.problems.add_whole(
                f"{what} not read in the {request.deadline.after_s:g} s that were allowed: {some_names(unread)}"
            )
        return _page(search)

    def _discover(self) -> Discovery:
        try:
            return find_log_files(self._root)
        except OSError as exc:
            reason = "no such file or folder" if isinstance(exc, FileNotFoundError) else exc.strerror or str(exc)
            raise BackendUnavailableError(self.name, f'cannot read logs from "{self._root}": {reason}') from exc

    def _profile(self, file: LogFile, *, is_brief: bool = False) -> FileProfile:
        known = self._profiles.get(file.path)
        is_stale = known is None or (known.file.size, known.file.modified_ns) != (file.size, file.modified_ns)
        if known is None or is_stale or (known.is_brief and not is_brief):
            if known is not None:
                self._orders.pop(known, None)
            known = profile_file(file, self._zone, self._year, self._formats, is_brief=is_brief)
            if known.problem is None:  # one that cannot be read may be readable the next time
                self._profiles[file.path] = known
        return known

    def _asked(self, discovery: Discovery, search: Search) -> tuple[list[SearchedFile], list[str], list[str]]:
        """Return the files to be read, why others cannot be, and the names of those that there was no time to look at."""
        asked: list[SearchedFile] = []
        failures: list[str] = []
        unread: list[str] = []
        for file in _likeliest_first(discovery.files, search.request.service):
            if search.request.deadline.expired:
                unread.append(file.name)
                continue
            # Which services a file is about matters only where one is asked for.
            profile = self._profile(file, is_brief=search.request.service is None)
            if not _is_asked(profile, search):
                continue
            if profile.problem is None:
                asked.append(SearchedFile(profile, search, self._orders))
            else:
                failures.append(profile.problem)
        return asked, failures, unread

    def _newest_packed(self, profiles: list[FileProfile]) -> list[datetime]:
        times: list[datetime] = []
        for profile in profiles:
            try:
                newest = newest_at_end(profile, self._zone, self._year)
            except OSError:
                continue  # searching it says so
            if newest is not None:
                times.append(newest)
        return times

    def _description(
        self,
        *,
        services: tuple[str, ...] = (),
        newest_record: datetime | None = None,
        newest_by_service: Mapping[str, datetime] = MappingProxyType({}),
        problems: tuple[str, ...] = (),
    ) -> SourceDescription:
        return SourceDescription(
            name=self.name,
            kind=SourceKind.LOGS,
            backend="files",
            live=False,
            services=services,
            newest_record=newest_record,
            newest_by_service=newest_by_service,
            problems=problems,
        )


def _is_asked(profile: FileProfile, search: Search) -> bool:
    """Return whether records of the service may be in the file, and say of one that is left out why."""
    service, file = search.request.service, profile.file
    if profile.is_document:
        search.notes.add("left out, no log but a JSON document: {files}", file.name)
        return False
    is_named = service is None or file.identity.goes_by(service) or file.identity.service is None
    if profile.problem is not None:
        return is_named
    if not file.size and is_named:
        search.notes.add("empty: {files}", file.name)
        return False
    if service is not None and not (is_named or profile.may_name_others):
        wanted = service.casefold()
        if all(known.casefold() != wanted for known in profile.services):
            return False
    if _ends_before(profile, search.request.window):
        search.notes.add("not read, as they were packed before the window: {files}", file.name)
        return False
    return True


def _ends_before(profile: FileProfile, window: TimeWindow) -> bool:
    """Return whether a compressed file, of which nothing can be skipped, was last changed well before the window.

    Its first records must not be later than that: files are made with dates of their own, too.
    """
    latest = shifted(profile.file.modified, _LATEST_WRITE)
    return profile.packing is not None and profile.newest is not None and profile.newest <= latest < window.start


def _likeliest_first(files: tuple[LogFile, ...], service: str | None) -> list[LogFile]:
    """Return the files in the order that loses least when time runs out: the asked service's, then the newest."""

    def rank(file: LogFile) -> tuple[bool, int]:
        return (service is not None and not file.identity.goes_by(service), -file.modified_ns)

    return sorted(files, key=rank)


def _page(search: Search) -> LogPage:
    problems = search.problems.sentences()
    tally = search.tally
    return LogPage(
        records=tally.newest_first(),
        matched=tally.matched.counts(is_exact=not problems),
        in_scope=tally.in_scope.counts(is_exact=not problems),
        histogram=dict(sorted(tally.histogram.items())),
        undated_count=tally.undated_count,
        partial_reasons=problems,
        notes=search.notes.sentences(),
    )
