"""The turns of one key: what is left of them, what the gateway in front refuses, what was asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from tests.wire.reply import Asked
from tests.wire.script import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One request as it arrived; header names are lower-case."""

    path: str
    key: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class Refused(Exception):  # noqa: N818 - no error of the server: it is what the scenario wants
    """The request is answered with status 400 and uses up no turn."""

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param


class Scenario:
    """A script in progress. Its turns are taken one at a time, by whichever thread asks first."""

    def __init__(self, *, key: str, turns: Sequence[Turn], refuse: Mapping[str, object]) -> None:
        self.key = key
        self.length = len(turns)
        self._left = deque(turns)
        self._refuse = refuse
        self._lock = Lock()

    @property
    def left(self) -> int:
        return len(self._left)

    def next_turn(self, asked: Asked) -> Turn | None:
        """Return the turn that answers, or None where the script is at its end.

        Raises:
            Refused: The real server, or this gateway, would not have taken the request.
        """
        for name, refused in self._refuse.items():
            if _is_refused(asked.body.get(name), refused):
                raise Refused(f"Unsupported value: {name!r} does not support {asked.body[name]!r} with this model.", name)
        if complaint := asked.wire.complaint(asked.body):
            raise Refused(complaint)
        with self._lock:
            return self._left.popleft() if self._left else None


def _is_refused(value: object, refused: object) -> bool:
    if value is None:
        return False
    return refused is True or value == refused or (isinstance(value, Mapping) and value.get("type") == refused)
