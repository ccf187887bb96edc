"""Every tool's JSON object is of the schema that stands beside it, whatever came of the call."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import groundwire.tools
from groundwire.adapters.knowledge.demo import DemoKnowledge
from groundwire.adapters.knowledge.markdown import MarkdownKnowledge
from groundwire.adapters.logs.demo import DemoLogs
from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.metrics.demo import DemoAlerts
from groundwire.adapters.metrics.snapshot import SavedAlerts
from groundwire.domain.deadline import Deadline
from groundwire.domain.incident import TimeWindow
from groundwire.ports import CallContext, Tool
from groundwire.tools.lookup_knowledge import LookupKnowledge
from groundwire.tools.query_logs import QueryLogs
from groundwire.tools.query_metrics import QueryMetrics

_SCHEMAS = Path(groundwire.tools.__file__).parent / "schemas"
_WINDOW = TimeWindow(start=datetime(2026, 11, 12, 9, tzinfo=UTC), end=datetime(2026, 11, 12, 10, 30, tzinfo=UTC))
_NOWHERE = Path("no-such-folder")


def _problems(tool: Tool, params: dict[str, Any]) -> list[str]:
    schema = json.loads((_SCHEMAS / f"{tool.name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    context = CallContext(window=_WINDOW, deadline=Deadline.after(10), earlier_calls=list)
    output = json.loads(json.dumps(tool.run(params, context)))
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(output)]


@pytest.mark.parametrize(
    "params", [{}, {"service": "order-service", "level": "error"}, {"service": "nobody"}, {"query": '"timed out" -retry'}]
)
def test_query_logs_answers_by_its_schema(params: dict[str, Any]) -> None:
    assert _problems(QueryLogs([DemoLogs()]), params) == []
    assert _problems(QueryLogs([DemoLogs(), FileLogs("gone", _NOWHERE)]), params) == []
    assert _problems(QueryLogs([FileLogs("gone", _NOWHERE)]), params) == []


@pytest.mark.parametrize("params", [{}, {"service": "order-service"}, {"alert_name": "Watchdog"}, {"state": "resolved"}])
def test_query_metrics_answers_by_its_schema(params: dict[str, Any]) -> None:
    assert _problems(QueryMetrics([DemoAlerts()]), params) == []
    assert _problems(QueryMetrics([SavedAlerts("gone", _NOWHERE)]), params) == []


@pytest.mark.parametrize("params", [{"query": "connection pool exhausted"}, {"query": "banana bread"}])
def test_lookup_knowledge_answers_by_its_schema(params: dict[str, Any]) -> None:
    assert _problems(LookupKnowledge([DemoKnowledge()]), params) == []
    assert _problems(LookupKnowledge([MarkdownKnowledge("gone", _NOWHERE)]), params) == []
