"""JSON and logfmt lines as loggers write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.adapters.logs.lines import LINE_LIMIT
from groundwire.adapters.logs.reading import Reading
from groundwire.domain.levels import Level

NINE = datetime(2026, 11, 12, 9, 0, tzinfo=UTC)
EPOCH = 1794474000  # date -u -d 2026-11-12T09:00:00Z +%s


def read(line: str) -> tuple[datetime | None, Reading]:
    clock = FileClock(zone=UTC, latest=NINE)
    start = reader_for([line], clock).start(line, clock)
    assert start is not None
    return start.time, start.format.read(start.payload)


@pytest.mark.parametrize(
    ("fields", "level", "message", "service", "instance", "rest"),
    [
        pytest.param(
            {
                "@timestamp": "2026-11-12T09:00:00Z", "log.level": "error", "message": "m",
                "service": {"name": "s"}, "host": {"name": "h"},
            },
            Level.ERROR, "m", "s", "h", {}, id="ECS",
        ),
        pytest.param(
            {"level": 50, "time": EPOCH * 1000, "pid": 1, "hostname": "h", "name": "s", "msg": "m", "err": {"type": "E"}},
            Level.ERROR, "m", "s", "h", {"pid": 1, "err.type": "E"}, id="pino",
        ),
        pytest.param(
            {"level": "warn", "ts": EPOCH, "caller": "a.go:1", "msg": "m", "service": "s"},
            Level.WARN, "m", "s", None, {"caller": "a.go:1"}, id="zap",
        ),
        pytest.param(
            {"event": "m", "level": "info", "timestamp": "2026-11-12T09:00:00", "logger": "l"},
            Level.INFO, "m", None, None, {"logger": "l"}, id="structlog",
        ),
        pytest.param(
            {"@t": "2026-11-12T09:00:00.0000000Z", "@mt": "m {A}", "A": 1},
            Level.INFO, "m {A}", None, None, {"A": 1}, id="Serilog",
        ),
        pytest.param(
            {"@t": "2026-11-12T09:00:00Z", "@m": "m", "@l": "Fatal"}, Level.FATAL, "m", None, None, {}, id="Serilog with a level",
        ),
        pytest.param(
            {"version": "1.1", "host": "h", "short_message": "m", "timestamp": float(EPOCH), "level": 3},
            Level.ERROR, "m", None, "h", {"version": "1.1"}, id="GELF",
        ),
        pytest.param(
            {
                "MESSAGE": "m", "PRIORITY": "4", "SYSLOG_IDENTIFIER": "s", "_HOSTNAME": "h",
                "__REALTIME_TIMESTAMP": f"{EPOCH}000000",
            },
            Level.WARN, "m", "s", "h", {}, id="journald",
        ),
        pytest.param(
            {"t": {"$date": "2026-11-12T09:00:00.000+00:00"}, "s": "E", "c": "NETWORK", "msg": "m"},
            Level.ERROR, "m", None, None, {"s": "E", "c": "NETWORK"}, id="MongoDB",
        ),
        pytest.param(
            {"time": "2026-11-12T09:00:00Z", "log": "m\n", "kubernetes": {"labels": {"app": "s"}, "pod_name": "p"}},
            None, "m", "s", "p", {}, id="Fluent Bit on Kubernetes",
        ),
        pytest.param(
            {"asctime": "2026-11-12 09:00:00,000", "levelname": "CRITICAL", "message": "m"}, Level.CRITICAL, "m", None, None, {},
            id="python-json-logger",
        ),
    ],
)  # fmt: skip
def test_the_same_few_things_are_found_under_many_names(
    fields: Mapping[str, Any],
    level: Level | None,
    message: str,
    service: str | None,
    instance: str | None,
    rest: Mapping[str, Any],
) -> None:
    time, reading = read(json.dumps(fields))
    assert time == NINE
    assert (reading.level, reading.message, reading.service, reading.instance) == (level, message, service, instance)
    assert reading.fields == rest


def test_logfmt_is_read_with_its_quotes() -> None:
    time, reading = read(r'time=2026-11-12T09:00:00Z level=warn msg="cannot \"pay\"\nnow" service=payment took=5s')
    assert time == NINE
    assert (reading.level, reading.message, reading.service) == (Level.WARN, 'cannot "pay"\nnow', "payment")
    assert reading.fields == {"took": "5s"}


def test_a_json_line_without_a_message_is_its_own_message() -> None:
    line = '{"time":"2026-11-12T09:00:00Z","level":"error","code":7}'
    assert read(line)[1].message == line


def test_nan_does_not_make_a_line_unreadable() -> None:
    assert read('{"time":"2026-11-12T09:00:00Z","msg":"m","ratio":NaN}')[1].fields == {"ratio": "NaN"}


def test_half_a_surrogate_pair_does_not_make_a_line_unreadable() -> None:
    assert read(r'{"time":"2026-11-12T09:00:00Z","msg":"\ud83d cut"}')[1].message == "\ud83d cut"


KEYS = (
    "time",
    "ts",
    "@t",
    "level",
    "levelno",
    "severity",
    "PRIORITY",
    "s",
    "c",
    "msg",
    "event",
    "service",
    "host",
    "pid",
    "name",
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES | st.dictionaries(st.text(max_size=3), VALUES, max_size=2), max_size=6))
def test_no_value_of_a_known_key_is_one_too_strange(fields: dict[str, Any]) -> None:
    line = json.dumps(fields)
    clock = FileClock(zone=UTC, latest=NINE)
    start = reader_for([line], clock).start(line, clock)
    if start is not None:
        assert start.format.read(start.payload).message is not None


def test_a_line_whose_end_was_cut_away_keeps_its_time_and_level() -> None:
    line = ('{"time":"2026-11-12T09:00:00Z","level":"error","msg":"' + "x" * LINE_LIMIT)[:LINE_LIMIT]
    time, reading = read(line)
    assert (time, reading.level) == (NINE, Level.ERROR)


def test_deep_nesting_is_bounded() -> None:
    line = '{"time":"2026-11-12T09:00:00Z","msg":"m","a":' + '{"b":' * 300 + "1" + "}" * 301
    assert read(line)[1].message == "m"


@pytest.mark.parametrize("line", ["{}", "{not json}", "[1, 2]", "a=b", "x=1 y=2"])
def test_what_only_looks_structured_is_plain_text(line: str) -> None:
    clock = FileClock(zone=UTC, latest=NINE)
    assert reader_for([line], clock).start(line, clock) is None
