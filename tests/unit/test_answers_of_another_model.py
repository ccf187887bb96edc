"""The bench's reading of another model's answers: its claims, what its evidence files hold, and agreement with our labels."""

from __future__ import annotations

import json

import pytest

from bench.grounding.answers.agreement import agreement_of
from bench.grounding.answers.answer_file import claims_of
from bench.grounding.answers.entries import Entries, entries_of
from bench.grounding.answers.evidence_files import newest_instant
from bench.grounding.answers.labels import Label, labelled

RESPONSE = """\
ROOT_CAUSE: The kettle boiled dry.
ROOT_CAUSE_CATEGORY: neglect

VALIDATED_CLAIMS:
- Water fell from 9 to 0. [evidence: gauges, kitchen_events]
- The lid [a red one] is on.

NON_VALIDATED_CLAIMS:
- Somebody might have left.

CAUSAL_CHAIN:
- Nobody looked.
"""


def label(claim: str, sha256: str, said: str = "supported") -> Label:
    return Label(scenario="kettle", claim=claim, sha256=sha256, kind="observation", label=said, why="seen")


def only(found: tuple[Entries, ...]) -> Entries:
    (entries,) = found
    return entries


def test_the_claims_of_both_lists_are_read_with_what_they_cite_and_nothing_around_them() -> None:
    claims = list(claims_of("kettle", RESPONSE))
    assert [(claim.number, claim.text, claim.sources) for claim in claims] == [
        ("v1", "Water fell from 9 to 0.", ("gauges", "kitchen_events")),
        ("v2", "The lid [a red one] is on.", ()),
        ("n1", "Somebody might have left.", ()),
    ]
    assert [claim.is_called_validated for claim in claims] == [True, True, False]


def test_a_label_belongs_to_the_words_that_it_was_given_to() -> None:
    first, second, third = claims_of("kettle", RESPONSE)
    pairs, without = labelled((first, second, third), [label("v1", first.digest), label("v2", first.digest)])
    assert [(claim.number, given.claim) for claim, given in pairs] == [("v1", "v1")]
    assert without == [second, third]


def test_a_label_that_is_none_of_the_three_is_refused() -> None:
    with pytest.raises(ValueError, match="'true' is none of supported, contradicted, unsupported"):
        label("v1", "0", "true")


def test_a_metric_becomes_a_series_of_its_name_dimensions_and_unit_oldest_first() -> None:
    result = {
        "metric_name": "Water",
        "dimensions": [{"Name": "Kettle", "Value": "red"}],
        "stat": "Average",
        "unit": "Litres",
        "timestamps": ["1970-01-01T00:02:00Z", "1970-01-01T00:01:00Z"],
        "values": [0.0, 9.0],
    }
    found = only(entries_of("gauges", {"metric_data_results": [result]}))
    labels = {"Kettle": "red", "stat": "Average", "unit": "Litres"}
    assert found == Entries(kind="series", items=({"metric": "Water", "labels": labels, "points": [[60.0, 9.0], [120.0, 0.0]]},))


def test_a_load_becomes_a_series_and_each_row_of_its_rankings_a_record_without_a_time() -> None:
    item = {
        "db_instance_identifier": "red",
        "start_time": "1970-01-01T00:00:00Z",
        "end_time": "1970-01-01T00:02:00Z",
        "db_load": {"timestamps": ["1970-01-01T00:01:00Z"], "values": [1.5], "unit": "sessions"},
        "top_sql": [{"statement": "SELECT 1", "db_load_avg": 1.4}],
    }
    load, rankings = entries_of("insights", item)
    assert load.items[0]["points"] == [[60.0, 1.5]]
    (row,) = rankings.items
    assert (row["timestamp"], row["level"], row["service"]) == (None, None, "red")
    assert row["fields"]["db_load_avg"] == 1.4
    assert row["fields"]["end_time"] == "1970-01-01T00:02:00Z"
    assert json.loads(row["message"]) == {"ranking": "top_sql", "statement": "SELECT 1", "db_load_avg": 1.4}


