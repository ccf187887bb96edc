"""A regular expression that cannot run away says what Python's says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.linear_pattern import LinearPattern

_ATOMS = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", r"\d", r"\w", r"\b", "^", "$", " ", r"\."])
_PATTERNS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"])).map(
            lambda both: f"(?:{both[0]}){both[1]}"
        ),
        st.tuples(inner, inner).map(lambda both: f"({both[0]}|{both[1]})"),
    ),
    max_leaves=6,
)


@settings(max_examples=600, deadline=None)
@given(pattern=_PATTERNS, text=st.text("abcA1 .\n_", max_size=12))
def test_it_finds_what_pythons_engine_finds(pattern: str, text: str) -> None:
    try:
        linear = LinearPattern(pattern)
    except ValueError as exc:
        assert "too big" in str(exc)
        return
    assert linear.search(text) is (re.search(pattern, text, re.IGNORECASE | re.MULTILINE) is not None)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}b", r"^(\w+\s?)*$!", "a.*b.*c.*d"]
)
def test_patterns_that_make_other_engines_run_away_look_at_each_character_once(pattern: str) -> None:
    linear = LinearPattern(pattern)
    steps = 0
    text = "a" * 20_000 + "!"

    class Counted(str):
        def __iter__(self):  # type: ignore[no-untyped-def]
            nonlocal steps
            for character in str.__iter__(self):
                steps += 1
                yield character

    assert linear.search(Counted(text)) is False
    assert steps == len(text)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a", "a bracket is not closed"),
        ("a)", "never opened"),
        ("*a", "nothing to repeat"),
        ("[a", "a class is not closed"),
        ("(?=a)", "only (...) and (?:...)"),
        (r"(a)\1", r"\1 is not known"),
        ("(?:a{100}){100}", "too big"),
        ("(" * 99 + "a" + "*)" * 99 + "b", "too big"),
        ("a" * 201, "200 characters"),
        ("[z-a]", "bad character range"),
        ("a{3,2}", "less often"),
    ],
)
def test_what_is_not_understood_is_refused_with_the_place(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        LinearPattern(pattern)
