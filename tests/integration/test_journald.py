"""The systemd journal: what its command is asked, what its entries mean, and every way in which it fails."""

from __future__ import annotations

import gzip
import json
import shutil
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.logs import journald_command
from groundwire.adapters.logs.command_lines import CommandLines
from groundwire.adapters.logs.journald import JournaldLogs
from groundwire.bootstrap import build
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, BackendUnavailableError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.settings import load_settings
from tests.integration.processes import miss
from tests.journal import FakeJournal, entry, put_on_path

TEN = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=TEN, end=TEN + timedelta(minutes=5))
RECORDED = Path(__file__).parent.parent / "fixtures" / "journald" / "system.journal.gz"
CHECKOUT = {"_SYSTEMD_UNIT": "checkout.service", "SYSLOG_IDENTIFIER": "java", "_TRANSPORT": "stdout", "PRIORITY": "6"}


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeJournal:
    return put_on_path(tmp_path / "bin", monkeypatch)


def search(
    source: JournaldLogs,
    query: str = "",
    *,
    service: str | None = None,
    min_level: Level | None = None,
    window: TimeWindow = WINDOW,
    within_s: float = 20,
) -> LogPage:
    request = LogRequest(
        query=parse_log_query(query),
        service=service,
        min_level=min_level,
        window=window,
        limit=50,
        deadline=Deadline.after(within_s),
    )
    return source.search(request)


def at(seconds: float, message: Any, **fields: Any) -> dict[str, Any]:
    return entry(TEN + timedelta(seconds=seconds), message, **fields)


# What it is asked


def test_the_window_is_asked_for_in_whole_seconds_since_1970_and_kept_to_the_microsecond(journal: FakeJournal) -> None:
    journal.tell(at(0.4, "before"), at(0.5, "first"), at(59.9, "last"), at(60, "after"))
    window = TimeWindow(start=TEN + timedelta(seconds=0.5), end=TEN + timedelta(seconds=60))
    page = search(JournaldLogs("host", None), window=window)
    assert [record.message for record in page.records] == ["last", "first"]
    entries = next(args for args in journal.asked if "--output=json" in args)
    # 2026-11-12 10:00:00 UTC, by hand: 20,769 days and 10 hours.
    assert entries == ["--no-pager", "--output=json", "--all", "--reverse", "--since=@1794477600", "--until=@1794477660"]


def test_a_folder_is_one_argument_of_a_fixed_option(journal: FakeJournal, tmp_path: Path) -> None:
    journal.tell(at(1, "x"))
    search(JournaldLogs("saved", Path("-D /etc; --vacuum-size=1")))
    assert {args[1] for args in journal.asked} == {"--directory=-D /etc; --vacuum-size=1"}


@pytest.mark.parametrize("service", ["--vacuum-time=1s", "-D", "x; rm -rf /", "CHECKOUT.service\n--rotate", "+", "_UID=0"])
def test_no_word_of_a_question_reaches_the_command_line(journal: FakeJournal, service: str) -> None:
    journal.tell(at(1, "x", **CHECKOUT))
    page = search(JournaldLogs("host", None), f"{service.split()[0].lstrip('-')} level:error", service=service)
    assert page.in_scope.total == 0
    allowed = ("--no-pager", "--header", "--field=")
    assert all(arg.startswith(allowed) for args in journal.asked for arg in args)


def test_a_service_narrows_the_journal_by_the_values_that_the_journal_itself_has(journal: FakeJournal) -> None:
    journal.tell(
        at(1, "pool full", **CHECKOUT),
        at(2, "Failed with result 'exit-code'.", UNIT="checkout.service", _SYSTEMD_UNIT="init.scope"),
        at(3, "ok", _SYSTEMD_UNIT="payments.service"),
    )
    page = search(JournaldLogs("host", None), service="Checkout")
    assert [record.message for record in page.records] == ["Failed with result 'exit-code'.", "pool full"]
    entries = next(args for args in journal.asked if "--output=json" in args)
    assert entries[-3:] == ["UNIT=checkout.service", "+", "_SYSTEMD_UNIT=checkout.service"]


