"""Folders of log files as they are on disk."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import zstandard

from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest

DAY = TimeWindow(start=datetime(2026, 11, 12, tzinfo=UTC), end=datetime(2026, 11, 13, tzinfo=UTC))
CHANGED = datetime(2026, 11, 12, 12, tzinfo=UTC).timestamp()


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(path, (CHANGED, CHANGED))
    return path


def search(
    root: Path,
    query: str = "",
    *,
    service: str | None = None,
    window: TimeWindow = DAY,
    zone: tzinfo = UTC,
    year: int | None = None,
    deadline: Deadline | None = None,
) -> LogPage:
    return FileLogs("logs", root, zone=zone, year=year).search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=None,
            window=window,
            limit=10,
            deadline=deadline or Deadline.after(30),
        )
    )


def test_services_come_from_paths_and_from_fields(tmp_path: Path) -> None:
    write(tmp_path / "order-service-64469b5b48-25zj6.log", "2026-11-12 09:00:00 INFO a\n")
    write(tmp_path / "payment" / "app.log", "2026-11-12 09:00:00 INFO a\n")
    write(tmp_path / "all.log", '{"time":"2026-11-12T09:00:00Z","service":"cart","msg":"a"}\n')
    write(tmp_path / "messages", "Nov 12 09:00:00 web1 sshd[1]: a\n")
    assert FileLogs("logs", tmp_path).describe().services == ("cart", "order-service", "payment", "sshd")
    for service in ("order-service", "ORDER-SERVICE-64469b5b48-25zj6", "payment", "cart", "sshd"):
        assert search(tmp_path, service=service).matched.total == 1, service
    assert search(tmp_path, service="order").in_scope.total == 0


def test_the_source_of_a_record_is_its_file_and_line(tmp_path: Path) -> None:
    write(tmp_path / "pay" / "app.log", "2026-11-12 09:00:00 INFO a\n\ttrace\n2026-11-12 09:00:01 INFO b\n")
    assert [record.source for record in search(tmp_path).records] == ["pay/app.log:3", "pay/app.log:1"]


def test_one_file_is_a_source_whatever_it_is_called(tmp_path: Path) -> None:
    path = write(tmp_path / "orders.export", "2026-11-12 09:00:00 INFO a\n")
    assert search(path).records[0].source == "orders.export:1"


def test_rotated_and_compressed_files_are_one_service(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "2026-11-12 09:00:02 INFO c\n")
    write(tmp_path / "orders.log.1", "2026-11-12 09:00:01 INFO b\n")
    write(tmp_path / "orders.log.2.gz", gzip.compress(b"2026-11-12 09:00:00 INFO a\n"))
    page = search(tmp_path, service="orders")
    assert [record.message for record in page.records] == ["c", "b", "a"]


def test_the_newest_record_is_known_also_where_all_is_compressed(tmp_path: Path) -> None:
    lines = "".join(f"2026-11-12 09:{n // 60:02}:{n % 60:02} INFO {'x' * 60}\n" for n in range(3000))
    write(tmp_path / "orders.log.1.gz", gzip.compress(lines.encode()))
    assert FileLogs("logs", tmp_path).describe().newest_record == datetime(2026, 11, 12, 9, 49, 59, tzinfo=UTC)


def test_times_without_a_zone_are_read_in_the_zone_and_that_is_said(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "2026-11-12 10:00:00 INFO a\n")
    page = search(tmp_path, zone=ZoneInfo("Europe/Berlin"))
    assert page.records[0].timestamp == datetime(2026, 11, 12, 9, tzinfo=UTC)
    assert page.notes == ("times without a zone were read as Europe/Berlin in orders.log",)


@pytest.mark.parametrize(
    ("since", "until", "total", "is_partial", "is_noted"),
    [
        ("2026-10-25T01:00", "2026-10-25T02:00", 0, True, False),  # the second 02:30 is in it, and read as 00:30
        ("2026-10-25T00:15", "2026-10-25T00:45", 2, True, False),  # and not in this one
        ("2026-10-24T00:00", "2026-10-26T00:00", 4, False, True),  # whichever it is
        ("2026-10-25T02:00", "2026-10-25T03:00", 1, False, False),
        ("2026-10-24T22:00", "2026-10-25T00:00", 1, False, False),
    ],
)
def test_times_of_the_hour_that_comes_twice_are_said_to_be_doubtful(
    tmp_path: Path, since: str, until: str, total: int, *, is_partial: bool, is_noted: bool
) -> None:
    times = ("01:59:00", "02:30:00", "02:30:00", "03:00:00")
    write(tmp_path / "orders.log", "".join(f"2026-10-25 {time} INFO a\n" for time in times))
    start, end = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (since, until))
    page = search(tmp_path, zone=ZoneInfo("Europe/Berlin"), window=TimeWindow(start=start, end=end))
    says = "the time from 02:00 on 2026-10-25 came twice in Europe/Berlin: that in orders.log was read as the first"
    assert page.matched.total == total
    assert page.partial_reasons == ((says,) if is_partial else ())
    assert (says in page.notes) is is_noted


def test_times_without_a_year_are_said_to_be_a_guess(tmp_path: Path) -> None:
    write(tmp_path / "messages", "Nov 12 09:00:00 web1 sshd[1]: a\n")
    page = search(tmp_path)
    assert page.records[0].timestamp == datetime(2026, 11, 12, 9, tzinfo=UTC)
    assert "times without a year were read as 2026 in messages: a guess from when the file was last changed" in page.notes
    assert search(tmp_path, year=2025).matched.total == 0


def test_the_name_of_a_file_gives_the_year_and_the_day(tmp_path: Path) -> None:
    write(tmp_path / "messages-20251231", "Dec 31 09:00:00 web1 sshd[1]: a\n")
    write(tmp_path / "orders-2025-12-31.log", "09:00:00.100 INFO a.B - b\n")
    last_day = TimeWindow(start=datetime(2025, 12, 31, tzinfo=UTC), end=datetime(2026, 1, 1, tzinfo=UTC))
    page = search(tmp_path, window=last_day)
    assert page.matched.total == 2
    assert any("from the file's name" in note for note in page.notes)
    assert any("as of the day in the file's name" in note for note in page.notes)


def test_the_clock_of_the_container_runtime_counts_and_the_skew_is_said(tmp_path: Path) -> None:
    lines = "".join(f"2026-11-12T09:00:0{n}.5Z stdout F 17:00:0{n}.400 INFO  a.B#1 x{n}\n" for n in range(5))
    write(tmp_path / "orders-64469b5b48-25zj6.log", lines)
    page = search(tmp_path)
    assert page.records[0].timestamp == datetime(2026, 11, 12, 9, 0, 4, 500000, tzinfo=UTC)
    assert page.notes == (
        "the clock inside the lines of orders-64469b5b48-25zj6.log runs 8 h ahead of that of the container runtime, "
        "whose times are used",
    )


def test_a_file_without_timestamps_is_in_no_window_and_that_makes_the_answer_partial(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "started\nstopped\n")
    write(tmp_path / "payment.log", "09:00:00.100 INFO a.B - b\n")
    write(tmp_path / "cart.log", "2026-11-12 09:00:00 INFO a\n")
    page = search(tmp_path)
    assert set(page.partial_reasons) == {
        "orders.log has no timestamps, so its 2 records are in no window",
        "payment.log has times of day without a date, so its 1 record is in no window",
    }
    assert (page.matched.total, page.undated_count, page.matched.is_exact) == (1, 3, False)
    assert search(tmp_path, service="cart").partial_reasons == ()
    assert "orders.log has no timestamps that can be read" in FileLogs("logs", tmp_path).describe().problems


def test_undated_records_of_a_dated_file_are_only_counted(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "  banner\n  of the shop\n2026-11-12 09:00:00 INFO a\n")
    page = search(tmp_path)
    assert (page.matched.total, page.undated_count, page.partial_reasons) == (1, 1, ())


def test_what_is_no_log_by_name_or_content_is_left_out_and_named(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "2026-11-12 09:00:00 INFO a\n")
    write(tmp_path / "metrics.csv", "2026-11-12 09:00:00,1\n")
    write(tmp_path / "truth.json", json.dumps({"a": 1, "b": [2]}, indent=1))
    write(tmp_path / ".hidden.log", "2026-11-12 09:00:00 INFO a\n")
    write(tmp_path / ".git" / "app.log", "2026-11-12 09:00:00 INFO a\n")
    page = search(tmp_path)
    assert (page.matched.total, page.partial_reasons) == (1, ())
    assert "left out, not logs by name: metrics.csv" in page.notes
    assert "left out, no log but a JSON document: truth.json" in page.notes


def test_links_are_followed_inside_the_folder_only_and_nothing_is_read_twice(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.log", "2026-11-12 09:00:00 INFO secret\n")
    root = tmp_path / "logs"
    real = write(root / "orders.log", "2026-11-12 09:00:00 INFO a\n")
    (root / "again.log").symlink_to(real)
    (root / "out.log").symlink_to(outside)
    (root / "folder").symlink_to(outside.parent)
    (root / "loop").symlink_to(root)
    page = search(root)
    assert [record.message for record in page.records] == ["a"]
    assert page.partial_reasons == (
        "links that lead out of the folder were not followed: folder, out.log; point at the folder that they lead to",
    )


def big_file(path: Path, *, lines: int, swap: bool = False) -> None:
    def text() -> Iterator[str]:
        for n in range(lines):
            second = n if not (swap and n % 7000 == 0) else 0
            yield f"{DAY.start + timedelta(seconds=second):%Y-%m-%dT%H:%M:%SZ} INFO [main] a.B: number {n} {'x' * 60}\n"

    write(path, "".join(text()))


def test_of_a_big_sorted_file_only_the_part_about_the_window_is_read(tmp_path: Path) -> None:
    big_file(tmp_path / "orders.log", lines=80_000)
    window = TimeWindow(start=DAY.start + timedelta(seconds=50_000), end=DAY.start + timedelta(seconds=50_010))
    page = search(tmp_path, window=window)
    assert page.matched.total == 10
    assert [record.source for record in page.records][::9] == ["orders.log:50010", "orders.log:50001"]
    assert page.notes == ("only the part of orders.log about the window was read, as the times are in order",)
    outside = TimeWindow(start=DAY.start - timedelta(days=2), end=DAY.start - timedelta(days=1))
    assert search(tmp_path, window=outside).matched.total == 0


def test_a_big_file_out_of_order_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "orders.log"
    big_file(path, lines=60_000)
    lines = path.read_text().splitlines(keepends=True)
    write(path, "".join(lines[30_000:] + lines[:30_000]))
    window = TimeWindow(start=DAY.start, end=DAY.start + timedelta(seconds=60_000))
    page = search(tmp_path, window=window)
    assert (page.matched.total, page.notes) == (60_000, ())


def test_time_that_runs_out_is_said_with_what_was_not_read(tmp_path: Path) -> None:
    big_file(tmp_path / "orders.log", lines=30_000)
    write(tmp_path / "payment.log", "2026-11-12 09:00:00 INFO a\n")
    page = search(tmp_path, deadline=Deadline.after(0))
    assert page.partial_reasons == ("2 files were not read in the 0 s that were allowed: orders.log, payment.log",)
    assert not page.matched.is_exact


def test_a_deadline_in_the_middle_of_a_file_keeps_what_was_read(tmp_path: Path) -> None:
    big_file(tmp_path / "orders.log", lines=30_000)
    logs = FileLogs("logs", tmp_path)
    logs.describe()  # so that the time is spent on reading alone
    page = logs.search(
        LogRequest(query=parse_log_query(""), service=None, min_level=None, window=DAY, limit=10, deadline=Deadline.after(0.004))
    )
    (reason,) = page.partial_reasons
    assert "was read in the 0.004 s that were allowed" in reason or "was not read" in reason


def test_levels_that_are_not_there_are_unknown(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "2026-11-12 09:00:00 hello\n2026-11-12 09:00:01 ERROR a\n")
    assert search(tmp_path).matched.by_level == {"ERROR": 1, "UNKNOWN": 1}


def test_a_service_inside_a_shared_file_is_found_without_reading_the_others(tmp_path: Path) -> None:
    lines = [
        json.dumps({"time": "2026-11-12T09:00:00Z", "level": "error", "service": name, "msg": "m"})
        for name in ("cart", "orders", "cart")
    ]
    write(tmp_path / "all.log", "\n".join(lines) + "\n" + lines[0].replace("cart", "c\\u0061rt") + "\n")
    page = search(tmp_path, service="cart")
    assert page.in_scope.total == 3
    assert page.in_scope.by_level == {Level.ERROR.name: 3}


def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with pytest.raises(BackendUnavailableError, match=r'cannot read logs from ".*nowhere": no such file or folder'):
        search(missing)
    assert FileLogs("logs", missing).describe().problems == (f'cannot read logs from "{missing}": no such file or folder',)


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstandard.ZstdCompressor().compress)]
)
def test_rotated_files_are_read_whatever_they_were_compressed_with(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    write(tmp_path / f"orders-2026-11-12.log.1{suffix}", pack(b"2026-11-12 09:00:00 ERROR packed\n"))
    write(tmp_path / "orders.log", "2026-11-12 10:00:00 INFO plain\n")
    page = search(tmp_path, service="orders")
    assert [record.message for record in page.records] == ["plain", "packed"]
    assert page.partial_reasons == ()


def test_a_file_in_latin_1_is_read_as_such_and_a_note_says_so(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "2026-11-12 09:00:00 ERROR Zahlung für Käse abgelehnt\n".encode("latin-1"))
    page = search(tmp_path, "käse")
    assert [record.message for record in page.records] == ["Zahlung für Käse abgelehnt"]
    assert "orders.log was read as Latin-1, as its sample is no UTF-8" in page.notes


def test_a_logger_that_left_messages_out_in_the_window_is_said_to(tmp_path: Path) -> None:
    says = "web1 systemd-journald[310]: Suppressed 1244 messages from orders.service\n"
    write(tmp_path / "syslog", f"Nov 12 09:00:00 {says}Nov 12 09:00:01 web1 orders[7]: a\n")
    write(tmp_path / "syslog.1", f"Nov 11 09:00:00 {says}")
    notes = search(tmp_path).notes
    assert "syslog says in the window that messages were suppressed, dropped or put together: it holds not all" in notes


def test_a_file_that_was_packed_before_the_window_is_not_read_unless_its_dates_are_its_own(tmp_path: Path) -> None:
    write(tmp_path / "orders.log", "2026-11-20 09:00:00 INFO a\n")
    write(tmp_path / "orders.log.1.gz", gzip.compress(b"2026-11-12 09:00:00 INFO a\n"))
    write(tmp_path / "orders.log.2.gz", gzip.compress(b"2026-11-20 07:00:00 INFO a\n"))
    later = TimeWindow(start=datetime(2026, 11, 20, tzinfo=UTC), end=datetime(2026, 11, 21, tzinfo=UTC))
    # All were last changed on the 12th.
    page = search(tmp_path, window=later)
    assert [record.source for record in page.records] == ["orders.log:1", "orders.log.2.gz:1"]
    assert "not read, as they were packed before the window: orders.log.1.gz" in page.notes
