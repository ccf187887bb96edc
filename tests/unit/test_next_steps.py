"""What to check next, where nothing was found."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.evidence.next_steps import next_steps
from tests.unit.rows import WINDOW, logs_output, row


def _asked(newest: str | None) -> dict[str, Any]:
    source = {"name": "files", "kind": "logs", "live": False, "status": "no_evidence", "newest_record": newest}
    return {**logs_output(), "sources": [source]}


def test_saved_logs_that_ended_before_the_window_are_pointed_out_with_the_flags_to_look_there() -> None:
    steps = next_steps([row(1, "query_logs", _asked("2026-11-01T14:50:39.600Z"))], "0-session")
    assert steps[0] == (
        "The saved logs end at 2026-11-01T14:50:39.600Z: look there with --since 2026-11-01T14:05:39Z "
        "--until 2026-11-01T15:05:39Z"
    )
    assert steps[1].startswith("Look at a wider window")


@pytest.mark.parametrize("newest", [WINDOW.end.isoformat(), None])
def test_logs_that_reach_into_the_window_or_live_on_are_not(newest: str | None) -> None:
    (step,) = next_steps([row(1, "query_logs", _asked(newest))], "0-session")
    assert step.startswith("Look at a wider window")