# What entries mean


@pytest.mark.parametrize(
    ("fields", "service", "instance"),
    [
        ({"_SYSTEMD_UNIT": "nginx.service", "SYSLOG_IDENTIFIER": "nginx"}, "nginx", "web1"),
        ({"_SYSTEMD_UNIT": "worker@7.service"}, "worker", "worker@7"),
        ({"UNIT": "nginx.service", "_SYSTEMD_UNIT": "init.scope", "SYSLOG_IDENTIFIER": "systemd"}, "nginx", "web1"),
        ({"_SYSTEMD_UNIT": "user@1000.service", "_SYSTEMD_USER_UNIT": "app.service"}, "app", "web1"),
        ({"_SYSTEMD_UNIT": "session-3.scope", "SYSLOG_IDENTIFIER": "sudo"}, "sudo", "web1"),
        ({"CONTAINER_NAME": "cart", "CONTAINER_ID": "0a", "_SYSTEMD_UNIT": "docker.service"}, "cart", "web1"),
        ({"_TRANSPORT": "kernel", "SYSLOG_IDENTIFIER": "kernel"}, "kernel", "web1"),
        ({"_COMM": "cron"}, "cron", "web1"),
        ({}, None, "web1"),
    ],
)
def test_whose_an_entry_is(journal: FakeJournal, fields: dict[str, str], service: str | None, instance: str) -> None:
    journal.tell(at(1, "x", **fields))
    (record,) = search(JournaldLogs("host", None)).records
    assert (record.service, record.instance) == (service, instance)
    if service is not None:
        assert search(JournaldLogs("host", None), service=service).matched.total == 1


def test_what_a_container_says_is_not_said_by_its_runtime(journal: FakeJournal) -> None:
    journal.tell(at(1, "x", CONTAINER_NAME="cart", CONTAINER_ID="0a", _SYSTEMD_UNIT="docker.service"))
    assert search(JournaldLogs("host", None), service="docker").in_scope.total == 0


@pytest.mark.parametrize(
    ("fields", "message", "level"),
    [
        ({"PRIORITY": "0"}, "x", Level.FATAL),
        ({"PRIORITY": "3"}, "x", Level.ERROR),
        ({"PRIORITY": "4"}, "INFO is a word here", Level.WARN),
        ({"PRIORITY": "9"}, "x", None),
        ({}, "x", None),
        (CHECKOUT, "2026-11-12 10:00:01 ERROR pool full", Level.ERROR),
        (CHECKOUT, '{"level":"warn","msg":"pool at 95%"}', Level.WARN),
        (CHECKOUT, "level=debug msg=x", Level.DEBUG),
        (CHECKOUT, "started", Level.INFO),
        ({"CONTAINER_ID": "0a", "PRIORITY": "3"}, "INFO ready", Level.INFO),
    ],
)
def test_a_level_is_the_priority_and_of_standard_output_what_the_line_says(
    journal: FakeJournal, fields: dict[str, str], message: str, level: Level | None
) -> None:
    journal.tell(at(1, message, **fields))
    (record,) = search(JournaldLogs("host", None)).records
    assert record.level is level


def test_bytes_lines_and_repeated_fields_are_read_as_they_are_meant(journal: FakeJournal) -> None:
    journal.tell(
        at(1, list(b"broken \xff byte")),
        at(2, "first line\n  second line", NOTE=["a", "b"]),
        at(3, None),
    )
    page = search(JournaldLogs("host", None))
    messages = [record.message for record in page.records]
    assert messages == ["[longer than journalctl gives out]", "first line\n  second line", "broken \\xff byte"]
    assert page.records[1].fields["note"] == "a\nb"
    assert search(JournaldLogs("host", None), '"second line" note:b').matched.total == 1


