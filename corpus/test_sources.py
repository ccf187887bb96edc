"""Sources on real inputs: log formats against their right answers, runbooks against questions, servers' real answers."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from corpus.conftest import Command
from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.adapters.logs.files import FileLogs
from groundwire.domain.deadline import Deadline
from groundwire.domain.knowledge import KnowledgeRequest
from groundwire.domain.levels import parse_level
from groundwire.domain.log_query import parse_log_query
from groundwire.domain.logs import LogRequest

SYSTEMS = ("Apache", "HDFS", "Hadoop", "Linux", "OpenSSH", "OpenStack", "Spark", "Zookeeper")


def _records(path: Path, year: int) -> list[tuple[str, str | None]]:
    from datetime import UTC, datetime

    from groundwire.domain.incident import TimeWindow

    window = TimeWindow(start=datetime(2000, 1, 1, tzinfo=UTC), end=datetime(2030, 1, 1, tzinfo=UTC))
    request = LogRequest(
        query=parse_log_query(""), service=None, min_level=None, window=window, limit=5000, deadline=Deadline.after(60)
    )
    page = FileLogs("corpus", path, year=year).search(request)
    return [
        (record.timestamp.strftime("%H:%M:%S") if record.timestamp else "", record.level.name if record.level else None)
        for record in reversed(page.records)
    ]


def _clock(text: str) -> str:
    """The time of day in whichever of the systems' spellings: 04:47:44, 20:10:40,123, 203615."""
    match = re.search(r"(\d\d):?(\d\d):?(\d\d)", text)
    assert match is not None, text
    return ":".join(match.groups())


@pytest.mark.parametrize("system", SYSTEMS)
def test_times_and_levels_of_a_real_log_are_read_as_its_right_answer_has_them(corpus: Path, system: str) -> None:
    with (corpus / "loghub" / f"{system}_2k.log_structured.csv").open(newline="", encoding="utf-8") as file:
        right = list(csv.DictReader(file))
    read = _records(corpus / "loghub" / f"{system}_2k.log", year=2005)
    # A record may hold several lines (a stack trace), never the other way round.
    assert 0.95 * len(right) <= len(read) <= len(right)
    clocks = {_clock(row["Time"]) for row in right}
    assert sum(time in clocks for time, _ in read) >= 0.99 * len(read)
    levels = [parse_level(row.get("Level") or "") for row in right]
    known = {level.name for level in levels if level is not None}
    if known:
        assert sum(level in known for _, level in read) >= 0.99 * len(read)


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
