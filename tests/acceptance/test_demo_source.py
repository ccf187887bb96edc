"""The log source that ships with Groundwire."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import groundwire.adapters.logs
from groundwire.bootstrap import build
from groundwire.settings import Settings
from tests.acceptance.command import Groundwire
from tests.acceptance.database import Row

_SHIPPED = Path(groundwire.adapters.logs.__file__).parent / "demo_files"


def _ask(groundwire: Groundwire, params: dict[str, Any]) -> tuple[Row, Any]:
    """Ask the demo source in this process; return the row and the stored output."""
    with closing(build(Settings(db=str(groundwire.db.path), logs=("demo",)))) as app:
        session_id = app.call("query_logs", params, session_id=None, window=None).session_id
    (row,) = groundwire.db.calls(session_id)
    return row, groundwire.db.output(row["id"])


def test_l1_order_service_and_pool_exhaustion_return_concrete_terms(groundwire: Groundwire) -> None:
    asked = {"service": "order-service", "query": "HikariPool", "limit": 200}
    answer = groundwire.call("query_logs", asked, "--logs", "demo")
    (row,) = groundwire.db.calls(answer["session_id"])
    output = groundwire.db.output(row["id"])
    assert (row["status"], row["success"], output["evidence_status"]) == ("evidence", True, "evidence")
    assert answer["output"] == output
    assert {log["service"] for log in output["logs"]} == {"order-service"}
    said = "\n".join(log["message"] for log in output["logs"])
    for term in ("HikariPool", "active=50/50", "waiting", "request timed out after 30000ms"):
        assert term in said
    texts = "\n".join(ref["text"] for ref in row["retrieval_details"]["evidence_refs"])
    assert "active=50/50" in texts


@pytest.mark.parametrize(
    "query",
    ["HikariCP connection pool", '"request timed out after 30000ms"', "active=50/50", "HikariCP", "connection pool exhausted"],
)
def test_l1_the_words_of_the_incident_find_it(query: str, groundwire: Groundwire) -> None:
    row, output = _ask(groundwire, {"service": "order-service", "query": query})
    assert row["status"] == "evidence"
    assert {log["service"] for log in output["logs"]} == {"order-service"}


def test_l2_an_unknown_service_returns_an_empty_list_and_no_evidence(groundwire: Groundwire) -> None:
    answer = groundwire.call("query_logs", {"service": "warehouse-robots"}, "--logs", "demo")
    (row,) = groundwire.db.calls(answer["session_id"])
    output = groundwire.db.output(row["id"])
    assert (output["logs"], output["evidence_status"], output["returned_count"], output["total_count"]) == (
        [],
        "no_evidence",
        0,
        0,
    )
    assert (row["status"], row["success"], row["output_state"]) == ("no_evidence", True, "empty")
    assert row["retrieval_details"]["evidence_refs"] == []


@pytest.mark.parametrize(
    "params",
    [
        {"service": "order-service", "query": "kernel panic"},
        {"query": "OutOfMemoryError"},
        {"service": "generic-service"},
        {"service": "order", "query": "HikariPool", "since": "2026-11-13T00:00:00Z", "until": "2026-11-14T00:00:00Z"},
        {"service": "ORDER-SERVICE-2"},
    ],
)
def test_l2_what_it_has_nothing_on_returns_nothing(params: dict[str, Any], groundwire: Groundwire) -> None:
    row, output = _ask(groundwire, params)
    assert (row["status"], output["evidence_status"], output["logs"]) == ("no_evidence", "no_evidence", [])


def test_l3_every_entry_stands_in_the_shipped_files_and_no_placeholder_appears(groundwire: Groundwire) -> None:
    lines = {path.name: path.read_text().splitlines() for path in _SHIPPED.iterdir()}
    whole_day = {"since": "2026-11-12T00:00:00Z", "until": "2026-11-13T00:00:00Z", "limit": 500}
    seen = 0
    for more in ({}, {"level": "error"}, {"service": "generic-service"}, {"query": "no such thing"}):
        _, output = _ask(groundwire, whole_day | more)
        for log in output["logs"]:
            name, _, number = log["source"].rpartition(":")
            first = log["message"].split("\n")[0]
            assert log["service"] in {Path(each).stem for each in lines}
            assert first in lines[name][int(number) - 1]
            seen += 1
    assert seen > 300
    kept = groundwire.db.everything().lower()
    for word in (b"placeholder", b"lorem ipsum", b"sample log", b"dummy"):
        assert word not in kept


def test_l3_the_demo_command_never_shows_a_placeholder(groundwire: Groundwire) -> None:
    result = groundwire.run("demo")
    assert "generic-service" not in result.stdout
    assert b"generic-service" not in groundwire.db.everything()
