"""A scenario's folder as a session: what its files become, what a citation of a file cites, and a claim held against it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.grounding.answers.answer_file import claims_of, read_claims
from bench.grounding.answers.evidence_files import read_sources
from bench.grounding.answers.labels import LABELS, Label, read_labels
from bench.grounding.answers.measure import check, figures_of
from bench.grounding.answers.sessions import open_scenario
from groundwire.domain.names import ClaimKind

ALERT = {
    "title": "Water low - kettle",
    "state": "alerting",
    "commonLabels": {"alertname": "WaterLow", "severity": "critical", "service": "rds"},
    "commonAnnotations": {"db_instance_identifier": "kettle"},
}
WATER = {
    "metric_name": "Water",
    "dimensions": [{"Name": "Kettle", "Value": "kettle"}],
    "timestamps": ["2026-05-01T10:00:00Z", "2026-05-01T10:01:00Z"],
    "values": [9.0, 4.0],
}
ENVELOPE = {"period": 60, "start_time": "2026-05-01T10:00:00Z", "end_time": "2026-05-01T10:02:00Z"}
EVENTS = {"events": [{"date": "2026-05-01T10:05:00Z", "message": "The kettle was lifted.", "source_identifier": "kettle"}]}
RESPONSE = """\
VALIDATED_CLAIMS:
- Water peaked at 9. [evidence: aws_cloudwatch_metrics]
- Water peaked at 7. [evidence: aws_cloudwatch_metrics]
- Water peaked at 9. [evidence: aws_gauges]
NON_VALIDATED_CLAIMS:
- Water peaked at 9.
- Somebody might have left.
"""


def scenario(root: Path, files: Mapping[str, Any]) -> Path:
    folder = root / "kettle"
    folder.mkdir()
    for name, item in files.items():
        (folder / name).write_text(item if isinstance(item, str) else json.dumps(item), encoding="utf-8")
    return folder


@pytest.fixture
def kettle(tmp_path: Path) -> Path:
    return scenario(
        tmp_path,
        {
            "alert.json": ALERT,
            "aws_cloudwatch_metrics_Water.json": WATER,
            "aws_cloudwatch_metrics_envelope.json": ENVELOPE,
            "aws_rds_events.json": EVENTS,
            "answer.yml": "model_response: |\n" + "".join(f"  {line}\n" for line in RESPONSE.splitlines()),
            "scenario.yml": "severity: critical\n",
        },
    )


def test_metrics_that_lie_in_a_file_each_are_one_source_with_their_envelope(kettle: Path) -> None:
    sources = read_sources(kettle)
    assert list(sources) == ["alert", "aws_cloudwatch_metrics", "aws_rds_events"]
    assert sources["aws_cloudwatch_metrics"] == {**ENVELOPE, "metric_data_results": [WATER]}


def test_each_file_is_a_completed_call_and_citing_it_cites_the_call_and_all_its_entries(kettle: Path) -> None:
    session = open_scenario(kettle)
    rows = [call.row for call in session.base.calls]
    assert [(row.tool_name, row.status) for row in rows] == [
        ("query_metrics", "evidence"),
        ("query_metrics", "evidence"),
        ("query_logs", "evidence"),
    ]
    assert session.base.question.subjects == ("kettle",)
    assert session.refs_of(["aws_rds_events", "aws_cloudwatch_metrics"]) == ("i3", "i3.logs.0", "i2", "i2.series.0")
    assert all(session.base.resolve(ref) is not None for ref in session.refs_of(session.calls_of))


def test_a_file_that_is_not_there_is_a_call_that_the_session_does_not_have(kettle: Path) -> None:
    session = open_scenario(kettle)
    (ref,) = session.refs_of(["aws_gauges"])
    assert session.base.resolve(ref) is None


def test_a_call_looked_at_the_span_that_its_file_states_and_else_at_the_sessions(kettle: Path) -> None:
    session = open_scenario(kettle)
    windows = [(call.row.scope or {})["window"] for call in session.base.calls]
    whole = {"start": "2026-05-01T10:00:00Z", "end": "2026-05-01T10:05:01Z"}
    assert windows == [whole, {"start": ENVELOPE["start_time"], "end": ENVELOPE["end_time"]}, whole]


def test_an_empty_list_is_a_call_that_found_nothing(tmp_path: Path) -> None:
    session = open_scenario(scenario(tmp_path, {"alert.json": ALERT, "a.json": {"events": []}, "b.json": EVENTS}))
    (call,) = session.calls_of["a"]
    assert (call.row.status, call.row.total_count, session.refs_of(["a"])) == ("no_evidence", 0, (call.row.ref_id,))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a.json": "{"}, "a.json is not JSON"),
        ({"a.json": "[]"}, "a.json holds no JSON object"),
        ({"a.json": {"events": []}}, "kettle: no time stands in its evidence"),
    ],
)
def test_evidence_that_cannot_be_read_is_refused_by_name(files: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        open_scenario(scenario(tmp_path, files))


def test_a_folder_without_an_answer_has_no_claims(tmp_path: Path) -> None:
    assert read_claims(tmp_path) == ()


def test_the_labels_name_each_claim_once_and_hold_kinds_that_there_are() -> None:
    labels = read_labels()
    assert len({(each.scenario, each.claim) for each in labels}) == len(labels)
    assert {each.label for each in labels} == set(LABELS)
    assert all(ClaimKind(each.kind) and each.why for each in labels)


def test_verdicts_stand_beside_labels_and_what_cites_nothing_is_attributed(kettle: Path) -> None:
    said = {"v1": "supported", "v2": "contradicted", "v3": "unsupported", "n1": "supported"}
    kinds = {claim.number: claim for claim in claims_of("kettle", RESPONSE)}
    labels = [
        Label(scenario="kettle", claim=number, sha256=kinds[number].digest, kind="observation", label=label, why="seen")
        for number, label in said.items()
    ]
    checked, unlabelled = check(kettle.parent, labels)
    assert {item.claim.number: str(item.verdict.verdict) for item in checked} == said
    assert [claim.number for claim in unlabelled] == ["n2"]
    assert [item.missing for item in checked] == [(), (), ("aws_gauges",), ()]
    assert next(item.verdict.claim.refs for item in checked if item.claim.number == "n1") == ("i2.series.0",)
    figures = figures_of(checked)
    assert [(row["n"], row["accepted"], row["called_validated"]) for row in figures[:3]] == [(2, 2, 1), (1, 0, 1), (1, 0, 1)]
    assert [(row["same"], row["n"], row["kappa"]) for row in figures[3:]] == [(4, 4, 1.0), (4, 4, 1.0), (1, 4, -0.5)]
