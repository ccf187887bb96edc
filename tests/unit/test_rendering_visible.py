"""Hostile text is made visible, whatever it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.visible import visible
from groundwire.rendering.json_text import json_text


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J\x1b[31mPASS", "\\x1b[2J\\x1b[31mPASS"),
        ("\x9b31m", "\\x9b31m"),
        ("ok\x07\x08\x08", "ok\\x07\\x08\\x08"),
        ("100%\rPASS: all is well", "100%\\x0dPASS: all is well"),
        ("user\u202egnp.exe", "user\\u202egnp.exe"),
        ("a\u2066b\u2069c", "a\\u2066b\\u2069c"),
        ("pay\u200bment\u200d\ufeff", "pay\\u200bment\\u200d\\ufeff"),
        ("soft\u00adhyphen", "soft\\xadhyphen"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("hangul\u3164filler", "hangul\\u3164filler"),
        ("smuggled\U000e0101", "smuggled\\U000e0101"),
        ("lone\udcffsurrogate", "lone\\udcffsurrogate"),
        ("nul\x00", "nul\\x00"),
    ],
)
def test_what_would_not_be_seen_is_written_out(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\r\nlines\n\nand\ttabs ", "two lines and tabs"),
        ("next\x85line\u2028here\u2029and here", "next line here and here"),
        ("no\u00a0break\u3000wide", "no break wide"),
    ],
)
def test_line_breaks_and_blanks_become_one_space(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text", ["Ошибка: нет соединения", "接続プール枯渇", "Größe", "naïve e\u0301", "\u26a0\ufe0f hot", "שגיאה"]
)
def test_ordinary_writing_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_marks_that_paint_over_other_lines_are_cut_off() -> None:
    assert visible("z" + "\u0300" * 6) == "z" + "\u0300" * 4 + "\\u0300\\u0300"


@settings(deadline=None)
@given(st.text())
def test_what_is_visible_is_printable_and_on_one_line(text: str) -> None:
    shown = visible(text).replace("\ufe0f", "")
    assert shown.isprintable()


@settings(deadline=None)
@given(st.recursive(st.text() | st.floats() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_is_safe_on_a_terminal_and_says_the_same(value: object) -> None:
    for ascii_only in (False, True):
        text = json_text({"value": value}, ascii_only=ascii_only)
        assert all(char.isprintable() or char == "\n" for char in text)
        assert ascii_only is False or text.isascii()
    assert json.loads(json_text(value)) == json.loads(json.dumps(value), parse_constant=lambda name: None)
