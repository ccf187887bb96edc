"""The table of line formats of databases, brokers, schedulers and application servers that write levels in a way of their own.

Sources:
    Cassandra's logback.xml; ClickHouse "logger"; MongoDB 3.0 to 4.2 "Log Messages"; Ceph "Logging and debugging"; SQL Server's
    ERRORLOG; ZooKeeper's log4j.properties; WebLogic "Message attributes"; Erlang/OTP's error logger (RabbitMQ before 3.7);
    spdlog's and Envoy's default patterns; Gitea "Logging configuration"; Foreman's logging.yaml; Airflow's ``log_format``.
"""

from __future__ import annotations

from typing import Final

from groundwire.adapters.logs.plain_format import (
    MONTH,
    PlainFormat,
    bare_iso_time,
    epoch_time,
    month_time,
    numbered_time,
    sampled_format,
    zoned_time,
)
from groundwire.domain.levels import Level

_SECOND: Final = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_OFFSET: Final = r"(?:Z|[+-]\d\d:?\d\d)?"
_LEVEL: Final = r"(?P<level>TRACE|DEBUG|INFO|WARN|ERROR|FATAL)"
_LETTERS: Final = {
    "T": Level.TRACE,
    "D": Level.DEBUG,
    "I": Level.INFO,
    "W": Level.WARN,
    "E": Level.ERROR,
    "C": Level.CRITICAL,
    "F": Level.FATAL,
}
_CEPH: Final = {"-1": Level.ERROR, "0": Level.INFO, "1": Level.INFO} | {str(number): Level.DEBUG for number in range(2, 31)}
_ERLANG: Final = {"CRASH": Level.ERROR, "SUPERVISOR": Level.ERROR, "PROGRESS": Level.INFO}
_CLICKHOUSE: Final = {"Test": Level.TRACE}
_PART: Final = r"<<?[^<>]{0,300}>?> "

STORE_FORMATS: Final[tuple[PlainFormat, ...]] = (
    sampled_format(
        "cassandra",
        rf"{_LEVEL} +\[(?P<thread>[^\]]{{1,200}})\] (?:\S{{1,100}} )?(?P<time>\d{{4}}-\d\d-\d\d[T ]{_SECOND}) "
        r"(?P<logger>[\w$]{1,100}(?:\.java)?:\d{1,6}) - ",
        bare_iso_time,
    ),
    sampled_format(
        "clickhouse",
        rf"(?P<year>\d{{4}})\.(?P<month>\d\d)\.(?P<day>\d\d) (?P<time>{_SECOND}) \[ (?P<thread>\d{{1,10}}) \] \{{"
        rf"(?P<query>[^}}]{{0,100}})\}} "
        r"<(?P<level>[A-Z][a-z]{3,11})> (?:(?P<logger>[^:\s][^:]{0,200}): )?",
        numbered_time,
        levels=_CLICKHOUSE,
    ),
    sampled_format(
        "old_mongodb",
        rf"(?P<time>\d{{4}}-\d\d-\d\dT{_SECOND}{_OFFSET}) (?P<level>[DIWEF])[1-5]? +(?P<logger>[A-Z_]{{1,20}}|-) +\["
        rf"(?P<thread>[^\]]{{1,100}})\] ",
        bare_iso_time,
        levels=_LETTERS,
    ),
    sampled_format(
        "ceph",
        rf"(?P<time>\d{{4}}-\d\d-\d\d[T ]{_SECOND}{_OFFSET}) (?P<thread>[0-9a-f]{{8,16}}) +(?P<level>-1|\d{{1,2}}) ",
        bare_iso_time,
        levels=_CEPH,
    ),
    sampled_format(
        "sql_server",
        rf"(?P<time>\d{{4}}-\d\d-\d\d {_SECOND}) (?P<thread>spid\d{{1,6}}s?|Server|Logon|Backup) +(?P<message>(?:"
        rf"(?P<level>Error): (?P<code>\d{{1,6}}), )?.*)",
        bare_iso_time,
    ),
    sampled_format(
        "zookeeper",
        rf"(?P<time>\d{{4}}-\d\d-\d\d {_SECOND}) \[myid:(?P<myid>\d{{0,10}})\] - {_LEVEL} +\[(?P<thread>[^@]{{1,300}}):"
        rf"(?P<logger>[\w$.]{{1,100}}@-?\d{{1,6}})\] - ",
        bare_iso_time,
    ),
    sampled_format(
        "weblogic",
        rf"####<[^>]{{1,60}}> <(?P<level>[A-Z][a-z]{{3,10}})> <(?P<logger>[^>]{{1,100}})> <(?P<host>[^>]{{0,255}})> <"
        rf"(?P<server>[^>]{{0,100}})> "
        rf"(?:{_PART}){{4}}<(?P<time>\d{{13}})> (?:<\[severity-value[^>]{{1,300}}> )?<(?P<code>[\w-]{{1,20}})> <?",
        epoch_time,
    ),
    sampled_format(
        "erlang",
        rf"=(?P<level>ERROR|WARNING|INFO|CRASH|SUPERVISOR|PROGRESS) REPORT==== (?P<day>\d{{1,2}})-{MONTH}-"
        rf"(?P<year>\d{{4}})::(?P<time>{_SECOND}) ===",
        month_time,
        levels=_ERLANG,
    ),
    sampled_format(
        "spdlog",
        rf"\[(?P<time>\d{{4}}-\d\d-\d\d {_SECOND})\] \[(?P<logger>[^\]\s]{{1,200}})\] \["
        rf"(?P<level>trace|debug|info|warning|warn|error|critical)\] ",
        bare_iso_time,
    ),
    sampled_format(
        "envoy",
        rf"\[(?P<time>\d{{4}}-\d\d-\d\d {_SECOND})\]\[(?P<thread>\d{{1,10}})\]\[(?P<level>[a-z]{{4,8}})\]\["
        rf"(?P<logger>[^\]]{{1,100}})\] +"
        r"(?:\[(?P<caller>[^\]\s]{1,300}:\d{1,6})\] )?",
        bare_iso_time,
    ),
    sampled_format(
        "gitea",
        rf"(?P<year>\d{{4}})/(?P<month>\d\d)/(?P<day>\d\d) (?P<time>{_SECOND}) (?:\[[0-9a-f-]{{1,40}}\] )?"
        r"(?P<logger>\S{1,200}:\d{1,6}:\S{1,200}\(\)) \[(?P<level>[TDIWECF])\] ",
        numbered_time,
        levels=_LETTERS,
    ),
    sampled_format(
        "foreman",
        rf"(?P<time>\d{{4}}-\d\d-\d\dT{_SECOND}{_OFFSET}) \[(?P<level>[DIWEF])\|(?P<logger>[\w/-]{{1,60}})\|"
        rf"(?P<request>\w{{0,40}})\] ",
        bare_iso_time,
        levels=_LETTERS,
    ),
    sampled_format(
        "airflow_task",
        rf"\[(?P<time>\d{{4}}-\d\d-\d\d, {_SECOND})(?: (?P<zone>[A-Z]{{3,5}}))?\] \{{(?P<logger>[^}}\s]{{1,200}})\}} "
        rf"(?P<level>[A-Z]{{4,8}}) - ",
        zoned_time,
    ),
)
