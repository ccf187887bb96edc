"""Lines of the formats that are known, one line each: time, level, message and the fields between."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.adapters.logs.reading import Reading
from groundwire.domain.levels import Level

LATEST = datetime(2026, 11, 12, 12, 0, tzinfo=UTC)


def read(line: str, clock: FileClock | None = None) -> tuple[datetime | None, Reading]:
    clock = clock or FileClock(zone=UTC, latest=LATEST)
    start = reader_for([line], clock).start(line, clock)
    assert start is not None
    return start.time, start.format.read(start.payload)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "time", "level", "message", "fields"),
    [
        pytest.param(
            "2026-11-12T09:47:30.123Z  WARN 1 --- [order-service] [ari housekeeper] c.z.h.pool.HikariPool : pool is full",
            "2026-11-12T09:47:30.123",
            Level.WARN,
            "pool is full",
            {"application": "order-service", "thread": "ari housekeeper", "pid": "1", "logger": "c.z.h.pool.HikariPool"},
            id="Spring Boot 3",
        ),
        pytest.param(
            "2026-11-12 09:47:30.766 DEBUG 28421 --- [Hikari housekeeper] c.z.h.p.HikariPool             : Hikari - Pool stats",
            "2026-11-12T09:47:30.766",
            Level.DEBUG,
            "Hikari - Pool stats",
            {"thread": "Hikari housekeeper", "pid": "28421", "logger": "c.z.h.p.HikariPool"},
            id="Spring Boot 2",
        ),
        pytest.param(
            "2026-11-12 09:47:30,037 [MailSync-178] DEBUG com.zaxxer.hikari.pool.HikariPool - HikariPool-1 - stats",
            "2026-11-12T09:47:30.037",
            Level.DEBUG,
            "HikariPool-1 - stats",
            {"thread": "MailSync-178", "logger": "com.zaxxer.hikari.pool.HikariPool"},
            id="Logback",
        ),
        pytest.param(
            "2026-11-12T09:47:30.316+0300\tDEBUG\tmain\tcom.zaxxer.hikari.HikariConfig\tpool ready",
            "2026-11-12T06:47:30.316",
            Level.DEBUG,
            "pool ready",
            {"thread": "main", "logger": "com.zaxxer.hikari.HikariConfig"},
            id="tabs, offset without a colon",
        ),
        pytest.param(
            "2026-11-12 09:47:30,123 - shop.orders - ERROR - cannot reach the database",
            "2026-11-12T09:47:30.123",
            Level.ERROR,
            "cannot reach the database",
            {"logger": "shop.orders"},
            id="Python",
        ),
        pytest.param(
            "Nov  2 09:47:30 web1 sshd(pam_unix)[19939]: authentication failure; user=root",
            "2026-11-02T09:47:30",
            None,
            "authentication failure; user=root",
            {"program": "sshd(pam_unix)", "pid": "19939", "host": "web1"},
            id="RFC 3164",
        ),
        pytest.param(
            '<11>1 2026-11-12T09:47:30.003Z web1 orders 8710 ID47 [a@1 b="c"] cannot start',
            "2026-11-12T09:47:30.003",
            Level.ERROR,
            "cannot start",
            {"program": "orders", "pid": "8710", "host": "web1"},
            id="RFC 5424",
        ),
        pytest.param(
            "2026-11-12T09:47:30.123456+00:00 web1 systemd[1]: Started orders.",
            "2026-11-12T09:47:30.123456",
            None,
            "Started orders.",
            {"program": "systemd", "pid": "1", "host": "web1"},
            id="rsyslog with ISO times",
        ),
        pytest.param(
            "[Thu Nov 12 09:47:30.123456 2026] [proxy:error] [pid 7:tid 140] AH00959: backend is down",
            "2026-11-12T09:47:30.123456",
            Level.ERROR,
            "AH00959: backend is down",
            {"module": "proxy", "pid": "7", "tid": "140"},
            id="Apache 2.4 error",
        ),
        pytest.param(
            '10.0.0.7 - ann [12/Nov/2026:09:47:30 +0100] "POST /api/orders HTTP/1.1" 503 19 "-" "curl/8"',
            "2026-11-12T08:47:30",
            None,
            '"POST /api/orders HTTP/1.1" 503 19 "-" "curl/8"',
            {"client": "10.0.0.7", "user": "ann", "method": "POST", "path": "/api/orders", "status": "503"},
            id="access log",
        ),
        pytest.param(
            "2026/11/12 09:47:30 [error] 31#31: *7 connect() failed (111: Connection refused)",
            "2026-11-12T09:47:30",
            Level.ERROR,
            "connect() failed (111: Connection refused)",
            {"pid": "31", "tid": "31", "connection": "7"},
            id="nginx error",
        ),
        pytest.param(
            "E1112 09:47:30.123456       1 reflector.go:138] Failed to watch *v1.Pod",
            "2026-11-12T09:47:30.123456",
            Level.ERROR,
            "Failed to watch *v1.Pod",
            {"pid": "1", "logger": "reflector.go:138"},
            id="klog",
        ),
        pytest.param(
            "26/11/12 09:47:30 INFO storage.MemoryStore: Block rdd_42_16 stored",
            "2026-11-12T09:47:30",
            Level.INFO,
            "Block rdd_42_16 stored",
            {"logger": "storage.MemoryStore"},
            id="Spark",
        ),
        pytest.param(
            "261112 094730 148 WARN dfs.DataNode$DataXceiver: Got exception while serving",
            "2026-11-12T09:47:30",
            Level.WARN,
            "Got exception while serving",
            {"pid": "148", "logger": "dfs.DataNode$DataXceiver"},
            id="HDFS",
        ),
        pytest.param(
            "2026-11-12 09:47:30,747 - WARN  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:FastLeaderElection@774] - Time out: 3200",
            "2026-11-12T09:47:30.747",
            Level.WARN,
            "Time out: 3200",
            {"thread": "QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181", "logger": "FastLeaderElection@774"},
            id="ZooKeeper",
        ),
        pytest.param(
            "2026-11-12 09:47:30.260 2931 INFO nova.compute.claims [req-caeb 113d - - -] Claim successful",
            "2026-11-12T09:47:30.260",
            Level.INFO,
            "Claim successful",
            {"pid": "2931", "logger": "nova.compute.claims", "request": "req-caeb 113d - - -"},
            id="OpenStack",
        ),
        pytest.param(
            "12-Nov-2026 09:47:30.123 SEVERE [main] org.apache.catalina.core.StandardService.init Failed to start",
            "2026-11-12T09:47:30.123",
            Level.ERROR,
            "Failed to start",
            {"thread": "main", "logger": "org.apache.catalina.core.StandardService.init"},
            id="Tomcat",
        ),
        pytest.param(
            "1:M 12 Nov 2026 09:47:30.123 # Out of memory",
            "2026-11-12T09:47:30.123",
            Level.WARN,
            "Out of memory",
            {"pid": "1"},
            id="Redis",
        ),
        pytest.param(
            "2026-11-12 09:47:30.123 UTC [42] FATAL:  too many connections",
            "2026-11-12T09:47:30.123",
            Level.FATAL,
            "too many connections",
            {"pid": "42"},
            id="PostgreSQL",
        ),
        pytest.param(
            "ERROR 2026-11-12 09:47:30,123 no route",
            "2026-11-12T09:47:30.123",
            Level.ERROR,
            "no route",
            {},
            id="level first",
        ),
        pytest.param(
            "2026-11-12 09:47:30.123 | ERROR    | shop.orders:place:12 - no stock",
            "2026-11-12T09:47:30.123",
            Level.ERROR,
            "no stock",
            {"logger": "shop.orders:place:12"},
            id="loguru",
        ),
        pytest.param(
            "2026-11-12 09:47:30 ERROR java.sql.SQLException: no connection",
            "2026-11-12T09:47:30",
            Level.ERROR,
            "java.sql.SQLException: no connection",
            {},
            id="an exception is no logger",
        ),
        pytest.param(
            "2026-11-12 09:47:30 user said ERRORS are fine",
            "2026-11-12T09:47:30",
            None,
            "user said ERRORS are fine",
            {},
            id="no level",
        ),
    ],
)
def test_a_line_is_read(line: str, time: str, level: Level | None, message: str, fields: Mapping[str, Any]) -> None:
    moment, reading = read(line)
    assert moment == at(time)
    assert (reading.level, reading.message, reading.fields) == (level, message, fields)


def test_an_offset_in_the_line_wins_over_the_zone_of_the_file() -> None:
    clock = FileClock(zone=timezone(timedelta(hours=8)), latest=LATEST)
    assert read("2026-11-12T09:47:30Z a", clock)[0] == at("2026-11-12T09:47:30")
    assert not clock.assumed_zone
    assert read("2026-11-12T09:47:30 a", clock)[0] == at("2026-11-12T01:47:30")
    assert clock.assumed_zone


@pytest.mark.parametrize(
    "line",
    [
        "2026/11/12 17:47:30 +0800 a",
        "[2026/11/12 17:47:30 +08:00] a",
        "12/Nov/2026:17:47:30 +0800 a",
        "[12-Nov-2026 17:47:30 +0800] a",
        "12-Nov-2026 09:47:30 UTC a",
        "11/12/2026 5:47:30 PM +08:00 a",  # .NET's DateTimeOffset
        "12.11.2026 17:47:30 +08:00 a",
        "Nov 12, 2026 5:47:30 PM +0800 a",
        "Thu Nov 12 10:47:30 CET 2026 a",  # date(1)
        "Thu Nov 12 17:47:30 +0800 2026 a",
    ],
)
def test_an_offset_behind_a_time_of_any_form_is_no_part_of_the_message(line: str) -> None:
    clock = FileClock(zone=timezone(timedelta(hours=3)), latest=LATEST)
    moment, reading = read(line, clock)
    assert moment == at("2026-11-12T09:47:30")
    assert reading.message == "a"
    assert not clock.assumed_zone


@pytest.mark.parametrize(
    ("latest", "line", "year"),
    [
        ("2026-11-12", "Nov 12 09:00:00 web1 a: b", 2026),
        ("2026-01-03", "Dec 31 23:59:59 web1 a: b", 2025),
        ("2026-12-31", "Jan  1 00:10:00 web1 a: b", 2027),  # within a day of the file's last change
        ("2026-11-12", "Feb 29 09:00:00 web1 a: b", 2024),
    ],
)
def test_a_time_without_a_year_is_the_latest_that_is_not_after_the_file(latest: str, line: str, year: int) -> None:
    clock = FileClock(zone=UTC, latest=at(f"{latest}T12:00:00"))
    moment, _ = read(line, clock)
    assert moment is not None
    assert moment.year == clock.assumed_year == year


def test_a_year_that_is_given_is_taken() -> None:
    clock = FileClock(zone=UTC, latest=LATEST, year=2005)
    assert read("Jun 14 15:16:01 combo sshd[1]: a", clock)[0] == at("2005-06-14T15:16:01")
    assert clock.assumed_year is None


def test_a_time_of_day_needs_a_day() -> None:
    clock = FileClock(zone=UTC, latest=LATEST)
    assert read("09:47:30.123 INFO a.B#75 ready", clock)[0] is None
    clock.day = at("2026-11-12").date()
    assert read("09:47:30.123 INFO a.B#75 ready", clock)[0] == at("2026-11-12T09:47:30.123")


@pytest.mark.parametrize("line", ["2026-13-45 99:99:99 a", "Foo 12 09:00:00 web1 a: b", "9999-12-31T23:59:59-23:00 a"])
def test_an_impossible_time_is_no_time(line: str) -> None:
    clock = FileClock(zone=UTC, latest=LATEST)
    start = reader_for(["2026-11-12 09:00:00 a"] * 3, clock).start(line, clock)
    assert start is None or start.time is None


@given(st.text(max_size=200))
def test_any_line_is_read_or_left_alone(line: str) -> None:
    clock = FileClock(zone=UTC, latest=LATEST)
    for text in (line, "2026-11-12 09:00:00 " + line, "Nov 12 09:00:00 web1 " + line, '{"a":' + line, "level=info a=" + line):
        start = reader_for([text], clock).start(text, clock)
        if start is not None:
            start.format.read(start.payload)
