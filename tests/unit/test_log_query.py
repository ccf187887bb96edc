"""The search syntax of logs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogTerm, TermKind


def word(text: str, *, excluded: bool = False) -> LogTerm:
    return LogTerm(kind=TermKind.WORD, text=text, excluded=excluded)


def phrase(text: str, *, excluded: bool = False) -> LogTerm:
    return LogTerm(kind=TermKind.PHRASE, text=text, excluded=excluded)


def field(name: str, text: str, *, excluded: bool = False) -> LogTerm:
    return LogTerm(kind=TermKind.FIELD, field=name, text=text, excluded=excluded)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        ("   ", ()),
        ("timeout", (word("timeout"),)),
        ("HikariCP connection-pool exhaustion", (word("HikariCP"), word("connection-pool"), word("exhaustion"))),
        ('"request timed out" refused', (phrase("request timed out"), word("refused"))),
        ("error -healthcheck", (word("error"), word("healthcheck", excluded=True))),
        ('-"GET /health"', (phrase("GET /health", excluded=True),)),
        ("status:503 -path:/health", (field("status", "503"), field("path", "/health", excluded=True))),
        ('logger:"c.s.orders api"', (field("logger", "c.s.orders api"),)),
        ("level:error service:order-service", (field("level", "error"), field("service", "order-service"))),
        (r'"say \"no\" twice"', (phrase('say "no" twice'),)),
        ('"a" "b"', (phrase("a"), phrase("b"))),
    ],
)
def test_a_query_is_words_phrases_fields_and_exclusions(text: str, terms: tuple[LogTerm, ...]) -> None:
    assert parse_log_query(text).terms == terms


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("HikariPool-1 - Connection", ["HikariPool-1", "-", "Connection"]),
        ("http://orders:8080/api", ["http://orders:8080/api"]),
        ("java.sql.SQLException: refused", ["java.sql.SQLException:", "refused"]),
        ("std::vector -> --verbose", ["std::vector", "->", "--verbose"]),
        ("09:47:30 12", ["09:47:30", "12"]),
        ("timeout, refused; reset", ["timeout", "refused", "reset"]),
        ("timeout* *", ["timeout"]),
        ("refused AND reset", ["refused", "reset"]),
    ],
)
def test_pasted_text_is_words(pasted: str, words: list[str]) -> None:
    assert [(term.kind, term.text, term.excluded) for term in parse_log_query(pasted).terms] == [
        (TermKind.WORD, text, False) for text in words
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('"never closed', "not closed"),
        ('level:"err', "not closed"),
        ('""', "phrase is empty"),
        ('logger:""', "phrase is empty"),
        ("level: error", "level: has no value"),
        ("level:loud", "level:loud is no level"),
        ("a OR b", "OR is not known"),
        ("NOT a", "NOT is not known"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=part) as refused:
        parse_log_query(text)
    assert "\n" not in str(refused.value)


def test_an_operator_in_quotation_marks_is_a_word_to_look_for() -> None:
    assert parse_log_query('"OR"').terms == (phrase("OR"),)


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        terms = parse_log_query(text).terms
    except ValueError:
        return
    assert all(term.text for term in terms)