def test_a_pods_text_becomes_its_lines_and_a_line_without_a_time_goes_on_with_the_one_before() -> None:
    text = "1970-01-01T00:00:01Z WARN hot\n1970-01-01T00:00:02Z NOISE boiling\n1970-01-01T00:00:03Z [lid] off\n[it ended]\n"
    found = only(entries_of("pod_logs", {"pod_name": "kettle-1", "namespace": "kitchen", "logs": text}))
    assert [(line["timestamp"], line["level"], line["message"], line["instance"]) for line in found.items] == [
        ("1970-01-01T00:00:01Z", "WARN", "hot", "kettle-1"),
        ("1970-01-01T00:00:02Z", None, "NOISE boiling", "kettle-1"),
        ("1970-01-01T00:00:03Z", None, "[lid] off\n[it ended]", "kettle-1"),
    ]


def test_events_keep_their_last_time_whose_they_are_and_all_other_fields() -> None:
    event = {
        "message": "cold",
        "type": "Warning",
        "count": 2,
        "involved_object": "Pod/kettle-1",
        "last_time": "1970-01-01T00:00:05Z",
    }
    (cluster,) = only(entries_of("events", {"warning_events": [event]})).items
    assert (cluster["timestamp"], cluster["level"], cluster["instance"]) == ("1970-01-01T00:00:05Z", "WARN", "kettle-1")
    assert cluster["fields"]["count"] == 2
    stored = {"date": "1970-01-01T00:00:06Z", "message": "dry", "source_identifier": "red"}
    (database,) = only(entries_of("db_events", {"events": [stored]})).items
    assert (database["timestamp"], database["service"], database["message"]) == ("1970-01-01T00:00:06Z", "red", "dry")


def test_an_object_of_a_cluster_is_a_record_of_all_its_fields_and_has_no_time() -> None:
    pod = {"name": "kettle-1", "phase": "Running", "containers": [{"restart_count": 3}]}
    (record,) = only(entries_of("pods", {"pods": [pod]})).items
    assert (record["timestamp"], record["service"], record["instance"], record["fields"]) == (None, None, "kettle-1", pod)


@pytest.mark.parametrize(("said", "state"), [("OK", "resolved"), ("Alert", "firing"), ("No Data", "No Data")])
def test_a_monitor_is_an_alert_in_the_contracts_words_and_keeps_its_own(said: str, state: str) -> None:
    (alert,) = only(entries_of("monitors", {"monitors": [{"name": "water low", "overall_state": said}]})).items
    assert (alert["alert_name"], alert["state"], alert["labels"]["overall_state"]) == ("water low", state, said)


def test_an_empty_list_is_an_answer_and_an_unknown_shape_is_refused_by_name() -> None:
    assert only(entries_of("events", {"events": []})).items == ()
    with pytest.raises(ValueError, match="teapots: no evidence of a known shape under pots"):
        entries_of("teapots", {"pots": []})


def test_the_newest_instant_is_found_in_values_and_in_text() -> None:
    sources = {"a": {"at": "1970-01-01T00:00:05Z"}, "b": {"logs": "x\n1970-01-01T00:00:07Z hot\nsince 00:00:09Z"}}
    assert newest_instant(sources) == "1970-01-01T00:00:07Z"
    assert newest_instant({"a": {}}) is None


@pytest.mark.parametrize(
    ("pairs", "same", "kappa"),
    [
        # The worked example of Cohen's kappa: 20 and 15 of 50 alike, 5 and 10 not.
        ([("y", "y")] * 20 + [("n", "n")] * 15 + [("y", "n")] * 5 + [("n", "y")] * 10, 35, 0.4),
        ([("y", "y")] * 3, 3, 1.0),
        ([("y", "n"), ("n", "y")], 0, -1.0),
        ([], 0, 0.0),
    ],
)
def test_agreement_counts_what_is_alike_and_takes_chance_out(pairs: list[tuple[str, str]], same: int, kappa: float) -> None:
    found = agreement_of(pairs)
    assert (found.same, found.count, round(found.kappa, 6)) == (same, len(pairs), kappa)
