"""What a judge said is read strictly: wrapping is forgiven, everything else is not."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendUnavailableError
from groundwire.domain.names import Decision, DegradedReason
from groundwire.ports import JudgeRequest
from groundwire.services.judgement import ask_judge, read_judgement

LOW = '{"decision": "LOW_CONFID", "claims": [{"id": "c1", "verdict": "unsupported", "reason": "}"}], "missing_evidence": []}'


@pytest.mark.parametrize(
    "raw",
    [
        LOW,
        f"\n  {LOW}\n",
        f"```json\n{LOW}\n```",
        f"```\n{LOW}\n```\n",
        f"```json\n{LOW}```",
        f"My verdict is as follows: {LOW}",
        f"Sure.\n\n```json\n{LOW}\n```",
    ],
)
def test_a_fence_and_a_sentence_before_it_are_forgiven(raw: str) -> None:
    said = read_judgement(raw)
    assert (said.decision, said.fault, said.raw) == (Decision.LOW_CONFID, None, raw)


@pytest.mark.parametrize(
    "raw",
    [
        f"{LOW} I hope this helps.",
        f"{LOW}\n{LOW}",
        f'{{"decision": "PASS"}} or rather {LOW}',
        f"```json\n{LOW}\n```\n```json\n{LOW}\n```",
        f"```json\n{LOW}",
        f"<verdict>{LOW[:-1]}",
        f"as {{x}} says: {LOW}",
        LOW[:40],
        "decision: PASS",
        "I cannot help with that.",
        "{" * 5000,
    ],
)
def test_anything_else_that_is_not_json_is_invalid_json(raw: str) -> None:
    assert read_judgement(raw).fault is DegradedReason.VERIFIER_INVALID_JSON


@pytest.mark.parametrize(
    "claims",
    [["c1"], [{"id": 1, "verdict": "supported"}], [{"id": "c1", "verdict": "fine"}], [{"verdict": "supported"}], {"c1": "ok"}],
)
def test_claims_of_another_shape_are_an_invalid_schema(claims: object) -> None:
    raw = json.dumps({"decision": "PASS", "claims": claims})
    assert read_judgement(raw).fault is DegradedReason.VERIFIER_INVALID_SCHEMA


@pytest.mark.parametrize(
    ("verdict", "decision"),
    [
        ("supported", Decision.PASS),
        ("uncheckable", Decision.PASS),
        ("unsupported", Decision.LOW_CONFID),
        ("contradicted", Decision.LOW_CONFID),
    ],
)
def test_a_pass_over_a_claim_that_the_judge_itself_doubts_is_no_pass(verdict: str, decision: Decision) -> None:
    raw = json.dumps({"decision": "PASS", "claims": [{"id": "c1", "verdict": verdict, "reason": "so"}]})
    assert read_judgement(raw).decision is decision


class Odd:
    """A judge of somebody else's."""

    name = "odd"

    def __init__(self, said: Any) -> None:
        self._said = said

    def judge(self, request: JudgeRequest, deadline: Deadline) -> Any:
        if isinstance(self._said, BaseException):
            raise self._said
        return self._said


@pytest.mark.parametrize(
    ("said", "raw"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt: "),
        (RuntimeError("password=hunter2Xq9"), "RuntimeError: password=[masked:password]"),
        (BackendUnavailableError("made", "down"), "made: down"),
    ],
)
def test_whatever_a_judge_raises_is_told_at_once_and_no_opinion(said: BaseException, raw: str) -> None:
    # With a deadline of an hour, one that went unheard would be waited for.
    judgement = ask_judge(Odd(said), cast("JudgeRequest", None), timeout_s=3600)
    assert (judgement.fault, judgement.raw) == (DegradedReason.VERIFIER_UNAVAILABLE, raw)


@pytest.mark.parametrize("said", [{"decision": "PASS"}, b'{"decision": "PASS"}', True, 0])
def test_a_judge_that_returns_no_text_has_said_no_json(said: object) -> None:
    judgement = ask_judge(Odd(said), cast("JudgeRequest", None), timeout_s=3600)
    assert (judgement.decision, judgement.fault, judgement.raw) == (None, DegradedReason.VERIFIER_INVALID_JSON, repr(said))