def test_a_record_says_where_it_stands_and_keeps_what_the_journal_knows(journal: FakeJournal) -> None:
    journal.tell(at(1, "x", number=26, _PID="77", CODE_FILE="pay.c", **CHECKOUT))
    (record,) = search(JournaldLogs("host", None), "pid:77").records
    assert record.source == "checkout:26"
    assert record.fields["code_file"] == "pay.c"
    assert record.timestamp == TEN + timedelta(seconds=1)


def test_a_restart_of_the_host_is_noted(journal: FakeJournal) -> None:
    journal.tell(at(1, "a"), at(20, "b"), at(60, "c", _BOOT_ID="3" * 32))
    notes = search(JournaldLogs("host", None)).notes
    assert notes == ("the host was started again between 2026-11-12T10:00:20Z and 2026-11-12T10:01:00Z",)


def test_an_entry_of_five_megabytes_is_searched_whole_and_kept_in_part(journal: FakeJournal) -> None:
    journal.tell(at(-60, "start"), at(1, "x" * 5_000_000 + " needle"))
    page = search(JournaldLogs("host", None), "needle")
    assert page.matched.total == 1
    assert len(page.records[0].message) == 64 * 1024
    assert page.notes == ("records that are too long were cut",)
    assert page.partial_reasons == ()


def test_entries_out_of_order_and_twice_come_newest_first(journal: FakeJournal) -> None:
    journal.tell(at(5, "b"), at(3, "a"), at(9, "c"), at(9, "c"))
    page = search(JournaldLogs("host", None))
    assert [record.message for record in page.records] == ["c", "c", "b", "a"]
    assert page.matched.total == 4


# How it fails


def test_without_journalctl_the_journal_was_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    source = JournaldLogs("host", None)
    with pytest.raises(BackendUnavailableError, match="host: journalctl is not on PATH, so the journal was not read"):
        search(source)
    assert source.describe().problems == ("journalctl is not on PATH, so the journal was not read",)


def test_a_program_that_cannot_be_started_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_path(tmp_path / "bin", monkeypatch)
    (tmp_path / "bin" / "journalctl").write_text("#!/no/such/interpreter\n")
    with pytest.raises(BackendUnavailableError, match="journalctl cannot be started: No such file or directory"):
        search(JournaldLogs("host", None))


def test_no_journal_files_are_no_absence(journal: FakeJournal, tmp_path: Path) -> None:
    journal.tell(files=0, stderr="No journal files were opened due to insufficient permissions.\n")
    said = r"host: there are no journal files on this host that can be read \(No journal files were opened due to insufficient"
    with pytest.raises(BackendUnavailableError, match=said):
        search(JournaldLogs("host", None))
    with pytest.raises(BackendUnavailableError, match='there are no journal files in "/mnt/j" that can be read'):
        search(JournaldLogs("saved", Path("/mnt/j")))


def test_what_may_not_be_read_makes_an_answer_partial(journal: FakeJournal) -> None:
    hint = "Hint: You are currently not seeing messages from other users and the system."
    journal.tell(at(-60, "start"), at(1, "mine"), stderr=f"{hint}\n")
    page = search(JournaldLogs("host", None))
    assert page.partial_reasons == (hint,)
    assert (page.matched.total, page.matched.is_exact) == (1, False)
    assert JournaldLogs("host", None).describe().problems == (hint,)


def test_a_window_from_before_the_journal_begins_is_covered_in_part(journal: FakeJournal) -> None:
    journal.tell(at(30, "first"))
    page = search(JournaldLogs("host", None))
    assert page.partial_reasons == ("the journal begins at 2026-11-12T10:00:30Z; what was before is not kept",)


@pytest.mark.parametrize(
    ("exit_code", "stderr", "said"),
    [
        (
            1,
            "Failed to iterate through journal: Bad message\n",
            "journalctl ended with 1: Failed to iterate through journal: Bad",
        ),
        (3, "", "journalctl ended with 3: it said nothing"),
    ],
)
def test_an_error_before_the_first_entry_fails_and_behind_entries_is_partial(
    journal: FakeJournal, exit_code: int, stderr: str, said: str
) -> None:
    journal.tell(at(-60, "start"), exit_code=exit_code, stderr=stderr)
    with pytest.raises(BackendUnavailableError) as raised:
        search(JournaldLogs("host", None))
    assert said in raised.value.message
    journal.tell(at(-60, "start"), at(1, "x"), exit_code=exit_code, stderr=stderr)
    page = search(JournaldLogs("host", None))
    assert page.matched.total == 1
    assert any(said in reason and "only what is newer than 2026-11-12T10:00:01Z" in reason for reason in page.partial_reasons)


