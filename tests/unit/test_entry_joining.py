"""Records that a shipper sent line by line are one record again, as they are in a file, and no others are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from groundwire.adapters.logs import entry_joining
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogPage, LogRequest
from groundwire.ports import LogBackend
from tests.log_servers.kept import Kept, ns
from tests.log_servers.loki import MadeLoki
from tests.log_servers.victorialogs import MadeVictoriaLogs

START = datetime(2026, 11, 12, 10, tzinfo=UTC)
WINDOW = TimeWindow(start=START, end=START + timedelta(hours=1))
ORDERS = {"app": "orders", "pod": "orders-0"}
CART = {"app": "cart", "pod": "cart-0"}
JAVA = """\
2026-11-12T10:01:00Z ERROR order 17 failed
java.sql.SQLException: pool is empty
\tat com.zaxxer.hikari.Pool.get(Pool.java:1)
Caused by: java.net.SocketTimeoutException: connect timed out
\t... 4 more
2026-11-12T10:01:00.5Z INFO order 18 placed"""
PYTHON = """\
2026-11-12T10:02:00Z ERROR charge failed
Traceback (most recent call last):
  File "/app/charge.py", line 7, in charge
    raise Declined(card)
app.errors.Declined: card 4711
2026-11-12T10:02:01Z INFO charged"""
GO = """\
2026-11-12T10:03:00Z ERROR panic: runtime error
goroutine 12 [running]:
main.(*Shop).order(0xc000010, 0x1)
\t/src/shop.go:17 +0x1a
created by main.main
\t/src/main.go:9 +0x2f
2026-11-12T10:03:01Z INFO started"""

Make = Callable[[Sequence[Kept]], LogBackend]


def _loki(kept: Sequence[Kept], *, categorized: bool = True, whole_up_to: int = 20_000) -> LogBackend:
    server = MadeLoki(kept, categorized=categorized, most_entries=3)
    return LokiLogs("logs", "http://logs.test", HttpOptions(transport=server), whole_up_to=whole_up_to)


def _victorialogs(kept: Sequence[Kept]) -> LogBackend:
    return VictoriaLogs("logs", "http://logs.test", HttpOptions(transport=MadeVictoriaLogs(kept)))


MAKERS: dict[str, Make] = {
    "loki": _loki,
    "loki with all labels in one": lambda kept: _loki(kept, categorized=False),
    "victorialogs": _victorialogs,
}


@pytest.fixture(params=list(MAKERS))
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


def _lines(text: str, stream: dict[str, str] = ORDERS, *, at: float = 60, apart: float = 0.001) -> list[Kept]:
    """Return each line as an entry of its own, a millisecond behind the one before, with the level that Loki sees in it."""
    return [
        Kept(
            ns(START + timedelta(seconds=at + n * apart)),
            stream,
            line,
            {"detected_level": "error" if "ERROR" in line else "unknown"},
        )
        for n, line in enumerate(text.split("\n"))
    ]


def _ask(backend: LogBackend, query: str = "", service: str | None = None) -> LogPage:
    request = LogRequest(
        query=parse_log_query(query), service=service, min_level=None, window=WINDOW, limit=50, deadline=Deadline.after(30)
    )
    return backend.search(request)


def _messages(page: LogPage) -> list[str]:
    return [record.message for record in page.records]


@pytest.mark.parametrize("text", [JAVA, PYTHON, GO], ids=["java", "python", "go"])
def test_a_trace_is_in_one_record_as_it_is_in_a_file(make: Make, text: str, tmp_path: Path) -> None:
    (tmp_path / "orders.log").write_text(text + "\n")
    in_file = _ask(FileLogs("files", tmp_path))
    page = _ask(make(_lines(text)))
    assert _messages(page) == _messages(in_file)
    assert page.matched.total == in_file.matched.total == 2
    assert page.matched.by_level == in_file.matched.by_level
    assert page.fetched_count == len(text.split("\n"))
    joined = len(text.split("\n")) - 2
    assert page.notes == (
        f"{joined} entries go on with the record before them: lines that were shipped one by one count as one record",
    )


def test_words_of_the_trace_and_of_its_record_find_it(make: Make) -> None:
    kept = _lines(PYTHON)
    assert _ask(make(kept), 'charge "card 4711"').matched.total == 1
    assert _ask(make(kept), "Declined", service="orders").records[0].timestamp == START + timedelta(minutes=1)


def test_lines_of_other_streams_come_between_and_belong_to_their_own(make: Make) -> None:
    kept = [*_lines(PYTHON), *_lines(GO, CART, at=60.0005)]
    page = _ask(make(kept))
    assert page.matched.total == 4
    assert {record.service for record in page.records if "goroutine" in record.message} == {"cart"}


@pytest.mark.parametrize("categorized", [True, False])
def test_of_one_stream_of_two_instances_each_has_its_own_lines(*, categorized: bool) -> None:
    one, two = _lines(PYTHON, {"app": "orders"}), _lines(GO, {"app": "orders"}, at=60.0005)
    named = [kept._replace(own={"pod": pod}) for kept, pod in zip([*one, *two], "a" * len(one) + "b" * len(two), strict=True)]
    page = _ask(_loki(named, categorized=categorized))
    assert page.matched.total == 4
    assert {record.instance for record in page.records if "goroutine" in record.message} == {"b"}


def test_what_comes_after_a_pause_or_before_any_record_stays_apart(make: Make) -> None:
    trace = "\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)"
    page = _ask(make([*_lines("ERROR down", at=60), *_lines(trace, at=62.5)]))
    assert _messages(page) == ["\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)", "down"]
    assert page.notes == (
        "1 entry goes on with the record before it: lines that were shipped one by one count as one record",
        "lines of stack traces were shipped apart from their records, as 1 entry",
    )


def test_records_that_only_stand_side_by_side_are_not_joined(make: Make) -> None:
    said = "INFO a\nINFO b\n{\nINFO c\nINFO d\njava.io.IOException: closed\nERROR e\njava.io.IOException: closed\nINFO f"
    page = _ask(make(_lines(said)))
    assert page.matched.total == 9
    assert page.notes == ()


def test_a_record_of_too_many_lines_is_cut_and_that_is_said(make: Make) -> None:
    page = _ask(make(_lines("ERROR deep\n" + "\n".join(f"\tat a.B.c{n}(B.java)" for n in range(300)))))
    assert (page.matched.total, page.fetched_count) == (1, 301)
    assert len(page.records[0].message.split("\n")) == 200
    assert "records that are too long were cut" in page.notes


def test_of_a_stream_no_more_is_held_than_a_record_may_be(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_joining, "_MOST_PENDING", 3)
    page = _ask(make(_lines(PYTHON)))
    assert page.fetched_count == 6
    assert _messages(page) == [
        "charged",
        "app.errors.Declined: card 4711",
        '  File "/app/charge.py", line 7, in charge\n    raise Declined(card)',
        "charge failed\nTraceback (most recent call last):",
    ]


def test_a_scope_that_is_not_read_whole_counts_entries_and_says_so() -> None:
    page = _ask(_loki(_lines(PYTHON), whole_up_to=3), "-nothing")
    assert page.matched.total == 6
    assert page.notes[-1] == "lines of stack traces were shipped apart from their records, as 3 entries"


def test_without_streams_nobody_knows_whose_line_it_is() -> None:
    lines = [Kept(kept.at_ns, {}, kept.text, {"app": "orders"}) for kept in _lines(PYTHON)]
    assert _ask(_victorialogs(lines)).matched.total == 6


def test_a_container_runtimes_own_words_are_taken_from_each_line(make: Make) -> None:
    page = _ask(make(_lines("\n".join(f"2026-11-12T10:02:00.{n}Z stderr F {line}" for n, line in enumerate(PYTHON.split("\n"))))))
    assert page.matched.total == 2
    assert page.records[1].message.endswith("\napp.errors.Declined: card 4711")


def test_an_exception_that_a_program_prints_by_itself_is_no_part_of_what_was_well_before_it(make: Make) -> None:
    page = _ask(make(_lines("INFO served\nTypeError: x is not a function\n    at serve (/app/serve.js:7:3)")))
    assert _messages(page) == ["TypeError: x is not a function\n    at serve (/app/serve.js:7:3)", "served"]
