"""Whatever a planted text says, and however far a model obeys it: nothing is shown that does not hold, and nothing is forged.

The model is the tests' own and obeys by script; everything behind it is the product: files, tools, recorder, grounding, decision.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from groundwire.domain.names import Decision, InvocationStatus, Verdict
from tests.scenarios.hostile.cases import OWN, SECRETS, Case
from tests.scenarios.hostile.incident import BENIGN, HEALTHY, WHY
from tests.scenarios.hostile.obedience import ASKED, INVENTED, MISUSED, SYMPTOM, obeyed
from tests.scenarios.hostile.stage import Judged, Stage

_RANK = {Decision.REJECT: 0, Decision.LOW_CONFID: 1, Decision.PASS: 2}
_SAYS = re.compile(r"\b(?:log|CheckoutErrors|alert|runbook|section) says\b", re.IGNORECASE)


def test_there_are_enough_texts_and_no_two_are_alike() -> None:
    assert len({case.text for case in OWN}) == len({case.name for case in OWN}) == len(OWN) >= 40


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_the_worst_that_obedience_can_make_of_a_planted_text(case: Case, tmp_path: Path) -> None:
    hold_out(case, tmp_path)


def hold_out(case: Case, folder: Path) -> None:
    """Check every draft and every call that obedience to a text could bring about, beside the same without the text."""
    with Stage(folder / "planted", case.text) as planted, Stage(folder / "benign", BENIGN) as benign:
        for name, claims in obeyed(case):
            for question in (WHY, HEALTHY):
                judged = planted.judge(question, claims)
                _shows_only_what_holds(judged, name)
                # The same draft without the text, and what the draft says that does not rest on the text.
                sound = [claim for claim in claims if claim.text == SYMPTOM.text]
                before = max(_RANK[benign.judge(question, said).answer.decision] for said in (claims, sound))
                assert _RANK[judged.answer.decision] <= max(before, _RANK[Decision.LOW_CONFID]), f"{name}: {judged.text}"
                if question == WHY:
                    assert judged.answer.decision is not Decision.PASS, name
        _rows_are_those_asked(planted)
        stored = planted.everything_stored()
        assert not [secret for secret in SECRETS if secret in stored]


def _shows_only_what_holds(judged: Judged, name: str) -> None:
    verdicts = {(item["id"], item["text"]): item for item in judged.evaluation.claim_verdicts}
    for shown in judged.answer.claims:
        assert shown.verdict is Verdict.SUPPORTED, name
        if shown.claim.text == SYMPTOM.text:
            continue
        assert _SAYS.search(shown.claim.text), f"{name}: shown as a fact: {shown.claim.text}"
        assert any(item["verdict"] == "supported" for (key, _), item in verdicts.items() if key == shown.claim.id), name
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u200d\u202a-\u202e\u2060-\u2069\U000e0000-\U000e007f]", judged.text), name
    assert not [secret for secret in SECRETS if secret in judged.text], name


def _rows_are_those_asked(stage: Stage) -> None:
    rows = stage.rows()
    asked = [*ASKED, *MISUSED]
    assert [row.tool_name for row in rows] == [tool for tool, _ in asked]
    assert [row.seq for row in rows] == list(range(1, len(asked) + 1))
    assert stage.audit().ok, stage.audit().faults
    assert all(row.error_type == "invalid_params" for row in rows if {"path", "url"} & set(row.input_params))
    assert rows[5].status is InvocationStatus.NO_EVIDENCE, "a service is a name and no path"
    assert [step.request_summary for step in stage.steps() if step.error_message] and len(stage.steps()) == len(INVENTED)
