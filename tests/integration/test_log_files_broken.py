"""Files that are broken, hostile or too big: each is one sentence, and the rest is read."""

from __future__ import annotations

import gzip
import os
import random
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from groundwire.adapters.logs import files
from groundwire.adapters.logs.discovery import Discovery, find_log_files
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.logs.lines import LINE_LIMIT
from groundwire.adapters.logs.records import MOST_CHARACTERS
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest

DAY = TimeWindow(start=datetime(2026, 11, 12, tzinfo=UTC), end=datetime(2026, 11, 13, tzinfo=UTC))
GOOD = "2026-11-12 09:00:00 ERROR pool exhausted\n"


def search(root: Path, query: str = "", *, service: str | None = None) -> LogPage:
    return FileLogs("logs", root).search(request_of(query, service=service))


def request_of(query: str, *, service: str | None = None) -> LogRequest:
    return LogRequest(
        query=parse_log_query(query), service=service, min_level=None, window=DAY, limit=10, deadline=Deadline.after(30)
    )


def test_an_empty_folder_proves_nothing(tmp_path: Path) -> None:
    assert search(tmp_path).partial_reasons == ("the folder holds no log files",)
    assert FileLogs("logs", tmp_path).describe().problems == ("the folder holds no log files",)


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "orders.log").touch()
    page = search(tmp_path)
    assert (page.matched.total, page.partial_reasons) == (0, ())


def test_binary_garbage_is_not_read_and_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text(GOOD)
    (tmp_path / "core.log").write_bytes(random.Random(7).randbytes(100_000))
    page = search(tmp_path)
    assert page.matched.total == 1
    assert page.partial_reasons == ("core.log is not text and was not read",)
    assert search(tmp_path, service="orders").partial_reasons == ()


def test_bytes_that_are_no_utf8_are_kept_visibly(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_bytes(b"2026-11-12 09:00:00 ERROR caf\xff is closed\n" + GOOD.encode())
    assert search(tmp_path, "closed").records[0].message == "caf\\xff is closed"


def test_utf16_with_a_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_bytes((GOOD * 3).encode("utf-16"))
    assert search(tmp_path, "exhausted").matched.total == 3


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "big5", "euc_kr"])
@pytest.mark.parametrize("lines", [1, 5000])
def test_words_that_may_stand_in_another_encoding_are_not_said_to_be_absent(tmp_path: Path, encoding: str, lines: int) -> None:
    word = "\ud504\ub85c" if encoding == "euc_kr" else "\u4e2d\u6587"
    (tmp_path / "orders.log").write_bytes((f"2026-11-12 09:00:00 ERROR {word} timeout\n" * lines).encode(encoding))
    says = "orders.log holds bytes that are no UTF-8, in which words of other letters than ASCII are not found"
    assert search(tmp_path, word).partial_reasons == (says,)
    assert search(tmp_path, f"timeout -{word}").partial_reasons == (says,)
    assert (search(tmp_path, "timeout").matched.total, search(tmp_path, "timeout").partial_reasons) == (lines, ())
    (tmp_path / "orders.log").write_text(f"2026-11-12 09:00:00 ERROR {word} timeout\n" * lines)
    assert (search(tmp_path, word).matched.total, search(tmp_path, word).partial_reasons) == (lines, ())


@pytest.mark.parametrize("at", [0, 20, 41])
def test_a_hole_of_zeros_in_the_middle_does_not_make_a_log_binary(tmp_path: Path, at: int) -> None:
    whole = GOOD * 50
    (tmp_path / "orders.log").write_text(whole[: 820 + at] + "\0" * 4096 + whole[820 + at :])
    page = search(tmp_path)
    assert page.partial_reasons == ()
    assert page.matched.total >= 49  # the record in which the hole is holds what follows on its line


