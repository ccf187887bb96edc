"""The raw log files, read by the benchmark's own means: what a claim about a record is judged by."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

SEVERITY = ("TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "CRITICAL", "FATAL")
_POD = re.compile(r"(?P<service>.+)-[a-z0-9]{8,10}-[a-z0-9]{5}$")
_SPRING = re.compile(r"(\S+Z) +(\w+) 1 --- \[([\w-]+)\] \[[^\]]*\] (\S+) +: (.*)$")
_CRI = re.compile(r"(\S+Z) std(?:out|err) F \d\d:\d\d:\d\d\.\d{3} (\w+) +(\S+) (.*)$")
_LOGFMT = re.compile(r'(\w+)=("[^"]*"|\S+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of a raw file; ``line`` counts from 1."""

    file: str
    line: int
    at: datetime
    level: str | None
    service: str
    instance: str | None
    message: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Message and fields as one text, for patterns."""
        return self.message + "".join(f" {name}={value}" for name, value in self.fields.items())

    @property
    def first_line(self) -> str:
        return self.message.partition("\n")[0]


@lru_cache(maxsize=64)
def read_logs(path: Path) -> tuple[Record, ...]:
    """Return the records of a file, or of all files of a folder, oldest first."""
    files = [path] if path.is_file() else sorted(item for item in path.iterdir() if item.suffix == ".log")
    records = [record for file in files for record in _read_file(file)]
    return tuple(sorted(records, key=lambda record: record.at))


def _read_file(path: Path) -> Iterator[Record]:
    pod = _POD.match(path.stem)
    service, instance = (pod["service"], path.stem) if pod else (path.stem, None)
    for number, head, rest in _heads(path.read_text(errors="replace").splitlines()):
        read = _parse(head)
        if read is None:
            continue
        at, level, own_service, message, fields = read
        yield Record(
            file=path.name,
            line=number,
            at=at,
            level=_level(level),
            service=own_service or service,
            instance=instance,
            message="\n".join([message, *rest]),
            fields=fields,
        )


_Parsed = tuple[datetime, str, str | None, str, Mapping[str, str]]


def _heads(lines: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (line number, first line, the lines of its stack trace)."""
    current: tuple[int, str, list[str]] | None = None
    for number, line in enumerate(lines, start=1):
        if current is not None and _parse(line) is None:
            current[2].append(line)
            continue
        if current is not None:
            yield current
        current = (number, line, [])
    if current is not None:
        yield current


@lru_cache(maxsize=200_000)
def _parse(line: str) -> _Parsed | None:
    if line.startswith("{"):
        return _parse_json(line)
    if line.startswith("time="):
        pairs = {name: value.strip('"') for name, value in _LOGFMT.findall(line)}
        at, level, message, service = (pairs.pop(name) for name in ("time", "level", "msg", "service"))
        return _moment(at), level, service, message, pairs
    spring = _SPRING.match(line)
    if spring:
        return _moment(spring[1]), spring[2], spring[3], spring[5], {"logger": spring[4]}
    cri = _CRI.match(line)
    return (_moment(cri[1]), cri[2], None, cri[4], {"logger": cri[3]}) if cri else None


def _parse_json(line: str) -> _Parsed:
    item = json.loads(line)
    at = _moment(item.pop("time")) if "time" in item else datetime.fromtimestamp(item.pop("ts"), UTC)
    level, service, message = item.pop("level"), item.pop("service"), item.pop("msg")
    return at, level, service, message, {name: str(value) for name, value in item.items()}


def _moment(text: str) -> datetime:
    whole, _, fraction = text.rstrip("Z").partition(".")
    return datetime.fromisoformat(f"{whole}.{fraction[:6]:0<6}+00:00")


def _level(word: str) -> str | None:
    upper = word.upper()
    return "WARN" if upper == "WARNING" else upper


# --- eight systems' logs: the table of the right answers beside each file is read instead of its lines


def read_system(table: Path, service: str) -> tuple[Record, ...]:
    """Return the records that the ``_structured.csv`` beside a log lists."""
    name = table.name.partition("_2k")[0]
    with table.open(newline="", errors="replace") as rows:
        records = [_system_record(name, service, row) for row in csv.DictReader(rows)]
    return tuple(sorted(records, key=lambda record: record.at))


def _system_record(name: str, service: str, row: Mapping[str, str]) -> Record:
    level = None if name in {"Linux", "OpenSSH"} else _level(row["Level"])
    if name == "OpenStack":
        service = row["Logrecord"].partition(".log")[0]
    return Record(
        file=f"{service}.log" if name != "OpenStack" else "openstack.log",
        line=int(row["LineId"]),
        at=_SYSTEM_CLOCKS[name](row),
        level=level,
        service=service,
        instance=None,
        message=row["Content"],
    )


def _clock(pattern: str, *columns: str) -> Callable[[Mapping[str, str]], datetime]:
    return lambda row: datetime.strptime(" ".join(row[column] for column in columns), pattern).replace(tzinfo=UTC)


def _clock_without_year(*columns: str) -> Callable[[Mapping[str, str]], datetime]:
    def read(row: Mapping[str, str]) -> datetime:
        text = " ".join(["2025", *(row[column] for column in columns)])
        return datetime.strptime(text, "%Y %b %d %H:%M:%S").replace(tzinfo=UTC)

    return read


_SYSTEM_CLOCKS: Mapping[str, Callable[[Mapping[str, str]], datetime]] = {
    "Apache": _clock("%a %b %d %H:%M:%S %Y", "Time"),
    "HDFS": _clock("%y%m%d %H%M%S", "Date", "Time"),
    "Hadoop": _clock("%Y-%m-%d %H:%M:%S,%f", "Date", "Time"),
    "Zookeeper": _clock("%Y-%m-%d %H:%M:%S,%f", "Date", "Time"),
    "OpenStack": _clock("%Y-%m-%d %H:%M:%S.%f", "Date", "Time"),
    "Spark": _clock("%y/%m/%d %H:%M:%S", "Date", "Time"),
    "Linux": _clock_without_year("Month", "Date", "Time"),
    "OpenSSH": _clock_without_year("Date", "Day", "Time"),
}
