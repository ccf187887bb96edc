"""Tokens of the made servers' query languages: strings, names and signs, read one after the other."""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[\w.]+|\|~|=~|!~|!=|:~|[^\s])')


class Tokens:
    """The rest of a query. What does not fit is an AssertionError: the adapter wrote what no server would take."""

    def __init__(self, text: str) -> None:
        self._left = _TOKEN.findall(text)

    @property
    def head(self) -> str:
        return self._left[0] if self._left else ""

    def take(self) -> str:
        return str(self._left.pop(0))

    def expect(self, token: str) -> None:
        found = self.take()
        assert found == token, f"{found} where {token} belongs"

    def string(self) -> str:
        return str(json.loads(self.take()))
