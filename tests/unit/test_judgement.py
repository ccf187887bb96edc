"""What a judge said is read strictly: wrapping is forgiven, everything else is not."""

from __future__ import annotations

import json

import pytest

from groundwire.domain.names import Decision, DegradedReason
from groundwire.services.judgement import read_judgement

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
