"""Sources on real inputs: runbooks against questions, servers' real answers."""

from __future__ import annotations

import json
from pathlib import Path

from corpus.conftest import Command
from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.domain.deadline import Deadline
from groundwire.domain.knowledge import KnowledgeRequest


def test_the_right_runbook_is_among_the_first_five_for_most_symptoms(corpus: Path) -> None:
    questions = json.loads((corpus / "runbooks" / "questions.json").read_text())
    base, hits = MarkdownKnowledge("runbooks", corpus / "runbooks"), 0
    for item in questions:
        request = KnowledgeRequest(query=item["question"], service=None, alert_name=None, limit=5, deadline=Deadline.after(10))
        hits += any(item["runbook"] in block.source for block in base.lookup(request).blocks)
    assert hits >= 0.58 * len(questions)


def test_real_answers_of_servers_are_read_and_their_refusals_are_failures(corpus: Path, groundwire: Command) -> None:
    answers = corpus / "server-answers"
    for name, status in (
        ("prom_alerts.json", "evidence"),
        ("am_alerts_2.json", "evidence"),
        ("am_alerts_silenced.json", "evidence"),
        ("prom_err_badquery.json", "failed"),
        ("am_err_badfilter.json", "failed"),
        ("prom_query.json", "failed"),
        ("prom_err_404.json", "failed"),
    ):
        _, call = groundwire("call", "query_metrics", "--alerts", answers / name, allowed=(0,))
        assert call["invocation"]["status"] == status, name
