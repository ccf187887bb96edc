"""No line is wider than it may be, as a terminal counts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.rendering.layout import break_line, display_width, shorten, wrap


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("接続", 4), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("e\u0301", 1), ("\u26a0\ufe0f", 2), ("Größe", 5)],
)
def test_width_is_counted_as_a_terminal_draws_it(text: str, columns: int) -> None:
    assert display_width(text) == columns


def test_words_stay_whole_and_hang_below_the_first() -> None:
    assert wrap("one two three four", 12, first="- ") == ["- one two", "  three four"]


def test_a_word_longer_than_a_line_is_broken() -> None:
    assert wrap("see aaaaaaaaaaaaaaaa now", 10, first="> ") == ["> see", "  aaaaaaaa", "  aaaaaaaa", "  now"]


def test_wide_characters_are_broken_by_their_columns() -> None:
    assert wrap("枯枯枯枯枯", 5) == ["枯枯", "枯枯", "枯"]


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(min_value=20, max_value=100))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, width: int) -> None:
    lines = wrap(text, width, first="  - ")
    assert all(display_width(line) <= width for line in lines)
    assert "".join(line[4:] for line in lines).replace(" ", "") == "".join(wrap(text, 100_000)).replace(" ", "")


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(min_value=10, max_value=60))
def test_what_is_cut_off_is_marked_and_fits(text: str, columns: int) -> None:
    shown, whole = shorten(text, columns), "".join(wrap(text, 100_000))
    assert display_width(shown) <= columns
    assert shown == whole or shown.endswith("...")


def test_a_line_that_keeps_its_blanks_is_broken_behind_one_or_where_it_is_full() -> None:
    assert break_line("    at a.b.C  (D.java:1)", 15, first="x ") == ["x     at a.b.C", "  (D.java:1)"]
    assert break_line("aaaaaaaaaaaa", 7, first="x ") == ["x aaaaa", "  aaaaa", "  aa"]
    assert break_line("", 7, first="x ") == ["x"]


@settings(deadline=None)
@given(st.text(alphabet="ab 接", max_size=200), st.integers(min_value=20, max_value=60))
def test_a_broken_line_fits_and_loses_only_blanks(text: str, width: int) -> None:
    lines = break_line(text, width, first="- ")
    assert all(display_width(line) <= width for line in lines)
    assert "".join(line[2:] for line in lines).replace(" ", "") == text.replace(" ", "")
