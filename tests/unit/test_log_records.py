"""Lines put together to records: stack traces, container runtimes, names in front."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.frames import CriFrame, DockerFrame, Frame, NamedFrame, StampedFrame
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.adapters.logs.records import MOST_LINES, RawRecord, RecordAssembler
from groundwire.domain.levels import Level


def assemble(lines: Sequence[str], frame: Frame | None = None) -> list[RawRecord]:
    return _assembled(lines, frame)[0]


def _assembled(lines: Sequence[str], frame: Frame | None) -> tuple[list[RawRecord], RecordAssembler]:
    clock = FileClock(zone=UTC, latest=datetime(2026, 11, 12, 12, tzinfo=UTC))
    inner = [line if frame is None or (framed := frame.unwrap(line)) is None else framed.inner for line in lines]
    assembler = RecordAssembler(reader_for(inner, clock), frame, clock)
    records = [record for number, line in enumerate(lines, 1) if (record := assembler.feed(line, number)) is not None]
    return [*records, *assembler.finish()], assembler


JAVA = [
    "2026-11-12 09:00:00 ERROR [main] a.B: failed",
    "java.lang.IllegalStateException: boom",
    "\tat a.B.run(B.java:7)",
    "Caused by: java.sql.SQLException: no connection",
    "\t... 12 more",
    "2026-11-12 09:00:01 INFO [main] a.B: next",
]


def test_a_stack_trace_belongs_to_its_record() -> None:
    failed, following = assemble(JAVA)
    assert failed.read().message == "\n".join(["failed", *JAVA[1:5]])
    assert (following.read().message, following.line_number) == ("next", 6)


def test_what_stands_before_the_first_record_is_one_without_a_time() -> None:
    banner, *records = assemble(["  ___", " / _ \\ shop", "", *JAVA])
    assert banner.time is None
    assert [record.time is not None for record in records] == [True, True]


def test_a_body_of_json_inside_a_plain_record_is_no_record() -> None:
    records = assemble([*JAVA, '{"order": 5}', *JAVA])
    assert len(records) == 4
    assert records[1].text.endswith('{"order": 5}')


def test_a_record_is_bounded_and_says_that_it_was_cut() -> None:
    (record,) = assemble([JAVA[0], *["\tat a.B.run(B.java:7)"] * (MOST_LINES + 50)])
    assert record.is_cut
    assert record.text.count("\n") == MOST_LINES - 1


def test_lines_of_a_file_without_times_are_records_and_traces_stay_whole() -> None:
    records = assemble(
        [
            "starting",
            "Traceback (most recent call last):",
            '  File "a.py", line 1, in <module>',
            "ValueError: no",
            "stopped",
        ]
    )
    assert [record.text.splitlines()[0] for record in records] == ["starting", "stopped"]
    assert records[0].text.endswith("ValueError: no")


def cri(time: str, text: str, *, stream: str = "stdout", tag: str = "F") -> str:
    return f"2026-11-12T09:00:{time}Z {stream} {tag} {text}"


def test_the_time_of_the_container_runtime_wins_over_the_clock_inside() -> None:
    lines = [cri(f"0{n}.123456789", f"17:00:0{n}.120 WARN  a.B#75 late") for n in range(5)]
    records, assembler = _assembled(lines, CriFrame())
    reading = records[0].read()
    assert records[0].time == datetime(2026, 11, 12, 9, 0, 0, 123456, tzinfo=UTC)
    assert (reading.level, reading.message) == (Level.WARN, "late")
    assert reading.fields == {"logger": "a.B#75", "stream": "stdout", "app_time": "17:00:00.120"}
    assert assembler.skew.hours == 8


def test_clocks_that_agree_or_wander_are_no_skew() -> None:
    agreeing = [cri(f"0{n}.5", f"09:00:0{n}.500 INFO  a.B#75 x") for n in range(5)]
    wandering = [cri(f"0{n}.5", f"1{n}:00:00.500 INFO  a.B#75 x") for n in range(5)]
    assert _assembled(agreeing, CriFrame())[1].skew.hours is None
    assert _assembled(wandering, CriFrame())[1].skew.hours is None


def test_split_lines_are_joined() -> None:
    first, second = assemble(
        [
            cri("00.1", "09:00:00.100 INFO  a.B#1 one ", tag="P"),
            cri("00.2", "two ", tag="P"),
            cri("00.3", "three"),
            cri("01.0", "09:00:01.000 INFO  a.B#1 next"),
        ],
        CriFrame(),
    )
    assert first.read().message == "one two three"
    assert first.time == datetime(2026, 11, 12, 9, 0, 0, 100000, tzinfo=UTC)
    assert second.read().message == "next"


def test_a_trace_stays_with_its_stream_and_ends_after_a_pause() -> None:
    records = assemble(
        [
            cri("00.1", "09:00:00.100 ERROR a.B#1 failed", stream="stderr"),
            cri("00.2", "09:00:00.200 INFO  a.B#1 fine"),
            cri("00.3", "java.lang.IllegalStateException: boom", stream="stderr"),
            cri("00.4", "\tat a.B.run(B.java:7)", stream="stderr"),
            cri("30.0", "Killed by the watchdog", stream="stderr"),
            cri("31.0", "09:00:31.000 INFO  a.B#1 fine"),
        ],
        CriFrame(),
    )
    by_line = {record.line_number: record for record in records}
    assert by_line[1].read().message == "failed\njava.lang.IllegalStateException: boom\n\tat a.B.run(B.java:7)"
    assert by_line[5].read().message == "Killed by the watchdog"


def test_plain_prints_in_a_container_are_a_record_each() -> None:
    assert len(assemble([cri("00.1", "one"), cri("00.2", "two"), cri("00.3", "  indented")], CriFrame())) == 2


def test_docker_lines_are_unwrapped() -> None:
    lines = [
        json.dumps({"log": text, "stream": "stdout", "time": f"2026-11-12T09:00:0{n}.5Z"})
        for n, text in enumerate(['{"level":"error","msg":"a"}\n', '{"level":"info",', '"msg":"b"}\n'])
    ]
    first, second = assemble(lines, DockerFrame())
    assert (first.read().level, first.read().message) == (Level.ERROR, "a")
    assert (second.read().message, second.time) == ("b", datetime(2026, 11, 12, 9, 0, 1, 500000, tzinfo=UTC))


@pytest.mark.parametrize(
    ("line", "origin", "inner"),
    [
        ("order-service-1  | 2026-11-12 09:00:00 INFO a", "order-service-1", "2026-11-12 09:00:00 INFO a"),
        ("[pod/order-7d9f8c6b54-x2v4q/app] hello", "order-7d9f8c6b54-x2v4q", "hello"),
        ("nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO a", "nova-api.log.1.2017-05-16_13:53:08", None),
    ],
)
def test_a_name_in_front_is_taken_off(line: str, origin: str, inner: str | None) -> None:
    framed = NamedFrame().unwrap(line)
    assert framed is not None
    assert framed.origin == origin
    assert inner is None or framed.inner == inner


def test_columns_with_bars_are_no_names_in_front() -> None:
    assert NamedFrame().unwrap("2026-11-12 | 09:00:00 | INFO | a") is None


def test_times_that_kubectl_put_in_front_are_taken() -> None:
    framed = StampedFrame().unwrap("2026-11-12T09:00:00.123456789Z   at a.B.run")
    assert framed is not None
    assert framed.inner == "  at a.B.run"


def test_names_in_front_cannot_hold_endless_records_open() -> None:
    _, assembler = _assembled([f"c{n} | 2026-11-12 09:00:00 INFO a" for n in range(2000)], NamedFrame())
    assert sum(1 for _ in assembler.finish()) <= 260


def test_the_day_of_a_file_serves_times_of_day() -> None:
    clock = FileClock(zone=UTC, latest=datetime(2026, 11, 12, 12, tzinfo=UTC), day=date(2026, 11, 12))
    line = "09:00:00.100 INFO  a.B#1 fine"
    assembler = RecordAssembler(reader_for([line], clock), None, clock)
    assembler.feed(line, 1)
    (record,) = assembler.finish()
    assert record.time == datetime(2026, 11, 12, 9, 0, 0, 100000, tzinfo=UTC)
    assert clock.assumed_day


POSTGRES = """2026-11-12 09:00:00.123 UTC [71] shop@orders ERROR:  duplicate key value violates unique constraint "orders_pkey"
2026-11-12 09:00:00.123 UTC [71] shop@orders DETAIL:  Key (id)=(7) already exists.
2026-11-12 09:00:00.123 UTC [71] shop@orders STATEMENT:  insert into orders
\tvalues (7)
2026-11-12 09:00:00.200 UTC [72] shop@orders LOG:  duration: 9.1 ms""".split("\n")


def test_what_postgresql_says_about_an_error_belongs_to_it() -> None:
    failed, slow = assemble(POSTGRES)
    assert (failed.read().level, failed.read().message) == (
        Level.ERROR,
        'duplicate key value violates unique constraint "orders_pkey"\nDETAIL:  Key (id)=(7) already exists.\n'
        "STATEMENT:  insert into orders\n\tvalues (7)",
    )
    assert (slow.read().message, slow.line_number) == ("duration: 9.1 ms", 5)


def test_what_another_process_of_postgresql_says_does_not() -> None:
    assert len(assemble([POSTGRES[0], POSTGRES[1].replace("[71]", "[72]")])) == 2
    assert len(assemble(POSTGRES[1:2])) == 1


def test_a_container_of_postgresql_has_its_errors_whole_too() -> None:
    lines = [f"2026-11-12T09:00:00.{number}00000000Z stderr F {line}" for number, line in enumerate(POSTGRES)]
    assert [record.line_number for record in assemble(lines, CriFrame())] == [1, 5]


def test_details_to_no_end_are_bounded() -> None:
    (record,) = assemble([POSTGRES[0], *[POSTGRES[1]] * 1000])
    assert (len(record.more), record.is_cut) == (MOST_LINES - 1, True)
