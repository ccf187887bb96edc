"""Decides drafts of the tests' own in this process, through the application that the command runs."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest

from groundwire.bootstrap import build
from groundwire.domain.answer import Answer
from groundwire.domain.incident import TimeWindow
from groundwire.settings import Settings
from tests.acceptance.command import Groundwire
from tests.acceptance.database import Row
from tests.acceptance.gateway import Quiet
from tests.acceptance.incident import WHY, WINDOW, Incident
from tests.acceptance.scripted import JUDGE, SCRIPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decided session: the answer as it was returned, and its rows as SQL gives them."""

    answer: Answer
    session: Row
    evaluation: Row

    @property
    def outcome(self) -> tuple[str, str | None]:
        assert (self.answer.decision, self.answer.degraded_reason) == (self.session["decision"], self.session["degraded_reason"])
        assert (self.evaluation["decision"], self.evaluation["degraded_reason"]) == (
            self.session["decision"],
            self.session["degraded_reason"],
        )
        return self.session["decision"], self.session["degraded_reason"]


@dataclass(slots=True, kw_only=True)
class Bench:
    """Decides drafts of the test's own over the incident, in this process, through the application that the command runs."""

    groundwire: Groundwire
    incident: Incident
    patch: pytest.MonkeyPatch
    settings: dict[str, Any]

    def decide(
        self,
        told: Any,
        *,
        judge: dict[str, Any] | None = None,
        question: str = WHY,
        window: TimeWindow = WINDOW,
    ) -> Decided:
        settings: dict[str, Any] = {"db": str(self.groundwire.db.path), "judge_timeout_s": 1} | self.settings
        if told is not None:
            place = self.groundwire.folder / "told.json"
            place.write_text(json.dumps(told))
            self.patch.setenv(SCRIPT, str(place))
            settings["investigator"] = "scripted"
        if judge is not None:
            self.patch.setenv(JUDGE, json.dumps(judge))
            settings["judge"] = "scripted"
        with closing(build(Settings(**settings))) as app:
            answer = app.diagnose(question, services=(), window=window, progress=Quiet())
        evaluations = self.groundwire.db.evaluations(answer.session_id)
        assert evaluations, "no verifier_evaluation row"
        return Decided(answer=answer, session=self.groundwire.db.session(answer.session_id), evaluation=evaluations[-1])
