"""As much of LogQL as the adapter writes, evaluated as the documentation of Loki says."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.log_servers.kept import Kept
from tests.log_servers.tokens import Tokens

Test = Callable[[Kept], bool]


def parse_log_query(text: str) -> Test:
    """Return what a selector and its filters let through."""
    tokens = Tokens(text)
    tests = [_selector(tokens)]
    while tokens.head:
        if tokens.head == "|~":
            tokens.take()
            tests.append(_line(tokens.string()))
        else:
            tokens.expect("|")
            tests.append(_either(tokens))
    return lambda kept: all(test(kept) for test in tests)


def _selector(tokens: Tokens) -> Test:
    tokens.expect("{")
    tests: list[Test] = []
    can_be_empty = True
    while tokens.head != "}":
        name, sign, value = tokens.take(), tokens.take(), tokens.string()
        holds = _matching(sign, value)
        can_be_empty = can_be_empty and holds("")
        tests.append(_label(name, holds))
        if tokens.head == ",":
            tokens.take()
    tokens.expect("}")
    assert not can_be_empty, "queries require at least one regexp or equality matcher that is not empty-compatible"
    return lambda kept: all(test(kept) for test in tests)


def _line(expression: str) -> Test:
    pattern = re.compile(expression)
    return lambda kept: pattern.search(kept.text) is not None


def _label(name: str, holds: Callable[[str], bool]) -> Test:
    return lambda kept: holds(kept.stream.get(name, ""))


def _matching(sign: str, value: str) -> Callable[[str], bool]:
    pattern = re.compile(value) if sign in {"=~", "!~"} else None
    return {
        "=": lambda text: text == value,
        "!=": lambda text: text != value,
        "=~": lambda text: pattern is not None and pattern.fullmatch(text) is not None,
        "!~": lambda text: pattern is not None and pattern.fullmatch(text) is None,
    }[sign]


def _either(tokens: Tokens) -> Test:
    tests = [_both(tokens)]
    while tokens.head == "or":
        tokens.take()
        tests.append(_both(tokens))
    return lambda kept: any(test(kept) for test in tests)


def _both(tokens: Tokens) -> Test:
    tests = [_one(tokens)]
    while tokens.head == "and":
        tokens.take()
        tests.append(_one(tokens))
    return lambda kept: all(test(kept) for test in tests)


def _one(tokens: Tokens) -> Test:
    if tokens.head == "(":
        tokens.take()
        inside = _either(tokens)
        tokens.expect(")")
        return inside
    name, sign, value = tokens.take(), tokens.take(), tokens.string()
    holds = _matching(sign, value)
    return lambda kept: holds(kept.labels.get(name, ""))