def test_a_file_with_two_names_is_counted_once(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text(GOOD)
    os.link(tmp_path / "orders.log", tmp_path / "orders.log.1")
    (tmp_path / "payment.log").write_text(GOOD)
    assert search(tmp_path).matched.total == 2


def test_a_service_whose_name_is_no_utf8_is_found_as_it_is_listed(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/caf\xe9.log", "w") as log:  # noqa: PTH123 - no text names it
        log.write(GOOD)
    (service,) = FileLogs("logs", tmp_path).describe().services
    assert service == "caf\\xe9"
    (record,) = search(tmp_path, service=service).records
    assert record.source == "caf\\xe9.log:1"


def test_a_line_of_five_megabytes_is_cut_and_the_memory_stays_small(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text(GOOD + "2026-11-12 09:00:01 ERROR " + "x" * 5_000_000 + " needle\n" + GOOD)
    tracemalloc.start()
    page = search(tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert page.matched.total == 3
    assert len(page.records[0].message) <= MOST_CHARACTERS < LINE_LIMIT
    assert page.notes[0] == "records of orders.log are too long and were cut"
    assert peak < 20_000_000


def test_words_that_may_stand_in_what_was_cut_away_are_not_said_to_be_absent(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text("2026-11-12 09:00:01 ERROR " + "x" * 5_000_000 + " needle\n")
    page = search(tmp_path, "needle")
    assert page.matched.total == 0
    assert page.partial_reasons == ("too long records of orders.log were searched only as far as they are kept",)


def test_what_stands_before_the_damage_of_a_gzip_file_is_read(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(f"2026-11-12 09:00:00 INFO number {n}\n".encode() for n in range(20_000)))
    (tmp_path / "orders.log.gz").write_bytes(packed[: len(packed) // 2])
    page = search(tmp_path)
    assert page.matched.total > 5000
    assert page.partial_reasons == (
        "orders.log.gz is damaged gzip (it ends in the middle of the compressed data): "
        "only what stands before the damage was read",
    )


@pytest.mark.parametrize("lines_behind", [10, 130, 2000])
def test_a_big_file_whose_clock_fell_back_at_the_end_is_not_taken_for_one_in_order(tmp_path: Path, lines_behind: int) -> None:
    start = datetime(2026, 11, 12, tzinfo=UTC)
    with (tmp_path / "orders.log").open("w") as log:
        log.writelines(f"{start + timedelta(seconds=number):%Y-%m-%dT%H:%M:%SZ} ERROR {'x' * 100}\n" for number in range(60_000))
        log.writelines(f"2020-01-01T00:00:00Z INFO {'x' * 20}\n" for _ in range(lines_behind))
    request = replace(request_of(""), window=TimeWindow(start=start + timedelta(hours=9), end=start + timedelta(hours=10)))
    assert FileLogs("logs", tmp_path).search(request).matched.total == 3600


def test_other_compression_is_said_not_to_be_read(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text(GOOD)
    (tmp_path / "orders.log.1.7z").write_bytes(b"7z\xbc\xaf")
    assert search(tmp_path).partial_reasons == ("orders.log.1.7z was not read: gzip, bzip2, xz and zstd are understood, not .7z",)


@pytest.mark.parametrize(
    "failure",
    [
        FileNotFoundError(2, "No such file or directory"),
        PermissionError(13, "Permission denied"),
        OSError(5, "Input/output error"),
    ],
)
def test_a_file_that_cannot_be_opened_is_named_and_the_rest_is_read(
    failure: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "orders.log").write_text(GOOD)
    (tmp_path / "payment.log").write_text(GOOD)
    logs = FileLogs("logs", tmp_path)
    original = Path.open

    def failing(path: Path, mode: str = "r") -> object:
        if path.name == "payment.log":
            raise failure
        return original(path, mode)

    monkeypatch.setattr(Path, "open", failing)
    request = LogRequest(
        query=parse_log_query(""), service=None, min_level=None, window=DAY, limit=10, deadline=Deadline.after(5)
    )
    page = logs.search(request)
    assert page.matched.total == 1
    assert page.partial_reasons == (f"payment.log cannot be read: {failure.strerror}",)
    assert logs.describe().problems == (f"payment.log cannot be read: {failure.strerror}",)


def test_where_no_file_can_be_read_the_source_has_failed(tmp_path: Path) -> None:
    (tmp_path / "core.log").write_bytes(random.Random(7).randbytes(10_000))
    with pytest.raises(BackendUnavailableError, match=r"logs: core\.log is not text and was not read"):
        search(tmp_path)


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "orders.log")
    (tmp_path / "payment.log").write_text(GOOD)
    assert search(tmp_path).matched.total == 1
    with pytest.raises(BackendUnavailableError, match="neither a file nor a folder"):
        search(tmp_path / "orders.log")


def test_names_with_braces_and_newlines_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "or{files}der\n.log").write_text("no time\n")
    assert "in no window" in search(tmp_path).partial_reasons[0]


def test_a_slow_pattern_ends_with_the_time_and_not_with_the_block_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text("".join(f"{GOOD[:-1]} {number}\n" for number in range(10_000)))  # half a block
    looks = iter(range(1000))

    class Ending(Deadline):
        @property
        def expired(self) -> bool:
            return next(looks) >= 6

    asked = replace(request_of('re:"pool .{90}x"'), deadline=Ending(after_s=30, ends_at_monotonic_s=0))
    page = FileLogs("logs", tmp_path).search(asked)
    assert 0 < page.in_scope.total < 4000
    assert page.partial_reasons == ("only 14% of orders.log was read in the 30 s that were allowed",)


def test_text_that_would_make_a_pattern_run_away_is_read_in_no_time(tmp_path: Path) -> None:
    hostile = [
        "2026-11-12 09:00:00 INFO [" + "[" * 60_000,
        "2026-11-12 09:00:00 INFO 1 --- [" + "a] [" * 15_000,
        "2026-11-12 09:00:00 [" + " " * 60_000,
        "2026-11-12 09:00:00 INFO " + "a.b" * 20_000,
        "Nov 12 09:00:00 web1 " + "a" * 60_000,
        "level=info msg=a " + 'k="' * 20_000,
        "level=info msg=a " + "\\" * 60_000,
        '{"a":' * 20_000,
        "INFO " * 12_000,
        "2026-11-12 09:00:00 " + "x " * 30_000 + "LOG:",
        "2026-11-12 09:00:00 " + "a b[1]: " * 8_000,
    ]
    (tmp_path / "orders.log").write_text("\n".join(hostile) + "\n")
    started = time.monotonic()
    page = search(tmp_path, "connection-pool-exhaustion-" + "a-" * 400)
    assert page.matched.total == 0
    assert time.monotonic() - started < 10  # it takes a twentieth of a second


def _rotate(path: Path) -> None:
    path.rename(path.with_name("orders.log.1"))
    path.write_text(GOOD)


def _empty(path: Path) -> None:
    path.write_text("")


def _grow(path: Path) -> None:
    with path.open("a") as file:
        file.write(GOOD)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_rotate, ("orders.log was replaced by another file while it was searched, as when logs are rotated",)),
        (_empty, ("orders.log was emptied or made shorter while it was searched",)),
        (Path.unlink, ("orders.log cannot be read: No such file or directory",)),
        (_grow, ()),
    ],
)
def test_a_file_that_changes_while_it_is_searched_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], said: tuple[str, ...]
) -> None:
    (tmp_path / "orders.log").write_text(GOOD * 3)
    (tmp_path / "payments.log").write_text(GOOD)
    logs = FileLogs("logs", tmp_path)
    logs.describe()

    def find_and_change(root: Path) -> Discovery:
        found = find_log_files(root)
        change(tmp_path / "orders.log")
        return found

    monkeypatch.setattr(files, "find_log_files", find_and_change)
    page = logs.search(request_of(""))
    monkeypatch.undo()
    assert tuple(reason.partition(": not all")[0] for reason in page.partial_reasons) == said
    if change is _grow:
        assert page.matched.total == 4
        assert logs.search(request_of("")).matched.total == 5


@pytest.mark.parametrize(
    "start",
    [
        '10.0.0.7 - - [12/Nov/2026:09:47:30 +0000] "GET ',
        "2026-11-12 09:47:30.123 UTC [71] ",
        "2026-11-12 09:47:30,123 - ERROR  [",
        "2026-11-12T09:47:30.123456Z ERROR a{",
        "2026/11/12 09:47:30 [error] 1#1: ",
        "Nov 12 09:47:30 web1 haproxy[1]: a:1 [",
        "2026-11-12T09:47:30Z shop 10.0.0.7:1 ",
        "79a59df900b949e5 bucket [12/Nov/2026:09:47:30 +0000] ",
        "1794476850.123 1 a T_A/200 1 GET ",
        "2026-11-12 09:47:30,747 [myid:1] - ERROR [",
        "####<Nov 12, 2026> <Error> <JDBC> <h> <s> <",
        "[Nov 12 09:47:30] ERROR[1]: ",
        "(2026-11-12  9:47:30): [",
    ],
)
@pytest.mark.parametrize("filling", ["a/", "-", "[a] ", "a{}:", "a:", " "])
def test_no_format_takes_longer_than_its_line_is_long(tmp_path: Path, start: str, filling: str) -> None:
    (tmp_path / "orders.log").write_text(start + filling * (60_000 // len(filling)) + "\n")
    started = time.process_time()
    page = search(tmp_path)
    assert page.matched.total + page.undated_count == 1
    assert time.process_time() - started < 3  # a pattern that backtracks takes a quarter of a minute
