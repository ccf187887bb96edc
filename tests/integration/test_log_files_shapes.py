"""Folders with logs in which a record is not a line, or a line is wrapped: exports, documents, dumps, prefixes."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest

DAY = TimeWindow(start=datetime(2026, 11, 12, tzinfo=UTC), end=datetime(2026, 11, 13, tzinfo=UTC))
CSVLOG = (
    '2026-11-12 09:47:{:02}.123 UTC,"shop","orders",71,"10.0.0.7:4711",6501,2,"",2026-11-12 09:40:00 UTC,3/12,0,ERROR,42P01,'
    '"no {}",,,\n'
)
DUMP = """panic: runtime error: invalid memory address
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0]

goroutine 7 [running]:
main.(*Pool).take(0x0, {0xc00001, 0x3})
\t/app/pool.go:12 +0x1d
net/http.HandlerFunc.ServeHTTP(...)
\t/usr/local/go/src/net/http/server.go:2136
created by net/http.(*Server).Serve in goroutine 1
\t/usr/local/go/src/net/http/server.go:3086 +0x5cb
"""


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(path, (DAY.start.timestamp() + 43_200,) * 2)
    return path


def search(
    root: Path, query: str = "", *, service: str | None = None, window: TimeWindow = DAY, limit: int = 10, in_full: bool = True
) -> LogPage:
    return FileLogs("logs", root).search(
        LogRequest(
            query=parse_log_query(query),
            service=service,
            min_level=None,
            window=window,
            limit=limit,
            deadline=Deadline.after(30),
            in_full=in_full,
        )
    )


def test_tables_that_are_logs_are_found_among_those_that_are_none(tmp_path: Path) -> None:
    write(tmp_path / "postgresql-2026-11-12.csv", CSVLOG.format(30, "table"))
    write(tmp_path / "prices.csv", "name,price\na,1\n")
    write(tmp_path / "pom.xml", "<project></project>")
    page = search(tmp_path)
    assert [(record.service, record.level, record.message) for record in page.records] == [
        ("postgresql", Level.ERROR, "no table")
    ]
    assert page.records[0].source == "postgresql-2026-11-12.csv:1"
    assert page.notes == ("left out, not logs by name: pom.xml, prices.csv",)


def test_of_a_big_csvlog_only_the_part_about_the_window_is_read(tmp_path: Path) -> None:
    day = "".join(
        CSVLOG.replace("09:47:{:02}", f"{minute // 60:02}:{minute % 60:02}:{second:02}", 1).format(
            f"table {minute}\n{second}" + "x" * 40
        )
        for minute in range(1440)
        for second in range(0, 60, 3)
    )
    write(tmp_path / "postgresql.csv", day)
    window = TimeWindow(start=datetime(2026, 11, 12, 12, 0, tzinfo=UTC), end=datetime(2026, 11, 12, 12, 1, tzinfo=UTC))
    page = search(tmp_path, window=window)
    assert page.matched.total == 20
    assert page.records[0].message == "no table 720\n57" + "x" * 40
    # Two lines a record: the last of minute 720 is record 14,420, and starts on line 28,839.
    assert page.records[0].source == "postgresql.csv:28839"
    assert "only the part of postgresql.csv about the window was read, as the times are in order" in page.notes


def test_windows_events_in_utf_16_are_read_and_their_newest_is_known(tmp_path: Path) -> None:
    event = (
        "<Event><System><Provider Name='SCM'/><EventID>7031</EventID><Level>2</Level>"
        "<TimeCreated SystemTime='2026-11-12T{:02}:47:30Z'/><Computer>web1</Computer></System></Event>"
    )
    events = "<Events>" + "".join(event.format(hour) for hour in range(20)) + "</Events>"
    write(tmp_path / "system.xml", events.encode("utf-16"))
    page = search(tmp_path, limit=50)
    assert page.matched.total == 20
    assert {(record.service, record.instance, record.level) for record in page.records} == {("SCM", "web1", Level.ERROR)}
    assert FileLogs("logs", tmp_path).describe().newest_record == datetime(2026, 11, 12, 19, 47, 30, tzinfo=UTC)


def test_a_json_document_with_times_is_a_log_and_one_without_is_none(tmp_path: Path) -> None:
    write(
        tmp_path / "orders.json",
        '[\n {"time": "2026-11-12T09:47:30Z", "msg": "a"},\n {"time": "2026-11-12T09:47:31Z", "msg": "b"}\n]\n',
    )
    write(tmp_path / "package.json", '{\n "name": "shop"\n}\n')
    page = search(tmp_path)
    assert [(record.message, record.source) for record in page.records] == [("b", "orders.json:3"), ("a", "orders.json:2")]
    assert page.notes == ("left out, no log but a JSON document: package.json",)


def test_pods_and_the_runtimes_times_in_front_of_lines_are_taken_off(tmp_path: Path) -> None:
    pod = "[pod/orders-7d9f8b6c5d-xk2zq/app] "
    lines = [
        f"{pod}2026-11-12T09:47:30.123456789Z 2026-11-12 17:47:30,123 [main] ERROR c.a.Orders - empty",
        f"{pod}2026-11-12T09:47:30.123456999Z \tat c.a.Orders.take(Orders.java:7)",
        f"{pod}2026-11-12T09:47:31.000000000Z 2026-11-12 17:47:31,000 [main] INFO c.a.Orders - well",
        f"{pod}2026-11-12T09:47:32.000000000Z 2026-11-12 17:47:32,000 [main] INFO c.a.Orders - well",
    ]
    write(tmp_path / "all.log", "\n".join(lines) + "\n")
    page = search(tmp_path, "empty", service="orders")
    (record,) = page.records
    assert record.timestamp == datetime(2026, 11, 12, 9, 47, 30, 123456, tzinfo=UTC)
    assert record.message == "empty\n\tat c.a.Orders.take(Orders.java:7)"
    assert record.instance == "orders-7d9f8b6c5d-xk2zq"
    assert (
        "the clock inside the lines of all.log runs 8 h ahead of that of the container runtime, whose times are used"
        in page.notes
    )


def test_a_dump_of_goroutines_is_one_record_in_a_log_without_a_format(tmp_path: Path) -> None:
    lines = [f"2026-11-12T09:47:30.{number:09}Z stderr F {line}" for number, line in enumerate(DUMP.splitlines())]
    write(tmp_path / "orders.log", "\n".join([*lines, "2026-11-12T09:47:31.0Z stderr F started again"]) + "\n")
    newest, dump = search(tmp_path).records
    assert newest.message == "started again"
    assert dump.message == DUMP.rstrip()
    assert dump.level is Level.FATAL


def test_a_dump_of_goroutines_belongs_to_the_record_before_it_in_json_lines(tmp_path: Path) -> None:
    line = '{"time":"2026-11-12T09:47:30Z","level":"info","msg":"taking"}\n'
    write(tmp_path / "orders.log", line + DUMP + line)
    page = search(tmp_path, '"segmentation violation"')
    assert [record.message for record in page.records] == ["taking\n" + DUMP.rstrip()]


def test_pretty_printed_json_of_a_container_is_one_record_with_its_fields(tmp_path: Path) -> None:
    pretty = ["{", '  "level": "error",', '  "msg": "empty",', '  "more": {', '    "n": 7', "  }", "}"]
    lines = [f"2026-11-12T09:47:3{second}.0Z stdout F {line}" for second in (0, 1) for line in pretty]
    write(tmp_path / "orders.log", "\n".join(lines) + "\n")
    page = search(tmp_path, "more.n:7")
    assert [(record.level, record.message, record.fields["more.n"]) for record in page.records] == [(Level.ERROR, "empty", 7)] * 2


def test_pretty_printed_json_among_plain_lines_is_a_record_where_it_has_a_time_and_else_belongs_to_the_line_before(
    tmp_path: Path,
) -> None:
    plain = "".join(f"2026-11-12T08:59:{second:02}Z INFO start {second}\n" for second in range(10))
    pretty = '{{\n  "time": "2026-11-12T09:00:{:02}Z",\n  "level": "error",\n  "in": {{\n    "n": 1\n  }},\n  "msg": "boom"\n}}\n'
    body = '2026-11-12T09:01:00Z INFO answered\n{\n  "level": "error",\n  "msg": "no record"\n}\n'
    write(tmp_path / "orders.log", plain + "".join(map(pretty.format, range(40))) + body)
    page = search(tmp_path)
    assert page.in_scope.by_level == {"ERROR": 40, "INFO": 11}
    assert page.records[0].message.startswith("answered\n{")
    assert (page.records[1].message, page.records[1].source) == ("boom", f"orders.log:{10 + 39 * 8 + 1}")


@pytest.mark.parametrize(
    "head", ["2026/11/12 09:47:30 listening", '{"time":"2026-11-12T09:47:30Z","level":"info","msg":"listening"}']
)
def test_a_panic_makes_the_record_that_it_stands_behind_a_fatal_one(tmp_path: Path, head: str) -> None:
    write(tmp_path / "orders.log", f"{head}\n{head}\n{DUMP}{head}\n")
    page = search(tmp_path)
    assert page.matched.by_level["FATAL"] == 1
    assert page.matched.total == 3


def test_pretty_printed_json_behind_a_banner_has_its_own_time(tmp_path: Path) -> None:
    pretty = '{{\n  "time": "2026-11-12T09:47:{:02}Z",\n  "level": "error",\n  "msg": "empty"\n}}\n'
    write(tmp_path / "orders.log", "2026-11-12T09:46:00Z INFO starting\n" + "".join(map(pretty.format, range(40))))
    page = search(tmp_path, "level:error")
    assert (page.matched.total, page.in_scope.total, page.undated_count) == (40, 41, 0)
    newest = page.records[0]
    assert (newest.timestamp, newest.message, newest.source) == (
        datetime(2026, 11, 12, 9, 47, 39, tzinfo=UTC),
        "empty",
        "orders.log:197",
    )
    assert newest.fields == {}


def test_java_util_logging_has_its_level_on_the_second_line(tmp_path: Path) -> None:
    record = "Nov 12, 2026 9:47:3{} AM c.a.Orders take\n{}\n"
    write(tmp_path / "orders.log", record.format(0, "SEVERE: empty") + record.format(1, "INFO: well"))
    well, empty = search(tmp_path).records
    assert (empty.level, empty.message) == (Level.ERROR, "c.a.Orders take\nSEVERE: empty")
    assert (well.level, well.message) == (Level.INFO, "c.a.Orders take\nINFO: well")


@pytest.mark.parametrize("lines", [250, 30_000])
def test_a_document_of_many_lines_is_one_record_and_said_to_be_cut_only_where_it_is(tmp_path: Path, lines: int) -> None:
    numbers = ",\n".join(f'    "{number:030}"' for number in range(lines))
    first = f'{{\n  "time": "2026-11-12T09:47:30Z",\n  "msg": "a",\n  "all": [\n{numbers}\n  ]\n}}'
    write(tmp_path / "orders.json", f'[{first},\n{{"time": "2026-11-12T09:47:31Z", "msg": "b"}}]\n')
    page = search(tmp_path)
    assert page.records[0].message == "b"
    assert page.records[0].source == f"orders.json:{lines + 7}"
    assert page.matched.total == 2
    assert any("too long" in note for note in page.notes) is (lines > 1000)


def test_words_are_found_in_what_does_not_stand_in_the_file_to_the_letter(tmp_path: Path) -> None:
    filling = "".join(CSVLOG.format(30, f"table {number}") for number in range(40_000))
    write(tmp_path / "postgresql.csv", filling + CSVLOG.format(59, 'such ""thing""'))
    assert search(tmp_path, '"such \\"thing\\""').matched.total == 1
    assert search(tmp_path, '"such \\"thing\\""', in_full=False).matched.total == 1
    plain = "".join(f"2026-11-12 09:00:{number % 60:02} INFO order {number} f\xfcr K\xf6ln\n" for number in range(100_000))
    write(tmp_path / "orders.log", (plain + "2026-11-12 09:59:59 ERROR K\xe4se\n").encode("latin-1"))
    assert search(tmp_path, "k\xe4se", service="orders").matched.total == 1


def test_no_part_of_a_big_file_starts_within_an_error_of_postgresql(tmp_path: Path) -> None:
    prefix = "2026-11-12 {:02}:{:02}:{:02}.123 UTC [71] shop@orders "
    said = ("ERROR:  no table", *["DETAIL:  " + "x" * 500] * 6, "STATEMENT:  " + "select 1, " * 40)
    lines = [prefix.format(n // 3600, n // 60 % 60, n % 60) + text for n in range(1700) for text in said]
    path = write(tmp_path / "postgresql.log", "\n".join(lines) + "\n")
    assert path.stat().st_size > 6_000_000
    page = search(tmp_path)
    assert page.in_scope.by_level == {Level.ERROR.name: 1700}


def test_a_phrase_that_csvlog_has_on_two_lines_is_found_where_only_the_newest_are_asked_for(tmp_path: Path) -> None:
    # The newest records are looked for only in parts that hold the words as they are asked for: these hold a line end instead.
    lines = CSVLOG.format(30, "table") + '"the pool is\nfull"\n'
    write(tmp_path / "postgresql-2026-11-12.csv", lines)
    (record,) = search(tmp_path, '"pool is full"', in_full=False).records
    assert record.message.endswith('"the pool is full"')