def test_a_journal_that_is_not_read_in_time_is_partial_and_its_command_is_ended(journal: FakeJournal) -> None:
    journal.tell(at(-60, "start"), at(1, "x"), more='{"__REALTIME_TIMESTAMP":"1', hang_s=30)
    started = time.monotonic()
    page = search(JournaldLogs("host", None), within_s=1.5)
    assert time.monotonic() - started < 5
    assert page.partial_reasons == (
        "the journal was not read whole in the 1.5 s allowed: only what is newer than 2026-11-12T10:00:01Z was read",
    )
    assert (page.matched.total, page.matched.is_exact) == (1, False)


def test_a_journal_that_says_nothing_in_time_is_a_timeout(journal: FakeJournal) -> None:
    journal.tell(at(-60, "start"), hang_s=30)
    with pytest.raises(BackendTimeoutError, match=r"host: no answer within 1\.5 s"):
        search(JournaldLogs("host", None), within_s=1.5)


def test_lines_that_are_no_entry_are_counted_and_cost_no_other(journal: FakeJournal) -> None:
    journal.tell(at(-60, "start"), at(1, "x"), more='<html>\n{"MESSAGE":"no time"}\n[1]\n\n{"__REALTIME_TIMESTAMP":"9e99"}')
    page = search(JournaldLogs("host", None))
    assert page.matched.total == 1
    assert page.partial_reasons == ("4 lines are no journal entry in JSON: not read",)


def test_more_than_is_read_is_cut_behind_the_newest_entries(journal: FakeJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journald_command, "_MOST_OUTPUT", 1 << 20)
    journal.tell(at(-60, "start"), *(at(number / 1000, "x" * 1000) for number in range(3000)))
    page = search(JournaldLogs("host", None))
    (reason,) = page.partial_reasons
    assert reason.startswith(
        "the journal has more than 1 MB of entries in the window: only what is newer than 2026-11-12T10:00:0"
    )
    assert 500 < page.matched.total < 3000
    assert page.records[0].timestamp == TEN + timedelta(seconds=2.999)


def test_a_line_that_is_too_long_is_counted_and_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"one\n" + b"x" * 1_000_000 + b"\ntwo\n\n" + b"y" * 2000)
    command = CommandLines(
        (shutil.which("cat") or "cat", str(tmp_path / "lines")), Deadline.after(10), 1 << 30, longest_line=1000
    )
    assert list(command.lines()) == [b"one", b"two", b""]
    assert (command.exit_code, command.cut, command.long_count) == (0, None, 2)


def test_an_empty_window_and_a_service_that_nothing_goes_by_are_empty_answers(journal: FakeJournal) -> None:
    journal.tell(at(-60, "start", **CHECKOUT))
    for service in (None, "checkout", "nobody"):
        page = search(JournaldLogs("host", None), service=service)
        assert (page.matched.total, page.matched.is_exact, page.partial_reasons) == (0, True, ())


def test_the_doctor_says_its_version_and_files(journal: FakeJournal, tmp_path: Path) -> None:
    journal.tell(at(1, "x", **CHECKOUT))
    app = build(load_settings({"db": str(tmp_path / "gw.db"), "logs": ("journald",)}, environ={}))
    try:
        check = next(check for check in app.doctor().checks if check.name == "logs journald")
        report = app.call("query_logs", json.dumps({"service": "checkout"}), session_id=None, window=WINDOW)
    finally:
        app.close()
    assert check.ok
    assert check.message.startswith("version systemd 257, ")
    assert "1 services" in check.message
    assert check.message.endswith("; 1 journal files")
    assert (report.invocation.status, report.invocation.backend) == ("evidence", "journald")


