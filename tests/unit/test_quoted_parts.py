"""What the built-in investigator quotes of a message."""

from __future__ import annotations

import pytest

from groundwire.investigators.patterns import quotable, telling_part

CHAIN = (
    "Servlet.service() threw exception [Request failed; nested exception is java.lang.IllegalStateException: No instances [of a]]"
)


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (f"{CHAIN} with root cause", "nested exception is java.lang.IllegalStateException: No instances [of a]"),
        (
            "Failed\nCaused by: java.net.ConnectException: refused (Connection refused)\n\tat x",
            "Caused by: java.net.ConnectException: refused (Connection refused)",
        ),
        ("TraceID: 15ee0e741d1b SpanID: 75d737e8 [query][it failed]", "[query][it failed]"),
        ("[traceId=15ee, spanId=75d7] it failed", "it failed"),
        ("request_id=7 it failed", "it failed"),
        ("Tracing was switched off: it failed", "Tracing was switched off: it failed"),
        ("TraceID: 15ee", "TraceID: 15ee"),
        ("it failed", "it failed"),
    ],
)
def test_the_part_that_tells_is_quoted_and_neither_ids_before_it_nor_the_bracket_around_it(message: str, part: str) -> None:
    assert telling_part(message) == part
    assert part in message


def test_a_long_line_is_quoted_up_to_a_whole_word() -> None:
    assert quotable("abcd " * 10, 23) == "abcd abcd abcd abcd"
    assert quotable("a" * 50, 23) == "a" * 23
    assert quotable("abcd " * 4, 23) == "abcd abcd abcd abcd"
