"""A tool whose outputs are written down beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from groundwire.ports import CallContext

Output = dict[str, Any] | Exception | Callable[[Mapping[str, Any], CallContext], dict[str, Any]]


class ScriptedTool:
    """A `Tool` that gives its ``outputs`` in turn: a JSON object, an exception to raise, or a function of the call.

    The last output is given again when they run out. ``calls`` holds the parameters it was called with.
    """

    def __init__(self, name: str, *outputs: Output) -> None:
        if not outputs:
            raise ValueError("a scripted tool needs an output")
        self.name = name
        self.calls: list[dict[str, Any]] = []
        self._script = outputs

    def run(self, params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
        """Return, raise or compute the next output."""
        self.calls.append(dict(params))
        output = self._script[min(len(self.calls), len(self._script)) - 1]
        if isinstance(output, Exception):
            raise output
        return output(params, context) if callable(output) else output
