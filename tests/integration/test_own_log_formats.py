"""Line formats that a user adds in the settings file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from groundwire.adapters.logs.clock import FileClock
from groundwire.adapters.logs.line_reader import reader_for
from groundwire.adapters.logs.reading import LineFormat, Reading
from groundwire.domain.errors import UsageError
from groundwire.domain.levels import Level
from groundwire.settings import load_settings

pytest.importorskip("re2", reason="formats of one's own need the extra patterns")

from groundwire.adapters.logs.own_formats import own_format
from groundwire.bootstrap.sources import Sources

TILL = r"(?P<time>\d\d/\d\d/\d{4} \S+) (?P<level>\w)/(?P<service>\w+)@(?P<instance>\w+) till=(?P<till>\d+): (?P<message>.*)"
LATEST = datetime(2026, 11, 12, 12, tzinfo=UTC)


def read(own: LineFormat, line: str, clock: FileClock | None = None) -> tuple[datetime | None, Reading]:
    clock = clock or FileClock(zone=UTC, latest=LATEST)
    start = reader_for([line], clock, [own]).start(line, clock)
    assert start is not None
    assert start.format is own
    return start.time, start.format.read(start.payload)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_groups_are_what_they_are_called_and_the_others_are_fields() -> None:
    clock = FileClock(zone=ZoneInfo("Europe/Berlin"), latest=LATEST)
    time, reading = read(own_format("till", TILL, "%d/%m/%Y %H:%M:%S"), "12/11/2026 09:47:30 E/orders@web1 till=7: empty", clock)
    assert time == at("2026-11-12T08:47:30")
    assert reading == Reading(level=Level.ERROR, message="empty", service="orders", instance="web1", fields={"till": "7"})


@pytest.mark.parametrize(
    ("text", "time_format", "time"),
    [
        ("2026-11-12T09:47:30.5+01:00", None, "2026-11-12T08:47:30.500000"),
        ("12-Nov-2026_09:47:30", "%d-%b-%Y_%H:%M:%S", "2026-11-12T09:47:30"),
        ("26-11-12_09:47:30.123456789", "%y-%m-%d_%H:%M:%S.%f", "2026-11-12T09:47:30.123456"),
        ("2026-11-12_09:47:30_+0530", "%Y-%m-%d_%H:%M:%S_%z", "2026-11-12T04:17:30"),
        ("31.12._23:59:59", "%d.%m._%H:%M:%S", "2025-12-31T23:59:59"),
        ("29.02._23:59:59", "%d.%m._%H:%M:%S", "2024-02-29T23:59:59"),
        ("1794476850123", "epoch", "2026-11-12T09:47:30.123000"),
        ("09h47", "%Hh%M", "2026-11-12T09:47:00"),
    ],
)
def test_times_are_read_as_they_are_said_to_be_written(text: str, time_format: str | None, time: str) -> None:
    clock = FileClock(zone=UTC, latest=LATEST, day=date(2026, 11, 12))
    own = own_format("x", r"#(?P<time>\S+) (?P<message>.*)", time_format)
    assert read(own, f"#{text} empty", clock)[0] == at(time)


def test_a_line_whose_time_cannot_be_read_is_left_to_the_known_formats() -> None:
    own = own_format("x", r"(?P<time>\S+ \S+) (?P<message>.*)", "%d/%m/%Y %H:%M:%S")
    clock = FileClock(zone=UTC, latest=LATEST)
    line = "2026-11-12 09:47:30 ERROR empty"
    start = reader_for([line], clock, [own]).start(line, clock)
    assert start is not None
    assert (start.format.name, start.time) == ("iso", at("2026-11-12T09:47:30"))


def test_no_pattern_takes_longer_than_the_line_is_long() -> None:
    own = own_format("x", r"(?P<time>(?:(?:a|a)*)*)b(?P<message>(.*)*)\z", None)
    clock = FileClock(zone=UTC, latest=LATEST)
    assert own.start("a" * 1_000_000, clock) is None  # with the standard library's engine this does not end


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("pattern = '(?P<time>'", "log_formats 'x' cannot be used: the pattern is none that RE2 takes (missing ): (?P<time>)"),
        (r"pattern = '(?P<time>\S+)(?=a)'", "(invalid perl operator: (?=)"),
        (r"pattern = '(\S+) (.*)'", "the pattern needs a group (?P<time>...)"),
        (r"""pattern = '(?P<time>\S+)'
time_format = '%Q'""", "the time format '%Q' is none that can be read"),
        (r"""pattern = '(?P<time>\S+)'
time_format = '%Y-%m-%d'""", "says no time of day; it takes %H and %M"),
    ],
)  # fmt: skip
def test_a_format_that_cannot_be_used_is_said_before_anything_is_read(tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "groundwire.toml").write_text(f'logs = ["."]\n[[log_formats]]\nname = "x"\n{table}\n')
    with pytest.raises(UsageError) as caught:
        Sources(load_settings({}, config=tmp_path / "groundwire.toml", environ={}))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("log_formats = 3", "it takes tables such as"),
        ('[[log_formats]]\nname = "x"', "entry 1, pattern: Field required"),
        ("[[log_formats]]\nname = \"a b\"\npattern = 'x'", "entry 1, name: "),
        ("[[log_formats]]\nname = \"x\"\npattern = 'x'\nzone = 'UTC'", "entry 1, zone: Extra inputs are not permitted"),
        ('[[log_formats]]\nname = "x"\npattern = 7', "entry 1, pattern: Input should be a valid string"),
    ],
)
def test_a_table_that_does_not_fit_says_which_entry_and_key(tmp_path: Path, table: str, said: str) -> None:
    (tmp_path / "groundwire.toml").write_text(table + "\n")
    with pytest.raises(UsageError) as caught:
        load_settings({}, config=tmp_path / "groundwire.toml", environ={})
    assert said in str(caught.value)


def test_a_format_of_the_settings_file_is_used_by_a_call(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "tills.log").write_text("12/11/2026 09:47:30 E/orders@web1 till=7: empty\n  at the counter\n" * 2)
    (tmp_path / "groundwire.toml").write_text(
        f"logs = ['logs']\n[[log_formats]]\nname = 'till'\npattern = '{TILL}'\ntime_format = '%d/%m/%Y %H:%M:%S'\n"
    )
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}
    words = [
        "call",
        "query_logs",
        "--params",
        '{"service": "orders"}',
        "--since",
        "2026-11-12T09:00Z",
        "--until",
        "2026-11-12T10:00Z",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", *words, "--db", str(tmp_path / "x.db"), "--json"],
        cwd=tmp_path, env=environ, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    logs = json.loads(done.stdout)["output"]["logs"]
    assert [(log["level"], log["message"], log["fields"]) for log in logs] == [
        ("ERROR", "empty\n  at the counter", {"till": "7"})
    ] * 2