# With the journalctl of this host, over a journal that systemd-journal-remote 252 wrote


@pytest.fixture
def recorded(tmp_path: Path) -> JournaldLogs:
    if shutil.which("journalctl") is None:
        miss("there is no journalctl on PATH")
    (tmp_path / "system.journal").write_bytes(gzip.decompress(RECORDED.read_bytes()))
    return JournaldLogs("saved", tmp_path)


def test_a_real_journal_is_read_as_it_was_written(recorded: JournaldLogs) -> None:
    page = search(recorded)
    assert page.partial_reasons == ()
    assert [(record.service, record.level, record.message) for record in page.records] == [
        ("sudo", Level.INFO, "ops : COMMAND=/bin/true"),
        ("worker", Level.NOTICE, "done"),
        ("cart", Level.ERROR, "no stock"),
        ("checkout", Level.WARN, "checkout.service: Failed with result 'exit-code'."),
        ("payments", Level.ERROR, "broken \\xff byte"),
        ("checkout", Level.WARN, "pool at 95%"),
        ("checkout", Level.ERROR, "no connection\n\tat c.s.Pool.get(Pool.java:7)"),
    ]
    assert page.records[-1].fields["logger"] == "c.s.Pool"
    assert page.notes == ("the host was started again between 2026-11-12T10:00:05Z and 2026-11-12T10:01:00Z",)


def test_a_real_journal_is_narrowed_to_a_service_and_described(recorded: JournaldLogs) -> None:
    page = search(recorded, service="CHECKOUT", min_level=Level.ERROR)
    assert (page.matched.total, page.in_scope.total) == (1, 3)
    assert search(recorded, service="no-such-service").in_scope.total == 0
    description = recorded.describe()
    assert description.services == ("cart", "checkout", "docker", "payments", "worker")
    assert description.newest_record == TEN + timedelta(minutes=1)
    assert (description.live, description.problems) == (False, ())
    assert recorded.check(Deadline.after(10)).notes == ("1 journal files",)


def test_a_real_folder_without_a_journal_is_no_absence(recorded: JournaldLogs, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BackendUnavailableError, match="there are no journal files in"):
        search(JournaldLogs("empty", tmp_path / "empty"))
    with pytest.raises(BackendUnavailableError, match=r"journalctl ended with 1: Failed to open .*: No such file or directory"):
        search(JournaldLogs("gone", tmp_path / "gone"))


# Records of several lines


def test_a_trace_on_standard_output_is_in_the_record_that_it_is_of(journal: FakeJournal) -> None:
    said = [
        "2026-11-12T10:00:10Z ERROR charge failed",
        "Traceback (most recent call last):",
        '  File "/app/charge.py", line 7, in charge',
        "app.errors.Declined: card 4711",
        "2026-11-12T10:00:11Z INFO charged",
    ]
    lines = [at(10 + n / 1000, line, number=n, **CHECKOUT, _PID="7") for n, line in enumerate(said)]
    by_syslog = {**CHECKOUT, "_TRANSPORT": "syslog", "_PID": "7"}
    others = [at(10.0015, "2026-11-12T10:00:10Z INFO other", **CHECKOUT, _PID="8"), at(10.0025, "  by syslog", **by_syslog)]
    journal.tell(*sorted([*lines, *others], key=lambda one: int(one["__REALTIME_TIMESTAMP"])))
    page = search(JournaldLogs("host", None), service="checkout")
    assert [record.message for record in page.records] == [
        "charged",
        "  by syslog",
        "other",
        "\n".join(["charge failed", *said[1:4]]),
    ]
    assert (page.records[3].level, page.matched.total, page.matched.by_level) == (Level.ERROR, 4, {"ERROR": 1, "INFO": 3})
    assert page.notes == ("3 entries go on with the record before them: lines that were shipped one by one count as one record",)
    assert search(JournaldLogs("host", None), '"card 4711" charge').matched.total == 1
