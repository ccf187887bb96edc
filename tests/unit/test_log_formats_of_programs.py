"""Lines as widespread programs and logging libraries write them by default: time, level, message and the fields between."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.adapters.logs.reading import Reading
from groundwire.domain.levels import Level

AT = "2026-11-12T09:47:30"


def read(line: str) -> tuple[str | None, Reading]:
    clock = FileClock(zone=UTC, latest=datetime(2026, 11, 12, 12, tzinfo=UTC))
    start = reader_for([line], clock).start(line, clock)
    assert start is not None
    if start.time is None:
        return None, start.format.read(start.payload)
    second, _, fraction = start.time.replace(tzinfo=None).isoformat().partition(".")
    return f"{second}.{fraction.rstrip('0')}" if fraction else second, start.format.read(start.payload)


LIBRARIES = {
    "Logback default": ("09:47:30.123 [main] ERROR c.a.Orders -- empty", None, {"thread": "main", "logger": "c.a.Orders"}),
    "Log4j level first": (
        f"{AT[:10]} 09:47:30.123 ERROR [main] c.a.Orders : empty",
        f"{AT}.123",
        {"thread": "main", "logger": "c.a.Orders"},
    ),
    "Log4j thread last": (f"{AT},123 ERROR c.a.Orders [main] empty", f"{AT}.123", {"thread": "main", "logger": "c.a.Orders"}),
    "JBoss, Quarkus": (
        "2026-11-12 09:47:30,123 ERROR [org.jboss.as] (MSC service thread 1-2) empty",
        f"{AT}.123",
        {"logger": "org.jboss.as", "thread": "MSC service thread 1-2"},
    ),
    "Spring Boot 2 with Sleuth": (
        "2026-11-12 09:47:30.766 ERROR [orders,5af2,77b1] 284 --- [nio-8080-exec-1] c.a.Orders  : empty",
        f"{AT}.766",
        {"application": "orders", "trace": "5af2,77b1", "pid": "284", "thread": "nio-8080-exec-1", "logger": "c.a.Orders"},
    ),
    "Spring Boot 3 with a trace": (
        "2026-11-12T10:47:30.766+01:00 ERROR 284 --- [orders] [m] [0123456789abcdef0123456789abcdef-0123456789abcdef] O : empty",
        f"{AT}.766",
        {
            "application": "orders",
            "trace": "0123456789abcdef0123456789abcdef-0123456789abcdef",
            "pid": "284",
            "thread": "m",
            "logger": "O",
        },
    ),
    "Elasticsearch": (
        "[2026-11-12T09:47:30,123][ERROR][o.B  ] [node-1] empty",
        f"{AT}.123",
        {"logger": "o.B", "node": "node-1"},
    ),
    "log4net": ("2026-11-12 09:47:30,123 [7] ERROR Shop.Orders - empty", f"{AT}.123", {"thread": "7", "logger": "Shop.Orders"}),
    "NLog": ("2026-11-12 09:47:30.1234|ERROR|Shop.Orders|empty", f"{AT}.1234", {"logger": "Shop.Orders"}),
    "Serilog text": ("2026-11-12 10:47:30.123 +01:00 [ERR] empty", f"{AT}.123", {}),
    "gunicorn": ("[2026-11-12 09:47:30 +0000] [71] [ERROR] empty", AT, {"pid": "71"}),
    "Celery": ("[2026-11-12 09:47:30,123: ERROR/MainProcess] empty", f"{AT}.123", {"thread": "MainProcess"}),
    "Airflow": ("[2026-11-12T09:47:30.123+0000] {task.py:12} ERROR - empty", f"{AT}.123", {"logger": "task.py:12"}),
    "Python with colons": ("2026-11-12 09:47:30,123:ERROR:shop.orders:empty", f"{AT}.123", {"logger": "shop.orders"}),
    "Ruby": ("E, [2026-11-12T09:47:30.123456 #71] ERROR -- orders: empty", f"{AT}.123456", {"pid": "71", "program": "orders"}),
    "Monolog": ("[2026-11-12T09:47:30.123456+00:00] app.ERROR: empty", f"{AT}.123456", {"logger": "app"}),
    "winston": ("2026-11-12T09:47:30.123Z error: empty", f"{AT}.123", {}),
    "AWS Lambda": (
        "2026-11-12T09:47:30.123Z\t1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f\tERROR\tempty",
        f"{AT}.123",
        {"request": "1a2b3c4d-0000-4000-8000-1a2b3c4d5e6f"},
    ),
    "Istio": ("2026-11-12T09:47:30.123456Z\terror\tenvoy config\tempty", f"{AT}.123456", {"logger": "envoy config"}),
    "zap on a console": (
        "2026-11-12T09:47:30.123Z\tERROR\ta/main.go:7\tempty",
        f"{AT}.123",
        {"caller": "a/main.go:7"},
    ),
    "glog": ("E1112 09:47:30.123456   71 srv.cc:12] empty", f"{AT}.123456", {"pid": "71", "logger": "srv.cc:12"}),
    "glog with a year": (
        "E20261112 09:47:30.123456 71 srv.cc:12] empty",
        f"{AT}.123456",
        {"pid": "71", "logger": "srv.cc:12"},
    ),
    "tracing": ("2026-11-12T09:47:30.123456Z ERROR orders::pool: empty", f"{AT}.123456", {"logger": "orders::pool"}),
    "tracing in spans": (
        'ERROR request{id=7 path="/a b"}:query{n=1}: orders::pool: empty'.join(["2026-11-12T09:47:30.123456Z ", ""]),
        f"{AT}.123456",
        {"spans": 'request{id=7 path="/a b"}:query{n=1}', "logger": "orders::pool"},
    ),
    "env_logger": ("[2026-11-12T09:47:30Z ERROR orders::pool] empty", AT, {"logger": "orders::pool"}),
    "slog": ("time=2026-11-12T09:47:30.123Z level=ERROR msg=empty n=7", f"{AT}.123", {"n": "7"}),
    "a time since 1970": ("1794476850.123 ERROR empty", f"{AT}.123", {}),
    "month first, AM": ("11/12/2026 9:47:30 AM ERROR empty", AT, {}),
    "day first, dots": ("12.11.2026 09:47:30 ERROR empty", AT, {}),
    "asctime": ("Thu Nov 12 09:47:30 2026 ERROR empty", AT, {}),
}


@pytest.mark.parametrize(("line", "time", "fields"), LIBRARIES.values(), ids=LIBRARIES)
def test_an_error_of_a_logging_library_is_read(line: str, time: str | None, fields: Mapping[str, Any]) -> None:
    found, reading = read(line)
    assert (found, reading.level, reading.message, reading.fields) == (time, Level.ERROR, "empty", fields)


SERVERS = {
    "PostgreSQL with a user": (
        "2026-11-12 10:47:30.123 CET [71] shop@orders FATAL:  too many clients",
        f"{AT}.123",
        Level.FATAL,
        "too many clients",
        {"pid": "71", "user": "shop", "database": "orders"},
    ),
    "PostgreSQL on RDS": (
        "2026-11-12 09:47:30 UTC:10.0.0.7(4711):shop@orders:[71]:ERROR:  no such table",
        AT,
        Level.ERROR,
        "no such table",
        {"client": "10.0.0.7(4711)"},
    ),
    "PostgreSQL, about a statement": (
        "2026-11-12 09:47:30.123 UTC [71] STATEMENT:  select 1",
        f"{AT}.123",
        Level.INFO,
        "select 1",
        {"pid": "71", "kind": "STATEMENT"},
    ),
    "PostgreSQL in a named zone": (
        "2026-11-12 10:47:30.123 Europe/Berlin [71] LOG:  ready",
        f"{AT}.123",
        Level.INFO,
        "ready",
        {"pid": "71", "kind": "LOG"},
    ),
    "MySQL 8": (
        "2026-11-12T09:47:30.123456Z 8 [Warning] [MY-010055] [Server] address could not be resolved",
        f"{AT}.123456",
        Level.WARN,
        "address could not be resolved",
        {"thread": "8", "code": "MY-010055", "module": "Server"},
    ),
    "MySQL 5.7": ("2026-11-12T09:47:30.1Z 0 [Note] InnoDB: done", f"{AT}.1", Level.INFO, "InnoDB: done", {"thread": "0"}),
    "MySQL 5.5": ("261112  9:47:30 [ERROR] mysqld: crashed", AT, Level.ERROR, "mysqld: crashed", {}),
    "MariaDB": ("2026-11-12  9:47:30 0 [ERROR] InnoDB: full", AT, Level.ERROR, "InnoDB: full", {"thread": "0"}),
    "MySQL slow queries": (
        "# Time: 2026-11-12T09:47:30.123456Z",
        f"{AT}.123456",
        None,
        "# Time: 2026-11-12T09:47:30.123456Z",
        {},
    ),
    "nginx error": (
        '2026/11/12 09:47:30 [error] 31#32: *7 connect() failed, client: 10.0.0.1, server: _, request: "GET /a HTTP/1.1"',
        AT,
        Level.ERROR,
        'connect() failed, client: 10.0.0.1, server: _, request: "GET /a HTTP/1.1"',
        {"pid": "31", "tid": "32", "connection": "7", "client": "10.0.0.1", "server": "_", "request": "GET /a HTTP/1.1"},
    ),
    "access log of several sites": (
        'shop.example:443 10.0.0.7 - - [12/Nov/2026:09:47:30 +0000] "GET /a HTTP/1.1" 502 157 "-" "curl/8"',
        AT,
        None,
        '"GET /a HTTP/1.1" 502 157 "-" "curl/8"',
        {"site": "shop.example:443", "client": "10.0.0.7", "method": "GET", "path": "/a", "status": "502"},
    ),
    "HAProxy": (
        '10.0.0.7:3331 [12/Nov/2026:09:47:30.003] web orders/srv1 1/0/3/6/10 503 275 - - SC-- 1/1/1/1/0 0/0 "GET / HTTP/1.1"',
        f"{AT}.003",
        None,
        '10.0.0.7:3331 [12/Nov/2026:09:47:30.003] web orders/srv1 1/0/3/6/10 503 275 - - SC-- 1/1/1/1/0 0/0 "GET / HTTP/1.1"',
        {
            "client": "10.0.0.7",
            "frontend": "web",
            "backend": "orders",
            "server": "srv1",
            "timers": "1/0/3/6/10",
            "status": "503",
            "bytes": "275",
            "termination": "SC--",
        },
    ),
    "PHP": ("[12-Nov-2026 10:47:30 Europe/Berlin] PHP Fatal error:  boom", AT, Level.FATAL, "boom", {}),
    "Linux audit": (
        "type=SYSCALL msg=audit(1794476850.123:71): arch=c000003e syscall=59",
        f"{AT}.123",
        None,
        "type=SYSCALL msg=audit(1794476850.123:71): arch=c000003e syscall=59",
        {"type": "SYSCALL", "serial": "71"},
    ),
}


@pytest.mark.parametrize(("line", "time", "level", "message", "fields"), SERVERS.values(), ids=SERVERS)
def test_a_line_of_a_server_is_read(line: str, time: str, level: Level | None, message: str, fields: Mapping[str, Any]) -> None:
    found, reading = read(line)
    assert (found, reading.level, reading.message, reading.fields) == (time, level, message, fields)


def test_a_request_that_haproxy_sent_by_syslog_has_its_fields() -> None:
    _, reading = read(
        "Nov 12 09:47:30 lb1 haproxy[71]: 10.0.0.7:3331 [12/Nov/2026:09:47:30.003] web orders/<NOSRV> 0/-1/-1/-1/3 503 212 - - "
        'SC-- 1/1/0/0/0 0/0 "GET / HTTP/1.1"'
    )
    assert (reading.service, reading.instance) == ("haproxy", "lb1")
    assert (reading.fields["status"], reading.fields["server"], reading.fields["backend"]) == ("503", "<NOSRV>", "orders")


@pytest.mark.parametrize(
    ("line", "service"),
    [
        ("Nov 12 09:47:30 web1 syslogd 1.4.1: restart.", ("syslogd", "syslogd 1.4.1", "restart.")),
        ("Nov 12 09:47:30 web1  -- root[2421]: ROOT LOGIN ON tty2", ("root", "root", "ROOT LOGIN ON tty2")),
    ],
)
def test_odd_names_of_programs_in_syslog_are_names(line: str, service: tuple[str, str, str]) -> None:
    _, reading = read(line)
    assert (reading.service, reading.fields["program"], reading.message) == service


JSON_LINES = {
    "bunyan": (
        '{"name":"orders","hostname":"w","pid":7,"level":50,"msg":"empty","time":"2026-11-12T09:47:30.123Z","v":0}',
        "orders",
    ),
    "ECS": (
        '{"@timestamp":"2026-11-12T09:47:30.123Z","log.level":"ERROR","message":"empty","service.name":"orders","ecs.version":"1.2.0"}',
        "orders",
    ),
    "zap": ('{"level":"error","ts":1794476850.123,"caller":"a/b.go:12","msg":"empty","service":"orders"}', "orders"),
    "structlog": ('{"event":"empty","level":"error","timestamp":"2026-11-12T09:47:30.123Z","logger":"a"}', None),
    "Serilog": ('{"@t":"2026-11-12T09:47:30.123Z","@mt":"empty","@l":"Error","SourceContext":"Shop.Orders"}', None),
    "GELF": (
        '{"version":"1.1","host":"w","short_message":"empty","timestamp":1794476850.123,"level":3,"_app":"orders"}',
        "orders",
    ),
    "tracing": (
        '{"timestamp":"2026-11-12T09:47:30.123Z","level":"ERROR","fields":{"message":"empty"},"target":"orders"}',
        None,
    ),
    "Google Cloud": (
        '{"severity":"ERROR","timestamp":"2026-11-12T09:47:30.123Z","textPayload":"empty",'
        '"resource":{"labels":{"container_name":"orders","pod_name":"orders-1"}}}',
        "orders",
    ),
    "OpenTelemetry": ('{"timeUnixNano":"1794476850123000000","severityText":"ERROR","body":{"stringValue":"empty"}}', None),
    "PostgreSQL jsonlog": (
        '{"timestamp":"2026-11-12 09:47:30.123 UTC","pid":71,"error_severity":"ERROR","message":"empty"}',
        None,
    ),
}


@pytest.mark.parametrize(("line", "service"), JSON_LINES.values(), ids=JSON_LINES)
def test_json_of_a_logging_library_is_read(line: str, service: str | None) -> None:
    found, reading = read(line)
    assert (found, reading.level, reading.message, reading.service) == (f"{AT}.123", Level.ERROR, "empty", service)
