"""A model-driven investigation of 12 tool calls over the wire, beside the bare requests of pydantic-ai, and 50 side by side."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, Final
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measuring import Figure, in_turns, report
from groundwire.bootstrap import App, build
from groundwire.domain.names import Decision, StepKind
from groundwire.settings import Settings, load_settings
from tests.scenarios.shop_turns import COUNTED, EXHAUSTED, FIRING
from tests.wire import script
from tests.wire.server import wire_server

_NEEDED: Final = ("pydantic_ai", "openai", "anthropic")
_QUESTION: Final = "Why are requests to order-service failing?"
_ROUNDS: Final = 15
_SIDE_BY_SIDE: Final = 50
_CALLS: Final = 12

_TURNS: Final = (
    script.tool_calls([("query_metrics", {"service": "order-service"})]),
    script.tool_calls([("query_logs", {"service": "order-service", "level": "error", "limit": 100})]),
    script.tool_calls([("lookup_knowledge", {"query": "OrderServiceHighErrorRate"})]),
    script.tool_calls([("query_logs", {"service": "order-service", "query": '"HikariPool-1"'}), ("query_metrics", {})]),
    script.tool_calls([("query_logs", {"service": "order-service", "level": "warn"})]),
    script.tool_calls([("lookup_knowledge", {"query": "connection pool exhausted"})]),
    script.tool_calls([("query_logs", {"level": "error", "limit": 50}), ("query_metrics", {"state": "pending"})]),
    script.tool_calls([("query_logs", {"query": '"connection refused"'})]),
    script.tool_calls([("query_logs", {"service": "order-service", "query": "timeout", "limit": 20})]),
    script.tool_calls([("query_logs", {"service": "order-service", "since": "-30m", "level": "info"})]),
    script.tool_calls([("submit_draft", {"claims": [FIRING, COUNTED, EXHAUSTED]})]),
)
"""As many requests as the limits allow: each sends all that was said before it once more."""


def main() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        print(f"models: nothing measured; the extra is not installed, {', '.join(missing)} missing", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, _server() as url:
        settings = _settings(Path(folder), url)
        app = build(settings)
        try:
            alone = _bare_requests(url, _sent_by(lambda: _investigate(app)))
            rounds = in_turns(alone, lambda: _in_a_new_app(settings), rounds=_ROUNDS)
            begun, begun_cpu = time.perf_counter(), time.process_time()
            ended = _side_by_side(app)
            wall_s, cpu_s = time.perf_counter() - begun, time.process_time() - begun_cpu
            faults = [fault for fault in (_fault_of(app, one) for one in ended) if fault is not None]
        finally:
            app.close()
    for fault in sorted(set(faults)):
        print(f"models: {fault}", file=sys.stderr)
    report(
        Figure(name=f"pydantic-ai alone, its {len(_TURNS)} requests", value=median(bare for bare, _ in rounds), unit="ms CPU"),
        Figure(
            name=f"an investigation of {_CALLS} calls, those requests included",
            value=median(whole for _, whole in rounds),
            unit="ms CPU",
            limit=300,
        ),
        Figure(name="Groundwire's own share of it", value=median(whole - bare for bare, whole in rounds), unit="ms CPU"),
        Figure(name=f"{_SIDE_BY_SIDE} investigations side by side in one process", value=wall_s, unit="s"),
        Figure(name="one of them", value=cpu_s * 1000 / _SIDE_BY_SIDE, unit="ms CPU"),
        Figure(
            name="investigations with an error, or with rows that are not whole",
            value=len(faults),
            unit=f"of {_SIDE_BY_SIDE}",
            limit=0,
        ),
        description=__doc__ or "",
    )


def _settings(folder: Path, url: str) -> Settings:
    sources = {"db": str(folder / "groundwire.db"), "logs": ("demo",), "alerts": ("demo",), "runbooks": ("demo",)}
    return load_settings(sources | {"model": f"openai-compatible:scripted@{url}"}, environ={})


def _in_a_new_app(settings: Settings) -> None:
    """Investigate as the command does: the database is opened for it, and what it keeps open is closed."""
    app = build(settings)
    try:
        _investigate(app)
    finally:
        app.close()


def _investigate(app: App) -> str:
    answer = app.diagnose(_QUESTION, services=(), window=None, progress=_Silent())
    assert answer.decision is Decision.PASS, answer.notes
    return answer.session_id


def _sent_by(work: Callable[[], object]) -> list[dict[str, Any]]:
    """Return what ``work`` asks pydantic-ai for, as the arguments of each request."""
    from pydantic_ai.direct import model_request

    from groundwire.adapters.models import provider_model

    sent: list[dict[str, Any]] = []

    async def noted(model: Any, messages: Any, **options: Any) -> Any:
        sent.append({"messages": messages, **options})
        return await model_request(model, messages, **options)

    with mock.patch.object(provider_model, "model_request", new=noted):
        work()
    assert len(sent) == len(_TURNS)
    return sent


def _bare_requests(url: str, sent: Sequence[dict[str, Any]]) -> Callable[[], None]:
    """Return what sends the same requests with pydantic-ai and does nothing else, over one connection as an investigation has."""
    import httpx2
    from pydantic_ai.direct import model_request
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async def ask_all() -> None:
        async with httpx2.AsyncClient(verify=False) as client:
            model = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=url, api_key="none", http_client=client))
            for request in sent:
                await model_request(model, **request)

    return lambda: asyncio.run(ask_all())


def _side_by_side(app: App) -> list[str | Exception]:
    """Return the sessions of investigations that all run at once, and in place of one whatever went wrong in it."""

    def investigated(_: int) -> str | Exception:
        try:
            return _investigate(app)
        except Exception as exc:  # noqa: BLE001 - it is counted, and the others go on
            return exc

    with ThreadPoolExecutor(_SIDE_BY_SIDE) as threads:
        return list(threads.map(investigated, range(_SIDE_BY_SIDE)))


def _fault_of(app: App, ended: str | Exception) -> str | None:
    """Return what is wrong with an investigation: an error, a failed audit, or rows and steps that are not all there."""
    if isinstance(ended, Exception):
        return f"{type(ended).__name__}: {ended}"
    trace, audit = app.trace(ended), app.audit(ended)
    if not audit.ok:
        return f"the audit found {audit.faults[0].message}"
    if sorted(row.seq for row in trace.invocations) != list(range(1, _CALLS + 1)):
        return f"{len(trace.invocations)} rows of {_CALLS} calls"
    if trace.interrupted_ids or any(row.status == "failed" for row in trace.invocations):
        return "a call failed or was left running"
    asked = sum(step.kind is StepKind.MODEL for step in trace.steps)
    return None if asked == len(_TURNS) else f"{asked} steps of {len(_TURNS)} requests"


@contextmanager
def _server() -> Iterator[str]:
    """Run the scripted server in a process of its own, so that none of its processor time is counted here."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    there.close()
    try:
        yield here.recv()
    finally:
        here.close()
        process.join()


def _serve(until_closed: Connection) -> None:
    with wire_server() as server:
        server.play("*", [_next_turn] * (len(_TURNS) * (2 * _ROUNDS + _SIDE_BY_SIDE + 1)))
        until_closed.send(server.openai_url)
        until_closed.poll(None)


def _next_turn(request: dict[str, Any]) -> script.Message:
    """Answer by how far the conversation is, so that any number of them may go on at once."""
    return _TURNS[sum(message["role"] == "assistant" for message in request["messages"])]


class _Silent:
    def update(self, text: str) -> None:
        return None


if __name__ == "__main__":
    main()
