"""Log servers behind real connections on 127.0.0.1: nobody there, an answer that stops, one that trickles, one that breaks."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from threading import Event

import pytest

from groundwire.adapters.logs.loki import LokiLogs
from groundwire.adapters.logs.victorialogs import VictoriaLogs
from groundwire.adapters.servers.api import HttpOptions
from groundwire.domain.deadline import Deadline
from groundwire.domain.errors import BackendTimeoutError, BackendUnavailableError
from groundwire.domain.incident import TimeWindow
from groundwire.domain.logs import LogPage, LogQuery, LogRequest
from groundwire.ports import LogBackend
from tests.loopback import serving

END = datetime(2026, 11, 12, 11, tzinfo=UTC)
WINDOW = TimeWindow(start=END - timedelta(hours=1), end=END)
QUICK = HttpOptions(read_timeout_s=0.3)

Make = Callable[[str], LogBackend]
MAKERS: dict[str, Make] = {
    "loki": lambda url: LokiLogs("logs", url, QUICK),
    "victorialogs": lambda url: VictoriaLogs("logs", url, QUICK),
}


@pytest.fixture(params=list(MAKERS))
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def ask(backend: LogBackend, *, seconds: float = 5) -> LogPage:
    return backend.search(
        LogRequest(query=LogQuery(), service=None, min_level=None, window=WINDOW, limit=10, deadline=Deadline.after(seconds))
    )


def test_nobody_there_is_unavailable_in_the_words_of_the_system(make: Make) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(BackendUnavailableError, match="Connection refused") as raised:
            ask(make(url))
        assert raised.value.message.startswith(f"logs: cannot reach {url}: ")
        assert raised.value.message in make(url).describe().problems


def test_an_answer_that_stops_in_its_middle_times_out(make: Make) -> None:
    ended = Event()

    def stop(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"status":"success","data":[')
        handler.wfile.flush()
        ended.wait(10)

    with serving(stop) as url:
        try:
            with pytest.raises(BackendTimeoutError, match=r"no answer within 0\.3 s"):
                ask(make(url))
        finally:
            ended.set()


def test_an_answer_that_trickles_is_held_to_the_deadline(make: Make) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(200):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    with serving(trickle) as url, pytest.raises(BackendTimeoutError, match=r"no answer within 0\.5 s"):
        ask(make(url), seconds=0.5)


def test_a_connection_that_breaks_in_the_middle_is_unavailable(make: Make) -> None:
    def cut(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"status":"success"')

    with serving(cut) as url, pytest.raises(BackendUnavailableError, match=r"cannot reach http://127\.0\.0\.1"):
        ask(make(url))
