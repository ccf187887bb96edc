"""Bytes to lines: bounded and decoded."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.logs.lines import (
    LINE_LIMIT,
    as_utf8,
    is_binary,
    is_latin1,
    latin1_as_utf8,
    plain_chunks,
    split_lines,
)


def lines_of(*chunks: bytes) -> list[str]:
    return [line for block in split_lines(as_utf8(chunks)) for line in block.lines]


def test_lines_are_split_at_newlines_only_and_across_chunks() -> None:
    assert lines_of(b"one\ntw", b"o\r\nthr\xc2\x85ee\x0b", b"\nfour") == ["one", "two", "thr\x85ee\x0b", "four"]


def test_bytes_that_are_no_utf8_are_shown() -> None:
    assert lines_of(b"caf\xe9 \xc3\xa9\n") == ["caf\\xe9 \xe9"]


def test_utf16_and_marks_of_utf8_are_understood() -> None:
    text = "one\r\ntwo é\r\n"
    encoded = text.encode("utf-16")
    assert lines_of(encoded[:7], encoded[7:]) == ["one", "two é"]
    assert lines_of(b"\xef\xbb\xbfone\n") == ["one"]


def test_a_long_line_is_cut_and_marked_and_the_next_is_whole() -> None:
    chunks = [b"x" * 100_000] * 50 + [b"\nnext\n"]
    blocks = list(split_lines(chunks))
    lines = [line for block in blocks for line in block.lines]
    assert [len(line) for line in lines] == [LINE_LIMIT, 4]
    assert [block.cut for block in blocks if block.lines] == [frozenset({0})]


def test_zeros_that_a_truncated_log_starts_with_are_dropped() -> None:
    assert lines_of(b"\0" * 3_000_000, b"\0\0one\ntwo\n") == ["one", "two"]
    assert not is_binary(b"\0" * 5000 + b"2026-11-12 one\n")
    assert not is_binary(b"\0" * 5000)
    assert is_binary(bytes(range(256)) * 16)
    assert is_binary(b"\x7fELF\x02\x01\x01" + b"\0\x03" * 400)


def test_only_the_asked_bytes_are_read() -> None:
    assert b"".join(plain_chunks(io.BytesIO(b"0123456789"), 2, 5)) == b"234"
    assert b"".join(plain_chunks(io.BytesIO(b"0123"), 2, 50)) == b"23"


@given(st.binary(max_size=300), st.integers(min_value=1, max_value=50))
def test_how_bytes_are_chunked_changes_nothing(data: bytes, size: int) -> None:
    chunks = [data[at : at + size] for at in range(0, len(data), size)]

    def plain(parts: list[bytes]) -> list[str]:
        return [line for block in split_lines(parts) for line in block.lines if line]

    assert plain(chunks) == plain([data])


@pytest.mark.parametrize(
    "text",
    [
        "ERROR caf\xe9 is shut",
        "Gr\xfc\xdfe aus K\xf6ln",
        "se\xf1or, \xe0 bient\xf4t",
        "42 \xb0C, 3 \xb5s",
        "na\xefve\nr\xe9sum\xe9\n" * 50,
    ],
)
def test_words_of_western_europe_in_one_byte_a_letter_are_latin_1(text: str) -> None:
    assert is_latin1(text.encode("latin-1"))
    assert not is_latin1(text.encode("utf-8"))
    assert b"".join(latin1_as_utf8([text.encode("latin-1")])).decode() == text


@pytest.mark.parametrize(
    "sample",
    [
        b"plain",
        b"caf\xe9\n \xff\xfe\x80 end",
        b"broken \xc3",
        b"caf\xe9 and caf\xc3\xa9",
        b"\x93quoted\x94",
        b"a" * 99 + b"\xe9" * 99,
    ],
)
def test_stray_bytes_and_other_code_pages_are_not_taken_for_latin_1(sample: bytes) -> None:
    assert not is_latin1(sample)


def test_a_line_of_utf_8_in_a_latin_1_file_stays_what_it_is() -> None:
    chunks = [b"caf\xe9\nna\xc3", b"\xafve\nK\xf6", b"ln"]
    assert b"".join(latin1_as_utf8(chunks)).decode() == "caf\xe9\nna\xefve\nK\xf6ln"
