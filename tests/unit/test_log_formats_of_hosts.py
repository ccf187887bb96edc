"""Lines of balancers, hosts, databases and application servers, made up in the shape that each documents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.domain.levels import Level
from tests.unit.test_log_formats_of_programs import AT, read
from tests.unit.test_log_records import assemble

REQUESTS = {
    "AWS application balancer": (
        "https 2026-11-12T09:47:30.186641Z app/shop/50dc 10.0.0.7:2817 10.0.0.1:80 0.086 0.048 0.037 502 - 0 57 "
        '"GET https://shop.example:443/a HTTP/1.1" "curl/8" ECDHE TLSv1.2 arn:aws:x "Root=1-58"',
        f"{AT}.186641",
        {"balancer": "app/shop/50dc", "client": "10.0.0.7", "target": "10.0.0.1:80", "status": "502", "method": "GET"}
        | {"path": "https://shop.example:443/a"},
    ),
    "AWS classic balancer, no target": (
        '2026-11-12T09:47:30.945958Z shop 10.0.0.7:2817 - -1 -1 -1 503 0 0 29 "GET http://shop.example:80/a HTTP/1.1" "-" - -',
        f"{AT}.945958",
        None,
    ),
    "S3": (
        "79a59df900b949e5 bucket [12/Nov/2026:10:47:30 +0100] 10.0.0.7 79a5 3E57 REST.GET.OBJECT a/b.txt "
        '"GET /bucket/a/b.txt HTTP/1.1" 404 NoSuchKey 243 - 7 - "-" "S3Console/0.4" -',
        AT,
        {"bucket": "bucket", "client": "10.0.0.7", "operation": "REST.GET.OBJECT", "key": "a/b.txt", "method": "GET"}
        | {"path": "/bucket/a/b.txt", "status": "404", "error": "NoSuchKey"},
    ),
    "VPC flow": (
        "2 123456789010 eni-1235b8ca 10.0.0.7 10.0.0.1 20641 22 6 20 4249 1794476850 1794476910 REJECT OK",
        AT,
        {"interface": "eni-1235b8ca", "client": "10.0.0.7", "target": "10.0.0.1", "port": "22", "action": "REJECT"},
    ),
    "Envoy's requests": (
        '[2026-11-12T09:47:30.123Z] "GET /a HTTP/2" 503 UF,URX 0 91 7 - "-" "curl/8" "5f2a" "shop.example" "10.0.0.1:80"',
        f"{AT}.123",
        {"method": "GET", "path": "/a", "status": "503", "flags": "UF,URX"},
    ),
    "Squid": (
        "1794476850.123    157 10.0.0.7 TCP_MISS/503 1234 GET http://shop.example/a - HIER_DIRECT/10.0.0.1 text/html",
        f"{AT}.123",
        {"duration_ms": "157", "client": "10.0.0.7", "result": "TCP_MISS", "status": "503", "method": "GET"}
        | {"path": "http://shop.example/a"},
    ),
    "uWSGI": (
        "[pid: 71|app: 0|req: 1/1] 10.0.0.7 () {32 vars in 500 bytes} [Thu Nov 12 09:47:30 2026] GET /a => generated 12 bytes in "
        "3 msecs (HTTP/1.1 500) 2 headers in 72 bytes (1 switches on core 0)",
        AT,
        {"pid": "71", "client": "10.0.0.7", "method": "GET", "path": "/a", "status": "500"},
    ),
    "CUPS pages": (
        "laser ann 7 [12/Nov/2026:09:47:30 +0000] 1 1 - localhost",
        AT,
        {"printer": "laser", "user": "ann", "job": "7"},
    ),
}


@pytest.mark.parametrize(("line", "time", "fields"), REQUESTS.values(), ids=REQUESTS)
def test_a_request_has_its_time_and_its_fields_and_no_level(line: str, time: str, fields: Mapping[str, Any] | None) -> None:
    found, reading = read(line)
    assert (found, reading.level) == (time, None)
    assert fields is None or reading.fields == fields
    assert reading.message in line


ERRORS = {
    "CUPS": ("E [12/Nov/2026:09:47:30 +0000] empty", AT, {}),
    "SSSD": (
        "(Thu Nov 12 09:47:30:259149 2026) [sssd[be[shop]]] [be_ptask] (0x0040): empty",
        AT,
        {"module": "sssd[be[shop]]", "logger": "be_ptask"},
    ),
    "SSSD, newer": ("(2026-11-12  9:47:30): [pam] [sss_init] (0x0040): empty", AT, {"module": "pam", "logger": "sss_init"}),
    "Dovecot": ("Nov 12 09:47:30 imap(ann)<71><a+/b>: Error: empty", AT, {"program": "imap", "user": "ann"}),
    "BIND": ("12-Nov-2026 09:47:30.123 client: error: empty", f"{AT}.123", {"logger": "client"}),
    "Asterisk": (
        "[Nov 12 09:47:30] ERROR[71][C-00000007]: chan_sip.c:123 handle_request: empty",
        AT,
        {"thread": "71", "call": "C-00000007", "logger": "chan_sip.c:123 handle_request"},
    ),
    "Asterisk with a year": (
        "[2026-11-12 09:47:30.118] ERROR[71] app_dial.c: empty",
        f"{AT}.118",
        {"thread": "71", "logger": "app_dial.c"},
    ),
    "NATS": ("[71] 2026/11/12 09:47:30.123456 [ERR] empty", f"{AT}.123456", {"tag": "71"}),
    "Syncthing": ("[ABCDE] 2026/11/12 09:47:30 ERROR: empty", AT, {"tag": "ABCDE"}),
    "ESXi": ("2026-11-12T09:47:30.123Z Er(11) Hostd[71]: empty", f"{AT}.123", {"program": "Hostd", "pid": "71"}),
    "vCenter": (
        "2026-11-12T09:47:30.123Z error vpxd[71] [Originator@6876 sub=Default opID=5f2a] empty",
        f"{AT}.123",
        {"program": "vpxd", "pid": "71", "logger": "Default", "operation": "5f2a"},
    ),
    "logcat": (
        "11-12 09:47:30.123  1234  5678 E ActivityManager: empty",
        f"{AT}.123",
        {"pid": "1234", "thread": "5678", "logger": "ActivityManager"},
    ),
    "Cassandra": (
        "ERROR [ReadStage-7] 2026-11-12 09:47:30,123 CassandraDaemon.java:71 - empty",
        f"{AT}.123",
        {"thread": "ReadStage-7", "logger": "CassandraDaemon.java:71"},
    ),
    "ClickHouse": (
        "2026.11.12 09:47:30.123456 [ 71 ] {5f2a} <Error> TCPHandler: empty",
        f"{AT}.123456",
        {"thread": "71", "query": "5f2a", "logger": "TCPHandler"},
    ),
    "MongoDB before 4.4": (
        "2026-11-12T09:47:30.123+0000 E NETWORK  [conn7] empty",
        f"{AT}.123",
        {"logger": "NETWORK", "thread": "conn7"},
    ),
    "Ceph": ("2026-11-12T09:47:30.123+0000 7f1c2a7fc700 -1 empty", f"{AT}.123", {"thread": "7f1c2a7fc700"}),
    "ZooKeeper 3.5": (
        "2026-11-12 09:47:30,747 [myid:1] - ERROR [QuorumPeer[myid=1](plain=0.0.0.0:2181):Quorum@71] - empty",
        f"{AT}.747",
        {"myid": "1", "thread": "QuorumPeer[myid=1](plain=0.0.0.0:2181)", "logger": "Quorum@71"},
    ),
    "spdlog": ("[2026-11-12 09:47:30.123] [orders] [error] empty", f"{AT}.123", {"logger": "orders"}),
    "Envoy": (
        "[2026-11-12 09:47:30.123][8][error][config] [source/server/a.cc:168] empty",
        f"{AT}.123",
        {"thread": "8", "logger": "config", "caller": "source/server/a.cc:168"},
    ),
    "Gitea": ("2026/11/12 09:47:30 ...ters/web.go:71:Home() [E] empty", AT, {"logger": "...ters/web.go:71:Home()"}),
    "Foreman": ("2026-11-12T09:47:30 [E|app|5f2a] empty", AT, {"logger": "app", "request": "5f2a"}),
    "Airflow's tasks": ("[2026-11-12, 10:47:30 CET] {task.py:71} ERROR - empty", AT, {"logger": "task.py:71"}),
}


@pytest.mark.parametrize(("line", "time", "fields"), ERRORS.values(), ids=ERRORS)
def test_an_error_of_a_host_or_a_server_is_read(line: str, time: str, fields: Mapping[str, Any]) -> None:
    found, reading = read(line)
    assert (found, reading.level, reading.message, reading.fields) == (time, Level.ERROR, "empty", fields)


@pytest.mark.parametrize(
    ("line", "level", "message"),
    [
        ("2026-11-12 09:47:30.12 spid71      Error: 18456, Severity: 14, State: 38.", Level.ERROR, "Error: 18456, Severity: 14"),
        ("2026-11-12 09:47:30.12 Server      SQL Server is now ready.", None, "SQL Server is now ready."),
        ("2026-11-12T09:47:30.123Z cpu7:71)WARNING: NFS: 71: lost", Level.WARN, "NFS: 71: lost"),
        ("2026-11-12T09:47:30.123Z cpu7:71)VC: 2002: rescan", None, "VC: 2002: rescan"),
        ("Nov 12 09:47:30 : ann : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/true", None, "TTY=pts/0 ; PWD=/"),
        ("Thu Nov 12 09:47:30 2026: (VI_1) Entering FAULT STATE", None, "(VI_1) Entering FAULT STATE"),
        (
            "####<Nov 12, 2026 9:47:30 AM UTC> <Error> <JDBC> <h> <srv> <[ACTIVE]> <<WLS Kernel>> <> <5f2a> <1794476850123> "
            "<BEA-001112> <no connection>",
            Level.ERROR,
            "no connection>",
        ),
    ],
)
def test_a_line_of_another_kind_is_read(line: str, level: Level | None, message: str) -> None:
    found, reading = read(line)
    assert found is not None
    assert found.startswith(AT)
    assert reading.level is level
    assert reading.message.startswith(message)


@pytest.mark.parametrize(
    "lines",
    [
        ["[2026/11/12 09:47:30.123456,  0] ../source3/smbd/server.c:71(main)", "  no such share"],
        ["=ERROR REPORT==== 12-Nov-2026::09:47:30.123456 ===", "no such share", "and more"],
    ],
    ids=["Samba", "Erlang"],
)
def test_what_stands_below_a_head_is_the_message(lines: list[str]) -> None:
    (record,) = assemble(lines)
    reading = record.read()
    assert (reading.level, reading.message) == (Level.ERROR, "\n".join(lines[1:]))


def test_what_apt_did_is_one_record() -> None:
    lines = ["Start-Date: 2026-11-12  09:47:30", "Upgrade: openssl:amd64 (3.0.14, 3.0.15)", "End-Date: 2026-11-12  09:47:33"]
    (record,) = assemble(lines)
    assert record.time == datetime(2026, 11, 12, 9, 47, 30, tzinfo=UTC)
    assert "openssl" in record.read().message


@pytest.mark.parametrize(
    ("line", "second"),
    [
        ('{"time_local":"12/Nov/2026:10:47:30 +0100","status":"502"}', 30),
        ('{"time_iso8601":"2026-11-12T10:47:30+01:00","status":"502"}', 30),
        ('{"kind":"Event","requestReceivedTimestamp":"2026-11-12T09:47:30.123456Z","stageTimestamp":"2026-11-12T09:47:31Z"}', 30),
        ('{"EdgeStartTimestamp":"2026-11-12T09:47:30Z","EdgeResponseStatus":502}', 30),
        ('{"generated_at":"2026-11-12T09:47:30Z","received_at":"2026-11-12T09:47:31Z","severity":"Error","message":"m"}', 30),
    ],
    ids=["nginx", "nginx, ISO", "Kubernetes audit", "Cloudflare", "Papertrail"],
)
def test_json_of_a_platform_has_its_time(line: str, second: int) -> None:
    found, _ = read(line)
    assert (found or "")[:19] == f"{AT[:17]}{second}"


def test_a_format_of_the_sample_alone_is_not_looked_for_in_other_files() -> None:
    clock = FileClock(zone=UTC, latest=datetime(2026, 11, 12, 12, tzinfo=UTC))
    reader = reader_for(["2026-11-12 09:47:30 INFO started"] * 20, clock)
    assert reader.start("E [12/Nov/2026:09:47:30 +0000] empty", clock) is None
