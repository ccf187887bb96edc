"""A subject that fell silent is told from one that is well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from groundwire.adapters.logs.suppression import suppression_lines
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogCounts
from groundwire.domain.sources import SourceDescription, SourceKind
from groundwire.tools.silence import silence_notes

NINE = datetime(2026, 11, 12, 9, tzinfo=UTC)
HOUR = TimeWindow(start=NINE, end=NINE + timedelta(hours=1))


def counts(total: int, first_minute: float, last_minute: float) -> LogCounts:
    return LogCounts(total=total, first_at=NINE + timedelta(minutes=first_minute), last_at=NINE + timedelta(minutes=last_minute))


def source(*, live: bool = True, newest_minute: int | None = None, of_service: int | None = None) -> SourceDescription:
    return SourceDescription(
        name="logs",
        kind=SourceKind.LOGS,
        backend="files",
        live=live,
        newest_record=None if newest_minute is None else NINE + timedelta(minutes=newest_minute),
        newest_by_service={} if of_service is None else {"Orders": NINE + timedelta(minutes=of_service)},
    )


def test_a_service_that_wrote_every_few_seconds_and_then_nothing_is_said_to_be_silent() -> None:
    assert silence_notes("orders", counts(601, 0, 40), HOUR, source()) == (
        "'orders' wrote a record every 4 s on average up to 2026-11-12T09:40:00Z, and none in the 20 min after that: "
        "it stopped, or its logs did; errors that are not there prove nothing for that time",
    )


@pytest.mark.parametrize(
    ("in_scope", "description"),
    [
        (counts(601, 0, 58), source()),  # two minutes are no silence
        (counts(20, 0, 38), source()),  # every two minutes: 22 minutes are only eleven times that
        (counts(19, 0, 6), source()),  # too few to know how often it writes
        (counts(500, 0, 1), source()),  # one burst is no habit
        (counts(601, 0, 40), source(live=False, newest_minute=41)),  # the whole source ends there
    ],
)
def test_what_ends_for_other_reasons_is_not_said_to_be_silent(in_scope: LogCounts, description: SourceDescription) -> None:
    assert silence_notes("orders", in_scope, HOUR, description) == ()


def test_a_service_whose_last_record_is_before_the_window_is_said_to_end_there() -> None:
    assert silence_notes("orders", LogCounts(), HOUR, source(of_service=-30)) == (
        "the newest record of 'orders' seen here is of 2026-11-12T08:30:00Z, before the window",
    )
    assert silence_notes("orders", LogCounts(), HOUR, source(of_service=30)) == ()
    assert silence_notes("cart", LogCounts(), HOUR, source(of_service=-30)) == ()


@pytest.mark.parametrize(
    "line",
    [
        "Nov 12 09:00:00 web1 systemd-journald[310]: Suppressed 1244 messages from orders.service",
        "Nov 12 09:00:00 web1 rsyslogd: imjournal: 5040 messages lost due to rate-limiting (20000 allowed within 600 seconds)",
        "Nov 12 09:00:00 web1 rsyslogd: imjournal: begin to drop messages due to rate-limiting",
        "Nov 12 09:00:00 web1 kernel: net_ratelimit: 17 callbacks suppressed",
        "Nov 12 09:00:00 web1 sshd[2]: message repeated 5 times: [ Failed password for root]",
    ],
)
def test_a_logger_that_says_it_left_messages_out_is_noticed(line: str) -> None:
    assert list(suppression_lines(f"a\n{line}\nb")) == [line]


def test_what_only_sounds_like_it_is_not() -> None:
    for line in ("request 12 refused due to rate-limiting", "alert suppressed by user", "Suppressed: java.lang.Exception: x"):
        assert list(suppression_lines(line)) == []
