"""Searches many megabytes for words: finds where they stand first, and reads the records about that alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from groundwire.adapters.logs.best_look import best_look
from groundwire.adapters.logs.dense_search import count_dense
from groundwire.adapters.logs.heads import GOROUTINE
from groundwire.adapters.logs.looking import Hit, Look
from groundwire.adapters.logs.profile import FileProfile
from groundwire.adapters.logs.scan import FileScan
from groundwire.adapters.logs.search import Search
from groundwire.adapters.logs.searched_file import SearchedFile, newest_first
from groundwire.adapters.logs.sparse_scan import SparseScan
from groundwire.adapters.logs.suppression import ANCHORS
from groundwire.domain.deadline import Deadline

WORTH_LOOKING: Final = 32 << 20
"""Bytes: less than that is read whole, and the scope is counted exactly."""

# Of a file of which the window needs less, reading that is cheaper than looking through all of it.
_LEAST_SHARE: Final = 16
_MOST_HITS: Final = 2000
# Reading about a hit takes as long as reading some ten kilobytes in a row.
_BYTES_A_HIT: Final = 32 * 1024
_MOST_MARKS: Final = 20_000
# Letters, digits and what else a needle may hold, as JSON may write them; and what becomes a letter of ASCII in lower case.
_ESCAPED: Final = (
    *("0020", "002d", "002D", "002e", "002E", "003a", "003A", "0040", "005f", "005F", "0130", "212a", "212A"),
    *(*(f"003{digit}" for digit in range(10)), "004", "005", "006", "007"),
)
_SPLITS: Final = {"cri": (" stdout P", " stderr P"), "stamped": (), "named": (), "named, stamped": ()}
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Marks:
    """What was found in a file that matters for every search in it. ``is_plain``: words stand in it to the letter, and whole."""

    is_plain: bool
    suppressions: Sequence[Hit]
    has_panics: bool = False


class WideSearch:
    """Remembers from search to search what does not change while a file does not. ``look`` None: the fastest there is."""

    def __init__(self, look: Look | None = None) -> None:
        self._given_look = look
        self._marks: dict[Path, tuple[FileProfile, _Marks]] = {}

    def run(self, files: Sequence[SearchedFile], search: Search) -> list[SearchedFile]:
        """Count what matches in the files where that can be done so, and return the others: they are to be read whole.

        The scope is then counted in one part of them only, and the tally says so.
        """
        chosen = self._chosen(files, search)
        if not chosen:
            return list(files)
        deadline = Deadline.after(search.request.deadline.remaining_s * _HALF)
        try:
            marks = self._marks_of([file.profile for file in chosen], deadline)
            chosen = [file for file in chosen if marks[file.profile.file.path].is_plain]
            most = max((file.profile.file.size for file in chosen), default=0) // _BYTES_A_HIT + 1
            needles = search.matcher.needles
            hits = self._look.find(_paths(chosen), needles, most=min(most, _MOST_HITS), deadline=deadline, ignores_case=True)
        except (OSError, TimeoutError):
            return list(files)  # reading them says what is wrong, and starts with the newest
        search.tally.counts_scope = False
        dense = {file: None for file in chosen if _is_dense(file, hits.get(file.profile.file.path, ()))}
        # A panic's level is not its first line's.
        headed = [file for file in dense if not marks[file.profile.file.path].has_panics]
        counted = set(count_dense(self._look, headed, search, deadline))
        done: dict[SearchedFile, None] = {}
        for file in chosen:
            found, suppressions = hits.get(file.profile.file.path, ()), marks[file.profile.file.path].suppressions
            if file in dense and file not in counted:
                is_done = _read_whole(file)
            else:
                is_done = _finish(file, () if file in counted else found or (), suppressions)
            if is_done:
                done[file] = None
        search.tally.counts_scope = True
        _count_scope(list(done), search)
        return [file for file in files if file not in done]

    @cached_property
    def _look(self) -> Look:
        return self._given_look or best_look()

    def _chosen(self, files: Sequence[SearchedFile], search: Search) -> list[SearchedFile]:
        if not (search.request.in_full and search.reads_runs and search.matcher.needles):
            return []
        spans = {file: _bytes_wanted(file) for file in files if _may_be_looked_through(file)}
        chosen = [file for file, wanted in spans.items() if wanted * _LEAST_SHARE >= file.profile.file.size]
        return chosen if sum(spans[file] for file in chosen) >= WORTH_LOOKING else []

    def _marks_of(self, profiles: Sequence[FileProfile], deadline: Deadline) -> dict[Path, _Marks]:
        unknown: dict[tuple[str, ...], list[FileProfile]] = {}
        for profile in profiles:
            if self._marks.get(profile.file.path, (None,))[0] is not profile:
                splits = () if profile.frame is None else _SPLITS[profile.frame.name]
                unknown.setdefault(splits, []).append(profile)
        for splits, alike in unknown.items():
            texts = (*ANCHORS, GOROUTINE, *(f"\\u{code}" for code in _ESCAPED), *splits)
            paths = [profile.file.path for profile in alike]
            found = self._look.find(paths, texts, most=_MOST_MARKS, deadline=deadline)
            for profile in alike:
                self._marks[profile.file.path] = (profile, _marks(found.get(profile.file.path, ())))
        return {profile.file.path: self._marks[profile.file.path][1] for profile in profiles}


def _is_dense(file: SearchedFile, found: Sequence[Hit] | None) -> bool:
    return found is None or len(found) * _BYTES_A_HIT > file.profile.file.size


def _read_whole(file: SearchedFile) -> bool:
    if file.search.request.deadline.expired:
        return False
    _read_or_say(file, FileScan(file).run)
    file.note_scope()
    return True


def _read_or_say(file: SearchedFile, read: Callable[[], None]) -> None:
    try:
        read()
    except OSError as exc:
        file.search.problems.add_whole(file.why_unread(exc))


def _finish(file: SearchedFile, found: Sequence[Hit], suppressions: Sequence[Hit]) -> bool:
    """Add the records about what was found to the tally; False, and nothing is added, where that cannot be done."""
    if file.search.request.deadline.expired:
        return False
    try:
        with file.profile.file.path.open("rb") as handle:
            start, end = file.span(handle)
            is_done = SparseScan(file).run(handle, [hit for hit in found if start <= hit.offset < end])
            if is_done:
                file.finish_partly(handle, [hit.offset for hit in suppressions if start <= hit.offset < end])
    except OSError:
        return False  # reading it says why
    return is_done


def _may_be_looked_through(file: SearchedFile) -> bool:
    """Return whether what a record says stands in the file byte for byte, in lines, and a record is known by its first line."""
    profile = file.profile
    return (
        profile.is_verbatim
        and profile.newest is not None
        and not profile.reader.is_headless
        and (profile.frame is None or profile.frame.name in _SPLITS)
        and not file.search.matcher.may_stand_in(profile.file.identity.names)
    )


def _bytes_wanted(file: SearchedFile) -> int:
    try:
        with file.profile.file.path.open("rb") as handle:
            start, end = file.span(handle)
    except OSError:
        return 0
    return end - start


def _marks(found: Sequence[Hit] | None) -> _Marks:
    if found is None:
        return _Marks(is_plain=False, suppressions=())
    suppressions = [hit for hit in found if hit.text in ANCHORS]
    panics = sum(hit.text == GOROUTINE for hit in found)
    return _Marks(is_plain=len(suppressions) + panics == len(found), suppressions=suppressions, has_panics=panics > 0)


def _count_scope(files: Sequence[SearchedFile], search: Search) -> None:
    """Count the end of the newest file that has records in scope, so that it is known that there are some."""
    tally = search.tally
    tally.counts_matches = False
    for file in newest_first(files):
        _read_or_say(file, FileScan(file).run_tail)
        if tally.in_scope.total > 0:
            tally.in_scope.is_whole = False
            break
    else:
        for file in files:
            _read_or_say(file, FileScan(file).run)
    tally.counts_matches = True


def _paths(files: Iterable[SearchedFile]) -> list[Path]:
    return [file.profile.file.path for file in files]
