"""Which records a query finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.logs.matching import QueryMatcher, is_of_service
from groundwire.adapters.logs.reading import Reading
from groundwire.adapters.logs.word_forms import word_forms
from groundwire.domain.levels import Level
from groundwire.domain.log_query import parse_log_query


def record(message: str = "", fields: Mapping[str, Any] | None = None) -> Reading:
    return Reading(
        level=Level.ERROR, message=message, service="order-service", instance="order-service-0", fields=dict(fields or {})
    )


def finds(query: str, reading: Reading) -> bool:
    return QueryMatcher(parse_log_query(query)).matches(reading)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("exhaustion", "the pool is exhausted"),
        ("exhausted", "pool exhaustion"),
        ("exhausting", "Exhausted"),
        ("errors", "one error"),
        ("error", "many errors"),
        ("queries", "slow query"),
        ("query", "slow queries"),
        ("refused", "he refuses"),
        ("refusing", "connection refused"),
        ("connection-pool", "the connection pool"),
        ("connection-pool", "connectionPool.size=5"),
        ("connection_pool", "connection-pool"),
        ("connection-pool-exhaustion", "connection pool exhausted"),
        ("HIKARI", "HikariPool-1"),
        ("active=50/50", "(total=50, active=50/50)"),
        ("[error", "an [error] here"),
        ("a.c", "a.c"),
    ],
)
def test_a_word_is_found_in_the_forms_that_people_and_software_write(query: str, message: str) -> None:
    assert finds(query, record(message))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("a.c", "abc"),
        ("time.*out", "time goes out"),
        ("connection-pool", "connection to the pool"),
        ("missing", "a missed call"),  # the stem would have four letters
        ("30000ms", "3000ms"),
        ("status", "stature"),
        ("timeout refused", "timeout only"),
    ],
)
def test_a_word_is_no_pattern_and_no_shorter_word(query: str, message: str) -> None:
    assert not finds(query, record(message))


def test_a_phrase_is_found_to_the_letter_in_whatever_case() -> None:
    assert finds('"Request Timed Out"', record("request timed out after 30000ms"))
    assert not finds('"connection pool"', record("connection-pool"))
    assert not finds('"errors"', record("one error"))


def test_words_are_looked_for_in_fields_service_and_instance_too() -> None:
    reading = record("failed", {"logger": "c.s.OrderController", "status": 503, "tags": ["vip"]})
    assert finds("OrderController 503 vip order-service-0", reading)


def test_no_term_may_fail_and_no_excluded_one_may_hold() -> None:
    assert finds("failed -timeout", record("failed"))
    assert not finds("failed -timeout", record("failed: timeout"))
    assert finds("-timeout", record("failed"))


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("status:503", True),
        ("status:50", False),
        ("pod_name:a-1", True),
        ("logger:orders", True),
        ("nosuch:503", False),
        ("-nosuch:503", True),
        ("-status:503", False),
        ("level:error", True),
        ("level:warn", False),
        ("service:ORDER-service", True),
        ("service:order", False),
        ("instance:order-service-0", True),
        ("message:failed", True),
        ("code:E42", True),  # to the letter in the message
    ],
)
def test_a_field_is_asked_for_by_name(query: str, holds: bool) -> None:
    reading = record("failed with code:E42", {"status": 503, "kubernetes.pod_name": "A-1", "logger": "c.s.Orders"})
    assert finds(query, reading) is holds


def test_a_service_is_asked_for_by_its_whole_name_or_its_instance() -> None:
    assert is_of_service(record(), "Order-Service")
    assert is_of_service(record(), "order-service-0")
    assert not is_of_service(record(), "order")


def test_a_raw_line_without_a_word_cannot_match() -> None:
    matcher = QueryMatcher(parse_log_query("exhaustion -quiet level:error"))
    assert matcher.may_match("error: pool exhausted, quiet")
    assert not matcher.may_match("error: pool full")


def test_short_words_and_words_with_digits_have_one_form() -> None:
    assert word_forms("using") == ("using",)
    assert word_forms("v2s") == ("v2s",)
    assert word_forms("redis") == ("redis",)
    assert word_forms("address") == ("address",)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=14))
def test_a_word_always_finds_itself(word: str) -> None:
    assert any(form in word + "y" or form in word for form in word_forms(word))


@given(st.text(min_size=1, max_size=30).filter(lambda text: not any(c.isspace() for c in text)))
def test_no_word_is_ever_taken_for_a_pattern(word: str) -> None:
    try:
        query = parse_log_query(word)
    except ValueError:
        return
    QueryMatcher(query).matches(record("some text"))


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        (r"re:orders?\sfailed", True),
        ('re:"order .* failed"', False),
        (r're:"^ORDER failed with \d{3}$"', True),
        (r"-re:\d{4}", True),
        (r"order re:\b503\b", True),
    ],
)
def test_a_pattern_is_looked_for_in_whatever_case(query: str, holds: bool) -> None:
    record = Reading(message="order failed with 503")
    assert QueryMatcher(parse_log_query(query)).matches(record) is holds


def test_a_pattern_from_the_user_on_text_from_an_attacker_takes_no_longer_than_its_length() -> None:
    matcher = QueryMatcher(parse_log_query(r're:"^(a+)+$" re:"(.*a){12}b"'))
    assert not matcher.matches(Reading(message="a" * 60_000 + "!"))
