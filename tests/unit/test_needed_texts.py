"""What a server is told to look for loses nothing of what a query means."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.logs.entry import Entry, epoch_ns
from groundwire.adapters.logs.entry_reading import EntryReader
from groundwire.adapters.logs.matching import QueryMatcher
from groundwire.adapters.logs.needed_texts import needed_texts
from groundwire.domain.log_query import parse_log_query

AT = datetime(2026, 11, 12, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "needed"),
    [
        ("timeout", ["timeout"]),
        ("exhaustion", ["exhaust"]),
        ("queries", ["(?:query|queri)"]),
        ("connection-pool", ["connection[-_ ]?pool"]),
        ("v1.2", [r"v1\.2"]),
        ("status:503", ["503"]),
        ('"request timed out"', ["request timed out"]),
        ("active=50/50", ["active", "50"]),
        ('"say \\"hi\\" now"', ["say", "hi", "now"]),
        ("-healthcheck", []),
        ("level:error service:shop instance:pod-1", []),
        ("größe", ["gr"]),
        ("ß", []),
        ("a.*b", [r"a\."]),
    ],
)
def test_what_must_stand_in_an_entry_is_said_without_what_could_be_escaped_or_excluded(query: str, needed: list[str]) -> None:
    assert list(needed_texts(parse_log_query(query))) == needed


def _lines(message: str) -> list[str]:
    return [
        f"2026-11-12T10:00:00Z ERROR [main] c.s.Orders - {message}",
        json.dumps({"time": "2026-11-12T10:00:00Z", "level": "error", "msg": message, "code": 503}),
        json.dumps({"level": "error", "msg": message, "tags": [message, 1]}, ensure_ascii=False),
        f"level=error msg={json.dumps(message)} code=503",
        message,
    ]


TEXT = st.text(alphabet='abCD tiONs-_.=/"\\:,é(503\n', min_size=1, max_size=24)


@given(TEXT, st.integers(0, 4), TEXT, st.sampled_from(["{}", '"{}"', "msg:{}", "code:{}", "{}s", "{}ions"]))
def test_whatever_a_query_finds_a_server_would_find_too(message: str, shape: int, asked: str, form: str) -> None:
    try:
        query = parse_log_query(form.format(asked.replace("\n", " ")))
    except ValueError:
        return
    entry = Entry(epoch_ns(AT), {"service_name": "shop"}, _lines(message)[shape], "{}")
    if QueryMatcher(query).matches(EntryReader().read(entry, AT)):
        everything = "\n".join((entry.text, *entry.labels.values()))
        assert all(re.search(text, everything, re.IGNORECASE) for text in needed_texts(query))
