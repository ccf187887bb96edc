"""A session of this process over the real recorder, the real tools and the real store; and one of a process that lives on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from groundwire.adapters.logs.files import FileLogs
from groundwire.adapters.metrics.prometheus import PrometheusMetrics
from groundwire.adapters.process import SystemClock, current_owner
from groundwire.domain.incident import Question, TimeWindow
from groundwire.domain.invocation import RecordedCall
from groundwire.domain.names import QuestionKind, WindowSource
from groundwire.ports import CallContext, Tool
from groundwire.services.catalog import ConfiguredSources
from groundwire.services.context import SessionContext, Stores
from groundwire.services.recorder import EvidenceRecorder
from groundwire.store.sql_store import open_store
from groundwire.testing import ScriptedTool
from groundwire.tools.query_logs import QueryLogs
from groundwire.tools.query_metrics import QueryMetrics
from tests.acceptance.command import ROOT
from tests.acceptance.incident import WHY, WINDOW

QUESTION = Question(text=WHY, kind=QuestionKind.DIAGNOSE, subjects=("checkout",), window=WINDOW, window_source=WindowSource.FLAG)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """A session that is being recorded."""

    id: str
    recorder: EvidenceRecorder

    def ask_in_threads(self, asked: Sequence[tuple[str, dict[str, Any]]], *, threads: int) -> list[RecordedCall]:
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda call: self.recorder.ask(*call), asked))


class Quiet:
    """A progress that nobody watches."""

    def update(self, text: str) -> None:
        return None


@contextmanager
def open_session(
    db: Path,
    *,
    logs: Path | None = None,
    metrics: str | None = None,
    tools: Iterable[Tool] = (),
    window: TimeWindow = WINDOW,
    busy_timeout_s: float = 10,
) -> Iterator[OpenSession]:
    """Open a session in ``db`` with the tools over these sources, or with tools of the test's own."""
    made: list[Tool] = [*tools]
    if logs is not None:
        made.append(QueryLogs([FileLogs("logs", logs)]))
    if metrics is not None:
        made.append(QueryMetrics([PrometheusMetrics("prometheus", metrics)]))
    with open_store(db, busy_timeout_s=busy_timeout_s) as store:
        context = SessionContext(
            stores=Stores(traces=store, sessions=store, reader=store, outputs=store),
            tools={tool.name: tool for tool in made},
            catalog=ConfiguredSources(logs=(), metrics=(), knowledge=()),
            clock=SystemClock(),
            owner=current_owner(),
            call_timeout_s=30,
        )
        session = context.new_session(replace(QUESTION, window=window), "test")
        yield OpenSession(id=session.id, recorder=context.recorder(session, Quiet()))


def raising(name: str, error: Exception) -> Tool:
    """Return a tool that raises."""
    return ScriptedTool(name, error)


class SlowTool:
    """A tool that takes its time and finds nothing."""

    name = "query_metrics"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def run(self, params: Any, context: CallContext) -> dict[str, Any]:
        time.sleep(self._seconds)
        return {
            "evidence_status": "no_evidence",
            "error": None,
            "returned_count": 0,
            "total_count": 0,
            "partial": False,
            "partial_reasons": [],
            "scope": {"window": None, "filter": {}, "labels": {}},
            "sources": [],
            "alerts": [],
            "series": [],
        }


class Alive:
    """Another process with a call in flight in a session of its own, for as long as the block lasts."""

    def __init__(self, db: Path) -> None:
        self._db = db

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.acceptance.kill_driver", "live", str(self._db)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self.session_id, self.invocation_id = self._process.stdout.readline().decode().split()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()
