"""The entries that a verifier reads, merged from the rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from groundwire.bootstrap import build
from groundwire.domain.errors import BackendUnavailableError
from groundwire.ports import CallContext
from groundwire.settings import Settings
from groundwire.testing import ScriptedTool
from tests.acceptance.command import Groundwire
from tests.acceptance.conftest import once
from tests.acceptance.gateway import open_session
from tests.acceptance.incident import IN_WINDOW, Incident, write_incident

ERRORS = {"service": "checkout", "level": "error"}
BEFORE = {"service": "checkout", "since": "2026-11-20T09:00:00Z", "until": "2026-11-20T10:00:00Z"}
NO_HIT = {"service": "checkout", "query": "nosuchword"}


def _trace_of(groundwire: Groundwire, incident: Incident, steps: list[list[Any]], *more: str) -> dict[str, Any]:
    """Make the calls through the command and return its trace."""
    result = groundwire.run_script({"do": steps, "draft": {"claims": []}}, "--logs", str(incident.logs), *more, *IN_WINDOW)
    trace = groundwire.run("trace", result.json["session_id"], "--json").json
    assert isinstance(trace, dict)
    return trace


def _away(folder: Path, step: list[Any]) -> list[list[Any]]:
    """Return the steps that make one call while a folder is not there."""
    return [["move", str(folder), f"{folder}.away"], step, ["move", f"{folder}.away", str(folder)]]


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory, plugins: Path) -> dict[str, Any]:
    """A trace of one direct hit, one indirect, ten no-hits and two failures about checkout; a failure about payments; repeats."""

    def make(folder: Path) -> Any:
        incident = write_incident(folder / "incident")
        steps = [
            ["ask", "query_logs", NO_HIT],
            *_away(incident.logs, ["ask", "query_logs", {"service": "payments"}]),
            ["ask", "query_logs", BEFORE],
            *_away(incident.logs, ["ask", "query_logs", ERRORS]),
            *(["ask", "query_logs", NO_HIT | {"limit": limit}] for limit in range(2, 8)),
            ["ask", "query_logs", ERRORS | {"query": "1021"}],
            *_away(incident.logs, ["ask", "query_logs", ERRORS | {"limit": 7}]),
            *(["ask", "query_logs", NO_HIT | {"limit": limit}] for limit in range(8, 11)),
            ["ask", "lookup_knowledge", {"query": "zzyzx"}],
            ["ask", "lookup_knowledge", {"query": "CheckoutErrors"}],
            ["ask", "lookup_knowledge", {"query": "CheckoutErrors"}],
        ]
        return _trace_of(Groundwire(folder, plugins), incident, steps, "--runbooks", str(incident.runbooks))

    trace: dict[str, Any] = once(tmp_path_factory, "merged", make)[1]
    return trace


def _entry(trace: Mapping[str, Any], tool: str, domain: str) -> dict[str, Any]:
    (entry,) = [each for each in trace["entries"] if (each["tool_name"], each["topic_domain"]) == (tool, domain)]
    assert isinstance(entry, dict)
    return entry


def test_s1_a_failed_call_stays_marked_unsuccessful_and_explains_the_gap(merged: dict[str, Any]) -> None:
    entry = _entry(merged, "query_logs", "payments")
    assert (entry["success"], entry["evidence_level"], entry["failed_count"], entry["call_count"]) == (False, "none", 1, 1)
    assert "failed" in entry["output_summary"]
    assert "no such file or folder" in entry["output_summary"]
    assert "no evidence" not in entry["output_summary"]  # a gap is no absence


def test_s1_failed_calls_beside_successful_ones_are_still_told(merged: dict[str, Any]) -> None:
    entry = _entry(merged, "query_logs", "checkout")
    assert entry["failed_count"] == 2
    assert "no such file or folder" in entry["output_summary"]
    failed = [
        call["id"]
        for call in merged["invocations"]
        if call["status"] == "failed" and call["scope"]["labels"]["service"] == "checkout"
    ]
    assert set(failed) <= set(entry["source_invocation_ids"])


def test_s2_no_hits_and_repeats_are_counted_and_never_raise_the_level(merged: dict[str, Any]) -> None:
    logs, knowledge = _entry(merged, "query_logs", "checkout"), _entry(merged, "lookup_knowledge", "general")
    assert (logs["no_hit_count"], logs["deduped_count"]) == (10, 0)
    assert (knowledge["no_hit_count"], knowledge["deduped_count"], knowledge["evidence_level"]) == (1, 1, "indirect")
    assert "no evidence" in knowledge["output_summary"]
    assert "no new evidence" in knowledge["output_summary"]


def test_s2_no_hits_and_repeats_alone_are_no_evidence(groundwire: Groundwire) -> None:
    with open_session(groundwire.db.path, tools=[_told()]) as session:
        for kind in ("no hit", "failed", "no hit"):
            session.recorder.ask("query_logs", {"kind": kind})
    (entry,) = _entries(groundwire, session.id)
    assert (entry["evidence_level"], entry["no_hit_count"], entry["failed_count"]) == ("none", 2, 1)
    assert entry["excerpts"] == entry["refs"] == []


def test_s3_the_strongest_successful_level_is_kept_with_all_counts(merged: dict[str, Any]) -> None:
    entry = _entry(merged, "query_logs", "checkout")
    assert (entry["evidence_level"], entry["success"]) == ("direct", True)
    # Called 14 times, so repeated 13 times.
    assert (entry["call_count"], entry["failed_count"], entry["no_hit_count"]) == (14, 2, 10)


@pytest.mark.parametrize("order", list(permutations(["direct", "indirect", "no hit", "failed"]))[::5], ids="-".join)
def test_s3_merging_gives_the_same_in_whatever_order_the_calls_came(order: tuple[str, ...], groundwire: Groundwire) -> None:
    with open_session(groundwire.db.path, tools=[_told()]) as session:
        for kind in order:
            session.recorder.ask("query_logs", {"kind": kind})
    (entry,) = _entries(groundwire, session.id)
    assert (entry["evidence_level"], entry["success"]) == ("direct", True)
    assert (entry["call_count"], entry["failed_count"], entry["no_hit_count"], entry["deduped_count"]) == (4, 1, 1, 0)
    assert "the pool is exhausted" in entry["excerpts"][0]
    assert "the disk burned down" in entry["output_summary"]
    assert [row["id"] for row in groundwire.db.calls(session.id)] == entry["source_invocation_ids"]


def test_s3_tools_and_topic_domains_stay_apart(merged: dict[str, Any]) -> None:
    domains = {(entry["tool_name"], entry["topic_domain"]) for entry in merged["entries"]}
    assert domains == {("query_logs", "checkout"), ("query_logs", "payments"), ("lookup_knowledge", "general")}
    assert sum(entry["call_count"] for entry in merged["entries"]) == len(merged["invocations"]) == 18


def test_s4_one_direct_hit_among_many_calls_has_its_excerpt_and_all_ids(merged: dict[str, Any]) -> None:
    entry = _entry(merged, "query_logs", "checkout")
    about = [call["id"] for call in merged["invocations"] if call["scope"]["labels"].get("service") == "checkout"]
    assert entry["source_invocation_ids"] == about
    assert len(about) == 14
    hit = entry["excerpts"][0]
    assert "order 1021 failed: cannot reserve stock" in hit
    assert len(hit) <= 400
    assert not any("card declined" in hit for hit in entry["excerpts"][:1])


def test_s5_a_truncated_preview_with_a_concrete_hit_is_successful_evidence(groundwire: Groundwire, incident: Incident) -> None:
    trace = _trace_of(groundwire, incident, [["ask", "query_logs", {"service": "checkout", "limit": 500}]])
    (call,) = trace["invocations"]
    assert call["output_truncated"] is True
    with pytest.raises(json.JSONDecodeError):
        json.loads(call["output_preview"])
    # As a row of another recorder would be: no refs, and the cut in the middle of the first entry's message.
    groundwire.db.change("UPDATE tool_invocation SET retrieval_details = '{}' WHERE id = ?", call["id"])
    middle = call["output_preview"].index("order 2059") + len("order 2059 pla")
    groundwire.db.change("UPDATE tool_invocation SET output_preview = substr(output_preview, 1, ?)", middle)
    (entry,) = groundwire.run("trace", "last", "--json").json["entries"]
    assert (entry["evidence_level"], entry["success"], entry["no_hit_count"]) == ("direct", True, 0)
    assert "order 2059 pla" in entry["excerpts"][0]
    assert entry["refs"] == ["i1.logs.0"]


@pytest.mark.parametrize("cut", ["inside a word", "inside the escape", "after the entry", "inside the next entry"])
def test_s5_the_cut_may_be_anywhere_behind_the_hit(cut: str, groundwire: Groundwire) -> None:
    with open_session(groundwire.db.path, tools=[_told()]) as session:
        session.recorder.ask("query_logs", {"kind": "two"})
    preview = groundwire.db.value("SELECT output_preview FROM tool_invocation")
    end = {
        "inside a word": preview.index("exhau") + 5,
        "inside the escape": preview.index("\\n") + 1,
        "after the entry": preview.index("},{") + 1,
        "inside the next entry": preview.index("},{") + 20,
    }[cut]
    groundwire.db.change("UPDATE tool_invocation SET retrieval_details = NULL, output_preview = ?", preview[:end])
    (entry,) = _entries(groundwire, session.id)
    assert (entry["evidence_level"], entry["success"]) == ("direct", True)
    assert "the pool is exhau" in entry["excerpts"][0]


def _told() -> ScriptedTool:
    """Return a log tool that answers with what kind of answer it is asked for."""
    return ScriptedTool("query_logs", _answer)


def _answer(params: Mapping[str, Any], context: CallContext) -> dict[str, Any]:
    match params["kind"]:
        case "direct":
            return _found("2026-11-20T10:10:00Z", ["the pool is exhausted"])
        case "two":
            return _found("2026-11-20T10:10:00Z", ["the pool is exhausted\nat Pool.java", "a second"])
        case "indirect":
            return _found("2026-11-19T10:10:00Z", ["all was well yesterday"])
        case "no hit":
            return _found("", [])
    return _found("", []) | {"evidence_status": "failed", "error": {"type": "unavailable", "message": str(_BURNED)}}


_BURNED = BackendUnavailableError("files", "the disk burned down")


def _found(timestamp: str, messages: Iterable[str]) -> dict[str, Any]:
    logs = [
        {"timestamp": timestamp, "level": "ERROR", "service": "checkout", "instance": None, "message": message}
        for message in messages
    ]
    return {
        "evidence_status": "evidence" if logs else "no_evidence",
        "error": None,
        "returned_count": len(logs),
        "total_count": len(logs),
        "partial": False,
        "partial_reasons": [],
        "scope": {"window": None, "filter": {}, "labels": {"service": "checkout"}},
        "sources": [],
        "logs": logs,
    }


def _entries(groundwire: Groundwire, session_id: str) -> list[dict[str, Any]]:
    with closing(build(Settings(db=str(groundwire.db.path)))) as app:
        return [json.loads(json.dumps(entry.to_json())) for entry in app.trace(session_id).entries]
