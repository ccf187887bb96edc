"""Counts a common word without reading the records, and reads the newest of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.adapters.logs.dense_counts import DenseCounts, count_densely
from groundwire.adapters.logs.line_shapes import LineShape
from groundwire.adapters.logs.looking import Look
from groundwire.adapters.logs.remarks import Remarks
from groundwire.adapters.logs.ripgrep import RipgrepLook
from groundwire.adapters.logs.scan import FileScan
from groundwire.adapters.logs.search import Search
from groundwire.adapters.logs.searched_file import SearchedFile, newest_first
from groundwire.adapters.logs.sparse_scan import SparseScan
from groundwire.adapters.logs.tally import Tally
from groundwire.domain.deadline import Deadline
from groundwire.domain.logs import bucket_width

# Reading one odd line takes as long as reading some ten kilobytes in a row.
_BYTES_A_LINE: Final = 32 * 1024


def count_dense(look: Look, files: Sequence[SearchedFile], search: Search, deadline: Deadline) -> list[SearchedFile]:
    """Add what matches in files to the tally, and return those of which that could be done; of the others nothing is added."""
    forms = search.matcher.message_forms
    able = [file for file in files if _may_be_counted(file)]
    if not isinstance(look, RipgrepLook) or not forms or not able:
        return []
    try:
        counted = count_densely(look, able, forms, deadline)
    except (OSError, TimeoutError):
        return []
    search.tally.keeps_records = False
    done = [file for file, (shape, counts) in counted.items() if _add(file, shape, counts, forms)]
    search.tally.keeps_records = True
    search.tally.take_newest(_newest(done, search))
    return done


def _may_be_counted(file: SearchedFile) -> bool:
    profile = file.profile
    is_json = profile.frame is None and profile.reader.likeliest == "json"
    return is_json and file.is_ordered and "\n" not in str(profile.file.path.absolute())


def _add(file: SearchedFile, shape: LineShape, counts: DenseCounts, forms: Sequence[str]) -> bool:
    if len(counts.odd) * _BYTES_A_LINE > file.profile.file.size:
        return False
    try:
        with file.profile.file.path.open("rb") as handle:
            start, end = file.span(handle)
            odd = [hit for hit in counts.odd if start <= hit.offset < end]
            if not SparseScan(file).run(handle, odd, is_counted=lambda line: shape.takes(line, forms)):
                return False
    except OSError:
        return False
    if counts.first is not None and counts.last is not None:
        file.search.tally.add_counted(counts.by_level, counts.by_start, counts.first, counts.last)
    return True


def _newest(files: Sequence[SearchedFile], search: Search) -> Tally:
    """Return a tally that kept the newest records of the files."""
    request = replace(search.request, in_full=False)
    tally = Tally(request.limit, bucket_width(request.window))
    newest = replace(search, request=request, tally=tally, problems=Remarks(), notes=Remarks())
    for file in newest_first(files):
        try:
            FileScan(SearchedFile(file.profile, newest, file.orders)).run()
        except OSError as exc:
            search.problems.add(f"the newest records of {{files}} cannot be read: {exc.strerror or exc}", file.name)
    return tally
