"""What a model that judges is sent of claims: as they are shown to the user, and never without bound."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.domain.answer import Draft
from groundwire.domain.deadline import Deadline
from groundwire.domain.model import ModelReply
from groundwire.domain.names import Verdict
from groundwire.domain.verdict import ClaimVerdict
from groundwire.judges.model_judge import ModelJudge
from groundwire.ports import JudgeRequest
from groundwire.testing import ScriptedModel
from tests.unit.rows import question
from tests.unit.sessions import claim


def sent(verdicts: Sequence[ClaimVerdict]) -> str:
    """What the judge is sent of these verdicts, with spaces for markers."""
    model = ScriptedModel(ModelReply(text="{}"))
    draft = Draft(claims=tuple(verdict.claim for verdict in verdicts))
    request = JudgeRequest(question=question(), draft=draft, entries=(), verdicts=tuple(verdicts), coverage={})
    ModelJudge(model).judge(request, Deadline.after(5))
    system, user = model.requests[0].messages
    return user.text.replace(system.text.split(" in place of its spaces")[0][-1], " ")


def verdict(text: str, voice: str | None = None) -> ClaimVerdict:
    return ClaimVerdict(
        claim=claim(text, "i1.logs.0", kind="cause"), verdict=Verdict.SUPPORTED, reason="the line says so", voice=voice
    )


def test_a_claim_that_is_a_logs_word_is_judged_as_that() -> None:
    assert '"text":"checkout\'s log says: the bank is down"' in sent([verdict("the bank is down", "checkout's log says")])
    assert '"text":"the bank is down"' in sent([verdict("the bank is down")])


def test_a_section_ends_at_forty_thousand_characters_and_says_what_is_cut() -> None:
    long = sent([verdict("x" * 100_000)])
    assert 39_000 < long.count("x") < 41_000
    (cut,) = [int(part.split(" ")[0]) for part in long.split("[cut: ")[1:]]
    assert 60_000 < cut < 61_000
    assert "What was looked at:" in long


def test_a_section_of_forty_thousand_characters_is_sent_whole() -> None:
    assert "[cut: " not in sent([verdict("x" * 39_000)])
