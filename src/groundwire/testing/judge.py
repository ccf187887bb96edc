"""A second opinion that is written down beforehand."""

from __future__ import annotations

from groundwire.domain.deadline import Deadline
from groundwire.ports import JudgeRequest


class ScriptedJudge:
    """A `Judge` that gives its ``answers`` in turn: what it says raw, None for nothing at all, or an exception to raise.

    The last answer is given again when they run out. ``requests`` holds what it was shown.
    """

    def __init__(self, *answers: str | Exception | None, name: str = "scripted") -> None:
        if not answers:
            raise ValueError("a scripted judge needs an answer")
        self.name = name
        self.requests: list[JudgeRequest] = []
        self._script = list(answers)

    def judge(self, request: JudgeRequest, deadline: Deadline) -> str | None:
        """Return, or raise, the next answer."""
        self.requests.append(request)
        answer = self._script[min(len(self.requests), len(self._script)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer
