"""Rewrites logs in columns as JSON lines: CSV with a header, PostgreSQL's csvlog without one, and W3C extended (IIS).

Sources:
    RFC 4180; PostgreSQL "Using CSV-Format Log Output"; W3C "Extended Log File Format"; PowerShell's ``Export-Csv`` of
    ``Get-WinEvent``; Event Viewer's "Save as CSV".
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from groundwire.adapters.logs.lines import LINE_LIMIT
from groundwire.adapters.logs.plain_format import ZONES

_POSTGRES: Final = re.compile(
    rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [\w/+-]{1,40},(?:\"[^\"\n]{0,100}\")?,(?:\"[^\"\n]{0,100}\")?,\d{1,10},"
)
# "client_application" and not "application_name": it names who asked, not who writes this log.
_POSTGRES_COLUMNS: Final = (
    "time user database pid client session session_line command session_start virtual_transaction transaction level state_code "
    "message detail hint internal_query internal_query_at context query query_at location client_application backend_type "
    "leader_pid query_id"
).split()
_TIME_COLUMNS: Final = frozenset(
    ["date and time", *"@timestamp timestamp time datetime date ts timecreated eventtime event_time log_time".split()]
)
_OTHER_COLUMNS: Final = frozenset("message msg level severity leveldisplayname log_level body text".split())
_RENAMED: Final = {
    "Date and Time": "time",
    "Event ID": "event_id",
    "Task Category": "task",
    "Source": "program",
    "ProviderName": "program",
}
_MOST_LINES: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvLayout:
    """Values between delimiters, by the names of ``columns``; a record may go over several lines inside quotation marks."""

    name: str
    columns: tuple[str, ...]
    delimiter: str = ","
    has_header: bool = True
    can_seek: bool = False

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a JSON line for each record, with as many empty lines behind it as keep the numbers of lines."""
        waits_for_header = self.has_header
        for lines in _whole_records(chunks):
            rewritten = []
            for text, count in lines:
                if waits_for_header or text.startswith(b"#TYPE "):
                    waits_for_header = text.startswith(b"#TYPE ")
                    rewritten.append(b"\n" * count)
                else:
                    rewritten.append(self._json(text) + b"\n" * count)
            yield b"".join(rewritten)

    def _json(self, record: bytes) -> bytes:
        text = record.decode("utf-8", "backslashreplace")
        try:
            values = next(csv.reader([text], delimiter=self.delimiter), [])
        except csv.Error:
            return record.replace(b"\n", b" ")
        if len(values) < 2:
            return record.replace(b"\n", b" ")
        fields = dict(zip(self.columns, values, strict=False))
        if len(values) == len(self.columns) + 1:
            fields["message"] = values[-1]  # Event Viewer gives the last column no name
        return orjson.dumps(_timed({name: value for name, value in fields.items() if value != ""}))


@dataclass(frozen=True, slots=True, kw_only=True)
class W3cLayout:
    """Values between spaces, by the names of the last ``#Fields:`` line; ``columns`` are those of the first."""

    columns: tuple[str, ...]
    name: str = "W3C extended"
    can_seek: bool = True

    def rewrite(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a JSON line for each record, and an empty one for each directive."""
        columns: Sequence[str] = self.columns
        for lines in _lines(chunks):
            rewritten = []
            for line in lines:
                if line.startswith(b"#"):
                    columns = _w3c_columns(line) or columns
                    rewritten.append(b"")
                else:
                    rewritten.append(_w3c_json(line, columns))
            yield b"\n".join(rewritten) + b"\n"


def find_table(head: bytes) -> CsvLayout | W3cLayout | None:
    """Return how a file that starts so is laid out in columns; None for one that is not."""
    if _POSTGRES.match(head):
        return CsvLayout(name="csvlog", columns=tuple(_POSTGRES_COLUMNS), has_header=False, can_seek=True)
    if head.startswith(b"#"):
        fields = re.search(rb"^#Fields:.*$", head[:4096], re.MULTILINE)
        columns = _w3c_columns(fields[0]) if fields else []
        if {"date", "time"} <= set(columns):
            return W3cLayout(columns=tuple(columns))
    return _find_csv(head)


def _find_csv(head: bytes) -> CsvLayout | None:
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 2)
    header = lines[1] if lines[0].startswith(b"#TYPE ") and len(lines) > 1 else lines[0]
    if len(header) > 4096 or b"\0" in header:
        return None
    text = header.decode("utf-8", "replace").strip()
    delimiter = max(",;\t", key=text.count)
    if text.count(delimiter) < 1:
        return None
    names = next(csv.reader([text], delimiter=delimiter), [])
    known = {name.strip().casefold() for name in names}
    if not (known & _TIME_COLUMNS and known & _OTHER_COLUMNS) or any(not name.strip() or len(name) > 60 for name in names):
        return None
    is_windows = "Event ID" in names or "ProviderName" in names
    columns = [_RENAMED.get(name.strip(), name.strip()) if is_windows else name.strip() for name in names]
    return CsvLayout(name="CSV", columns=tuple(columns), delimiter=delimiter)


def _timed(fields: dict[str, str]) -> Mapping[str, str]:
    day = fields.get("date") or fields.get("Date")
    clock = fields.get("time") or fields.get("Time")
    if day and clock and len(clock) < 20 and ":" in clock:
        fields.pop("Date", None)
        fields.pop("date", None)
        fields["time"] = f"{day} {clock}"
    stamp, _, zone = fields.get("time", "").rpartition(" ")
    if stamp and zone in ZONES:
        fields["time"] = stamp + ZONES[zone]
    return fields


def _w3c_columns(line: bytes) -> list[str]:
    return line.decode("ascii", "replace").split()[1:] if line.startswith(b"#Fields:") else []


def _w3c_json(line: bytes, columns: Sequence[str]) -> bytes:
    values = line.decode("utf-8", "backslashreplace").rstrip("\r").split(" ")
    if len(values) != len(columns):
        return line  # its own time is found, its fields are not
    fields = {name: value for name, value in zip(columns, values, strict=True) if value != "-"}
    # The format is in UTC unless the server was told to write local time, which it does not say.
    stamp = f"{fields.pop('date', '')}T{fields.pop('time', '')}Z"
    named = {"timestamp": stamp, "message": " ".join(values[2:])}
    for name, column in (("status", "sc-status"), ("method", "cs-method"), ("path", "cs-uri-stem"), ("client", "c-ip")):
        if column in fields:
            named[name] = fields.pop(column)
    return orjson.dumps(named | fields)


def _lines(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    carry = b""
    for chunk in chunks:
        *lines, carry = (carry + chunk).split(b"\n")
        carry = carry[: LINE_LIMIT * 4]
        yield lines
    if carry:
        yield [carry]


def _whole_records(chunks: Iterable[bytes]) -> Iterator[list[tuple[bytes, int]]]:
    """Yield records with the number of lines that each takes: lines are joined until their quotation marks are even."""
    pending: list[bytes] = []
    marks = size = 0
    for lines in _lines(chunks):
        records = []
        for line in lines:
            pending.append(line.rstrip(b"\r"))
            marks += line.count(b'"')
            size += len(line)
            if marks % 2 == 0 or len(pending) >= _MOST_LINES or size > LINE_LIMIT * 4:
                records.append((b"\n".join(pending), len(pending)))
                pending, marks, size = [], 0, 0
        yield records
    if pending:
        yield [(b"\n".join(pending), len(pending))]
