"""An investigator and a judge that do what a file and a variable tell them: installed as a third party's would be."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.domain.answer import Claim, Draft
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import UnknownToolError
from groundwire.domain.incident import Question
from groundwire.domain.names import ClaimKind, ClaimRole, StepKind, StepRole, new_id
from groundwire.domain.session import AgentStep
from groundwire.domain.verdict import ClaimVerdict
from groundwire.ports import JudgeRequest, Progress, ToolGateway

SCRIPT = "ACCEPTANCE_SCRIPT"
JUDGE = "ACCEPTANCE_JUDGE"
METADATA = "Metadata-Version: 2.1\nName: acceptance-plugins\nVersion: 0\n"
ENTRY_POINTS = """[groundwire.investigators]
scripted = tests.acceptance.scripted:ScriptedInvestigator

[groundwire.judges]
scripted = tests.acceptance.scripted:ScriptedJudge
"""


def install(folder: Path) -> Path:
    """Write what makes a folder on PYTHONPATH an installed distribution with the two entry points."""
    about = folder / "acceptance_plugins-0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (folder / "sitecustomize.py").write_text(SITE)
    return folder


FULL_AFTER = "ACCEPTANCE_MAX_PAGES"
"""Pages that a SQLite file may have at most: SQLite itself then says that it is full."""

SITE = f"""import os
if os.environ.get("{FULL_AFTER}"):
    import sqlite3
    connect = sqlite3.connect
    def connect_bounded(*given, **named):
        connection = connect(*given, **named)
        connection.execute("PRAGMA max_page_count = " + os.environ["{FULL_AFTER}"])
        return connection
    sqlite3.connect = connect_bounded
"""


class ScriptedInvestigator:
    """Follows ``{"do": [[verb, ...], ...], "draft": {"claims": [...], "complete"}, "revised": {...}}`` of a file."""

    name = "scripted"

    def draft(self, question: Question, gateway: ToolGateway, progress: Progress) -> Draft:
        script = _script()
        for verb, *given in script.get("do", []):
            _VERBS[verb](gateway, question, *given)
        return _draft(script["draft"])

    def revise(self, draft: Draft, verdicts: Sequence[ClaimVerdict], gateway: ToolGateway) -> Draft:
        script = _script()
        return _draft(script["revised"]) if "revised" in script else draft


class ScriptedJudge:
    """Says, raises or waits as ``{"say", "raise", "wait_s"}`` of a variable tells it."""

    name = "scripted"

    def judge(self, request: JudgeRequest, deadline: Deadline) -> str | None:
        told = json.loads(os.environ[JUDGE])
        time.sleep(told.get("wait_s", 0))
        if "raise" in told:
            raise {"ValueError": ValueError, "TimeoutError": TimeoutError, "ConnectionError": ConnectionError}[told["raise"]](
                told.get("words", "the judge is out")
            )
        said: str | None = told["say"]
        return said


def _script() -> dict[str, Any]:
    script: dict[str, Any] = json.loads(Path(os.environ[SCRIPT]).read_text())
    return script


def _draft(item: Mapping[str, Any]) -> Draft:
    return Draft(claims=tuple(map(_claim, item["claims"])), complete=item.get("complete", True))


def _claim(item: Mapping[str, Any]) -> Claim:
    return Claim(
        id=item["id"],
        text=item["text"],
        refs=tuple(item["refs"]),
        kind=ClaimKind(item["kind"]),
        role=ClaimRole(item["role"]),
    )


def _ask(gateway: ToolGateway, question: Question, tool: str, params: dict[str, Any]) -> None:
    gateway.ask(tool, params)


def _ask_unknown(gateway: ToolGateway, question: Question, tool: str) -> None:
    try:
        gateway.ask(tool, {})
    except UnknownToolError:
        return
    raise AssertionError(f"{tool} was called")


def _ask_at_once(gateway: ToolGateway, question: Question, calls: list[tuple[str, dict[str, Any]]]) -> None:
    threads = [threading.Thread(target=gateway.ask, args=(tool, params)) for tool, params in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _move(gateway: ToolGateway, question: Question, source: str, target: str) -> None:
    Path(source).rename(target)


def _list_sources(gateway: ToolGateway, question: Question) -> None:
    gateway.list_sources()


def _raise(gateway: ToolGateway, question: Question, words: str) -> None:
    raise RuntimeError(words)


def _step(gateway: ToolGateway, question: Question, kind: str, summary: str) -> None:
    call = gateway.ask("query_logs", {"limit": 1, "query": summary})
    gateway.record_step(
        AgentStep(
            id=new_id(),
            session_id=call.invocation.session_id,
            kind=StepKind(kind),
            role=StepRole.EXECUTOR,
            request_summary=summary,
            model="a-model" if kind == "model" else None,
        )
    )


_VERBS: Mapping[str, Callable[..., None]] = {
    "ask": _ask,
    "ask_unknown": _ask_unknown,
    "ask_at_once": _ask_at_once,
    "move": _move,
    "list_sources": _list_sources,
    "raise": _raise,
    "step": _step,
}
