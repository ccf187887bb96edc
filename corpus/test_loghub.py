"""Real logs of eight systems, line by line against the right answer that stands beside each."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import parse_level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogRecord, LogRequest

Row = Mapping[str, str]
YEAR = 2005
# Which columns of each answer make up the time, and how it is written.
TIMES: Mapping[str, tuple[str, str]] = {
    "Apache": ("{Time}", "%a %b %d %H:%M:%S %Y"),
    "HDFS": ("{Date}{Time}", "%y%m%d%H%M%S"),
    "Hadoop": ("{Date} {Time}", "%Y-%m-%d %H:%M:%S,%f"),
    "Linux": (f"{YEAR} {{Month}} {{Date}} {{Time}}", "%Y %b %d %H:%M:%S"),
    "OpenSSH": (f"{YEAR} {{Date}} {{Day}} {{Time}}", "%Y %b %d %H:%M:%S"),
    "OpenStack": ("{Date} {Time}", "%Y-%m-%d %H:%M:%S.%f"),
    "Spark": ("{Date} {Time}", "%y/%m/%d %H:%M:%S"),
    "Zookeeper": ("{Date} {Time}", "%Y-%m-%d %H:%M:%S,%f"),
}


def _zookeeper(row: Row) -> Mapping[str, str]:
    # The answer splits thread:class@line at the first colon, which is inside the address where the thread is named after one.
    thread, _, logger = f"{row['Node']}:{row['Component']}@{row['Id']}".rpartition(":")
    return {"thread": thread, "logger": logger}


def _linux(row: Row) -> Mapping[str, str]:
    # The column that is called Level holds the host. "-- root" is what login(1) puts before the user who logged in.
    fields = {"host": row["Level"], "program": row["Component"].removeprefix("-- ")}
    return fields | ({"pid": row["PID"]} if row["PID"] else {})


# The fields that the answer's columns are read to; in Linux and OpenSSH no column holds a level.
FIELDS: Mapping[str, Callable[[Row], Mapping[str, str]]] = {
    "Apache": lambda row: {},
    "HDFS": lambda row: {"pid": row["Pid"], "logger": row["Component"]},
    "Hadoop": lambda row: {"thread": row["Process"], "logger": row["Component"]},
    "Linux": _linux,
    "OpenSSH": lambda row: {"program": "sshd", "pid": row["Pid"], "host": row["Component"]},
    "OpenStack": lambda row: {"pid": row["Pid"], "logger": row["Component"], "request": row["ADDR"]},
    "Spark": lambda row: {"logger": row["Component"]},
    "Zookeeper": _zookeeper,
}


def _differences(system: str, row: Row, record: LogRecord | None) -> list[str]:
    if record is None:
        return ["line"]
    columns, written = TIMES[system]
    right = {
        "time": datetime.strptime(columns.format_map(row), written).replace(tzinfo=UTC) == record.timestamp,
        "level": system in {"Linux", "OpenSSH"} or parse_level(row["Level"]) == record.level,
        "fields": FIELDS[system](row) == record.fields,
        "content": row["Content"].strip() == record.message.strip(),  # the answer leaves out spaces at the end
    }
    return [part for part, is_right in right.items() if not is_right]


@pytest.mark.parametrize("system", TIMES)
def test_every_line_of_a_real_log_is_read_as_its_right_answer_has_it(corpus: Path, system: str) -> None:
    with (corpus / "loghub" / f"{system}_2k.log_structured.csv").open(newline="", encoding="utf-8") as file:
        right = list(csv.DictReader(file))
    request = LogRequest(
        query=parse_log_query(""),
        service=None,
        min_level=None,
        window=TimeWindow(start=datetime(2000, 1, 1, tzinfo=UTC), end=datetime(2030, 1, 1, tzinfo=UTC)),
        limit=5000,
        deadline=Deadline.after(60),
    )
    page = FileLogs("loghub", corpus / "loghub" / f"{system}_2k.log", year=YEAR).search(request)
    records = {record.source.rpartition(":")[2]: record for record in page.records}
    wrong = Counter(part for row in right for part in _differences(system, row, records.get(row["LineId"])))
    assert len(right) == 2000
    assert not wrong, f"of {len(right)} lines, {dict(wrong)} are wrong"
    assert page.partial_reasons == ()
