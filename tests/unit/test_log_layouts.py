"""Files whose records are not lines of their own: tables, events, documents. Each record stands on the line that it starts on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.layouts import find_layout
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.domain.levels import Level

CSVLOG = b'''2026-11-12 10:47:30.123 CET,"shop","orders",71,"10.0.0.7:4711",6501,2,"",2026-11-12 09:40:00 CET,3/12,0,ERROR,42P01,\
"no ""a""",,,,,,"select *
from a
where b = 1",15,,"psql","client backend",,0
2026-11-12 10:47:31.000 CET,,,72,,6502.48,1,,2026-11-12 10:40:00 CET,,0,LOG,00000,\
"checkpoint starting: time",,,,,,,,,"","checkpointer",,0
'''
IIS = b"""#Software: Microsoft Internet Information Services 10.0
#Date: 2026-11-12 09:00:00
#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query c-ip sc-status time-taken
2026-11-12 09:47:30 10.0.0.1 GET /orders id=7 10.0.0.7 503 15
#Fields: date time cs-method cs-uri-stem sc-status
2026-11-12 09:47:31 POST /pay 200
"""
EVENT = b"""<Event xmlns='http://schemas/event'><System><Provider Name='Service Control Manager'/>\
<EventID Qualifiers='49152'>7031</EventID><Level>2</Level><TimeCreated SystemTime='2026-11-12T09:47:30.1234567Z'/>\
<EventRecordID>12</EventRecordID><Channel>System</Channel>\
<Computer>web1</Computer></System>\
<EventData><Data Name='param1'>Orders</Data>\
<Data Name='param2'>1</Data></EventData>%s</Event>"""
RENDERED = b"<RenderingInfo><Message>It stopped.\nTwice.</Message></RenderingInfo>"
EVENTS = b'<?xml version="1.0" encoding="utf-8"?>\n<Events>' + EVENT % b"" + EVENT % RENDERED + b"</Events>"
EXPORT = (
    b"__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1794476850123456\nPRIORITY=3\nSYSLOG_IDENTIFIER=orders\n_HOSTNAME=web1\nMESSAGE\n"
    + (12).to_bytes(8, "little")
    + b"one\n\ntwo \xff x\n_PID=71\n\n__CURSOR=s=1;i=3\n__REALTIME_TIMESTAMP=1794476851000000\nPRIORITY=6\nMESSAGE=a=b\n\n"
)
PRETTY = b"""{
  "time": "2026-11-12T09:47:30.123Z",
  "level": "error",
  "msg": "a } and a \\" in it",
  "more": {"n": [{"deep": 1}]}
}
plain text between
{"time": "2026-11-12T09:47:31Z", "level": "info", "msg": "on one line"}
"""
EXPORT_CSV = b'''#TYPE System.Diagnostics.Eventing.Reader.EventLogRecord
"Message","Id","ProviderName","MachineName","LevelDisplayName","TimeCreated"
"It stopped,
""twice""","7031","Service Control Manager","web1","Error","11/12/2026 9:47:30 AM"
'''
VIEWER_CSV = b"""Level,Date and Time,Source,Event ID,Task Category
Error,11/12/2026 9:47:30 PM,Service Control Manager,7031,None,"It stopped,
twice."
"""
POWERSHELL = b"""[
  {"Id": 7031, "Level": 2, "LevelDisplayName": null, "ProviderName": "SCM", "TimeCreated": "\\/Date(1794476850123)\\/",\
"Message": "x"},
  {"Id": 7032, "Level": 3, "ProviderName": "SCM", "TimeCreated": "2026-11-12T10:47:31+01:00", "Message": "y"}
]
"""
EVTX = b"""[{
"Event": {"System": {"Provider": {"#attributes": {"Name": "SCM"}}, "Level": 1, "Computer": "web1",
"TimeCreated": {"#attributes": {"SystemTime": "2026-11-12T09:47:30.123Z"}}}, "EventData": {"param1": "Orders"}}}]
"""
ZEEK = b"""#separator \\x09
#set_separator\t,
#empty_field\t(empty)
#unset_field\t-
#path\thttp
#open\t2026-11-12-09-00-00
#fields\tts\tuid\tid.orig_h\tmethod\thost\turi\tstatus_code\ttags
#types\ttime\tstring\taddr\tstring\tstring\tstring\tcount\tset[enum]
1794476850.123456\tCHhAvV\t10.0.0.7\tGET\tshop.example\t/a\t503\t(empty)
#close\t2026-11-12-10-00-00
"""
BY_NAME = {
    "csvlog": CSVLOG, "W3C": IIS, "XML": EVENTS, "export": EXPORT, "pretty JSON": PRETTY, "Export-Csv": EXPORT_CSV,
    "Event Viewer": VIEWER_CSV, "array": POWERSHELL, "evtx": EVTX, "Zeek": ZEEK,
}  # fmt: skip


def lines_of(data: bytes, sizes: list[int] | None = None) -> list[bytes]:
    layout = find_layout(data)
    assert layout is not None

    def chunks() -> Iterator[bytes]:
        at = 0
        for size in sizes or []:
            yield data[at : at + size]
            at += size
        yield data[at:]

    return b"".join(layout.rewrite(chunks())).split(b"\n")


def records_of(data: bytes) -> list[tuple[int, str | None, Level | None, str, dict[str, Any]]]:
    """Return the line, time, level, message and fields of each record."""
    clock = FileClock(zone=UTC, latest=datetime(2026, 11, 12, 12, tzinfo=UTC))
    lines = [line.decode() for line in lines_of(data)]
    reader = reader_for(lines, clock)
    found = []
    for number, line in enumerate(lines, start=1):
        start = reader.start(line, clock)
        if start is not None:
            reading = start.format.read(start.payload)
            time = None if start.time is None else start.time.replace(tzinfo=None).isoformat()
            names = {"service": reading.service, "instance": reading.instance}
            fields = {name: value for name, value in (reading.fields | names).items() if value is not None}
            found.append((number, time, reading.level, reading.message, fields))
    return found


def test_postgres_csvlog_has_its_columns_by_name_and_whole_statements() -> None:
    first, second = records_of(CSVLOG)
    assert first[:4] == (1, "2026-11-12T09:47:30.123000", Level.ERROR, 'no "a"')
    assert first[4]["query"] == "select *\nfrom a\nwhere b = 1"
    assert (first[4]["database"], first[4]["pid"], first[4]["state_code"]) == ("orders", "71", "42P01")
    assert "service" not in first[4]  # psql asked, it did not write
    assert second[:4] == (4, "2026-11-12T09:47:31", Level.INFO, "checkpoint starting: time")


def test_iis_is_read_by_the_fields_that_were_named_last() -> None:
    first, second = records_of(IIS)
    assert first[:4] == (4, "2026-11-12T09:47:30", None, "10.0.0.1 GET /orders id=7 10.0.0.7 503 15")
    assert first[4] == {
        "status": "503",
        "method": "GET",
        "path": "/orders",
        "client": "10.0.0.7",
        "s-ip": "10.0.0.1",
        "cs-uri-query": "id=7",
        "time-taken": "15",
    }
    assert second == (6, "2026-11-12T09:47:31", None, "POST /pay 200", {"status": "200", "method": "POST", "path": "/pay"})


def test_zeek_has_its_columns_and_those_of_the_traffic_name_nobody_here() -> None:
    (record,) = records_of(ZEEK)
    assert record == (
        9,
        "2026-11-12T09:47:30.123456",
        None,
        "CHhAvV 10.0.0.7 GET shop.example /a 503 (empty)",
        {
            "uid": "CHhAvV",
            "id.orig_h": "10.0.0.7",
            "method": "GET",
            "http_host": "shop.example",
            "uri": "/a",
            "status_code": "503",
        },
    )


def test_windows_events_in_xml_have_their_message_or_their_data() -> None:
    first, second = records_of(EVENTS)
    fields = {
        "event_id": "7031",
        "channel": "System",
        "record_id": "12",
        "param1": "Orders",
        "param2": "1",
        "service": "Service Control Manager",
        "instance": "web1",
    }
    assert first == (2, "2026-11-12T09:47:30.123456", Level.ERROR, "event 7031: param1=Orders, param2=1", fields)
    assert second[1:4] == ("2026-11-12T09:47:30.123456", Level.ERROR, "It stopped.\nTwice.")


def test_an_event_cannot_make_the_parser_expand_anything() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa">]>'
    assert find_layout(bomb + EVENT % b"") is None
    assert lines_of(EVENT % b"<x>&a;</x>")[0].startswith(b"<Event ")  # it is kept as it stands


def test_journald_export_has_fields_of_several_lines_and_bytes_that_are_no_text() -> None:
    first, second = records_of(EXPORT)
    assert first[:4] == (1, "2026-11-12T09:47:30.123456", Level.ERROR, "one\n\ntwo \\xff x")
    assert (first[4]["service"], first[4]["instance"], first[4]["_PID"]) == ("orders", "web1", "71")
    assert second[1:4] == ("2026-11-12T09:47:31", Level.INFO, "a=b")


def test_pretty_printed_json_is_one_record_and_what_stands_between_is_kept() -> None:
    first, *_, last = records_of(PRETTY)
    assert first[:4] == (1, "2026-11-12T09:47:30.123000", Level.ERROR, 'a } and a " in it')
    assert first[4] == {"more.n": [{"deep": 1}]}
    assert last[:4] == (8, "2026-11-12T09:47:31", Level.INFO, "on one line")
    assert b"plain text between" in lines_of(PRETTY)


@pytest.mark.parametrize(("data", "time"), [(EXPORT_CSV, "2026-11-12T09:47:30"), (VIEWER_CSV, "2026-11-12T21:47:30")])
def test_windows_events_in_csv_are_read(data: bytes, time: str) -> None:
    (record,) = records_of(data)
    assert record[1:3] == (time, Level.ERROR)
    assert record[3].startswith("It stopped,\n")
    assert record[4]["service"] == "Service Control Manager"


def test_windows_events_in_json_have_the_levels_of_windows() -> None:
    assert [record[:4] for record in records_of(POWERSHELL)] == [
        (2, "2026-11-12T09:47:30.123000", Level.ERROR, "x"),
        (3, "2026-11-12T09:47:31", Level.WARN, "y"),
    ]
    (event,) = records_of(EVTX)
    assert event[:3] == (1, "2026-11-12T09:47:30.123000", Level.CRITICAL)
    assert event[4]["instance"] == "web1"


def test_an_array_on_one_line_is_a_record_for_each_object() -> None:
    data = b'[{"time":"2026-11-12T09:47:30Z","msg":"a"},\n{"time":"2026-11-12T09:47:31Z","msg":"b"}\n'
    assert [record[3] for record in records_of(b"[" + data[1:].replace(b",\n", b", ").rstrip() + b"]")] == ["a", "b"]


@pytest.mark.parametrize("data", BY_NAME.values(), ids=BY_NAME)
@given(sizes=st.lists(st.integers(1, 400), max_size=8))
def test_it_does_not_matter_how_the_bytes_arrive(data: bytes, sizes: list[int]) -> None:
    assert [line for line in lines_of(data, sizes) if line] == [line for line in lines_of(data) if line]


@pytest.mark.parametrize(
    "head",
    [
        b"2026-11-12 09:00:00 INFO a\n",
        b"[2026-11-12 09:00:00] INFO a\n",
        b'{"time":"2026-11-12T09:00:00Z","msg":"a"}\n{"time":"2026-11-12T09:00:00Z",\n',
        b"name,price\na,1\n",
        b"time,price\n2026-11-12,1\n",
        b"# a comment\n",
        b"<html><body>Event</body></html>",
        b"{ this is no JSON }\n",
        b"a message, at some time, with commas\n",
        b"",
    ],
)
def test_other_files_are_left_as_they_are(head: bytes) -> None:
    assert find_layout(head) is None


@given(st.binary(max_size=300))
def test_any_bytes_behind_a_start_are_read_or_left_alone(rest: bytes) -> None:
    for data in BY_NAME.values():
        layout = find_layout(data)
        assert layout is not None
        b"".join(layout.rewrite([data, rest, data]))


@pytest.mark.parametrize("data", BY_NAME.values(), ids=BY_NAME)
def test_a_record_that_never_ends_is_bounded(data: bytes) -> None:
    layout = find_layout(data)
    assert layout is not None
    endless = [b'{"a": "', b"<Event ", b'"', b"MESSAGE\n" + (1 << 40).to_bytes(8, "little")]
    chunks = [data, *endless, *[b"x" * (1 << 20)] * 24]
    assert sum(len(piece) for piece in layout.rewrite(chunks)) < 40 << 20


def test_what_one_layout_gives_out_is_json_lines() -> None:
    for line in lines_of(CSVLOG):
        if line:
            json.loads(line)
