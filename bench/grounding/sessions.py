"""What the claims are about: recorded sessions, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEVELOPMENT = "development"
REPORTING = "reporting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the command line.

    ``tag`` says what the call is for: ``browse`` (records to talk about), ``errors`` and ``level`` (a complete count), ``cut``,
    ``partial``, ``failed``, ``silent``, ``narrow``, ``absent`` (complete, and nothing there),
    ``alerts``, ``series``, ``runbook``.
    ``sources`` are option and value of the command line, ``logs`` the raw files behind a log search.
    """

    tag: str
    tool: str
    params: Mapping[str, Any]
    sources: tuple[tuple[str, str], ...] = ()
    logs: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session: its question names subjects, ``absent_names`` among them that no source has ever heard of."""

    name: str
    half: str
    question: str
    subjects: tuple[str, ...]
    absent_names: tuple[str, ...]
    since: str
    until: str
    calls: tuple[Call, ...]
    series_file: Path | None = None


def log_call(tag: str, logs: Path | str, raw: Path, **params: Any) -> Call:
    """Return a log search; ``logs`` is what the command line is given, ``raw`` the files behind it."""
    return Call(tag=tag, tool="query_logs", params=params, sources=(("--logs", str(logs)),), logs=raw)


def alert_call(alerts: Path | str, tag: str = "alerts", **params: Any) -> Call:
    """Return a look at a saved alert answer."""
    return Call(tag=tag, tool="query_metrics", params=params, sources=(("--alerts", str(alerts)),))


def series_call(promql: str) -> Call:
    """Return a query of series, a sample a minute; the recorder puts its own server in the place of ``{server}``."""
    params = {"promql": promql, "step": "60s"}
    return Call(tag="series", tool="query_metrics", params=params, sources=(("--metrics", "{server}"),))


def runbook_call(folder: Path | str, query: str, **params: Any) -> Call:
    """Return a lookup in runbooks."""
    return Call(tag="runbook", tool="lookup_knowledge", params={"query": query, **params}, sources=(("--runbooks", str(folder)),))


def refused_metrics(**params: Any) -> Call:
    """Return a call to a port that nobody listens on."""
    return Call(tag="failed", tool="query_metrics", params=params, sources=(("--metrics", "http://127.0.0.1:9"),))


def unreadable_logs(work: Path) -> Path:
    """Return the folder whose only log is no text: a search of it fails."""
    return work / "unreadable"
